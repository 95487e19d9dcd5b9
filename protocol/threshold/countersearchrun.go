package threshold

import (
	"context"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/shorten"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/ta"
)

// play makes a run of what violates a claim.
func (x *counterSearch) play(ctx context.Context, q *claim) (*interp.Run, error) {
	m, err := instantiate.Model(x.Source.File, x.given)
	if err != nil {
		return nil, err
	}
	c := x.concrete(ctx, x.given, m, q.property)
	var path []*visited
	for n := q.found; n >= 0; n = x.nodes[n].from {
		path = append(path, &x.nodes[n])
	}
	slices.Reverse(path)
	begin := make([]int64, len(x.Locations))
	for _, l := range path[0].locals {
		begin[x.locals[l].at]++
	}
	if err := c.Begin(begin); err != nil {
		return nil, err
	}
	first := &configuration{shared: make([]uint8, len(x.vars)), locals: make([]uint32, len(c.at))}
	for p, l := range c.at {
		if l >= 0 {
			first.locals[p] = x.fresh(l)
		}
	}
	list := x.named(c, first, path)
	shorten.Run(list, ta.Finite, func(less []act, _ int) bool {
		again := x.again(c, first, less, q)
		if again != nil {
			list = again
		}
		return again != nil
	})
	for _, s := range list {
		if err := x.take(c, s.process, s.step); err != nil {
			return nil, err
		}
	}
	if p := m.Lookup(q.property); p.Invariant != nil {
		c.cut(p)
	}
	if err := c.run.Check(); err != nil {
		return nil, none("%v", err)
	}
	return c.run, nil
}

// act is a step of a process.
type act struct {
	process int
	step
}

// named says which process takes each step of a path: the first that is in the local state.
func (x *counterSearch) named(c *concrete, first *configuration, path []*visited) (list []act) {
	who := slices.Clone(first.locals)
	for _, node := range path {
		for _, s := range node.steps {
			p := 0
			for ; c.at[p] < 0 || who[p] != s.who; p++ {
			}
			list = append(list, act{p, s})
			who[p] = s.by.to
		}
	}
	return list
}

// again takes steps once more, up to the first violation; nil if one is not possible, or there is none.
func (x *counterSearch) again(c *concrete, first *configuration, list []act, q *claim) (out []act) {
	now := first
	for _, s := range list {
		who := now.locals[s.process]
		if x.locals[who].at != x.Moves[s.move].From {
			return nil
		}
		answers := x.listened(now, who, s.move)
		if len(answers) == 0 {
			return nil
		}
		by := answers[0]
		for _, a := range answers {
			if slices.Equal(a.more, s.by.more) {
				by = a
			}
		}
		s.step = step{s.move, who, by}
		if now = x.after(now, s.process, s.step); now == nil {
			return nil
		}
		if out = append(out, s); !q.later(x.correct(c, now)) {
			return out
		}
	}
	return nil
}

// correct is a configuration without those that lie.
func (x *counterSearch) correct(c *concrete, of *configuration) *configuration {
	out := *of
	out.locals = nil
	for p, l := range of.locals {
		if c.at[p] >= 0 {
			out.locals = append(out.locals, l)
		}
	}
	return &out
}

// take has a process hear what it hears for a step, and take that.
func (x *counterSearch) take(c *concrete, p int, s step) error {
	counts := heard{}
	for a, i := range x.asks[s.move] {
		counts[counter.Received.Numbered(i)] = s.by.more[a]
	}
	if err := c.hear(p, counts); err != nil {
		return err
	}
	return c.act(p, &x.Moves[s.move])
}
