package everysize

import (
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
)

// Rows calls visit with what is known of the conditions of a table, for all values of its variables that are known, for
// which all guards are known to be false, until it returns false. The list is reused.
func (s *CTI) Rows(t *interp.Table, visit func(row []boolean.Truth) bool) (err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	m := s.m
	w := m.p.w
	r := w.reader()
	row := make([]boolean.Truth, len(t.Atoms))
	more := true
	var walk func(h *protocol.Term, f frame, level int, key string)
	walk = func(h *protocol.Term, f frame, level int, key string) {
		if !m.row(w.tabled(r, t, f, level, key), t.Levels[level].Atoms, row) {
			return
		}
		if h.Op != ftdp.ForAll {
			more = visit(row)
			return
		}
		next := func(b binding) bool {
			walk(h.Args[0], f.with(h.Var, b), level+1, key+"!"+b.key())
			return more
		}
		if list, ok := w.few(h.Range); ok {
			for _, v := range list {
				if more {
					next(binding{one: v})
				}
			}
			return
		}
		m.bindings(w.variable(r, h.Range, f), next)
	}
	walk(t.Head, nil, 0, "")
	return nil
}

// variable is the domain of a quantifier.
func (w *world) variable(r *reader, g *protocol.Range, f frame) *domain {
	if g.Sent == nil {
		return w.domain(g.Type)
	}
	from, to := r.plain(g.Sent[0], f), r.plain(g.Sent[1], f)
	return &domain{role: noPool, sent: &channel{g.Sent[0].Type.Role, g.Sent[1].Type.Role, from, to}}
}

// tabled makes the conditions of a level of a table once for the values of its variables.
func (w *world) tabled(r *reader, t *interp.Table, f frame, level int, key string) *tabled {
	if w.tables == nil {
		w.tables = map[*interp.Table]map[string]*tabled{}
	}
	of := w.tables[t]
	if of == nil {
		of = map[string]*tabled{}
		w.tables[t] = of
	}
	out := of[key]
	if out == nil {
		out = &tabled{}
		for _, g := range t.Levels[level].Guards {
			out.guards = append(out.guards, r.truth(w.x.said(g), f, false))
		}
		for _, i := range t.Levels[level].Atoms {
			a := w.x.said(t.Atoms[i])
			out.atoms = append(out.atoms, [2]node{r.truth(a, f, false), r.truth(a, f, true)})
		}
		of[key] = out
	}
	return out
}

// row evaluates conditions, those of a row by their numbers, if all guards are known to be false.
func (m *groundModel) row(t *tabled, atoms []int, row []boolean.Truth) bool {
	for _, g := range t.guards {
		if !m.holds(g) {
			return false
		}
	}
	for k, a := range t.atoms {
		i := atoms[k]
		switch {
		case m.holds(a[1]):
			row[i] = boolean.Yes
		case m.holds(a[0]):
			row[i] = boolean.No
		default:
			row[i] = boolean.Maybe
		}
	}
	return true
}

// few lists the values of a range that does not depend on sizes.
func (w *world) few(g *protocol.Range) ([]value, bool) {
	if g.Sent != nil {
		return nil, false
	}
	return w.x.few(g.Type)
}
