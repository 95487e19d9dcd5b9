package automata

// Fairness is the assumption that is derived from the rules: no process stays for ever where a rule to
// somewhere else stays enabled (docs/fairness.md).
type Fairness struct {
	// Except are rules of a name, or into a location of a name, that need never fire; ExceptGuard are
	// rules with a guard, as text.
	Except, ExceptGuard string
	// Silent is the parameter that counts faults, which may be silent; "" is none.
	Silent string
}

// SilentParameter is the one that is taken if nothing else is said.
func (m *Model) SilentParameter() string {
	for _, name := range []string{"f", "F"} {
		if indexOf(m.Parameters, name) >= 0 {
			return name
		}
	}
	return ""
}

// A Force says that no process stays in a location for ever while the guard stays true.
type Force struct {
	Rule  Rule
	Guard *Node
}

// Forces are what the rules to somewhere else demand, with the help of faults left out of guards.
func (f Fairness) Forces(m *Model) []Force {
	var all []Force
	for _, rule := range m.Rules {
		if rule.From == rule.To || m.Shown(rule) == f.Except || m.Locations[rule.To] == f.Except {
			continue
		}
		if f.ExceptGuard != "" && rule.Guard.String() == f.ExceptGuard {
			continue
		}
		all = append(all, Force{rule, f.weaken(m, rule.Guard, false)})
	}
	return all
}

// weaken leaves the help of faults out of a guard, or of its negation.
func (f Fairness) weaken(m *Model, n *Node, negated bool) *Node {
	switch n.Op {
	case "true", "false":
		if (n.Op == "true") != negated {
			return &Node{Op: "true"}
		}
		return &Node{Op: "false"}
	case "!":
		return f.weaken(m, n.Left, !negated)
	case "&&", "||", "->":
		op := n.Op
		left := f.weaken(m, n.Left, negated != (op == "->"))
		right := f.weaken(m, n.Right, negated)
		if op == "->" {
			op = "||"
		}
		if negated {
			op = map[string]string{"&&": "||", "||": "&&"}[op]
		}
		return &Node{Op: op, Left: left, Right: right}
	}
	op := n.Op
	if negated {
		op = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[op]
	}
	// == is both of two comparisons, != one of them.
	switch op {
	case "==":
		return &Node{Op: "&&", Left: f.comparison(m, n, ">="), Right: f.comparison(m, n, "<=")}
	case "!=":
		return &Node{Op: "||", Left: f.comparison(m, n, ">"), Right: f.comparison(m, n, "<")}
	}
	return f.comparison(m, n, op)
}

// stronger reports whether faults help a guard under a multiple of a quotient: the program's bound is stronger then, by
// how much is its own affair (docs/fairness.md).
func (f Fairness) stronger(m *Model, n *Node) bool {
	if n == nil {
		return false
	}
	if n.Op == "*" && (quotientOf(m, n.Left, f.Silent) || quotientOf(m, n.Right, f.Silent)) {
		return true
	}
	if definition, ok := m.Defines[n.Name]; ok && n.Op == "name" {
		return f.stronger(m, definition)
	}
	return f.stronger(m, n.Left) || f.stronger(m, n.Right)
}

// quotientOf reports whether a parameter is divided somewhere inside.
func quotientOf(m *Model, n *Node, parameter string) bool {
	if n == nil {
		return false
	}
	if definition, ok := m.Defines[n.Name]; ok && n.Op == "name" {
		return quotientOf(m, definition, parameter)
	}
	return n.Op == "/" && mentions(m, n, parameter) || quotientOf(m, n.Left, parameter) || quotientOf(m, n.Right, parameter)
}

func mentions(m *Model, n *Node, parameter string) bool {
	if n == nil {
		return false
	}
	if definition, ok := m.Defines[n.Name]; ok && n.Op == "name" {
		return mentions(m, definition, parameter)
	}
	return n.Op == "name" && n.Name == parameter || mentions(m, n.Left, parameter) || mentions(m, n.Right, parameter)
}

// comparison leaves the help of faults out of one comparison: nothing is forced if they hinder, too.
func (f Fairness) comparison(m *Model, n *Node, op string) *Node {
	sign := 1
	if op == "<" || op == "<=" {
		sign = -1
	}
	helps, hinders := f.effect(m, &Node{Op: "-", Left: n.Left, Right: n.Right}, sign)
	switch {
	case helps && hinders:
		return &Node{Op: "false"}
	case helps:
		return &Node{Op: op, Left: without(m, n.Left, f.Silent), Right: without(m, n.Right, f.Silent)}
	}
	return &Node{Op: op, Left: n.Left, Right: n.Right}
}

// period is a multiple of all divisors of the texts that are compared. Terms are linear but for divisions, so what one
// fault more changes depends on the remainders of parameters only.
const period = 12

// effect says whether one fault more can make the term, times the sign, greater, and whether it can make it smaller.
func (f Fairness) effect(m *Model, term *Node, sign int) (greater, smaller bool) {
	if indexOf(m.Parameters, f.Silent) < 0 {
		return false, false
	}
	e := environment{}
	for _, names := range [][]string{m.Locations, m.Shared, m.Parameters} {
		for _, name := range names {
			e[name] = 0
		}
	}
	var try func(i int)
	try = func(i int) {
		if i < len(m.Parameters) {
			for value := 0; value < period; value++ {
				e[m.Parameters[i]] = value
				try(i + 1)
			}
			return
		}
		before := e.term(m.Defines, term)
		e[f.Silent]++
		change := sign * (e.term(m.Defines, term) - before)
		e[f.Silent]--
		greater = greater || change > 0
		smaller = smaller || change < 0
	}
	try(0)
	return greater, smaller
}

// without has 0 in place of a parameter, definitions spelled out.
func without(m *Model, n *Node, parameter string) *Node {
	if n == nil {
		return nil
	}
	if n.Op == "name" {
		if n.Name == parameter {
			return &Node{Op: "number"}
		}
		if definition, ok := m.Defines[n.Name]; ok {
			return without(m, definition, parameter)
		}
	}
	copied := *n
	copied.Left, copied.Right = without(m, n.Left, parameter), without(m, n.Right, parameter)
	return &copied
}

// Conjuncts are the derived assumption as formulas p of []<>p: the location is empty, or the guard false, or, on a
// cycle, some process is in the rest of it.
func Conjuncts(m *Model, forces []Force) []*Node {
	var all []*Node
	for _, force := range forces {
		empty := comparedWithZero(m.Locations[force.Rule.From], "==")
		conjunct := &Node{Op: "||", Left: empty, Right: &Node{Op: "!", Left: force.Guard}}
		for l, name := range m.Locations {
			if l != force.Rule.From && m.reaches(l, force.Rule.From) && m.reaches(force.Rule.From, l) {
				conjunct = &Node{Op: "||", Left: conjunct, Right: comparedWithZero(name, "!=")}
			}
		}
		all = append(all, conjunct)
	}
	return all
}

func comparedWithZero(name, op string) *Node {
	return &Node{Op: op, Left: &Node{Op: "name", Name: name}, Right: &Node{Op: "number"}}
}
