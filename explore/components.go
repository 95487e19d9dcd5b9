package explore

// components returns the strongly connected components of the graph's nodes
// (Tarjan's algorithm, without recursion).
func components(edges [][]Step) [][]int {
	n := len(edges)
	low, num, onStack, counter := make([]int, n), make([]int, n), make([]bool, n), 0
	var stack []int
	var out [][]int
	type frame struct{ node, edge int }
	for root := range edges {
		if num[root] != 0 {
			continue
		}
		frames := []frame{{root, 0}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if f.edge == 0 {
				counter++
				num[v], low[v] = counter, counter
				stack, onStack[v] = append(stack, v), true
			}
			descended := false
			for f.edge < len(edges[v]) {
				w := edges[v][f.edge].To
				f.edge++
				if num[w] == 0 {
					frames = append(frames, frame{w, 0})
					descended = true
					break
				}
				if onStack[w] {
					low[v] = min(low[v], num[w])
				}
			}
			if descended {
				continue
			}
			if f.edge == 0 {
				f.edge = 1 // a node without edges is entered once
			}
			if low[v] == num[v] {
				var component []int
				for {
					w := stack[len(stack)-1]
					stack, onStack[w] = stack[:len(stack)-1], false
					component = append(component, w)
					if w == v {
						break
					}
				}
				out = append(out, component)
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				u := frames[len(frames)-1].node
				low[u] = min(low[u], low[v])
			}
		}
	}
	return out
}
