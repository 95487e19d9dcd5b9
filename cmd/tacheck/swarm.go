package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tacheck/tacheck/cluster/work"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/machine"
)

// swarmStates is how many states a search of a swarm keeps, where nothing else is said.
const swarmStates = 1 << 20

// swarm looks for violations of invariants with many bounded searches.
func (c *command) swarm(x model.Identified, m *protocol.Model, props []*protocol.Prop, o machine.Options,
	f exploreFlags) error {
	source := x.Text()
	states, err := f.swarmBounds(m, props)
	if err != nil {
		return err
	}
	w := c.watch(f.swarm*len(props), "searches")
	defer w.End()
	one := machine.Swarm{Searches: f.swarm, States: states, Jobs: f.jobs,
		Each: func() error { return w.Next(func() error { return nil }) }}
	fly := func(ctx context.Context, q work.SwarmTask) (work.Returned, error) {
		r, _, err := work.Fly(ctx, []byte(source), q)
		return r, err
	}
	if f.cluster.url != "" {
		s, failed := c.join(f.cluster, swarmAsked(source, m, props, o, f.swarm, states), f.jobs, w)
		if failed != nil {
			return failed
		}
		defer s.leave(c.ctx)
		one.Jobs = ahead
		fly = func(ctx context.Context, q work.SwarmTask) (work.Returned, error) {
			r, _, err := work.Swarm.Ask(ctx, s.Run, "", []byte(source), q)
			return r, err
		}
	}
	var results []*model.Result
	before := time.Since(c.begin)
	for _, p := range props {
		q := work.SwarmTask{File: filepath.Base(m.File), Set: f.set.Values(), Property: p.Name,
			Traffic: o.Traffic, Crash: o.Crash, Plain: o.Plain}
		one.Fly = q.Of(m, fly)
		r, err := one.Find(c.ctx, m, p, o)
		if err != nil {
			return err
		}
		r.Time += before
		results = append(results, model.ProtocolResult(m, r))
	}
	w.End()
	return c.protocolResults(x, m, results, f)
}

// swarmAsked is what a swarm asks of a cluster.
func swarmAsked(source string, m *protocol.Model, props []*protocol.Prop, o machine.Options, searches,
	states int) asked {
	key := []any{"swarm", source, m.Assignments(), o.Traffic, o.Crash, o.Plain, searches, states}
	for _, p := range props {
		key = append(key, p.Name)
	}
	return asked{fmt.Sprintf("swarm: %s", filepath.Base(m.File)), key, searches * len(props)}
}

// swarmBounds is how many states each search of a swarm keeps; it is an error if a swarm cannot do what is asked.
func (f *exploreFlags) swarmBounds(m *protocol.Model, props []*protocol.Prop) (int, error) {
	if err := allInvariants("--swarm looks for violations of", props); err != nil {
		return 0, err
	}
	if len(props) == 0 {
		return 0, fmt.Errorf("%s has no invariants: a swarm has nothing to look for", m.File)
	}
	states := swarmStates
	switch {
	case f.states > 1<<30:
		return 0, fmt.Errorf("--max-states: a search of a swarm visits at most %d", 1<<30)
	case f.states > 0:
		states = int(f.states)
	}
	return states, nil
}
