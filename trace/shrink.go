package trace

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/trace/reading"
)

// mostWays bounds the ways that an event that is left out may be taken in: of one with more, nothing is left out.
const mostWays = 1000

// shrink looks for a core among the events up to one that no run explains; among all if orders were searched. It visits
// as many places as a check does, Options.States.
func (c *checker) shrink(ctx context.Context, logs []Source, last *reading.Event) (*Core, error) {
	events, err := c.upTo(logs, last)
	if err != nil {
		return nil, err
	}
	kept := make([]bool, len(events))
	begins, open := make([]bool, len(events)), make([]bool, len(events))
	for i, e := range events {
		kept[i] = true
		cases, err := c.casesOf(e)
		if err != nil {
			return nil, err
		}
		begins[i], open[i] = beginning(cases), slices.ContainsFunc(cases, manifold)
	}
	left := c.o.States
	// What is said of the beginning comes at last: without it, there are many.
	for _, late := range []bool{false, true} {
		some := func(i int) bool { return begins[i] == late }
		if err := c.leaveOut(ctx, events, kept, open, &left, some); err != nil {
			return nil, err
		}
	}
	out := &Core{}
	for i, e := range events {
		if kept[i] {
			out.Events = append(out.Events, e)
			if open[i] {
				out.Open++
			}
		}
	}
	return out, nil
}

// leaveOut leaves out what is not needed of some events: half of them at once, if it can, and at last one by one.
func (c *checker) leaveOut(ctx context.Context, events []*reading.Event, kept, open []bool, left *int,
	some func(i int) bool) error {
	for size := (len(events) + 1) / 2; ; size = (size + 1) / 2 {
		for at := 0; at < len(events); {
			var chunk []int // the next ones that are kept
			for ; at < len(events) && len(chunk) < size; at++ {
				if kept[at] && some(at) && !open[at] {
					chunk = append(chunk, at)
				}
			}
			if len(chunk) == 0 {
				continue
			}
			for _, i := range chunk {
				kept[i] = false
			}
			rejected, visited, err := c.without(ctx, events, kept, *left/8)
			if err != nil && !errors.Is(err, errTooMany) {
				return err
			}
			*left -= visited
			for _, i := range chunk {
				kept[i] = !rejected
				open[i] = err != nil && size == 1
			}
		}
		if size == 1 {
			return nil
		}
	}
}

// upTo reads the events that are not ignored, up to one if the logs are one that has a clock.
func (c *checker) upTo(logs []Source, last *reading.Event) (events []*reading.Event, err error) {
	_, err = each(c.r, logs, func(e *reading.Event) error {
		if len(logs) == 1 && c.r.Clock == nil && e.Line > last.Line {
			return io.EOF
		}
		events = append(events, e)
		return nil
	})
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return slices.DeleteFunc(events, func(e *reading.Event) bool {
		cases, err := c.casesOf(e)
		return err == nil && cases == nil
	}), nil
}

// manifold reports whether there are too many ways for an event to be anything.
func manifold(bc *boundCase) bool {
	return slices.ContainsFunc(bc.parts, func(p *part) bool {
		ways := 1
		for i := range p.params {
			if t := p.params[i].info.Type; t.Kind == protocol.KindQuorum {
				ways *= 8
			} else {
				ways *= min(t.Size(), mostWays+1)
			}
			ways = min(ways, mostWays+1)
		}
		for i := range p.given {
			if p.given[i].value == nil {
				ways = min(ways*(p.given[i].place.Type.Size()+1), mostWays+1)
			}
		}
		return ways > mostWays && p.Kind != reading.PartSee
	})
}

// without reports whether no run explains the kept events, and how many places were visited.
func (c *checker) without(ctx context.Context, events []*reading.Event, kept []bool, places int) (bool, int, error) {
	o := c.o
	o.States, o.Properties, o.All = max(1, places), nil, false
	d, err := newChecker(ctx, c.m, c.r, o)
	if err != nil {
		return false, 0, err
	}
	var list []*reading.Event
	for i, e := range events {
		e := *e
		e.Loose = !kept[i]
		list = append(list, &e)
	}
	s, found, err := d.order(ctx, list)
	if err != nil {
		return false, places, err
	}
	return !found, s.size, nil
}
