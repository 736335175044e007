-- Nodes of runs: put where there is air, and taken away only where they still are.

local nodes = {}

local CARRIES = { "on_metadata_inventory_put", "on_metadata_inventory_take", "on_metadata_inventory_move",
	"allow_metadata_inventory_put", "allow_metadata_inventory_take", "allow_metadata_inventory_move" }

--- Whether it can hold things: taking it away would take what a player left inside.
function nodes.is_container(name)
	local def = core.registered_nodes[name]
	for _, field in ipairs(CARRIES) do
		if def[field] then return true end
	end
	return false
end

function nodes.names()
	local names = {}
	for name, def in pairs(core.registered_nodes) do
		local shown = def.description ~= "" and (def.groups or {}).not_in_creative_inventory ~= 1
		if shown and name ~= "air" and name ~= "ignore" and not nodes.is_container(name) then names[#names + 1] = name end
	end
	table.sort(names)
	return names
end

--- The node there, loaded from disk where it has to be; nil where nothing was ever generated.
function nodes.at(pos)
	local node = core.get_node_or_nil(pos)
	if not node then
		core.load_area(pos)
		node = core.get_node_or_nil(pos)
	end
	return node
end

local function place_of(thing)
	local name, where = thing.data:match("^(%S+) (.+)$")
	return name, core.string_to_pos(where)
end

function nodes.data(name, pos)
	return name .. " " .. core.pos_to_string(pos)
end

function nodes.remove(thing)
	local name, pos = place_of(thing)
	local node = nodes.at(pos)
	if not node or node.name ~= name then return "gone" end
	core.remove_node(pos)
	return "removed"
end

function nodes.look(thing)
	local name, pos = place_of(thing)
	local node = nodes.at(pos)
	return node and (node.name == name and "present" or "gone") or nil
end

--- After a crash the world may be older than the journal: what was taken away just before is taken away again.
function nodes.wake(ended, last_at)
	for _, thing in ipairs(ended) do
		if thing.kind == "node" and thing.at and thing.at > last_at - 60000 then nodes.remove(thing) end
	end
end

return nodes
