package rounds

import (
	"fmt"
	"strings"
)

// oneExchange is a round in which all say what they have, and look at what they hear.
func (g *generator) oneExchange(common bool) {
	g.last = g.IntN(10) == 0
	last := ""
	if g.last {
		last = fmt.Sprintf(", LAST(%s)", g.domain())
	}
	g.heading(fmt.Sprintf("VOTE(%s)", g.domain()) + last)
	if common {
		g.revealed()
	}
	g.kept()
	g.write("  local sent: bool;\n  local c: %s;\n", g.domain())
	g.write("  vote: if not sent%s then send VOTE(v); sent := true; endif", g.sometimes(8, " and v != %s", g.anyValue()))
	if g.chance(8) {
		g.write("  maybe tire: if sent and %s then %s endif", g.quorum("heard(VOTE)"), g.settle(0, false, common))
	}
	if g.last {
		i := g.IntN(g.outcomes)
		g.write("  hint: if sent and %s then %s endif", g.quorum(fmt.Sprintf("heard(LAST(%s))", g.value(i))), g.settle(i, g.chance(2), common))
	}
	if g.chance(8) {
		g.write("  change: if sent and %s then v := %s; sent := true; endif", g.quorum(fmt.Sprintf("heard(VOTE(%s))", g.anyValue())), g.anyValue())
	}
	g.write("  finish: if sent and heard(VOTE) >= %s then\n      %s\n    endif\nend\n", g.most(), g.ending("VOTE", common))
}

// twoExchanges is a round in which all say what they have, then what many had, and look at that.
func (g *generator) twoExchanges() {
	none := g.pick("", fmt.Sprintf(" else send SECOND(%d);", g.outcomes))
	g.outcomes, g.enum = 2, false
	g.heading("FIRST(0..1), SECOND(0..2)")
	g.kept()
	g.write("  local step: enum {BEGIN, ONCE, TWICE};\n  local c: 0..1;\n")
	g.write("  first: if step = BEGIN then send FIRST(v); step := ONCE; endif")
	threshold := g.quorum("COUNT")
	many := func(i int) string { return strings.Replace(threshold, "COUNT", fmt.Sprintf("heard(FIRST(%d))", i), 1) }
	if none == "" {
		none = " else send SECOND(2);"
	}
	g.write("  second: if step = ONCE and heard(FIRST) >= %s then step := TWICE;\n      if %s then send SECOND(0); elsif %s then send SECOND(1);%s endif\n    endif",
		g.most(), many(0), many(1), none)
	g.write("  finish: if step = TWICE and heard(SECOND) >= %s then\n      %s\n    endif\nend\n", g.most(), g.ending("SECOND", g.chance(2)))
}

// relay is a round in which values are passed on, also by those who have ended it.
func (g *generator) relay() {
	g.outcomes, g.enum = 2, false
	g.heading("EST0, EST1" + g.sometimes(5, ", AUX(0..1)"))
	aux := strings.Contains(g.String(), "AUX")
	g.kept()
	g.write("  local sent0, sent1, told: bool;\n  local c: 0..1;\n")
	g.write("  begin0: if v = 0 and not sent0%s then send EST0; sent0 := true; endif", g.sometimes(3, " and not sent1"))
	g.write("  begin1: if v = 1 and not sent1 then send EST1; sent1 := true; endif")
	always, few, many := g.pick("always ", "always ", "always ", ""), g.bound(), g.quorum("COUNT")
	if g.IntN(2) == 0 && len(g.parameters) == 3 { // as they are in published algorithms
		few, many = g.pick("t + 1", "t + 1", "1"), g.pick("COUNT >= 2 * t + 1", "COUNT >= n - t")
	}
	enough := func(i int) string { return strings.Replace(many, "COUNT", fmt.Sprintf("heard(EST%d)", i), 1) }
	for i := range 2 {
		g.write("  %srelay%d: if heard(EST%d) >= %s and not sent%d then send EST%d; sent%d := true; endif", always, i, i, few, i, i, i)
	}
	common := !g.chance(3)
	if common {
		g.revealed()
	}
	if !aux {
		g.write("  both: if %s and %s then %s endif", enough(0), enough(1), g.draw(common))
		for i := range 2 {
			g.write("  only%d: if %s and heard(EST%d) < %s then %s endif", i, enough(i), 1-i, g.pick("1", g.bound()), g.settle(i, true, common))
		}
		g.write("end\n")
		return
	}
	for i := range 2 {
		g.write("  tell%d: if %s and not told then send AUX(%d); told := true; endif", i, enough(i), i)
		g.write("  only%d: if told and %s and heard(AUX(%d)) >= %s then %s endif", i, enough(i), i, g.most(), g.settle(i, true, common))
	}
	g.write("  both: if told and %s and %s and heard(AUX) >= %s then %s endif\nend\n", enough(0), enough(1), g.most(), g.draw(common))
}

// random is a round of rules at random.
func (g *generator) random() {
	g.outcomes = 2
	kinds := []string{"A", "B"}[:1+g.IntN(3)/2]
	fields := make([]string, len(kinds))
	for i := range kinds {
		fields[i] = g.pick("", "("+g.domain()+")", "("+g.domain()+")")
		if g.chance(12) {
			fields[i] = "(" + g.domain() + ", bool)"
		}
	}
	var messages, flags []string
	for i, k := range kinds {
		messages = append(messages, k+fields[i])
		flags = append(flags, "sent"+k)
	}
	g.coinless = g.IntN(2) == 0
	g.heading(strings.Join(messages, ", "))
	g.kept()
	g.write("  local %s: bool;\n  local c: %s;\n  local u: 0..1;\n", strings.Join(flags, ", "), g.domain())
	for i, k := range kinds {
		guard := g.turn(3) + "not sent" + k + g.sometimes(2, " and %s", g.condition(kinds, fields, true))
		arguments := ""
		switch {
		case strings.Contains(fields[i], "bool"):
			arguments = fmt.Sprintf("(v, %s)", g.pick("true", "false", "decided = NO"))
		case fields[i] != "":
			arguments = "(" + g.pick("v", "v", "v", g.anyValue()) + ")"
		}
		g.write("  say%s: if %s then send %s%s; sent%s := true; %sendif", k, guard, k, arguments, k, g.sometimes(8, "u := 1 - u; "))
	}
	if g.chance(3) {
		g.write("  always note: if u = 0 and %s then u := 1; endif", g.condition(kinds, fields, false))
	}
	common := g.chance(2) && !g.coinless
	for i := range 2 + g.IntN(2) {
		guard := g.turn(6) + g.condition(kinds, fields, true)
		if g.IntN(8) == 0 && g.faults != "symmetric" && g.faults != "omission" {
			guard += " and arrived(" + kinds[0] + ")"
			if g.coinless && g.IntN(2) == 0 {
				guard = strings.Replace(guard, "arrived(", "arrived(coordinator.", 1)
			}
		}
		g.write("  %s%sr%d: if %s then %s endif", g.sometimes(8, "maybe "), g.sometimes(8, "timeout "), i, guard, g.body(kinds, fields, common))
	}
	g.write("end\n")
	g.ends, g.atLast = g.coinless, g.coinless && g.IntN(2) == 0
}

// turn is, in texts without coins, the condition that it is the process's turn, now and then.
func (g *generator) turn(of int) string {
	if g.coinless && g.IntN(of) == 0 {
		return "coordinator and "
	}
	return ""
}

// body is what a rule does.
func (g *generator) body(kinds, fields []string, common bool) string {
	end := func() string {
		switch g.IntN(6) {
		case 0, 1:
			return g.draw(common)
		case 2:
			return fmt.Sprintf("v := %s; next;", g.anyValue())
		case 3:
			return "next;"
		}
		return g.settle(g.IntN(2), true, common && !g.coinless)
	}
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("if %s then %s else %s endif", g.condition(kinds, fields, true), end(), end())
	case 1:
		return fmt.Sprintf("if %s then %s elsif %s then u := %d; else %s endif", g.condition(kinds, fields, true), end(), g.condition(kinds, fields, true), g.IntN(2), end())
	case 2:
		return fmt.Sprintf("u := %d; if decided = NO then %s endif", g.IntN(2), end())
	case 3:
		return fmt.Sprintf("%s elsif %s then %s", end(), g.condition(kinds, fields, true), end())
	}
	return end()
}

// condition is one that a rule asks for.
func (g *generator) condition(kinds, fields []string, kept bool) string {
	i := g.IntN(len(kinds))
	count := "heard(" + kinds[i] + ")"
	switch {
	case strings.Contains(fields[i], "bool"):
		count = fmt.Sprintf("heard(%s(%s, %s))", kinds[i], g.pick("_", g.anyValue()), g.pick("_", "true", "false"))
	case fields[i] != "" && !g.chance(3):
		count = fmt.Sprintf("heard(%s(%s))", kinds[i], g.pick(g.value(0), g.value(1), "c"))
		if kept {
			count = strings.Replace(count, "(c)", "(v)", 1)
		}
	}
	if g.coinless && g.IntN(4) == 0 {
		count = strings.Replace(count, "heard(", "heard(coordinator.", 1)
	}
	one := g.quorum(count)
	if g.chance(8) {
		one = fmt.Sprintf("%s %s %s", count, g.pick("<", "<=", "="), g.bound())
	}
	switch {
	case g.chance(6):
		one = fmt.Sprintf("(%s %s %s)", one, g.pick("or", "and"), g.quorum("heard("+kinds[g.IntN(len(kinds))]+")"))
	case g.chance(4) && kept:
		one = fmt.Sprintf("%s and %s", g.pick("v = "+g.anyValue(), "decided = NO", "decided != D1", "not (v = "+g.anyValue()+")"), one)
	case g.chance(5):
		one = fmt.Sprintf("sent%s and %s", kinds[0], one)
	}
	return one
}

// properties writes one or more.
func (g *generator) properties() {
	if g.chance(80) {
		g.write("init %s;", g.pick("some(v = "+g.anyValue()+")", "count(v = "+g.anyValue()+") >= 1", "all(v = "+g.anyValue()+")"))
	}
	if g.ends {
		g.withoutCoins()
		return
	}
	which := []int{1, 2, 3, 4, 4, 4, 5, 5, 6, 6}[g.IntN(10)] // of three sorts
	if which&1 != 0 {
		g.invariant()
	}
	if which&2 != 0 {
		g.formula()
	}
	if which&4 != 0 {
		g.almostSure()
	}
	if g.IntN(12) == 0 {
		g.afterRounds()
	}
	if g.IntN(25) == 0 {
		g.write("ltl last eventually good: F all(decided != NO);")
	}
}

// withoutCoins writes properties of texts without coins.
func (g *generator) withoutCoins() {
	if g.atLast && g.IntN(3) > 0 {
		g.write("ltl last eventually good: F all(decided != NO);")
		if g.IntN(2) == 0 {
			return
		}
	}
	switch g.IntN(6) {
	case 0:
		g.invariant()
	case 1:
		g.formula()
	case 2:
		g.write("ltl order: all(v = 0) -> G all(v = 0);")
	default:
		g.afterRounds()
	}
}

// invariant writes something that is true in all states.
func (g *generator) invariant() {
	a := g.IntN(g.outcomes)
	switch g.IntN(9) {
	case 0:
		g.write("invariant safe: all(decided != D%d);", a)
	case 1:
		g.write("invariant safe: count(decided = D%d) <= %s;", a, g.pick("1", "n - 1", "n - "+g.parameters[len(g.parameters)-1]))
	case 2:
		g.write("invariant safe: all(decided = NO or v = %s);", g.anyValue())
	case 3:
		if g.locked {
			g.write("invariant safe: all(not lock or decided != D%d);", a)
			break
		}
		fallthrough
	default:
		g.write("invariant safe: all(decided != D0) or all(decided != D1);")
	}
}

// formula writes one whose violations are finite runs.
func (g *generator) formula() {
	a, b := g.IntN(g.outcomes), g.IntN(g.outcomes)
	switch g.IntN(7) {
	case 0:
		g.write("ltl order: G (some(decided = D%d) -> G all(v = %s));", a, g.value(b))
	case 1:
		g.write("ltl order: G (all(v = %s) -> G all(v = %s));", g.value(a), g.value(a))
	case 2:
		g.write("ltl order: some(v = %s) -> G all(decided != D%d);", g.value(a), b)
	case 3:
		g.write("ltl order: G all(decided != D%d) or G all(decided != D%d);", a, b)
	default:
		g.write("ltl order: all(v = %s) -> G all(decided != D%d);", g.value(a), 1-min(a, 1))
	}
}

// almostSure writes what happens with probability one.
func (g *generator) almostSure() {
	goal := "decided != NO"
	if g.chance(20) {
		goal = g.pick("v = "+g.anyValue(), "decided = D0", "decided != NO and v = "+g.anyValue())
	}
	classes := []string{"", " unseen", " in order"}
	g.Shuffle(3, func(i, j int) { classes[i], classes[j] = classes[j], classes[i] })
	for i := range 1 + g.IntN(5)/4 {
		g.write("ltl sure%d almost surely%s: F all(%s);", i, classes[i], goal)
	}
}
