package instantiate

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// starting is the condition on initial states, in terms of the sets of processes that begin with a value.
func (g *Instantiation) starting() *ftdp.Expr {
	parts := lists.Map(g.Starts, g.atFirst)
	return g.And(parts...)
}

// atFirst rewrites a condition on initial states.
func (g *Instantiation) atFirst(e *ftdp.Expr) *ftdp.Expr {
	defer func(o ftdp.Origin, typ int) { g.Origin, g.Typ = o, typ }(g.Origin, g.Typ)
	g.Origin = e.From()
	if e.Op == ftdp.Call {
		return g.over(e, func(typ int) *ftdp.Expr {
			g.Typ = typ
			return g.countAtFirst(e)
		})
	}
	return e.Map(g.atFirst)
}

// countAtFirst says how many processes of a type begin so that a condition is true, or whether all or some do.
func (g *Instantiation) countAtFirst(e *ftdp.Expr) *ftdp.Expr {
	counted := g.Named("true")
	if g.Lying(g.Typ) || g.Flagged(g.Typ) && (e.Name != "every" || g.Faults.Alike) {
		counted = g.Not(g.Op(ftdp.In, g.Named("p_"), g.Named(faultySet(g.Source, g.Typ))))
	}
	return g.ofProcesses(e, counted, g.beginning(e.Args[0]))
}

// beginning says for which inputs of process p_ a condition is true: one case for each choice of their values.
func (g *Instantiation) beginning(e *ftdp.Expr) *ftdp.Expr {
	t := &g.Types[g.Typ]
	values := map[string]int64{"crashed": 0}
	var cases []*ftdp.Expr
	var choose func(i int, so []*ftdp.Expr)
	choose = func(i int, so []*ftdp.Expr) {
		if i == len(t.Vars) {
			if n, ok := g.Source.Number(e, values); ok && n != 0 {
				cases = append(cases, g.And(so...))
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
			in := g.Op(ftdp.In, g.Named("p_"), g.Named(startingSet(g.Source, g.Typ, v, n)))
			choose(i+1, append(so, in))
			so = append(so, g.Not(in))
			so = so[:len(so):len(so)]
		}
	}
	choose(0, nil)
	return g.Or(cases...)
}
