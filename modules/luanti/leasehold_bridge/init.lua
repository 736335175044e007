-- Leasehold's half of the wire in a server of Luanti. Everything here is wiring; what it does is in src/.

-- Only while a mod is loading may it ask for this.
local http = core.request_http_api()
local path, world = core.get_modpath("leasehold_bridge"), core.get_worldpath()

local function part(name)
	return dofile(path .. "/src/" .. name .. ".lua")
end

local function log(text, level)
	core.log(level or "action", "[leasehold] " .. text)
end

local function setting(name, default)
	local value = core.settings:get(name)
	return value ~= nil and value ~= "" and value or default
end

part("raider")
local gates, things = part("gates"), nil
gates.register(function(pos) return things == nil or gates.owned(things, pos) end)
local url, token = setting("leasehold.link"), setting("leasehold.token")
if not http or not url or not token then
	log("is at rest: it needs leasehold.link, leasehold.token and its name in secure.http_mods", "warning")
	return
end

local json, judge, gate, holds = part("json"), part("judge"), part("gate"), part("holds")
local places, manifest, settings, nodes, privileges = part("places"), part("manifest"), part("settings"), part("nodes"), part("privileges")

-- The machine's clock at boot and monotonic time since, in milliseconds.
local boot_wall, boot_us = os.time() * 1000, core.get_us_time()
local function now()
	return boot_wall + math.floor((core.get_us_time() - boot_us) / 1000)
end

local function hex(bytes)
	return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end
local random = SecureRandom()
local boot = random and hex(random:next_bytes(8)) or core.sha1(world .. boot_wall .. boot_us):sub(1, 16)

local journal_path = world .. "/leasehold_journal.log"
local function read_whole(name)
	local file = io.open(name, "rb")
	local text = file and file:read("*a")
	if file then file:close() end
	return text
end

local journal
local function append(text)
	local written = journal and journal:write(text)
	return written ~= nil and journal:flush() ~= nil
end
local book, broken = part("book").open(read_whole(journal_path), append)
if not book then
	-- A key that is forgotten could run twice: better not at all.
	log(("is at rest: line %d of %s is broken"):format(broken, journal_path), "error")
	return
end
-- Written anew at each start, and while it runs when most of it is past.
local function rewrite()
	if journal then journal:close() end
	assert(core.safe_file_write(journal_path, book:text()), "the journal cannot be written")
	local _, lines = book:text():gsub("\n", "")
	book.lines, book.live = lines, lines
	journal = assert(io.open(journal_path, "ab"))
end
rewrite()

local audit = assert(io.open(world .. "/leasehold_audit.jsonl", "ab"))
local function tell_audit(row)
	row.t, row.bootId = now(), boot
	audit:write(json.encode(row) .. "\n")
	audit:flush()
end

local function places_of(name, default)
	local list, wrong = places.parse(setting(name, default))
	if not list then log(name .. " has no place in: " .. wrong, "error") end
	return list or {}
end
local place_list = places_of("leasehold.places", "square=0,9,0")
for id, lease in pairs(part("spawners").leases(places_of("leasehold.spawners", ""), nodes.at)) do settings.leases[id] = lease end
local function near(pos) return places.near(place_list, pos) end

local line
local function report(kind, fields)
	tell_audit({ report = kind, fields = fields })
	line:report(kind, fields)
end

local function where(name)
	local player = core.get_player_by_name(name)
	return player and player:get_pos()
end

local turnout = part("turnout").new({ book = book, json = json, parse = core.parse_json, now = now, where = where })
things = part("things").new({ book = book, judge = judge, json = json, now = now, boot = boot, kinds = {} })
local mobs = part("mobs")
local tracker = mobs.new({ book = book, things = things, report = report, near = near, turnout = turnout })
things.kinds = {
	mob = { remove = function(thing) return tracker:remove(thing) end, look = function(thing) return tracker:look(thing) end },
	node = nodes,
	gate = gates.kind(nodes.at),
	privilege = privileges,
	tally = {
		remove = function(thing) return turnout:close(thing.run) and "removed" or "gone" end,
		look = function(thing) return turnout:is_open(thing.run) and "present" or "gone" end,
	},
}
local acts = part("acts").new({ book = book, judge = judge, json = json, gate = gate, manifest = manifest, things = things, mobs = mobs,
	mob_tracker = tracker, nodes = nodes, gates = gates, privileges = privileges, turnout = turnout, places = places, place_list = place_list,
	now = now, setting = setting })
local lent = holds.new({ book = book, judge = judge, json = json, catalogue = settings.leases, now = now, report = report })
local options = part("options").new({ acts = acts, json = json, judge = judge, mobs = mobs, nodes = nodes, place_list = place_list, setting = setting })

local handlers = {
	["act.perform"] = function(...) return acts:perform(...) end,
	["act.verify"] = function(command) return acts:verify(command) end,
	["act.revert"] = function(command) return things:revert(command) end,
	["act.reconcile"] = function(command) return things:reconcile(command) end,
	["options.list"] = function(command) return options:list(command) end,
	["lease.list"] = function(command) return lent:list(command) end,
	["lease.apply"] = function(command) return lent:apply(command) end,
	["lease.release"] = function(command) return lent:release(command) end,
	["run.close"] = function(command)
		local closed = math.max(book.state.closed[command.runId] or 0, command.fence)
		assert(book:tell("closed", command.runId, closed), "the journal cannot be written")
		return { kind = "run.ok", runId = command.runId, fence = closed }
	end,
	["admin.broadcast"] = function(command)
		if not judge.is_text(command.text, 800) then
			return judge.refusal(command.kind, "bad_field", "text must be 1 to 200 characters", { field = "text" })
		end
		core.chat_send_all(command.text)
		return { kind = "admin.ok" }
	end,
}

-- What ran, and how it ended: the looks leave no row.
local function audited(command, answer)
	if judge.KINDS[command.kind].look then return answer end
	tell_audit({ kind = command.kind, key = command.idempotencyKey, runId = command.runId, action = command.action, lease = command.key,
		answer = answer.kind, error = answer.error, resources = answer.resources })
	return answer
end
for kind, handler in pairs(handlers) do
	handlers[kind] = function(command, done, again)
		local answer = handler(command, function(later) done(audited(command, later)) end, again)
		return answer == gate.LATER and answer or audited(command, answer)
	end
end

local entrance = gate.new({ book = book, judge = judge, json = json, handlers = handlers, now = now, digest = core.sha1,
	allowed = function(name) return core.settings:get_bool(name, false) end, send = function(text) line:say(text) end,
	warn = function(text) log(text, "warning") end })

local version_path = world .. "/leasehold_offer.txt"
-- Every changed offer has a version of its own: the number that was told last, and what it told.
local function offer()
	local offered = manifest.whole(json.list, settings.leases, 0)
	local print = core.sha1(json.encode(offered))
	local last, known = (read_whole(version_path) or ""):match("^(%d+) (%x+)")
	local version = tonumber(last or "0") + (known == print and 0 or 1)
	if known ~= print then core.safe_file_write(version_path, version .. " " .. print .. "\n") end
	offered.version = version
	return offered
end

line = part("line").new({ fetch = http.fetch, url = url:gsub("/+$", ""), token = token, json = json, parse = core.parse_json, now = now,
	boot = boot, log = log, take = function(frame) entrance:take(frame, now()) end,
	hello = function()
		return json.encode({ kind = "server.hello", t = now(), protocol = 7, bootId = boot, keyMemorySec = gate.MEMORY_SEC, keyCap = gate.CAP,
			game = "Luanti " .. (core.get_version().string or ""), scope = setting("leasehold.scope", "main"), manifest = offer() })
	end })

core.register_on_mods_loaded(function() tracker:wrap() end)
part("triggers")({ report = report, near = near, turnout = turnout, place_list = place_list })

local ready, since, came, swept = false, 0, {}, now()
core.after(0, function()
	nodes.wake(book.state.ended, book:last_at())
	lent:wake(book:last_at())
	for id in pairs(book.state.holds) do
		if settings.leases[id] then settings.leases[id].offered = true end
	end
	settings.probe(settings.leases, book.state.holds, function()
		for id, lease in pairs(settings.leases) do
			if not lease.offered then log("does not lend " .. id .. ": it does nothing here", "warning") end
		end
		ready = true
	end)
end)

-- The most seconds between two looks at who is there that count: a server may stand still for longer.
local LONGEST_SEC = 10

core.register_globalstep(function(seconds)
	if ready then line:tick() end
	since = since + seconds
	if since < 0.5 then return end
	lent:sweep()
	privileges.sweep(things, now())
	tracker:sweep(since)
	local online, players = core.get_connected_players(), {}
	gates.sweep(things, now(), online, came)
	for _, player in ipairs(online) do players[player:get_player_name()] = player:get_pos() end
	-- By the clock: the seconds that a busy server tells its mods are fewer than those that pass.
	turnout:sweep(math.min((now() - swept) / 1000, LONGEST_SEC), players)
	since, swept = 0, now()
	if book.lines > 2 * book.live + 8192 then rewrite() end
end)
