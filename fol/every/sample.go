package every

import (
	"context"
	"math/rand"
	"slices"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/finite"
)

// sample is an instance with states of it that can be reached, or are taken for such.
type sample struct {
	*finite.Instance
	worker *finite.Worker
	states []finite.State
	real   int // so many can be reached; the others are assumed
	asked  int // 1 where the last one is asked about
	whole  bool
	seen   map[string]bool
	tables map[int]*table // by kind of atoms
}

func (p *prover) newSample(sizes []int) (*sample, error) {
	x, err := finite.New(p.sys, sizes)
	if err != nil {
		return nil, err
	}
	p.o.Progress("visiting states of " + x.String())
	return &sample{Instance: x, worker: x.NewWorker(), seen: map[string]bool{}, tables: map[int]*table{}}, nil
}

func (s *sample) add(state finite.State) {
	if key := string(state); !s.seen[key] {
		s.seen[key] = true
		s.states = append(s.states, slices.Clone(state))
	}
}

// ask adds a state that is none of the sample, until it is cut.
func (s *sample) ask(state finite.State) {
	s.states, s.asked = append(s.states, state), 1
}

// known is how many states the sample has: what is asked is none.
func (s *sample) known() int { return len(s.states) - s.asked }

// cut drops states behind the first ones.
func (s *sample) cut(states int) {
	s.states, s.asked = s.states[:states], 0
	for _, t := range s.tables {
		t.states = min(t.states, states)
	}
}

// forget drops what was assumed.
func (s *sample) forget() {
	for _, state := range s.states[s.real:] {
		delete(s.seen, string(state))
	}
	s.cut(s.real)
}

// How much is looked at of an instance: states, and work, which is what takes time whatever the machine.
const (
	mostSampled  = 700
	mostWork     = 40_000_000
	mostSearched = 500 // sizes that are tried for the least that there are
	mostCells    = 400 // of an instance that is sampled, or made clauses of
)

// admissible lists sizes for which there is an initial state: the least, and some that are greater by one or two.
func (p *prover) admissible(ctx context.Context) (list [][]int, err error) {
	n := len(p.sys.Sorts)
	if n == 0 { // there is one instance only
		if p.begins(ctx, nil) {
			list = [][]int{{}}
		}
		return list, ctx.Err()
	}
	var least []int
	tried := 0
	for sum := n; least == nil && tried < mostSearched && sum < n+12; sum++ {
		sizes := make([]int, n)
		var fill func(i, left int) bool
		fill = func(i, left int) bool {
			if i == n-1 {
				sizes[i] = left
				tried++
				if tried > mostSearched || ctx.Err() != nil {
					return true
				}
				if p.begins(ctx, sizes) {
					least = slices.Clone(sizes)
					return true
				}
				return false
			}
			for k := 1; k <= left-(n-1-i); k++ {
				sizes[i] = k
				if fill(i+1, left-k) {
					return true
				}
			}
			return false
		}
		fill(0, sum)
	}
	if least == nil {
		return nil, ctx.Err()
	}
	add := func(more func(i int) int) {
		sizes := slices.Clone(least)
		for i := range sizes {
			sizes[i] += more(i)
		}
		if !slices.ContainsFunc(list, func(s []int) bool { return slices.Equal(s, sizes) }) && p.begins(ctx, sizes) {
			list = append(list, sizes)
		}
	}
	for by := range 3 {
		add(func(int) int { return by })
	}
	for _, by := range [][2]int{{0, 1}, {1, 0}, {1, 2}, {0, 2}, {2, 1}} {
		for k := range n {
			add(func(i int) int {
				if i == k {
					return by[1]
				}
				return by[0]
			})
		}
	}
	slices.SortStableFunc(list, func(a, b []int) int { return total(a) - total(b) })
	return list, ctx.Err()
}

func total(list []int) (sum int) {
	for _, n := range list {
		sum += n
	}
	return sum
}

// begins reports whether there is an initial state of these sizes.
func (p *prover) begins(ctx context.Context, sizes []int) bool {
	x, err := finite.New(p.sys, sizes)
	if err != nil || x.Cells > mostCells {
		return false
	}
	c := x.NewClauses()
	s, _ := c.Begin(ctx)
	p.consistent = p.consistent || s != nil || c.Consistent(ctx)
	return s != nil
}

// visit visits states of an instance, the first ones first and then at random. It returns which properties are false in
// one of them; it ends when the wanted ones are.
func (s *sample) visit(ctx context.Context, wanted int) map[int]bool {
	rng := rand.New(rand.NewSource(1))
	canonical := s.Canonical()
	var open []finite.State
	bad := map[int]bool{}
	add := func(state finite.State) bool {
		key := string(canonical(state))
		if s.seen[key] {
			return true
		}
		s.seen[key] = true
		own := finite.State(key)
		s.states, open = append(s.states, own), append(open, own)
		for _, i := range s.worker.Broken(own) {
			bad[i] = true
		}
		return len(bad) < wanted
	}
	w := s.Instance.NewWorker()
	for range 12 {
		if first := w.SomeInitial(rng, mostWork/8); first != nil && !add(first) {
			return bad
		}
	}
	n := 0
	limit := w.Work() + mostWork/4
	s.whole = true
	w.Initial(func(state finite.State) bool {
		n++
		s.whole = n < mostSampled/4 && w.Work() < limit
		return s.whole && add(state)
	})
	for len(open) > 0 && len(bad) < wanted && ctx.Err() == nil {
		if len(s.states) >= mostSampled/4 || w.Work() > limit+mostWork/4 {
			s.whole = false
			s.walk(ctx, w, rng, add)
			break
		}
		state := open[0]
		open = open[1:]
		k := 0
		w.Successors(state, func(next finite.State, _ finite.Step) bool {
			k++
			return add(next) && k < mostFollowed
		})
		if k == mostFollowed {
			s.whole = false
		}
	}
	s.real = len(s.states)
	return bad
}

// walk goes from states to begin in, at random, where it has not been yet.
func (s *sample) walk(ctx context.Context, w *finite.Worker, rng *rand.Rand, add func(finite.State) bool) {
	first := slices.Clone(s.states)
	canonical := s.Canonical()
	limit := w.Work() + mostWork
	for stuck := 0; stuck < 20; stuck++ {
		at := first[rng.Intn(len(first))]
		for range longest {
			if len(s.states) >= mostSampled || w.Work() > limit || ctx.Err() != nil {
				return
			}
			var next finite.State
			for _, t := range rng.Perm(len(s.System.Transitions)) {
				n := 0
				w.Steps(at, t, func(to finite.State, _ finite.Step) bool {
					if !s.seen[string(canonical(to))] {
						if n++; rng.Intn(n) == 0 {
							next = slices.Clone(to)
						}
					}
					return n < mostFollowed
				})
				if next != nil {
					break
				}
			}
			if next == nil {
				break
			}
			stuck = 0
			if !add(next) {
				return
			}
			at = s.states[len(s.states)-1]
		}
	}
}

// longest is how many steps a walk has.
const longest = 40

// mostFollowed is how many steps out of a state are followed.
const mostFollowed = 2000

// place is a state of a sample.
type place struct {
	sample *sample
	state  int
}

// holds reports whether a formula is true of all states of the samples: first of those in which another one was not.
func (p *prover) holds(t *fol.Term) bool {
	formulas := map[*sample]*finite.Formula{}
	is := func(at place) bool {
		f := formulas[at.sample]
		if f == nil {
			g := at.sample.Compile(t, nil)
			f = &g
			formulas[at.sample] = f
		}
		return at.state >= len(at.sample.states) || at.sample.worker.Holds(*f, at.sample.states[at.state], nil)
	}
	for i, at := range p.telling {
		if !is(at) {
			copy(p.telling[1:i+1], p.telling[:i])
			p.telling[0] = at
			return false
		}
	}
	for _, s := range p.samples {
		for i := len(s.states) - 1; i >= 0; i-- { // what is assumed was to the point
			if at := (place{s, i}); !is(at) {
				p.telling = append([]place{at}, p.telling[:min(len(p.telling), mostTelling)]...)
				return false
			}
		}
	}
	return true
}

// mostTelling is how many states are tried before all others.
const mostTelling = 60

// table has the truth of a formula in the states of a sample, for all elements that its variables can be.
type table struct {
	formula finite.Formula
	sizes   []int
	states  int        // so many are in it
	bits    [][]uint64 // by elements: the states in which it is true
}
