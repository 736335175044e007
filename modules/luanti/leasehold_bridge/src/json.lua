-- Text of JSON: whole numbers without a fraction, lists told from objects, keys in order (one value, one text).

local json = {}
local LIST = {}

--- Marks a table as a list, so that an empty one is written as `[]`.
function json.list(values)
	return setmetatable(values or {}, LIST)
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function text(value)
	return '"' .. value:gsub('[%c"\\\127]', function(c)
		return ESCAPES[c] or string.format("\\u%04x", c:byte())
	end) .. '"'
end

local function number(value)
	assert(value == value and value ~= math.huge and value ~= -math.huge, "no number of JSON")
	if value == math.floor(value) and math.abs(value) <= 2 ^ 53 then
		return string.format("%.0f", value)
	end
	return string.format("%.17g", value)
end

local encode

local function list(values)
	local parts = {}
	for place, value in ipairs(values) do
		parts[place] = encode(value)
	end
	return "[" .. table.concat(parts, ",") .. "]"
end

local function object(values)
	local names = {}
	for name in pairs(values) do
		names[#names + 1] = name
	end
	table.sort(names)
	for place, name in ipairs(names) do
		names[place] = text(name) .. ":" .. encode(values[name])
	end
	return "{" .. table.concat(names, ",") .. "}"
end

encode = function(value)
	local sort = type(value)
	if sort == "table" then
		return (getmetatable(value) == LIST or #value > 0) and list(value) or object(value)
	elseif sort == "string" then
		return text(value)
	elseif sort == "number" then
		return number(value)
	end
	assert(sort == "boolean", "JSON has no " .. sort)
	return tostring(value)
end
json.encode = encode

return json
