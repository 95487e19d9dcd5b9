package protocol

import (
	"iter"
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Written is the text of a term, where it is known what the names in it stand for. What resolving makes of itself has
// none: the comparisons that a set stands for, and what an instance adds.
type Written struct {
	Expr  *ftdp.Expr
	Means *Written   // what the definition says that Expr uses; nil of what is no definition
	names []variable // that Expr may use
}

// Text is what the user has written, with others in the place of variables: what put has for the cell of one; nil where
// its name stays. Parameters of definitions are replaced by the arguments.
func (w *Written) Text(put func(cell int, of *Type) *ftdp.Expr) *ftdp.Expr {
	e, with := w.Own(), map[string]*ftdp.Expr{}
	for name := range namesIn(e) {
		i := slices.IndexFunc(w.names, func(v variable) bool { return v.name == name })
		if i < 0 {
			continue
		}
		switch v := &w.names[i]; {
		case v.arg:
			with[name] = v.term.Written.Text(put)
		case v.term == nil && !v.let:
			if value := put(v.cell, v.typ); value != nil {
				with[name] = value
			}
		}
	}
	return e.Putting(with)
}

// namesIn are the names in an expression, and in the sets that variables in it range over.
func namesIn(e *ftdp.Expr) iter.Seq[string] {
	return func(yield func(string) bool) {
		for e := range e.All() {
			if (e.Op == ftdp.Name || e.Op == ftdp.Call) && !yield(e.Name) {
				return
			}
			if e.Type == nil || e.Type.Range == nil {
				continue
			}
			for name := range e.Type.Range.From.NamesIn() {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// Own is the expression of the user.
func (w *Written) Own() *ftdp.Expr {
	e := w.Expr
	for e.Of != nil {
		e = e.Of
	}
	return e
}

// Meaning is what definitions stand for.
func (w *Written) Meaning() *Written {
	for w.Means != nil {
		w = w.Means
	}
	return w
}
