package explore

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/tacheck/tacheck/internal/lists"
)

// product is a system together with what a formula asks of its runs: its tableau.
type product struct {
	ctx    context.Context
	sys    System
	fair   fair // nil if nothing is
	bounds Bounds
	begin  time.Time
	told   time.Time

	formulas []*Formula // numbered: the root is 0
	args     [][]int    // numbers of the parts of each
	finallys uint64

	known   map[string]int // formulas by what they are: those that are written twice count once
	work    int
	stopped error // why entering nodes was given up

	heap    *heap
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
	p := &product{ctx: ctx, sys: sys, bounds: bounds, begin: time.Now(), told: time.Now(), known: map[string]int{},
		numbers: map[demand]int32{}, done: -1}
	if fair, ok := sys.(fair); ok && fair.Constraints() > 0 {
		p.fair = fair
	}
	root := p.number(f)
	if len(p.formulas) > 64 {
		return nil, fmt.Errorf("%w: the formula has %d different subformulas, and at most 64 can be followed",
			ErrTooLarge, len(p.formulas))
	}
	p.demand(demand{})
	start, err := sys.Initial()
	if err != nil {
		return nil, err
	}
	for _, s := range start {
		p.enter(s, 1<<root, func(n int32) { p.start = append(p.start, n) })
		if p.stopped != nil {
			return nil, p.stopped
		}
	}
	return p, p.check()
}

// number gives every subformula a number, parts before the whole, and returns that of the formula.
func (p *product) number(f *Formula) int {
	var args []int
	for _, part := range f.Args {
		k := p.number(part)
		if f.Op != And && f.Op != Or {
			args = append(args, k)
			continue
		}
		parts := []int{k}
		if p.formulas[k].Op == f.Op {
			parts = p.args[k]
		}
		args = lists.Union(args, parts...)
	}
	if len(args) == 1 && (f.Op == And || f.Op == Or || p.absorbs(f.Op, args[0])) {
		return args[0]
	}
	key := fmt.Sprint(f.Op, " ", args)
	if f.Op == Atom {
		key = fmt.Sprint("atom ", f.Atom)
	}
	i, known := p.known[key]
	if !known {
		i = len(p.formulas)
		p.known[key] = i
		p.formulas, p.args = append(p.formulas, f), append(p.args, args)
		if (f.Op == Finally || f.Op == Until) && i < 64 {
			p.finallys |= 1 << i
		}
	}
	return i
}

// absorbs reports whether an operator before a subformula adds nothing to it: F F p is F p,
// F G F p is G F p, and so with G and F exchanged.
func (p *product) absorbs(op Op, k int) bool {
	other := map[Op]Op{Finally: Globally, Globally: Finally}[op]
	if op != Finally && op != Globally {
		return false
	}
	inner := p.formulas[k].Op
	return inner == op || inner == other && p.formulas[p.args[k][0]].Op == op
}

// successors calls yield with the steps from a node. It must not ask for successors itself.
func (p *product) successors(n int32, yield func(edge)) error {
	if p.work++; p.work%1024 == 0 {
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
	return p.stopped
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
		if sized, ok := p.sys.(sized); ok {
			bytes += sized.Bytes()
		}
		if bytes > p.bounds.Memory || p.heap.over(0) {
			return fmt.Errorf("%w: memory: %d states take more than %d bytes", ErrTooLarge, n, p.bounds.Memory)
		}
	}
	p.bounds.tell(&p.told, p.begin, func() Progress { return Progress{States: int64(n), Depth: p.depth} })
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

// expand takes subformulas out of asked, one by one, and yields what is left for the next state, and which F-formulas
// were put off. Those that leave no choice come first.
func (p *product) expand(state int, asked, seen uint64, d demand, yield func(demand)) {
	if p.work++; p.work%4096 == 0 && p.stopped == nil {
		p.stopped = p.ctx.Err()
	}
	asked &^= seen
	if asked == 0 {
		yield(d)
		return
	}
	i := p.plainest(asked)
	seen |= 1 << i
	put := demand{d.next | 1<<i, d.put | 1<<i}
	kept := demand{d.next | 1<<i, d.put}
	args := p.args[i]
	also := func(d demand, list ...int) {
		if p.stopped != nil {
			return
		}
		next := asked
		for _, k := range list {
			next |= 1 << k
		}
		p.expand(state, next, seen, d, yield)
	}
	switch f := p.formulas[i]; f.Op {
	case Atom:
		if p.sys.Holds(f.Atom, state) {
			also(d)
		}
	case And:
		also(d, args...)
	case Or:
		for _, k := range args {
			if p.certain(state, k) {
				also(d)
				return
			}
		}
		for _, k := range args {
			also(d, k)
		}
	case Finally:
		if p.certain(state, args[0]) {
			also(d)
			return
		}
		also(d, args[0])
		also(put)
	case Globally:
		also(kept, args[0])
	case Until:
		if p.certain(state, args[1]) {
			also(d)
			return
		}
		also(d, args[1])
		also(put, args[0])
	case Release:
		also(d, args[0], args[1])
		if !p.certain(state, args[0]) {
			also(kept, args[1])
		}
	}
}

// plainest chooses one of some subformulas, one without a choice if there is any.
func (p *product) plainest(asked uint64) int {
	for left := asked; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		if op := p.formulas[i].Op; op == Atom || op == And || op == Globally {
			return i
		}
	}
	return bits.TrailingZeros64(asked)
}

// certain reports whether a subformula is a condition that is true in a state: then it asks
// for nothing, and whatever is put off instead asks for more.
func (p *product) certain(state, k int) bool {
	f := p.formulas[k]
	return f.Op == Atom && p.sys.Holds(f.Atom, state)
}

func (p *product) step(e edge) Step { return Step{int(p.nodes[e.to].state), int(e.label)} }

// way returns a shortest way from an initial node, which start is, into a component, among the nodes that are known.
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
