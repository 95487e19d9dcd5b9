package protocol

// starting is the condition on initial states, in terms of the sets of processes that begin with a
// value.
func (g *instantiation) starting() *Expr {
	var parts []*Expr
	for _, e := range g.Starts {
		parts = append(parts, g.atFirst(e))
	}
	return g.and(parts...)
}

// atFirst rewrites a condition on initial states.
func (g *instantiation) atFirst(e *Expr) *Expr {
	defer func(o origin, typ int) { g.origin, g.typ = o, typ }(g.origin, g.typ)
	g.origin = e.from()
	if e.Op == Call {
		return g.over(e, func(typ int) *Expr {
			g.typ = typ
			return g.countAtFirst(e)
		})
	}
	return e.Map(g.atFirst)
}

// countAtFirst says how many processes of a type begin so that a condition is true, or whether all or some
// do.
func (g *instantiation) countAtFirst(e *Expr) *Expr {
	counted := g.name("true")
	if g.lying(g.typ) || g.flagged(g.typ) && (e.Name != "every" || g.Faults == Symmetric) {
		counted = g.not(g.op(In, g.name("p_"), g.name(g.faultySet(g.typ))))
	}
	return g.ofProcesses(e, counted, g.beginning(e.Args[0]))
}

// beginning says for which inputs of process p_ a condition is true: one case for each choice of their values.
func (g *instantiation) beginning(e *Expr) *Expr {
	t := &g.Types[g.typ]
	values := map[string]int64{"crashed": 0}
	var cases []*Expr
	var choose func(i int, so []*Expr)
	choose = func(i int, so []*Expr) {
		if i == len(t.Vars) {
			if n, ok := g.Source.Number(e, values); ok && n != 0 {
				cases = append(cases, g.and(so...))
			}
			return
		}
		v := &t.Vars[i]
		values[v.Name] = v.First
		if !v.Input || !e.Mentions(v.Name) {
			choose(i+1, so)
			return
		}
		so = so[:len(so):len(so)] // later sets win
		for n := v.Hi; n >= v.Lo; n-- {
			values[v.Name] = n
			if n == v.Lo {
				choose(i+1, so)
				continue
			}
			in := g.op(In, g.name("p_"), g.name(g.set(g.typ, v, n)))
			choose(i+1, append(so, in))
			so = append(so, g.not(in))
			so = so[:len(so):len(so)]
		}
	}
	choose(0, nil)
	return g.or(cases...)
}
