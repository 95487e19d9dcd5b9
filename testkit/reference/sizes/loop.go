package sizes

import (
	"bytes"
	"slices"
)

// loops looks for strongly connected sets of nodes among those that differ in variables only, in
// which a run may stay for ever: it puts off no F for ever, and is fair if it has to be.
type loops struct {
	in      *Instance
	tableau *tableau
	fair    bool

	numbers map[string]int // of nodes that were visited, by their keys
	order   []*visited
	stack   []int
}

// visited is a node with the steps out of it, and what Tarjan's algorithm notes.
type visited struct {
	node    node
	steps   []step
	low     int
	onStack bool
	set     int // the strongly connected set to which it belongs, as the number of its first node
}

// A step of a loop: some process takes a rule, or (process -1) nothing happens.
type step struct {
	to            int
	process, rule int
	late          set
}

// from tells whether there is such a set that can be reached from a node, among nodes not visited before.
func (l *loops) from(n node) bool {
	if _, ok := l.numbers[n.key()]; ok {
		return false
	}
	_, found := l.visit(n)
	return found
}

// visit is Tarjan's algorithm, recursively.
func (l *loops) visit(n node) (number int, found bool) {
	number = len(l.order)
	l.numbers[n.key()] = number
	v := &visited{node: n, low: number, onStack: true, set: -1}
	l.order = append(l.order, v)
	l.stack = append(l.stack, number)
	outcomes := l.tableau.expand(scope{l.in, n.world, -1}, n.todo)
	moves := append(l.local(n.world), move{-1, -1, n.world})
	if l.in.mistake == "runs go on" && len(l.in.moves(n.world)) > 0 {
		moves = moves[:len(moves)-1]
	}
	for _, o := range outcomes {
		for _, m := range moves {
			next := node{m.to, o.next}
			to, known := l.numbers[next.key()]
			if !known {
				if to, found = l.visit(next); found {
					return to, true
				}
				v.low = min(v.low, l.order[to].low)
			} else if l.order[to].onStack {
				v.low = min(v.low, to)
			}
			v.steps = append(v.steps, step{to, m.process, m.rule, o.late})
		}
	}
	if v.low < number {
		return number, false
	}
	start := slices.Index(l.stack, number)
	component := slices.Clone(l.stack[start:])
	l.stack = l.stack[:start]
	for _, i := range component {
		l.order[i].onStack = false
		l.order[i].set = number
	}
	return number, l.accepts(component)
}

// local are the moves by which variables change, or nothing.
func (l *loops) local(w world) []move {
	var local []move
	for p := range l.in.processes {
		for r := range l.in.role(p).Rules {
			if !l.in.enabled(w, p, r) {
				continue
			}
			for _, m := range l.in.take(w, p, r) {
				if l.in.sameButVariables(w, m.to) {
					local = append(local, m)
				}
			}
		}
	}
	return local
}

// sameButVariables tells whether two worlds differ in nothing but variables.
func (in *Instance) sameButVariables(w, v world) bool {
	if !bytes.Equal(w[:in.layout.first], v[:in.layout.first]) {
		return false
	}
	for p := range in.processes {
		a, b := in.at(w, p), in.at(v, p)
		after := 1 + in.layout.variables
		if a[0] != b[0] || !bytes.Equal(a[after:], b[after:]) {
			return false
		}
	}
	return true
}

// accepts tells whether a run may stay in a strongly connected set for ever, and take each of its steps
// again and again.
func (l *loops) accepts(component []int) bool {
	var steps []step
	for _, i := range component {
		for _, s := range l.order[i].steps {
			if l.order[s.to].set == l.order[i].set {
				steps = append(steps, s)
			}
		}
	}
	if len(steps) == 0 {
		return false
	}
	for _, f := range l.tableau.finally() {
		if !slices.ContainsFunc(steps, func(s step) bool { return s.late&f == 0 }) {
			return false
		}
	}
	if !l.fair {
		return true
	}
	for p := range l.in.processes {
		if !l.in.Correct(p) && l.in.mistake != "omitting processes are fair" {
			continue
		}
		for r, rule := range l.in.role(p).Rules {
			taken := func(s step) bool {
				if s.process == p && s.rule >= 0 && l.in.mistake == "a rule with parameters is one rule" {
					return l.in.role(p).Rules[s.rule].number == rule.number
				}
				return s.process == p && s.rule == r
			}
			if rule.Maybe && l.in.mistake != "maybe is must" || slices.ContainsFunc(steps, taken) {
				continue
			}
			if !slices.ContainsFunc(component, func(i int) bool { return !l.in.enabled(l.order[i].node.world, p, r) }) {
				return false
			}
		}
	}
	return true
}
