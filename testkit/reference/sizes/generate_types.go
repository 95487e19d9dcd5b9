package sizes

import (
	"fmt"
	"slices"
	"strings"
)

// faultsByType says how many processes of two types are faulty, and how.
func (g *generator) faultsByType(budget string) string {
	if g.faults == "none" {
		return "faults none;\n"
	}
	one := func(number, of string) string { return fmt.Sprintf("faults %s %s of %s;\n", g.faults, number, of) }
	choices := []string{
		one("f", "node"), one("f", "node") + one("g", "king"), one("g", "king") + one("f", "node"),
		one("f", "king"), one("f", "node") + one("1", "king"), one("0", "node") + one("f", "king"),
	}
	if g.faults == "crash" || g.faults == "clean" {
		choices = append(choices, fmt.Sprintf("faults %s%s;\n", g.faults, budget), fmt.Sprintf("faults %s f;\n", g.faults),
			one("f", "node, king"), one("f", "king, node"))
	}
	return g.pick(choices...)
}

// field is a value that messages of a kind carry.
func (g *generator) field() Variable {
	f := Variable{Type: "range", High: 1}
	switch g.IntN(10) {
	case 0, 1:
		f.Type = "bool"
	case 2, 3:
		f.Type, f.Names = "enum", g.names
		if g.chance(2) {
			f.Names = []string{"C0", "C1", "C2"}[:2+g.IntN(4)/3]
		}
		f.High = len(f.Names) - 1
	case 4:
		f.Low, f.High = 1, 2
	case 5:
		f.High = 2
	}
	if g.chance(4) {
		f.Name = g.pick("view", "val")
	}
	return f
}

// fieldValue is a value of a field: a constant, one of some variables, or a condition.
func (g *generator) fieldValue(f Variable, variables []Variable) string {
	for _, v := range variables {
		within := v.Type == "range" && v.Low >= f.Low && v.High <= f.High || v.Type == "enum" && slices.Equal(v.Names, f.Names) || v.Type == "bool"
		if v.Type == f.Type && within && g.chance(2) {
			return v.Name
		}
	}
	if f.Type == "bool" && len(variables) > 0 && g.chance(3) {
		return g.test(variables[g.IntN(len(variables))])
	}
	return g.constant(f)
}

// populate says which variables processes have, and what they send.
func (g *generator) populate() {
	node := &kinsfolk{role: "node"}
	for _, name := range []string{"i", "j"}[:[]int{0, 0, 1, 1, 1, 1, 2}[g.IntN(7)]] {
		v := Variable{Name: name, Type: g.pick("bool", "bool", "range"), High: 1}
		if g.chance(12) {
			v.Type, v.Names = "enum", []string{"Yes" + name, "No" + name}
		}
		node.inputs = append(node.inputs, v)
	}
	s := Variable{Name: "s", Type: "enum", Names: g.names, High: len(g.names) - 1}
	node.locals = []Variable{s}
	if g.chance(3) {
		node.locals = append(node.locals, Variable{Name: "x", Type: g.pick("bool", "range"), High: 1})
	}
	g.roles = []*kinsfolk{node}
	if !g.several {
		node.sends = g.kinds
		return
	}
	king := &kinsfolk{role: "king"}
	switch {
	case len(node.inputs) > 0 && g.chance(2):
		king.inputs = node.inputs[:1]
	case g.chance(2):
		king.inputs = []Variable{{Name: "k", Type: g.pick("bool", "range"), High: 1}}
	}
	if g.chance(2) {
		king.locals = []Variable{s}
	} else {
		king.locals = []Variable{{Name: "u", Type: "enum", Names: []string{"LOW", "TOP"}, High: 1}}
	}
	for _, k := range g.kinds {
		switch g.IntN(5) {
		case 0, 1:
			node.sends = append(node.sends, k)
		case 2, 3:
			king.sends = append(king.sends, k)
		default:
			node.sends, king.sends = append(node.sends, k), append(king.sends, k)
		}
	}
	g.roles = append(g.roles, king)
	if g.chance(4) {
		slices.Reverse(g.roles)
	}
}

// senders are the types of processes that send a kind.
func (g *generator) senders(k Kind) []string {
	var names []string
	for _, role := range g.roles {
		if slices.ContainsFunc(role.sends, func(other Kind) bool { return other.Name == k.Name }) {
			names = append(names, role.role)
		}
	}
	return names
}

// shared are the inputs that all types of processes have.
func (g *generator) shared() []Variable {
	var shared []Variable
	for _, v := range g.roles[0].inputs {
		if !slices.ContainsFunc(g.roles, func(r *kinsfolk) bool {
			return !slices.ContainsFunc(r.inputs, func(w Variable) bool { return w.Name == v.Name })
		}) {
			shared = append(shared, v)
		}
	}
	return shared
}

// definitions give names to a sum of parameters and to conditions.
func (g *generator) definitions(b *strings.Builder) {
	if !g.chance(4) {
		return
	}
	bound := g.anyBound()
	fmt.Fprintf(b, "define D = %s;\n", bound)
	g.usualBounds = append(g.usualBounds, "D", g.pick("2 * D", "D - 1", "n - D"))
	if g.chance(2) {
		fmt.Fprintf(b, "define E = %s >= D %s %s;\n", g.anyHeard(), g.pick("or", "and"), g.threshold())
		g.defined = []string{"E", "not E"}
	}
	if g.chance(3) {
		fmt.Fprintf(b, "define HALF = %s;\n", g.quotient())
		g.defined = append(g.defined, fmt.Sprintf("%s > HALF", g.anyHeard()))
	}
	b.WriteString("\n")
}

// quotient is a sum of parameters with a quotient in it.
func (g *generator) quotient() string {
	return g.pick("n / 2", "n / 2", "(n + f) / 2", "(n + f) / 2", "[n / 2]", "[(n + f) / 2]", "⌈n / 2⌉", "n / 2 + f", "n - n / 2", "(2 * n) / 3", "(n - 2 * f) / 2", "[n / 3] + 1")
}

// initial writes a condition on initial states.
func (g *generator) initial(b *strings.Builder) {
	if !g.chance(5) {
		return
	}
	g.speak()
	if len(g.inputs) == 0 {
		return
	}
	v := g.inputs[g.IntN(len(g.inputs))]
	condition := g.pick(
		fmt.Sprintf("count(%s) = 1", g.test(v)), fmt.Sprintf("some(%s)", g.test(v)), fmt.Sprintf("all(%s) or n > 2", g.test(v)),
		fmt.Sprintf("all(%s) or all(%s)", g.test(v), g.test(v)), fmt.Sprintf("count(%s) <= f", g.test(v)))
	fmt.Fprintf(b, "init %s;\n\n", condition)
	g.prefix = ""
}
