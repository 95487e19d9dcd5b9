package protocol

import (
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// symmetry checks condition C5 (paper, A.1), where C1 to C4 were checked while names were resolved: the iterations of a
// for over the processes of a role write what no other iteration reads or writes, so that their order does not matter.
func (c *Checker) symmetry() {
	for _, list := range [][]Transition{c.M.Inits, c.M.Rules} {
		for i := range list {
			c.loops(list[i].First)
			c.loops(c.live(list[i].Body))
		}
	}
	c.M.Asymmetry, c.M.Numbering = c.M.Asymmetry.Sorted(), c.M.Numbering.Sorted()
}

// live is statements without those that are never executed, whatever happens: behind conditions that the values of
// constants decide. Constants that stand for any size decide nothing.
func (c *Checker) live(steps []*Step) (out []*Step) {
	for _, s := range steps {
		if s.Kind != StepIf && s.Kind != StepFor {
			out = append(out, s)
			continue
		}
		kept := *s
		kept.Conds, kept.Blocks = nil, nil
		for i, b := range s.Blocks {
			if i < len(s.Conds) {
				if c.never(s.Conds[i]) {
					continue
				}
				kept.Conds = append(kept.Conds, s.Conds[i])
			}
			kept.Blocks = append(kept.Blocks, c.live(b))
		}
		out = append(out, &kept)
	}
	return out
}

// never reports whether constants decide that a condition is not true.
func (c *Checker) never(t *Term) bool {
	is := ftdp.Eval(t, func(t *Term) ftdp.Between {
		if t.Op != ftdp.Number || t.Value == Undef || c.consts[t.Const].Size {
			return ftdp.Anything
		}
		return ftdp.Exactly(int64(t.Value))
	}, func(op ftdp.Op, _ *Term, args []ftdp.Between) ftdp.Between { return ftdp.Calculate(op, args) })
	return is == ftdp.Exactly(0)
}

func (c *Checker) loops(steps []*Step) {
	for _, s := range steps {
		for _, b := range s.Blocks {
			c.loops(b)
		}
		if s.Kind != StepFor || s.Range.Type.Kind != KindRole {
			continue
		}
		if w := dependent(s.Blocks[0], s.Var); w != nil {
			c.Scope().asymmetric([]*Type{s.Range.Type}, w.Pos, w.Width,
				"iterations for different processes write this, or read what others write")
		}
	}
}

// dependent is what an iteration of a for writes that others read or write; nil if there is nothing.
func dependent(body []*Step, variable int) *Term {
	var written, touched []*Term
	Collect(body, func(t *Term, write bool) {
		if write && t.Base != BaseLet { // what is named is one's own in each iteration
			written = append(written, t)
		}
		touched = append(touched, t)
	})
	for _, w := range written {
		if !apart(w, touched, variable) {
			return w
		}
	}
	return nil
}

// Independent reports whether the iterations of a for write what no other iteration reads or
// writes (condition C5 of the paper), so that their order does not matter. That of messages that are sent
// by themselves is none: only that they were sent.
func (s *Step) Independent() bool { return dependent(unsent(s.Blocks[0]), s.Var) == nil }

// unsent has, in the place of messages that are sent by themselves, what is read to send them.
func unsent(steps []*Step) (out []*Step) {
	for _, s := range steps {
		step := *s
		if s.Kind == StepSend {
			step = Step{Kind: StepIf, Pos: s.Pos, Conds: []*Term{s.Target.Who}}
			for _, part := range s.Blocks[0] {
				step.Conds = append(step.Conds, part.Value)
			}
		} else {
			step.Blocks = nil
			for _, b := range s.Blocks {
				step.Blocks = append(step.Blocks, unsent(b))
			}
		}
		out = append(out, &step)
	}
	return out
}

// apart reports whether iterations for different values of a variable touch different cells where they write to place
// w: some index of w is the variable, and so is the same index of every place that might be the same.
func apart(w *Term, touched []*Term, variable int) bool {
	is := func(t *Term) bool { return t != nil && t.Op == ftdp.Name && t.Var == variable }
	for level := -1; level < len(w.Indices); level++ {
		at := func(t *Term) *Term {
			switch {
			case level < 0:
				return t.Who
			case level < len(t.Indices):
				return t.Indices[level].Index
			}
			return nil
		}
		if !is(at(w)) {
			continue
		}
		all := true
		for _, t := range touched {
			if Overlap(w, t) && !is(at(t)) {
				all = false
			}
		}
		if all {
			return true
		}
	}
	return false
}

// Overlap reports whether places may have cells in common, whatever the indices.
func Overlap(w, t *Term) bool {
	family := func(b Base) Base {
		switch b {
		case BaseWhole:
			return BaseRole
		case BaseOuts:
			return BaseOut
		}
		return b
	}
	if family(w.Base) != family(t.Base) || w.Role != t.Role {
		return w.Base == BaseStatus && t.Base == BaseWhole && w.Role == t.Role || t.Base == BaseStatus &&
			w.Base == BaseWhole && w.Role == t.Role
	}
	return w.Base == BaseMsg || w.before(t) && t.before(w)
}

// Collect calls visit for every place that statements touch.
func Collect(steps []*Step, visit func(t *Term, write bool)) {
	for s := range Steps(steps) {
		for t := range s.Terms() {
			t.Places(func(p *Term) { visit(p, p == s.Target) })
		}
	}
}

// inside visits the places in the indices of a place.
func (t *Term) inside(visit func(t *Term)) {
	t.EachPart(func(u *Term) bool { u.Places(visit); return true })
}

// Places calls visit for every place in a term, those in indices too.
func (t *Term) Places(visit func(*Term)) {
	for t := range t.All() {
		if t.Op == OpPlace && t.Base != BaseValue {
			visit(t)
		}
	}
}

// HasPlaces reports whether a term reads a place.
func (t *Term) HasPlaces() (has bool) {
	t.Places(func(*Term) { has = true })
	return has
}

// IsPlace reports whether the term is a place.
func (t *Term) IsPlace() bool { return t.Op == OpPlace }

// Touch calls visit for every place that the statements of a transition, or its guard, read or write.
func (t *Transition) Touch(visit func(place *Term, write bool)) {
	Collect(t.First, visit)
	if t.Guard != nil {
		t.Guard.Places(func(p *Term) { visit(p, false) })
	}
	Collect(t.Body, visit)
}
