-- How many mobs a spawner of mobs_redo keeps about it, as a lease: one for each spawner that the operator has named. The value
-- lies in the world, not in a setting, so a restart does not put it back.

local spawners = {}

local NODE, HOUR = "mobs:spawner", 3600000
-- The word of the spawner's own command that says how many.
local AMOUNT = 4

local function command(pos, at)
	local node = at(pos)
	if not node or node.name ~= NODE then return nil end
	local words = {}
	for word in core.get_meta(pos):get_string("command"):gmatch("%S+") do words[#words + 1] = word end
	return words[AMOUNT] and words or nil
end

-- What the server calls for each spawner from time to time.
local function at_work()
	for _, abm in ipairs(core.registered_abms) do
		for _, name in ipairs(type(abm.nodenames) == "table" and abm.nodenames or { abm.nodenames }) do
			if name == NODE then return abm.action end
		end
	end
end

-- Whether it would look about for mobs with that amount; it is stopped before it makes one.
local function looks_about(lease, pos, action, amount)
	local looked, before, look = false, lease.read(), core.get_objects_inside_radius
	lease.write(amount)
	core.get_objects_inside_radius = function()
		looked = true
		error("enough was seen")
	end
	pcall(action, pos, { name = NODE }, 0, 0)
	core.get_objects_inside_radius = look
	lease.write(before)
	return looked
end

local function spawner(place, at)
	local lease = { label = "Mobs about the spawner " .. place.name, type = "int", min = "0", max = "10", max_hold_ms = 24 * HOUR,
		reaches = "everyone", memory = false }
	function lease.is_unset() return false end
	function lease.read()
		local words = command(place.pos, at)
		return words and words[AMOUNT] or ""
	end
	function lease.write(value)
		local words = command(place.pos, at)
		if not words then return end
		words[AMOUNT] = value
		core.get_meta(place.pos):set_string("command", table.concat(words, " "))
	end
	--- An amount of nought keeps it still, another does not. Where nobody has been yet, the world is made first.
	function lease.probe(_, done)
		core.emerge_area(place.pos, place.pos, function(_, _, left)
			if left > 0 then return end
			local action = command(place.pos, at) and at_work()
			done(action and looks_about(lease, place.pos, action, "1") and not looks_about(lease, place.pos, action, "0"))
		end)
	end
	return lease
end

--- Leases by their ids, of the spawners at these places (see places.lua). `at(pos)`: the node there.
function spawners.leases(list, at)
	local leases = {}
	for _, place in ipairs(list) do
		leases["luanti.spawner." .. place.name:lower() .. ".amount"] = spawner(place, at)
	end
	return leases
end

return spawners
