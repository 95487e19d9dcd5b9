package trace

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/trace/reading"
)

// A log may begin in the middle of a run. Where the reading says that it begins anywhere, any steps may have happened
// before its first event: the states in which it may begin are all that can be reached, and no others, so that what is
// explained is part of a run, and what is not is of none. (States that are of the right types would be more: of a log
// that begins in one that cannot be reached it would be said that it is explained.) Or the log gives the state: a
// snapshot, which is taken as it is.

// of returns the process and cell of a variable; the values are those of its process and indices.
func (a *assignment) of(m *protocol.Model, who int32, indices []int32) (process, cell int, err error) {
	r := &m.Roles[a.place.Role]
	if who < 1 || int(who) > r.Size {
		return 0, 0, fmt.Errorf("there is no process %d of %s", who, r.Name)
	}
	cell = a.place.Offset
	for i, x := range a.place.Indices {
		v, t := indices[i], x.Array.Index
		if v < t.Lo || v > t.Hi {
			return 0, 0, fmt.Errorf("there is no element %s", t.Format(v))
		}
		cell += int(v-t.Lo) * x.Stride
	}
	return r.First + int(who) - 1, cell, nil
}

// begins has the run begin in a state that the log gives; or, where the event is left out, in any such state.
func (t *taker) begins(given []assignment, cells map[int][]int32, known *assignedValue) error {
	if len(given) == 0 {
		next := t.c.d.With(t.n.point, cells)
		return t.done(&node{point: next, said: known}, &step{begins: true, event: interp.Event{Init: true}})
	}
	a, given := &given[0], given[1:]
	var who, v int32
	var indices []int32
	err := compile.Attempt(func() {
		e := t.c.d.At(t.n.point)
		e.Params(t.frame, t.p.cells)
		who = a.cell.who(e)
		for _, x := range a.cell.indices {
			indices = append(indices, x(e))
		}
		if a.value != nil {
			v = a.value(e)
		}
	})
	if err != nil {
		return err
	}
	p, k, err := a.of(t.c.m, who, indices)
	if err != nil {
		return t.e.WrongAt(t.at(a), "%s: %v", a.Text, err)
	}
	typ := a.place.Type
	is := func(v int32) error {
		if v != protocol.Undef && (v < typ.Lo || v > typ.Hi) {
			return t.e.WrongAt(t.at(a), "%s would be %s, which is out of its range, %s..%s", a.Left.Text, typ.Format(v),
				typ.Format(typ.Lo), typ.Format(typ.Hi))
		}
		if old := known.of(p, k); old != nil && old.value != v {
			if t.e.Loose || old.by.Loose ||
				slices.ContainsFunc(t.p.params, func(b boundParam) bool { return b.log == nil && b.term == nil }) {
				return nil // of another process, perhaps
			}
			return t.e.WrongAt(t.at(a), "%s begins as %s here, and as %s at %s", a.Left.Text, typ.Format(v),
				typ.Format(old.value), old.by.Place())
		}
		next := maps.Clone(cells)
		if next[p] = slices.Clone(next[p]); next[p] == nil {
			next[p] = slices.Clone(t.n.point.Locals[p].Cells)
		}
		next[p][k] = v
		return t.begins(given, next, &assignedValue{p, k, v, t.e, known})
	}
	switch there := true; {
	case a.value != nil:
		return is(v)
	case t.e.Loose:
		for v := typ.Lo; v <= typ.Hi; v++ {
			if err := is(v); err != nil {
				return err
			}
		}
		return is(protocol.Undef)
	default:
		if v, there, err = value(a.Right, t.c, t.e, t.root, typ, t.order()); err != nil {
			return err
		}
		if !there {
			return t.begins(given, cells, known)
		}
		return is(v)
	}
}

// of returns what was said of a variable; nil if nothing was.
func (s *assignedValue) of(process, cell int) *assignedValue {
	for ; s != nil && (s.process != process || s.cell != cell); s = s.before {
	}
	return s
}

// at is where in the line the value of a variable is; nil if it is not there.
func (t *taker) at(a *assignment) *reading.Path {
	if a.Right == nil {
		return nil
	}
	return a.Right.Path
}

// beginning reports whether an event says how the run begins.
func beginning(cases []*boundCase) bool {
	return slices.ContainsFunc(cases, func(bc *boundCase) bool {
		return slices.ContainsFunc(bc.parts, func(p *part) bool { return p.Kind == reading.PartBegins })
	})
}
