-- What the server is like, written down several times a second: read from the world, not from what the mod under test says.

local world = core.get_worldpath()
local before, seen_us, slope = nil, nil, 0

-- The clock that mods go by can be put ahead, by as many seconds as a file says.
local real_us, ahead_us = core.get_us_time, 0
local function look_ahead()
	local file = io.open(world .. "/ahead")
	ahead_us = file and (file:read("*n") or 0) * 1e6 or 0
	if file then file:close() end
end
look_ahead()
function core.get_us_time() return real_us() + ahead_us end

local function exists(name)
	local file = io.open(world .. "/" .. name)
	if file then file:close() end
	return file ~= nil
end

local function count(name)
	local found = 0
	for _, entity in pairs(core.luaentities) do
		if entity.name == name and entity.object:get_pos() then found = found + 1 end
	end
	return found
end

-- Nobody has been here yet: the place that is looked at is generated first.
core.after(0, function() core.emerge_area({ x = 3, y = 9, z = 0 }, { x = 3, y = 9, z = 0 }) end)

local since = 0
core.register_globalstep(function(seconds)
	since = since + seconds
	if since < 0.2 then return end
	since = 0
	look_ahead()
	local now, us = core.get_timeofday(), real_us()
	-- Days in a day: what the clock says, whatever the setting does.
	if before then slope = ((now - before) % 1) * 86400 / ((us - seen_us) / 1e6) end
	before, seen_us = now, us
	core.load_area({ x = 3, y = 9, z = 0 })
	core.load_area({ x = 6, y = 9, z = 6 })
	core.safe_file_write(world .. "/witness.json", core.write_json({ at = us, slope = slope, raiders = count("leasehold_bridge:raider"),
		boars = count("leasehold_zoo:boar"), spawner = core.get_meta({ x = 6, y = 9, z = 6 }):get_string("command"),
		node = core.get_node({ x = 3, y = 9, z = 0 }).name, chat = core.format_chat_message("ann", "hi") }))
end)

-- Where the test has left word, the server stands still in the midst of making a mob, until it is killed.
local add = core.add_entity
function core.add_entity(...)
	if exists("hang_before_mob") then
		core.safe_file_write(world .. "/hangs", "before")
		while true do end
	end
	return add(...)
end

-- A setting that reads back and does nothing, as after an update of some other mod.
if core.settings:get_bool("witness.inert_chat") then
	function core.format_chat_message(name, message)
		return "<" .. name .. "> " .. message
	end
end

-- What a test asks for, and what it wants to go wrong.
for _, name in ipairs({ "picture", "faults" }) do
	assert(loadfile(core.get_modpath("leasehold_witness") .. "/" .. name .. ".lua"))(exists)
end
