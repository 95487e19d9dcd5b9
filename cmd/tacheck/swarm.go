package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"tacheck/cluster"
	"tacheck/cluster/work"
	"tacheck/explore"
	"tacheck/internal/ordered"
	"tacheck/model"
	"tacheck/protocol"
	"tacheck/protocol/machine"
)

// Bounds of the searches of a swarm, where nothing else is said.
const (
	swarmStates = 1 << 20
	swarmSteps  = 8 // for each state
)

// sortie is the i-th search of a swarm: all are different.
func sortie(i, states int) explore.Foray {
	return explore.Foray{Seed: uint64(i), Order: []explore.Order{explore.Deep, explore.Walk}[i%2], Reduce: i/2%2 == 1,
		Depth: []int{10_000, 60, 1_000, 200}[i/4%4], States: states, Steps: swarmSteps * int64(states)}
}

// swarm looks for violations of invariants with many bounded searches.
func (c *command) swarm(x model.Identified, m *protocol.Model, props []*protocol.Prop, o machine.Options, f exploreFlags) error {
	source, set := x.Text(), map[string]int64{}
	for _, s := range f.set {
		set[s.Name] = s.Value
	}
	for _, p := range props {
		if p.Invariant == nil {
			return fmt.Errorf("--swarm looks for violations of invariants: name them with --spec (%s is a formula)", p.Name)
		}
	}
	if len(props) == 0 {
		return fmt.Errorf("%s has no invariants: a swarm has nothing to look for", m.File)
	}
	if f.saveState+f.resume != "" || f.serve {
		return errors.New("--swarm: searches are short; in a cluster their results are kept")
	}
	states := swarmStates
	switch {
	case f.states > 1<<30:
		return fmt.Errorf("--max-states: a search of a swarm visits at most %d", 1<<30)
	case f.states > 0:
		states = int(f.states)
	}
	ctx := c.ctx
	if f.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.timeout)
		defer stop()
	}
	w := c.watch(f.swarm*len(props), "searches")
	defer w.end()
	do, jobs := work.Fly, f.jobs
	fly := func(ctx context.Context, q work.Sortie) (work.Returned, error) {
		r, _, err := do(ctx, []byte(source), q)
		return r, err
	}
	if f.cluster.url != "" {
		key := []any{"swarm", source, m.Assignments(), o.Traffic, o.Crash, o.Plain, f.swarm, states}
		for _, p := range props {
			key = append(key, p.Name)
		}
		s, failed := c.join(f.cluster, asked{fmt.Sprintf("swarm: %s", filepath.Base(m.File)), key, f.swarm * len(props)}, f.jobs, w)
		if failed != nil {
			return failed
		}
		defer s.leave(c.ctx)
		jobs = ahead
		fly = func(ctx context.Context, q work.Sortie) (work.Returned, error) {
			r, _, err := work.Swarm.Ask(ctx, s.Run, "", []byte(source), q)
			return r, err
		}
	}
	var results []*model.Result
	for _, p := range props {
		r, err := c.swarmOne(ctx, m, p, o, f.swarm, jobs, w, func(ctx context.Context, i int) (work.Returned, error) {
			return fly(ctx, work.Sortie{File: filepath.Base(m.File), Set: set, Property: p.Name, Traffic: o.Traffic, Crash: o.Crash, Plain: o.Plain, Foray: sortie(i, states)})
		})
		if err != nil {
			return err
		}
		results = append(results, model.ProtocolResult(m, r))
	}
	w.end()
	return c.protocolResults(m, results, f)
}

// swarmOne looks for a violation of one invariant.
func (c *command) swarmOne(ctx context.Context, m *protocol.Model, p *protocol.Prop, o machine.Options, n, jobs int, w *watch, fly func(context.Context, int) (work.Returned, error)) (*machine.Result, error) {
	begin := time.Now()
	res := &machine.Result{Property: p.Name, Verdict: machine.Unknown, Symmetric: m.Asymmetry == nil && !o.Plain, Partial: machine.Unreduced,
		Options: protocol.Options{Traffic: o.Traffic, Implicit: o.Crash == "implicit" || o.Crash == "" && machine.Implicit(m, p)}}
	type outcome struct {
		work.Returned
		run *protocol.Run
		err error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all []*explore.Forayed
	var failed error
	lost := 0
	whole := false
	ordered.Do(n, jobs, stop, func(i int) outcome {
		r, err := fly(ctx, i)
		out := outcome{Returned: r, err: err}
		if err == nil {
			out.run, out.err = r.Replay(m, p.Name)
		}
		return out
	}, func(_ int, x outcome) bool {
		var unable *cluster.Failed
		switch {
		case ctx.Err() != nil:
			return false
		case errors.As(x.err, &unable):
			lost++
			res.Reason = unable.Reason
			return true
		case x.err != nil:
			failed = x.err
			return false
		}
		all, whole = append(all, x.Forayed()), whole || x.Whole
		res.Transitions += x.Transitions
		res.Depth = max(res.Depth, x.Depth)
		res.Run = x.run
		failed = w.next(func() error { return nil })
		return failed == nil && res.Run == nil && !whole // others see nothing else
	})
	if failed != nil {
		return nil, failed
	}
	res.Time = time.Since(begin)
	cover := explore.Cover(all)
	res.States = int64(cover.Visited)
	switch {
	case res.Run != nil:
		res.Verdict, res.Reason, res.Depth = machine.Violated, "", len(res.Run.Events)-1
	case lost == n:
	case whole:
		res.Reason = "no violation in a swarm of " + plural(len(all), "search", "searches") + ", and one of them came to an end: without --swarm, exploring decides"
	default:
		res.Reason = fmt.Sprintf("no violation in a swarm of %s; they have visited %.2g states, of %.2g at least (estimate): at most %.0f %%",
			plural(len(all), "search", "searches"), cover.Visited, cover.AtLeast, 100*cover.Visited/max(1, cover.AtLeast))
	}
	return res, nil
}
