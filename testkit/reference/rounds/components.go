package rounds

// components finds the maximal end components: sets of nodes with choices, all of whose results are in the set, and by which each
// node can be reached from each other one. Choices that are in one are alive.
func (d *decisions) components() {
	for {
		of := d.connected()
		changed := false
		for n := range d.nodes {
			for i := range d.nodes[n].choices {
				c := &d.nodes[n].choices[i]
				for _, to := range c.targets {
					if c.alive && (to < 0 || of[to] != of[n]) {
						c.alive, changed = false, true
					}
				}
			}
		}
		if !changed {
			return
		}
	}
}

// connected are the strongly connected components by moves that are alive (Tarjan): for each node the number of its component.
func (d *decisions) connected() (of []int) {
	count := len(d.nodes)
	of = make([]int, count)
	index, low := make([]int, count), make([]int, count)
	for i := range of {
		of[i] = -1
	}
	var stack []int
	next, components := 0, 0
	var visit func(n int)
	visit = func(n int) {
		next++
		index[n], low[n] = next, next
		stack = append(stack, n)
		for _, c := range d.nodes[n].choices {
			if !c.alive {
				continue
			}
			for _, to := range c.targets {
				switch {
				case to < 0:
				case index[to] == 0:
					visit(to)
					low[n] = min(low[n], low[to])
				case of[to] < 0:
					low[n] = min(low[n], index[to])
				}
			}
		}
		if low[n] != index[n] {
			return
		}
		components++
		for {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			of[last] = components
			if last == n {
				break
			}
		}
	}
	for n := range d.nodes {
		if index[n] == 0 {
			visit(n)
		}
	}
	return of
}
