package random

import (
	"fmt"
	"math/rand"
	"strings"
)

// FirstOrder writes a first-order system: a sort, perhaps ordered, perhaps one of sets of it; relations and a constant
// that change; steps that put something into relations, take something out, or leave something open.
func FirstOrder(rng *rand.Rand) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	pick := func(list ...string) string { return list[rng.Intn(len(list))] }
	line("sort a")
	sets, ordered, constant := rng.Intn(3) == 0, rng.Intn(3) == 0, rng.Intn(3) == 0
	if sets {
		line("sort q\nimmutable relation member(a, q)\naxiom forall Q1, Q2. exists N. member(N, Q1) & member(N, Q2)")
	}
	if ordered {
		line("immutable relation le(a, a)\naxiom le(X, X)\naxiom le(X, Y) & le(Y, Z) -> le(X, Z)\naxiom le(X, Y) & le(Y, X) -> X = Y\naxiom le(X, Y) | le(Y, X)")
	}
	line("mutable relation r(a)\nmutable relation s(a)\nmutable relation t(a, a)\nmutable relation f")
	if constant {
		line("mutable constant c: a")
	}
	line("init !t(X, Y)\ninit %sf\ninit %s\ninit !s(X)", pick("", "!"), pick("!r(X)",
		"exists X. forall Y. r(Y) <-> Y = X", "r(X) & r(Y) -> X = Y"))
	atom := func(x, y string) string {
		list := []string{"r(" + x + ")", "s(" + x + ")", "t(" + x + ", " + y + ")", "t(" + y + ", " + x + ")", "f",
			x + " = " + y, "r(" + y + ")", "s(" + y + ")"}
		if ordered {
			list = append(list, "le("+x+", "+y+")")
		}
		if constant {
			list = append(list, x+" = c")
		}
		return pick("", "!") + pick(list...)
	}
	for i := range 2 + rng.Intn(2) {
		old := rng.Intn(2) == 0 // not all steps change two things
		var parts []string
		params := "x: a, y: a"
		for range 1 + rng.Intn(2) {
			parts = append(parts, atom("x", "y"))
		}
		switch rng.Intn(5) {
		case 0:
			parts = append(parts, "(forall Z. "+pick("r", "s")+"(Z) -> "+pick("s(Z)", "Z = x", "t(Z, x)")+")")
		case 1:
			if sets {
				params += ", p: q"
				parts = append(parts, "(forall Z. member(Z, p) -> "+pick("r(Z)", "t(x, Z)", "!s(Z)")+")")
			}
		}
		modifies := []string{}
		change := func(name string) {
			modifies = append(modifies, name)
			switch name {
			case "f":
				parts = append(parts, pick("new(f)", "!new(f)", "new(f) <-> f | r(x)"))
			case "c":
				parts = append(parts, pick("new(c) = x", "new(c) != c", "r(new(c))"))
			case "t":
				parts = append(parts, pick("(forall A, B. new(t(A, B)) <-> t(A, B) | A = x & B = y)",
					"(forall A, B. new(t(A, B)) <-> t(A, B) & A != x)"))
			default:
				parts = append(parts, fmt.Sprintf(pick("(forall A. new(%[1]s(A)) <-> %[1]s(A) | A = x)",
					"(forall A. new(%[1]s(A)) <-> %[1]s(A) & A != x)",
					"(forall A. A != x -> (new(%[1]s(A)) <-> %[1]s(A)))",
					"(forall A. new(%[1]s(A)) <-> if A = x then s(y) else %[1]s(A))"), name))
			}
		}
		names := []string{"r", "s", "t", "f"}
		if constant {
			names = append(names, "c")
		}
		first := pick(names...)
		change(first)
		if second := pick(names...); second != first && !old {
			change(second)
		}
		for k := range parts {
			if strings.Contains(parts[k], "<->") && parts[k][0] != '(' {
				parts[k] = "(" + parts[k] + ")"
			}
		}
		line("transition step%d(%s)\n  modifies %s\n  %s", i, params, strings.Join(modifies, ", "),
			strings.Join(parts, " & "))
	}
	var literals []string
	for range 2 + rng.Intn(2) {
		literals = append(literals, atom("X", "Y"))
	}
	if rng.Intn(3) == 0 {
		literals = append(literals, "(exists Z. r(Z) & t(Z, X))")
	}
	line("safety %s | X:a = Y:a", strings.Join(literals, " | "))
	return strings.ReplaceAll(b.String(), "X:a = Y:a", "(exists Z:a. Z = X & Z = Y)")
}
