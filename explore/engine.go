package explore

import (
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
)

// System is what is explored: states that are numbered as they are found.
type System interface {
	// Initial returns the states in which runs begin.
	Initial() ([]int, error)
	// Successors returns the steps from a state. Its error ends the search.
	Successors(state int) ([]Step, error)
	// Holds evaluates an atom of the formula in a state.
	Holds(atom, state int) bool
}

// Step leads to a state; Label is for whoever knows the system.
type Step struct{ To, Label int }

// Op says what a Formula is.
type Op uint8

// The operators.
const (
	Atom     Op = iota
	And         // of all Args
	Or          // of some of Args
	Finally     // Args[0] holds now or later
	Globally    // Args[0] holds now and always
	Until       // Args[1] holds now or later, and Args[0] until then
	Release     // Args[1] holds until Args[0] does too, or always
)

// Formula is a temporal formula in negation normal form over the atoms of a
// system.
type Formula struct {
	Op   Op
	Atom int
	Args []*Formula
}

// Fair is a System some of whose steps are weakly fair: each constraint is about
// a step that is not possible, or taken, again and again.
type Fair interface {
	System
	// Constraints returns how many constraints there are.
	Constraints() int
	// Enabled lists those whose step is possible in a state.
	Enabled(state int) []int
	// Taken lists those whose step is taken by s.
	Taken(s Step) []int
	// Renamed says what becomes of constraints along s: constraint c of the state
	// from which s leads is constraint Renamed(s)[c] of the other. (States may stand for
	// others that differ by a permutation.) nil if they stay as they are.
	Renamed(s Step) []int
}

// Found is what a search found. Start is -1 if no run satisfies the formula.
type Found struct {
	Start        int   // state in which the run begins
	Prefix, Loop []int // labels of its steps; no Loop if it is finite
	Nodes        int   // states with what the formula asks of them
	Near         []int // the states of the way to the loop, and of the component that the loop is in
}

// Search looks for a run that satisfies a formula: a finite one at whose end
// nothing is asked any more, or a lasso whose loop takes a step. At most limit
// states, with what is asked of them, are visited. The error is ErrTooLarge, the
// system's, or ctx's.
func Search(ctx context.Context, sys System, f *Formula, limit int) (*Found, error) {
	x := &search{sys: sys, nodes: map[nodeKey]int{}, done: noNode}
	if fair, ok := sys.(Fair); ok && fair.Constraints() > 0 {
		x.fair = fair
	}
	if err := x.number(f); err != nil {
		return nil, err
	}
	start, err := sys.Initial()
	if err != nil {
		return nil, err
	}
	for _, s := range start {
		x.enter(s, 1, noNode, -1) // asked: f, which has number 0
	}
	for next := 0; next < len(x.list) && x.done == noNode; next++ {
		if len(x.list) > limit {
			return nil, fmt.Errorf("%w: more than %d states", ErrTooLarge, limit)
		}
		if next%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := x.list[next]
		steps, err := sys.Successors(n.state)
		if err != nil {
			return nil, err
		}
		for _, s := range steps {
			x.enter(s.To, n.next, next, s.Label)
		}
	}
	return x.found(), nil
}

// node is a state with what is asked of the run after it.
type node struct {
	state   int
	next    uint64 // subformulas that must hold from the next state on
	put     uint64 // F-formulas that were put off
	parent  int    // node and
	label   int    // step that led here first
	initial bool
}

type nodeKey struct {
	state     int
	next, put uint64
}

const noNode = -1

// search is the product of a system and a formula's tableau.
type search struct {
	sys System

	formulas []*Formula // numbered: the root is 0
	args     [][]int    // numbers of the parts of each
	finallys uint64

	nodes map[nodeKey]int
	list  []node
	edges [][]Step // between nodes
	done  int      // a node at which nothing is asked any more

	fair Fair // nil if nothing is
}

// number gives every subformula a number.
func (x *search) number(f *Formula) error {
	var add func(f *Formula) int
	add = func(f *Formula) int {
		i := len(x.formulas)
		x.formulas, x.args = append(x.formulas, f), append(x.args, nil)
		if (f.Op == Finally || f.Op == Until) && i < 64 {
			x.finallys |= 1 << i
		}
		for _, p := range f.Args {
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

// enter reaches a state at which the given subformulas are asked for, in all
// ways in which they can be met or put off.
func (x *search) enter(state int, asked uint64, parent, label int) {
	x.expand(state, asked, 0, 0, 0, func(next, put uint64) {
		key := nodeKey{state, next, put}
		i, old := x.nodes[key]
		if !old {
			i = len(x.list)
			x.nodes[key] = i
			x.list = append(x.list, node{state, next, put, parent, label, parent == noNode})
			x.edges = append(x.edges, nil)
			if next == 0 && x.done == noNode {
				x.done = i
			}
		}
		if parent != noNode {
			x.edges[parent] = append(x.edges[parent], Step{i, label})
		}
	})
}

// expand takes subformulas out of asked, one by one, and yields what is left
// for the next state, and which F-formulas were put off.
func (x *search) expand(state int, asked, seen, next, put uint64, yield func(next, put uint64)) {
	asked &^= seen
	if asked == 0 {
		yield(next, put)
		return
	}
	i := bits.TrailingZeros64(asked)
	seen |= 1 << i
	switch f := x.formulas[i]; f.Op {
	case Atom:
		if x.sys.Holds(f.Atom, state) {
			x.expand(state, asked, seen, next, put, yield)
		}
	case And:
		for _, k := range x.args[i] {
			asked |= 1 << k
		}
		x.expand(state, asked, seen, next, put, yield)
	case Or:
		for _, k := range x.args[i] {
			x.expand(state, asked|1<<k, seen, next, put, yield)
		}
	case Finally:
		x.expand(state, asked|1<<x.args[i][0], seen, next, put, yield)
		x.expand(state, asked, seen, next|1<<i, put|1<<i, yield)
	case Globally:
		x.expand(state, asked|1<<x.args[i][0], seen, next|1<<i, put, yield)
	case Until:
		x.expand(state, asked|1<<x.args[i][1], seen, next, put, yield)
		x.expand(state, asked|1<<x.args[i][0], seen, next|1<<i, put|1<<i, yield)
	case Release:
		x.expand(state, asked|1<<x.args[i][0]|1<<x.args[i][1], seen, next, put, yield)
		x.expand(state, asked|1<<x.args[i][1], seen, next|1<<i, put, yield)
	}
}

// found returns a run that satisfies the formula, if there is one.
func (x *search) found() *Found {
	out := &Found{Start: -1, Nodes: len(x.list)}
	if x.done != noNode {
		out.Start, out.Prefix = x.path(x.done)
		out.Near = x.near(x.done, nil)
		return out
	}
	for _, component := range components(x.edges) {
		if !x.accepts(component) {
			continue
		}
		out.Start, out.Prefix = x.path(component[0])
		out.Near = x.near(component[0], component)
		if out.Loop = x.loop(component); out.Loop != nil || x.renames() {
			return out
		}
	}
	out.Start, out.Prefix = -1, nil
	return out
}

// renames reports whether constraints change their names along steps: a loop of
// states is none of what they stand for then.
func (x *search) renames() bool {
	if x.fair == nil {
		return false
	}
	for _, steps := range x.edges {
		for _, s := range steps {
			if x.fair.Renamed(s) != nil {
				return true
			}
		}
	}
	return false
}

// near lists the states on the way to a node, and those of a component.
func (x *search) near(i int, component []int) []int {
	seen := map[int]bool{}
	var list []int
	add := func(i int) {
		if s := x.list[i].state; !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	for _, k := range component {
		add(k)
	}
	for ; ; i = x.list[i].parent {
		if add(i); x.list[i].initial {
			return list
		}
	}
}

// path returns the labels that lead to a node, and the state where they begin.
func (x *search) path(i int) (start int, labels []int) {
	for ; !x.list[i].initial; i = x.list[i].parent {
		labels = append(labels, x.list[i].label)
	}
	for a, b := 0, len(labels)-1; a < b; a, b = a+1, b-1 {
		labels[a], labels[b] = labels[b], labels[a]
	}
	return x.list[i].state, labels
}

// loop returns the labels of a walk through a component from its first node
// back to it, which takes a step and meets every F-formula that was put off;
// nil if there is none.
func (x *search) loop(component []int) []int {
	member := map[int]bool{}
	for _, i := range component {
		member[i] = true
	}
	at, left := component[0], x.finallys
	unfair := map[int]bool{} // constraints that are still to be met
	if x.fair != nil {
		for c := range x.fair.Constraints() {
			unfair[c] = true
		}
	}
	arrive := func(i int) {
		left &= x.list[i].put
		if len(unfair) > 0 {
			enabled := x.fair.Enabled(x.list[i].state)
			maps.DeleteFunc(unfair, func(c int, _ bool) bool { return !slices.Contains(enabled, c) })
		}
	}
	progress := func(s Step) bool {
		if x.list[s.To].put&left != left {
			return true
		}
		if len(unfair) == 0 {
			return false
		}
		enabled := x.fair.Enabled(x.list[s.To].state)
		for c := range unfair {
			if !slices.Contains(enabled, c) {
				return true
			}
		}
		return slices.ContainsFunc(x.fair.Taken(s), func(c int) bool { return unfair[c] })
	}
	var walk []int
	visit := func(goal func(s Step) bool, atLeastOne bool) bool {
		steps, end, ok := x.walk(at, member, goal, atLeastOne)
		for _, s := range steps {
			if x.fair != nil {
				for _, c := range x.fair.Taken(s) {
					delete(unfair, c)
				}
			}
			arrive(s.To)
			walk = append(walk, s.Label)
		}
		at = end
		return ok
	}
	for arrive(at); left != 0 || len(unfair) > 0; {
		if !visit(progress, true) {
			return nil
		}
	}
	if !visit(func(s Step) bool { return s.To == component[0] }, len(walk) == 0) {
		return nil
	}
	return walk
}

// walk finds a shortest way inside a set of nodes that ends with a step that is
// a goal.
func (x *search) walk(from int, inside map[int]bool, goal func(Step) bool, atLeastOne bool) (way []Step, end int, ok bool) {
	if !atLeastOne && goal(Step{To: from}) {
		return nil, from, true
	}
	type link struct {
		previous int // index into queue
		step     Step
	}
	queue := []link{{-1, Step{from, -1}}}
	seen := map[int]bool{}
	for i := 0; i < len(queue); i++ {
		for _, e := range x.edges[queue[i].step.To] {
			met := inside[e.To] && goal(e)
			if !inside[e.To] || seen[e.To] && !met {
				continue
			}
			seen[e.To] = true
			queue = append(queue, link{i, e})
			if met {
				for k := len(queue) - 1; k > 0; k = queue[k].previous {
					way = append([]Step{queue[k].step}, way...)
				}
				return way, e.To, true
			}
		}
	}
	return nil, from, false
}
