package explore

// fairly reports whether the open nodes from a place on, which are strongly
// connected, have a loop that meets every constraint.
//
// Where states stand for others up to a permutation, a constraint gets other names along a loop. So it is followed:
// pairs of a node and a constraint that are joined by steps belong together (threads). A walk through the set that
// takes every step often enough brings each thread to all of its pairs, because permutations have finite order; it is
// fair iff each thread has a pair whose step is not possible in the node, or is taken out of it. (Emerson and Sistla,
// Utilizing symmetry when model checking under fairness assumptions, TOPLAS 1997.)
func (d *deep) fairly(from int32) bool {
	n := d.fair.Constraints()
	parent := make([]int32, (len(d.open)-int(from))*n)
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
	for k, i := range d.open[from:] {
		row := met[k*n : k*n+n]
		for c := range row {
			row[c] = true
		}
		for _, c := range d.fair.Enabled(int(d.nodes[i].state)) {
			row[c] = false
		}
	}
	for k := range d.open[from:] {
		place := from + int32(k)
		for _, e := range d.edges[d.first[place]:d.end(place)] {
			to := int(d.at(e.to)) - 1 - int(from)
			if to < 0 {
				continue
			}
			s := d.step(e)
			for _, c := range d.fair.Taken(s) {
				met[k*n+c] = true
			}
			renamed := d.fair.Renamed(s)
			for c := range n {
				into := c
				if renamed != nil {
					into = renamed[c]
				}
				if a, b := find(int32(k*n+c)), find(int32(to*n+into)); a != b {
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
