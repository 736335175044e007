return function(bench)
	local places, same = bench.part("places"), bench.same

	return {
		["a list of places is read"] = function()
			local list = places.parse(" square=0,9,-3; the-gate = 10,9,0;")
			same(#list, 2)
			same(places.find(list, "square").pos.z, -3)
			same(places.near(list, { x = 9, y = 9, z = 0 }), "the-gate")
			same(places.near(list, { x = 900, y = 9, z = 0 }), "elsewhere")
		end,
		["a broken one is told"] = function()
			local list, wrong = places.parse("square=0,9; gate=1,2,3")
			same(list, nil)
			same(wrong, "square=0,9")
		end,
		["there is air to stand in, on something"] = function()
			local room = places.room({ x = 0, y = 9, z = 0 }, 2, function(pos) return pos.y >= 7 end, function() return 1 end)
			same(room.y, 7)
			same(places.room({ x = 0, y = 9, z = 0 }, 2, function() return true end, function() return 1 end).y, 9)
		end,
	}
end
