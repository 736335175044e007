-- Choices for the parameters of actions.

local options = {}
options.__index = options

function options.new(parts)
	return setmetatable(parts, options)
end

local function choices(self, names)
	local told = self.json.list()
	for _, name in ipairs(names) do
		local group = name:match("^([^:]+):")
		if #told < 1000 then told[#told + 1] = { value = name, label = name, group = group } end
	end
	return told
end

function options:list(command)
	local words = self.acts.words
	local sources = {
		["luanti.options.places"] = function()
			local names = {}
			for _, place in ipairs(self.place_list) do names[#names + 1] = place.name end
			return names
		end,
		["luanti.options.mobs"] = self.mobs.names,
		["luanti.options.nodes"] = self.nodes.names,
		["luanti.options.gifts"] = function() return words(self.setting("leasehold.gifts", "default:apple,default:torch")) end,
		["luanti.options.privileges"] = function() return words(self.setting("leasehold.privileges", "fly,fast")) end,
		["luanti.options.audiences"] = function() return { "online", "participants" } end,
	}
	local source = sources[command.source]
	if not source then
		return self.judge.refusal(command.kind, "unknown_source", "this game has no choices " .. self.judge.shown(command.source))
	end
	return { kind = "options.ok", choices = choices(self, source()) }
end

return options
