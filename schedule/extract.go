package schedule

import (
	"fmt"
	"math/big"

	"tacheck/smt"
	"tacheck/ta"
)

// extract turns the solver's model of a timeline into a run. It fails only if
// the encoding is wrong, or the solver; the run is still to be replayed.
func (t *timeline) extract() (*ta.Run, error) {
	model, err := t.model()
	if err != nil {
		return nil, err
	}
	c := t.first(model)
	run := &ta.Run{Start: c, Loop: ta.Finite}
	for i := range t.pieces {
		p := &t.pieces[i]
		if i == t.loopPiece {
			run.Loop = len(run.Steps)
		}
		steps, err := p.schedule(t.p.Automaton, c, model)
		if err != nil {
			return nil, fmt.Errorf("internal error, please report: the model from %s is no run: %w", t.s.Name(), err)
		}
		for _, s := range steps {
			c = c.After(&t.p.Automaton.Rules[s.Rule], s.Factor)
		}
		run.Steps = append(run.Steps, steps...)
	}
	return run, nil
}

// values are the values of variables in a model.
type values map[*smt.Var]*big.Int

// model asks for the values of everything that extract needs.
func (t *timeline) model() (values, error) {
	var vars []*smt.Var
	linears := func(lists ...[]smt.Linear) {
		for _, list := range lists {
			for _, l := range list {
				vars = append(vars, l.Terms[0].Var)
			}
		}
	}
	first := t.start
	linears(first.Counters, first.Shared, first.Params)
	for _, p := range t.pieces {
		vars = append(vars, p.factors...)
		if p.anchor != nil {
			vars = append(vars, p.anchor.starts...)
			for _, v := range p.anchor.path {
				if v != nil {
					vars = append(vars, v)
				}
			}
		}
	}
	got, err := t.s.Values(vars)
	if err != nil {
		return nil, err
	}
	model := values{}
	for i, v := range vars {
		model[v] = got[i]
	}
	return model, nil
}

// first returns the initial configuration.
func (t *timeline) first(model values) *ta.Config {
	read := func(list []smt.Linear) []*big.Int {
		out := make([]*big.Int, len(list))
		for i, l := range list {
			out[i] = model[l.Terms[0].Var]
		}
		return out
	}
	return &ta.Config{Counters: read(t.start.Counters), Shared: read(t.start.Shared), Params: read(t.start.Params)}
}

// schedule returns the transitions of a piece, starting in c.
func (p *piece) schedule(a *ta.Automaton, c *ta.Config, model values) ([]ta.Transition, error) {
	if p.ordered {
		var steps []ta.Transition
		for i, r := range p.rules {
			steps = appendStep(steps, r, model[p.factors[i]])
		}
		return steps, nil
	}
	flow := make([]*big.Int, len(p.rules))
	for i, v := range p.factors {
		flow[i] = new(big.Int).Set(model[v])
	}
	moving := p.anchorPath(c, flow, model)
	steps, err := realise(a, c, p.rules, flow)
	for _, r := range moving {
		steps = appendStep(steps, r, big.NewInt(1))
	}
	return steps, err
}

func appendStep(steps []ta.Transition, r *ta.Rule, k *big.Int) []ta.Transition {
	if k.Sign() == 0 {
		return steps
	}
	return append(steps, ta.Transition{Rule: r.Index, Factor: k})
}

// anchorPath takes the moving anchor out of the flow, if the model has one,
// and returns its rules in order.
func (p *piece) anchorPath(c *ta.Config, flow []*big.Int, model values) []*ta.Rule {
	if p.anchor == nil {
		return nil
	}
	at, starts := -1, 0
	for i, v := range p.anchor.starts {
		if model[v].Sign() > 0 {
			at = p.anchor.set[i]
			starts++
		}
	}
	if starts != 1 || c.Counters[at].Sign() <= 0 {
		return nil // the model did without a moving anchor
	}
	left := map[int]bool{} // moves that the anchor still makes
	for k, v := range p.anchor.path {
		if v != nil && model[v].Sign() > 0 {
			if flow[k].Sign() <= 0 {
				return nil
			}
			left[k] = true
		}
	}
	var rules []*ta.Rule
	var taken []int
	for moved := true; moved; {
		moved = false
		for k, r := range p.rules {
			if left[k] && r.From == at {
				delete(left, k)
				rules, taken, at, moved = append(rules, r), append(taken, k), r.To, true
				break
			}
		}
	}
	for _, k := range taken {
		flow[k].Sub(flow[k], big.NewInt(1))
	}
	return rules
}

// realise orders a flow into a schedule (the flow lemma, theory 5): cycles are
// taken out, for they move nobody in the end and change nothing; then the
// rules out of each location fire after all rules into it.
func realise(a *ta.Automaton, c *ta.Config, rules []*ta.Rule, flow []*big.Int) ([]ta.Transition, error) {
	removeCycles(len(a.Locations), rules, flow)
	out := make([][]int, len(a.Locations))
	waiting := make([]int, len(a.Locations)) // rules into the location still to fire
	for k, r := range rules {
		if flow[k].Sign() > 0 {
			out[r.From] = append(out[r.From], k)
			waiting[r.To]++
		}
	}
	var ready []int
	for l := range a.Locations {
		if waiting[l] == 0 && len(out[l]) > 0 {
			ready = append(ready, l)
		}
	}
	var steps []ta.Transition
	for len(ready) > 0 {
		l := ready[0]
		ready = ready[1:]
		for _, k := range out[l] {
			r := rules[k]
			steps = appendStep(steps, r, flow[k])
			c = c.After(r, flow[k])
			if c.Counters[r.From].Sign() < 0 {
				return nil, fmt.Errorf("the flow takes more processes out of %s than there are", a.Locations[r.From].Name)
			}
			if waiting[r.To]--; waiting[r.To] == 0 && len(out[r.To]) > 0 {
				ready = append(ready, r.To)
			}
		}
	}
	return steps, nil
}

// removeCycles subtracts cycles from a flow until its support has none.
func removeCycles(locations int, rules []*ta.Rule, flow []*big.Int) {
	for {
		cycle := findCycle(locations, rules, flow)
		if cycle == nil {
			return
		}
		least := flow[cycle[0]]
		for _, k := range cycle {
			if flow[k].Cmp(least) < 0 {
				least = flow[k]
			}
		}
		least = new(big.Int).Set(least)
		for _, k := range cycle {
			flow[k].Sub(flow[k], least)
		}
	}
}

// findCycle returns the rules of a cycle of the flow's support, or nil.
func findCycle(locations int, rules []*ta.Rule, flow []*big.Int) []int {
	out := make([][]int, locations)
	for k, r := range rules {
		if flow[k].Sign() > 0 {
			out[r.From] = append(out[r.From], k)
		}
	}
	const (
		fresh = iota
		open
		closed
	)
	state := make([]int, locations)
	var stack []int // rules on the way
	var visit func(l int) []int
	visit = func(l int) []int {
		state[l] = open
		for _, k := range out[l] {
			to := rules[k].To
			if state[to] == open {
				cycle := []int{k}
				for i := len(stack) - 1; i >= 0 && rules[cycle[len(cycle)-1]].From != to; i-- {
					cycle = append(cycle, stack[i])
				}
				return cycle
			}
			if state[to] == fresh {
				stack = append(stack, k)
				if cycle := visit(to); cycle != nil {
					return cycle
				}
				stack = stack[:len(stack)-1]
			}
		}
		state[l] = closed
		return nil
	}
	for l := range out {
		if state[l] == fresh {
			if cycle := visit(l); cycle != nil {
				return cycle
			}
		}
	}
	return nil
}
