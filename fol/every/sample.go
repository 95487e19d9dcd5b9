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
	whole  bool
	seen   map[string]bool
	tables map[int]*table // by kind of atoms
}

func (s *sample) add(state finite.State) {
	if key := string(state); !s.seen[key] {
		s.seen[key] = true
		s.states = append(s.states, slices.Clone(state))
	}
}

// forget drops what was assumed.
func (s *sample) forget() {
	for _, state := range s.states[s.real:] {
		delete(s.seen, string(state))
	}
	s.states = s.states[:s.real]
	for _, t := range s.tables {
		t.states = min(t.states, s.real)
	}
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
	limit = w.Work() + mostWork
	for turn := 0; len(open) > 0 && len(bad) < wanted; turn++ {
		if len(s.states) >= mostSampled || w.Work() > limit || ctx.Err() != nil {
			s.whole = false
			break
		}
		at := 0
		switch turn % 3 {
		case 1:
			at = rng.Intn(len(open))
		case 2:
			at = len(open) - 1
		}
		state := open[at]
		open = slices.Delete(open, at, at+1)
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

// mostFollowed is how many steps out of a state are followed.
const mostFollowed = 2000

// holds reports whether a formula is true of all states of the samples.
func (p *prover) holds(t *fol.Term) bool {
	for _, s := range p.samples {
		f := s.Compile(t, nil)
		for i := len(s.states) - 1; i >= 0; i-- { // what is assumed was to the point
			if !s.worker.Holds(f, s.states[i], nil) {
				return false
			}
		}
	}
	return true
}
