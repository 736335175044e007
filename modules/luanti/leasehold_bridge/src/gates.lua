-- Gates of runs: whoever steps in stands at another place. Open until a deadline of the mod's own.

local gates = {}

local NODE = "leasehold_bridge:gate"
-- Milliseconds for which nobody who came through one is taken again.
local PAUSE_MS = 3000

--- The node; `is_ours(pos)` says whether a run owns the one there. To be called while the mod is loading.
function gates.register(is_ours)
	core.register_node(NODE, {
		description = "Gate of an event", drawtype = "plantlike", tiles = { "default_mese_crystal.png^[brighten" },
		paramtype = "light", light_source = 12, sunlight_propagates = true, walkable = false, pointable = false, diggable = false,
		buildable_to = false, floodable = false, drop = "", groups = { not_in_creative_inventory = 1 }, on_blast = function() end,
	})
	-- One that an older world brings back is nobody's.
	core.register_lbm({ label = "Gates that no run owns", name = "leasehold_bridge:gates", nodenames = { NODE }, run_at_every_load = true,
		action = function(pos)
			if not is_ours(pos) then core.remove_node(pos) end
		end })
end

--- What is kept of one: its place, where it leads, and until when it is open.
function gates.data(pos, to, till)
	return ("%s %s %.0f"):format(core.pos_to_string(pos), core.pos_to_string(to), till)
end

function gates.read(thing)
	local pos, to, till = thing.data:match("^(%S+) (%S+) (%d+)$")
	return core.string_to_pos(pos), core.string_to_pos(to), tonumber(till)
end

function gates.open(pos)
	core.set_node(pos, { name = NODE })
end

-- `at(pos)`: the node there, loaded from disk where it has to be.
function gates.kind(at)
	return {
		remove = function(thing)
			local pos = gates.read(thing)
			local node = at(pos)
			if not node or node.name ~= NODE then return "gone" end
			core.remove_node(pos)
			return "removed"
		end,
		look = function(thing)
			local node = at((gates.read(thing)))
			return node and (node.name == NODE and "present" or "gone") or nil
		end,
	}
end

--- Whether a run owns the gate at a place.
function gates.owned(things, pos)
	for _, thing in ipairs(things:of_kind("gate")) do
		if vector.equals(gates.read(thing), pos) then return true end
	end
	return false
end

--- Closes what is past its deadline, and carries who stands in one. `came`: when each player last came through one, by name.
function gates.sweep(things, now, players, came)
	for _, thing in ipairs(things:of_kind("gate")) do
		local pos, to, till = gates.read(thing)
		if now >= till then
			things:remove(thing.ref)
		else
			for _, player in ipairs(players) do
				local name, there = player:get_player_name(), vector.round(player:get_pos())
				local within = there.x == pos.x and there.z == pos.z and math.abs(there.y - pos.y) <= 1
				if within and now >= (came[name] or 0) + PAUSE_MS then
					came[name] = now
					player:set_pos(to)
				end
			end
		end
	end
end

return gates
