-- The mod's pure parts, without a server: `lua5.1 all.lua` or `luajit all.lua`, from this folder. Prints one line a test and
-- how many there were; ends with 1 where one fails.

local function part(name)
	return dofile("../leasehold_bridge/src/" .. name .. ".lua")
end

local bench = { part = part }

-- A gate over a journal that is a text: what a crash leaves is the text.
function bench.world(text, handlers)
	local world = { journal = text or "leasehold-journal\t1\n", now = 1000, sent = {}, warned = {}, ran = {}, allow = true, disk = true }
	local json = part("json")
	world.json = json
	world.book = assert(part("book").open(world.journal, function(line)
		if not world.disk then return false end
		world.journal = world.journal .. line
		return true
	end))
	world.gate = part("gate").new({ book = world.book, judge = part("judge"), json = json, now = function() return world.now end,
		allowed = function() return world.allow end, digest = function(print) return print end,
		send = function(answer) world.sent[#world.sent + 1] = answer end,
		warn = function(warning) world.warned[#world.warned + 1] = warning end, handlers = handlers or {} })
	function world.take(command, received)
		world.sent = {}
		world.gate:take(command, received or world.now)
		return world.sent[1]
	end
	return world
end

--- An order of `act.perform` with its stamp, changed by `other`.
function bench.order(other)
	local order = { kind = "act.perform", reqId = "r-1", action = "a", runId = "77", fence = 5, ttlMs = 30000, idempotencyKey = "k-1" }
	for name, value in pairs(other or {}) do order[name] = value end
	return order
end

function bench.has(text, words)
	if not (text and text:find(words, 1, true)) then
		error(("%s is not in %s"):format(words, tostring(text)), 2)
	end
end

function bench.same(left, right)
	if left ~= right then error(("%s is not %s"):format(tostring(left), tostring(right)), 2) end
end

local failed, count = 0, 0
for _, name in ipairs({ "json", "book", "judge", "gate", "holds", "things", "turnout", "line", "manifest", "places" }) do
	local tests = dofile(name .. "_test.lua")(bench)
	local names = {}
	for title in pairs(tests) do names[#names + 1] = title end
	table.sort(names)
	for _, title in ipairs(names) do
		local fine, why = pcall(tests[title])
		count = count + 1
		if not fine then failed = failed + 1 end
		print((fine and "ok     " or "FAILED ") .. name .. ": " .. title .. (fine and "" or "\n       " .. tostring(why)))
	end
end
print(("%d tests, %d failed"):format(count, failed))
os.exit(failed == 0 and 0 or 1)
