package hand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"tacheck/ta"
	"tacheck/witness"
)

// Automaton is an automaton with fixed parameters as a Subject: each event is one process that takes a rule.
type Automaton struct {
	a     *ta.Automaton
	start []*ta.Config
	how   ending // of the list of initial configurations
	found []*witness.Witness
}

// NewAutomaton makes a Subject of an instance with the given initial
// configurations, of which there are more, with counterexamples to jump to.
func NewAutomaton(a *ta.Automaton, start []*ta.Config, more bool, found []*witness.Witness) *Automaton {
	x := &Automaton{a: a, start: start, found: found}
	if more {
		x.how = bounded
	}
	for _, w := range found {
		if !slices.ContainsFunc(x.start, w.Run.Start.Equal) {
			x.start = append(x.start, w.Run.Start)
		}
	}
	return x
}

// Title implements Subject.
func (x *Automaton) Title() string {
	title := x.a.File
	if len(x.start) > 0 {
		title += " with"
		for i, p := range x.a.Parameters {
			title += fmt.Sprintf(" %s=%s", p.Name, x.start[0].Params[i])
		}
	}
	return title
}

var one = big.NewInt(1)

// enabled lists the rules that can fire.
func (x *Automaton) enabled(c *ta.Config) (rules []int) {
	for k := range x.a.Rules {
		r := &x.a.Rules[k]
		if c.Counters[r.From].Sign() > 0 && ta.Holds(r.Guard, c.Value) {
			rules = append(rules, k)
		}
	}
	return rules
}

// run follows a path.
func (x *Automaton) run(path []int) (*ta.Run, []*ta.Config, error) {
	nowhere := errors.New("the path leads nowhere")
	if len(path) == 0 {
		return nil, nil, nil
	}
	if path[0] < 0 || path[0] >= len(x.start) {
		return nil, nil, nowhere
	}
	run := &ta.Run{Start: x.start[path[0]], Loop: ta.Finite}
	configs := []*ta.Config{run.Start}
	for _, i := range path[1:] {
		c := configs[len(configs)-1]
		rules := x.enabled(c)
		if i < 0 || i >= len(rules) {
			return nil, nil, nowhere
		}
		run.Steps = append(run.Steps, ta.Transition{Rule: rules[i], Factor: one})
		configs = append(configs, c.After(&x.a.Rules[rules[i]], one))
	}
	return run, configs, nil
}

// lines shows a configuration.
func (x *Automaton) lines(c, before *ta.Config) (list []Line) {
	for i, l := range x.a.Locations {
		if changed := before != nil && before.Counters[i].Cmp(c.Counters[i]) != 0; changed || c.Counters[i].Sign() > 0 {
			list = append(list, Line{l.Name, c.Counters[i].String(), changed})
		}
	}
	for i, s := range x.a.Shared {
		list = append(list, Line{s.Name, c.Shared[i].String(), before != nil && before.Shared[i].Cmp(c.Shared[i]) != 0})
	}
	return list
}

func (x *Automaton) text(c *ta.Config) string {
	text := ""
	for _, l := range x.lines(c, nil) {
		if l.Text != "0" {
			text += l.Who + " = " + l.Text + "  "
		}
	}
	return text
}

func (x *Automaton) rule(k int) string {
	r := &x.a.Rules[k]
	return fmt.Sprintf("rule %s: %s", x.a.RuleName(r), x.a.FormatMove(r))
}

// View implements Subject.
func (x *Automaton) View(ctx context.Context, path []int, from int) (*View, error) {
	run, configs, err := x.run(path)
	if err != nil {
		return nil, err
	}
	v := &View{}
	if run == nil {
		v.list(len(x.start), from, x.how, func(i int) string { return x.text(x.start[i]) })
		return v, nil
	}
	last := configs[len(configs)-1]
	rules := x.enabled(last)
	v.list(len(rules), from, complete, func(i int) string { return x.rule(rules[i]) })
	var before *ta.Config
	if len(configs) > 1 {
		before = configs[len(configs)-2]
	}
	v.State = x.lines(last, before)
	v.Blocked = x.blocked(last)
	v.Picture = x.picture(ctx, run, last)
	v.Story = append(v.Story, Entry{Text: "at first: " + x.text(configs[0])})
	for i, s := range run.Steps {
		e := Entry{Text: x.rule(s.Rule)}
		for k, name := range x.a.Shared {
			if configs[i].Shared[k].Cmp(configs[i+1].Shared[k]) != 0 {
				e.Details = append(e.Details, fmt.Sprintf("%s becomes %s", name.Name, configs[i+1].Shared[k]))
			}
		}
		v.Story = append(v.Story, e)
	}
	if w := x.violated(run); w != nil {
		v.Notes = append(v.Notes, w.Spec+" is violated")
	}
	return v, nil
}

// violated returns the counterexample that a run is, to the first specification
// that it violates; nil if it violates none.
func (x *Automaton) violated(run *ta.Run) *witness.Witness {
	for i := range x.a.Specs {
		if w, err := witness.New(x.a, &x.a.Specs[i], run); err == nil {
			return w
		}
	}
	return nil
}

// Goals implements Subject.
func (x *Automaton) Goals(context.Context) []Goal {
	goals := []Goal{}
	for _, w := range x.found {
		path, ok := x.path(w.Run)
		goals = append(goals, goal(w.Spec, path, ok))
	}
	return goals
}

// path finds a run's steps among those possible, one process at a time, its loop once.
func (x *Automaton) path(run *ta.Run) ([]int, bool) {
	var path []int
	for i, c := range x.start {
		if path == nil && c.Equal(run.Start) {
			path = append(path, i)
		}
	}
	c := run.Start
	for _, s := range run.Steps {
		for range s.Factor.Int64() {
			i := -1
			for k, rule := range x.enabled(c) {
				if rule == s.Rule {
					i = k
				}
			}
			if path == nil || i < 0 || len(path) > 10_000 {
				return nil, false
			}
			path = append(path, i)
			c = c.After(&x.a.Rules[s.Rule], one)
		}
	}
	return path, true
}

// Save implements Subject.
func (x *Automaton) Save(_ context.Context, path []int) (string, []byte, error) {
	run, _, err := x.run(path)
	if err != nil || run == nil {
		return "", nil, errors.Join(err, errors.New("there is no run yet"))
	}
	w := x.violated(run)
	if w == nil {
		return "", nil,
			errors.New("only runs that violate a specification are saved: this one violates none (and a loop is not " +
				"walked by hand)")
	}
	data, err := json.MarshalIndent(w, "", "  ")
	return "witness.json", data, err
}
