return function(bench)
	local book, same = bench.part("book"), bench.same
	local function open(text)
		local kept = text
		local opened, line = book.open(text, function(more) kept = kept .. more return true end)
		return opened, function() return kept end, line
	end
	local HEAD = "leasehold-journal\t1\n"

	return {
		["what was told is read again, whatever is in it"] = function()
			local first, text = open(HEAD)
			first:tell("begun", "k", "act.perform", "print\tof\n%it", 7)
			first:tell("answered", "k", "reqId", '"kind":"act.ok"')
			first:tell("made", "mob", "m-1", "run 1", "k", "(1,2,3)")
			first:tell("moved", "m-1", "(4,5,6)")
			first:tell("held", "l", "run 1", "72", true, "720", 99)
			first:tell("closed", "run 1", 9)
			local again = open(text())
			same(again.state.keys.k.print, "print\tof\n%it")
			same(again.state.keys.k.answer, '"kind":"act.ok"')
			same(again.state.things["m-1"].data, "(4,5,6)")
			same(again.state.holds.l.unset, true)
			same(again.state.closed["run 1"], 9)
		end,
		["written anew it says the same"] = function()
			local first, text = open(HEAD)
			first:tell("begun", "k1", "act.perform", "p", 7)
			first:tell("begun", "k2", "act.perform", "p", 8)
			first:tell("freed", "k1")
			first:tell("made", "node", "n-1", "r", "k2", "x (1,2,3)")
			first:tell("ended", "n-1", 12)
			first:tell("held", "l", "r", "1", false, "2", 5)
			first:tell("expired", "l", true, "1")
			first:tell("counted", "r", "{}")
			local again = open(first:text())
			same(again:text(), first:text())
			same(again.state.keys.k1, nil)
			same(again.state.ended[1].ref, "n-1")
			same(again.state.holds.l.restored, true)
			same(open(text()):text(), first:text())
		end,
		["a torn last line is cut off"] = function()
			local torn = open(HEAD .. "closed\tr\t9\nclosed\ts\t1")
			same(torn.state.closed.r, 9)
			same(torn.state.closed.s, nil)
		end,
		["any other broken line is told by its number"] = function()
			for _, text in ipairs({ HEAD .. "closed\tr\nclosed\tr\t9\n", HEAD .. "no such fact\tr\n", "another file\n" }) do
				local opened, _, line = open(text)
				same(opened, nil)
				same(line, text:find("another") and 1 or 2)
			end
		end,
		["what is not on disk is not held for true"] = function()
			local deaf = book.open(HEAD, function() return false end)
			same(deaf:tell("closed", "r", 9), false)
			same(deaf.state.closed.r, nil)
		end,
	}
end
