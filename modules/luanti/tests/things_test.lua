return function(bench)
	local same = bench.same

	local function world()
		local w = { there = {}, looks = "present" }
		local book = bench.part("book").open("leasehold-journal\t1\n", function() return true end)
		w.things = bench.part("things").new({ book = book, judge = bench.part("judge"), json = bench.part("json"), boot = "b",
			now = function() return 5 end, kinds = { mob = {
				remove = function(thing) local was = w.there[thing.ref] w.there[thing.ref] = nil return was and "removed" or "gone" end,
				look = function() return w.looks end } } })
		function w.make(run, key)
			local ref = w.things:next_ref("mob")
			w.things:made("mob", ref, { runId = run, idempotencyKey = key }, "(0,0,0)")
			w.there[ref] = true
			return { kind = "mob", ref = ref }
		end
		function w.revert(fields)
			fields.kind = "act.revert"
			return w.things:revert(fields)
		end
		return w
	end

	return {
		["everything named is in one list, and twice is no fault"] = function()
			local w = world()
			local mine, others = w.make("77", "k"), w.make("78", "k2")
			local told = w.revert({ runId = "77", resources = { mine, mine, others, { kind = "mob", ref = "never" } } })
			same(#told.removed, 1)
			same(#told.refused, 1)
			same(#told.gone, 1)
			same(w.there[others.ref], true)
			same(#w.revert({ runId = "77", resources = { mine } }).gone, 1)
		end,
		["by key everything that it made is found"] = function()
			local w = world()
			w.make("77", "k")
			w.make("77", "k")
			w.make("77", "other")
			same(#w.revert({ runId = "77", forKey = "k" }).removed, 2)
			same(#w.revert({ runId = "77", forKey = "k" }).removed, 0)
			same(w.things:count_of("77", "mob"), 1)
		end,
		["a look has three answers"] = function()
			local w = world()
			local mine = w.make("77", "k")
			local function look(run) return w.things:reconcile({ kind = "act.reconcile", runId = run, resources = { mine } }) end
			same(#look("77").present, 1)
			same(#look("78").gone, 1)
			w.looks = nil
			same(#look("77").present + #look("77").gone, 0)
		end,
		["what is no resource is refused"] = function()
			same(world().revert({ runId = "77", resources = { 5 } }).error, "bad_field")
			same(world().revert({ runId = "77", resources = { { kind = "mob" } } }).error, "bad_field")
		end,
	}
end
