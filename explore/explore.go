// Package explore decides specifications for fixed parameters by visiting
// every configuration that can be reached. It is slow and obvious: nothing of
// the search (package schedule), of canonical forms or of a solver is used, so
// that it can be held against them.
//
// A run is followed together with what the formula still asks of it (a
// tableau): a set of subformulas that must hold from the current configuration
// on. F f is either met now, by f, or put off; G f asks for f now and for G f
// again. A run satisfies the formula if it ends with nothing asked of it any
// more, or if it is a lasso whose loop takes a step and puts no F f off for
// ever. So any formula with F and G can be explored, also outside the fragment.
package explore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"tacheck/ltl"
	"tacheck/ta"
)

// ErrTooLarge says that there are more states than the limit allows.
var ErrTooLarge = errors.New("too large")

// Limits bound an exploration.
type Limits struct {
	States int // pairs of a configuration and what is asked of it; 0 means a million
	// Free bounds the initial values of symbols that the initial conditions
	// leave open.
	Free int64
}

// Result is what an exploration found.
type Result struct {
	Run         *ta.Run // satisfies the formula; nil if none does
	Configs     int     // configurations reached
	States      int     // configurations with what is asked of them
	Transitions int     // between configurations
	Depth       int     // steps to the configuration that is farthest from the start
}

// Find looks for a run with the given parameters that satisfies f. The error
// is ErrTooLarge, or ctx's.
func Find(ctx context.Context, a *ta.Automaton, f ltl.Formula, params []*big.Int, limits Limits) (*Result, error) {
	if limits.States == 0 {
		limits.States = 1_000_000
	}
	x := &explorer{a: a, ids: map[string]int{}, nodes: map[nodeKey]int{}}
	if err := x.number(f); err != nil {
		return nil, err
	}
	start, err := initial(a, params, limits.Free, limits.States)
	if err != nil {
		return nil, err
	}
	x.caps = caps(a, start, ltl.Atoms(f))
	for _, c := range start {
		x.enter(x.config(c, 0), 1, noNode, -1) // asked: f, which has number 0
	}
	for next := 0; next < len(x.list) && x.done == noNode; next++ {
		if len(x.list) > limits.States {
			return nil, fmt.Errorf("%w: more than %d states", ErrTooLarge, limits.States)
		}
		if next%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := x.list[next]
		for _, s := range x.successors(n.config) {
			x.enter(s.to, n.next, next, s.rule)
		}
	}
	result := &Result{Configs: len(x.configs), States: len(x.list)}
	for i, list := range x.succ {
		result.Transitions += len(list)
		result.Depth = max(result.Depth, x.depth[i])
	}
	result.Run = x.run()
	return result, nil
}

// node is a configuration with what is asked of the run after it.
type node struct {
	config  int
	next    uint64 // subformulas that must hold from the next configuration on
	put     uint64 // F-formulas that were put off
	parent  int    // node and
	rule    int    // rule that led here first
	initial bool
}

type nodeKey struct {
	config    int
	next, put uint64
}

// edge is a firing of a rule.
type edge struct{ to, rule int }

const noNode = -1

type explorer struct {
	a *ta.Automaton

	formulas []ltl.Formula // numbered: the root is 0
	args     [][]int       // numbers of the parts of each
	finallys uint64

	ids     map[string]int
	guards  *guards
	caps    []*big.Int   // by shared variable: as good as infinite, or nil
	configs []*ta.Config // the first found of those that count as equal
	depth   []int
	succ    [][]edge // of configurations; nil if not known
	known   []bool

	nodes map[nodeKey]int
	list  []node
	edges [][]edge
	done  int // a node at which nothing is asked any more
}

// number gives every subformula a number.
func (x *explorer) number(f ltl.Formula) error {
	x.done = noNode
	var add func(f ltl.Formula) int
	add = func(f ltl.Formula) int {
		if c := proposition(f); c != nil {
			f = ltl.Prop{Cond: c}
		}
		i := len(x.formulas)
		x.formulas, x.args = append(x.formulas, f), append(x.args, nil)
		var parts []ltl.Formula
		switch f := f.(type) {
		case *ltl.And:
			parts = f.Args
		case *ltl.Or:
			parts = f.Args
		case *ltl.Finally:
			parts = []ltl.Formula{f.Arg}
			x.finallys |= 1 << i
		case *ltl.Globally:
			parts = []ltl.Formula{f.Arg}
		}
		for _, p := range parts {
			k := add(p)
			x.args[i] = append(x.args[i], k)
		}
		return i
	}
	if add(f); len(x.formulas) > 64 {
		return fmt.Errorf("%w: the formula has %d subformulas, and at most 64 can be followed", ErrTooLarge, len(x.formulas))
	}
	return nil
}

// proposition returns f as a condition, or nil if it has temporal operators.
func proposition(f ltl.Formula) *ta.Cond {
	join := func(args []ltl.Formula, op func(...*ta.Cond) *ta.Cond) *ta.Cond {
		var list []*ta.Cond
		for _, arg := range args {
			c := proposition(arg)
			if c == nil {
				return nil
			}
			list = append(list, c)
		}
		return op(list...)
	}
	switch f := f.(type) {
	case ltl.Prop:
		return f.Cond
	case *ltl.And:
		return join(f.Args, ta.And)
	case *ltl.Or:
		return join(f.Args, ta.Or)
	}
	return nil
}

// config returns the number of a configuration, new or old.
func (x *explorer) config(c *ta.Config, depth int) int {
	var key []byte
	for _, v := range c.Counters {
		key = binary.AppendUvarint(key, v.Uint64())
	}
	for i, v := range c.Shared {
		if most := x.caps[i]; most != nil && v.Cmp(most) > 0 {
			v = most
		}
		key = binary.AppendUvarint(key, v.Uint64())
	}
	if i, ok := x.ids[string(key)]; ok {
		return i
	}
	i := len(x.configs)
	x.ids[string(key)] = i
	x.configs, x.depth = append(x.configs, c), append(x.depth, depth)
	x.succ, x.known = append(x.succ, nil), append(x.known, false)
	return i
}

var one = big.NewInt(1)

// successors returns the single steps from a configuration.
func (x *explorer) successors(i int) []edge {
	if !x.known[i] {
		x.known[i] = true
		c := x.configs[i]
		if x.guards == nil {
			x.guards = newGuards(x.a)
		}
		x.guards.look(c)
		for k := range x.a.Rules {
			if r := &x.a.Rules[k]; x.guards.canFire(c, k) {
				x.succ[i] = append(x.succ[i], edge{x.config(c.After(r, one), x.depth[i]+1), k})
			}
		}
	}
	return x.succ[i]
}

// enter reaches a configuration at which the given subformulas are asked for,
// in all ways in which they can be met or put off.
func (x *explorer) enter(config int, asked uint64, parent, rule int) {
	x.expand(config, asked, 0, 0, 0, func(next, put uint64) {
		key := nodeKey{config, next, put}
		i, old := x.nodes[key]
		if !old {
			i = len(x.list)
			x.nodes[key] = i
			x.list = append(x.list, node{config, next, put, parent, rule, parent == noNode})
			x.edges = append(x.edges, nil)
			if next == 0 && x.done == noNode {
				x.done = i
			}
		}
		if parent != noNode {
			x.edges[parent] = append(x.edges[parent], edge{i, rule})
		}
	})
}

// expand takes subformulas out of asked, one by one, and yields what is left
// for the next configuration, and which F-formulas were put off.
func (x *explorer) expand(config int, asked, seen, next, put uint64, yield func(next, put uint64)) {
	asked &^= seen
	if asked == 0 {
		yield(next, put)
		return
	}
	i := lowest(asked)
	seen |= 1 << i
	switch f := x.formulas[i].(type) {
	case ltl.Prop:
		if f.Cond.Eval(x.configs[config].Value) {
			x.expand(config, asked, seen, next, put, yield)
		}
	case *ltl.And:
		for _, k := range x.args[i] {
			asked |= 1 << k
		}
		x.expand(config, asked, seen, next, put, yield)
	case *ltl.Or:
		for _, k := range x.args[i] {
			x.expand(config, asked|1<<k, seen, next, put, yield)
		}
	case *ltl.Finally:
		x.expand(config, asked|1<<x.args[i][0], seen, next, put, yield)
		x.expand(config, asked, seen, next|1<<i, put|1<<i, yield)
	case *ltl.Globally:
		x.expand(config, asked|1<<x.args[i][0], seen, next|1<<i, put, yield)
	}
}

func lowest(set uint64) int {
	i := 0
	for set&1 == 0 {
		set >>= 1
		i++
	}
	return i
}

// run returns a run that satisfies the formula, or nil.
func (x *explorer) run() *ta.Run {
	if x.done != noNode {
		start, rules := x.path(x.done)
		return x.toRun(start, rules, nil)
	}
	for _, component := range components(x.edges) {
		if loop := x.loop(component); loop != nil {
			start, rules := x.path(component[0])
			return x.toRun(start, rules, loop)
		}
	}
	return nil
}

// path returns the rules that lead to a node, and its initial node.
func (x *explorer) path(i int) (start int, rules []int) {
	for ; !x.list[i].initial; i = x.list[i].parent {
		rules = append(rules, x.list[i].rule)
	}
	for a, b := 0, len(rules)-1; a < b; a, b = a+1, b-1 {
		rules[a], rules[b] = rules[b], rules[a]
	}
	return i, rules
}

// loop returns the rules of a walk through a component from its first node
// back to it, which takes a step and meets every F-formula that was put off;
// nil if there is none.
func (x *explorer) loop(component []int) []int {
	member := map[int]bool{}
	always := x.finallys // put off everywhere in the component
	for _, i := range component {
		member[i] = true
		always &= x.list[i].put
	}
	if always != 0 {
		return nil
	}
	at, left := component[0], x.finallys
	var walk []int
	visit := func(goal func(i int) bool, atLeastOne bool) bool {
		rules, end, ok := x.walk(at, member, goal, atLeastOne)
		for _, i := range rules {
			left &= x.list[i.to].put
			walk = append(walk, i.rule)
		}
		at = end
		return ok
	}
	for left &= x.list[at].put; left != 0; {
		if !visit(func(i int) bool { return x.list[i].put&left != left }, true) {
			return nil
		}
	}
	if !visit(func(i int) bool { return i == component[0] }, len(walk) == 0) {
		return nil
	}
	return walk
}

// walk finds a shortest way inside a set of nodes to one that is a goal.
func (x *explorer) walk(from int, inside map[int]bool, goal func(int) bool, atLeastOne bool) (way []edge, end int, ok bool) {
	if !atLeastOne && goal(from) {
		return nil, from, true
	}
	type step struct {
		previous int // index into queue
		edge     edge
	}
	queue := []step{{-1, edge{from, -1}}}
	seen := map[int]bool{}
	for i := 0; i < len(queue); i++ {
		for _, e := range x.edges[queue[i].edge.to] {
			if !inside[e.to] || seen[e.to] {
				continue
			}
			seen[e.to] = true
			queue = append(queue, step{i, e})
			if goal(e.to) {
				for k := len(queue) - 1; k > 0; k = queue[k].previous {
					way = append([]edge{queue[k].edge}, way...)
				}
				return way, e.to, true
			}
		}
	}
	return nil, from, false
}

// toRun makes a run of rules, accelerating equal neighbours.
func (x *explorer) toRun(start int, prefix []int, loop []int) *ta.Run {
	run := &ta.Run{Start: x.configs[x.list[start].config], Loop: ta.Finite}
	add := func(rules []int) {
		first := len(run.Steps)
		for _, r := range rules {
			if last := len(run.Steps) - 1; last >= first && run.Steps[last].Rule == r {
				if !x.a.Rules[r].Idle() { // once is as good as twice
					run.Steps[last].Factor = new(big.Int).Add(run.Steps[last].Factor, one)
				}
				continue
			}
			run.Steps = append(run.Steps, ta.Transition{Rule: r, Factor: one})
		}
	}
	add(prefix)
	if loop != nil {
		run.Loop = len(run.Steps)
		add(loop)
	}
	return run
}
