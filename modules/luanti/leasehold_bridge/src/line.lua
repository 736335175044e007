-- The line to the sidecar, by long-polling: one poll that always waits, and one for each thing to say.

local line = {}
line.__index = line

local WAIT_MS, TIMEOUT_SEC = 10000, 20
-- Reports that are kept until they are acknowledged; the oldest are given up.
local MOST_REPORTS, MOST_FRAMES, MOST_BYTES = 5000, 200, 800000
local FIRST_PAUSE_MS, LAST_PAUSE_MS = 50, 2000
-- How long reports wait where the sidecar has no disk for them.
local PAUSE_OF_REPORTS_MS = 1000

--- `parts`: fetch(request, callback), url, token, hello() as text, parse, json, now(), take(command), log(text), boot.
function line.new(parts)
	local self = setmetatable(parts, line)
	self.answers, self.reports, self.seq, self.after = {}, {}, 0, 0
	self.pause, self.next_try = FIRST_PAUSE_MS, 0
	return self
end

--- An answer to a command: lost where its line ends, for the engine asks again under its key.
function line:say(text)
	self.answers[#self.answers + 1] = text
end

--- What happened by itself: kept until the sidecar has it on disk.
function line:report(kind, fields)
	self.seq = self.seq + 1
	fields.kind, fields.seq, fields.t = kind, self.seq, self.now()
	fields.happenedAt, fields.eventId = fields.t, self.boot .. "-" .. self.seq
	self.reports[#self.reports + 1] = { seq = self.seq, text = self.json.encode(fields) }
	if #self.reports > MOST_REPORTS then table.remove(self.reports, 1) end
end

function line:lost(why)
	if self.session then self.log("the line is over: " .. why) end
	self.session, self.waiting, self.saying, self.answers = nil, nil, nil, {}
	self.next_try = self.now() + self.pause
	self.pause = math.min(self.pause * 2, LAST_PAUSE_MS)
end

function line:post(path, body, callback)
	self.fetch({ url = self.url .. path, method = "POST", data = body, timeout = TIMEOUT_SEC,
		extra_headers = { "Authorization: Bearer " .. self.token, "Content-Type: application/json" } }, callback)
end

function line:greet()
	self.greeting = true
	self:post("/game/hello", self.hello(), function(result)
		self.greeting = nil
		local told = result.succeeded and self.parse(result.data or "")
		if result.code == 200 and type(told) == "table" and type(told.session) == "string" then
			self.session, self.after, self.pause = told.session, 0, FIRST_PAUSE_MS
			self.log("has the line")
			return
		end
		local why = type(told) == "table" and told.reason or ("no answer, status " .. tostring(result.code))
		if why ~= self.told_why then
			self.told_why = why
			self.log("has no line: " .. why)
		end
		self:lost(why)
	end)
end

-- The frames of one poll. Answers are taken out as they go: a line that fails loses them, and the engine asks again.
function line:frames(reports)
	local texts, bytes = {}, 0
	local function add(text)
		if #texts >= MOST_FRAMES or (#texts > 0 and bytes + #text > MOST_BYTES) then return false end
		texts[#texts + 1], bytes = text, bytes + #text
		return true
	end
	while self.answers[1] and add(self.answers[1]) do table.remove(self.answers, 1) end
	for _, report in ipairs(reports and self.reports or {}) do
		if not add(report.text) then break end
	end
	return "[" .. table.concat(texts, ",") .. "]"
end

local function commands(self, told)
	for _, each in ipairs(type(told.commands) == "table" and told.commands or {}) do
		if type(each.n) == "number" and each.n > self.after then
			self.after = each.n
			self.take(each.frame)
		end
	end
end

function line:poll(frames, wait_ms, field)
	local session, ticket = self.session, {}
	self[field] = ticket
	local head = self.json.encode({ session = session, after = self.after, waitMs = wait_ms }):sub(2, -2)
	self:post("/game/poll", "{" .. head .. ',"frames":' .. frames .. "}", function(result)
		-- Of two polls the newer has the turn; what the older one missed is given again to the newer.
		if self.session ~= session or self[field] ~= ticket then return end
		self[field] = nil
		local told = result.succeeded and self.parse(result.data or "")
		if result.code == 503 then
			self.not_before = self.now() + PAUSE_OF_REPORTS_MS
		elseif result.code ~= 200 or type(told) ~= "table" then
			return self:lost("status " .. tostring(result.code))
		else
			while type(told.kept) == "number" and self.reports[1] and self.reports[1].seq <= told.kept do
				table.remove(self.reports, 1)
			end
			commands(self, told)
		end
		self:tick()
	end)
end

--- At every step of the server, and when a poll has ended.
function line:tick()
	if not self.session then
		if not self.greeting and self.now() >= self.next_try then self:greet() end
	elseif not self.saying and self.reports[1] and self.now() >= (self.not_before or 0) then
		-- Ended at once, when the reports are on disk.
		self:poll(self:frames(true), 0, "saying")
	elseif self.answers[1] then
		self:poll(self:frames(false), WAIT_MS, "waiting")
	elseif not self.waiting and not self.saying then
		self:poll("[]", WAIT_MS, "waiting")
	end
end

return line
