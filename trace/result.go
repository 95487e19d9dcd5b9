package trace

import (
	"math/bits"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// Names are what the log calls the processes of a role: Names[name] is a number.
type Names struct {
	Role  string
	Names map[string]int32
}

// Result is what is known of a log after the events that were added.
type Result struct {
	Events  int64 // explained, without those that are ignored
	Steps   int64 // of the run, those unseen included
	States  int64 // states that explained the log, over all events
	Most    int   // at once
	Names   []Names
	Told    *Told          // the end of the run
	All     []interp.Event // with Options.All: the whole run
	Certain []string       // invariants that are violated in every run that explains the log
	Broken  []*Break       // properties that are violated in this run
	Given   bool           // the log gives the state in which the run begins
	Only    bool           // in no other run that explains the log processes are in other states
}

// result replays the run to its end and returns it: one in which the fewest invariants are
// violated. Nothing can be added afterwards.
func (c *checker) result() (*Result, error) {
	end := c.replay.stuck
	certain := ^uint64(0)
	if end != nil {
		certain = end.bad
	} else {
		for _, n := range c.frontier.list {
			if certain &= n.bad; end == nil || bits.OnesCount64(n.bad) < bits.OnesCount64(end.bad) {
				end = n
			}
		}
	}
	if c.ordered {
		certain = c.certain
	} else if c.rough != "" && c.cramped {
		certain = 0
	}
	if err := c.replay.path(end); err != nil {
		return nil, err
	}
	r := c.replay
	over := c.over(r.state)
	for i, f := range r.atoms {
		if f.err != nil {
			return nil, f.err
		}
		if p := c.o.Properties[i]; p.LTL != nil && f.violated(over) {
			r.broken[i] = &Break{Property: p.Name, Step: r.steps - 1, idle: !f.violated(false)}
			r.broken[i].Told = r.ending(r.broken[i])
		}
	}
	out := &Result{Events: c.events, Steps: r.steps - 1, States: c.visited, Most: c.most, Told: r.told(), All: r.all,
		Only: !c.choice, Given: r.given}
	out.Broken = out.Told.Broken
	for i := range c.watched {
		if certain>>i&1 != 0 {
			out.Certain = append(out.Certain, c.watched[i].prop.Name)
		}
	}
	for _, t := range c.names {
		if len(t.known) > 0 && !t.own {
			n := Names{t.role.Name, map[string]int32{}}
			for k, name := range c.numbered(t, end.order) {
				n.Names[name] = k
			}
			out.Names = append(out.Names, n)
		}
	}
	return out, nil
}

// over reports whether nothing can happen any more in a state. Where rules have more parameters than can be listed,
// that is not known.
func (c *checker) over(s *protocol.State) bool {
	if c.replay.stuck != nil || !slices.ContainsFunc(c.o.Properties,
		func(p *protocol.Prop) bool { return p.LTL != nil }) {
		return false
	}
	for i := range c.m.Rules {
		if c.m.Wide(&c.m.Rules[i]) {
			return false
		}
	}
	list, err := c.replay.x.Successors(s)
	return err == nil && len(list) == 1 && list[0].Event.Fate == interp.Idle
}

// sure reports whether every run that explains the log violates what this one does.
func (r *Result) sure(b *Break) bool { return r.Only || slices.Contains(r.Certain, b.Property) }

// surest is a property that is violated, in every run that explains the log if there is one.
func (r *Result) surest() *Break { return r.Broken[max(0, slices.IndexFunc(r.Broken, r.sure))] }

// Whole is the run, as a file that replays it: the whole one, or, if it violates a property, as much of it as does. It
// takes Options.All.
func (r *Result) Whole(m *protocol.Model) *interp.Run {
	out := &interp.Run{Model: m, Loop: -1, Events: slices.Clone(r.All)}
	if len(r.Broken) == 0 {
		return out
	}
	b := r.surest()
	out.Property, out.Events = b.Property, out.Events[:b.Step+1]
	if b.idle {
		out.Loop, out.Events = len(out.Events), append(out.Events, interp.Event{Fate: interp.Idle})
	}
	return out
}
