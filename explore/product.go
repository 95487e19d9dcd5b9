package explore

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"time"
)

// product is a system together with what a formula asks of its runs: its tableau.
type product struct {
	ctx    context.Context
	sys    System
	fair   Fair // nil if nothing is
	bounds Bounds
	begin  time.Time
	told   time.Time

	formulas []*Formula // numbered: the root is 0
	args     [][]int    // numbers of the parts of each
	finallys uint64

	demands []demand
	numbers map[demand]int32
	last    int32 // that was met
	nodes   []node
	heads   []int32 // by state: its first node, plus one
	start   []int32
	done    int32 // a node at which nothing is asked any more; -1 for none yet
	depth   int
}

// node is a state with a demand.
type node struct {
	state  uint32
	demand int32
	next   int32 // node of the same state, plus one
}

// demand is what is asked of a run after a state.
type demand struct {
	next uint64 // subformulas that must hold from the next state on
	put  uint64 // F- and U-formulas that were put off
}

// edge is a step between nodes.
type edge struct{ to, label int32 }

func newProduct(ctx context.Context, sys System, f *Formula, bounds Bounds) (*product, error) {
	p := &product{ctx: ctx, sys: sys, bounds: bounds, begin: time.Now(), told: time.Now(), numbers: map[demand]int32{}, done: -1}
	if fair, ok := sys.(Fair); ok && fair.Constraints() > 0 {
		p.fair = fair
	}
	if err := p.number(f); err != nil {
		return nil, err
	}
	p.demand(demand{})
	start, err := sys.Initial()
	if err != nil {
		return nil, err
	}
	for _, s := range start {
		p.enter(s, 1, func(n int32) { p.start = append(p.start, n) }) // asked: f, which has number 0
	}
	return p, p.check()
}

// number gives every subformula a number.
func (p *product) number(f *Formula) error {
	var add func(f *Formula) int
	add = func(f *Formula) int {
		i := len(p.formulas)
		p.formulas, p.args = append(p.formulas, f), append(p.args, nil)
		if (f.Op == Finally || f.Op == Until) && i < 64 {
			p.finallys |= 1 << i
		}
		for _, part := range f.Args {
			k := add(part)
			p.args[i] = append(p.args[i], k)
		}
		return i
	}
	if add(f); len(p.formulas) > 64 {
		return fmt.Errorf("%w: the formula has %d subformulas, and at most 64 can be followed", ErrTooLarge, len(p.formulas))
	}
	return nil
}

// successors calls yield with the steps from a node. It must not ask for
// successors itself.
func (p *product) successors(n int32, yield func(edge)) error {
	if n%1024 == 0 {
		if err := p.check(); err != nil {
			return err
		}
	}
	at := p.nodes[n]
	steps, err := p.sys.Successors(int(at.state))
	if err != nil {
		return err
	}
	for _, s := range steps {
		p.enter(s.To, p.demands[at.demand].next, func(to int32) { yield(edge{to, int32(s.Label)}) })
	}
	return nil
}

// check looks at the limits.
func (p *product) check() error {
	if p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	n := len(p.nodes)
	if p.bounds.States > 0 && int64(n) > p.bounds.States {
		return fmt.Errorf("%w: more than %d states", ErrTooLarge, p.bounds.States)
	}
	if n > 1<<31-1<<20 {
		return fmt.Errorf("%w: more than 2 billion states", ErrTooLarge)
	}
	if p.bounds.Memory > 0 {
		bytes := int64(cap(p.nodes))*12 + int64(cap(p.heads))*4
		if sized, ok := p.sys.(Sized); ok {
			bytes += sized.Bytes()
		}
		if bytes > p.bounds.Memory {
			return fmt.Errorf("%w: memory: %d states take more than %d bytes", ErrTooLarge, n, p.bounds.Memory)
		}
	}
	if p.bounds.Progress != nil && time.Since(p.told) > 200*time.Millisecond {
		p.told = time.Now()
		p.bounds.Progress(Progress{States: int64(n), Depth: p.depth, Rate: float64(n) / time.Since(p.begin).Seconds()})
	}
	return nil
}

// enter calls yield with the nodes of a state at which the given subformulas
// are asked for: all ways in which they can be met or put off.
func (p *product) enter(state int, asked uint64, yield func(n int32)) {
	p.expand(state, asked, 0, demand{}, func(d demand) {
		k := p.last
		if d != p.demands[k] {
			k = p.demand(d)
		}
		for state >= len(p.heads) {
			p.heads = append(p.heads, 0)
		}
		n := p.heads[state] - 1
		for n >= 0 && p.nodes[n].demand != k {
			n = p.nodes[n].next - 1
		}
		if n < 0 {
			n = int32(len(p.nodes))
			p.nodes = append(p.nodes, node{uint32(state), k, p.heads[state]})
			p.heads[state] = n + 1
			if d.next == 0 && p.done < 0 {
				p.done = n
			}
		}
		yield(n)
	})
}

// demand returns the number of a demand.
func (p *product) demand(d demand) int32 {
	k, known := p.numbers[d]
	if !known {
		k = int32(len(p.demands))
		p.numbers[d] = k
		p.demands = append(p.demands, d)
	}
	p.last = k
	return k
}

// expand takes subformulas out of asked, one by one, and yields what is left
// for the next state, and which F-formulas were put off.
func (p *product) expand(state int, asked, seen uint64, d demand, yield func(demand)) {
	asked &^= seen
	if asked == 0 {
		yield(d)
		return
	}
	i := bits.TrailingZeros64(asked)
	seen |= 1 << i
	put := demand{d.next | 1<<i, d.put | 1<<i}
	kept := demand{d.next | 1<<i, d.put}
	switch f := p.formulas[i]; f.Op {
	case Atom:
		if p.sys.Holds(f.Atom, state) {
			p.expand(state, asked, seen, d, yield)
		}
	case And:
		for _, k := range p.args[i] {
			asked |= 1 << k
		}
		p.expand(state, asked, seen, d, yield)
	case Or:
		for _, k := range p.args[i] {
			p.expand(state, asked|1<<k, seen, d, yield)
		}
	case Finally:
		p.expand(state, asked|1<<p.args[i][0], seen, d, yield)
		p.expand(state, asked, seen, put, yield)
	case Globally:
		p.expand(state, asked|1<<p.args[i][0], seen, kept, yield)
	case Until:
		p.expand(state, asked|1<<p.args[i][1], seen, d, yield)
		p.expand(state, asked|1<<p.args[i][0], seen, put, yield)
	case Release:
		p.expand(state, asked|1<<p.args[i][0]|1<<p.args[i][1], seen, d, yield)
		p.expand(state, asked|1<<p.args[i][1], seen, kept, yield)
	}
}

func (p *product) step(e edge) Step { return Step{int(p.nodes[e.to].state), int(e.label)} }

// way returns a shortest way from an initial node, which start is, into a
// component, among the nodes that are known.
func (p *product) way(to *component) (start int32, way []edge, err error) {
	type link struct {
		previous int32 // index into queue
		e        edge
	}
	known := int32(len(p.nodes))
	var queue []link
	seen := make([]bool, known)
	reach := func(previous int32, e edge) {
		if e.to < known && !seen[e.to] {
			seen[e.to] = true
			queue = append(queue, link{previous, e})
		}
	}
	for _, n := range p.start {
		reach(-1, edge{n, -1})
	}
	for i := int32(0); ; i++ {
		at := queue[i]
		if _, met := to.place[at.e.to]; met {
			for ; at.previous >= 0; at = queue[at.previous] {
				way = append(way, at.e)
			}
			slices.Reverse(way)
			return at.e.to, way, nil
		}
		if err := p.successors(at.e.to, func(e edge) { reach(i, e) }); err != nil {
			return 0, nil, err
		}
	}
}
