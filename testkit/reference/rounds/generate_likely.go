package rounds

import (
	"fmt"
	"strings"
)

// A scheme is how a published algorithm of exchanges is built, and under which conditions it is right. COUNT stands for how
// many have sent a value.
type scheme struct {
	assume    string
	exchanges int
	wait      string // so many messages processes wait for
	many      string // then the value is passed on, in exchanges in the middle, and else "neither"
	decides   string // in the last one
	adopts    string // for the value; else a coin
	common    bool
}

// schemes are some, by fault models.
var schemes = map[string][]scheme{
	"none": {
		{"n >= 2", 1, "n", "", "COUNT >= n", "2 * COUNT > n", false},
		{"n >= 2", 2, "n", "2 * COUNT > n", "COUNT >= n", "COUNT >= 1", false},
		{"n > 2 * t, t >= f", 1, "n - t", "", "2 * COUNT > n", "2 * COUNT > n", true},
	},
	"benign": {
		{"n > 2 * t, t >= f, t >= 1", 2, "n - t", "2 * COUNT > n", "COUNT >= t + 1", "COUNT >= 1", false},
		{"n > 4 * t, t >= f", 1, "n - t", "", "COUNT >= n - t", "2 * COUNT > n", false},
		{"n > 3 * t, t >= f, t >= 1", 3, "n - t", "2 * COUNT > n", "COUNT >= 2 * t + 1", "COUNT >= t + 1", false},
		{"n > 2 * t, t >= f", 1, "n - t", "", "2 * COUNT > n", "2 * COUNT > n", true},
	},
	"symmetric": {
		{"n > 4 * t, t >= f", 1, "n - t", "", "2 * COUNT > n", "2 * COUNT > n", true},
		{"n > 5 * t, t >= f", 2, "n - t", "2 * COUNT > n + t", "2 * COUNT > n + t", "COUNT >= t + 1", false},
	},
	"byzantine": {
		{"n > 5 * t, t >= f", 1, "n - t", "", "2 * COUNT > n + t", "2 * COUNT > n + t", true},
		{"n > 5 * t, t >= f", 2, "n - t", "2 * COUNT > n + t", "2 * COUNT > n + t", "COUNT >= t + 1", false},
	},
}

// likely is a round like that of a published algorithm, perhaps with one change.
func (g *generator) likely() {
	g.outcomes, g.enum, g.sane = 2, false, true
	g.faults = g.pick("none", "clean", "clean", "crash", "omission", "symmetric", "byzantine", "byzantine")
	if g.faults == "omission" {
		g.faults = g.pick("omission", "clean", "crash")
	}
	of := g.faults
	if of == "clean" || of == "crash" || of == "omission" {
		of = "benign"
	}
	s := schemes[of][g.IntN(len(schemes[of]))]
	g.parameters = []string{"n", "t", "f"}
	if !strings.Contains(s.assume, "t") {
		g.parameters = []string{"n"}
	}
	if g.IntN(9) < 4 {
		g.change(&s)
	}
	g.scheme(s)
}

// change is one change of a scheme.
func (g *generator) change(s *scheme) {
	if len(g.parameters) == 1 {
		switch g.IntN(3) {
		case 0:
			s.wait = g.pick("n - 1", "1", "2")
		case 1:
			s.decides = g.pick("COUNT >= 1", "2 * COUNT > n", "COUNT > n / 2", "COUNT >= 2")
		default:
			s.adopts = g.pick("COUNT >= 1", "COUNT >= 2", "COUNT >= n", "2 * COUNT >= n")
		}
		return
	}
	quorum := func() string { return fmt.Sprintf("COUNT %s %s", g.pick(">=", ">=", ">"), g.bound()) }
	switch g.IntN(6) {
	case 0, 1:
		k := s.assume[strings.Index(s.assume, "> ")+2]
		s.assume = strings.Replace(s.assume, fmt.Sprintf("> %c", k), fmt.Sprintf("> %c", k-1), 1)
	case 2:
		s.wait = g.bound()
	case 3:
		s.decides = quorum()
	case 4:
		s.adopts = quorum()
	default:
		s.many = quorum()
	}
}

// scheme writes a round of a scheme.
func (g *generator) scheme(s scheme) {
	messages, k := "", s.exchanges
	for i := range k {
		messages += []string{", M1(0..1)", ", M2(0..1)", ", M3(0..2)"}[i]
	}
	if k == 2 {
		messages = strings.Replace(messages, "M2(0..1)", "M2(0..2)", 1)
	}
	budget := " f"
	if g.faults == "none" {
		budget = ""
	}
	g.write("protocol random;\nparameters %s;\nassume %s;\nfaults %s%s;\nmessages %s;\n\nprocess node[n]",
		strings.Join(g.parameters, ", "), s.assume, g.faults, budget, messages[2:])
	if s.common && g.IntN(3) == 0 {
		g.after = g.pick(" after t + 1", " after f + 1", " after n - t", " after 1")
	}
	g.kept()
	g.write("  local step: 0..%d;\n  local c: 0..1;\n\n  say1: if step = 0 then send M1(v); step := 1; endif", k)
	wait := func(i int) string { return fmt.Sprintf("heard(M%d) >= %s", i, s.wait) }
	if g.faults != "symmetric" && g.faults != "omission" && g.IntN(7) == 0 {
		wait = func(i int) string { return fmt.Sprintf("arrived(M%d)", i) }
	}
	for i := 2; i <= k; i++ {
		count := func(v int, rule string) string {
			return strings.ReplaceAll(rule, "COUNT", fmt.Sprintf("heard(M%d(%d))", i-1, v))
		}
		g.write("  say%d: if step = %d and %s then step := %d;", i, i-1, wait(i-1), i)
		if k == 3 && i == 2 {
			g.write("      if heard(M1(0)) >= heard(M1(1)) then send M2(0); else send M2(1); endif\n    endif")
			continue
		}
		g.write("      if %s then send M%d(0); elsif %s then send M%d(1); else send M%d(2); endif\n    endif",
			count(0, s.many), i, count(1, s.many), i, i)
	}
	var branches []string
	for level, rule := range []string{s.decides, s.adopts} {
		for v := range 2 {
			if level == 1 && s.decides == s.adopts {
				continue
			}
			guard := strings.ReplaceAll(rule, "COUNT", fmt.Sprintf("heard(M%d(%d))", k, v))
			branches = append(branches, guard+" then "+g.settle(v, level == 0, s.common))
		}
	}
	g.write("  finish: if step = %d and %s then\n      if %s\n      else %s endif\n    endif\nend\n",
		k, wait(k), strings.Join(branches, "\n      elsif "), g.draw(s.common))
}
