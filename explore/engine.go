package explore

import (
	"context"
	"time"

	"github.com/tacheck/tacheck/internal/limit"
)

// beyond is how long after the end of a search one still looks for the way to what it has found.
const beyond = 500 * time.Millisecond

// System is what is explored: states that are numbered as they are found.
type System interface {
	// Initial returns the states in which runs begin.
	Initial() ([]int, error)
	// Successors returns the steps from a state, which are valid until the next call. Its error ends the search.
	Successors(state int) ([]Step, error)
	// Holds evaluates an atom of the formula in a state.
	Holds(atom, state int) bool
}

// Step leads to a state; Label means something to the system only.
type Step struct{ To, Label int }

// Op says what a Formula is.
type Op uint8

// The operators.
const (
	Atom     Op = iota
	And         // of all Args
	Or          // of some of Args
	Finally     // Args[0] holds now or later
	Globally    // Args[0] holds now and always
	Until       // Args[1] holds now or later, and Args[0] until then
	Release     // Args[1] holds until Args[0] does too, or always
)

// Formula is a temporal formula in negation normal form over the atoms of a system.
type Formula struct {
	Op   Op
	Atom int
	Args []*Formula
}

// fair is a System some of whose steps are weakly fair: each constraint is about
// a step that is not possible, or taken, again and again.
type fair interface {
	System
	// Constraints returns how many constraints there are.
	Constraints() int
	// Enabled lists those whose step is possible in a state whose successors have been asked for.
	Enabled(state int) []int
	// Taken lists those whose step is taken by s.
	Taken(s Step) []int
	// Renamed says what becomes of constraints along s: constraint c of the state
	// from which s leads is constraint Renamed(s)[c] of the other. (States may stand for
	// others that differ by a permutation.) nil if they stay as they are.
	Renamed(s Step) []int
}

// sized is a System that knows how many bytes its states take.
type sized interface {
	System
	Bytes() int64
}

// Found is what a search found. Start is -1 if no run satisfies the formula.
type Found struct {
	Start  int // state in which the run begins
	Prefix []Step
	// Loop has no steps if the run is finite, or if constraints change their names
	// along it: a loop of states is none of what they stand for then.
	Loop  []Step
	Nodes int   // states with what the formula asks of them
	Near  []int // the states of the way to the loop, and of the component that the loop is in
}

// nearby is how many nodes, breadth first, a search looks at for a loop among them, at first and at most; it looks
// again whenever they have doubled: what it finds there is short.
var nearby = [2]int{16, 1 << 16}

// Search looks for a run that satisfies a formula: a finite one at whose end nothing is asked any more, or a lasso
// whose loop takes a step. Bounds bound the states, with what is asked of them, and the bytes that these and a Sized
// system take. The error is ErrTooLarge, the system's, or ctx's.
//
// First it looks among the nodes that are close to initial ones, then depth first among all. It ends as soon as it has
// found a strongly connected set with such a loop, and forgets the steps of components that have none: besides nodes,
// only components that are open take memory.
func Search(ctx context.Context, sys System, f *Formula, bounds Bounds) (*Found, error) {
	heap := newHeap(bounds.Memory)
	defer heap.end()
	p, err := newProduct(ctx, sys, f, bounds)
	if err != nil {
		return nil, err
	}
	p.heap = heap
	visited := 0
	for most := nearby[0]; most <= nearby[1]; most *= 2 {
		for ; visited < min(most, len(p.nodes)) && p.done < 0; visited++ {
			if err := p.successors(int32(visited), func(edge) {}); err != nil {
				return nil, err
			}
		}
		if err := p.check(); err != nil {
			return nil, err
		}
		found, err := p.lasso(visited)
		if found.Start >= 0 || err != nil || visited == len(p.nodes) {
			return found, err
		}
	}
	return p.lasso(1 << 31)
}

// lasso looks for a run, depth first, among the nodes whose numbers are below most.
func (p *product) lasso(most int) (*Found, error) {
	d := &deep{product: p, most: int32(min(most, 1<<31-1)), accepted: -1}
	out := &Found{Start: -1}
	for _, n := range p.start {
		if p.done < 0 && d.accepted < 0 && int(n) < most {
			if err := d.visit(n); err != nil {
				return out, err
			}
		}
	}
	var inside *component // where the run ends
	switch {
	case p.done >= 0:
		inside = &component{nodes: []int32{p.done}, place: map[int32]int{p.done: 0}}
	case d.accepted >= 0:
		inside = d.component(d.accepted)
	default:
		out.Nodes = len(p.nodes)
		return out, nil
	}
	// A violation was found: the way there does not end where the search would have.
	ctx, stop := limit.Lasting(p.ctx, beyond)
	defer stop()
	p.ctx, p.stopped = ctx, nil
	start, way, err := p.way(inside)
	if err != nil {
		return out, err
	}
	out.Start, out.Nodes, out.Near = int(p.nodes[start].state), len(p.nodes), []int{int(p.nodes[start].state)}
	at := start
	for _, e := range way {
		at = e.to
		out.Prefix = append(out.Prefix, p.step(e))
		out.Near = append(out.Near, int(p.nodes[at].state))
	}
	for _, n := range inside.nodes {
		out.Near = append(out.Near, int(p.nodes[n].state))
	}
	if p.done < 0 && !d.renames(inside) {
		loop, err := d.loop(inside, at)
		for _, e := range loop {
			out.Loop = append(out.Loop, p.step(e))
		}
		return out, err
	}
	return out, nil
}
