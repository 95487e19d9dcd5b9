package explore

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// A compact search keeps, of each state that was visited, a fingerprint of 64 bits, and the states of one level,
// packed, with what is found of the next (Wolper, Leroy, CAV 1993, and the program TLC). A state whose fingerprint is
// that of another one is taken for it, and what can be reached only by it is missed: Missed says how probable that is.

// compacting is a compact search.
type compacting struct {
	levels
	prints  prints
	blocks  *blocks
	workers []*compactor
	level   [][]byte
	width   int64 // states of the level
	states  atomic.Int64
	visited atomic.Int64 // of the level
}

// compactor is a goroutine's part of it.
type compactor struct {
	Worker
	*count
	s           *compacting
	read, state []uint32
	out         *packer
	added       int64
}

// reachCompact is Reach for compact searches.
func reachCompact(ctx context.Context, space Space, conditions int, bounds Bounds) (*Reached, error) {
	if bounds.Reduce != nil || bounds.Journal != nil {
		return nil, errors.New("a compact search follows all steps, and is not saved")
	}
	s := &compacting{blocks: newBlocks(space.Slots())}
	s.prepare(ctx, conditions, bounds, &Reached{FailedAt: None, space: space, memory: bounds.Memory, compact: true,
		kept: map[uint32][]uint32{}})
	defer s.heap.end()
	s.each = func(i int) { s.workers[i].visit() }
	defer s.prints.free()
	defer s.blocks.release()
	for range s.bounds.Jobs {
		n := space.Slots()
		s.workers = append(s.workers, &compactor{Worker: space.NewWorker(), count: s.levels.count(), s: s,
			read: make([]uint32, n), state: make([]uint32, n), out: newPacker(s.blocks, n)})
	}
	err := s.run()
	s.out.Duration = time.Since(s.begin)
	return s.out, err
}

func (s *compacting) run() error {
	w := s.workers[0]
	if err := w.Initial(func(state []uint32, hash uint64) { w.add(state, hash, 0) }); err != nil {
		return err
	}
	s.collect()
	s.out.Initial = s.width
	for s.width > 0 && !s.out.decided() {
		s.out.Depth++
		s.next()
	}
	s.out.States = s.states.Load()
	s.out.Deadlocks = s.stuck
	s.end(s.width > 0)
	return nil
}

// next visits a level.
func (s *compacting) next() {
	s.visited.Store(0)
	s.visit(min(len(s.workers), len(s.level)))
	s.collect()
}

func (w *compactor) visit() {
	s := w.s
	for !s.stop.Load() {
		i := int(s.cursor.Add(1)) - 1
		if i >= len(s.level) {
			return
		}
		visited := int64(0)
		unpack(s.level[i], w.read, func() bool {
			visited++
			w.expand()
			return true
		})
		s.blocks.give(s.level[i])
		s.states.Add(w.added)
		s.visited.Add(visited)
		w.added = 0
		w.check()
	}
}

func (w *compactor) expand() {
	depth := w.s.out.Depth
	copy(w.state, w.read)
	steps := int64(0)
	err := w.Successors(w.state, func(next []uint32, hash uint64) {
		steps++
		w.add(next, hash, depth)
	})
	if steps == 0 && err == nil {
		w.deadlocks++
	}
	atomic.AddInt64(&w.transitions, steps)
	if err != nil {
		w.note(finding{state: slices.Clone(w.read), depth: depth - 1, hash: w.Hash(w.read), err: err})
	}
}

// add adds a state that was found at a depth.
func (w *compactor) add(state []uint32, hash uint64, depth int) {
	if !w.s.prints.add(fingerprintOf(state)) {
		return
	}
	w.added++
	w.out.add(state)
	false, err := w.Violated(state)
	if err != nil || false != 0 {
		w.note(finding{state: slices.Clone(state), depth: depth, hash: hash, false: false, err: err})
	}
}

// collect puts together what goroutines found.
func (s *compacting) collect() {
	s.level = s.level[:0]
	for _, w := range s.workers {
		s.states.Add(w.added)
		w.added = 0
		s.level = append(s.level, w.out.collect()...)
	}
	s.width = s.states.Load() - s.out.States
	s.out.States += s.width
	s.done()
	s.out.Transitions = s.before
	s.out.bytes = max(s.out.bytes, s.bytes())
	if f := s.wrong(func(i int, f *finding) { s.out.First[i], s.out.kept[uint32(i)] = uint32(i), f.state }); f != nil {
		s.out.Failed, s.out.FailedAt = f.err, uint32(len(s.out.First))
		s.out.kept[s.out.FailedAt] = f.state
	}
}

func (s *compacting) bytes() int64 { return s.prints.bytes.Load() + s.blocks.bytes() }

// check looks at the limits.
func (w *compactor) check() {
	s := w.s
	states := s.states.Load()
	s.levels.check(w.Worker, w.count, states, s.bytes(), func() bool { return s.heap.over(s.bytes()) })
	s.tell(w.count, states, func() int { return int(states - s.out.States + s.width - s.visited.Load()) })
}

// Missed is the probability that two of the states that were visited or missed have the same fingerprint, so that
// something was missed: that of a birthday among 2^64 days; 0 if the search was not compact.
func (r *Reached) Missed() float64 {
	if !r.compact {
		return 0
	}
	n := float64(r.States)
	return -math.Expm1(-n * (n - 1) / 2 / math.Exp2(64))
}

// Way returns the states that lead to state n, from an initial one, whatever was kept of them.
func (r *Reached) Way(ctx context.Context, n uint32) (way [][]uint32, err error) {
	if r.compact {
		return r.retrace(ctx, r.kept[n])
	}
	path, err := r.Path(n)
	for _, n := range path {
		state := make([]uint32, r.space.Slots())
		r.Store.Read(n, state)
		way = append(way, state)
	}
	return way, err
}
