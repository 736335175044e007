-- The world as a test asks for it: everything that an event may change, read past the mod under test, and what a value does.
-- `ask` is a file with a number and a word; the answer is `answer.json` with that number.

local world, exists = core.get_worldpath(), ...
local SPAWNER, FAR = { x = 6, y = 9, z = 6 }, { ann = { x = 40, y = 9.5, z = 40 }, bob = { x = 42, y = 9.5, z = 40 } }
-- What counts where nothing is set.
local SETTINGS = { time_speed = "72", chat_message_format = "<@name> @message", bones_mode = "bones", enable_pvp = "true", max_users = "15" }
local picture = {}

local function nodes()
	local found = {}
	for x = -4, 4 do
		for z = -4, 4 do
			local name = core.get_node({ x = x, y = 9, z = z }).name
			if name ~= "air" then found[#found + 1] = ("%d,%d %s"):format(x, z, name) end
		end
	end
	return table.concat(found, "; ")
end

local function raiders()
	local count = 0
	for _, entity in pairs(core.luaentities) do
		if entity.name == "leasehold_bridge:raider" and entity.object:get_pos() then count = count + 1 end
	end
	return count
end

-- Runs that are counted now. Nowhere else than in the mod's journal is that to be seen.
local function counted()
	local open, found = {}, {}
	for line in io.lines(world .. "/leasehold_journal.log") do
		local run, tally = line:match("^counted\t([^\t]+)\t(.*)$")
		if run then open[run] = tally:find('"open":true', 1, true) ~= nil end
		local gone = line:match("^uncounted\t(.+)$")
		if gone then open[gone] = nil end
	end
	for run, is_open in pairs(open) do
		if is_open then found[#found + 1] = run end
	end
	table.sort(found)
	return found
end

local function carried(name, item)
	local player = core.get_player_by_name(name)
	local count = 0
	for _, stack in ipairs(player and player:get_inventory():get_list("main") or {}) do
		if stack:get_name() == item then count = count + stack:get_count() end
	end
	return count
end

--- Everything, as it is now.
function picture.all()
	local settings, privileges = {}, {}
	for name, default in pairs(SETTINGS) do settings[name] = core.settings:get(name) or default end
	for _, name in ipairs({ "ann", "bob" }) do
		privileges[name] = {}
		for privilege in pairs(core.get_player_privs(name)) do table.insert(privileges[name], privilege) end
		table.sort(privileges[name])
	end
	return { nodes = nodes(), raiders = raiders(), counted = counted(), settings = settings, privileges = privileges,
		apples = carried("ann", "default:apple"), spawner = core.get_meta(SPAWNER):get_string("command") }
end

--- Both players stand together, away from everything, alive and whole; bob carries one stick and nothing else.
function picture.gather()
	for name, pos in pairs(FAR) do
		local player = core.get_player_by_name(name)
		player:set_hp(20)
		player:set_pos(pos)
	end
	core.get_player_by_name("bob"):get_inventory():set_list("main", { ItemStack("default:stick") })
	return true
end

--- How whole bob is, and whether he has his stick.
function picture.bob()
	return { hp = core.get_player_by_name("bob"):get_hp(), sticks = carried("bob", "default:stick") }
end

local function boars(leave)
	local count = 0
	for _, object in ipairs(core.get_objects_inside_radius(SPAWNER, 12)) do
		local entity = object:get_luaentity()
		if entity and entity.name == "leasehold_zoo:boar" then
			count = count + 1
			if not leave then object:remove() end
		end
	end
	return count
end

--- How many mobs the spawner makes, once it has none: as many looks as the server gives it, until one makes none.
function picture.spawned()
	boars(false)
	local made
	for _, abm in ipairs(core.registered_abms) do
		local names = type(abm.nodenames) == "table" and abm.nodenames or { abm.nodenames }
		if names[1] == "mobs:spawner" then
			repeat
				made = boars(true)
				abm.action(SPAWNER, { name = "mobs:spawner" }, 0, 0)
			until boars(true) == made
		end
	end
	boars(false)
	return made
end

--- Staff fill in the spawner's form.
function picture.spawner(command)
	core.get_meta(SPAWNER):set_string("command", command)
	return true
end

local answered
core.register_globalstep(function()
	if not exists("ask") then return end
	local file = io.open(world .. "/ask")
	local number, word = file:read("*n", "*l")
	file:close()
	if not word or number == answered then return end
	answered = number
	local what, more = word:match("^ (%S+) ?(.*)$")
	core.safe_file_write(world .. "/answer.json", core.write_json({ number = number, told = picture[what](more) }))
end)
