-- What players do that an event may wait for. Nobody is named: what is reported is kept for ever.

return function(parts)
	local inside = {}

	local function online(but)
		return #core.get_connected_players() - but
	end

	core.register_on_joinplayer(function()
		parts.report("luanti.join", { vars = { online = online(0) } })
	end)

	core.register_on_leaveplayer(function(player, timed_out)
		local name = player:get_player_name()
		inside[name] = nil
		parts.turnout:left(name, timed_out)
		parts.report("luanti.leave", { vars = { online = online(1) } })
	end)

	core.register_on_dieplayer(function(player)
		parts.report("luanti.death", { vars = { place = parts.near(player:get_pos()) } })
	end)

	-- Within ten nodes of a named place, who was not there half a second ago.
	local since = 0
	core.register_globalstep(function(seconds)
		since = since + seconds
		if since < 0.5 then return end
		since = 0
		for _, player in ipairs(core.get_connected_players()) do
			local name, pos, now = player:get_player_name(), player:get_pos(), nil
			for _, place in ipairs(parts.place_list) do
				if vector.distance(pos, place.pos) <= 10 then now = place.name end
			end
			if now and inside[name] ~= now then parts.report("luanti.area_enter", { vars = { place = now } }) end
			inside[name] = now
		end
	end)
end
