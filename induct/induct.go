// Package induct proves invariants of instances of protocols by induction, where
// there are too many states to visit them: k-induction (de Moura, Rueß, Sorea, CAV
// 2003), lemmas that it finds, strengthened transitions (Bokor, thesis, chapter 5).
package induct

import (
	"context"
	"time"

	"tacheck/protocol/encode"
	"tacheck/smt"
)

// Options say how to prove.
type Options struct {
	Solver smt.Factory
	K      int // depth
}

// Stats count what it took.
type Stats struct {
	Queries         int // to solvers
	Counterexamples int // to induction, that lemmas had to exclude
	Dropped         int // lemmas that could not be proved
	Samples         int // states
	Time            time.Duration
}

// lemmas looks for lemmas that make an invariant inductive.
func lemmas(ctx context.Context, x *encode.Encoding, goal encode.Lit, o Options, stats *Stats) (*search, bool, error) {
	v := newVocabulary(x)
	samples, err := collect(ctx, v, o)
	if err != nil {
		return nil, false, err
	}
	stats.Samples = samples.total
	s, err := newSession(x, o.Solver, &stats.Queries)
	if err != nil {
		return nil, false, err
	}
	q := &search{ctx: ctx, x: x, v: v, samples: samples, s: s, steps: x.Canonical, known: map[string]bool{}, failed: map[string]int{}, o: o, stats: stats}
	for _, i := range x.Initial {
		q.base = append(q.base, x.Assign(i.State))
	}
	for _, st := range q.steps {
		q.guards = append(q.guards, st.Guard)
	}
	s.Assert(s.name(x.Valid, 0))
	q.add(nil, goal)
	if !q.initially(goal) {
		return q, false, nil
	}
	ok, err := q.run()
	return q, ok, err
}
