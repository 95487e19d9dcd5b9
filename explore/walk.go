package explore

import (
	"errors"
	"maps"
	"slices"
)

// renames reports whether constraints change their names along steps of a component.
func (d *deep) renames(c *component) bool {
	if d.fair == nil {
		return false
	}
	for _, edges := range c.edges {
		for _, e := range edges {
			if d.fair.Renamed(d.step(e)) != nil {
				return true
			}
		}
	}
	return false
}

// loop returns a walk through a component, from one of its nodes back to it,
// which takes a step, meets every F-formula that was put off, and is fair.
func (d *deep) loop(c *component, start int32) ([]edge, error) {
	at, left := start, d.finallys
	unfair := map[int]bool{} // constraints that are still to be met
	if d.fair != nil {
		for k := range d.fair.Constraints() {
			unfair[k] = true
		}
	}
	put := func(n int32) uint64 { return d.demands[d.nodes[n].demand].put }
	enabled := func(n int32) []int { return d.fair.Enabled(int(d.nodes[n].state)) }
	arrive := func(n int32) {
		left &= put(n)
		if len(unfair) > 0 {
			list := enabled(n)
			maps.DeleteFunc(unfair, func(k int, _ bool) bool { return !slices.Contains(list, k) })
		}
	}
	progress := func(e edge) bool {
		if put(e.to)&left != left {
			return true
		}
		if len(unfair) == 0 {
			return false
		}
		list := enabled(e.to)
		for k := range unfair {
			if !slices.Contains(list, k) {
				return true
			}
		}
		return slices.ContainsFunc(d.fair.Taken(d.step(e)), func(k int) bool { return unfair[k] })
	}
	var walk []edge
	visit := func(goal func(e edge) bool) error {
		way := c.walk(at, goal)
		if way == nil {
			return errors.New("internal error, please report: a loop that a component has was not found")
		}
		for _, e := range way {
			if d.fair != nil {
				for _, k := range d.fair.Taken(d.step(e)) {
					delete(unfair, k)
				}
			}
			arrive(e.to)
			walk = append(walk, e)
			at = e.to
		}
		return nil
	}
	for arrive(at); left != 0 || len(unfair) > 0; {
		if err := visit(progress); err != nil {
			return nil, err
		}
	}
	if at != start || len(walk) == 0 {
		if err := visit(func(e edge) bool { return e.to == start }); err != nil {
			return nil, err
		}
	}
	return walk, nil
}

// walk finds a shortest way inside the component that ends with a step that is a goal; nil if there is none.
func (c *component) walk(from int32, goal func(edge) bool) (way []edge) {
	type link struct {
		previous int // index into queue
		e        edge
	}
	queue := []link{{-1, edge{from, -1}}}
	seen := map[int32]bool{}
	for i := 0; i < len(queue); i++ {
		for _, e := range c.edges[c.place[queue[i].e.to]] {
			met := goal(e)
			if seen[e.to] && !met {
				continue
			}
			seen[e.to] = true
			queue = append(queue, link{i, e})
			if met {
				for k := len(queue) - 1; k > 0; k = queue[k].previous {
					way = append(way, queue[k].e)
				}
				slices.Reverse(way)
				return way
			}
		}
	}
	return nil
}
