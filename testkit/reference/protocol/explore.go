package protocol

// Node is a state that can be reached.
type Node struct {
	State *State
	Depth int
	Steps []Edge
	Idles bool // no process has to do anything
	// Failures are those of steps out of the state.
	Failures []*Failure
}

// Edge is a step to a node.
type Edge struct {
	Step *Step
	To   int
}

// Graph is all states of an instance, in order of their distance from the initial ones.
type Graph struct {
	Model    *Model
	Options  Options
	Nodes    []*Node
	Initial  []int
	Starts   []Edge     // ways to begin
	Failures []*Failure // in finding initial states
}

// maxSteps is how many steps are kept, and looked at in a state.
const maxSteps = 60000

// tooLarge is what a state ends with in which too much is possible.
type tooLarge struct{}

// Explore visits all states, unless they are more than a limit.
func (m *Model) Explore(o Options, limit int) (g *Graph, complete bool) {
	g = &Graph{Model: m, Options: o}
	defer func() {
		if r := recover(); r != nil {
			if _, large := r.(tooLarge); !large {
				panic(r)
			}
			complete = false
		}
	}()
	known := map[string]int{}
	edges := 0
	visit := func(s *State, depth int) int {
		key := s.Key()
		n, ok := known[key]
		if !ok {
			n = len(g.Nodes)
			known[key] = n
			g.Nodes = append(g.Nodes, &Node{State: s, Depth: depth})
		}
		return n
	}
	initial, failures := m.Initial()
	g.Failures = failures
	for _, s := range initial {
		before := len(g.Nodes)
		n := visit(s.Next, 0)
		if n == before {
			g.Initial = append(g.Initial, n)
		}
		g.Starts = append(g.Starts, Edge{s, n})
	}
	for at := 0; at < len(g.Nodes); at++ {
		if len(g.Nodes) > limit {
			return g, false
		}
		node := g.Nodes[at]
		node.Idles = true
		steps := m.Steps(node.State, o)
		if edges += len(steps); edges > maxSteps {
			return g, false
		}
		for _, step := range steps {
			if step.Failure != nil {
				node.Failures = append(node.Failures, step.Failure)
				continue
			}
			if step.Required {
				node.Idles = false
			}
			node.Steps = append(node.Steps, Edge{&step, visit(step.Next, node.Depth+1)})
		}
	}
	return g, true
}

// Deadlocks counts the states after which nothing happens.
func (g *Graph) Deadlocks() int {
	count := 0
	for _, n := range g.Nodes {
		if len(n.Steps) == 0 && len(n.Failures) == 0 {
			count++
		}
	}
	return count
}

// Depth is the distance of the furthest state.
func (g *Graph) Depth() int {
	depth := 0
	for _, n := range g.Nodes {
		depth = max(depth, n.Depth)
	}
	return depth
}

// Violation is the distance of the nearest state in which an invariant is false, or -1; and
// what goes wrong in evaluating it.
func (g *Graph) Violation(p *Property) (depth int, failures []*Failure) {
	depth = -1
	for _, n := range g.Nodes {
		holds, err := check(&scope{model: g.Model, state: n.State}, p.Body)
		switch {
		case err != nil:
			failures = append(failures, err)
		case !holds && depth < 0:
			depth = n.Depth
		}
	}
	return depth, failures
}
