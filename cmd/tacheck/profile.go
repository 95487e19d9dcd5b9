package main

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/terminal"
)

// profile says what the states of an instance are many for.
func (c *command) profile(m model.Model, fixed model.Fixed, f exploreFlags) error {
	specs := f.specs
	if len(specs) > 0 {
		if _, err := model.Select(m, specs); err != nil {
			return err
		}
	}
	instances, err := c.instancesOf(fixed, f)
	if err != nil {
		return err
	}
	x, can := instances[0].(model.Profiled)
	if !can {
		return fmt.Errorf("--profile: %s has no instances that can be looked into", m.File())
	}
	o := f.options()
	if o.States == 0 {
		o.States = model.DefaultStates
	}
	p, err := x.Profile(c.ctx, specs, model.Exploring{Machine: o})
	if err != nil {
		return err
	}
	if p.Reason != "" {
		c.outcome(verdict.Unknown)
	}
	if c.prints() {
		return terminal.EncodeJSON(c.stdout,
			terminal.ProfileJSON{File: m.File(), Parameters: terminal.Parameters(x.Values()), States: p.States,
				Reason: p.Reason, Variables: p.Variables, Rules: p.Rules})
	}
	said := ""
	if p.Reason != "" {
		said = ", and these are not all: " + p.Reason
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s%s%s\n\n", m.File(), spell.Count(int(p.States), "state", "states"),
		terminal.With(x.Values()), said)
	c.screen().Profile(&b, p)
	return c.say("%s", b.String())
}
