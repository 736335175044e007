-- What runs have made: written down before it is there, taken back by name or by key, looked for in three answers.

local things = {}
things.__index = things

--- `parts`: book, json, now(), kinds by name, each with `remove(thing)` ("removed" or "gone") and `look(thing)` ("present",
--- "gone", or nil where it cannot be told).
function things.new(parts)
	return setmetatable(parts, things)
end

--- A reference that no other thing ever has: of this boot, and counted.
function things:next_ref(kind)
	self.count = (self.count or 0) + 1
	return ("%s-%s-%d"):format(kind, self.boot, self.count)
end

function things:made(kind, ref, command, data)
	assert(self.book:tell("made", kind, ref, command.runId, command.idempotencyKey, data), "the journal cannot be written")
	return { kind = kind, ref = ref }
end

function things:ended(ref)
	return self.book:tell("ended", ref, self.now())
end

--- How many of a kind a run has.
function things:count_of(run, kind)
	local count = 0
	for _, thing in pairs(self.book.state.things) do
		if thing.run == run and thing.kind == kind then count = count + 1 end
	end
	return count
end

function things:of_kind(kind)
	local found = {}
	for _, thing in pairs(self.book.state.things) do
		if thing.kind == kind then found[#found + 1] = thing end
	end
	table.sort(found, function(a, b) return a.ref < b.ref end)
	return found
end

--- Takes one thing back; twice is no fault.
function things:remove(ref)
	local thing = self.book.state.things[ref]
	if not thing then return "gone" end
	local outcome = self.kinds[thing.kind].remove(thing)
	assert(self:ended(ref), "the journal cannot be written")
	return outcome
end

local function named(self, command)
	local wanted, seen = {}, {}
	for _, resource in ipairs(type(command.resources) == "table" and command.resources or {}) do
		local fine = type(resource) == "table" and type(resource.kind) == "string" and type(resource.ref) == "string"
		if not fine then return nil end
		if not seen[resource.ref] then wanted[#wanted + 1] = { kind = resource.kind, ref = resource.ref } end
		seen[resource.ref] = true
	end
	for ref, thing in pairs(command.forKey and self.book.state.things or {}) do
		if thing.key == command.forKey and not seen[ref] then wanted[#wanted + 1] = { kind = thing.kind, ref = ref } end
	end
	return #wanted <= 1000 and wanted or nil
end

function things:revert(command)
	local wanted = named(self, command)
	if not wanted then
		return self.judge.refusal(command.kind, "bad_field", "resources must be a list of at most 1000 of {kind, ref}", { field = "resources" })
	end
	local answer = { kind = "act.revert.ok", removed = self.json.list(), gone = self.json.list(), refused = self.json.list() }
	for _, each in ipairs(wanted) do
		local thing = self.book.state.things[each.ref]
		local foreign = thing and (thing.run ~= command.runId or thing.kind ~= each.kind)
		local outcome = foreign and "refused" or self:remove(each.ref)
		table.insert(answer[outcome], each)
	end
	return answer
end

function things:reconcile(command)
	local wanted = named(self, command)
	if not wanted then
		return self.judge.refusal(command.kind, "bad_field", "resources must be a list of at most 1000 of {kind, ref}", { field = "resources" })
	end
	local answer = { kind = "act.reconcile.ok", present = self.json.list(), gone = self.json.list() }
	for _, each in ipairs(wanted) do
		local thing = self.book.state.things[each.ref]
		local mine = thing and thing.run == command.runId and thing.kind == each.kind
		local seen = mine and self.kinds[thing.kind].look(thing) or not mine and "gone"
		if seen then table.insert(answer[seen], each) end
	end
	return answer
end

return things
