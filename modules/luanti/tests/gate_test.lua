return function(bench)
	local has, same, order = bench.has, bench.same, bench.order
	local LATER = bench.part("gate").LATER

	local function counting(answer)
		local runs = { count = 0 }
		return runs, { ["act.perform"] = function()
			runs.count = runs.count + 1
			return { kind = answer or "act.ok", error = answer and "no" or nil, words = "run " .. runs.count }
		end }
	end

	return {
		["a repeat is answered with the first answer, under its own correlation"] = function()
			local runs, handlers = counting()
			local world = bench.world(nil, handlers)
			has(world.take(order()), '"t":1000')
			world.now = 2000
			local again = world.take(order({ reqId = "r-2", fence = 6, ttlMs = 5 }))
			has(again, '"reqId":"r-2","replayed":true')
			has(again:gsub(',"reqId".*', "}"), '"t":1000,"words":"run 1"')
			same(runs.count, 1)
		end,
		["it outlives a crash"] = function()
			local runs, handlers = counting()
			local world = bench.world(bench.world(nil, handlers).journal, handlers)
			world.take(order())
			local after = bench.world(world.journal, handlers)
			has(after.take(order({ reqId = "r-9" })), '"replayed":true')
			same(runs.count, 1)
		end,
		["what had begun never runs again"] = function()
			local runs, handlers = counting()
			local before
			local world
			world = bench.world(nil, { ["act.perform"] = function() before = world.journal error("killed") end })
			world.take(order())
			local after = bench.world(before, handlers)
			has(after.take(order()), "bridge.interrupted")
			has(after.take(order()), "bridge.interrupted")
			same(runs.count, 0)
		end,
		["a refusal frees its key, also over a crash"] = function()
			local runs, handlers = counting("act.perform.error")
			local world = bench.world(nil, handlers)
			world.take(order())
			world.take(order())
			bench.world(world.journal, handlers).take(order())
			same(runs.count, 3)
		end,
		["a handler that fails keeps its key"] = function()
			local count = 0
			local world = bench.world(nil, { ["act.perform"] = function() count = count + 1 error("half-way") end })
			has(world.take(order()), "handler_failed")
			local again = world.take(order())
			has(again, "handler_failed")
			has(again, "replayed")
			same(count, 1)
			local silent = bench.world(nil, { ["act.perform"] = function() end })
			has(silent.take(order()), "no_reply")
		end,
		["what works on is busy until it is done"] = function()
			local finish
			local world = bench.world(nil, { ["act.perform"] = function(_, done) finish = done return LATER end })
			same(world.take(order()), nil)
			has(world.take(order({ reqId = "r-2" })), '"busyKind":"act.perform"')
			world.sent = {}
			finish({ kind = "act.ok" })
			has(world.sent[1], '"reqId":"r-1"')
			has(world.take(order({ reqId = "r-3" })), '"replayed":true')
		end,
		["what was deferred can be judged again, as things stand then"] = function()
			local again
			local world = bench.world(nil, { ["act.perform"] = function(_, _, judged) again = judged return LATER end })
			world.take(order())
			same(again(), nil)
			world.book:tell("closed", "77", 5)
			same(again().error, "run_closed")
			world.now = world.now + 30000
			same(again().error, "ttl_expired")
		end,
		["a key belongs to one order"] = function()
			local runs, handlers = counting()
			local world = bench.world(nil, handlers)
			world.take(order())
			has(world.take(order({ action = "b" })), "key_reused")
			local moved = order()
			moved.reqId, moved.code = nil, "c-1"
			has(world.take(moved), "correlation_changed")
			same(runs.count, 1)
		end,
		["the key comes before everything else"] = function()
			local _, handlers = counting()
			local world = bench.world(nil, handlers)
			world.take(order())
			world.allow = false
			world.book:tell("closed", "77", 9)
			has(world.take(order({ reqId = "r-2" })), '"replayed":true')
		end,
		["nothing begins without its journal"] = function()
			local runs, handlers = counting()
			local world = bench.world(nil, handlers)
			world.disk = false
			has(world.take(order()), "journal_failed")
			same(runs.count, 0)
		end,
		["an answer that is not on disk is not told"] = function()
			local world
			world = bench.world(nil, { ["act.perform"] = function() world.disk = false return { kind = "act.ok" } end })
			same(world.take(order()), nil)
			world.disk = true
			has(world.take(order()), "bridge.interrupted")
		end,
		["a look keeps no key"] = function()
			local world = bench.world(nil, { ["options.list"] = function() return { kind = "options.ok" } end })
			local before = world.journal
			has(world.take({ kind = "options.list", reqId = "r", idempotencyKey = "k" }), "options.ok")
			same(world.journal, before)
		end,
		["a key lives an hour"] = function()
			local runs, handlers = counting()
			local world = bench.world(nil, handlers)
			world.take(order())
			world.now = world.now + 3600 * 1000 + 1
			world.take(order({ idempotencyKey = "k-2" }))
			world.take(order())
			same(runs.count, 3)
		end,
		["the fence of what has begun outlives a crash"] = function()
			local _, handlers = counting()
			local world = bench.world(nil, handlers)
			world.take(order({ fence = 8 }))
			has(bench.world(world.journal, handlers).take(order({ idempotencyKey = "k-2" })), "stale_fence")
		end,
		["what is no command has no answer, and what is unknown has one"] = function()
			local world = bench.world()
			for _, frame in ipairs({ 5, {}, { kind = "act.perform" }, { kind = "act.perform", reqId = "" }, { kind = 5, reqId = "r" } }) do
				same(world.take(frame), nil)
			end
			has(world.take({ kind = "act.dance", reqId = "r" }), "unknown_kind")
		end,
	}
end
