package rounds

import (
	"fmt"
	"strings"
)

// begin writes what comes before the rules of texts without coins.
func (g *generator) begin(assume, messages string) {
	g.parameters = []string{"n", "t", "f"}
	if !strings.Contains(assume, "t") {
		g.parameters = []string{"n", "f"}
	}
	budget := " f"
	if g.faults == "none" {
		budget = ""
	}
	g.write("protocol random;\nparameters %s;\nassume %s;\nfaults %s%s;\nmessages %s;\n\nprocess node[n]",
		strings.Join(g.parameters, ", "), assume, g.faults, budget, messages)
	g.kept()
}

// oddly is the second one of two texts now and then.
func (g *generator) oddly(usual, odd string) string {
	if g.IntN(14) == 0 {
		return odd
	}
	return usual
}

// synchronous is a round of one exchange, in which all, or the coordinator, say what they have, and all arrives.
func (g *generator) synchronous() {
	g.outcomes, g.enum, g.sane, g.ends = 2, false, true, true
	g.faults = g.pick("none", "crash", "crash", "crash", "crash", "clean", "clean", "byzantine")
	turns := g.IntN(2) == 0
	g.begin(g.pick("n > f, f >= 1", "n > f, f >= 1", "n > 2 * f, f >= 1", "n > f", "n >= f, f <= 2", "n > 3 * f"), "VALUE(0..1)")
	who, of := "", g.oddly("", "coordinator.")
	if turns {
		who, of = g.oddly("coordinator and ", ""), g.oddly("coordinator.", "")
	}
	g.write("  local sent: bool;\n\n  tell: if %snot sent then send VALUE(v); sent := true; endif", who)
	heard := func(v int) string { return fmt.Sprintf("heard(%sVALUE(%d))", of, v) }
	few := ">= 1"
	if g.IntN(7) == 0 || g.faults == "byzantine" && g.IntN(2) == 0 {
		few = g.pick(">= f + 1", ">= n - f", ">= 2", "> 0")
	}
	first := g.IntN(2)
	update := fmt.Sprintf("if %s %s then v := %d; %s", heard(first), few, first, g.sometimes(2, "%s ", g.decide(first)))
	which := g.IntN(5)
	if turns && g.IntN(4) > 0 {
		which = 0
	}
	switch which {
	case 0, 1:
		update += fmt.Sprintf("elsif %s %s then v := %d; %s", heard(1-first), few, 1-first, g.sometimes(2, "%s ", g.decide(1-first)))
	case 2:
		update += fmt.Sprintf("else v := %d; ", 1-first)
	}
	update += "endif"
	guard := fmt.Sprintf("arrived(%sVALUE)", of)
	switch {
	case !turns && g.IntN(2) == 0:
		guard = "sent and " + guard
	case g.IntN(9) == 0:
		guard = fmt.Sprintf("heard(%sVALUE) >= %s", of, g.pick("1", "n - f"))
	}
	g.write("  choose: if %s then %s %snext; endif", guard, update, g.lock())
	if g.atLast = g.IntN(4) == 0; g.atLast {
		g.write("  %s tire: if %s then next; endif", g.pick("maybe", "timeout"), g.pick("sent", "not sent", "v = 0"))
	}
	g.write("end\n")
}

// king is a round in which all say what they have, and then the coordinator tells those who are not sure.
func (g *generator) king() {
	g.outcomes, g.enum, g.sane, g.ends = 2, false, true, true
	g.faults = g.pick("byzantine", "byzantine", "crash", "clean", "none")
	assume := "n > 4 * t, t >= f, t >= 1"
	if g.faults != "byzantine" {
		assume = "n > 2 * t, t >= f, t >= 1"
	}
	assume = g.oddly(assume, g.pick("n > 3 * t, t >= f, t >= 1", "n > t, t >= f, t >= 1", "n > 2 * t, t >= f"))
	g.begin(assume, "VALUE(0..1), KING(0..1)")
	strong := g.oddly("> n + 2 * t", g.pick("> n", "> n + t", ">= n"))
	told, obeyed := "arrived(VALUE)", "arrived(coordinator.KING)"
	if g.IntN(8) == 0 {
		told = g.pick("heard(VALUE) >= n - t", "heard(VALUE) >= n - f")
	}
	if g.IntN(8) == 0 {
		obeyed = g.pick("heard(coordinator.KING) >= 1", "arrived(KING)")
	}
	g.write("  local step: 0..2;\n  local strong: bool;\n  local more: 0..1;\n")
	g.write("  tell: if step = 0 then send VALUE(v); step := 1; endif")
	g.write("  weigh:\n    if step = 1 and %s then\n      step := 2;", told)
	g.write("      if 2 * heard(VALUE(0)) > n then more := 0; else more := 1; endif")
	g.write("      if 2 * heard(VALUE(0)) %s or 2 * heard(VALUE(1)) %s then strong := true; endif", strong, strong)
	g.write("      %s\n    endif", g.oddly("if coordinator then send KING(more); endif", g.pick("if coordinator then send KING(v); endif", "send KING(more);")))
	g.write("  obey:\n    if step = 2 and %s then", obeyed)
	g.write("      if %s then v := more; elsif heard(coordinator.KING(0)) >= 1 then v := 0; else v := %s; endif\n      %snext;\n    endif\nend\n",
		g.oddly("strong", g.pick("strong and v = more", "not strong")), g.oddly("1", "more"), g.lock())
}

// quorums is a round in which the coordinator proposes something, and all say whether they have heard it.
func (g *generator) quorums() {
	g.outcomes, g.enum, g.sane, g.ends, g.atLast = 2, false, true, true, true
	g.faults = g.pick("crash", "clean", "clean", "none", "byzantine")
	assume := "n > 2 * t, t >= f, t >= 1"
	if g.faults == "byzantine" {
		assume = "n > 3 * t, t >= f, t >= 1"
	}
	g.begin(g.oddly(assume, g.pick("n > 3 * t, t >= f", "n > t, t >= f, t >= 1", "n >= 2 * t, t >= f, t >= 1")), "LEAD(0..1), AUX(0..2)")
	g.write("  local led, told: bool;\n")
	g.write("  lead: if %snot led then send LEAD(%s); led := true; endif", g.oddly("coordinator and ", g.pick("", "coordinator and v = 0 and ")), g.oddly("v", "0"))
	g.write("  follow:\n    if not told and heard(%sLEAD) >= 1 then\n      told := true;", g.oddly("coordinator.", ""))
	g.write("      if heard(coordinator.LEAD(0)) >= 1 then send AUX(0); else send AUX(1); endif\n    endif")
	g.write("  %ssuspect: if not told then send AUX(2); told := true; endif", g.pick("timeout ", "timeout ", "timeout ", "timeout ", "timeout ", "maybe ", ""))
	wait := g.oddly("heard(AUX) >= n - t", g.pick("heard(AUX) >= 1", "heard(AUX) >= n - f", "arrived(AUX)", "heard(AUX) >= t + 1"))
	g.write("  finish:\n    if told and %s then", wait)
	few := ">= 1"
	if g.faults == "byzantine" {
		few = ">= t + 1"
	}
	sure := g.oddly("heard(AUX(2)) = 0", g.pick("heard(AUX(2)) <= t", "decided = NO", "heard(AUX(2)) < t"))
	for v := range 2 {
		g.write("      %s heard(AUX(%d)) %s then v := %d; if %s then %s endif", []string{"if", "elsif"}[v], v, g.oddly(few, g.pick(">= 1", ">= n - t", ">= t + 1")),
			v, g.oddly(sure, fmt.Sprintf("heard(AUX(%d)) >= n - t", v)), g.decide(v))
	}
	g.write("      endif\n      %snext;\n    endif\nend\n", g.lock())
}

// waiting is a round without coordinators that some process may give up: good rounds are those in which none does.
func (g *generator) waiting() {
	g.outcomes, g.enum, g.sane, g.ends, g.atLast = 2, false, true, true, true
	if g.faults = g.pick("crash", "clean", "none", "symmetric", "byzantine"); g.faults == "symmetric" && g.IntN(2) == 0 {
		g.faults = "omission"
	}
	g.begin(g.pick("n > 2 * t, t >= f", "n > 3 * t, t >= f, t >= 1", "n > t, t >= f"), "VOTE(0..1)")
	g.write("  local sent: bool;\n  vote: if not sent then send VOTE(v); sent := true; endif")
	all := "heard(VOTE) >= " + g.pick("n", "n - t", "n - t")
	if g.faults != "symmetric" && g.faults != "omission" && g.IntN(2) == 0 {
		all = "arrived(VOTE)"
	}
	few := g.pick("2 * COUNT > n", "COUNT >= t + 1", "COUNT >= 1", "COUNT >= n - t")
	g.write("  finish: if sent and %s then", all)
	for v := range 2 {
		g.write("      %s %s then v := %d; %s", []string{"if", "elsif"}[v], strings.Replace(few, "COUNT", fmt.Sprintf("heard(VOTE(%d))", v), 1), v, g.oddly(g.decide(v), ""))
	}
	g.write("      endif next; endif\n  %stire: if %s then next; endif\nend\n", g.oddly("timeout ", "maybe "), g.pick("sent", "sent", "not sent", "heard(VOTE) >= 1"))
}

// afterRounds writes what is true after some rounds.
func (g *generator) afterRounds() {
	e := g.pick("f + 1", "f + 1", "f + 1", "f + 1", "f + 1", "f + 1", "f", "f", "1", "2", "f + 2", "2 * f")
	if len(g.parameters) == 1 {
		e = g.pick("1", "1", "2", "n")
	}
	a, b := g.value(0), g.value(1)
	goal := fmt.Sprintf("all(v = %s) or all(v = %s)", a, b)
	if g.IntN(4) == 0 {
		goal = g.pick("all(decided != D0) or all(decided != D1)", "all(decided != NO)", "count(v = "+a+") <= n - 1", "some(v = "+b+") or all(v = "+a+")")
	}
	g.write("invariant later after %s rounds: %s;", e, goal)
}
