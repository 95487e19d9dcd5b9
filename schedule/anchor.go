package schedule

import (
	"github.com/tacheck/tacheck/smt"
)

// Where variables grow on cycles, an anchor is taken out of the flow with all that it does: it may go round inside its
// set, and other processes go round. (Elsewhere cycles can be dropped, and segmentFlows.anchored has less to say.)

// support asserts that each flow can be made by those who are no anchors, and what the anchors of watched clauses do.
func (s *segmentFlows) support(watched []watch) {
	s.anchors = map[*watch][]*anchor{}
	var several []*watch
	for i := range watched {
		if w := &watched[i]; len(w.some) > 0 && !s.t.relax {
			several = append(several, w)
		}
	}
	for i := range s.counts {
		rest := sumsOf(s.counts[i])
		for _, w := range several {
			a := s.anchor(i, w.some, i == 0 && len(several) == 1)
			s.anchors[w] = append(s.anchors[w], a)
			for k, v := range a.path {
				if v != nil {
					rest[k] = rest[k].Sub(smt.V(v))
				}
			}
		}
		s.t.supported(s.moves, rest, func(l int) *smt.Formula {
			free := []*smt.Formula{smt.GE(s.configs[i].Counters[l], smt.N(1))}
			for _, w := range several {
				free = append(free, smt.GE(s.configs[i].Counters[l].Sub(s.anchors[w][i].at(l)), smt.N(1)))
			}
			return smt.And(free...)
		})
	}
}

// at returns how many anchors, one or none, start in a location.
func (a *anchor) at(location int) smt.Linear {
	for i, l := range a.set {
		if l == location {
			return smt.V(a.starts[i])
		}
	}
	return smt.Linear{}
}

// anchor lays out an anchor of the i-th flow, or none: valid says that there is one.
func (s *segmentFlows) anchor(i int, set []int, moving bool) *anchor {
	t := s.t
	t.depth++
	a := &anchor{set: set, path: make([]*smt.Var, len(s.moves))}
	in := map[int]bool{}
	end := map[int]smt.Linear{}
	var starts smt.Linear
	for k, l := range set {
		v := t.fresh("s", k, t.p.automaton.Locations[l].Name)
		a.starts = append(a.starts, v)
		in[l], end[l], starts = true, smt.V(v), starts.Add(smt.V(v))
		t.s.Assert(smt.GE(s.configs[i].Counters[l], smt.V(v)))
	}
	t.s.Assert(smt.LE(starts, smt.N(1)))
	if moving {
		walked := make([]smt.Linear, len(s.moves))
		for k, m := range s.moves {
			if !in[m.rule.From] || !in[m.rule.To] {
				continue
			}
			v := t.fresh("y", k, "r"+t.ruleHint(m.rule))
			a.path[k], walked[k] = v, smt.V(v)
			t.s.Assert(smt.LE(smt.V(v), smt.V(s.counts[i][k])))
			if !m.rule.SelfLoop() {
				end[m.rule.To] = end[m.rule.To].Add(smt.V(v))
				end[m.rule.From] = end[m.rule.From].Sub(smt.V(v))
			}
		}
		t.supported(s.moves, walked, func(l int) *smt.Formula { return smt.GE(a.at(l), smt.N(1)) })
	}
	for _, l := range set {
		t.s.Assert(smt.And(smt.GE(end[l], smt.Linear{}), smt.GE(s.configs[i+1].Counters[l], end[l])))
	}
	a.valid = smt.EQ(starts, smt.N(1))
	piece := &t.pieces[len(t.pieces)-len(s.counts)+i]
	piece.anchors = append(piece.anchors, a)
	return a
}
