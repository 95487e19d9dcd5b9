package threshold

import (
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"github.com/tacheck/tacheck/counter"
)

// Two steps of different processes commute if the later one does not need what the earlier one did. So each move has a
// level. It is no lower than the levels of moves that lead to its location, and of moves that send what it asks for. If
// of two steps in a row the second one has a lower level, it is a step of another process and asks for nothing that the
// first one has sent: it could come first. So each run can be put in the order of levels, and ends in the same
// configuration. The levels of a round come before those of the next round.

// levels is the order of moves.
type levels struct {
	count  int
	of     []int   // by move
	from   [][]int // by location: the moves that begin there
	last   []int   // by location: the greatest level of these; -1 for none
	cyclic []bool  // by level: whether what a step waits for may wait for it, or follow from it
	hidden []bool  // by move: whether no property or process sees it
	minded bool    // whether crashes matter
}

// leveled finds the levels of moves: as low as they may be.
func (x *counterSearch) leveled() *levels {
	o := &levels{of: make([]int, len(x.Moves)), from: make([][]int, len(x.Locations))}
	g := simple.NewDirectedGraph()
	moves := len(x.Moves)
	location := func(l int) int { return moves + l }
	variable := func(v int) int { return location(len(x.Locations)) + v }
	edge := func(a, b int) { g.SetEdge(simple.Edge{F: simple.Node(a), T: simple.Node(b)}) }
	for m := range x.Moves {
		move := &x.Moves[m]
		o.from[move.From] = append(o.from[move.From], m)
		edge(location(move.From), m)
		edge(m, location(move.To))
		for _, v := range x.raises[m] {
			edge(m, variable(v))
		}
		for _, i := range x.asks[m] {
			edge(variable(x.said[i]), m)
		}
		for _, w := range x.needs[m] {
			for v, f := range w.shared {
				if f != 0 {
					edge(variable(v), m)
					o.minded = o.minded || counter.Is(counter.Lost, counter.Crashed)(x.vars[v])
				}
			}
		}
	}
	parts := topo.TarjanSCC(g) // the last ones first
	slices.Reverse(parts)
	level, cyclic := map[int64]int{}, map[int]bool{}
	for _, part := range parts {
		at := 0
		moving := false
		for _, n := range part {
			moving = moving || n.ID() < int64(moves)
			for _, before := range graph.NodesOf(g.To(n.ID())) {
				at = max(at, level[before.ID()]) // of its own part there is none yet
			}
		}
		if moving {
			at++
		}
		for _, n := range part {
			level[n.ID()] = at
			if n.ID() < int64(moves) {
				o.of[n.ID()], cyclic[at-1] = at-1, cyclic[at-1] || len(part) > 1
			}
		}
		o.count = max(o.count, at)
	}
	for l := range o.count {
		o.cyclic = append(o.cyclic, cyclic[l])
	}
	return o
}

// hide finds the moves that no property sees. It leaves out crashes if no guard asks for them and properties only say
// that no process is in some states: then a process that would crash can stay where it is, or, if it would crash while
// it sends, send to all.
func (o *levels) hide(x *counterSearch) {
	o.last = slices.Repeat([]int{-1}, len(x.Locations))
	o.hidden = make([]bool, len(x.Moves))
	for _, q := range x.claims {
		o.minded = o.minded || q.fewer
	}
	if !o.minded {
		for l, list := range o.from {
			o.from[l] = slices.DeleteFunc(list, func(m int) bool { return x.Moves[m].crash })
		}
	}
	for m := range x.Moves {
		move := &x.Moves[m]
		seen := slices.ContainsFunc(x.claims, func(c *claim) bool { return c.tells(move.From, move.To) })
		// all that arrives is waited for
		lies := x.Locations[move.From].Faulty &&
			slices.ContainsFunc(x.channels, func(ch channel) bool { return ch.waited })
		o.hidden[m] = !seen && !lies && !move.crash
		if o.minded || !move.crash {
			o.last[move.From] = max(o.last[move.From], o.of[m])
		}
	}
}
