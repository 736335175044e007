-- Who takes part: seconds within a radius, and kills of everybody who dealt damage and is within it.

local turnout = {}
turnout.__index = turnout

-- A client that is gone without a goodbye stays online for as long: what was counted then is subtracted.
local SILENT_SEC = 30
local KILL_WEIGHT, MOST_MEMBERS, SAVE_SEC = 5, 2000, 5

--- `parts`: book, json, parse, now().
function turnout.new(parts)
	local self = setmetatable(parts, turnout)
	self.tallies, self.recent, self.unsaved = {}, {}, 0
	for run, text in pairs(self.book.state.tallies) do
		self.tallies[run] = self.parse(text)
	end
	return self
end

local function save(self, run)
	return self.book:tell("counted", run, self.json.encode(self.tallies[run]))
end

function turnout:open(run, pos, radius, till)
	self.tallies[run] = { x = pos.x, y = pos.y, z = pos.z, radius = radius, till = till, open = true, members = {} }
	return save(self, run)
end

function turnout:is_open(run)
	return self.tallies[run] ~= nil and self.tallies[run].open
end

function turnout:close(run)
	if not self:is_open(run) then return false end
	self.tallies[run].open = false
	return save(self, run)
end

local function within(tally, pos)
	local dx, dy, dz = pos.x - tally.x, pos.y - tally.y, pos.z - tally.z
	return dx * dx + dy * dy + dz * dz <= tally.radius * tally.radius
end

local function member(self, tally, name)
	local found = tally.members[name]
	if found then return found end
	local count = 0
	for _ in pairs(tally.members) do count = count + 1 end
	if count >= MOST_MEMBERS then return nil end
	found = { seconds = 0, kills = 0, first = self.now() }
	tally.members[name] = found
	return found
end

--- Counts so many seconds for each of `players`: name and position.
function turnout:sweep(seconds, players)
	local now = self.now()
	for run, tally in pairs(self.tallies) do
		if tally.open and now >= tally.till then self:close(run) end
		for name, pos in pairs(tally.open and players or {}) do
			local found = within(tally, pos) and member(self, tally, name)
			if found then
				found.seconds = found.seconds + seconds
				local recent = self.recent[name] or {}
				self.recent[name] = recent
				recent[#recent + 1] = { run = run, at = now, seconds = seconds }
				while recent[1].at < now - SILENT_SEC * 1000 do table.remove(recent, 1) end
			end
		end
	end
	self.unsaved = self.unsaved + seconds
	if self.unsaved >= SAVE_SEC then
		self.unsaved = 0
		for run, tally in pairs(self.tallies) do
			if tally.open then save(self, run) end
		end
	end
end

--- Somebody left; a client that had fallen silent was not there for the last half minute.
function turnout:left(name, timed_out)
	local changed = {}
	for _, each in ipairs(timed_out and self.recent[name] or {}) do
		local found = self.tallies[each.run] and self.tallies[each.run].members[name]
		if found and each.at >= self.now() - SILENT_SEC * 1000 then
			found.seconds = math.max(0, found.seconds - each.seconds)
			changed[each.run] = true
		end
	end
	self.recent[name] = nil
	-- At once: whoever was subtracted has no second leave that could make up for a crash.
	for run in pairs(changed) do save(self, run) end
end

--- `hands`: who dealt damage; `where(name)`: position of a player who is online.
function turnout:killed(pos, hands)
	for run, tally in pairs(self.tallies) do
		for _, name in ipairs(tally.open and hands or {}) do
			local here = self.where(name) or pos
			local found = within(tally, here) and member(self, tally, name)
			if found then
				found.kills = found.kills + 1
				save(self, run)
			end
		end
	end
end

--- Everybody counted, the best first: a participant as the wire has them.
function turnout:participants(run)
	local told = self.json.list()
	for name, found in pairs(self.tallies[run] and self.tallies[run].members or {}) do
		local score = found.seconds / 60 + found.kills * KILL_WEIGHT
		told[#told + 1] = { memberKey = name, score = ("%.4f"):format(score), joinedMs = found.first,
			meta = { seconds = math.floor(found.seconds + 0.5), kills = found.kills } }
	end
	table.sort(told, function(a, b)
		local left, right = tonumber(a.score), tonumber(b.score)
		return left > right or left == right and a.memberKey < b.memberKey
	end)
	return told
end

return turnout
