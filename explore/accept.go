package explore

// accepts reports whether some loop in a component of the product meets every
// F-formula that was put off, and is fair.
func (x *search) accepts(component []int) bool {
	inside := map[int]int{} // place in the component
	always := x.finallys    // put off everywhere in the component
	for k, i := range component {
		inside[i] = k
		always &= x.list[i].put
	}
	if always != 0 {
		return false
	}
	if len(component) == 1 {
		loops := false
		for _, s := range x.edges[component[0]] {
			loops = loops || s.To == component[0]
		}
		if !loops {
			return false
		}
	}
	return x.fair == nil || x.fairly(component, inside)
}

// fairly reports whether a component has a loop that meets every constraint.
//
// Where states stand for others up to a permutation, a constraint gets other
// names along a loop. So it is followed: pairs of a node and a constraint that are
// joined by steps belong together (threads). A walk through the component that takes
// every step often enough brings each thread to all of its pairs, because
// permutations have finite order; it is fair iff each thread has a pair whose
// step is not possible in the node, or is taken out of it. (Emerson and Sistla, Utilizing
// symmetry when model checking under fairness assumptions, TOPLAS 1997.)
func (x *search) fairly(component []int, inside map[int]int) bool {
	n := x.fair.Constraints()
	parent := make([]int32, len(component)*n)
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	met := make([]bool, len(parent))
	for k, i := range component {
		enabled := make([]bool, n)
		for _, c := range x.fair.Enabled(x.list[i].state) {
			enabled[c] = true
		}
		for c := range n {
			met[k*n+c] = met[k*n+c] || !enabled[c]
		}
		for _, s := range x.edges[i] {
			to, in := inside[s.To]
			if !in {
				continue
			}
			for _, c := range x.fair.Taken(s) {
				met[k*n+c] = true
			}
			renamed := x.fair.Renamed(s)
			for c := range n {
				d := c
				if renamed != nil {
					d = renamed[c]
				}
				if a, b := find(int32(k*n+c)), find(int32(to*n+d)); a != b {
					parent[a] = b
				}
			}
		}
	}
	thread := make([]bool, len(parent))
	for i := range parent {
		if met[i] {
			thread[find(int32(i))] = true
		}
	}
	for i := range parent {
		if !thread[find(int32(i))] {
			return false
		}
	}
	return true
}
