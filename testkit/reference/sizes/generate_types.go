package sizes

import (
	"fmt"
	"slices"
	"strings"
)

// faultsByType says how many processes of several types are faulty, and how.
func (g *generator) faultsByType(budget string) string {
	if g.faults == "none" {
		return g.pick("faults none;\n", "")
	}
	one := func(number, of string) string { return fmt.Sprintf("faults %s %s of %s;\n", g.faults, number, of) }
	choices := []string{
		one("f", "node"), one("f", "node") + one("g", "king"), one("g", "king") + one("f", "node"),
		one("f", "king"), one("f", "node") + one("1", "king"), one("0", "node") + one("f", "king"),
	}
	crashing := g.faults == "crash" || g.faults == "clean"
	if crashing {
		choices = append(choices, fmt.Sprintf("faults %s%s;\n", g.faults, budget), fmt.Sprintf("faults %s f;\n", g.faults),
			one("f", "node, king"), one("f", "king, node"), one("f", "node, king"), one("f", "king, node"))
	}
	if g.third {
		choices = append(choices, one("f", "node")+one("1", "aide"), one("g", "aide")+one("f", "node")+one("1", "king"), one("g", "aide"))
		if crashing {
			choices = append(choices, one("f", "node, king")+one("g", "aide"), one("g", "king, aide"), one("f", "node, king, aide"))
		}
	}
	return g.pick(choices...)
}

// size is how many processes there are of a type.
func (g *generator) size() string {
	switch {
	case g.role == "aide":
		return g.pick("1", "1", "1", "2")
	case g.role == "king" && g.has("m") && !g.chance(4):
		return "m"
	case g.role == "king":
		return g.pick("1", "1", "1", "1", "2", "f + 1")
	case len(g.sums) > 0 && g.chance(4):
		return "n - BASE"
	case g.several && g.chance(3):
		return "n - 1"
	}
	return "n"
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
			f.Names = []string{"C0", "C1", "C2"}[:len(g.names)]
		}
		f.High = len(f.Names) - 1
	case 4:
		f.Low, f.High = 1, 2
	case 5:
		f.High = 2
	case 6:
		f.Low = -1
	case 7:
		if g.chance(3) {
			f.High = 0
		}
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
		switch {
		case g.chance(12):
			v.Type, v.Names, v.High = "enum", []string{"Yes" + name, "No" + name}, 1
		case v.Type == "range" && g.chance(3):
			v.Low, v.High = g.span()
		}
		node.inputs = append(node.inputs, v)
	}
	s := Variable{Name: "s", Type: "enum", Names: g.names, High: len(g.names) - 1}
	node.locals = []Variable{s}
	if g.chance(3) {
		x := Variable{Name: "x", Type: g.pick("bool", "range"), High: 1}
		if x.Type == "range" && g.chance(2) {
			x.Low, x.High = g.span()
		}
		node.locals = append(node.locals, x)
	}
	g.roles = []*kinsfolk{node}
	if !g.several {
		node.sends = g.kinds
		return
	}
	g.roles = append(g.roles, g.other("king", node, Variable{Name: "u", Type: "enum", Names: []string{"LOW", "TOP"}, High: 1}))
	if g.third {
		g.roles = append(g.roles, g.other("aide", node, Variable{Name: "w", Type: "bool", High: 1}))
	}
	for _, k := range g.kinds {
		for first := g.IntN(len(g.roles)); ; first = (first + 1) % len(g.roles) {
			role := g.roles[first]
			if slices.ContainsFunc(role.sends, func(other Kind) bool { return other.Name == k.Name }) {
				break
			}
			role.sends = append(role.sends, k)
			if !g.chance(5) {
				break
			}
		}
	}
	if g.chance(4) {
		slices.Reverse(g.roles)
	}
}

// span is the least and the greatest number of a range.
func (g *generator) span() (low, high int) {
	low = []int{-1, 1, 2, 0}[g.IntN(4)]
	return low, low + 1 + g.IntN(3)/2
}

// other is a type of processes besides node, with a variable of its own, or one that node has, too; or one that only has
// the name of one of node's.
func (g *generator) other(name string, node *kinsfolk, own Variable) *kinsfolk {
	role := &kinsfolk{role: name}
	switch {
	case len(node.inputs) > 0 && g.chance(2):
		v := node.inputs[0]
		if g.chance(4) {
			v = Variable{Name: v.Name, Type: "enum", Names: []string{"LEFT", "RIGHT"}, High: 1}
		}
		role.inputs = []Variable{v}
	case g.chance(2):
		role.inputs = []Variable{{Name: "k", Type: g.pick("bool", "range"), High: 1}}
	}
	if g.chance(2) {
		own = node.locals[0]
	}
	role.locals = []Variable{own}
	return role
}

// same tells whether two variables have the same values.
func same(v, w Variable) bool {
	return v.Type == w.Type && v.Low == w.Low && v.High == w.High && slices.Equal(v.Names, w.Names)
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
		if slices.ContainsFunc(g.params, func(p Variable) bool { return p.Name == v.Name }) {
			continue // a parameter is meant
		}
		if !slices.ContainsFunc(g.roles, func(r *kinsfolk) bool {
			return !slices.ContainsFunc(r.inputs, func(w Variable) bool { return w.Name == v.Name && same(v, w) })
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
	if g.chance(3) && !g.several {
		g.kinsfolk = g.roles[0]
		fmt.Fprintf(b, "define ASK = %s;\n", g.condition())
		g.defined = append(g.defined, "ASK")
	}
	if g.chance(3) {
		bound = g.pick("D + 1", "D - f", "n - D")
		fmt.Fprintf(b, "define MORE = %s;\n", bound)
		g.usualBounds = append(g.usualBounds, "MORE", "n - MORE")
	}
	b.WriteString("\n")
}

// quotient is a sum of parameters with a quotient in it.
func (g *generator) quotient() string {
	return g.pick("n / 2", "n / 2", "(n + f) / 2", "(n + f) / 2", "[n / 2]", "[(n + f) / 2]", "⌈n / 2⌉", "n / 2 + f", "n - n / 2", "(2 * n) / 3", "(n - 2 * f) / 2", "[n / 3] + 1",
		"[(n - 2 * f) / 2]", "(f - n) / 2 + n", "n - [f / 2]", "⌊n / 2⌋", "⌊(n + f) / 3⌋ + 1")
}

// assumedQuotient is an assumption with a quotient.
func (g *generator) assumedQuotient() string {
	return g.pick("f <= n / 2", "n > [n / 2]", "2 * f < n / 2 + 2", "f <= (n - 1) / 2", "f < [n / 2]", "f <= (n - 1) / 3", "f = n / 2", "n - f >= [(n + 1) / 2]", "(n - 2 * f) / 2 >= 0", "f != n / 2",
		"n / 3 <= f", "f >= ⌈n / 3⌉")
}

// initial writes conditions on initial states.
func (g *generator) initial(b *strings.Builder) {
	if !g.chance(5) {
		return
	}
	for range 1 + g.IntN(4)/3 {
		if condition := g.begin(); condition != "" {
			fmt.Fprintf(b, "init %s;\n\n", condition)
		}
	}
	g.prefix = ""
}

// begin is a condition on initial states, mostly on inputs.
func (g *generator) begin() string {
	g.speak()
	if len(g.inputs) == 0 {
		return ""
	}
	v := g.inputs[g.IntN(len(g.inputs))]
	test := func() string { return g.test(v) }
	all := g.pick("all", "all", "every")
	switch g.IntN(12) {
	case 0:
		return fmt.Sprintf("%s(%s or %s)", all, test(), g.test(g.locals[0]))
	case 1:
		return fmt.Sprintf("2 * count(%s) > %s", test(), g.pick("n", "f", "n - f"))
	case 2:
		return fmt.Sprintf("%s(%s) -> %s", all, test(), g.pick("f = 0", "n > 2", "f >= 1"))
	case 3:
		first := test()
		g.speak()
		return fmt.Sprintf("some(%s) or not %s(%s)", first, all, g.test(g.anyVariable()))
	case 4:
		return fmt.Sprintf("count(%s) + count(%s) <= n", test(), test())
	case 5:
		return fmt.Sprintf("count(%s) %s %s", test(), g.pick("<=", ">=", "="), g.pick("n / 2", "[n / 2]", "(n - f) / 2"))
	case 6:
		if g.faults == "crash" || g.faults == "clean" {
			return g.pick("not some(crashed)", "all(not crashed)")
		}
		return g.pick("n > f or n = f", "some("+test()+") or f = 0")
	}
	return g.pick(
		fmt.Sprintf("count(%s) = 1", test()), fmt.Sprintf("some(%s)", test()), fmt.Sprintf("%s(%s) or n > 2", all, test()),
		fmt.Sprintf("all(%s) or %s(%s)", test(), all, test()), fmt.Sprintf("count(%s) <= f", test()), fmt.Sprintf("%s(%s)", all, test()),
		fmt.Sprintf("not %s(%s)", all, test()))
}
