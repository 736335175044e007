-- Whether a command may run: its stamp, the operator's consent, the time it has left, and its sender's claim on the run.

local judge = {}

-- Commands by kind: what they must carry, whose consent they need, and whether they undo or only look.
judge.KINDS = {
	["admin.broadcast"] = { plane = "admin" },
	["act.perform"] = { plane = "events", stamp = true },
	["act.revert"] = { plane = "events", stamp = true, passes = true },
	["act.verify"] = { plane = "events", passes = true, look = true },
	["act.reconcile"] = { plane = "events", passes = true, look = true },
	["options.list"] = { plane = "events", passes = true, look = true },
	["lease.list"] = { plane = "events", passes = true, look = true },
	["lease.apply"] = { plane = "events", stamp = true },
	["lease.release"] = { plane = "events", stamp = true, passes = true },
	["run.close"] = { plane = "events", closes = true },
}

local CONSENT = {
	events = { "events_disabled", "leasehold.events_enabled" },
	admin = { "admin_disabled", "leasehold.admin_write_enabled" },
}

function judge.refusal(kind, name, reason, numbers)
	local answer = { kind = kind .. ".error", error = name, reason = reason }
	for field, value in pairs(numbers or {}) do
		answer[field] = value
	end
	return answer
end

--- A whole number from `least` to `most` that a double holds exactly.
function judge.is_whole(value, least, most)
	return type(value) == "number" and value == math.floor(value) and value >= least and value <= (most or 2 ^ 53)
end

--- Text of so many bytes without control characters.
function judge.is_text(value, most)
	return type(value) == "string" and #value >= 1 and #value <= most and not value:find("%c")
end

--- The beginning of what somebody sent, fit to be told.
function judge.shown(value)
	return type(value) == "string" and value:sub(1, 64):gsub("[%c\128-\255]", "?") or "a " .. type(value)
end

local STAMP = {
	{ "runId", function(v) return judge.is_text(v, 128) end, "1 to 128 bytes without control characters" },
	{ "fence", function(v) return judge.is_whole(v, 0) end, "a whole number from 0 to 2^53" },
	{ "ttlMs", function(v) return judge.is_whole(v, 0) end, "a whole number from 0 to 2^53" },
	{ "idempotencyKey", function(v) return judge.is_text(v, 64) and not v:find("[^\33-\126]") end,
		"1 to 64 printable characters of ASCII without blanks" },
}

local function stamp(command, kind)
	for _, field in ipairs(STAMP) do
		local name, fits, words = unpack(field)
		local needed = kind.stamp or (kind.closes and (name == "runId" or name == "fence"))
		local value = command[name]
		if value == nil and needed or value ~= nil and not fits(value) then
			return judge.refusal(command.kind, "bad_field", name .. " must be " .. words, { field = name })
		end
	end
end

--- A refusal, or nil where the command may run. `state`: the book's; `allowed(setting)`; milliseconds since its receipt.
function judge.admit(command, state, allowed, waited_ms)
	local kind = judge.KINDS[command.kind]
	local refused = stamp(command, kind)
	if refused then return refused end
	local name, setting = unpack(CONSENT[kind.plane])
	if not allowed(setting) then
		local reason = command.kind .. " needs " .. setting .. ", which this game's operator has not switched on"
		return judge.refusal(command.kind, name, reason)
	end
	if command.ttlMs and waited_ms >= command.ttlMs then
		local reason = ("its %.0f ms have passed"):format(command.ttlMs)
		return judge.refusal(command.kind, "ttl_expired", reason)
	end
	if kind.passes or not command.runId or not command.fence then return nil end
	local run, fence = command.runId, command.fence
	local closed, seen = state.closed[run], state.seen[run]
	if closed and fence <= closed and not kind.closes then
		return judge.refusal(command.kind, "run_closed",
			("run %s was closed at fence %.0f; this command has %.0f"):format(run, closed, fence))
	end
	if seen and fence < seen then
		return judge.refusal(command.kind, "stale_fence",
			("run %s was seen with fence %.0f; this command has %.0f"):format(run, seen, fence))
	end
end

return judge
