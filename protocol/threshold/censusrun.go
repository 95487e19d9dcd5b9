package threshold

import (
	"context"
	"slices"

	"tacheck/protocol"
)

// play makes a run of what violates a claim.
func (x *census) play(ctx context.Context, q *claim) (*protocol.Run, error) {
	m, err := x.Source.File.Model(x.given)
	if err != nil {
		return nil, err
	}
	c := &concrete{ctx: ctx, Translation: x.Translation, params: x.given, m: m, run: &protocol.Run{Model: m, Property: q.property, Loop: -1}}
	var path []*visited
	for n := q.found; n >= 0; n = x.nodes[n].from {
		path = append(path, &x.nodes[n])
	}
	slices.Reverse(path)
	begin := make([]int64, len(x.Locations))
	for _, l := range x.decode(path[0].key).locals {
		begin[x.locals[l].at]++
	}
	if err := c.start(begin); err != nil {
		return nil, err
	}
	who := make([]uint32, len(c.at))
	for p, l := range c.at {
		if l >= 0 {
			who[p] = x.fresh(l)
		}
	}
	for _, node := range path[1:] {
		for _, s := range node.steps {
			p := 0
			for ; c.at[p] < 0 || who[p] != s.who; p++ {
			}
			if err := x.take(c, p, s); err != nil {
				return nil, err
			}
			who[p] = s.by.to
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

// take has a process hear what it hears for a step, and take that.
func (x *census) take(c *concrete, p int, s step) error {
	counts := map[string]int64{}
	for a, i := range x.asks[s.move] {
		counts[heard+x.items[i].name()] = s.by.more[a]
	}
	if err := c.hear(p, counts); err != nil {
		return err
	}
	return c.act(p, &x.Moves[s.move])
}
