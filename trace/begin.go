package trace

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/trace/reading"
)

// A log may begin in the middle of a run. Where the reading says that it begins anywhere, any steps may have happened
// before its first event: the states in which it may begin are all that can be reached, and no others, so that what is
// explained is part of a run, and what is not is of none. (States that are of the right types would be more: of a log
// that begins in one that cannot be reached it would be said that it is explained.) Or the log gives the state: a
// snapshot, which is taken as it is.

// assignment is what a snapshot says of a variable.
type assignment struct {
	*check
	place *protocol.Term
	cell  *cellOf
	value func(*compile.Env) int32 // an expression of the protocol; nil for a value of the log
	term  *protocol.Term           // that
}

// cellOf says which cell a variable is: the functions give its process and indices.
type cellOf struct {
	who     func(*compile.Env) int32
	indices []func(*compile.Env) int32
}

// assignments makes what a snapshot says of its checks.
func (b *binder) assignments(p *part) {
	for i := range p.before {
		ch := &p.before[i]
		a := assignment{check: ch, place: ch.term}
		if t := ch.term; ch.Op == "" && t.Op == ftdp.Eq && len(t.Args) == 2 {
			a.place, a.term, a.value = t.Args[0], t.Args[1], b.value(t.Args[1])
		}
		if ch.Op != "" && ch.Op != "=" || ch.Op == "" && a.term == nil || !a.place.IsPlace() ||
			a.place.Base != protocol.BaseRole || !a.place.Type.Scalar() {
			b.wrong(ch.Left.Pos, len(ch.Left.Text), "expected a variable and its value: node[i].x = $x")
			continue
		}
		if b.d != nil {
			a.cell = &cellOf{who: b.value(a.place.Who)}
			for _, x := range a.place.Indices {
				a.cell.indices = append(a.cell.indices, b.value(x.Index))
			}
		}
		p.given = append(p.given, a)
	}
}

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
			return t.e.WrongAt(t.at(a), "%s would be %s, which is out of its range", a.Left.Text, typ.Format(v))
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

// assignedValue is what snapshots have assignedValue of variables so far.
type assignedValue struct {
	process, cell int
	value         int32
	by            *reading.Event
	before        *assignedValue
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

// start has the run go on, unseen in all it does, to wherever it may be when the log begins.
func (c *checker) start(ctx context.Context, e *reading.Event) error {
	if !c.r.Anywhere || c.started {
		return nil
	}
	c.started = true
	silent, quiet, lost, stopped := c.silent, c.quiet, c.lost, c.stopped
	c.silent, c.quiet, c.lost, c.stopped = slices.Repeat([]bool{true}, len(silent)), false, true, true
	c.losing = !lost
	from, err := c.closure(ctx, c.frontier, e)
	c.silent, c.quiet, c.lost, c.stopped, c.losing = silent, quiet, lost, stopped, false
	if err == nil {
		c.frontier, c.choice = from, true
	}
	return err
}

// begin replays that the run begins in a state that the log gives: what was before is none of it.
func (r *replay) begin(n *node) (*protocol.State, error) {
	root, _ := r.c.r.Under(n.step.on)
	next := *r.state
	next.Cells = slices.Clone(next.Cells)
	evaluate := func(t *protocol.Term) (int32, error) { return r.x.Evaluate(r.state, t, n.step.frame, nil, nil) }
	for i := range n.step.part.given {
		a := &n.step.part.given[i]
		who, err := evaluate(a.place.Who)
		var indices []int32
		for _, x := range a.place.Indices {
			var v int32
			if err == nil {
				v, err = evaluate(x.Index)
			}
			indices = append(indices, v)
		}
		var v int32
		given := true
		if err == nil && a.term != nil {
			v, err = evaluate(a.term)
		} else if err == nil {
			v, given, err = value(a.Right, r.c, n.step.on, root, a.place.Type, r.c.orders[n.order])
		}
		if err != nil {
			return nil, err
		}
		p, k, err := a.of(r.c.m, who, indices)
		if err != nil {
			return nil, err
		}
		if given {
			next.Cells[p] = slices.Clone(next.Cells[p])
			next.Cells[p][k] = v
		}
	}
	r.steps, r.last, r.all, r.broken, r.given = 0, nil, nil, make([]*Break, len(r.broken)), true
	for i, p := range r.c.o.Properties {
		r.atoms[i] = newFormulas(r.c.m, p)
	}
	return &next, nil
}
