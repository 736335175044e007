return function(bench)
	local manifest, json, same = bench.part("manifest"), bench.part("json"), bench.same
	local params
	for _, action in ipairs(manifest.actions(json.list)) do
		if action.id == "luanti.mob.spawn" then params = action.params end
	end

	return {
		["values are held against what is declared"] = function()
			same(manifest.fault(params, { place = "square", mob = "a:b", count = 3 }), nil)
			for field, values in pairs({
				count = { place = "p", mob = "m", count = 31 }, mob = { place = "p", mob = "", count = 1 }, place = { mob = "m", count = 1 },
				colour = { place = "p", mob = "m", count = 1, colour = "red" }, radius = { place = "p", mob = "m", count = 1, radius = 0.5 },
			}) do
				same(manifest.fault(params, values), field)
			end
			same(manifest.fault(params, 5), "params")
			same(manifest.fault(params, { place = ("\195\169"):rep(100), mob = "m", count = 1 }), nil)
			same(manifest.fault(params, { place = ("\195\169"):rep(101), mob = "m", count = 1 }), "place")
		end,
		["only what was found to work is offered"] = function()
			local whole = manifest.whole(json.list, { ["luanti.a"] = { offered = true, label = "A" }, ["luanti.b"] = { label = "B" } }, 3)
			same(#whole.leases, 1)
			same(whole.version, 3)
		end,
	}
end
