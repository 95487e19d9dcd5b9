package protocol

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Parts is a protocol without operations on whole records, arrays and sets: what is assigned, compared or
// asked for as a whole is so part by part, and a set that is put together is the condition that its members satisfy.
// The states are the same, cell by cell, and so are the steps: what is assigned is worked out before any part of it is
// written, under a name where it reads what is written, and comparisons look at all parts, so that something goes wrong
// in one protocol if it does in the other.
type Parts struct {
	Model *Model
	made  map[*Term]*Term // conditions
}

// Parts makes the protocol. What it cannot say (sequences that are put together, above all) stays as it is.
func (m *Model) Parts() *Parts {
	out := *m
	p := &Parts{Model: &out, made: map[*Term]*Term{}}
	out.Inits, out.Rules = slices.Clone(m.Inits), slices.Clone(m.Rules)
	for _, list := range [][]Transition{out.Inits, out.Rules} {
		for i := range list {
			t := &list[i]
			b := &parts{frame: t.Frame}
			t.First, t.Guard, t.Body = b.steps(t.First), b.term(t.Guard), b.steps(t.Body)
			t.Frame = b.frame
		}
	}
	return p
}

// Condition is a condition on states of the protocol, without operations on wholes either: the same term for the
// same one. It takes Cells cells of a frame.
func (p *Parts) Condition(t *Term) *Term {
	out := p.made[t]
	if out == nil {
		b := &parts{frame: t.variables(p.Model)}
		out = b.term(t)
		p.made[t] = out
	}
	return out
}

// Cells is how many cells of a frame a condition takes.
func (p *Parts) Cells(t *Term) int { return p.Condition(t).variables(p.Model) }

// variables is the first cell of a frame behind all that a term speaks of.
func (t *Term) variables(m *Model) int {
	if t == nil {
		return 0
	}
	n := 0
	switch {
	case t.Op == ftdp.Name:
		n = t.Var + t.Type.Cells
	case t.Op == OpPlace && t.Base == BaseSent, t.Range != nil && t.Range.Sent != nil:
		n = t.Var + m.Message.Cells
	case t.Range != nil:
		n = t.Var + 1
	}
	t.EachPart(func(u *Term) bool { n = max(n, u.variables(m)); return true })
	return n
}

// parts rewrites what a transition, or a condition, says. New variables stand behind those of its frame.
type parts struct{ frame int }

func (b *parts) cells(n int) int {
	b.frame += n
	return b.frame - n
}

// term rewrites a term.
func (b *parts) term(t *Term) *Term {
	if t == nil {
		return nil
	}
	out := t.Map(b.term)
	switch {
	case (t.Op == ftdp.Eq || t.Op == ftdp.Ne) && divided(out.Args...):
		same := b.same(out, out.Args[0], out.Args[1])
		if t.Op == ftdp.Ne {
			return condition(out, ftdp.Not, same)
		}
		return same
	case t.Op == ftdp.Undefined && divided(out.Args...):
		return b.nothing(out, out.Args[0])
	case t.Op == OpPlace && t.Base == BaseValue:
		return b.inside(out)
	}
	return out
}

func condition(at *Term, op ftdp.Op, args ...*Term) *Term {
	return &Term{Op: op, Pos: at.Pos, Width: at.Width, Type: BoolType, Args: args}
}

// divided reports whether values are no scalars, and have parts that can be named.
func divided(list ...*Term) bool {
	return !slices.ContainsFunc(list, func(t *Term) bool { return t.Type.Scalar() || !t.parted() })
}

// parted reports whether all parts of a value can be named.
func (t *Term) parted() bool {
	switch {
	case t.Type.Scalar(), t.Op == ftdp.Collect, t.isNothing():
		return true
	case t.Op == ftdp.Tuple && t.Type.Sequence: // the empty one
		return true
	case t.Op == ftdp.Tuple:
		return t.Type.Kind == KindRecord && len(t.Args) == len(t.Type.Fields) &&
			!slices.ContainsFunc(t.Args, func(a *Term) bool { return !a.parted() })
	}
	return t.Op == OpPlace && t.Base != BaseValue && t.Base != BaseWhole && t.Base != BaseOuts
}

// isNothing reports whether a value is written down that has no defined part.
func (t *Term) isNothing() bool {
	if t.Op == ftdp.Number {
		return t.Value == Undef
	}
	return t.Op == ftdp.Tuple && !slices.ContainsFunc(t.Args, func(a *Term) bool { return !a.isNothing() })
}

// field is a part of a record.
func (t *Term) field(i int) *Term {
	f := t.Type.Fields[i]
	switch {
	case t.isNothing():
		return nothing(f.Type)
	case t.Op == ftdp.Tuple && t.Type.Sequence && i > 0:
		return nothing(f.Type)
	case t.Op == ftdp.Tuple:
		return t.Args[i]
	}
	out := t.part()
	out.Offset, out.Type = t.Offset+f.Offset, f.Type
	return out
}

// elementAt is a part of an array; of a set that is put together, the condition on it.
func (t *Term) elementAt(index *Term) *Term {
	switch {
	case t.isNothing():
		return nothing(t.Type.Elem)
	case t.Op == ftdp.Collect:
		return condition(t, ftdp.And, t.Args[0].replaced(t.Var, index)) // asking for what has no value is an error
	}
	return t.nth(index)
}

// each makes a variable for the elements of an array.
func (b *parts) each(at *Term, t *Type) (*Term, *Range) {
	return &Term{Op: ftdp.Name, Pos: at.Pos, Width: at.Width, Type: t.Index, Var: b.cells(1)},
		&Range{Type: t.Index, Quorum: -1}
}

// same compares two values: all parts are looked at.
func (b *parts) same(at, x, y *Term) *Term {
	t := x.Type
	switch t.Kind {
	case KindRecord:
		list := lists.Make(len(t.Fields), func(i int) *Term { return b.same(at, x.field(i), y.field(i)) })
		return strictly(at, list, x.Op != ftdp.Tuple && y.Op != ftdp.Tuple)
	case KindArray:
		k, over := b.each(at, t)
		out := condition(at, ftdp.ForAll, b.same(at, x.elementAt(k), y.elementAt(k)))
		out.Var, out.Range = k.Var, over
		return out
	}
	return condition(at, ftdp.Eq, x, y)
}

// strictly says that all of some conditions are true. Where they do not fail together, each is evaluated first.
func strictly(at *Term, list []*Term, together bool) *Term {
	if len(list) == 0 {
		return &Term{Op: ftdp.Number, Pos: at.Pos, Width: at.Width, Type: BoolType, Value: 1}
	}
	if together {
		return condition(at, ftdp.And, list...)
	}
	all := lists.Map(list, func(t *Term) *Term { return condition(at, ftdp.Or, t, condition(at, ftdp.Not, t)) })
	return condition(at, ftdp.And, append(all, list...)...)
}

// nothing is true if no part of a place is defined.
func (b *parts) nothing(at, x *Term) *Term {
	switch x.Type.Kind {
	case KindRecord:
		list := lists.Make(len(x.Type.Fields), func(i int) *Term { return b.nothing(at, x.field(i)) })
		return strictly(at, list, x.Op != ftdp.Tuple)
	case KindArray:
		k, over := b.each(at, x.Type)
		out := condition(at, ftdp.ForAll, b.nothing(at, x.elementAt(k)))
		out.Var, out.Range = k.Var, over
		return out
	}
	return condition(at, ftdp.Undefined, x)
}

// inside is a part of a value that is put together: a member of a set.
func (b *parts) inside(t *Term) *Term {
	v := t.Args[0]
	if v.Op != ftdp.Collect || len(t.Indices) != 1 {
		return t
	}
	k := t.Indices[0].Index
	if k.Op != ftdp.Name && k.Op != ftdp.Number {
		return t
	}
	is := &Term{Op: ftdp.Member, Pos: k.Pos, Width: k.Width, Type: BoolType, Args: []*Term{k}, Of: v.Type.Index}
	return condition(t, ftdp.And, is, v.Args[0].replaced(v.Var, k))
}

// Statements, part by part.

func (b *parts) steps(list []*Step) (out []*Step) {
	for _, s := range list {
		step := *s
		step.Target, step.Value = b.term(s.Target), b.term(s.Value)
		step.Conds, step.Blocks = nil, nil
		for _, c := range s.Conds {
			step.Conds = append(step.Conds, b.term(c))
		}
		for _, block := range s.Blocks {
			step.Blocks = append(step.Blocks, b.steps(block))
		}
		if s.Kind == StepAssign && divided(step.Target, step.Value) && !step.moves() {
			out = append(out, b.assign(&step)...)
		} else {
			out = append(out, &step)
		}
	}
	return out
}

// moves reports whether an assignment writes what says where it writes.
func (s *Step) moves() (is bool) {
	s.Target.inside(func(t *Term) { is = is || Overlap(s.Target, t) })
	return is
}

// assign assigns a value. If it reads what is written, it gets a name before.
func (b *parts) assign(s *Step) []*Step {
	reads := false
	s.Value.Places(func(t *Term) { reads = reads || Overlap(s.Target, t) })
	if !reads {
		return b.parted(s, s.Target, s.Value)
	}
	named := &Term{Op: OpPlace, Pos: s.Target.Pos, Width: s.Target.Width, Base: BaseLet,
		Var: b.cells(s.Target.Type.Cells), Type: s.Target.Type}
	return append(b.parted(s, named, s.Value), b.parted(s, s.Target, named)...)
}

// parted assigns all parts of a value.
func (b *parts) parted(s *Step, target, value *Term) (out []*Step) {
	switch target.Type.Kind {
	case KindRecord:
		for i := range target.Type.Fields {
			out = append(out, b.parted(s, target.field(i), value.field(i))...)
		}
		return out
	case KindArray:
		k, over := b.each(target, target.Type)
		return []*Step{{Kind: StepFor, Pos: s.Pos, Var: k.Var, Range: over,
			Blocks: [][]*Step{b.parted(s, target.elementAt(k), value.elementAt(k))}}}
	}
	return []*Step{{Kind: StepAssign, Pos: s.Pos, Target: target, Value: value}}
}
