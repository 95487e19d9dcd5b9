package protocol

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Choices between values are replaced by terms without choices, so that nothing behind this knows them: a comparison
// of one is a comparison of either value, and a statement with one is an if.

// choice resolves one value if a condition holds, and another one if not.
func (s *scope) choice(e *ftdp.Expr, want *Type) *Term {
	cond, first := s.boolean(e.Args[0]), 1
	if cond == nil {
		return nil
	}
	if want == nil && !s.shows(e.Args[1]) {
		first = 2
	}
	given, out := want != nil, &Term{Op: ftdp.Choice, Args: []*Term{cond, nil, nil}}
	for _, i := range []int{first, 3 - first} {
		t := s.termAs(e.Args[i], want)
		if t == nil {
			return nil
		}
		if t.Type.Kind == KindQuorum {
			return s.fail(e.Args[i], "a quorum is no value that can be chosen")
		}
		if want == nil {
			want = t.Type
		}
		if out.Args[i] = t; given && s.mixed(want, t.Type) {
			s.assignable(want, t, e.Args[i], e)
		} else if !want.same(t.Type) {
			return s.fail(e.Args[i], "%s instead of %s", s.c.M.describe(t.Type), s.c.M.describe(want))
		}
	}
	if out.Type = out.Args[first].Type; out.Type.Kind == KindInt {
		out.Type = intType
	}
	return out
}

// mostWays bounds how many statements or comparisons one with choices stands for.
const mostWays = 256

// ways counts the terms that one stands for whose choices are between values.
func (t *Term) ways() float64 {
	if t.isChoice() {
		return t.Args[1].ways() + t.Args[2].ways()
	}
	n := 1.0
	t.EachPart(func(u *Term) bool { n *= u.ways(); return true })
	return n
}

// joins reports whether an operator makes conditions of conditions.
func joins(op ftdp.Op) bool {
	switch op {
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Iff, ftdp.ForAll, ftdp.Exists:
		return true
	}
	return op.Temporal()
}

// plain is a condition without choices.
func (s *scope) plain(t *Term) *Term {
	switch {
	case t == nil || chosen(t) == nil:
		return t
	case t.isChoice():
		return either(t, t.Args[0], s.plain(t.Args[1]), s.plain(t.Args[2]))
	case joins(t.Op):
		return t.Map(s.plain)
	}
	t = s.inner(t)
	c := chosen(t)
	if c == nil || !s.few(t, t) {
		return t
	}
	return either(t, c.Args[0], s.plain(t.with(c, c.Args[1])), s.plain(t.with(c, c.Args[2])))
}

// either is one condition if another one holds, and a third one if not.
func either(at, cond, then, other *Term) *Term {
	out := condition(at, ftdp.And, condition(at, ftdp.Implies, cond, then), condition(at, ftdp.Or, cond, other))
	out.Written = at.Written
	return out
}

// Either takes a condition apart that is one if another one holds, and a third one if not; nil if it is none.
func (t *Term) Either() (cond, then, other *Term) {
	if t.Op != ftdp.And || len(t.Args) != 2 || t.Args[0].Op != ftdp.Implies || t.Args[1].Op != ftdp.Or ||
		t.Args[0].Args[0] != t.Args[1].Args[0] {
		return nil, nil, nil
	}
	return t.Args[0].Args[0], t.Args[0].Args[1], t.Args[1].Args[1]
}

// inner makes the conditions in a value plain: the choices that are left are between values.
func (s *scope) inner(t *Term) *Term {
	switch {
	case chosen(t) == nil:
		return t
	case joins(t.Op):
		return s.plain(t)
	case t.Op == ftdp.Count || t.Op == ftdp.Collect:
		return t.Map(s.plain)
	}
	return t.Map(s.inner)
}

// few checks that terms do not stand for too many.
func (s *scope) few(at *Term, list ...*Term) bool {
	n := 1.0
	for _, t := range list {
		n *= t.ways()
	}
	if n > mostWays {
		s.c.fail(at.Pos, at.Width, "too many ifs in one expression: name their values with let")
	}
	return n <= mostWays
}

// with is a term with one in the place of another.
func (t *Term) with(old, by *Term) *Term {
	if t == old {
		return by
	}
	return t.Map(func(u *Term) *Term { return u.with(old, by) })
}

// changed is a statement with other terms in the place of its own.
func (st *Step) changed(other func(*Term) *Term) *Step {
	out := *st
	out.Target = other(st.Target)
	if st.Value != nil {
		out.Value = other(st.Value)
	}
	if st.Kind == StepSend {
		list := lists.Map(st.Blocks[0], func(part *Step) *Step { return part.changed(other) })
		out.Blocks = [][]*Step{list}
	}
	return &out
}

// plainStep is a statement without choices: an if, where it has one.
func (s *scope) plainStep(st *Step) *Step {
	if st == nil || st.Kind == StepIf || st.Kind == StepFor {
		return st
	}
	var list []*Term
	for u := range Steps([]*Step{st}) {
		list = slices.AppendSeq(list, u.Terms())
	}
	if chosen(list...) == nil {
		return st
	}
	st, list = st.changed(s.inner), nil
	for u := range Steps([]*Step{st}) {
		list = slices.AppendSeq(list, u.Terms())
	}
	c := chosen(list...)
	if c == nil || !s.few(c, list...) {
		return st
	}
	way := func(by *Term) []*Step {
		return []*Step{s.plainStep(st.changed(func(t *Term) *Term { return t.with(c, by) }))}
	}
	return &Step{Kind: StepIf, Pos: st.Pos, Conds: []*Term{c.Args[0]},
		Blocks: [][]*Step{way(c.Args[1]), way(c.Args[2])}}
}

// behind puts statements behind those of an if in which a name is given to one of several values.
func (st *Step) behind(rest []*Step) {
	for i, b := range st.Blocks {
		if last := b[len(b)-1]; last.Kind == StepIf {
			last.behind(rest)
			continue
		}
		st.Blocks[i] = append(b, rest...)
	}
}

// copied checks that statements are not copied too often.
func (s *scope) copied(st *Step) {
	n := 0
	for range Steps([]*Step{st}) {
		if n++; n > 16*mostWays {
			s.c.fail(st.Pos, len("let"), "too many names for one of two values in a row: use ifs")
			return
		}
	}
}

// choosesBy reports whether a choice between values in a term depends on a variable.
func (s *scope) choosesBy(t *Term, cell int) bool {
	return s.inner(t).Any(func(u *Term) bool {
		used := map[int]bool{}
		if u.isChoice() {
			u.Args[0].Free(used)
		}
		return used[cell]
	})
}
