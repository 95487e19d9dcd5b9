package random

import (
	"fmt"
	"math/rand"
	"strings"
)

// PromelaBits returns the text of a Promela model with parameters N, T, F whose steps, assertions and formulas take
// quotients, rests and bits of what processes count and of other variables, some of them negative.
func PromelaBits(r *rand.Rand) string {
	g := process{Rand: r, places: 3}
	var b strings.Builder
	b.WriteString("symbolic int N, T, F;\nint sent;\nassume(N >= 1); assume(T >= F);\n")
	b.WriteString("active[" + g.pick("N", "N - F") + "] proctype Proc() {\n  byte pc = 0; int got = 0, k = 0, x = 0;\n  do\n")
	fmt.Fprintf(&b, "    :: atomic { %sgot < sent%s -> got++%s }\n", g.pick("", "", "pc != 2 && "), g.pick("", "", " + F"),
		g.pick("", "; k = "+g.bits("got"), "; k = "+g.bits("k + 1"), "; k = "+g.bits("got - 2")))
	b.WriteString("    :: atomic { pc == 0 -> sent++; pc = 1 }\n")
	for range 1 + g.Intn(2) {
		fmt.Fprintf(&b, "    :: atomic { pc == %d && %s -> %s%s }\n", g.place(), g.bit(), g.pick("", "k = "+g.bits("k")+"; "),
			g.pick("pc = 2", "pc = 2", "assert("+g.bit()+")", "if :: "+g.bit()+" -> pc = 2 :: else -> pc = 0 fi"))
	}
	if g.Intn(3) == 0 {
		fmt.Fprintf(&b, "    :: atomic { pc == 1 -> havoc(x); assume(x <= %s); k = %s; x = 0 }\n", g.pick("3", "got", "sent"), g.bits("x - 1"))
	}
	if g.Intn(2) == 0 {
		b.WriteString("    :: else -> skip\n")
	}
	b.WriteString("  od\n}\n")
	say := strings.NewReplacer("got", "Proc:got", "k", "Proc:k", "pc", "Proc:pc")
	fmt.Fprintf(&b, "ltl a { [](all(%s)) }\n", say.Replace(g.pick("k < 2", "k >= 0", "k != 1", g.bit())))
	fmt.Fprintf(&b, "ltl b { %s }\n", g.pick("[](all(Proc:pc != 2))", "<>(some(Proc:pc == 2))", "[](some(Proc:pc == 2) -> <>(all(Proc:pc == 2)))"))
	return b.String()
}

// bits is a quotient, a rest, or bits of something.
func (g *process) bits(of string) string {
	return "(" + fmt.Sprintf(g.pick("(%s) %% 2", "(%s) %% 3", "(%s) / 2", "(%s) & 1", "(%s) & 3", "(%s) & 2", "(%s) | 1", "(%s) ^ 1", "(%s) >> 1", "3 & (%s)",
		"(%s) & -2", "(%s) | -3", "~(%s) & 1", "(((%s) & 3) + 1) %% 3", "(%s) + (pc == 1)", "((%s) > 1) + 1"), of) + ")"
}

// bit compares one with a number.
func (g *process) bit() string {
	return fmt.Sprintf("%s %s %s", g.bits(g.pick("got", "got", "k", "got - k", "got + 1")), g.pick("==", "==", "!=", ">=", "<"),
		g.pick("0", "1", "1", "2", "T"))
}
