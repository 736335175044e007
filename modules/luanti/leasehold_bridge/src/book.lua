-- The journal: what must be known after a crash, one fact a line, flushed before anybody is told.
--
-- A line is the name of the fact and its texts, with tabs between. The state is the fold of the lines; a last line torn by a
-- crash is cut off, and any other broken one is an error: a key forgotten could run twice.

local book = {}
book.__index = book

local HEAD = "leasehold-journal\t1"
-- Runs whose claims are remembered, and things taken back that are remembered in case an older world comes back.
local MOST_TOMBSTONES = 256

local function write(value)
	return (tostring(value):gsub("[%%\t\n\r]", function(c)
		return string.format("%%%02X", c:byte())
	end))
end

local function read(value)
	return (value:gsub("%%(%x%x)", function(hex)
		return string.char(tonumber(hex, 16))
	end))
end

-- How many texts each fact has, and what it does to the state.
local FACTS = {
	begun = { 4, function(s, key, kind, print, at)
		s.serial = s.serial + 1
		s.keys[key] = { kind = kind, print = print, at = tonumber(at), order = s.serial }
	end },
	answered = { 3, function(s, key, correlation, answer)
		if s.keys[key] then
			s.keys[key].answer, s.keys[key].correlation = answer, correlation
		end
	end },
	freed = { 1, function(s, key) s.keys[key] = nil end },
	seen = { 2, function(s, run, fence) s.seen[run] = tonumber(fence) end },
	closed = { 2, function(s, run, fence) s.closed[run] = tonumber(fence) end },
	-- A thing of a run: kind, reference, run, key, then its place or whatever else finds it again.
	made = { 5, function(s, kind, ref, run, key, data)
		s.things[ref] = { kind = kind, ref = ref, run = run, key = key, data = data }
	end },
	moved = { 2, function(s, ref, data)
		if s.things[ref] then s.things[ref].data = data end
	end },
	ended = { 2, function(s, ref, at)
		local thing = s.things[ref]
		s.things[ref] = nil
		if thing then
			thing.at = tonumber(at)
			s.ended[#s.ended + 1] = thing
			if #s.ended > MOST_TOMBSTONES then table.remove(s.ended, 1) end
		end
	end },
	held = { 6, function(s, lease, run, baseline, unset, applied, till)
		s.put_back[lease] = nil
		s.holds[lease] = { run = run, baseline = baseline, unset = unset == "true", applied = applied, till = tonumber(till) }
	end },
	expired = { 3, function(s, lease, restored, current)
		local hold = s.holds[lease]
		if hold then
			hold.expired, hold.restored, hold.current = true, restored == "true", current
		end
	end },
	-- A value of the world that was given back, which an older world may bring back as it was lent.
	put_back = { 4, function(s, lease, baseline, applied, at)
		s.put_back[lease] = { baseline = baseline, applied = applied, at = tonumber(at) }
	end },
	let_go = { 1, function(s, lease) s.holds[lease] = nil end },
	counted = { 2, function(s, run, tally) s.tallies[run] = tally end },
	uncounted = { 1, function(s, run) s.tallies[run] = nil end },
}

local function split(line)
	local parts = {}
	for part in (line .. "\t"):gmatch("(.-)\t") do
		parts[#parts + 1] = read(part)
	end
	return parts
end

function book:fold(line)
	local parts = split(line)
	local fact = FACTS[table.remove(parts, 1)]
	if not fact or #parts ~= fact[1] then
		return false
	end
	fact[2](self.state, unpack(parts))
	return true
end

--- The book of this text, which may be nil. `append` puts a line on disk and answers whether it did.
--- Answers the book, or nil and the number of the broken line.
function book.open(text, append)
	local self = setmetatable({ append = append }, book)
	self.state = { serial = 0, keys = {}, seen = {}, closed = {}, things = {}, ended = {}, holds = {}, put_back = {}, tallies = {} }
	self.lines = 0
	text = text or ""
	-- Whatever has no end of line was torn while it was written.
	local whole = text:match("^(.*\n)") or ""
	for line in whole:gmatch("(.-)\n") do
		self.lines = self.lines + 1
		local fine
		if self.lines == 1 then
			fine = line == HEAD
		else
			fine = self:fold(line)
		end
		if not fine then
			return nil, self.lines
		end
	end
	return self
end

--- Writes a fact down, and only then holds it for true. Answers whether it is on disk.
function book:tell(name, ...)
	local parts = { name }
	for place = 1, select("#", ...) do
		parts[place + 1] = write((select(place, ...)))
	end
	local line = table.concat(parts, "\t")
	if not self.append(line .. "\n") then
		return false
	end
	self.lines = self.lines + 1
	assert(self:fold(line), "a fact that cannot be read again: " .. name)
	return true
end

local function sorted(entries, by)
	local names = {}
	for name in pairs(entries) do
		names[#names + 1] = name
	end
	table.sort(names, by and function(a, b) return by(entries[a]) < by(entries[b]) end or nil)
	return names
end

--- The last instant that the book tells of: what was done shortly before may be missing from the world after a crash.
function book:last_at()
	local last = 0
	for _, known in pairs(self.state.keys) do last = math.max(last, known.at) end
	for _, thing in ipairs(self.state.ended) do last = math.max(last, thing.at) end
	for _, ended in pairs(self.state.put_back) do last = math.max(last, ended.at) end
	return last
end

--- The whole state as a new journal's text.
function book:text()
	local s, lines = self.state, { HEAD }
	local function put(...)
		local parts = { ... }
		for place, part in ipairs(parts) do parts[place] = write(part) end
		lines[#lines + 1] = table.concat(parts, "\t")
	end
	for _, key in ipairs(sorted(s.keys, function(k) return k.order end)) do
		local known = s.keys[key]
		put("begun", key, known.kind, known.print, known.at)
		if known.answer then put("answered", key, known.correlation, known.answer) end
	end
	for _, run in ipairs(sorted(s.seen)) do put("seen", run, s.seen[run]) end
	for _, run in ipairs(sorted(s.closed)) do put("closed", run, s.closed[run]) end
	for _, thing in ipairs(s.ended) do
		put("made", thing.kind, thing.ref, thing.run, thing.key, thing.data)
		put("ended", thing.ref, thing.at)
	end
	for _, ref in ipairs(sorted(s.things)) do
		local thing = s.things[ref]
		put("made", thing.kind, ref, thing.run, thing.key, thing.data)
	end
	for _, lease in ipairs(sorted(s.holds)) do
		local hold = s.holds[lease]
		put("held", lease, hold.run, hold.baseline, hold.unset, hold.applied, hold.till)
		if hold.expired then put("expired", lease, hold.restored, hold.current) end
	end
	for _, lease in ipairs(sorted(s.put_back)) do
		local ended = s.put_back[lease]
		put("put_back", lease, ended.baseline, ended.applied, ended.at)
	end
	for _, run in ipairs(sorted(s.tallies)) do put("counted", run, s.tallies[run]) end
	return table.concat(lines, "\n") .. "\n"
end

return book
