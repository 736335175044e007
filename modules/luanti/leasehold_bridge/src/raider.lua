-- A simple mob, so that every server has one: it walks about, can be hurt, and carries nothing.

core.register_entity("leasehold_bridge:raider", {
	_leasehold_mob = true,
	initial_properties = {
		hp_max = 10, physical = true, collide_with_objects = true, collisionbox = { -0.4, -0.5, -0.4, 0.4, 0.5, 0.4 },
		visual = "cube", visual_size = { x = 0.8, y = 0.9 }, nametag = "raider", stepheight = 1.1,
		textures = { "default_obsidian.png", "default_obsidian.png", "default_obsidian.png", "default_obsidian.png",
			"default_obsidian.png^default_tool_steelsword.png", "default_obsidian.png" },
	},
	on_activate = function(self)
		self.object:set_armor_groups({ fleshy = 100 })
		self.object:set_acceleration({ x = 0, y = -9.8, z = 0 })
		self.turn_in, self.home = 0, self.object:get_pos()
	end,
	on_step = function(self, dtime)
		self.turn_in = self.turn_in - dtime
		if self.turn_in > 0 then return end
		self.turn_in = 2 + math.random() * 3
		local yaw, fall = math.random() * 2 * math.pi, self.object:get_velocity()
		local pos = self.object:get_pos()
		-- It stays about where it came to be.
		if vector.distance(pos, self.home) > 4 then yaw = core.dir_to_yaw(vector.direction(pos, self.home)) end
		self.object:set_yaw(yaw)
		self.object:set_velocity({ x = -math.sin(yaw) * 0.6, y = fall and fall.y or 0, z = math.cos(yaw) * 0.6 })
	end,
})
