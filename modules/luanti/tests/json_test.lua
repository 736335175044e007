return function(bench)
	local json, same = bench.part("json"), bench.same
	return {
		["whole numbers have no fraction, and lists are told from objects"] = function()
			same(json.encode({ b = 15, a = json.list(), c = {}, d = 1.5, e = true }), '{"a":[],"b":15,"c":{},"d":1.5,"e":true}')
			same(json.encode(1788550182074), "1788550182074")
			same(json.encode(json.list({ "x", 2 })), '["x",2]')
		end,
		["text is escaped"] = function()
			same(json.encode('a"\\\n\1\127'), '"a\\"\\\\\\n\\u0001\\u007f"')
		end,
		["what JSON has no word for is refused"] = function()
			same(pcall(json.encode, 0 / 0), false)
			same(pcall(json.encode, math.huge), false)
			same(pcall(json.encode, print), false)
		end,
	}
end
