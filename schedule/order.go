package schedule

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta"
)

// maxSteps bounds the transitions that a flow is ordered into. Only few
// processes that go round growing cycles often need many.
const maxSteps = 20_000

// errTooLong says that a flow takes more than maxSteps transitions.
var errTooLong = errors.New("a run of the counterexample takes more than 20000 transitions")

// realise orders a flow into a schedule (the flow lemma, theory 5 and 10).
//
// Cycles on which no variable changes are taken out first, for they move no process in the end. If what is left has no
// cycles but self-loops, the rules out of each location fire after all rules into it, self-loops first.
//
// Otherwise processes walk: a process takes a rule that is still to be fired where it is, in any order, but the last
// rule to be fired out of each location is one that leads towards where some process stays in the end. So none leaves
// for good while something is left to be done behind him (as in the proof that directed graphs have Euler tours).
func realise(a *ta.Automaton, growing []bool, c *ta.Config, rules []*ta.Rule,
	flow []*big.Int) ([]ta.Transition, error) {
	removeIdleCycles(a, growing, c, rules, flow)
	if findCycle(len(a.Locations), rules, flow, anyLocation) == nil {
		return inOrder(a, c, rules, flow)
	}
	w := newWalk(a, c, rules, flow)
	for w.step() {
		if len(w.steps) > maxSteps {
			return nil, errTooLong
		}
	}
	for k, n := range w.left {
		if n.Sign() > 0 {
			return nil, fmt.Errorf("the flow needs a process in %s, where none comes", a.Locations[rules[k].From].Name)
		}
	}
	return w.steps, nil
}

func anyLocation(int) bool { return true }

// inOrder orders a flow without cycles.
func inOrder(a *ta.Automaton, c *ta.Config, rules []*ta.Rule, flow []*big.Int) ([]ta.Transition, error) {
	out := make([][]int, len(a.Locations))
	loops := make([][]int, len(a.Locations))
	waiting := make([]int, len(a.Locations)) // rules into the location still to fire
	for k, r := range rules {
		switch {
		case flow[k].Sign() == 0:
		case r.SelfLoop():
			loops[r.From] = append(loops[r.From], k)
		default:
			out[r.From] = append(out[r.From], k)
			waiting[r.To]++
		}
	}
	var ready []int
	for l := range a.Locations {
		if waiting[l] == 0 && len(out[l])+len(loops[l]) > 0 {
			ready = append(ready, l)
		}
	}
	var steps []ta.Transition
	for len(ready) > 0 {
		l := ready[0]
		ready = ready[1:]
		if len(loops[l]) > 0 && c.Counters[l].Sign() <= 0 {
			return nil, fmt.Errorf("the flow needs a process in %s, where none comes", a.Locations[l].Name)
		}
		for _, k := range append(loops[l], out[l]...) {
			r := rules[k]
			steps = appendStep(steps, r, flow[k])
			c = c.After(r, flow[k])
			if c.Counters[r.From].Sign() < 0 {
				return nil, fmt.Errorf("the flow takes more processes out of %s than there are",
					a.Locations[r.From].Name)
			}
			if r.SelfLoop() {
				continue
			}
			if waiting[r.To]--; waiting[r.To] == 0 && len(out[r.To])+len(loops[r.To]) > 0 {
				ready = append(ready, r.To)
			}
		}
	}
	return steps, nil
}

// walk is a flow being fired.
type walk struct {
	rules  []*ta.Rule
	left   []*big.Int // by rule
	tokens []*big.Int // by location: who is there
	out    [][]int    // rules out of each location, self-loops first, the last one to be fired last
	order  []int      // locations, components in topological order
	steps  []ta.Transition
}

func newWalk(a *ta.Automaton, c *ta.Config, rules []*ta.Rule, flow []*big.Int) *walk {
	w := &walk{rules: rules, out: make([][]int, len(a.Locations))}
	for _, n := range flow {
		w.left = append(w.left, new(big.Int).Set(n))
	}
	for _, n := range c.Counters {
		w.tokens = append(w.tokens, new(big.Int).Set(n))
	}
	components, _ := a.Components()
	for _, members := range components {
		w.order = append(w.order, members...)
	}
	last := lastRules(len(a.Locations), c, rules, flow)
	for k, r := range rules {
		if flow[k].Sign() > 0 && r.SelfLoop() {
			w.out[r.From] = append(w.out[r.From], k)
		}
	}
	for k, r := range rules {
		if flow[k].Sign() > 0 && !r.SelfLoop() && last[r.From] != k {
			w.out[r.From] = append(w.out[r.From], k)
		}
	}
	for l, k := range last {
		if k >= 0 {
			w.out[l] = append(w.out[l], k)
		}
	}
	return w
}

// lastRules returns, for each location, the rule out of it that is to be fired last, or -1: these lead, without a
// circle, to locations where some process is in the end.
func lastRules(locations int, c *ta.Config, rules []*ta.Rule, flow []*big.Int) []int {
	end := make([]*big.Int, locations)
	leaves := make([]bool, locations)
	for l := range end {
		end[l] = new(big.Int).Set(c.Counters[l])
	}
	for k, r := range rules {
		if flow[k].Sign() > 0 && !r.SelfLoop() {
			end[r.From].Sub(end[r.From], flow[k])
			end[r.To].Add(end[r.To], flow[k])
			leaves[r.From] = true
		}
	}
	last := make([]int, locations)
	done := make([]bool, locations)
	var queue []int
	for l := range last {
		last[l] = -1
		if done[l] = end[l].Sign() > 0 || !leaves[l]; done[l] {
			queue = append(queue, l)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for k, r := range rules {
			if r.To == queue[0] && flow[k].Sign() > 0 && !done[r.From] {
				last[r.From], done[r.From] = k, true
				queue = append(queue, r.From)
			}
		}
	}
	return last
}

// step lets those in the first location where something is left to be done take
// a rule, all of them at once; false if there is no such location.
func (w *walk) step() bool {
	for _, l := range w.order {
		if w.tokens[l].Sign() <= 0 {
			continue
		}
		for _, k := range w.out[l] {
			n := new(big.Int).Set(w.left[k])
			if n.Sign() == 0 {
				continue
			}
			r := w.rules[k]
			if !r.SelfLoop() && w.tokens[l].Cmp(n) < 0 {
				n.Set(w.tokens[l])
			}
			w.left[k].Sub(w.left[k], n)
			if !r.SelfLoop() {
				w.tokens[l].Sub(w.tokens[l], n)
				w.tokens[r.To].Add(w.tokens[r.To], n)
			}
			w.steps = appendStep(w.steps, r, n)
			return true
		}
	}
	return false
}

// removeIdleCycles subtracts cycles from a flow, as far as it does the same without: cycles on which no variable
// changes, except those that bring processes to where a growing cycle needs them.
func removeIdleCycles(a *ta.Automaton, growing []bool, c *ta.Config, rules []*ta.Rule, flow []*big.Int) {
	removeCycles(len(a.Locations), rules, flow, func(k int) bool { return !growing[rules[k].From] })
	for k, r := range rules {
		if flow[k].Sign() == 0 || !growing[r.From] || r.SelfLoop() || !r.Update.IsConst() {
			continue
		}
		idle := func(k int) bool { return rules[k].Update.IsConst() && !rules[k].SelfLoop() && growing[rules[k].From] }
		shorter := lists.Map(flow, func(n *big.Int) *big.Int { return new(big.Int).Set(n) })
		removeCycles(len(a.Locations), rules, shorter, idle)
		if unsupported(a, growing, c, rules, shorter) == nil {
			copy(flow, shorter)
		}
		return
	}
}

// removeCycles subtracts cycles of the rules that may accepts from a flow until its support has none.
func removeCycles(locations int, rules []*ta.Rule, flow []*big.Int, may func(k int) bool) {
	for {
		cycle := findCycle(locations, rules, flow, may)
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

// findCycle returns the rules of a cycle of the flow's support, self-loops
// aside, among the rules that may accepts; or nil.
func findCycle(locations int, rules []*ta.Rule, flow []*big.Int, may func(k int) bool) []int {
	out := make([][]int, locations)
	for k, r := range rules {
		if flow[k].Sign() > 0 && !r.SelfLoop() && may(k) {
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

func appendStep(steps []ta.Transition, r *ta.Rule, k *big.Int) []ta.Transition {
	if k.Sign() == 0 {
		return steps
	}
	return append(steps, ta.Transition{Rule: r.Index, Factor: k})
}
