-- The settings that are lent, each with a probe of what it does. A setting that reads back and does nothing is not offered.

local DAY = 86400000

-- A setting of the server as a lease: its value, or what it counts as where it is not set.
local function setting(name, default, fields)
	fields.memory, fields.max_hold_ms, fields.reaches = true, fields.max_hold_ms or DAY, fields.reaches or "everyone"
	function fields.is_unset() return core.settings:get(name) == nil end
	function fields.read()
		if fields.type == "bool" then return tostring(core.settings:get_bool(name, default == "true")) end
		return core.settings:get(name) or default
	end
	function fields.write(value) core.settings:set(name, value) end
	function fields.unset() core.settings:remove(name) end
	return fields
end

-- Puts a value in place for as long as `look` takes, and what was there back.
local function with(lease, value, look)
	local unset, before = lease.is_unset(), lease.read()
	lease.write(value)
	local fine, seen = pcall(look)
	if unset then lease.unset() else lease.write(before) end
	return fine and seen
end

local catalogue = {}

-- Seconds that the day clock is watched: at least, and at most where a busy server takes long steps.
local GLANCE_SEC, PATIENCE_SEC = 0.3, 3

-- The day clock runs as fast as the setting says: its slope is watched at another speed, until it fits or patience ends.
catalogue["luanti.time_speed"] = setting("time_speed", "72", { label = "Speed of the day", type = "int", min = "0", max = "7200",
	probe = function(self, done)
		local unset, before = self.is_unset(), self.read()
		local other = before == "7200" and "3600" or "7200"
		self.write(other)
		local from, began = core.get_timeofday(), core.get_us_time()
		local function look()
			local seconds = (core.get_us_time() - began) / 1e6
			local ran, due = (core.get_timeofday() - from) % 1, tonumber(other) * seconds / 86400
			local fits = ran > due * 0.4 and ran < due * 2.5
			if not fits and seconds < PATIENCE_SEC then return core.after(0.1, look) end
			if self.read() == other then
				if unset then self.unset() else self.write(before) end
			end
			core.set_timeofday(from)
			done(fits)
		end
		core.after(GLANCE_SEC, look)
	end })

catalogue["luanti.chat_message_format"] = setting("chat_message_format", "<@name> @message", {
	label = "How chat looks", type = "string", fits = function(text) return text:find("@message", 1, true) ~= nil end,
	probe = function(self, done)
		done(with(self, "(probe) @name: @message", function()
			return core.format_chat_message("a", "b") == "(probe) a: b"
		end))
	end })

-- Whatever the bones mod does when somebody dies, with somebody who is not there and carries nothing: who keeps what he
-- carries is not searched.
local function searched(mode, lease)
	return with(lease, mode, function()
		local looked = false
		local inventory = { is_empty = function() looked = true return true end, get_lists = function() return {} end,
			get_list = function() looked = true return {} end, get_size = function() return 0 end }
		local nobody = setmetatable({}, { __index = function(_, name)
			if name == "get_player_name" then return function() return "leasehold-nobody" end end
			if name == "get_pos" then return function() return { x = 0, y = 20000, z = 0 } end end
			if name == "get_inventory" then return function() return inventory end end
			return function() return nil end
		end })
		for _, callback in ipairs(core.registered_on_dieplayers) do
			local origin = core.callback_origins[callback]
			if origin and origin.mod == "bones" then pcall(callback, nobody) end
		end
		return { looked = looked }
	end)
end

catalogue["luanti.bones_mode"] = setting("bones_mode", "bones", { label = "What becomes of what the dead carry", type = "string",
	choices = { "bones", "drop", "keep" },
	probe = function(self, done)
		if not core.get_modpath("bones") then return done(false) end
		local drops, keeps = searched("drop", self), searched("keep", self)
		done(drops and keeps and drops.looked and not keeps.looked)
	end })

-- What only a client can see. Known to be read at every blow and at every join by this version of the server; what is looked
-- at here is that nothing in the game takes the value back or stands before it.
local function stands(self, done, other, before)
	local unset, was = self.is_unset(), self.read()
	self.write(other)
	core.after(0.1, function()
		local stood = self.read() == other
		if stood then
			if unset then self.unset() else self.write(was) end
		end
		done(stood and (before == nil or before()))
	end)
end

catalogue["luanti.enable_pvp"] = setting("enable_pvp", "true", { label = "Players can hurt each other", type = "bool",
	probe = function(self, done)
		stands(self, done, self.read() == "true" and "false" or "true", function()
			return core.settings:get_bool("enable_damage") == true
		end)
	end })

catalogue["luanti.max_users"] = setting("max_users", "15", { label = "Most players at once", type = "int", min = "1", max = "200",
	reaches = "new_joins", probe = function(self, done)
		stands(self, done, self.read() == "200" and "199" or "200")
	end })

--- Looks at each in turn; a lease that is held is not touched. `done` is told once, when all are known.
local function catalogue_probe(leases, holds, done)
	local left = {}
	for id, lease in pairs(leases) do
		if not holds[id] then left[#left + 1] = id end
	end
	table.sort(left)
	local function go_on()
		local id = table.remove(left)
		if not id then return done() end
		leases[id]:probe(function(works)
			leases[id].offered = works and true or false
			go_on()
		end)
	end
	go_on()
end

return { leases = catalogue, probe = catalogue_probe }
