package protocol

import (
	"fmt"
	"strings"
)

// starting is the condition on initial states, in terms of the sets of processes that begin with a
// value.
func (g *instanceText) starting() string {
	var parts []string
	for _, e := range g.Starts {
		parts = append(parts, "("+g.atFirst(e).String()+")")
	}
	return strings.Join(parts, " and ")
}

// atFirst rewrites a condition on initial states.
func (g *instanceText) atFirst(e *Expr) *Expr {
	if e.Op == Call {
		var parts []string
		for _, typ := range g.Meant(e.Args[0]) {
			parts = append(parts, g.countAtFirst(e, typ))
		}
		op := map[string]string{"all": " and ", "every": " and ", "some": " or ", "count": " + "}[e.Name]
		return raw("(%s)", strings.Join(parts, op))
	}
	return e.Map(g.atFirst)
}

// countAtFirst says how many processes of a type begin so that a condition is true, or whether all or some
// do.
func (g *instanceText) countAtFirst(e *Expr, typ int) string {
	here := g.beginning(e.Args[0], typ)
	counted := "true"
	if g.lying(typ) || g.flagged(typ) && (e.Name != "every" || g.Faults == Symmetric) {
		counted = "not (p_ in " + g.faultySet(typ) + ")"
	}
	switch e.Name {
	case "all", "every":
		return fmt.Sprintf("(forall (p_: %s) %s -> (%s))", g.id(typ), counted, here)
	case "some":
		return fmt.Sprintf("(exists (p_: %s) %s and (%s))", g.id(typ), counted, here)
	}
	return fmt.Sprintf("(count (p_: %s) (%s and (%s)))", g.id(typ), counted, here)
}

// beginning says for which inputs of process p_ a condition is true: one case for each choice of their values.
func (g *instanceText) beginning(e *Expr, typ int) string {
	t := &g.Types[typ]
	values := map[string]int64{"crashed": 0}
	var cases []string
	var choose func(i int, so string)
	choose = func(i int, so string) {
		if i == len(t.Vars) {
			if n, ok := g.number(e, values); ok && n != 0 {
				cases = append(cases, "true"+so)
			}
			return
		}
		v := &t.Vars[i]
		values[v.Name] = v.First
		if !v.Input || !e.Mentions(v.Name) {
			choose(i+1, so)
			return
		}
		without := "" // later sets win
		for n := v.Hi; n >= v.Lo; n-- {
			values[v.Name] = n
			if n == v.Lo {
				choose(i+1, so+without)
				continue
			}
			choose(i+1, so+without+" and p_ in "+g.set(typ, v, n))
			without += " and not (p_ in " + g.set(typ, v, n) + ")"
		}
	}
	choose(0, "")
	if cases == nil {
		return "false"
	}
	return strings.Join(cases, " or ")
}
