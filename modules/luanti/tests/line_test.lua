return function(bench)
	local same, has = bench.same, bench.has

	-- A sidecar that answers when it is told to.
	local function world()
		local w = { now = 0, asked = {}, taken = {} }
		w.line = bench.part("line").new({ fetch = function(request, callback)
				w.asked[#w.asked + 1] = { request = request, answer = callback }
			end, url = "http://link", token = "t", boot = "b", json = bench.part("json"), log = function() end,
			parse = function(data) return data end, now = function() return w.now end, hello = function() return "{}" end,
			take = function(frame) w.taken[#w.taken + 1] = frame end })
		function w.answer(place, code, told)
			w.asked[place].answer({ succeeded = code == 200, code = code, data = told })
		end
		function w.body(place) return w.asked[place].request.data end
		function w.greet()
			w.line:tick()
			w.answer(1, 200, { session = "s" })
			w.line:tick()
		end
		return w
	end

	return {
		["one poll always waits"] = function()
			local w = world()
			w.greet()
			w.line:tick()
			same(#w.asked, 2)
			has(w.body(2), '"waitMs":10000,"frames":[]')
			w.answer(2, 200, { commands = {} })
			same(#w.asked, 3)
		end,
		["commands are taken once, in order, and named in the next poll"] = function()
			local w = world()
			w.greet()
			w.answer(2, 200, { commands = { { n = 1, frame = "a" }, { n = 2, frame = "b" } } })
			has(w.body(3), '"after":2')
			w.answer(3, 200, { commands = { { n = 2, frame = "b" }, { n = 3, frame = "c" } } })
			same(table.concat(w.taken), "abc")
		end,
		["what there is to say goes at once, and what it overtook counts no more"] = function()
			local w = world()
			w.greet()
			w.line:say('{"a":1}')
			w.line:tick()
			has(w.body(3), '"frames":[{"a":1}]')
			w.answer(2, 200, { commands = { { n = 1, frame = "a" } } })
			same(#w.taken, 0)
			w.answer(3, 200, { commands = { { n = 1, frame = "a" } } })
			same(#w.taken, 1)
		end,
		["reports stay until they are kept, and go again on a new line"] = function()
			local w = world()
			w.greet()
			w.line:report("join", {})
			w.line:report("leave", {})
			w.line:tick()
			has(w.body(3), '"waitMs":0')
			w.answer(3, 200, { kept = 1 })
			same(#w.line.reports, 1)
			w.answer(4, 410, {})
			same(w.line.session, nil)
			w.now = 5000
			w.line:tick()
			w.answer(5, 200, { session = "s2" })
			w.line:tick()
			has(w.body(6), '"seq":2')
		end,
		["a sidecar that is away is asked more and more slowly"] = function()
			local w = world()
			for _ = 1, 3000 do
				w.now = w.now + 10
				local before = #w.asked
				w.line:tick()
				if #w.asked > before then w.answer(#w.asked, 0, nil) end
			end
			same(#w.asked < 25, true)
		end,
	}
end
