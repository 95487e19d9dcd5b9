package schedule

import (
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
)

// Flow encodes a segment as one network flow: how often each rule fires, and
// nothing about the order (the flow lemma, theory 5).
//
// Not in the paper. An invariant "some process is in X" costs two more flows: in each of the three, one process that is
// taken out of the flow stays in X (theory 6).
var Flow Encoding = flow{}

type flow struct{}

func (flow) Name() string { return "flow" }

func (flow) segment(t *timeline, moves []move, ctx knowledge, watched []watch) {
	somes := 0
	for i := range watched {
		if len(watched[i].some) > 0 {
			somes++
		}
	}
	parts := 1
	if somes > 0 && !t.relax {
		parts = 3
	}
	s := segmentFlows{t: t, moves: moves, configs: []symbolic.Config{t.cfg}}
	for i := 0; i < parts; i++ {
		counts := t.counts(moves)
		t.advance(moves, counts)
		t.add(piece{}, moves, counts)
		s.counts = append(s.counts, counts)
		s.configs = append(s.configs, t.cfg)
	}
	s.guards(ctx)
	if t.p.grows() {
		s.support(watched)
	}
	for i := range watched {
		w := &watched[i]
		kept := smt.Or(smt.Not(w.when), w.kept(s.configs[0], t.cfg))
		t.s.Assert(smt.Or(kept, s.throughout(w, somes == 1)))
	}
}

// segmentFlows is a segment as a sequence of flows: counts[i] leads from configs[i] to configs[i+1].
type segmentFlows struct {
	t       *timeline
	moves   []move
	counts  [][]*smt.Var
	configs []symbolic.Config
	// anchors are, where variables grow on cycles, for each clause "some process
	// is in X" and each flow, who stays there.
	anchors map[*watch][]*anchor
}

// guards asserts that moves are made only if their guards hold. Moves with the same guard share one formula.
func (s *segmentFlows) guards(ctx knowledge) {
	end := s.configs[len(s.configs)-1]
	sums := map[string]smt.Linear{}
	first := map[string]*move{}
	var order []string
	for k := range s.moves {
		m := &s.moves[k]
		key := m.guardKey()
		if first[key] == nil {
			first[key] = m
			order = append(order, key)
		}
		for i := range s.counts {
			sums[key] = sums[key].Add(smt.V(s.counts[i][k]))
		}
	}
	for _, key := range order {
		idle := smt.LE(sums[key], smt.Linear{})
		s.t.s.Assert(smt.Or(idle, s.t.guard(first[key], ctx, end)))
	}
}

// throughout returns a formula that makes the clause hold, by its part about
// locations, in every configuration of the segment.
func (s *segmentFlows) throughout(w *watch, alone bool) *smt.Formula {
	switch {
	case w.none != ltl.NoLocation:
		return s.staysEmpty(w.none)
	case len(w.some) > 0 && s.t.relax:
		return smt.And(w.located(s.configs[0]), w.located(s.configs[len(s.configs)-1]))
	case len(w.some) > 0:
		return s.anchored(w, alone)
	}
	return smt.False
}

// staysEmpty says that a location is empty and no rule leads there.
func (s *segmentFlows) staysEmpty(location int) *smt.Formula {
	var into smt.Linear
	for k, m := range s.moves {
		if m.rule.To == location {
			for i := range s.counts {
				into = into.Add(smt.V(s.counts[i][k]))
			}
		}
	}
	return smt.And(smt.EQ(s.configs[0].Counters[location], smt.Linear{}), smt.LE(into, smt.Linear{}))
}

// anchored says that in each flow one process stays in the set: a fixed anchor stays in one location. If there is no
// other such clause, the anchor of the first flow may move inside the set.
func (s *segmentFlows) anchored(w *watch, alone bool) *smt.Formula {
	set := w.some
	var all []*smt.Formula
	if s.anchors != nil {
		for _, a := range s.anchors[w] {
			all = append(all, a.valid)
		}
		return smt.And(all...)
	}
	for i := range s.counts {
		var fixed []*smt.Formula
		for _, l := range set {
			fixed = append(fixed, smt.And(
				smt.GE(s.configs[i].Counters[l], smt.N(1)), smt.GE(s.configs[i+1].Counters[l], smt.N(1))))
		}
		if i == 0 && alone {
			fixed = append(fixed, s.movingAnchor(set))
		}
		all = append(all, smt.Or(fixed...))
	}
	return smt.And(all...)
}

// movingAnchor returns a formula that says that the first flow contains a process that moves inside the set: a unit
// flow from one location of the set to another which, taken out, leaves a flow between natural configurations.
func (s *segmentFlows) movingAnchor(set []int) *smt.Formula {
	t := s.t
	t.depth++
	a := &anchor{set: set, path: make([]*smt.Var, len(s.moves))}
	in := map[int]bool{}
	at := map[int]smt.Linear{} // where the anchor ends
	for _, l := range set {
		in[l] = true
	}
	var parts []*smt.Formula
	var starts smt.Linear
	for i, l := range set {
		v := t.fresh("s", i, t.p.automaton.Locations[l].Name)
		a.starts = append(a.starts, v)
		starts = starts.Add(smt.V(v))
		at[l] = smt.V(v)
		parts = append(parts, smt.GE(s.configs[0].Counters[l], smt.V(v)))
	}
	parts = append(parts, smt.EQ(starts, smt.N(1)))
	for k, m := range s.moves {
		if !in[m.rule.From] || !in[m.rule.To] {
			continue
		}
		v := t.fresh("y", k, "r"+t.ruleHint(m.rule))
		a.path[k] = v
		parts = append(parts, atMost(v, 1), smt.LE(smt.V(v), smt.V(s.counts[0][k])))
		at[m.rule.To] = at[m.rule.To].Add(smt.V(v))
		at[m.rule.From] = at[m.rule.From].Sub(smt.V(v))
	}
	for _, l := range set {
		parts = append(parts, smt.GE(at[l], smt.Linear{}), smt.GE(s.configs[1].Counters[l], at[l]))
	}
	a.valid = smt.And(parts...)
	piece := &t.pieces[len(t.pieces)-len(s.counts)]
	piece.anchors = append(piece.anchors, a)
	return a.valid
}

// guardKey is the same for moves with the same guard.
func (m *move) guardKey() string {
	k := make([]byte, 0, 16)
	for _, l := range m.lower {
		k = append(k, byte(l), byte(l>>8), 'l')
	}
	for _, u := range m.upper {
		k = append(k, byte(u), byte(u>>8), 'u')
	}
	for _, r := range m.rigid {
		k = append(k, r.Threshold.Key()...)
		if r.Negated {
			k = append(k, '!')
		}
	}
	return string(k)
}

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

func sumsOf(vars []*smt.Var) []smt.Linear {
	return lists.Map(vars, smt.V)
}
