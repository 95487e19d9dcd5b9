package automata

import (
	"errors"
	"fmt"
	"slices"
)

// A Witness is a counterexample as docs/witness.md has it.
type Witness struct {
	Format  string         `json:"format"`
	Version int            `json:"version"`
	Kind    string         `json:"kind"`
	Model   string         `json:"model,omitempty"`
	Spec    string         `json:"property"`
	Values  map[string]int `json:"values"`
	Start   WitnessStep    `json:"start"`
	Steps   []WitnessStep  `json:"steps"`
	Loop    int            `json:"loop,omitempty"`
}

// A WitnessStep is a rule that so many processes take, and what that changes.
type WitnessStep struct {
	Rule  string         `json:"rule,omitempty"`
	Lines []int          `json:"lines,omitempty"`
	Times int            `json:"times,omitempty"`
	State map[string]int `json:"state,omitempty"`
	Text  string         `json:"text,omitempty"`
}

// A path is a run that is written out: all its configurations, and the index of the one that follows the last
// one again, or -1. Leaves has the locations that processes leave in the part that repeats.
type path struct {
	instance       *Instance
	configurations []Configuration
	back           int
	leaves         map[int]bool
}

func (p *path) initial() []string { return []string{"0"} }
func (p *path) next(state string) []string {
	at := p.index(state)
	switch {
	case at+1 < len(p.configurations):
		return []string{itoa(at + 1)}
	case p.back >= 0:
		return []string{itoa(p.back)}
	}
	return nil
}
func (p *path) fair() []func(string) bool { return nil }
func (p *path) holds(proposition *Node, state string) bool {
	return p.instance.Truth(proposition, p.configurations[p.index(state)])
}
func (p *path) index(state string) int {
	at := 0
	fmt.Sscan(state, &at)
	return at
}

// Follow makes the run of a witness and checks every step of it.
func (m *Model) Follow(w *Witness) (*path, error) {
	if !m.Admits(w.Values) || len(w.Values) != len(m.Parameters) {
		return nil, errors.New("the parameters are not admissible")
	}
	i := &Instance{Model: m, Parameters: w.Values}
	start, err := m.configuration(w.Start.State)
	if err != nil {
		return nil, err
	}
	i.Initial = []Configuration{start}
	for _, condition := range m.Inits {
		if !i.Truth(condition, start) {
			return nil, fmt.Errorf("initial condition %s is false", condition)
		}
	}
	if err := i.findCaps(); err != nil {
		return nil, err
	}
	p := &path{instance: i, configurations: []Configuration{i.capped(start)}, back: -1, leaves: map[int]bool{}}
	exact := start
	loop := len(w.Steps)
	if w.Loop > 0 {
		loop = w.Loop - 1
	}
	for n := 0; n < loop; n++ {
		if exact, err = p.take(w.Steps[n], exact, true); err != nil {
			return nil, fmt.Errorf("step %d: %w", n+1, err)
		}
	}
	if w.Loop == 0 {
		return p, nil
	}
	return p, p.repeat(w.Steps[loop:], exact)
}

// repeat goes round the loop until it comes to a configuration where it has begun before. Variables
// may grow while it does, up to their caps.
func (p *path) repeat(steps []WitnessStep, exact Configuration) error {
	m := p.instance.Model
	begun := map[string]int{}
	first := exact
	for round := 0; ; round++ {
		key := p.instance.capped(exact).key()
		if at, ok := begun[key]; ok {
			// The last configuration is the one at `at`.
			p.configurations = p.configurations[:len(p.configurations)-1]
			p.back = at
			if at == len(p.configurations) {
				return errors.New("nothing happens in the loop")
			}
			return nil
		}
		begun[key] = len(p.configurations) - 1
		for n, step := range steps {
			var err error
			if exact, err = p.take(step, exact, round == 0); err != nil {
				return fmt.Errorf("step %d of the loop, round %d: %w", n+1, round+1, err)
			}
		}
		for l := range m.Locations {
			if exact[l] != first[l] {
				return errors.New("the loop does not lead back")
			}
		}
		if round > 1000 {
			return errLarge
		}
	}
}

// take makes a step, and compares what the witness says about the configuration after it.
func (p *path) take(step WitnessStep, exact Configuration, compare bool) (Configuration, error) {
	m := p.instance.Model
	var rule *Rule
	for n := range m.Rules {
		r := &m.Rules[n]
		if m.Shown(*r) == step.Rule && slices.Equal(step.Lines, []int{r.Line}) && m.Locations[r.From]+" -> "+m.Locations[r.To] == step.Text {
			rule = r
		}
	}
	if rule == nil {
		return nil, errors.New("no such rule")
	}
	if step.Times < 1 {
		return nil, errors.New("nobody moves")
	}
	before := exact
	for n := 0; n < step.Times; n++ {
		if exact[rule.From] == 0 {
			return nil, errors.New("nobody is there")
		}
		if !p.instance.Truth(rule.Guard, exact) {
			return nil, errors.New("the guard is false")
		}
		if !p.instance.Enabled(*rule, exact) {
			return nil, errors.New("a variable would be negative")
		}
		written := m.written(*rule, exact)
		exact = append(Configuration{}, exact...)
		exact[rule.From]--
		exact[rule.To]++
		copy(exact[len(m.Locations):], written)
		p.configurations = append(p.configurations, p.instance.capped(exact))
	}
	if rule.From != rule.To {
		p.leaves[rule.From] = true
	}
	if compare {
		return exact, m.compare(step.State, before, exact)
	}
	return exact, nil
}

// compare says how what a witness says differs from what has changed.
func (m *Model) compare(said map[string]int, before, after Configuration) error {
	count := 0
	for j, name := range slices.Concat(m.Locations, m.Shared) {
		value, ok := said[name]
		if ok {
			count++
		}
		if ok != (before[j] != after[j]) || ok && value != after[j] {
			return fmt.Errorf("%s is %d, the witness says %d (%v)", name, after[j], value, ok)
		}
	}
	if count != len(said) {
		return errors.New("the witness names something unknown")
	}
	return nil
}

func (m *Model) configuration(said map[string]int) (Configuration, error) {
	var c Configuration
	for _, name := range slices.Concat(m.Locations, m.Shared) {
		c = append(c, said[name])
	}
	if len(said) != len(c) {
		return nil, errors.New("the start is not complete")
	}
	return c, nil
}

// Refutes says whether a witness is a run that violates the specification that it names.
func (m *Model) Refutes(w *Witness) error {
	p, err := m.Follow(w)
	if err != nil {
		return err
	}
	for _, spec := range m.Specs {
		if spec.Name != w.Spec {
			continue
		}
		bad, err := violated(p, spec.Formula, true, 100000)
		if err == nil && !bad {
			err = errors.New("the run does not violate the specification")
		}
		return err
	}
	return errors.New("no such specification")
}
