package schedule

import (
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
)

// An Encoding says how a segment becomes formulas: a part of a run in which certain thresholds do not change, from one
// configuration to another, of any length and with any acceleration.
type Encoding interface {
	// Name is the encoding's name on the command line.
	Name() string
	// segment appends a segment of the given moves to the timeline; all of watched hold in every configuration of it.
	segment(t *timeline, moves []move, ctx knowledge, watched []watch)
}

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

// anchor is a process that stays in a set of locations during a flow; it may move inside of it.
type anchor struct {
	set    []int
	path   []*smt.Var // by move of the flow: how often the anchor makes it, or nil
	starts []*smt.Var // by location of set: 1 if the anchor starts there
	valid  *smt.Formula
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
