return function(bench)
	local same = bench.same

	local function world()
		local w = { now = 0, at = { ann = { x = 0, y = 0, z = 0 }, bob = { x = 99, y = 0, z = 0 } } }
		w.written = {}
		local book = bench.part("book").open("leasehold-journal\t1\n", function(text)
			w.written[#w.written + 1] = text
			return true
		end)
		w.turnout = bench.part("turnout").new({ book = book, json = bench.part("json"), parse = function() return {} end,
			now = function() return w.now end, where = function(name) return w.at[name] end })
		w.turnout:open("77", { x = 0, y = 0, z = 0 }, 10, 600000)
		function w.pass(seconds)
			for _ = 1, seconds do
				w.now = w.now + 1000
				w.turnout:sweep(1, w.at)
			end
		end
		function w.of(name) return w.turnout.tallies["77"].members[name] end
		return w
	end

	return {
		["seconds are those within"] = function()
			local w = world()
			w.pass(50)
			w.at.ann = { x = 11, y = 0, z = 0 }
			w.pass(50)
			same(w.of("ann").seconds, 50)
			same(w.of("bob"), nil)
		end,
		["the silent tail of a dead client is subtracted, a goodbye's is not"] = function()
			local w = world()
			w.pass(100)
			w.at.ann = nil
			w.turnout:left("ann", true)
			same(w.of("ann").seconds, 69)
			local v = world()
			v.pass(100)
			v.turnout:left("ann", false)
			same(v.of("ann").seconds, 100)
		end,
		["what is subtracted is on disk before the server can be killed"] = function()
			local w = world()
			w.pass(100)
			local before = #w.written
			w.turnout:left("ann", true)
			same(#w.written, before + 1)
			same(w.written[#w.written]:find('"seconds":69', 1, true) ~= nil, true)
			w.turnout:left("bob", true)
			same(#w.written, before + 1)
		end,
		["a kill is counted for every hand within"] = function()
			local w = world()
			w.at.cid = { x = 1, y = 0, z = 1 }
			w.turnout:killed({ x = 0, y = 0, z = 0 }, { "ann", "bob", "cid" })
			same(w.of("ann").kills, 1)
			same(w.of("cid").kills, 1)
			same(w.of("bob"), nil)
		end,
		["it ends by itself, and can be read afterwards"] = function()
			local w = world()
			w.pass(700)
			same(w.of("ann").seconds, 599)
			same(w.turnout:is_open("77"), false)
			local told = w.turnout:participants("77")
			same(told[1].memberKey, "ann")
			same(told[1].score, ("%.4f"):format(599 / 60))
			same(#w.turnout:participants("nobody"), 0)
		end,
	}
end
