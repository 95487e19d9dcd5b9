package automata

import (
	"fmt"
	"strings"
)

// An Instance is the transition system of a model for given parameters.
type Instance struct {
	Model      *Model
	Parameters map[string]int
	// Initial are the initial configurations; where they are Open, there are more, as some value has
	// no greatest one.
	Initial []Configuration
	Open    bool
	// Caps has for each shared variable a value from which on larger ones are not told apart, or -1:
	// see caps.go.
	Caps []int
}

// A Configuration has the number of processes in each location, then the values of shared variables.
type Configuration []int

func (c Configuration) key() string {
	words := make([]string, len(c))
	for i, value := range c {
		words[i] = itoa(value)
	}
	return strings.Join(words, " ")
}

// Admissible are all values of the parameters from 0 to most that satisfy the assumptions, in the
// order of the parameters.
func (m *Model) Admissible(most int) []map[string]int {
	var all []map[string]int
	values := environment{}
	var choose func(i int)
	choose = func(i int) {
		if i == len(m.Parameters) {
			if m.Admits(values) {
				chosen := map[string]int{}
				for _, name := range m.Parameters {
					chosen[name] = values[name]
				}
				all = append(all, chosen)
			}
			return
		}
		for value := 0; value <= most; value++ {
			values[m.Parameters[i]] = value
			choose(i + 1)
		}
	}
	choose(0)
	return all
}

// Admits says whether parameters satisfy the assumptions.
func (m *Model) Admits(parameters map[string]int) bool {
	for _, assumption := range m.Assumptions {
		if !environment(parameters).truth(m.Defines, assumption) {
			return false
		}
	}
	return true
}

// NewInstance makes the transition system for parameters that are admissible. Initial values that have
// no greatest one are tried up to open.
func NewInstance(m *Model, parameters map[string]int, open, limit int) (*Instance, error) {
	i := &Instance{Model: m, Parameters: parameters}
	if err := i.findInitial(open, limit); err != nil {
		return nil, err
	}
	return i, i.findCaps()
}

// environment has all values of a configuration.
func (i *Instance) environment(c Configuration) environment {
	e := environment{}
	for name, value := range i.Parameters {
		e[name] = value
	}
	for l, name := range i.Model.Locations {
		e[name] = c[l]
	}
	for v, name := range i.Model.Shared {
		e[name] = c[len(i.Model.Locations)+v]
	}
	return e
}

// Truth is the value of a formula without temporal operators in a configuration.
func (i *Instance) Truth(formula *Node, c Configuration) bool {
	return i.environment(c).truth(i.Model.Defines, formula)
}

// Enabled says whether a process can take a rule.
func (i *Instance) Enabled(rule Rule, c Configuration) bool {
	if c[rule.From] == 0 || !i.Truth(rule.Guard, c) {
		return false
	}
	for _, value := range i.Model.written(rule, c) {
		if value < 0 {
			return false
		}
	}
	return true
}

// written are the values of shared variables after a rule.
func (m *Model) written(rule Rule, c Configuration) []int {
	var all []int
	for v, added := range rule.Update {
		value := c[len(m.Locations)+v]
		if rule.Reset[v] >= 0 {
			value = rule.Reset[v]
		}
		all = append(all, value+added)
	}
	return all
}

// Fire is the configuration after one process has taken a rule.
func (i *Instance) Fire(rule Rule, c Configuration) Configuration {
	after := append(Configuration{}, c...)
	after[rule.From]--
	after[rule.To]++
	copy(after[len(i.Model.Locations):], i.Model.written(rule, c))
	return i.capped(after)
}

// Next are the configurations after one step.
func (i *Instance) Next(c Configuration) []Configuration {
	var all []Configuration
	for _, rule := range i.Model.Rules {
		if i.Enabled(rule, c) {
			all = append(all, i.Fire(rule, c))
		}
	}
	return all
}

// Reachable counts the configurations that can be reached.
func (i *Instance) Reachable(limit int) (int, error) {
	seen := map[string]bool{}
	var todo []Configuration
	visit := func(c Configuration) {
		if !seen[c.key()] {
			seen[c.key()] = true
			todo = append(todo, c)
		}
	}
	for _, c := range i.Initial {
		visit(c)
	}
	for n := 0; n < len(todo); n++ {
		if n > limit {
			return 0, errLarge
		}
		for _, c := range i.Next(todo[n]) {
			visit(c)
		}
	}
	return len(todo), nil
}

// Violated says whether some run violates a specification.
func (i *Instance) Violated(spec *Node, limit int) (bool, error) {
	return violated(counted{i, map[string]Configuration{}}, spec, true, limit)
}

// counted is the system whose states are configurations.
type counted struct {
	instance *Instance
	states   map[string]Configuration
}

func (s counted) keys(configurations []Configuration) []string {
	var keys []string
	for _, c := range configurations {
		s.states[c.key()] = c
		keys = append(keys, c.key())
	}
	return keys
}

func (s counted) initial() []string          { return s.keys(s.instance.Initial) }
func (s counted) next(state string) []string { return s.keys(s.instance.Next(s.states[state])) }
func (s counted) fair() []func(string) bool  { return nil }
func (s counted) holds(proposition *Node, state string) bool {
	return s.instance.Truth(proposition, s.states[state])
}

// String names the parameters.
func (i *Instance) String() string {
	var words []string
	for _, name := range i.Model.Parameters {
		words = append(words, fmt.Sprintf("%s=%d", name, i.Parameters[name]))
	}
	return strings.Join(words, ",")
}
