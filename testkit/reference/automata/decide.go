package automata

import "errors"

// A system is what runs are runs of. Its states are strings.
type system interface {
	initial() []string
	next(state string) []string
	// holds says whether a proposition is true in a state.
	holds(proposition *Node, state string) bool
	// fair is a list of things that happen again and again in every infinite run that counts.
	fair() []func(state string) bool
}

// errLarge says that a limit of states was reached.
var errLarge = errors.New("too many states")

// A vertex is a state together with what is demanded of runs from there on.
type vertex struct {
	state    string
	demanded string
}

// An edge says which formulas F p were put off where the step began.
type edge struct {
	to       int
	postpone demand
}

// A product is the graph of vertices.
type product struct {
	system   system
	tableau  *tableau
	number   map[vertex]int
	vertices []vertex
	demands  []demand
	edges    [][]edge
}

// Violated says whether some run of the system violates the specification: it is infinite and
// satisfies the negation, or it ends with nothing asked of it any more. If finite is false, only
// infinite runs count.
func violated(s system, spec *Node, finite bool, limit int) (bool, error) {
	t := newTableau()
	root := t.push(spec, true)
	p := &product{system: s, tableau: t, number: map[vertex]int{}}
	known := map[string]map[int]bool{}
	for _, state := range s.initial() {
		p.add(state, demand{root.id: true})
	}
	for i := 0; i < len(p.vertices); i++ {
		if i > limit {
			return false, errLarge
		}
		state := p.vertices[i].state
		if known[state] == nil {
			known[state] = map[int]bool{}
		}
		holds := func(f *formula) bool {
			value, ok := known[state][f.id]
			if !ok {
				value = s.holds(f.proposition, state)
				known[state][f.id] = value
			}
			return value
		}
		choices := t.choices(p.demands[i], holds)
		if len(choices) == 0 {
			continue
		}
		successors := s.next(state)
		for _, c := range choices {
			if finite && len(c.next) == 0 {
				return true, nil
			}
			for _, successor := range successors {
				to := p.add(successor, c.next)
				p.edges[i] = append(p.edges[i], edge{to, c.postpone})
			}
		}
	}
	return p.accepts(), nil
}

func (p *product) add(state string, demanded demand) int {
	v := vertex{state, demanded.key()}
	if number, ok := p.number[v]; ok {
		return number
	}
	number := len(p.vertices)
	p.number[v] = number
	p.vertices = append(p.vertices, v)
	p.demands = append(p.demands, demanded)
	p.edges = append(p.edges, nil)
	return number
}

// accepts says whether there is an infinite path on which no F p is put off for ever, and on which
// what is fair happens again and again: whether some strongly connected component has a step, for
// each F p one that does not put it off, and each fair thing in one of its states.
func (p *product) accepts() bool {
	component := components(p.edges)
	members := map[int][]int{}
	for v, c := range component {
		members[c] = append(members[c], v)
	}
	for c, vertices := range members {
		if p.good(vertices, func(v int) bool { return component[v] == c }) {
			return true
		}
	}
	return false
}

func (p *product) good(vertices []int, inside func(int) bool) bool {
	steps := 0
	done := map[int]bool{}
	for _, v := range vertices {
		for _, e := range p.edges[v] {
			if !inside(e.to) {
				continue
			}
			steps++
			for _, f := range p.tableau.formulas {
				if f.kind == "F" && !e.postpone[f.id] {
					done[f.id] = true
				}
			}
		}
	}
	if steps == 0 {
		return false
	}
	for _, f := range p.tableau.formulas {
		if f.kind == "F" && !done[f.id] {
			return false
		}
	}
	for _, happens := range p.system.fair() {
		somewhere := false
		for _, v := range vertices {
			somewhere = somewhere || happens(p.vertices[v].state)
		}
		if !somewhere {
			return false
		}
	}
	return true
}

// components numbers the strongly connected components: two searches in depth, the second one
// backwards in the order in which the first one has left the vertices (Kosaraju).
func components(edges [][]edge) []int {
	back := make([][]edge, len(edges))
	for v, list := range edges {
		for _, e := range list {
			back[e.to] = append(back[e.to], edge{to: v})
		}
	}
	seen := make([]bool, len(edges))
	var order []int
	for v := range edges {
		depthFirst(v, edges, seen, func(left int) { order = append(order, left) })
	}
	component := make([]int, len(edges))
	seen = make([]bool, len(edges))
	for i := len(order) - 1; i >= 0; i-- {
		depthFirst(order[i], back, seen, func(left int) { component[left] = order[i] })
	}
	return component
}

// depthFirst visits what can be reached from a vertex, and calls left when it leaves one.
func depthFirst(start int, edges [][]edge, seen []bool, left func(int)) {
	type frame struct{ vertex, edge int }
	if seen[start] {
		return
	}
	seen[start] = true
	stack := []frame{{start, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.edge == len(edges[top.vertex]) {
			left(top.vertex)
			stack = stack[:len(stack)-1]
			continue
		}
		to := edges[top.vertex][top.edge].to
		top.edge++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, frame{to, 0})
		}
	}
}
