-- Values lent until a deadline. Put back by compare-and-set, by the mod itself, also with nobody on the line.

local holds = {}
holds.__index = holds

--- `parts`: book, judge, json, catalogue (lease by id: label, type, min, max, choices, max_hold_ms, reaches, memory, read,
--- write, unset, is_unset), now(), report(kind, fields).
function holds.new(parts)
	return setmetatable(parts, holds)
end

--- The value in one writing, or nil and why not.
function holds.value(lease, text)
	if type(text) ~= "string" then return nil, "bad_value" end
	if lease.type == "int" then
		if not text:match("^%-?%d+$") and not text:match("^%-?%d+%.0+$") then return nil, "bad_value" end
		local number = tonumber(text)
		if number < tonumber(lease.min) or number > tonumber(lease.max) then return nil, "out_of_range" end
		return ("%.0f"):format(number)
	elseif lease.type == "bool" then
		local word = text:lower()
		return (word == "true" or word == "false") and word or nil, "bad_value"
	elseif lease.choices then
		for _, choice in ipairs(lease.choices) do
			if choice == text then return text end
		end
		return nil, "bad_value"
	end
	local fine = #text >= 1 and #text <= 200 and not text:find("%c") and (not lease.fits or lease.fits(text))
	return fine and text or nil, "bad_value"
end

local function row(self, id, lease)
	local hold = self.book.state.holds[id]
	local told = { key = id, plane = lease.memory and "config" or "object", type = lease.choices and "choice" or lease.type,
		current = lease.read(), default = hold and hold.baseline or lease.read(), min = lease.min, max = lease.max,
		choices = lease.choices and self.json.list(lease.choices), maxHoldMs = lease.max_hold_ms, reaches = lease.reaches,
		restartRestores = lease.memory }
	if hold then
		told.held = { runId = hold.run, baseline = hold.baseline, applied = hold.applied, untilMs = hold.till,
			expired = hold.expired or false, restored = hold.restored or false }
	end
	return told
end

function holds:list(command)
	local rows = self.json.list()
	for id, lease in pairs(self.catalogue) do
		local shown = lease.offered or self.book.state.holds[id]
		if shown and (command.key == nil or command.key == id) then rows[#rows + 1] = row(self, id, lease) end
	end
	table.sort(rows, function(a, b) return a.key < b.key end)
	return { kind = "lease.list.ok", leases = rows }
end

function holds:apply(command)
	local id, lease = command.key, self.catalogue[command.key]
	local function no(name, reason, numbers) return self.judge.refusal("lease.apply", name, reason, numbers) end
	if not lease or not lease.offered then
		return no("unknown_lease", "this game lends no " .. self.judge.shown(id))
	end
	local value, why = holds.value(lease, command.value)
	if why == "out_of_range" and not value then
		return no(why, ("%s takes %s to %s, not %s"):format(id, lease.min, lease.max, self.judge.shown(command.value)), { min = lease.min, max = lease.max })
	elseif not value then
		return no("bad_value", ("%s takes no such %s"):format(id, lease.choices and "choice" or lease.type))
	end
	if not self.judge.is_whole(command.holdMs, 1) then return no("bad_field", "holdMs must be a whole number from 1", { field = "holdMs" }) end
	if command.holdMs > lease.max_hold_ms then
		return no("hold_too_long", ("%s is lent for at most %.0f ms"):format(id, lease.max_hold_ms), { maxHoldMs = lease.max_hold_ms })
	end
	local other = self.book.state.holds[id]
	if other and not other.expired then
		return no("held", id .. " is held by run " .. other.run, { holder = other.run, untilMs = other.till })
	end
	local baseline, till = lease.read(), self.now() + command.holdMs
	if not self.book:tell("held", id, command.runId, baseline, lease.is_unset(), value, till) then
		return no("journal_failed", "the journal cannot be written; nothing was lent")
	end
	lease.write(value)
	self.report("lease.applied", { key = id, runId = command.runId, baseline = baseline, applied = value, untilMs = till })
	return { kind = "lease.ok", baseline = baseline, applied = value, untilMs = till }
end

-- Writes the baseline back if the value still is what was applied. Answers whether it was.
local function put_back(lease, hold)
	if lease.read() ~= hold.applied then return false end
	if hold.unset then lease.unset() else lease.write(hold.baseline) end
	return true
end

function holds:release(command)
	local id, lease = command.key, self.catalogue[command.key]
	local function no(name, reason) return self.judge.refusal("lease.release", name, reason) end
	if not lease then return no("unknown_lease", "this game lends no " .. self.judge.shown(id)) end
	local hold = self.book.state.holds[id]
	if not hold or hold.run ~= command.runId then
		return { kind = "lease.ok", held = false, current = lease.read() }
	end
	if holds.value(lease, command.applied) ~= hold.applied then
		return no("applied_mismatch", ("the run applied %s"):format(hold.applied))
	end
	local answer
	if not lease.memory and lease.read() == "" then
		answer = { kind = "lease.ok", alreadyRestored = true, reason = "gone", current = "" }
	elseif hold.expired and hold.restored then
		answer = { kind = "lease.ok", alreadyRestored = true, reason = "deadline", current = lease.read() }
	elseif not hold.expired and put_back(lease, hold) then
		answer = { kind = "lease.ok", restored = true, baseline = hold.baseline, current = lease.read() }
	else
		answer = { kind = "lease.drifted", current = lease.read(), baseline = hold.baseline, applied = hold.applied }
	end
	self:end_of(id, lease, hold, answer.restored)
	return answer
end

-- The end of a hold. What was put back in the world and not in memory is remembered: an older world may bring it back as lent.
function holds:end_of(id, lease, hold, restored)
	local told = self.book:tell("let_go", id)
	if restored and not lease.memory then
		told = told and self.book:tell("put_back", id, hold.baseline, hold.applied, self.now())
	end
	assert(told, "the journal cannot be written")
end

--- Ends what is past its deadline.
function holds:sweep()
	for id, hold in pairs(self.book.state.holds) do
		local lease = self.catalogue[id]
		if lease and not hold.expired and self.now() >= hold.till then
			local restored = put_back(lease, hold)
			local current = lease.read()
			if self.book:tell("expired", id, restored, current) then
				self.report("lease.expired", { key = id, runId = hold.run, baseline = hold.baseline, applied = hold.applied,
					current = current, restored = restored })
			end
		end
	end
end

-- Milliseconds before the last thing that is known to have happened, in which the world may not have been saved.
local UNSAVED_MS = 60000

--- At a start: what a restart has put back is no hold any more; a value that somebody saved with its hold stays held, and one of
--- the world that is back as lent is put back once more. `last_at`: the last instant that the journal tells of.
function holds:wake(last_at)
	for id, hold in pairs(self.book.state.holds) do
		local lease = self.catalogue[id]
		local value = lease and lease.read()
		local as_lent = lease and value == hold.applied and hold.applied ~= hold.baseline
		if not lease or as_lent and not (hold.expired and hold.restored and not lease.memory) then
			-- Held, or nothing that is known here.
		elseif as_lent then
			lease.write(hold.baseline)
		elseif lease.memory or not hold.expired and value == hold.baseline then
			self.book:tell("let_go", id)
		end
	end
	for id, ended in pairs(self.book.state.put_back) do
		local lease = self.catalogue[id]
		local unsaved = ended.at > last_at - UNSAVED_MS and not self.book.state.holds[id]
		if lease and unsaved and lease.read() == ended.applied then lease.write(ended.baseline) end
	end
end

return holds
