-- Mobs of runs: any entity of the server, told by an id of our own in its static data, whoever wrote it.

local mobs = {}
mobs.__index = mobs

local MARK = "leasehold:"
-- Seconds that the blocks around its last place must have been at work before a mob that is not there is gone.
local SETTLED_SEC = 10
-- Seconds of life from which on mobs_redo holds a mob for somebody's own.
local NEVER = 20000

function mobs.new(parts)
	return setmetatable({ book = parts.book, things = parts.things, report = parts.report, near = parts.near, turnout = parts.turnout,
		alive = {}, worked = {}, kept = {}, damage = setmetatable({}, { __mode = "k" }) }, mobs)
end

local function health(entity)
	return type(entity.health) == "number" and entity.health or entity.object:get_hp() or 0
end

--- Names of entities that can be spawned: those that somebody calls a mob, and ours.
function mobs.names()
	local names = {}
	for name, entity in pairs(core.registered_entities) do
		local called = entity.type == "monster" or entity.type == "animal" or entity.type == "npc" or entity._leasehold_mob
		if called then names[#names + 1] = name end
	end
	table.sort(names)
	return names
end

-- The static data of a mob of ours: the mark, its id, a line's end, and what its own author keeps.
local function unmarked(staticdata)
	local ref, rest = (staticdata or ""):match("^" .. MARK .. "([^\n]*)\n(.*)$")
	return ref, rest or staticdata
end

function mobs:died(entity, killer)
	local dealt = self.damage[entity] or {}
	if entity._leasehold_died then return end
	entity._leasehold_died = true
	local hands = {}
	for name in pairs(dealt) do hands[#hands + 1] = name end
	local last = killer and killer.is_player and killer:is_player() and killer:get_player_name()
	if last and not dealt[last] then hands[#hands + 1] = last end
	local pos = entity.object:get_pos() or entity._leasehold_pos
	if not pos then return end
	self.turnout:killed(pos, hands)
	local ref = entity._leasehold_ref
	local thing = ref and self.book.state.things[ref]
	self.report("luanti.mob_killed", { runId = thing and thing.run,
		vars = { mob = entity.name, damagers = #hands, place = self.near(pos) } })
	if thing then self.things:ended(ref) end
end

local function activate(self, original)
	return function(entity, staticdata, ...)
		local ref, rest = unmarked(staticdata)
		entity._leasehold_ref = ref
		if original then original(entity, rest, ...) end
		if not ref then return end
		-- mobs_redo counts this down, and takes away who is far from everybody; from here on it does neither.
		if type(entity.lifetimer) == "number" then entity.lifetimer = NEVER end
		if self.book.state.things[ref] then
			self.alive[ref] = entity
		else
			-- Taken back while it was not loaded, or back out of an older save: nobody's.
			core.after(0, function() entity.object:remove() end)
		end
	end
end

local function keep(original)
	return function(entity, ...)
		local own = original and original(entity, ...) or ""
		local ref = entity._leasehold_ref
		return ref and MARK .. ref .. "\n" .. own or own
	end
end

local function punched(self, original)
	return function(entity, puncher, time, tool, direction, damage)
		local before = health(entity)
		local done = original and original(entity, puncher, time, tool, direction, damage)
		local after = entity.object:get_pos() and health(entity) or 0
		-- Without a handler of its own, or where that says no more, the server takes the health away after this.
		local dealt = math.max(before - after, done ~= true and math.min(damage or 0, before) or 0)
		if dealt > 0 and puncher and puncher.is_player and puncher:is_player() then
			local hands = self.damage[entity] or {}
			self.damage[entity] = hands
			local name = puncher:get_player_name()
			hands[name] = (hands[name] or 0) + dealt
			entity._leasehold_pos = entity.object:get_pos() or entity._leasehold_pos
		end
		if after <= 0 then self:died(entity, puncher) end
		return done
	end
end

-- Wraps what the server calls of one sort of entity.
local function wrap(self, entity)
	entity.on_activate = activate(self, entity.on_activate)
	entity.get_staticdata = keep(entity.get_staticdata)
	entity.on_punch = punched(self, entity.on_punch)
	local on_death, on_deactivate = entity.on_death, entity.on_deactivate
	entity.on_death = function(dying, killer, ...)
		self:died(dying, killer)
		if on_death then return on_death(dying, killer, ...) end
	end
	entity.on_deactivate = function(leaving, removal, ...)
		local ref = leaving._leasehold_ref
		if ref and self.alive[ref] == leaving then
			self.alive[ref] = nil
			local pos = leaving.object:get_pos() or leaving._leasehold_pos
			if removal and self.book.state.things[ref] then
				self.things:ended(ref)
			elseif pos and self.book.state.things[ref] then
				self.book:tell("moved", ref, core.pos_to_string(vector.round(pos)))
			end
		end
		if on_deactivate then return on_deactivate(leaving, removal, ...) end
	end
end

--- Wraps every registered entity but the server's own; to be called when all mods are loaded.
function mobs:wrap()
	for name, entity in pairs(core.registered_entities) do
		if name:sub(1, 10) ~= "__builtin:" then wrap(self, entity) end
	end
end

--- One mob, written down before it is there.
function mobs:make(name, pos, command)
	local ref = self.things:next_ref("mob")
	local told = self.things:made("mob", ref, command, core.pos_to_string(vector.round(pos)))
	-- A few nodes in every direction, also up and down: who leaves a block that is at work is unloaded.
	for _, dx in ipairs({ -6, 6 }) do
		for _, dy in ipairs({ -4, 4 }) do
			for _, dz in ipairs({ -6, 6 }) do self:keep_at_work({ x = pos.x + dx, y = pos.y + dy, z = pos.z + dz }) end
		end
	end
	if not core.add_entity(pos, name, MARK .. ref .. "\n") then
		self.things:ended(ref)
		return nil
	end
	return told
end

function mobs:remove(thing)
	local entity = self.alive[thing.ref]
	local there = entity and entity.object:get_pos()
	self.alive[thing.ref] = nil
	if there then entity.object:remove() end
	-- What is not loaded has nobody from here on, and is removed when it is.
	return (there or self:look(thing) ~= "gone") and "removed" or "gone"
end

function mobs:look(thing)
	local entity = self.alive[thing.ref]
	if entity and entity.object:get_pos() then return "present" end
	return (self.worked[thing.ref] or 0) >= SETTLED_SEC and "gone" or nil
end

-- The blocks within half a block of a point: how far a mob has gone at most when its place was not written down anew.
local function around(pos)
	local blocks = {}
	for _, dx in ipairs({ -8, 8 }) do
		for _, dy in ipairs({ -8, 8 }) do
			for _, dz in ipairs({ -8, 8 }) do blocks[#blocks + 1] = { x = pos.x + dx, y = pos.y + dy, z = pos.z + dz } end
		end
	end
	return blocks
end

--- Keeps a block at work with nobody online, as far as the server allows.
function mobs:keep_at_work(pos)
	local block = core.pos_to_string({ x = math.floor(pos.x / 16), y = math.floor(pos.y / 16), z = math.floor(pos.z / 16) })
	if not self.kept[block] and core.forceload_block(pos, true) then self.kept[block] = vector.round(pos) end
end

function mobs:let_blocks_rest()
	for block, pos in pairs(self.kept) do
		core.forceload_free_block(pos, true)
		self.kept[block] = nil
	end
end

-- A mob that is not there: its blocks are put to work, and the time that they were is counted.
function mobs:search(thing, seconds)
	local last = core.string_to_pos(thing.data)
	local works = last ~= nil
	for _, block in ipairs(last and around(last) or {}) do
		self:keep_at_work(block)
		works = works and core.compare_block_status(block, "active") == true
	end
	self.worked[thing.ref] = works and (self.worked[thing.ref] or 0) + seconds or nil
end

--- Every half second: keeps where each was last.
function mobs:sweep(seconds)
	local all = self.things:of_kind("mob")
	if not all[1] then return self:let_blocks_rest() end
	for _, thing in ipairs(all) do
		local entity = self.alive[thing.ref]
		local pos = entity and entity.object:get_pos()
		if pos then
			self.worked[thing.ref], entity._leasehold_pos = nil, pos
			local was = core.string_to_pos(thing.data)
			if not was or vector.distance(was, pos) > 8 then
				self.book:tell("moved", thing.ref, core.pos_to_string(vector.round(pos)))
			end
		else
			self:search(thing, seconds)
		end
	end
end

return mobs
