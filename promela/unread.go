package promela

import "tacheck/internal/diag"

// Unread lists what is declared and never read, by conditions, values, assumptions or formulas. It needs no automaton.
func (m *Model) Unread() (found diag.List) {
	r := reads{m: m, names: map[string]bool{}, been: map[*jump]bool{}}
	r.expr(m.Count)
	for _, e := range m.Assume {
		r.expr(e)
	}
	for _, list := range [][]Named{m.Formulas, m.Fairness} {
		for i := range list {
			r.expr(list[i].Formula)
		}
	}
	r.block(m.Init)
	r.options(m.Loop)
	warn := func(name string, pos diag.Pos) {
		if pos.Line > 0 && !r.names[name] {
			found.Warn(pos, len(name), "nothing reads %s", name)
		}
	}
	for _, name := range m.Params {
		warn(name, m.symbols[name].pos)
	}
	own := map[int]bool{}
	for _, a := range m.Asserts {
		own[a.Local] = true
	}
	for _, v := range m.Shared {
		warn(v.Name, v.Pos)
	}
	for k, v := range m.Locals {
		if k != m.where && !own[k] {
			warn(v.Name, v.Pos)
		}
	}
	return found.Sorted()
}

// reads collects names that are read.
type reads struct {
	m     *Model
	names map[string]bool
	been  map[*jump]bool
}

func (r *reads) expr(e *Expr) {
	if e == nil {
		return
	}
	if e.Op == Name && !r.names[e.Name] {
		r.names[e.Name] = true
		if e.Process == "" {
			r.expr(r.m.atomics[e.Name])
		}
	}
	for _, a := range e.Args {
		r.expr(a)
	}
}

func (r *reads) options(list []*Option) {
	for _, o := range list {
		r.block(o.Body)
		r.block(o.Rest)
	}
}

func (r *reads) block(list []*Statement) {
	for _, s := range list {
		r.expr(s.Cond)
		if s.Assume != nil {
			r.expr(&s.Assume.Expr)
		}
		if s.Assert != nil {
			r.expr(&s.Assert.Expr)
		}
		if s.Set != nil {
			r.expr(s.Set.Value)
		}
		if s.Vars != nil {
			for _, v := range s.Vars.List {
				r.expr(v.Init)
			}
		}
		r.options(s.If)
		r.options(s.Do)
		r.block(s.Atomic)
		r.block(s.Block)
		if s.To != nil && !r.been[s.To] {
			r.been[s.To] = true
			r.block(s.To.list)
		}
	}
}
