package protocol

import (
	"fmt"
	"slices"
)

// Verdict is what there is to say of a formula.
type Verdict struct {
	Holds bool
	// Undecided formulas are too large.
	Undecided bool
	// Failures are errors of conditions in any state: whether a condition is asked for may
	// depend on how the search goes.
	Failures []*Failure
}

// constraint is what weak fairness asks for: a rule of a process, and whom it receives from, unless that
// is a quorum.
type constraint string

func (e Edge) constraint() constraint {
	s := fmt.Sprint(e.Step.Rule.Label, " ", e.Step.Mover.ID())
	if !e.Step.Quorum && len(e.Step.Senders) > 0 {
		s += fmt.Sprint(" ", e.Step.Senders[0].ID())
	}
	return constraint(s)
}

// What is larger is left undecided.
const (
	maxSubformulas    = 30
	maxConfigurations = 20000
)

// configuration is a state with what is asked of the run from there.
type configuration struct {
	node int
	ask  string
}

// search looks for a run that satisfies a formula.
type search struct {
	*builder
	graph    *Graph
	property *Property
	truths   map[[2]int]bool
	failures []*Failure
	asks     map[string]obligations
	number   map[configuration]int
	all      []configuration
	succ     [][]move
}

// move is a step of a run with what it puts off.
type move struct {
	to    int
	late  []int
	taken constraint
}

// Decide says whether all runs, or all fair ones, satisfy a formula.
func (g *Graph) Decide(p *Property) Verdict {
	s := &search{
		builder: &builder{model: g.Model, known: map[string]*formula{}}, graph: g, property: p,
		truths: map[[2]int]bool{}, asks: map[string]obligations{}, number: map[configuration]int{},
	}
	root := s.build(p.Body, map[string]Value{}, true)
	for _, f := range s.builder.all {
		for n := range g.Nodes {
			if f.op == "cond" {
				s.truth(n, f)
			}
		}
	}
	for _, n := range g.Initial {
		s.visit(n, obligations{root.id})
	}
	for at := 0; at < len(s.all); at++ {
		if len(s.builder.all) > maxSubformulas || len(s.all) > maxConfigurations {
			return Verdict{Undecided: true, Failures: s.failures}
		}
		s.moves(at)
	}
	holds := true
	for _, component := range components(s.succ) {
		if s.accepts(component) {
			holds = false
		}
	}
	return Verdict{Holds: holds, Failures: s.failures}
}

func (s *search) visit(node int, o obligations) int {
	c := configuration{node, fmt.Sprint(o)}
	n, ok := s.number[c]
	if !ok {
		n = len(s.all)
		s.number[c] = n
		s.asks[c.ask] = o
		s.all = append(s.all, c)
		s.succ = append(s.succ, nil)
	}
	return n
}

// moves finds the steps from a configuration. Where no process has to do anything, idling is one.
func (s *search) moves(at int) {
	c := s.all[at]
	node := s.graph.Nodes[c.node]
	for _, x := range s.expand(s.asks[c.ask], func(f *formula) bool { return s.truth(c.node, f) }) {
		var list []move
		for _, e := range node.Steps {
			m := move{to: s.visit(e.To, x.next), late: x.late}
			if s.executes(e) {
				m.taken = e.constraint()
			}
			list = append(list, m)
		}
		if node.Idles && !(mistake == mistakeIdle && len(node.Steps) > 0) {
			list = append(list, move{to: s.visit(c.node, x.next), late: x.late})
		}
		s.succ[at] = append(s.succ[at], list...)
	}
}

func (s *search) truth(node int, f *formula) bool {
	key := [2]int{node, f.id}
	if v, ok := s.truths[key]; ok {
		return v
	}
	v, err := check(&scope{model: s.model, state: s.graph.Nodes[node].State, names: cloneMap(f.names)}, f.cond)
	if err != nil {
		s.failures = append(s.failures, err)
	}
	s.truths[key] = v != f.neg
	return v != f.neg
}

// executes tells whether a step executes a rule that fairness speaks of: losses and senders that had stopped
// are no executions. What is voluntary may be one, but nothing is asked because it is possible.
func (s *search) executes(e Edge) bool {
	if !s.property.Fair || mistake == mistakeFair || e.Step.Rule == nil || e.Step.Fate != "processed" {
		return false
	}
	return len(s.property.FairRules) == 0 || mistake == mistakeFairRule || slices.Contains(s.property.FairRules, e.Step.Rule.Label)
}

// accepts tells whether a run can go on in a strongly connected component for ever that meets
// everything it puts off, and is fair: all its steps are taken again and again.
func (s *search) accepts(component []int) bool {
	inside := map[int]bool{}
	for _, c := range component {
		inside[c] = true
	}
	steps := 0
	met := map[int]bool{}           // formulas f U g that some step does not put off
	taken := map[constraint]bool{}  // by some step
	enabled := map[constraint]int{} // in how many configurations
	for _, c := range component {
		for _, m := range s.succ[c] {
			if !inside[m.to] {
				continue
			}
			steps++
			taken[m.taken] = true
			for _, f := range s.builder.all {
				if f.op == "U" && !slices.Contains(m.late, f.id) {
					met[f.id] = true
				}
			}
		}
		here := map[constraint]bool{}
		for _, e := range s.graph.Nodes[s.all[c].node].Steps {
			if s.executes(e) && e.Step.Required {
				here[e.constraint()] = true
			}
		}
		for k := range here {
			enabled[k]++
		}
	}
	if steps == 0 {
		return false
	}
	for _, f := range s.builder.all {
		if f.op == "U" && !met[f.id] {
			return false
		}
	}
	for k, n := range enabled {
		if n == len(component) && !taken[k] {
			return false
		}
	}
	return true
}

// components finds the strongly connected components of a graph (Tarjan, without recursion).
func components(succ [][]move) [][]int {
	const unseen = -1
	index := make([]int, len(succ))
	low := make([]int, len(succ))
	for i := range index {
		index[i] = unseen
	}
	onStack := make([]bool, len(succ))
	var stack []int
	var result [][]int
	count := 0
	type frame struct{ node, edge int }
	for root := range succ {
		if index[root] != unseen {
			continue
		}
		calls := []frame{{root, 0}}
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			v := f.node
			if f.edge == 0 {
				index[v], low[v] = count, count
				count++
				stack = append(stack, v)
				onStack[v] = true
			}
			if f.edge < len(succ[v]) {
				w := succ[v][f.edge].to
				f.edge++
				if index[w] == unseen {
					calls = append(calls, frame{w, 0})
				} else if onStack[w] {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				u := calls[len(calls)-1].node
				low[u] = min(low[u], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			var component []int
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				onStack[w] = false
				component = append(component, w)
				if w == v {
					break
				}
			}
			result = append(result, component)
		}
	}
	return result
}
