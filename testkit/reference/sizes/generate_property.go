package sizes

import (
	"fmt"
	"slices"
	"strings"
)

// property writes an invariant or a formula.
func (g *generator) property(b *strings.Builder, number int) {
	fair := g.pick(" fair", " fair", "")
	g.speak()
	var text string
	switch g.IntN(3) {
	case 0:
		text = fmt.Sprintf("invariant p%d: %s;\n", number, g.always())
	case 1:
		text = fmt.Sprintf("ltl p%d%s: %s;\n", number, g.pick("", "", " fair"), g.safety())
	default:
		text = fmt.Sprintf("ltl p%d%s: %s;\n", number, fair, g.liveness())
	}
	if g.chance(4) {
		text = strings.Replace(text, "all(", "every(", 1+g.IntN(2))
	}
	if head, body, _ := strings.Cut(text, ": "); g.chance(10) {
		text = fmt.Sprintf("define W%d = %s%s: %sW%d;\n", number, body, head, g.pick("", "", "not not "), number)
	}
	b.WriteString(text)
}

// speak chooses the type of processes that a condition is about.
func (g *generator) speak() {
	g.prefix = ""
	g.kinsfolk = g.roles[g.IntN(len(g.roles))]
	if g.several && (g.chance(3) || g.ambiguous()) {
		g.prefix = g.role + "."
	}
}

// ambiguous tells whether a variable of this type of processes has the name of another one, and other values.
func (g *generator) ambiguous() bool {
	for _, v := range slices.Concat(g.inputs, g.locals) {
		for _, role := range g.roles {
			if slices.ContainsFunc(slices.Concat(role.inputs, role.locals), func(w Variable) bool { return w.Name == v.Name && !same(v, w) }) {
				return true
			}
		}
	}
	return false
}

// about is a condition on one process, mostly on where it has got.
func (g *generator) about() string {
	g.speak()
	v := g.locals[0]
	if g.chance(4) {
		v = g.anyVariable()
	}
	text := g.test(v)
	if called := g.called("state"); called != "" && g.prefix == "" {
		text = called
	}
	switch g.IntN(10) {
	case 0:
		return fmt.Sprintf("%s and %s", text, g.test(g.anyVariable()))
	case 1:
		if len(g.sends) > 0 {
			return fmt.Sprintf("%s or %s%s", text, g.pick(g.prefix, g.prefix, ""), flag(g.sends[0]))
		}
	case 2:
		if len(g.sends) > 0 {
			return g.prefix + flag(g.sends[g.IntN(len(g.sends))])
		}
	case 3:
		return fmt.Sprintf("not (%s)", text)
	}
	return text
}

// begins is a condition on how the run begins.
func (g *generator) begins() string {
	g.speak()
	if len(g.inputs) == 0 || g.chance(6) {
		return g.pick("f = 0", "n > 2", "f >= 1", "n = f", "n > 2 * f", "n > f or f = 0")
	}
	v := g.inputs[g.IntN(len(g.inputs))]
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf("some(%s)", g.test(v))
	case 1:
		return fmt.Sprintf("count(%s) %s %s", g.test(v), g.pick(">=", "<", ">", "<=", "="), g.bound())
	case 2:
		return fmt.Sprintf("count(%s) > count(%s)", g.test(v), g.test(v))
	}
	return fmt.Sprintf("all(%s)", g.test(v))
}

// always is a condition on all processes.
func (g *generator) always() string {
	if len(g.macros) > 0 && g.chance(6) {
		if text := g.logic("all("+g.about()+")", "some("+g.about()+")"); text != "" {
			return text
		}
	}
	if (g.faults == "crash" || g.faults == "clean") && g.chance(5) {
		return g.pick(
			"all(not crashed)",
			fmt.Sprintf("not (some((crashed or not crashed) and %s) and some((crashed or not crashed) and %s))", g.test(g.locals[0]), g.test(g.locals[0])),
			fmt.Sprintf("all(crashed -> %s) or all(%s)", g.test(g.anyVariable()), g.about()),
			fmt.Sprintf("all(crashed or %s)", g.test(g.anyVariable())),
			fmt.Sprintf("all(not crashed or %s)", g.test(g.anyVariable())),
			fmt.Sprintf("count(%s and not crashed) <= %s", g.test(g.anyVariable()), g.bound()),
			fmt.Sprintf("all(not crashed) or all(%s)", g.about()),
			fmt.Sprintf("some(crashed) -> all(%s)", g.about()),
			fmt.Sprintf("count(crashed) <= %s", g.bound()),
			fmt.Sprintf("count(%s.crashed) <= %s", g.role, g.bound()),
			fmt.Sprintf("all(not %s.crashed) or all(%s)", g.role, g.about()),
			fmt.Sprintf("every(crashed or %s)", g.test(g.anyVariable())),
			fmt.Sprintf("every(%s) or every(%s)", g.about(), g.about()),
			fmt.Sprintf("some(crashed and %s) -> some(%s)", g.test(g.anyVariable()), g.about()),
			fmt.Sprintf("all(crashed -> %s)", g.test(g.locals[0])),
			"some(not crashed)")
	}
	switch g.IntN(12) {
	case 7:
		return fmt.Sprintf("all(%s) <-> %s(%s)", g.about(), g.pick("all", "some", "every"), g.about())
	case 10:
		return fmt.Sprintf("%s %s %s", g.pick(fmt.Sprintf("count(%s) / 2", g.about()), fmt.Sprintf("[count(%s) / 2]", g.about())), g.pick("<=", "<", ">="), g.bound())
	case 8:
		return fmt.Sprintf("%s * count(%s) %s %s", g.pick("2", "3"), g.about(), g.pick("<=", "<", ">="), g.pick("n", "n + f", g.bound()))
	case 9:
		return fmt.Sprintf("every(%s) or every(%s)", g.about(), g.about())
	case 0:
		return fmt.Sprintf("all(%s) or all(%s)", g.about(), g.about())
	case 1:
		return fmt.Sprintf("some(%s) -> all(%s)", g.about(), g.about())
	case 2:
		return fmt.Sprintf("not (some(%s) and some(%s))", g.about(), g.about())
	case 3:
		return fmt.Sprintf("count(%s) %s %s", g.about(), g.pick("<=", "<", "!="), g.pick(g.bound(), g.bound(), g.bound(), g.quotient()))
	case 4:
		return fmt.Sprintf("%s or all(%s)", g.pick("f = 0", "n > 2", "f = 1", "n > 2 * f"), g.about())
	case 5:
		return fmt.Sprintf("some(%s)", g.about())
	case 6:
		return fmt.Sprintf("count(%s) + count(%s) %s %s", g.about(), g.about(), g.pick("<=", ">=", "<"), g.pick("n", "n - f", g.bound()))
	}
	return fmt.Sprintf("all(%s)", g.about())
}

// safety is a formula that finite runs violate.
func (g *generator) safety() string {
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("G (%s)", g.always())
	case 1:
		return fmt.Sprintf("G all(%s) or G all(%s)", g.about(), g.about())
	case 2:
		return fmt.Sprintf("G all(%s) -> G (%s)", g.about(), g.always())
	}
	return fmt.Sprintf("%s -> G (%s)", g.begins(), g.always())
}

// liveness is a formula that infinite runs violate.
func (g *generator) liveness() string {
	if len(g.macros) > 0 && g.chance(6) {
		if text := g.logic(g.begins(), "F all("+g.about()+")"); text != "" {
			return text
		}
	}
	switch g.IntN(10) {
	case 0, 1:
		return fmt.Sprintf("%s -> F %s(%s)", g.begins(), g.pick("all", "some"), g.about())
	case 2:
		return fmt.Sprintf("G (%s(%s) -> F %s(%s))", g.pick("some", "all"), g.about(), g.pick("some", "all"), g.about())
	case 3:
		return fmt.Sprintf("F G %s(%s) -> F %s(%s)", g.pick("some", "all"), g.about(), g.pick("some", "all"), g.about())
	case 4:
		return fmt.Sprintf("F %s(%s) or G all(%s)", g.pick("some", "all"), g.about(), g.about())
	case 5:
		return fmt.Sprintf("G F %s(%s)", g.pick("some", "all"), g.about())
	case 6:
		return fmt.Sprintf("F G %s(%s)", g.pick("some", "all"), g.about())
	case 7:
		return fmt.Sprintf("G F all(%s) -> F (%s)", g.about(), g.always())
	}
	return fmt.Sprintf("F %s(%s)", g.pick("all", "some"), g.about())
}
