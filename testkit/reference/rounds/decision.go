package rounds

import "slices"

// A process of decisions: in each node an adversary chooses a move, and coins choose one of its results. Results in which the goal
// is reached, or that were not visited, are -1. Worlds that differ in who is who are one node.
type decisions struct {
	in    *Instance
	nodes []node
}

type node struct {
	world   world
	choices []choice
}

// A choice is a move to nodes.
type choice struct {
	targets []int
	begins  bool // whether all have left the first stage, which is forgotten
	alive   bool // whether it is one of those that stay in the component of the node
}

// A Strategy is how an adversary keeps processes from the goal: empty if there is none that the reference looks at.
type Strategy string

// Strategies.
const (
	Forever Strategy = "processes go on for ever"
	Stuck   Strategy = "somebody does not come to the end of a round"
)

// Adversary looks for a strategy by which, with some probability, no state in which the property's condition is true is ever
// reached. It visits so many states at most, and tells whether these were all.
func (in *Instance) Adversary(p Property, limit int) (strategy Strategy, complete bool) {
	if p.Class == good {
		return in.GoodAtLast(p, limit)
	}
	d := &decisions{in: in}
	goal := p.Formula.Args[0]
	complete = d.visit(goal, limit)
	if d.goesOn() {
		return Forever, complete
	}
	if goal.Op == "all" && slices.ContainsFunc(d.nodes, func(n node) bool { return d.stuck(n.world, goal.Args[0]) }) {
		return Stuck, complete
	}
	return "", complete
}

// visit makes the nodes.
func (d *decisions) visit(goal *Expr, limit int) bool {
	numbers := map[string]int{}
	complete := true
	number := func(w world) int {
		w = d.in.sorted(w)
		if n, ok := numbers[string(w)]; ok {
			return n
		}
		n := len(d.nodes)
		switch {
		case d.in.state(w).holds(goal):
			n = -1
		case n == limit:
			complete = false
			return -1
		default:
			d.nodes = append(d.nodes, node{world: w})
		}
		numbers[string(w)] = n
		return n
	}
	for _, w := range d.in.initial() {
		number(w)
	}
	for i := 0; i < len(d.nodes); i++ {
		var choices []choice
		for _, m := range d.in.moves(d.nodes[i].world) {
			c := choice{begins: m.begins, alive: !d.in.late(d.nodes[i].world, m)}
			for _, w := range m.to {
				c.targets = append(c.targets, number(w))
			}
			if !slices.Contains(c.targets, -1) {
				choices = append(choices, c) // others end the search for ever, with some probability
			}
		}
		d.nodes[i].choices = choices
	}
	return complete
}

// goesOn tells whether in an end component all leave one round after the other. Then everything fair is done: each process leaves
// each round; what arrives later, or is done later in a round that all have left, changes nothing.
func (d *decisions) goesOn() bool {
	d.components()
	return slices.ContainsFunc(d.nodes, func(n node) bool {
		return slices.ContainsFunc(n.choices, func(c choice) bool { return c.alive && c.begins })
	})
}

// stuck tells whether, when all that is sure to arrive has arrived, nothing more has to happen in the first stage, and some process is
// there for whom the condition is false. What others do in later rounds makes no difference to that.
func (d *decisions) stuck(w world, condition *Expr) bool {
	in := d.in
	if !d.somebodyLacks(w, condition) {
		return false
	}
	w = slices.Clone(w)
	for p := range in.processes {
		if in.crashed(w, p) {
			continue
		}
		if in.class == inOrder && in.round(w, p) > 0 {
			return false // who has left the round would have to wait, which is not fair
		}
		copy(in.sure(w, p, 0), in.shared(w, 0)[:in.layout.slots])
	}
	for p := range in.processes {
		for r := range in.Text.Rules {
			if !in.crashed(w, p) && !in.Text.Rules[r].Maybe && !in.mayWait(w, r) && in.mayTake(w, p, r, 0) && in.possible(w, p, r, 0) && !in.idles(w, p, r) {
				return false
			}
		}
	}
	return true
}

// idles tells whether a rule changes nothing in the first stage.
func (in *Instance) idles(w world, process, rule int) bool {
	s := in.scope(w, process, 0)
	e := in.Text.execute(&in.Text.Rules[rule], s, 0)
	return slices.Equal(e.variables, s.variables) && e.sends == nil && !e.next && e.draw == ""
}

// somebodyLacks tells whether a condition is false of a process in the first stage that counts.
func (d *decisions) somebodyLacks(w world, condition *Expr) bool {
	for p := range d.in.processes {
		if d.in.omitting[p] || d.in.crashed(w, p) || d.in.round(w, p) > 0 {
			continue
		}
		s := scope{parameters: d.in.Parameters, variables: d.in.variables(w, p, d.in.stages)}
		if !s.holds(condition) {
			return true
		}
	}
	return false
}
