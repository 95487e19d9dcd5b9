package interp

import (
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Table is a list of conditions on the variables that a condition begins with universal quantifiers over, which are
// evaluated for all values of these. Where one of the guards is true, nothing else is.
type Table struct {
	Head   *protocol.Term // with the quantifiers
	Atoms  []*protocol.Term
	Levels []Level // by how many variables have values
	Frame  int     // cells
}

// Level has what can be evaluated as soon as some variables have values.
type Level struct {
	Guards []*protocol.Term
	Atoms  []int
}

// Rows calls visit with the values of all conditions, for all values of the variables for which all guards are
// false, until it returns false. The list is reused.
func (x *Interpreter) Rows(s *protocol.State, t *Table, visit func(row []boolean.Truth) bool) {
	e := &protocol.Evaluation{M: x.Model, State: s, Frame: make([]int32, t.Frame)}
	row := make([]boolean.Truth, len(t.Atoms))
	more := true
	var walk func(h *protocol.Term, level int)
	walk = func(h *protocol.Term, level int) {
		for _, g := range t.Levels[level].Guards {
			if tried(e, g) != boolean.No {
				return
			}
		}
		for _, i := range t.Levels[level].Atoms {
			row[i] = tried(e, t.Atoms[i])
		}
		if h.Op == ftdp.ForAll {
			e.Each(h.Range, h.Var, func() bool { walk(h.Args[0], level+1); return more })
			return
		}
		more = visit(row)
	}
	walk(t.Head, 0)
}

// tried is the value of a condition, boolean.Maybe if it goes wrong.
func tried(e *protocol.Evaluation, t *protocol.Term) (is boolean.Truth) {
	is = boolean.No
	var err error
	func() {
		defer protocol.Catch(&err)
		if e.Truth(t) {
			is = boolean.Yes
		}
	}()
	if err != nil {
		return boolean.Maybe
	}
	return is
}

// NewTable makes a table of lemmas that begin with the same quantifiers: of the first ones conditions that are guards.
func NewTable(lemmas []protocol.Prop, depth, guards int) *Table {
	t := &Table{Levels: make([]Level, depth+1)}
	for i, l := range lemmas {
		t.Frame = max(t.Frame, l.Frame)
		body := l.Invariant
		for range depth {
			body = body.Args[0]
		}
		if i == 0 {
			t.Head = headOf(l.Invariant, depth)
		}
		level := &t.Levels[levelOf(t.Head, body)]
		if i < guards {
			level.Guards = append(level.Guards, body)
		} else {
			level.Atoms = append(level.Atoms, len(t.Atoms))
			t.Atoms = append(t.Atoms, body)
		}
	}
	return t
}

// levelOf is how many of the variables of some quantifiers have values before a condition can be evaluated.
func levelOf(head, body *protocol.Term) (level int) {
	for k, h := 1, head; h.Op == ftdp.ForAll; k, h = k+1, h.Args[0] {
		if body.Any(func(t *protocol.Term) bool {
			return t.Var == h.Var && (t.Op == ftdp.Name || t.IsPlace() && t.Base == protocol.BaseSent)
		}) {
			level = k
		}
	}
	return level
}

// headOf copies the quantifiers that a condition begins with.
func headOf(t *protocol.Term, depth int) *protocol.Term {
	if depth == 0 {
		return &protocol.Term{Op: ftdp.Number, Value: 1, Type: protocol.BoolType}
	}
	out := *t
	out.Args = []*protocol.Term{headOf(t.Args[0], depth-1)}
	return &out
}
