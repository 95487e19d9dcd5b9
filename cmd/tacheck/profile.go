package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
)

// mostTold is how many variables and rules of a profile are told to people.
const mostTold = 12

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
	o, err := f.options()
	if err != nil {
		return err
	}
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
	if f.json {
		return encodeJSON(c.stdout,
			profileJSON{m.File(), parameters(x.Values()), p.States, p.Reason, p.Variables, p.Rules})
	}
	said := ""
	if p.Reason != "" {
		said = ", and these are not all: " + p.Reason
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s%s%s\n\n", m.File(), spell.Count(int(p.States), "state", "states"), with(x.Values()), said)
	c.screen().profile(&b, p)
	return c.say("%s", b.String())
}

// profileJSON is what --profile prints with --json.
type profileJSON struct {
	File       string           `json:"file"`
	Parameters map[string]any   `json:"parameters"`
	States     int64            `json:"states"`
	Reason     string           `json:"reason,omitempty"`
	Variables  []explore.Varied `json:"variables"`
	Rules      []explore.Caused `json:"rules"`
}

// profile tells what matters most.
func (s screen) profile(b *strings.Builder, p *explore.Profile) {
	numbers := []table.ColumnConfig{{Number: 2, Align: text.AlignRight}, {Number: 3, Align: text.AlignRight}}
	t := plainTable()
	t.SetColumnConfigs(numbers)
	t.AppendRow(table.Row{"variable", "values", "states without it"})
	for i, v := range p.Variables {
		if i == mostTold || v.Values < 2 {
			break
		}
		t.AppendRow(table.Row{v.Name, v.Values, fmt.Sprintf("%d (1/%.1f)", v.Without,
			float64(p.States)/float64(max(1, v.Without)))})
	}
	s.render(b, t)
	t = plainTable()
	t.SetColumnConfigs(numbers)
	t.AppendRow(table.Row{"rule", "finds states", "steps"})
	found := int64(0)
	for _, r := range p.Rules {
		found += r.States
	}
	for i, r := range p.Rules {
		if i == mostTold {
			break
		}
		share := 100 * float64(r.States) / float64(max(1, found))
		t.AppendRow(table.Row{r.Name, fmt.Sprintf("%d (%.0f %%)", r.States, share), r.Steps})
	}
	fmt.Fprintln(b)
	s.render(b, t)
}
