package explore

// deep is a depth-first search for a strongly connected set of nodes with an accepting loop. Sets grow as steps lead
// back to nodes that are open, and are looked at as they do (Gabow, Path-based depth-first search, IPL 2000).
type deep struct {
	*product
	most     int32   // nodes with greater numbers are left out
	place    []int32 // by node: its place among open ones, plus one; 0 if not visited yet, closed if done with
	open     []int32 // nodes of sets that are not complete, in the order in which they were visited
	first    []int32 // by place: its first edge
	edges    []edge
	sets     []set
	path     []frame
	accepted int32 // place of the first node of a set with an accepting loop; -1 for none yet
}

// closed marks nodes from which no accepting loop can be reached.
const closed = -1

// set is a strongly connected set of nodes: those from a place on, up to the next set.
type set struct {
	from   int32
	put    uint64 // F-formulas that are put off everywhere in it
	loops  bool
	judged int // how large it was when fairness was looked at
}

// frame is a node on the path that is being followed.
type frame struct{ place, next int32 }

// visit follows all paths from a node that has not been visited yet.
func (d *deep) visit(root int32) error {
	if d.place == nil {
		d.place = make([]int32, len(d.nodes))
	}
	if d.at(root) != 0 {
		return nil
	}
	if err := d.push(root); err != nil {
		return err
	}
	for len(d.path) > 0 && d.accepted < 0 && d.done < 0 {
		f := &d.path[len(d.path)-1]
		if f.next == d.end(f.place) {
			d.path = d.path[:len(d.path)-1]
			if d.sets[len(d.sets)-1].from == f.place {
				d.close()
			}
			continue
		}
		e := d.edges[f.next]
		f.next++
		switch at := d.at(e.to); {
		case at == closed:
		case at == 0:
			if err := d.push(e.to); err != nil {
				return err
			}
		default:
			d.merge(at - 1)
		}
	}
	return nil
}

func (d *deep) at(n int32) int32 {
	if n := int(n); n >= len(d.place) {
		d.place = append(d.place, make([]int32, len(d.nodes)-len(d.place))...)
	}
	return d.place[n]
}

// end is where the edges of a place end.
func (d *deep) end(place int32) int32 {
	if int(place)+1 < len(d.first) {
		return d.first[place+1]
	}
	return int32(len(d.edges))
}

// push visits a node.
func (d *deep) push(n int32) error {
	place := int32(len(d.open))
	d.place[n] = place + 1
	d.open, d.first = append(d.open, n), append(d.first, int32(len(d.edges)))
	d.path = append(d.path, frame{place, int32(len(d.edges))})
	d.depth = len(d.path)
	d.sets = append(d.sets, set{from: place, put: d.demands[d.nodes[n].demand].put})
	return d.successors(n, func(e edge) {
		if e.to < d.most {
			d.edges = append(d.edges, e)
		}
	})
}

// merge makes one set of all from the one with the given place on.
func (d *deep) merge(place int32) {
	last := d.sets[len(d.sets)-1]
	for last.from > place {
		d.sets = d.sets[:len(d.sets)-1]
		s := d.sets[len(d.sets)-1]
		last.from, last.put, last.judged = s.from, last.put&s.put, max(last.judged, s.judged)
	}
	last.loops = true
	// Fairness is looked at whenever a set has doubled, and at its end.
	if size := len(d.open) - int(last.from); last.put == 0 && (d.fair == nil || size >= 2*last.judged) {
		last.judged = size
		d.judge(last.from)
	}
	d.sets[len(d.sets)-1] = last
}

func (d *deep) judge(from int32) {
	if d.fair == nil || d.fairly(from) {
		d.accepted = from
	}
}

// close is done with the last set, which is a component.
func (d *deep) close() {
	last := d.sets[len(d.sets)-1]
	if last.loops && last.put == 0 {
		if d.judge(last.from); d.accepted >= 0 {
			return
		}
	}
	for _, n := range d.open[last.from:] {
		d.place[n] = closed
	}
	d.edges = d.edges[:d.first[last.from]]
	d.open, d.first, d.sets = d.open[:last.from], d.first[:last.from], d.sets[:len(d.sets)-1]
}

// component is a strongly connected set with the steps inside it.
type component struct {
	nodes []int32
	place map[int32]int // in nodes
	edges [][]edge
}

// component returns the open nodes from a place on.
func (d *deep) component(from int32) *component {
	c := &component{nodes: d.open[from:], place: map[int32]int{}}
	for k, n := range c.nodes {
		c.place[n] = k
	}
	for k := range c.nodes {
		var inside []edge
		for _, e := range d.edges[d.first[int(from)+k]:d.end(from+int32(k))] {
			if _, in := c.place[e.to]; in {
				inside = append(inside, e)
			}
		}
		c.edges = append(c.edges, inside)
	}
	return c
}
