package ftdp

import (
	"maps"
	"slices"
)

// Putting puts expressions in place of names. Variables that are bound inside get other names where they would take
// those in.
func (e *Expr) Putting(names map[string]*Expr) *Expr {
	if to := names[e.Name]; e.Op == Name && to != nil {
		return to
	}
	out := *e
	for e.Type != nil && slices.ContainsFunc(slices.Collect(maps.Values(names)),
		func(to *Expr) bool { return to.Mentions(out.Name) }) {
		out.Name += "_"
	}
	if out.Name != e.Name {
		names = maps.Clone(names)
		names[e.Name] = &Expr{Op: Name, Name: out.Name}
	}
	return out.Map(func(a *Expr) *Expr { return a.Putting(names) })
}
