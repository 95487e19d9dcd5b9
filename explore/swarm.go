package explore

import (
	"context"
	"math/rand/v2"
	"slices"
)

// Order is the order in which a search of a swarm visits states.
type Order string

// The orders.
const (
	Deep Order = "deep" // depth first, successors shuffled
	Walk Order = "walk" // random walks, which prefer what was not visited
)

// RandomSearch is one search of a swarm: bounded, and different from others by its seed, its order, and what it follows
// (Holzmann, Joshi, Groce: Swarm verification techniques, TSE 2011). Of visited states it keeps fingerprints of 64 bits
// only, so that it may miss states; what it finds is there.
type RandomSearch struct {
	Seed   uint64
	Order  Order
	Reduce bool // follow some of the steps only, where workers are Reducers
	States int  // fingerprints to be kept
	Steps  int64
	Depth  int
}

// RandomResult is what a search of a swarm has seen.
type RandomResult struct {
	States      int64 // fingerprints
	Transitions int64
	Depth       int
	// Whole says that the search has ended without having met a bound.
	Whole bool
	// Sample is the smallest fingerprints, in order, sampleSize at
	// most: the same states are in the samples of all searches that have visited them.
	Sample []uint64
	// Path leads to a state that violates a condition; nil if there is none.
	Path      [][]uint32
	Condition int
}

const sampleSize = 1024

// SetOut searches for a state that violates one of the conditions with the bits
// that are set. Its error is one in the model, or that of ctx.
func (f RandomSearch) SetOut(ctx context.Context, space Space, conditions uint64) (*RandomResult, error) {
	s := &randomSearch{RandomSearch: f, ctx: ctx, w: space.NewWorker(), conditions: conditions,
		out:    &RandomResult{Condition: -1},
		random: rand.New(rand.NewPCG(f.Seed, 0x7461636865636b))}
	defer s.seen.free()
	if r, ok := s.w.(reducer); ok && f.Reduce {
		s.reducer = r
	}
	err := s.run()
	if err != nil && ctx.Err() == nil {
		s.out.Path = s.path // to where the model fails
	}
	s.out.Sample = s.seen.sample()
	return s.out, err
}

type randomSearch struct {
	RandomSearch
	ctx        context.Context
	w          Worker
	reducer    reducer
	conditions uint64
	random     *rand.Rand
	seen       prints
	out        *RandomResult
	path       [][]uint32
	bounded    bool // a bound was met
}

type found struct {
	state []uint32
	hash  uint64
}

// full reports whether the search has to end.
func (s *randomSearch) full() bool {
	full := s.out.States >= int64(s.States) || s.out.Transitions >= s.Steps
	s.bounded = s.bounded || full
	return full
}

func (s *randomSearch) run() error {
	var starts []found
	if err := s.w.Initial(func(state []uint32, hash uint64) {
		starts = append(starts, found{slices.Clone(state), hash})
	}); err != nil {
		return err
	}
	s.shuffle(starts)
	for _, start := range starts {
		if stop, err := s.enter(start); stop || err != nil {
			return err
		}
		s.path = s.path[:0]
	}
	var err error
	if s.Order == Walk {
		err = s.walk(starts)
	} else {
		err = s.deep(starts)
	}
	s.out.Whole = err == nil && !s.bounded && s.out.Path == nil && s.reducer == nil && s.Order == Deep
	return err
}

func (s *randomSearch) shuffle(list []found) {
	s.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// enter notes a state; stop says that it violates a condition. The path leads to it then.
func (s *randomSearch) enter(x found) (stop bool, err error) {
	if !s.seen.add(max(x.hash, 1)) {
		return false, nil
	}
	s.out.States++
	bad, err := s.w.Violated(x.state)
	if err != nil {
		s.path = append(s.path, x.state)
	}
	if err != nil || bad&s.conditions == 0 {
		return false, err
	}
	for i := range 64 {
		if bad&s.conditions>>i&1 == 1 {
			s.out.Condition = i
			break
		}
	}
	for _, p := range append(s.path, x.state) {
		s.out.Path = append(s.out.Path, slices.Clone(p))
	}
	return true, nil
}

// successors lists the steps out of a state.
func (s *randomSearch) successors(state []uint32) (list []found, err error) {
	emit := func(next []uint32, hash uint64) { list = append(list, found{slices.Clone(next), hash}) }
	if s.reducer != nil {
		_, err = s.reducer.Some(state, emit)
	} else {
		err = s.w.Successors(state, emit)
	}
	s.out.Transitions += int64(len(list))
	return list, err
}

// deep searches depth first.
func (s *randomSearch) deep(starts []found) error {
	type frame struct{ left []found }
	stack := []frame{{starts}}
	for rounds := 0; len(stack) > 0; rounds++ {
		if rounds%64 == 0 && s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		top := &stack[len(stack)-1]
		if len(top.left) == 0 {
			stack = stack[:len(stack)-1]
			s.path = s.path[:max(0, len(stack)-1)]
			continue
		}
		x := top.left[len(top.left)-1]
		top.left = top.left[:len(top.left)-1]
		if s.full() {
			return nil
		}
		s.path = append(s.path[:len(stack)-1], x.state)
		s.out.Depth = max(s.out.Depth, len(stack)-1)
		if len(stack) > s.Depth {
			s.bounded = true
			continue
		}
		list, err := s.successors(x.state)
		if err != nil {
			return err
		}
		s.shuffle(list)
		fresh := list[:0]
		for _, y := range list {
			n := s.out.States
			if stop, err := s.enter(y); stop || err != nil {
				return err
			}
			if s.out.States > n {
				fresh = append(fresh, y)
			}
		}
		stack = append(stack, frame{fresh})
	}
	return nil
}

// patience is how many steps, and how many for each state that was visited, walks go on without anything new.
const patience = 1000

// walk walks at random, from the beginning again and again, until nothing new is met any more.
func (s *randomSearch) walk(starts []found) error {
	s.bounded = true
	known, since := int64(0), int64(0)
	for len(starts) > 0 {
		if s.out.States > known {
			known, since = s.out.States, s.out.Transitions
		}
		if s.out.Transitions-since > patience+patience/10*known {
			return nil
		}
		x := starts[s.random.IntN(len(starts))]
		s.path = s.path[:0]
		for depth := 0; depth < s.Depth; depth++ {
			if s.full() {
				return nil
			}
			if s.ctx.Err() != nil {
				return context.Cause(s.ctx)
			}
			s.path = append(s.path, x.state)
			s.out.Depth = max(s.out.Depth, depth)
			list, err := s.successors(x.state)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				break
			}
			s.shuffle(list)
			x = list[0]
			for _, y := range list {
				if !s.seen.has(max(y.hash, 1)) {
					x = y
					break
				}
			}
			if stop, err := s.enter(x); stop || err != nil {
				return err
			}
		}
		s.out.Transitions++ // even if nothing can happen at all, there is an end
	}
	return nil
}

// sample returns the smallest ones, after they were mixed: which are in it says nothing about states.
func (s *prints) sample() []uint64 {
	var list []uint64
	for i := range s.segments {
		for _, h := range s.segments[i].table {
			if h != 0 {
				h ^= h >> 33
				h *= 0xff51afd7ed558ccd
				h ^= h >> 33
				list = append(list, h)
			}
		}
	}
	slices.Sort(list)
	return slices.Clone(list[:min(len(list), sampleSize)])
}

// Covered is what several searches have visited together, and how many states there are at least, by estimate.
type Covered struct {
	Visited float64 // different states
	// states that there are: the estimate of Chao (1987) from how many were visited by one search only, and by two
	AtLeast float64
}

// Cover estimates from the samples of searches.
func Cover(list []*RandomResult) (c Covered) {
	// Below the bound, all samples are all of what was visited.
	bound := ^uint64(0)
	for _, f := range list {
		if n := len(f.Sample); n == sampleSize {
			bound = min(bound, f.Sample[n-1])
		}
	}
	times := map[uint64]int{}
	for _, f := range list {
		for _, h := range f.Sample {
			if h <= bound {
				times[h]++
			}
		}
	}
	once, twice := 0.0, 0.0
	for _, n := range times {
		switch n {
		case 1:
			once++
		case 2:
			twice++
		}
	}
	scale := 1.0
	if bound != ^uint64(0) {
		scale = float64(^uint64(0)) / float64(bound)
	}
	m := float64(len(list))
	unseen := 0.0
	if m > 1 {
		unseen = (m - 1) / m * once * (once - 1) / (2 * (twice + 1)) // Chao's, without bias
	}
	c.Visited = float64(len(times)) * scale
	c.AtLeast = (float64(len(times)) + unseen) * scale
	return c
}
