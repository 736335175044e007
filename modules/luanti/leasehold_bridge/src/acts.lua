-- The actions of the manifest. Each first checks, changing nothing, and then does.

local acts = {}
acts.__index = acts

local MOST_MOBS, MOST_NODES, MOST_GATES = 30, 100, 4

--- `parts`: book, judge, json, gate, manifest, things, mobs, nodes, gates, privileges, turnout, places, place_list, now, setting(name).
function acts.new(parts)
	local self = setmetatable(parts, acts)
	self.params = {}
	for _, action in ipairs(self.manifest.actions(self.json.list)) do
		self.params[action.id] = action.params
	end
	return self
end

local function has(list, value)
	for _, each in ipairs(list) do
		if each == value then return true end
	end
	return false
end

local function words(text)
	local found = {}
	for word in text:gmatch("[^,%s]+") do found[#found + 1] = word end
	return found
end
acts.words = words

local function done(fields)
	fields.kind = "act.ok"
	return fields
end

-- Whom a line may reach in a rehearsal, and what was done of it.
local function announce(_, command)
	local text, ceiling = command.params.text, command.ceiling
	if ceiling == nil or ceiling == "everyone" or ceiling == "anonymous" or ceiling == "authenticated" then
		core.chat_send_all(text)
		return done({ words = "told everybody online: " .. text })
	end
	local told = 0
	for _, player in ipairs(core.get_connected_players()) do
		local name = player:get_player_name()
		if (ceiling == "staff" or ceiling == "admin") and core.check_player_privs(name, { server = true }) then
			core.chat_send_player(name, text)
			told = told + 1
		end
	end
	return done({ words = ("told %d of the staff, and would have told everybody: %s"):format(told, text) })
end

-- Runs `make` once the place is loaded and the command has been judged again.
local function once_loaded(self, command, pos, tell, again, make)
	local reach = { x = 24, y = 10, z = 24 }
	core.emerge_area(vector.subtract(pos, reach), vector.add(pos, reach), function(_, _, left)
		if left > 0 then return end
		local refused = again()
		if refused then return tell(refused) end
		local fine, answer = pcall(make)
		if fine then return tell(answer) end
		core.log("error", "[leasehold] " .. command.action .. " failed: " .. tostring(answer))
		tell({ kind = "bridge.error", error = "handler_failed", reason = command.action .. " failed in its midst" })
	end)
	return self.gate.LATER
end

local CHECKS, DOES = {}, {}

CHECKS["luanti.announce"] = function() end
DOES["luanti.announce"] = announce

CHECKS["luanti.mob.spawn"] = function(self, command)
	local params = command.params
	if not has(self.mobs.names(), params.mob) then return "unknown_mob", "this server has no mob " .. params.mob end
	local alive = command.runId and self.things:count_of(command.runId, "mob") or 0
	if alive + params.count > MOST_MOBS then
		return "ceiling_exceeded", ("the run has %d mobs alive and asks for %d; the ceiling is %d"):format(alive, params.count, MOST_MOBS),
			{ alive = alive, ceiling = MOST_MOBS }
	end
end

DOES["luanti.mob.spawn"] = function(self, command, tell, again)
	local params, pos = command.params, self.places.find(self.place_list, command.params.place).pos
	local function is_air(where)
		local node = core.get_node_or_nil(where)
		return node ~= nil and not (core.registered_nodes[node.name] or { walkable = true }).walkable
	end
	return once_loaded(self, command, pos, tell, again, function()
		local made = self.json.list()
		for _ = 1, params.count do
			local where = self.places.room(pos, params.radius or 4, is_air, math.random)
			made[#made + 1] = self.mob_tracker:make(params.mob, where, command)
		end
		return done({ resources = made, words = ("%d of %d are there"):format(#made, params.count) })
	end)
end

CHECKS["luanti.node.place"] = function(self, command)
	local name = command.params.node
	if not core.registered_nodes[name] then return "unknown_node", "this server has no node " .. name end
	if self.nodes.is_container(name) then
		return "container_refused", name .. " can hold things: taking it away would take what a player left inside"
	end
	if not has(self.nodes.names(), name) then return "unknown_node", name .. " is none that is placed by hand" end
	if command.runId and self.things:count_of(command.runId, "node") >= MOST_NODES then
		return "nodes_exceeded", ("a run has at most %d nodes"):format(MOST_NODES), { ceiling = MOST_NODES }
	end
end

-- Runs `make(pos)` once the place is loaded, beside a named place, where there is air.
local function where_air_is(self, command, tell, again, make)
	local p = command.params
	local middle = self.places.find(self.place_list, p.place).pos
	local pos = { x = middle.x + (p.dx or 0), y = middle.y + (p.dy or 0), z = middle.z + (p.dz or 0) }
	return once_loaded(self, command, pos, tell, again, function()
		local node = core.get_node_or_nil(pos)
		if not node or node.name ~= "air" then
			return self.judge.refusal("act.perform", "occupied", ("at %s is %s, not air"):format(core.pos_to_string(pos), node and node.name or "nothing"))
		end
		return make(pos)
	end)
end

DOES["luanti.node.place"] = function(self, command, tell, again)
	local p = command.params
	return where_air_is(self, command, tell, again, function(pos)
		local made = self.things:made("node", self.things:next_ref("node"), command, self.nodes.data(p.node, pos))
		-- What is mounted on a wall stands on the ground: mounted on a ceiling, mods would make another node of it.
		local mounted = (core.registered_nodes[p.node].paramtype2 or ""):find("wallmounted", 1, true)
		core.set_node(pos, { name = p.node, param2 = mounted and 1 or 0 })
		return done({ resources = self.json.list({ made }) })
	end)
end

CHECKS["luanti.gate.open"] = function(self, command)
	local to = command.params.destination
	if not self.places.find(self.place_list, to) then return "unknown_place", "this server has no place " .. to end
	if to == command.params.place then return "bad_field", "a gate leads to another place", { field = "destination" } end
	if command.runId and self.things:count_of(command.runId, "gate") >= MOST_GATES then
		return "gates_exceeded", ("a run has at most %d gates"):format(MOST_GATES), { ceiling = MOST_GATES }
	end
end

DOES["luanti.gate.open"] = function(self, command, tell, again)
	local to = self.places.find(self.place_list, command.params.destination).pos
	return where_air_is(self, command, tell, again, function(pos)
		local data = self.gates.data(pos, to, self.now() + command.params.minutes * 60000)
		local made = self.things:made("gate", self.things:next_ref("gate"), command, data)
		self.gates.open(pos)
		return done({ resources = self.json.list({ made }), forMs = command.params.minutes * 60000 })
	end)
end

CHECKS["luanti.privilege.lend"] = function(self, command)
	local p = command.params
	if not has(words(self.setting("leasehold.privileges", "fly,fast")), p.privilege) then
		return "privilege_refused", "this game's operator does not lend " .. p.privilege
	end
	local has_now = self.privileges.of(p.player)
	if not has_now then return "unknown_player", "nobody is called " .. p.player end
	if has_now[p.privilege] then return "has_already", p.player .. " has " .. p.privilege .. " already" end
end

DOES["luanti.privilege.lend"] = function(self, command)
	local p = command.params
	local data = self.privileges.data(p.player, p.privilege, self.now() + p.minutes * 60000)
	local made = self.things:made("privilege", self.things:next_ref("privilege"), command, data)
	self.privileges.lend(p.player, p.privilege)
	made.memberKey = p.player
	return done({ resources = self.json.list({ made }), forMs = p.minutes * 60000 })
end

CHECKS["luanti.item.give"] = function(self, command)
	local p = command.params
	if not has(words(self.setting("leasehold.gifts", "default:apple,default:torch")), p.item) or not core.registered_items[p.item] then
		return "unknown_item", "this game has no gift " .. p.item
	end
	if p.to ~= "online" and p.to ~= "participants" then return "bad_field", "to must be online or participants", { field = "to" } end
	if p.to == "participants" and command.runId and not self.turnout.tallies[command.runId] then
		return "not_counted", "nobody was counted for run " .. command.runId
	end
end

DOES["luanti.item.give"] = function(self, command)
	local p, names, given, missed = command.params, {}, 0, 0
	if p.to == "online" then
		for _, player in ipairs(core.get_connected_players()) do names[#names + 1] = player:get_player_name() end
	else
		for _, each in ipairs(self.turnout:participants(command.runId)) do names[#names + 1] = each.memberKey end
	end
	for _, name in ipairs(names) do
		local player = core.get_player_by_name(name)
		local left = player and player:get_inventory():add_item("main", ItemStack(p.item .. " " .. p.amount))
		if left and left:is_empty() then
			given = given + 1
		else
			-- What does not fit lies at the player's feet: it is given all the same.
			if left then
				core.add_item(player:get_pos(), left)
				given = given + 1
			else
				missed = missed + 1
			end
		end
	end
	return done({ words = ("given to %d, missed %d who are away"):format(given, missed) })
end

CHECKS["luanti.turnout.count"] = function(self, command)
	if command.runId and self.turnout:is_open(command.runId) then
		return "already_counted", "run " .. command.runId .. " is being counted"
	end
end

DOES["luanti.turnout.count"] = function(self, command)
	local p = command.params
	local made = self.things:made("tally", self.things:next_ref("tally"), command, "-")
	local pos = self.places.find(self.place_list, p.place).pos
	assert(self.turnout:open(command.runId, pos, p.radius, self.now() + p.minutes * 60000), "the journal cannot be written")
	return done({ resources = self.json.list({ made }), forMs = p.minutes * 60000 })
end

CHECKS["luanti.turnout.read"] = function(self, command)
	if command.runId and not self.turnout.tallies[command.runId] then
		return "not_counted", "nobody was counted for run " .. command.runId
	end
end

DOES["luanti.turnout.read"] = function(self, command)
	return done({ participants = self.turnout:participants(command.runId) })
end

-- Why it may not be done, as a refusal of `kind`.
local function refused(self, command)
	local params = self.params[command.action]
	if not params then
		return self.judge.refusal(command.kind, "unknown_action", "this game has no action " .. self.judge.shown(command.action))
	end
	local field, reason = self.manifest.fault(params, command.params)
	if field then return self.judge.refusal(command.kind, "bad_field", reason, { field = field }) end
	local place = command.params.place
	if place and not self.places.find(self.place_list, place) then
		return self.judge.refusal(command.kind, "unknown_place", "this server has no place " .. place)
	end
	local name, why, numbers = CHECKS[command.action](self, command)
	return name and self.judge.refusal(command.kind, name, why, numbers) or nil
end

function acts:verify(command)
	return refused(self, command) or { kind = "act.verify.ok" }
end

function acts:perform(command, tell, again)
	return refused(self, command) or DOES[command.action](self, command, tell, again)
end

return acts
