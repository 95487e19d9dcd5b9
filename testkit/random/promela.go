package random

import (
	"fmt"
	"math/rand"
	"strings"
)

// Promela returns the text of a Promela model with parameters N, T, F: two to
// four places in the program, one or two receive counters that are compared with
// one to three bounds, faults of several kinds, and a formula or two under
// fairness.
func Promela(r *rand.Rand) string {
	g := process{Rand: r, places: 2 + r.Intn(3), counters: 1 + r.Intn(2), byzantine: r.Intn(2) == 0, crash: r.Intn(3) == 0}
	return g.write()
}

type process struct {
	*rand.Rand
	places, counters int
	byzantine, crash bool
	sums             bool // steps compare sums of counters
}

func (g *process) pick(list ...string) string { return list[g.Intn(len(list))] }

func (g *process) bound() string { return g.pick("1", "T", "T + 1", "N - T", "2") }

func (g *process) counter() int { return g.Intn(g.counters) }

func (g *process) place() int { return g.Intn(g.places) }

func (g *process) write() string {
	var b strings.Builder
	for i := range g.places {
		fmt.Fprintf(&b, "#define P%d %d\n", i, i)
	}
	b.WriteString("symbolic int N; symbolic int T; symbolic int F;\n")
	for i := range g.counters {
		fmt.Fprintf(&b, "int sent%d;\n", i)
	}
	if g.crash {
		b.WriteString("int nfaulty;\n")
	}
	fmt.Fprintf(&b, "assume(%s); assume(T >= %s); assume(F <= T);\n", g.pick("N > 2 * T", "N > 3 * T", "N > T"), g.pick("0", "1"))
	count, heard := "N", ""
	if g.byzantine {
		count, heard = "N - F", " + F"
	}
	transit := make([]string, g.counters)
	for i := range transit {
		fmt.Fprintf(&b, "atomic transit%d = some(Proc:got%d < sent%d);\n", i, i, i)
		transit[i] = fmt.Sprintf("!transit%d", i)
	}
	fmt.Fprintf(&b, "active[%s] proctype Proc() {\n  byte pc = P0, next_pc = P0;\n", count)
	for i := range g.counters {
		fmt.Fprintf(&b, "  int got%d = 0, next%d = 0;\n", i, i)
	}
	b.WriteString("  if\n    :: pc = P0;\n")
	if g.places > 2 && g.Intn(2) == 0 {
		b.WriteString("    :: pc = P1;\n")
	}
	b.WriteString("  fi;\nend:\n  do\n    :: atomic {\n")
	for i := range g.counters {
		receive := fmt.Sprintf("havoc(next%d); assume(got%d <= next%d && next%d <= sent%d%s);", i, i, i, i, i, heard)
		if g.Intn(4) == 0 {
			fmt.Fprintf(&b, "      if\n        :: pc != P%d -> %s\n        :: else -> next%d = got%d;\n      fi;\n", g.place(), receive, i, i)
		} else {
			fmt.Fprintf(&b, "      %s\n", receive)
		}
	}
	b.WriteString("      if\n")
	for range 1 + g.Intn(3) {
		fmt.Fprintf(&b, "        :: %s -> next_pc = P%d;\n", g.guard(), g.place())
	}
	switch g.Intn(3) {
	case 0:
		fmt.Fprintf(&b, "        :: pc == P%d -> next_pc = pc;\n", g.place())
	default:
		b.WriteString("        :: else -> next_pc = pc;\n")
	}
	if g.crash {
		fmt.Fprintf(&b, "        :: nfaulty < F && pc != P%d -> nfaulty++; next_pc = P%d;\n", g.places-1, g.places-1)
	}
	b.WriteString("      fi;\n      if\n")
	for i := range g.counters {
		from := g.Intn(g.places)
		if g.Intn(2) == 0 {
			fmt.Fprintf(&b, "        :: pc == P%d && next_pc != P%d -> sent%d++;\n", from, from, i)
		} else {
			fmt.Fprintf(&b, "        :: pc != P%d && next_pc == P%d -> sent%d++;\n", from, from, i)
		}
	}
	b.WriteString("        :: else;\n      fi;\n      pc = next_pc;\n")
	for i := range g.counters {
		fmt.Fprintf(&b, "      got%d = next%d; next%d = 0;\n", i, i, i)
	}
	b.WriteString("      next_pc = 0;\n    }\n  od;\n}\n")
	fmt.Fprintf(&b, "ltl fairness { []<>(%s) }\n", strings.Join(transit, " && "))
	fmt.Fprintf(&b, "ltl a { %s }\n", g.formula())
	if g.Intn(2) == 0 {
		fmt.Fprintf(&b, "ltl b { %s }\n", g.formula())
	}
	return b.String()
}

// PromelaSums returns the text of a model like those of Promela, with two or three counters, whose steps compare
// sums and multiples of them, and differences.
func PromelaSums(r *rand.Rand) string {
	g := process{Rand: r, places: 2 + r.Intn(3), counters: 2 + r.Intn(5)/4, byzantine: r.Intn(3) == 0, crash: r.Intn(3) == 0, sums: true}
	return g.write()
}

// sum is a comparison of several counters.
func (g *process) sum() string {
	i, j := g.counter(), g.counter()
	if i == j {
		j = (i + 1) % g.counters
	}
	total := fmt.Sprintf("next%d + next%d", i, j)
	switch g.Intn(6) {
	case 0:
		total = fmt.Sprintf("next%d + 2 * next%d", i, j)
	case 1:
		total = fmt.Sprintf("2 * next%d", i)
	case 2:
		total = fmt.Sprintf("next%d - next%d", i, j)
	}
	return fmt.Sprintf("%s %s %s", total, g.pick(">=", ">=", "<", ">", "<="), g.bound())
}

// guard compares the place and what has been received.
func (g *process) guard() string {
	if g.sums {
		return fmt.Sprintf("pc == P%d && %s", g.place(), g.pick(g.sum(), g.sum(), g.sum()+" && "+g.sum()))
	}
	received := fmt.Sprintf("next%d %s %s", g.counter(), g.pick(">=", ">=", "<"), g.bound())
	if g.counters == 2 && g.Intn(6) == 0 {
		received = g.pick("next0 + next1 >= "+g.bound(), "next0 > next1")
	}
	if g.Intn(4) == 0 {
		return received
	}
	return fmt.Sprintf("pc == P%d && %s", g.place(), received)
}

func (g *process) formula() string {
	at := func() string { return fmt.Sprintf("pc == P%d", g.place()) }
	switch g.Intn(6) {
	case 0:
		return fmt.Sprintf("[](all(Proc:%s))", strings.Replace(at(), "==", "!=", 1))
	case 1:
		return fmt.Sprintf("all(Proc:pc == P0) -> [](!some(Proc:%s))", at())
	case 2:
		return fmt.Sprintf("<>(some(Proc:%s))", at())
	case 3:
		return fmt.Sprintf("[](some(Proc:%s) -> <>(all(Proc:%s || Proc:%s)))", at(), at(), at())
	case 4:
		return fmt.Sprintf("all(Proc:pc == P0) -> <>(all(Proc:%s))", strings.Replace(at(), "==", "!=", 1))
	}
	return fmt.Sprintf("[](card(Proc:%s) + card(Proc:%s) <= N)", at(), at())
}
