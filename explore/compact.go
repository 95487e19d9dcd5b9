package explore

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A compact search keeps, of each state that was visited, a fingerprint of 64 bits, and the states of one level,
// packed, with what is found of the next (Wolper, Leroy, CAV 1993, and the program TLC). A state whose fingerprint is
// that of another one is taken for it, and what can be reached only by it is missed: Missed says how probable that is.

// compacting is a compact search.
type compacting struct {
	ctx     context.Context
	bounds  Bounds
	begin   time.Time
	told    time.Time
	out     *Reached
	prints  prints
	blocks  *blocks
	heap    *heap
	workers []*compactor
	level   [][]byte
	width   int64 // states of the level
	before  int64 // transitions out of levels that are done
	stuck   int64 // states without steps on them
	states  atomic.Int64
	visited atomic.Int64 // of the level
	cursor  atomic.Int64
	stop    atomic.Bool
	best    []uint64 // hashes of what violates conditions on this level
	mu      sync.Mutex
}

// compactor is a goroutine's part of it.
type compactor struct {
	Worker
	s           *compacting
	read, state []uint32
	out         *packer
	added       int64
	transitions int64
	deadlocks   int64
	bad         []badVector
	failed      *failure
	forgot      bool // what it had remembered, for want of memory
}

// badVector is a state with the conditions that are false in it.
type badVector struct {
	state []uint32
	hash  uint64
	false uint64
}

// failure is an error in the model at a state.
type failure struct {
	err   error
	state []uint32
	depth int
	hash  uint64
}

// reachCompact is Reach for compact searches.
func reachCompact(ctx context.Context, space Space, conditions int, bounds Bounds) (*Reached, error) {
	if bounds.Reduce != nil || bounds.Journal != nil {
		return nil, errors.New("a compact search follows all steps, and is not saved")
	}
	bounds.Jobs = max(1, bounds.Jobs)
	s := &compacting{ctx: ctx, bounds: bounds, begin: time.Now(), blocks: newBlocks(space.Slots()),
		heap: newHeap(bounds.Memory), best: make([]uint64, conditions)}
	defer s.heap.end()
	defer s.prints.free()
	defer s.blocks.release()
	s.out = &Reached{FailedAt: None, space: space, memory: bounds.Memory, compact: true, kept: map[uint32][]uint32{}}
	for range conditions {
		s.out.First, s.out.Depths = append(s.out.First, None), append(s.out.Depths, 0)
	}
	for range bounds.Jobs {
		n := space.Slots()
		s.workers = append(s.workers, &compactor{Worker: space.NewWorker(), s: s, read: make([]uint32, n),
			state: make([]uint32, n), out: newPacker(s.blocks, n)})
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
	s.out.Depth = max(0, s.out.Depth-1)
	if s.width > 0 && s.out.Reason == "" && s.out.Failed == nil {
		s.out.Depth++ // the last level was found and not visited
	}
	return nil
}

// next visits a level.
func (s *compacting) next() {
	s.cursor.Store(0)
	s.visited.Store(0)
	clear(s.best)
	workers := s.workers[:min(len(s.workers), len(s.level))]
	var all sync.WaitGroup
	for _, w := range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			w.visit()
		}()
	}
	all.Wait()
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
		w.fails(err, w.read, depth-1, w.Hash(w.read))
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
	if err != nil {
		w.fails(err, state, depth, hash)
	}
	if false != 0 {
		w.bad = append(w.bad, badVector{slices.Clone(state), hash, false})
	}
}

// fails notes an error in the model: the first one, and of those at the same depth the one with the smallest hash.
func (w *compactor) fails(err error, state []uint32, depth int, hash uint64) {
	if f := w.failed; f == nil || depth < f.depth || depth == f.depth && hash < f.hash {
		w.failed = &failure{err, slices.Clone(state), depth, hash}
	}
}

// collect puts together what goroutines found.
func (s *compacting) collect() {
	var first *failure
	s.level = s.level[:0]
	for _, w := range s.workers {
		s.states.Add(w.added)
		w.added = 0
		s.level = append(s.level, w.out.collect()...)
		s.before += w.transitions
		s.stuck += w.deadlocks
		w.transitions, w.deadlocks = 0, 0
		if f := w.failed; f != nil && (first == nil || f.depth < first.depth || f.depth == first.depth &&
			f.hash < first.hash) {
			first = f
		}
		for _, b := range w.bad {
			for i := range s.out.First {
				if b.false>>i&1 == 0 || s.out.First[i] != None &&
					(s.out.Depths[i] < s.out.Depth || s.best[i] <= b.hash) {
					continue
				}
				s.out.First[i], s.out.Depths[i], s.best[i] = uint32(i), s.out.Depth, b.hash
				s.out.kept[uint32(i)] = b.state
			}
		}
		w.bad = nil
	}
	s.width = s.states.Load() - s.out.States
	s.out.States += s.width
	s.out.Transitions = s.before
	s.out.bytes = max(s.out.bytes, s.bytes())
	if first != nil {
		s.out.Failed, s.out.FailedAt = first.err, uint32(len(s.out.First))
		s.out.kept[s.out.FailedAt] = first.state
	}
}

func (s *compacting) bytes() int64 { return s.prints.bytes.Load() + s.blocks.bytes() }

// check looks at the limits.
func (w *compactor) check() {
	s := w.s
	states := s.states.Load()
	reason := s.bounds.exceeded(s.ctx, states, s.bytes())
	if reason == "" && s.heap.over(s.bytes()) && relieve(w.Worker, &w.forgot) {
		reason = s.bounds.exceeded(s.ctx, states, s.bounds.Memory+1)
	}
	if reason != "" {
		s.mu.Lock()
		s.out.Reason = reason
		s.mu.Unlock()
		s.stop.Store(true)
	}
	if w == s.workers[0] {
		s.bounds.tell(&s.told, s.begin, func() Progress {
			transitions := s.before
			for _, v := range s.workers {
				transitions += atomic.LoadInt64(&v.transitions)
			}
			queue := int(states - s.out.States + s.width - s.visited.Load())
			return Progress{States: states, Transitions: transitions, Depth: s.out.Depth, Queue: queue}
		})
	}
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
