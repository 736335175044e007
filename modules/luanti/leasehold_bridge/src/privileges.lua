-- Privileges lent to a player until a deadline of the mod's own. What a player has already is not lent.

local privileges = {}

function privileges.of(player)
	local auth = core.get_auth_handler().get_auth(player)
	return auth and auth.privileges or nil
end

local function set(player, name, value)
	local all = privileges.of(player)
	all[name] = value
	core.set_player_privs(player, all)
end

function privileges.lend(player, name)
	set(player, name, true)
end

function privileges.data(player, name, till)
	return ("%s %s %.0f"):format(player, name, till)
end

local function read(thing)
	local player, name, till = thing.data:match("^(%S+) (%S+) (%d+)$")
	return player, name, tonumber(till)
end

function privileges.remove(thing)
	local player, name = read(thing)
	local all = privileges.of(player)
	if not all or not all[name] then return "gone" end
	set(player, name, nil)
	return "removed"
end

function privileges.look(thing)
	local player, name = read(thing)
	local all = privileges.of(player)
	return all and all[name] and "present" or "gone"
end

--- Takes back what is past its deadline.
function privileges.sweep(things, now)
	for _, thing in ipairs(things:of_kind("privilege")) do
		local _, _, till = read(thing)
		if now >= till then things:remove(thing.ref) end
	end
end

return privileges
