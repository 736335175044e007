return function(bench)
	local judge, same = bench.part("judge"), bench.same
	local function name(order, state, allowed, waited)
		local refused = judge.admit(order, state or { seen = {}, closed = {} }, function() return allowed ~= false end, waited or 0)
		return refused and refused.error
	end
	local order = bench.order

	return {
		["a whole stamp is taken"] = function() same(name(order()), nil) end,
		["every field of the stamp is judged"] = function()
			for field, values in pairs({ runId = { "", ("x"):rep(129), "a\nb", 5 }, fence = { -1, 1.5, "5", 2 ^ 60 }, ttlMs = { -1, "x" },
				idempotencyKey = { "", "a b", ("x"):rep(65), "\195\164" } }) do
				for _, value in ipairs(values) do same(name(order({ [field] = value })), "bad_field") end
				local without = order()
				without[field] = nil
				same(name(without), "bad_field")
			end
		end,
		["no consent, no command"] = function()
			same(name(order(), nil, false), "events_disabled")
			same(name({ kind = "admin.broadcast", reqId = "r" }, nil, false), "admin_disabled")
		end,
		["time left is counted from its receipt"] = function()
			same(name(order({ ttlMs = 10 }), nil, true, 9), nil)
			same(name(order({ ttlMs = 10 }), nil, true, 10), "ttl_expired")
		end,
		["a late owner is refused, an undo and a look pass"] = function()
			local state = { seen = { ["77"] = 9 }, closed = { ["77"] = 7 } }
			same(name(order({ fence = 8 }), state), "stale_fence")
			same(name(order({ fence = 7 }), state), "run_closed")
			same(name(order({ fence = 9 }), state), nil)
			same(name(order({ kind = "act.revert", fence = 0 }), state), nil)
			same(name(order({ kind = "lease.release", fence = 0 }), state), nil)
			same(name({ kind = "act.reconcile", reqId = "r", runId = "77" }, state), nil)
		end,
		["closing again is no fault, below the highest seen it is"] = function()
			local state = { seen = { ["77"] = 7 }, closed = { ["77"] = 7 } }
			same(name({ kind = "run.close", runId = "77", fence = 7 }, state), nil)
			same(name({ kind = "run.close", runId = "77", fence = 6 }, state), "stale_fence")
		end,
	}
end
