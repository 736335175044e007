-- A mob of somebody else's: made through mobs_redo where that is there, and else with the same fields. It stands still, so that
-- nobody has to look for it. And a spawner of mobs_redo's for it, which is at rest until somebody gives it an amount.

local NAME, SPAWNER = "leasehold_zoo:boar", { x = 6, y = 9, z = 6 }
local boar = { type = "animal", passive = true, hp_min = 8, hp_max = 8, armor = 100, collisionbox = { -0.4, -0.5, -0.4, 0.4, 0.5, 0.4 },
	visual = "cube", visual_size = { x = 0.8, y = 0.8 }, nametag = "boar", walk_velocity = 0, run_velocity = 0, walk_chance = 0,
	jump = false, textures = { { "default_dirt.png", "default_dirt.png", "default_dirt.png", "default_dirt.png", "default_dirt.png",
		"default_dirt.png" } } }

if core.get_modpath("mobs") then
	mobs:register_mob(NAME, boar)
	core.after(0, function()
		core.emerge_area(SPAWNER, SPAWNER, function(_, _, left)
			if left > 0 or core.get_node(SPAWNER).name ~= "air" then return end
			core.set_node(SPAWNER, { name = "mobs:spawner" })
			core.get_meta(SPAWNER):set_string("command", NAME .. " 0 15 0 0 0")
		end)
	end)
else
	core.register_entity(NAME, { type = "animal", hp_max = 8, initial_properties = { hp_max = 8, visual = "cube", nametag = "boar",
		physical = true, collisionbox = boar.collisionbox, textures = boar.textures[1] } })
end
