package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/hand"
)

// Counterexamples to jump to are looked for within these bounds.
const (
	goalTime   = 10 * time.Second
	goalStates = 200_000
)

// walk has the user walk through an instance in a browser, until interrupted, with
// counterexamples to jump to, where they are found soon.
func (c *command) walk(x model.Instance, specs []string, o machine.Options, timeout time.Duration) error {
	within, stop := context.WithTimeout(c.ctx, cmp.Or(timeout, goalTime))
	defer stop()
	if o.States == 0 {
		o.States = goalStates
	}
	found, err := x.Explore(within, specs, model.Exploring{Machine: o})
	if err != nil {
		return err
	}
	return c.serve(x, found, uint64(o.Memory))
}

// serve serves an instance with the runs that were found. This process uses so much memory at most, or three quarters
// of what is free if that is 0.
func (c *command) serve(x model.Instance, found []*model.Result, most uint64) error {
	s, err := x.Walk(c.ctx, found)
	if err != nil {
		return err
	}
	return hand.Serve(c.ctx, s, cmp.Or(most, memory.Most()), func(address string) {
		fmt.Fprintf(c.stdout, "%s\nopen this address in a browser on this machine; interrupt to stop\n", address)
	})
}
