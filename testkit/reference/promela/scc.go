package promela

// A Run is an infinite run of a graph: moves from a first state, the last of which leads to the state before move Loop.
type Run struct {
	Start int
	Moves []Move
	Loop  int
}

// Lasso is the run as states.
func (r *Run) Lasso(g *Graph) Lasso {
	l := Lasso{Loop: r.Loop, Worlds: []World{g.Worlds[r.Start]}}
	for _, m := range r.Moves[:len(r.Moves)-1] {
		l.Worlds = append(l.Worlds, g.Worlds[m.To])
	}
	return l
}

// run looks for a component that keeps all promises, and gives a run into it and around it.
func (t *tableau) run() *Run {
	component := t.components()
	size := map[int]int{}
	inner := map[int]bool{} // has an edge inside
	kept := map[int]uint32{}
	for n := range t.nodes {
		c := component[n]
		size[c]++
		for i := range t.temporals {
			if t.kept(i, n) {
				kept[c] |= 1 << i
			}
		}
		for _, e := range t.edges[n] {
			if component[e.to] == c {
				inner[c] = true
			}
		}
	}
	for n := range t.nodes {
		c := component[n]
		if inner[c] && kept[c] == 1<<len(t.temporals)-1 {
			return t.lasso(n, component)
		}
	}
	return nil
}

// components numbers the strongly connected components (Tarjan's algorithm, without recursion).
func (t *tableau) components() []int {
	n := len(t.nodes)
	order, low, component := make([]int, n), make([]int, n), make([]int, n)
	next := make([]int, n) // which edge comes next
	for i := range component {
		component[i] = -1
	}
	var stack, path []int
	clock, count := 0, 0
	for root := 0; root < n; root++ {
		if order[root] != 0 {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if order[v] == 0 {
				clock++
				order[v], low[v] = clock, clock
				stack = append(stack, v)
			}
			if next[v] < len(t.edges[v]) {
				w := t.edges[v][next[v]].to
				next[v]++
				if order[w] == 0 {
					path = append(path, w)
				} else if component[w] < 0 {
					low[v] = min(low[v], order[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				u := path[len(path)-1]
				low[u] = min(low[u], low[v])
			}
			if low[v] == order[v] {
				for {
					w := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					component[w] = count
					if w == v {
						break
					}
				}
				count++
			}
		}
	}
	return component
}

// lasso goes from a start to node n, and around its component so that all promises are kept.
func (t *tableau) lasso(n int, component []int) *Run {
	start := -1
	var starts []int
	for i := 0; i < t.starts; i++ {
		starts = append(starts, i)
	}
	stem, start := t.path(starts, func(v int) bool { return v == n }, nil)
	var loop []Move
	at := n
	inside := func(v int) bool { return component[v] == component[n] }
	for i := range t.temporals {
		part, _ := t.path([]int{at}, func(v int) bool { return t.kept(i, v) }, inside)
		at = t.follow(at, part)
		loop = append(loop, movesOf(part)...)
	}
	if at != n || len(loop) == 0 {
		// One step, and back.
		for _, e := range t.edges[at] {
			if inside(e.to) {
				loop = append(loop, e.move)
				at = e.to
				break
			}
		}
		part, _ := t.path([]int{at}, func(v int) bool { return v == n }, inside)
		loop = append(loop, movesOf(part)...)
	}
	return &Run{Start: t.nodes[start].state, Moves: append(movesOf(stem), loop...), Loop: len(stem)}
}

func (t *tableau) follow(at int, part []edge) int {
	if len(part) == 0 {
		return at
	}
	return part[len(part)-1].to
}

func movesOf(part []edge) []Move {
	var out []Move
	for _, e := range part {
		out = append(out, e.move)
	}
	return out
}

// path finds a shortest way from one of the nodes to one that is wanted, through allowed nodes, and where it begins.
func (t *tableau) path(from []int, wanted, allowed func(int) bool) ([]edge, int) {
	type step struct {
		from int
		edge edge
	}
	seen := map[int]step{}
	queue := append([]int(nil), from...)
	for _, v := range from {
		seen[v] = step{from: -1}
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		if wanted(v) {
			var out []edge
			for seen[v].from >= 0 {
				out = append([]edge{seen[v].edge}, out...)
				v = seen[v].from
			}
			return out, v
		}
		for _, e := range t.edges[v] {
			if _, ok := seen[e.to]; !ok && (allowed == nil || allowed(e.to)) {
				seen[e.to] = step{v, e}
				queue = append(queue, e.to)
			}
		}
	}
	panic("a node that cannot be reached")
}
