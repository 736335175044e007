-- The operator's named places, and standing room around them.

local places = {}

--- `name=x,y,z; name=x,y,z` as a list of {name, pos}; nil and the broken part where it is no such list.
function places.parse(text)
	local found = {}
	for part in text:gmatch("[^;]+") do
		local name, x, y, z = part:match("^%s*([%w_%-]+)%s*=%s*(%-?%d+)%s*,%s*(%-?%d+)%s*,%s*(%-?%d+)%s*$")
		if name then
			found[#found + 1] = { name = name, pos = { x = tonumber(x), y = tonumber(y), z = tonumber(z) } }
		elseif part:find("%S") then
			return nil, part
		end
	end
	return found
end

function places.find(list, name)
	for _, place in ipairs(list) do
		if place.name == name then return place end
	end
end

--- The name of the nearest place within 100 nodes, or "elsewhere".
function places.near(list, pos)
	local best, name = 100 * 100, "elsewhere"
	for _, place in ipairs(list) do
		local dx, dy, dz = pos.x - place.pos.x, pos.y - place.pos.y, pos.z - place.pos.z
		local far = dx * dx + dy * dy + dz * dz
		if far <= best then best, name = far, place.name end
	end
	return name
end

--- A point of the radius with air to stand in, or the middle itself.
function places.room(pos, radius, is_air, random)
	for _ = 1, 20 do
		local x = pos.x + random(-radius, radius)
		local z = pos.z + random(-radius, radius)
		for y = pos.y + 8, pos.y - 8, -1 do
			local here, below = { x = x, y = y, z = z }, { x = x, y = y - 1, z = z }
			if is_air(here) and not is_air(below) then return here end
		end
	end
	return { x = pos.x, y = pos.y, z = pos.z }
end

return places
