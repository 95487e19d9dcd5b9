// Package explore decides specifications for fixed parameters by visiting
// every configuration that can be reached. It is slow and obvious: nothing of
// the search (package schedule) or of a solver is used, so that it can be held
// against them.
package explore

import (
	"encoding/binary"
	"errors"
	"math/big"

	"tacheck/ltl"
	"tacheck/ta"
)

// ErrTooLarge says that there are more states than the limit allows.
var ErrTooLarge = errors.New("too many states")

// Limits bound an exploration.
type Limits struct {
	States int // states of the product; 0 means a million
	// Free bounds the initial values of symbols that the initial conditions
	// leave open.
	Free int64
}

// Violation reports whether some run with the given parameters satisfies a
// canonical formula: a finite run if the formula has no G, else a lasso whose
// loop takes a step.
func Violation(a *ta.Automaton, tree *ltl.Node, params []*big.Int, limits Limits) (bool, error) {
	if limits.States == 0 {
		limits.States = 1_000_000
	}
	x := &explorer{a: a, params: params, limit: limits.States, index: map[string]int{}, finite: !tree.HasGlobally()}
	x.plan(tree)
	for _, c := range initial(a, params, limits.Free) {
		if x.root.prop(c) && x.root.invariant(c) {
			x.visit(state{c, 0})
		}
	}
	for next := 0; next < len(x.states); next++ {
		if x.found {
			return true, nil
		}
		if len(x.states) > x.limit {
			return false, ErrTooLarge
		}
		x.expand(next)
	}
	return x.found || !x.finite && x.loop(), nil
}

// cut is an F-node before the loop.
type cut struct {
	parent          int
	prop, invariant func(*ta.Config) bool
}

// state is a configuration with the set of cut points that have been met.
type state struct {
	config *ta.Config
	met    uint64
}

type explorer struct {
	a      *ta.Automaton
	params []*big.Int
	limit  int
	finite bool

	root   cut
	cuts   []cut
	inLoop []func(*ta.Config) bool // to be seen in the loop
	always []func(*ta.Config) bool // throughout the loop

	states []state
	index  map[string]int
	edges  [][]int
	found  bool
}

func holds(c *ta.Cond) func(*ta.Config) bool {
	return func(at *ta.Config) bool { return c.Eval(at.Value) }
}

// plan reads what the formula asks for from its syntax tree.
func (x *explorer) plan(tree *ltl.Node) {
	x.root = cut{-1, holds(tree.Prop), holds(tree.Invariant())}
	var walk func(n *ltl.Node, parent int, covered bool)
	walk = func(n *ltl.Node, parent int, covered bool) {
		x.always = append(x.always, holds(n.Invariant()))
		for _, f := range n.Finally {
			if covered {
				x.inLoop = append(x.inLoop, holds(f.Prop))
				walk(f, -1, true)
				continue
			}
			x.cuts = append(x.cuts, cut{parent, holds(f.Prop), holds(f.Invariant())})
			walk(f, len(x.cuts)-1, false)
		}
		if n.Globally != nil {
			for _, f := range n.Globally.Finally {
				x.inLoop = append(x.inLoop, holds(f.Prop))
				walk(f, -1, true)
			}
		}
	}
	walk(tree, -1, false)
}

func (x *explorer) allMet() uint64 { return 1<<len(x.cuts) - 1 }

// visit returns the number of a state, new or old.
func (x *explorer) visit(s state) int {
	key := x.key(s)
	if i, ok := x.index[key]; ok {
		return i
	}
	i := len(x.states)
	x.index[key] = i
	x.states = append(x.states, s)
	x.edges = append(x.edges, nil)
	if x.finite && s.met == x.allMet() {
		x.found = true
	}
	return i
}

func (x *explorer) key(s state) string {
	b := binary.AppendUvarint(nil, s.met)
	for _, list := range [][]*big.Int{s.config.Counters, s.config.Shared} {
		for _, v := range list {
			b = binary.AppendUvarint(b, v.Uint64())
		}
	}
	return string(b)
}

var one = big.NewInt(1)

// expand finds the successors of a state: cut points met, and single steps.
func (x *explorer) expand(i int) {
	s := x.states[i]
	for j, c := range x.cuts {
		open := s.met&(1<<j) == 0 && (c.parent < 0 || s.met&(1<<c.parent) != 0)
		if open && c.prop(s.config) && c.invariant(s.config) {
			x.visit(state{s.config, s.met | 1<<j})
		}
	}
	for k := range x.a.Rules {
		r := &x.a.Rules[k]
		if x.a.Enabled(s.config, r, one) != nil {
			continue
		}
		next := s.config.After(r, one)
		if x.allowed(next, s.met) {
			to := x.visit(state{next, s.met})
			x.edges[i] = append(x.edges[i], to)
		}
	}
}

func (x *explorer) allowed(c *ta.Config, met uint64) bool {
	if !x.root.invariant(c) {
		return false
	}
	for j, cut := range x.cuts {
		if met&(1<<j) != 0 && !cut.invariant(c) {
			return false
		}
	}
	return true
}

// loop looks for a strongly connected component of states where every cut
// point has been met and everything under G holds, that has a step and sees
// everything that has to be seen in the loop.
func (x *explorer) loop() bool {
	inside := make([]bool, len(x.states))
	for i, s := range x.states {
		inside[i] = s.met == x.allMet() && all(x.always, s.config)
	}
	for _, component := range components(x.edges, inside) {
		member := map[int]bool{}
		for _, i := range component {
			member[i] = true
		}
		steps := false
		seen := make([]bool, len(x.inLoop))
		for _, i := range component {
			for _, j := range x.edges[i] {
				steps = steps || member[j]
			}
			for k, prop := range x.inLoop {
				seen[k] = seen[k] || prop(x.states[i].config)
			}
		}
		for _, s := range seen {
			steps = steps && s
		}
		if steps {
			return true
		}
	}
	return false
}

func all(props []func(*ta.Config) bool, c *ta.Config) bool {
	for _, p := range props {
		if !p(c) {
			return false
		}
	}
	return true
}

// components returns the strongly connected components of the graph's nodes
// that are inside (Tarjan's algorithm, without recursion).
func components(edges [][]int, inside []bool) [][]int {
	n := len(edges)
	low, num, onStack, counter := make([]int, n), make([]int, n), make([]bool, n), 0
	var stack []int
	var out [][]int
	type frame struct{ node, edge int }
	for root := range edges {
		if !inside[root] || num[root] != 0 {
			continue
		}
		frames := []frame{{root, 0}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if f.edge == 0 {
				counter++
				num[v], low[v] = counter, counter
				stack, onStack[v] = append(stack, v), true
			}
			descended := false
			for f.edge < len(edges[v]) {
				w := edges[v][f.edge]
				f.edge++
				if !inside[w] {
					continue
				}
				if num[w] == 0 {
					frames = append(frames, frame{w, 0})
					descended = true
					break
				}
				if onStack[w] {
					low[v] = min(low[v], num[w])
				}
			}
			if descended {
				continue
			}
			if f.edge == 0 {
				f.edge = 1 // a node without edges is entered once
			}
			if low[v] == num[v] {
				var component []int
				for {
					w := stack[len(stack)-1]
					stack, onStack[w] = stack[:len(stack)-1], false
					component = append(component, w)
					if w == v {
						break
					}
				}
				out = append(out, component)
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				u := frames[len(frames)-1].node
				low[u] = min(low[u], low[v])
			}
		}
	}
	return out
}

// initial enumerates the initial configurations for the given parameters.
// Symbols that the initial conditions leave open range from 0 to free, or to
// the sum of the parameters if that is more.
func initial(a *ta.Automaton, params []*big.Int, free int64) []*ta.Config {
	sum := free
	for _, p := range params {
		sum += p.Int64()
	}
	c := &ta.Config{Params: params}
	for range a.Locations {
		c.Counters = append(c.Counters, new(big.Int))
	}
	for range a.Shared {
		c.Shared = append(c.Shared, new(big.Int))
	}
	if !a.Resilience.Eval(c.Value) {
		return nil
	}
	zero := map[ta.Symbol]bool{}
	zeroSymbols(a.Inits, zero)
	var open []*(*big.Int)
	for i := range c.Counters {
		if !zero[ta.Symbol{Kind: ta.Counter, Index: i}] {
			open = append(open, &c.Counters[i])
		}
	}
	for i := range c.Shared {
		if !zero[ta.Symbol{Kind: ta.Shared, Index: i}] {
			open = append(open, &c.Shared[i])
		}
	}
	var out []*ta.Config
	var assign func(i int)
	assign = func(i int) {
		if i == len(open) {
			if a.Inits.Eval(c.Value) {
				out = append(out, &ta.Config{
					Counters: append([]*big.Int(nil), c.Counters...), Shared: append([]*big.Int(nil), c.Shared...), Params: params})
			}
			return
		}
		for v := int64(0); v <= sum; v++ {
			*open[i] = big.NewInt(v)
			assign(i + 1)
		}
	}
	assign(0)
	return out
}

// zeroSymbols collects the symbols that a conjunction sets to 0.
func zeroSymbols(c *ta.Cond, zero map[ta.Symbol]bool) {
	if c.Op == ta.CondAnd {
		for _, arg := range c.Args {
			zeroSymbols(arg, zero)
		}
	}
	if c.Op == ta.CondAtom && c.Atom.Rel == ta.EQ && len(c.Atom.Linear.Terms()) == 1 && c.Atom.Linear.Const().Sign() == 0 {
		zero[c.Atom.Linear.Terms()[0].Symbol] = true
	}
}
