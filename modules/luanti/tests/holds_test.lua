return function(bench)
	local holds, same = bench.part("holds"), bench.same

	local function world(text)
		local w = { value = nil, now = 1000, reports = {}, journal = text or "leasehold-journal\t1\n" }
		local book = bench.part("book").open(w.journal, function(line) w.journal = w.journal .. line return true end)
		w.lease = { type = "int", min = "0", max = "100", max_hold_ms = 60000, reaches = "everyone", memory = true, offered = true,
			read = function() return w.value or "72" end, is_unset = function() return w.value == nil end,
			write = function(value) w.value = value end, unset = function() w.value = nil end }
		w.lent = holds.new({ book = book, judge = bench.part("judge"), json = bench.part("json"), catalogue = { speed = w.lease },
			now = function() return w.now end, report = function(kind, fields) fields.kind = kind w.reports[#w.reports + 1] = fields end })
		w.book = book
		function w.apply(value, run, ms)
			return w.lent:apply({ kind = "lease.apply", key = "speed", value = value, runId = run or "77", holdMs = ms or 5000 })
		end
		function w.release(applied, run)
			return w.lent:release({ kind = "lease.release", key = "speed", applied = applied, runId = run or "77" })
		end
		return w
	end

	return {
		["an unset value comes back unset"] = function()
			local w = world()
			same(w.apply("90").baseline, "72")
			same(w.value, "90")
			same(w.release("90.0").restored, true)
			same(w.value, nil)
			same(w.release("90").held, false)
		end,
		["what somebody else has set is left alone"] = function()
			local w = world()
			w.apply("90")
			w.value = "33"
			same(w.release("90").kind, "lease.drifted")
			same(w.value, "33")
		end,
		["the deadline is kept without anybody, once, and reported"] = function()
			local w = world()
			w.value = "10"
			w.apply("90")
			w.now = 6000
			w.lent:sweep()
			w.lent:sweep()
			same(w.value, "10")
			same(#w.reports, 2)
			same(w.reports[2].restored, true)
			local told = w.release("90")
			same(told.alreadyRestored, true)
			same(told.reason, "deadline")
		end,
		["the deadline leaves drift alone, and the release tells it"] = function()
			local w = world()
			w.apply("90")
			w.value = "33"
			w.now = 6000
			w.lent:sweep()
			same(w.value, "33")
			same(w.release("90").kind, "lease.drifted")
		end,
		["one value, one hold; the bounds are the game's"] = function()
			local w = world()
			same(w.apply("101").error, "out_of_range")
			same(w.apply("-1").error, "out_of_range")
			same(w.apply("1e1").error, "bad_value")
			same(w.apply("5", nil, 60001).error, "hold_too_long")
			same(w.apply("5", nil, 0).error, "bad_field")
			same(w.value, nil)
			w.apply("90")
			same(w.apply("91", "78").holder, "77")
			same(w.apply("91").error, "held")
			same(w.release("91").error, "applied_mismatch")
			same(w.release("90", "78").held, false)
			same(w.value, "90")
		end,
		["what is not offered is not lent, and what is held can be given back"] = function()
			local w = world()
			w.apply("90")
			w.lease.offered = false
			same(w.release("90").restored, true)
			same(w.apply("90").error, "unknown_lease")
		end,
		["a restart that put it back ends the hold"] = function()
			local w = world()
			w.apply("90")
			local after = world(w.journal)
			after.lent:wake()
			same(after.release("90").held, false)
		end,
		["a value that was saved with its hold is put back at its deadline"] = function()
			local w = world()
			w.apply("90")
			local after = world(w.journal)
			after.value = "90"
			after.lent:wake()
			after.now = 6000
			after.lent:sweep()
			same(after.value, nil)
		end,
		["a value of the world that an older world brings back as lent is put back again"] = function()
			local w = world()
			w.lease.memory, w.value = false, "10"
			w.apply("90")
			same(w.release("90").restored, true)
			local after = world(w.journal)
			after.lease.memory, after.value = false, "90"
			after.lent:wake(w.now)
			same(after.value, "10")
			after.value = "90"
			after.lent:wake(w.now + 100000)
			same(after.value, "90")
		end,
		["also one whose deadline had put it back, and one that was never saved is held no longer"] = function()
			local w = world()
			w.lease.memory, w.value = false, "10"
			w.apply("90")
			local lost = world(w.journal)
			lost.lease.memory, lost.value = false, "10"
			lost.lent:wake(w.now)
			same(lost.release("90").held, false)
			w.now = 6000
			w.lent:sweep()
			local after = world(w.journal)
			after.lease.memory, after.value = false, "90"
			after.lent:wake(w.now)
			same(after.value, "10")
			same(after.release("90").reason, "deadline")
		end,
		["a value whose holder is gone from the world is told as gone"] = function()
			local w = world()
			w.lease.memory, w.value = false, "10"
			w.apply("90")
			w.value = ""
			same(w.release("90").reason, "gone")
			same(w.release("90").held, false)
		end,
		["words and choices"] = function()
			same(holds.value({ type = "bool" }, "True"), "true")
			same(holds.value({ type = "bool" }, "yes"), nil)
			same(holds.value({ type = "string", choices = { "keep" } }, "keep"), "keep")
			same(holds.value({ type = "string", choices = { "keep" } }, "lose"), nil)
			same(holds.value({ type = "string" }, "a\nb"), nil)
			same(holds.value({ type = "string" }, 5), nil)
		end,
	}
end
