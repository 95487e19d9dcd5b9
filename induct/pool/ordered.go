package pool

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Processes that a text orders by their numbers: which of two comes first, and the conditions of the text that say so
// together with what they have (one ticket is less, or they are the same and the process is).

// mostOrderings is how many of them are taken from a text.
const mostOrderings = 8

// orders finds the roles whose processes a text orders, and its conditions that do.
func (v *vocabulary) orders() {
	v.ordered = map[int]bool{}
	var look func(t *protocol.Term, rule *protocol.Transition, inside, taken bool)
	look = func(t *protocol.Term, rule *protocol.Transition, inside, taken bool) {
		if t == nil {
			return
		}
		if r, ok := comparesProcesses(t); ok {
			v.ordered[r] = true
		}
		if !taken && (t.Op == ftdp.Or || t.Op == ftdp.And && inside) {
			taken = v.takeOrdering(t, rule)
		}
		for _, a := range t.Args {
			look(a, rule, t.Op != ftdp.ForAll && t.Op != ftdp.Exists, taken)
		}
	}
	for i := range v.m.Rules {
		rule := &v.m.Rules[i]
		for t := range rule.Terms() {
			look(t, rule, false, false)
		}
	}
	for i := range v.m.Props {
		look(v.m.Props[i].Invariant, nil, false, false)
	}
}

// comparesProcesses is the role whose processes a term orders.
func comparesProcesses(t *protocol.Term) (role int, is bool) {
	process := func(a *protocol.Term) bool { return a.Type != nil && a.Type.Kind == protocol.KindRole }
	switch t.Op {
	case ftdp.Max, ftdp.Min:
		for _, a := range t.Args {
			if process(a) {
				return a.Type.Role, true
			}
		}
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		if process(t.Args[0]) && process(t.Args[1]) {
			return t.Args[0].Type.Role, true
		}
	case ftdp.Chain:
		for i, op := range t.Ops {
			if op != ftdp.Eq && op != ftdp.Ne && process(t.Args[i]) && process(t.Args[i+1]) {
				return t.Args[i].Type.Role, true
			}
		}
	}
	return 0, false
}

// takeOrdering takes a condition that orders two processes and speaks of no other variable; of a disjunction also the
// part that speaks of what both have. It reports whether the condition is one.
func (v *vocabulary) takeOrdering(t *protocol.Term, rule *protocol.Transition) bool {
	if t.Op == ftdp.Or {
		part := *t
		part.Args = nil
		for _, a := range t.Args {
			if u := variables(a); len(u) == 2 && !(a.Op == ftdp.Eq && a.Args[0].Op == ftdp.Name) {
				part.Args = append(part.Args, a)
			}
		}
		if len(part.Args) >= 2 && len(part.Args) < len(t.Args) {
			v.takeOrdering(&part, rule)
		}
	}
	role, vars, orders := 0, variables(t), false
	for u := range t.All() {
		if r, is := comparesProcesses(u); is && u.Args[0].Op == ftdp.Name {
			role, orders = r, true
		}
	}
	if !orders || len(vars) != 2 || binds(t) {
		return false
	}
	o := ordering{term: t, role: role, vars: [2]int{vars[0], vars[1]}, rule: rule}
	e := v.phrased(o, "i", "j", "x")
	same := func(p *ftdp.Expr) bool { return p.String() == e.String() }
	if e != nil && len(v.orderings) < mostOrderings && !slices.ContainsFunc(v.orderings, func(p ordering) bool {
		return p.role == role && (same(v.phrased(p, "i", "j", "x")) || same(v.phrased(p, "j", "i", "x")))
	}) {
		v.orderings = append(v.orderings, o)
	}
	return e != nil
}

// variables lists the cells of the variables that a term speaks of, in their order.
func variables(t *protocol.Term) (list []int) {
	for t := range t.All() {
		if t.Op == ftdp.Name && !slices.Contains(list, t.Var) {
			list = append(list, t.Var)
		}
	}
	return list
}

// binds reports whether a term has a variable of its own.
func binds(t *protocol.Term) bool { return t.Range != nil || slices.ContainsFunc(t.Args, binds) }

// phrased is an ordering with names for its processes and the message; nil if lemmas cannot say it.
func (v *vocabulary) phrased(o ordering, first, second, message string) *ftdp.Expr {
	return v.say(o.term, map[int]string{o.vars[0]: first, o.vars[1]: second}, message)
}

// first says of two processes of one role which comes first: by their numbers, and as the text says it without
// messages.
func (v *vocabulary) first(i, j subject) []atom {
	if i.role != j.role || !v.ordered[i.role] {
		return nil
	}
	list := []atom{compared(i.expr(), ftdp.Lt, j.expr(), i.bit|j.bit)}
	for _, o := range v.orderings {
		if e := v.phrased(o, i.name, j.name, ""); o.role == i.role && e != nil {
			list = append(list, stated(e, i.bit|j.bit))
		}
	}
	return list
}

// firstOf says the same of who sends a message of a kind and who gets it, either way, and what the text says of its
// fields.
func (v *vocabulary) firstOf(i, j subject, name, kind string, bit uint64) []atom {
	list := v.first(i, j)
	for _, o := range v.orderings {
		if o.role != i.role || i.role != j.role {
			continue
		}
		if e := v.phrased(o, j.name, i.name, ""); e != nil {
			list = append(list, stated(e, i.bit|j.bit))
			continue
		}
		if !o.rule.Receives() || o.rule.Quorum() || !v.has(o.term, kind) {
			continue
		}
		ends := map[int]string{o.rule.Cell(o.rule.Sender): i.name, o.rule.Cell(o.rule.Executor): j.name}
		if e := v.say(o.term, ends, name); e != nil {
			list = append(list, stated(e, i.bit|j.bit|bit))
		}
	}
	return list
}

// has reports whether messages of a kind have the fields that a condition speaks of.
func (v *vocabulary) has(t *protocol.Term, kind string) bool {
	has := true
	t.Places(func(p *protocol.Term) {
		if p.Base != protocol.BaseMsg {
			return
		}
		i := slices.IndexFunc(v.m.Message.Fields, func(f protocol.TypeField) bool { return f.Offset == p.Offset })
		has = has && i >= 0 && (kind == "" || v.m.Message.Has(kind, i))
	})
	return has
}
