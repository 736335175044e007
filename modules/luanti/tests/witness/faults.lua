-- What goes wrong where the test has left word: after an effect, before the mod under test has written its answer down. `fault` is a
-- file that says `hang`, so that the server can be killed there, or `fail`.

local world, exists = core.get_worldpath(), ...

local function strike()
	local file = io.open(world .. "/fault")
	local word = file:read("*l")
	file:close()
	os.remove(world .. "/fault")
	if word == "fail" then error("the test wants it to fail here") end
	core.safe_file_write(world .. "/hangs", "after")
	while true do end
end

-- What is made in the world, by those actions that do it later than their handler.
for _, name in ipairs({ "add_entity", "set_node" }) do
	local effect = core[name]
	core[name] = function(...)
		local made = effect(...)
		if exists("fault") then strike() end
		return made
	end
end

-- Everything else: the mod looks at the clock when it writes a row about what it has just done.
local clock = core.get_us_time
function core.get_us_time()
	if exists("fault") then
		local within = debug.traceback()
		if within:find("tell_audit", 1, true) and not within:find("'report'", 1, true) then strike() end
	end
	return clock()
end
