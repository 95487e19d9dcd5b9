package random

import (
	"fmt"
	"math/rand"
	"strings"
)

// PromelaVaried returns the text of a Promela model with parameters N, T, F that
// uses what people use seldom: first values from the initial block, steps that
// cannot always be taken, counters that grow one by one or become negative, no
// processes, labels anywhere, nested formulas.
func PromelaVaried(r *rand.Rand) string {
	g := varied{process: process{Rand: r, places: 2 + r.Intn(2), counters: 1 + r.Intn(2)/(1+r.Intn(2))}}
	return g.write()
}

type varied struct{ process }

func (g *varied) chance(n int) bool { return g.Intn(n) == 0 }

func (g *varied) write() string {
	var b strings.Builder
	for i := range g.places {
		fmt.Fprintf(&b, "#define P%d %d\n", i, i)
	}
	b.WriteString("symbolic int N, T, F;\n")
	for i := range g.counters {
		fmt.Fprintf(&b, "int sent%d = %s;\n", i, g.pick("0", "0", "0", "1"))
	}
	fmt.Fprintf(&b, "assume(%s); assume(T >= %s); assume(F <= T);\n", g.pick("N > 2 * T", "N > T", "N >= F", "N >= 1", "N + 1 >= F"), g.pick("0", "1"))
	count := g.pick("N", "N - F", "N - F", "N - T")
	heard := g.pick("", " + F", " + F")
	for i := range g.counters {
		fmt.Fprintf(&b, "atomic transit%d = some(Proc:got%d < sent%d);\n", i, i, i)
	}
	fmt.Fprintf(&b, "active[%s] proctype Proc() {\n  byte pc = P0, next_pc = 0;\n", count)
	for i := range g.counters {
		fmt.Fprintf(&b, "  int got%d = %s, next%d = 0;\n", i, g.pick("0", "0", "0", "1"), i)
	}
	if g.chance(3) {
		b.WriteString("start:\n")
	}
	b.WriteString("  if\n")
	for range 1 + g.Intn(2) {
		fmt.Fprintf(&b, "    :: pc = P%d;%s\n", g.Intn(min(2, g.places)), g.pick("", "", " got0 = 0;", " got0 = 1;", " got0 = 2;", " got0 = -1;"))
	}
	b.WriteString("  fi;\nend:\n  do\n")
	for range 1 + g.Intn(2)/(1+g.Intn(2)) {
		g.step(&b, heard)
	}
	b.WriteString("  od;\n}\n")
	if !g.chance(3) {
		var fair []string
		for i := range g.counters {
			fair = append(fair, fmt.Sprintf("!transit%d", i))
		}
		fmt.Fprintf(&b, "ltl fairness { []<>(%s) }\n", strings.Join(fair, " && "))
	}
	fmt.Fprintf(&b, "ltl a { %s }\nltl b { %s }\n", g.nested(), g.nested())
	return b.String()
}

func (g *varied) step(b *strings.Builder, heard string) {
	b.WriteString("    :: atomic {\n")
	if g.chance(3) {
		fmt.Fprintf(b, "      pc %s P%d ->\n", g.pick("!=", "!=", "=="), g.place())
	}
	for i := range g.counters {
		g.receive(b, i, heard)
	}
	b.WriteString("      if\n")
	for range 1 + g.Intn(3) {
		act := ""
		if g.chance(2) {
			act = fmt.Sprintf(" sent%d%s;", g.counter(), g.pick("++", "++", fmt.Sprintf(" = sent0 + %d", 1+g.Intn(2))))
			act = strings.Replace(act, "sent1 = sent0", "sent1 = sent1", 1)
		}
		from := g.place()
		to := g.place()
		if act != "" {
			to = (from + 1) % g.places // sending again and again makes instances infinite
		}
		fmt.Fprintf(b, "        :: pc == P%d && %s -> next_pc = P%d;%s\n", from, g.heard(), to, act)
	}
	if !g.chance(3) {
		fmt.Fprintf(b, "        :: %s -> next_pc = pc;\n", g.pick("else", "else", "pc == P0", fmt.Sprintf("pc == P%d", g.place())))
	}
	b.WriteString("      fi;\n      pc = next_pc;\n")
	for i := range g.counters {
		fmt.Fprintf(b, "      got%d = next%d; next%d = 0;\n", i, i, i)
	}
	b.WriteString("      next_pc = 0;\n    }\n")
}

func (g *varied) receive(b *strings.Builder, i int, heard string) {
	switch g.Intn(5) {
	case 0: // one by one, guarded
		fmt.Fprintf(b, "      if\n        :: got%d < sent%d%s -> next%d = got%d + 1;\n        :: next%d = got%d;\n      fi;\n", i, i, heard, i, i, i, i)
	case 1: // one by one, refused afterwards
		fmt.Fprintf(b, "      if\n        :: next%d = got%d + 1;\n        :: next%d = got%d;\n      fi;\n      assume(next%d <= sent%d%s);\n", i, i, i, i, i, i, heard)
	case 2:
		fmt.Fprintf(b, "      havoc(next%d); assume(next%d <= sent%d%s);\n      assume(got%d <= next%d);\n", i, i, i, heard, i, i)
	case 3: // must receive where something is left
		fmt.Fprintf(b, "      if\n        :: got%d < sent%d%s -> havoc(next%d); assume(got%d < next%d && next%d <= sent%d%s);\n        :: else -> next%d = got%d;\n      fi;\n", i, i, heard, i, i, i, i, i, heard, i, i)
	default:
		fmt.Fprintf(b, "      havoc(next%d); assume(got%d <= next%d && next%d <= sent%d%s);\n", i, i, i, i, i, heard)
	}
}

func (g *varied) heard() string {
	return fmt.Sprintf("next%d %s %s", g.counter(), g.pick(">=", ">=", "<", "=="), g.pick("0", "1", "2", "T", "T + 1", "N - T"))
}

// nested returns a formula.
func (g *varied) nested() string {
	prop := func() string {
		at := fmt.Sprintf("Proc:pc %s P%d", g.pick("==", "!="), g.place())
		switch g.Intn(9) {
		case 0:
			return g.pick("all", "some") + "(Proc:got0 " + g.pick(">=", "<") + " " + g.pick("0", "1", "T", "sent0") + ")"
		case 1:
			return g.pick("all", "some") + "(Proc@end)"
		case 2:
			return fmt.Sprintf("card(%s) %s %s", at, g.pick(">=", "<="), g.pick("1", "T", "N - F"))
		case 3:
			return "sent0 " + g.pick(">=", "<=") + g.pick(" N", " T + 1", " 1")
		}
		return g.pick("all", "some") + "(" + at + ")"
	}
	switch p, q := prop(), prop(); g.Intn(12) {
	case 0:
		return p + " -> " + q + " -> [](" + prop() + ")"
	case 1:
		return "[](" + p + " -> <>(" + q + "))"
	case 2:
		return "<>[](" + p + ")"
	case 3:
		return "[]<>(" + p + ")"
	case 4:
		return "(" + p + ") <-> (" + q + ")"
	case 5:
		return "(" + p + ") -> <>(" + q + ")"
	case 6:
		return "[]((" + p + ") || (" + q + "))"
	case 7:
		return "<>((" + p + ") && (" + q + "))"
	case 8:
		return "([]<>(" + p + ")) -> <>(" + q + ")"
	case 9:
		return "<>(" + p + ")"
	default:
		return "[](" + p + ")"
	}
}
