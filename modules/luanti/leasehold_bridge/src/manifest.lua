-- What this server offers, as its hello says it.

local manifest = {}

local function whole(name, example, min, max, required)
	return { name = name, type = "int", required = required ~= false, example = example, min = tostring(min), max = tostring(max) }
end

local function text(name, example, source, most)
	return { name = name, type = "string", required = true, example = example, maxLength = most or 100,
		source = source and "luanti.options." .. source }
end

local function action(id, fields)
	fields.id, fields.version, fields.promise = "luanti." .. id, 1, "effect_once"
	return fields
end

local function costs(list, dimension, factor)
	return list({ { dimension = "luanti." .. dimension, factors = list({ factor }) } })
end

--- The actions; `list` marks a table as a list.
function manifest.actions(list)
	return list({
		action("announce", { label = "Announce", description = "Says one line to everybody online.", summary = "say: {text}",
			risk = "notify", reversible = "none", tells = "everyone",
			params = list({ text("text", "The harvest begins", nil, 200) }) }),
		action("mob.spawn", { label = "Spawn mobs", description = "Mobs around a named place, until the event ends.",
			summary = "{count} of {mob} at {place}", risk = "change", reversible = "ledger",
			cost = costs(list, "mobs", { param = "count" }),
			params = list({ text("place", "square", "places"), text("mob", "leasehold_bridge:raider", "mobs"),
				whole("count", 3, 1, 30), whole("radius", 4, 0, 20, false) }) }),
		action("node.place", { label = "Place a node", description = "One node near a named place, where there is air now.",
			summary = "{node} at {place}", risk = "change", reversible = "ledger", cost = costs(list, "nodes", { constant = 1 }),
			params = list({ text("place", "square", "places"), text("node", "default:torch", "nodes"),
				whole("dx", 1, -50, 50, false), whole("dy", 0, -50, 50, false), whole("dz", 0, -50, 50, false) }) }),
		action("gate.open", { label = "Open a gate", description = "A gate from one named place to another; the server closes it by itself.",
			summary = "gate from {place} to {destination} for {minutes} minutes", risk = "change", reversible = "ledger",
			params = list({ text("place", "square", "places"), text("destination", "gate", "places"), whole("minutes", 30, 1, 240),
				whole("dx", 1, -50, 50, false), whole("dy", 0, -50, 50, false), whole("dz", 0, -50, 50, false) }) }),
		action("privilege.lend", { label = "Lend a privilege", description = "A privilege for a time; the server takes it back by itself.",
			summary = "lend {privilege} to {player} for {minutes} minutes", risk = "change", reversible = "ledger",
			params = list({ text("player", "singleplayer"), text("privilege", "fly", "privileges"), whole("minutes", 10, 1, 1440) }) }),
		action("item.give", { label = "Give items", description = "Items for good, to everybody online or to those who took part and are online.",
			summary = "give {amount} of {item} to {to}", risk = "irreversible", reversible = "none",
			cost = costs(list, "items", { param = "amount" }),
			params = list({ text("item", "default:apple", "gifts"), whole("amount", 1, 1, 99), text("to", "participants", "audiences") }) }),
		action("turnout.count", { label = "Count who takes part", description = "Counts seconds and kills of players within a radius.",
			summary = "count at {place} within {radius}", risk = "change", reversible = "ledger",
			params = list({ text("place", "square", "places"), whole("radius", 20, 1, 300), whole("minutes", 60, 1, 1440) }) }),
		action("turnout.read", { label = "Read who took part", description = "Tells who took part so far, with what it scored.",
			summary = "who took part", risk = "inspect", reversible = "none", params = list() }),
	})
end

local function trigger(list, id, label, awaiting, fields)
	return { id = "luanti." .. id, label = label, awaiting = awaiting, fields = list(fields) }
end

local function triggers(list)
	local online = { name = "online", type = "int", example = 3 }
	local place = { name = "place", type = "string", example = "square" }
	return list({
		trigger(list, "join", "Somebody joined", "somebody to join", { online }),
		trigger(list, "leave", "Somebody left", "somebody to leave", { online }),
		trigger(list, "death", "A player died", "a player to die", { place }),
		trigger(list, "mob_killed", "A mob was killed", "a mob to be killed",
			{ { name = "mob", type = "string", example = "leasehold_bridge:raider" }, { name = "damagers", type = "int", example = 2 }, place }),
		trigger(list, "area_enter", "Somebody came to a place", "somebody to come to a place", { place }),
	})
end

local function source(id, label)
	return { id = "luanti.options." .. id, label = label, searchable = false }
end

--- The whole, with these leases (see holds.lua) and this version.
function manifest.whole(list, catalogue, version)
	local leases = list()
	for id, lease in pairs(catalogue) do
		if lease.offered then
			leases[#leases + 1] = { id = id, label = lease.label, type = lease.type, min = lease.min, max = lease.max,
				maxDurationMs = lease.max_hold_ms, reaches = lease.reaches }
		end
	end
	table.sort(leases, function(a, b) return a.id < b.id end)
	local function budget(id, label) return { id = "luanti." .. id, label = label, unit = "count" } end
	return { id = "luanti", label = "Luanti", version = version, actions = manifest.actions(list), leases = leases,
		triggers = triggers(list), budgets = list({ budget("mobs", "Mobs"), budget("nodes", "Nodes"), budget("items", "Items") }),
		optionSources = list({ source("places", "Places"), source("mobs", "Mobs"), source("nodes", "Nodes"), source("gifts", "Gifts"),
			source("privileges", "Privileges"), source("audiences", "To whom") }) }
end

-- Characters of a text in UTF-8.
local function length(value)
	local _, begun = value:gsub("[^\128-\191]", "")
	return begun
end

--- A fault of these values against what the action declares, or nil.
function manifest.fault(params, values)
	if type(values) ~= "table" then return "params", "params must be an object" end
	local known = {}
	for _, param in ipairs(params) do
		local value = values[param.name]
		known[param.name] = true
		if value == nil then
			if param.required then return param.name, param.name .. " is required" end
		elseif param.type == "int" then
			local fits = type(value) == "number" and value == math.floor(value)
				and value >= tonumber(param.min) and value <= tonumber(param.max)
			if not fits then return param.name, ("%s must be a whole number from %s to %s"):format(param.name, param.min, param.max) end
		elseif type(value) ~= "string" or length(value) < 1 or length(value) > param.maxLength or value:find("%c") then
			return param.name, ("%s must be text of 1 to %d characters"):format(param.name, param.maxLength)
		end
	end
	for name in pairs(values) do
		if not known[name] then return tostring(name), "this action has no parameter " .. tostring(name):sub(1, 64) end
	end
end

return manifest
