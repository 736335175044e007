-- Executes a key at most once: reserved on disk before its handler runs, answered on disk before the answer is sent.

local gate = {}
gate.__index = gate

--- What a handler answers that will call its `done` later.
gate.LATER = "later"
gate.MEMORY_SEC, gate.CAP = 3600, 4096

local UNSIGNED = { reqId = true, code = true, id = true, fence = true, ttlMs = true, untilMs = true }

--- `parts`: book, judge, json, handlers by kind, now() in ms, allowed(setting), send(text), digest(text), warn(text).
function gate.new(parts)
	local self = setmetatable(parts, gate)
	self.working, self.looks = {}, 0
	return self
end

local function correlation(command)
	for _, field in ipairs({ "reqId", "code", "id" }) do
		if command[field] ~= nil then
			return field, command[field]
		end
	end
end

local function is_refusal(kind)
	return kind:sub(-6) == ".error" and kind ~= "bridge.error"
end

-- The answer's own text, without its braces, and the correlation behind it.
local function dressed(self, body, field, value, replayed)
	local extra = self.json.encode({ [field] = value }):sub(2, -2)
	return "{" .. body .. "," .. extra .. (replayed and ',"replayed":true' or "") .. "}"
end

local function body_of(self, answer)
	answer.t = self.now()
	return self.json.encode(answer):sub(2, -2)
end

local function print_of(self, command)
	local kept = {}
	for name, value in pairs(command) do
		if not UNSIGNED[name] then kept[name] = value end
	end
	return self.digest(self.json.encode(kept))
end

local function no(name, reason)
	return { kind = "bridge.error", error = name, reason = reason }
end

--- Drops what is too old, and of what is too much the oldest; never what is being worked on. False where all is.
local function make_room(self)
	local keys, now, count, oldest = self.book.state.keys, self.now(), 0, nil
	for key, known in pairs(keys) do
		if not self.working[key] then
			if now - known.at > gate.MEMORY_SEC * 1000 then
				self.book:tell("freed", key)
			elseif not oldest or known.order < keys[oldest].order then
				oldest = key
			end
		end
	end
	for _ in pairs(keys) do count = count + 1 end
	if count < gate.CAP then return true end
	if not oldest then return false end
	self.warn("forgets a key within its hour: a repeat of it would run a second time")
	return self.book:tell("freed", oldest)
end

-- A key that is known: answered again, at work, or interrupted by a crash.
local function known_answer(self, command, field, value, known)
	local key = command.idempotencyKey
	if known.kind ~= command.kind or known.print ~= print_of(self, command) then
		local reason = ("the key belongs to another %s than this %s; it is kept"):format(known.kind, command.kind)
		return dressed(self, body_of(self, no("key_reused", reason)), field, value)
	elseif known.answer then
		if known.correlation ~= field then
			local reason = ("the first attempt correlated on %s, this one on %s"):format(known.correlation, field)
			return dressed(self, body_of(self, no("correlation_changed", reason)), field, value)
		end
		return dressed(self, known.answer, field, value, true)
	elseif self.working[key] then
		return dressed(self, body_of(self, { kind = "bridge.busy", busyKind = known.kind, error = "busy",
			reason = known.kind .. " is being worked on under this key; ask again" }), field, value)
	end
	return dressed(self, body_of(self, { kind = "bridge.interrupted", error = "interrupted",
		reason = known.kind .. " had begun when the game stopped; whether it applied is unknown, and it will not run again" }),
		field, value)
end

local function settle(self, command, field, value, answer)
	local key, body = command.idempotencyKey, body_of(self, answer)
	if self.working[key] then
		self.working[key] = nil
		local kept = is_refusal(answer.kind) and self.book:tell("freed", key)
			or not is_refusal(answer.kind) and self.book:tell("answered", key, field, body)
		if not kept then
			-- Not told: what is not on disk would be told otherwise after a crash. The repeat is busy no more.
			self.warn("cannot write its journal: an answer is held back")
			return
		end
	end
	self.send(dressed(self, body, field, value))
end

local function execute(self, command, field, value, received)
	local finished = false
	local function done(answer)
		assert(not finished, "answered twice")
		finished = true
		settle(self, command, field, value, answer)
	end
	local function again()
		return self.judge.admit(command, self.book.state, self.allowed, self.now() - received)
	end
	local fine, answer = pcall(self.handlers[command.kind], command, done, again)
	if not fine then
		self.warn(command.kind .. " failed: " .. tostring(answer))
		answer = no("handler_failed", command.kind .. " failed in its midst; what it did is unknown, and it will not run again")
	elseif answer == gate.LATER then
		return
	elseif type(answer) ~= "table" then
		answer = no("no_reply", command.kind .. " answered nothing")
	end
	if not finished then done(answer) end
end

--- One command. Its answer goes to `send`, now or later.
function gate:take(command, received)
	if type(command) ~= "table" or type(command.kind) ~= "string" then return end
	local field, value = correlation(command)
	if type(value) ~= "string" or #value < 1 or #value > 128 then return end
	local kind, key = self.judge.KINDS[command.kind], command.idempotencyKey
	local function tell(answer) self.send(dressed(self, body_of(self, answer), field, value)) end
	if not kind then
		return tell(no("unknown_kind", "this game knows no " .. command.kind:sub(1, 64):gsub("%c", "?")))
	end
	local known = type(key) == "string" and not kind.look and self.book.state.keys[key]
	if known then return self.send(known_answer(self, command, field, value, known)) end
	local refused = self.judge.admit(command, self.book.state, self.allowed, self.now() - received)
	if refused then return tell(refused) end
	if key and not kind.look then
		if not make_room(self) then
			return tell(self.judge.refusal(command.kind, "key_store_full", "every key that is kept is being worked on"))
		end
		local run, fence = command.runId, command.fence
		local claimed = kind.passes or not run or not fence or fence == self.book.state.seen[run]
			or self.book:tell("seen", run, fence)
		if not claimed or not self.book:tell("begun", key, command.kind, print_of(self, command), self.now()) then
			return tell(self.judge.refusal(command.kind, "journal_failed", "the journal cannot be written; nothing was begun"))
		end
		self.working[key] = true
	end
	execute(self, command, field, value, received)
end

return gate
