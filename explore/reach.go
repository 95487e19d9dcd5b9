package explore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"
)

// Space is a transition system whose states are vectors of small numbers.
type Space interface {
	// Slots returns the length of states.
	Slots() int
	// NewWorker returns what visits states; each goroutine has its own.
	NewWorker() Worker
}

// Worker visits states. Vectors that it is given or gives are reused. The hashes of equal states are equal, whichever
// worker computes them and in whatever order states were visited; and every Worker lists successors in the same order.
type Worker interface {
	Initial(emit func(state []uint32, hash uint64)) error
	// Successors calls emit for every step out of a state. Its error is an error in the model, which ends the search.
	Successors(state []uint32, emit func(next []uint32, hash uint64)) error
	// Violated returns a set of conditions, bit i for the i-th, that are false.
	Violated(state []uint32) (uint64, error)
	// Hash computes the hash of a state.
	Hash(state []uint32) uint64
}

// reducer is a Worker that can follow some of the steps only, which are enough
// as long as steps that are left out are not put off for ever (package stubborn).
type reducer interface {
	Worker
	// Some calls emit for a stubborn set of steps.
	Some(state []uint32, emit func(next []uint32, hash uint64)) (Choice, error)
}

// Choice says what a Reducer has chosen to follow.
type Choice struct {
	Enabled, Followed int  // transitions
	Complete          bool // nothing is left out, or it is not put off for ever
}

// Reduction says what reductions have saved in a search.
type Reduction struct {
	States            int64 // that were asked about
	Enabled, Followed int64 // transitions of them
}

// Bounds bound a search. Zero values do not.
type Bounds struct {
	Jobs     int   // goroutines; at least one
	States   int64 // states
	Memory   int64 // bytes that a process takes for a search, about
	Progress func(Progress)
	Journal  *Journal // nil for none
	// Reduce is asked before each level, while no worker runs: one of how many states is reduced, 1 for all, 0 for
	// none. The Space's workers are Reducers then. A state whose steps are all followed has a stubborn set, too, so one
	// may begin and end at any state.
	Reduce  func(*Reached) (every uint64)
	Compact bool // keep fingerprints of 64 bits of what was visited, and no states (compact.go)
}

// Progress says how far a search is.
type Progress struct {
	States, Transitions int64
	Depth               int
	Queue               int // states whose successors are not known yet
	Rate                float64
}

// Reached is what a search for reachable states found.
type Reached struct {
	Store       *Store
	States      int64
	Transitions int64
	Deadlocks   int64 // states without steps
	Depth       int   // of the state that is furthest from the initial ones
	Initial     int64
	// First is, for every condition, a state as close to an initial one as possible in which it is false, or None.
	First []uint32
	// Depths are the depths of those states.
	Depths []int
	// Failed is an error in the model, which shows after state FailedAt.
	Failed   error
	FailedAt uint32
	// Reason says why not all states were visited; "" if they were, or if the
	// search ended because every condition had been found false.
	Reason   string
	Duration time.Duration
	Reduced  Reduction

	space   Space
	kept    map[uint32][]uint32 // of a compact search: states that are asked for, by number
	memory  int64               // limit of it
	bytes   int64               // that it took
	compact bool
	starts  []uint32    // number where each level begins; the last level ends where the next would
	gaps    [][2]uint32 // numbers that no state has, in order
}

// Complete reports whether all reachable states were visited.
func (r *Reached) Complete() bool { return r.Reason == "" && r.Failed == nil }

// Reach visits all reachable states, level by level, and looks for states in which one of the given number of
// conditions is false. What it finds does not depend on the number of goroutines: the states that it gives are as close
// to initial states as possible and, among those, the ones with the smallest hash. It ends when all conditions have
// been found false. Errors are ctx's (as the Reason) or those of a Worker's Initial.
func Reach(ctx context.Context, space Space, conditions int, bounds Bounds) (*Reached, error) {
	if bounds.Compact {
		return reachCompact(ctx, space, conditions, bounds)
	}
	r := &reach{kept: time.Now()}
	r.prepare(ctx, conditions, bounds, &Reached{FailedAt: None, space: space, starts: []uint32{0}})
	defer r.heap.end()
	r.each = func(i int) { r.workers[i].visit() }
	r.out.Store = newTraced(space.Slots())
	r.out.Store.heap = r.heap
	for range r.bounds.Jobs {
		v := &visitor{r: r, count: r.levels.count(), Worker: space.NewWorker(), adder: r.out.Store.NewAdder(),
			state: make([]uint32, space.Slots())}
		v.adder.found = v.added
		v.emit = func(next []uint32, hash uint64) {
			v.steps++
			v.adder.later(next, hash, v.print)
		}
		r.workers = append(r.workers, v)
	}
	err := r.run()
	r.out.Duration = r.elapsed + time.Since(r.begin)
	return r.out, err
}

type reach struct {
	levels
	workers []*visitor
	level   []uint32
	start   uint32 // numbers of the next level are not smaller
	every   uint64 // of so many states one is reduced; 0 for none
	kept    time.Time
	elapsed time.Duration // in runs before this one
}

// visitor is a goroutine's part of a search.
type visitor struct {
	Worker
	*count
	r       *reach
	adder   *Adder
	state   []uint32
	print   uint32 // of the state whose steps are followed
	emit    func(next []uint32, hash uint64)
	steps   int64 // that were emitted
	ahead   bool  // a state on the next level was found
	found   []uint32
	reduced Reduction
	visits  uint32 // states that were visited
}

func (r *reach) run() error {
	if err := r.first(); err != nil {
		return err
	}
	for len(r.level) > 0 && !r.out.decided() {
		if j := r.bounds.Journal; j != nil && time.Since(r.kept) > between {
			r.done()
			if err := r.keep(r.out.Store.next.Load()); err != nil {
				return err
			}
			r.kept = time.Now()
		}
		r.out.Depth++
		r.next()
	}
	if r.bounds.Journal != nil && r.out.Reason != "" {
		if err := r.keep(r.start); err != nil {
			return err
		}
	}
	r.out.States = int64(r.out.Store.len())
	r.done()
	r.out.Deadlocks = r.stuck
	r.end(len(r.level) > 0)
	return nil
}

// first finds the initial states, or goes on where an earlier search was.
func (r *reach) first() error {
	if j := r.bounds.Journal; j != nil && j.Resume {
		return r.resume()
	}
	w := r.workers[0]
	w.adder.Begin()
	err := w.Initial(func(state []uint32, hash uint64) { w.adder.later(state, hash, w.print) })
	w.adder.flush()
	w.adder.End()
	if err != nil {
		return err
	}
	r.collect()
	r.out.Initial = int64(len(r.level))
	return nil
}

// decided reports whether the search need not go on.
func (r *Reached) decided() bool {
	return r.Failed != nil || r.Reason != "" || len(r.First) > 0 && !slices.Contains(r.First, None)
}

// Bytes returns how much memory the states took.
func (r *Reached) Bytes() int64 {
	if r.compact {
		return r.bytes
	}
	return r.Store.Bytes()
}

// next visits a level.
func (r *reach) next() {
	r.done()
	for _, w := range r.workers {
		w.adder.take = uint32(min(max(handful, len(r.level)/256), 16*handful))
	}
	if r.bounds.Reduce != nil {
		r.out.States = int64(r.out.Store.len())
		r.every = r.bounds.Reduce(r.out)
	}
	r.start = r.out.Store.next.Load()
	r.out.starts = append(r.out.starts, r.start)
	goroutines := len(r.workers)
	if len(r.level) < 256 {
		goroutines = 1
	}
	r.visit(goroutines)
	r.collect()
}

// chunk is how many states a goroutine takes from a level at a time.
const chunk = 64

func (w *visitor) visit() {
	r := w.r
	for !r.stop.Load() {
		from := int(r.cursor.Add(chunk)) - chunk
		if from >= len(r.level) {
			return
		}
		w.adder.Begin()
		to := min(from+chunk, len(r.level))
		for _, n := range r.level[from:to] {
			w.expand(n)
		}
		w.adder.flush()
		w.adder.End()
		w.check(from, to)
	}
}

// check looks at the limits now and then, after states of a level have been visited.
func (w *visitor) check(from, to int) {
	r := w.r
	states := int64(r.out.Store.len())
	before := w.visits
	w.visits += uint32(to - from)
	if before/handful == w.visits/handful && (r.bounds.States == 0 || states <= r.bounds.States) {
		return
	}
	r.levels.check(w.Worker, w.count, states, r.out.Store.Bytes()+8*int64(len(r.level)), func() bool {
		return before/blockSize != w.visits/blockSize && r.heap.over(0) || r.out.Store.stuffed()
	})
	r.tell(w.count, states, func() int {
		return max(0, len(r.level)-from) + int(states) - int(min(int64(r.start), states))
	})
}

func (w *visitor) expand(n uint32) {
	w.r.out.Store.Read(n, w.state)
	hash := w.Hash(w.state)
	w.print = print(hash)
	w.steps = 0
	var err error
	if w.r.every > 0 && hash%w.r.every == 0 {
		// What is left out here must not be left out for ever: some step has to lead to
		// the next level, on which the same holds, and there is a last level.
		var chosen Choice
		w.adder.flush()
		w.ahead = false
		chosen, err = w.Worker.(reducer).Some(w.state, w.emit)
		w.adder.flush()
		w.reduced.States++
		w.reduced.Enabled += int64(chosen.Enabled)
		if !chosen.Complete && !w.ahead && err == nil {
			w.r.out.Store.Read(n, w.state)
			w.steps = 0
			err = w.Successors(w.state, w.emit)
			chosen.Followed = chosen.Enabled
		}
		w.reduced.Followed += int64(chosen.Followed)
	} else {
		err = w.Successors(w.state, w.emit)
	}
	if w.steps == 0 && err == nil {
		w.deadlocks++
	}
	atomic.AddInt64(&w.transitions, w.steps)
	if err != nil {
		w.r.out.Store.Read(n, w.state)
		w.note(finding{n: n, depth: w.r.out.Depth - 1, hash: w.Hash(w.state), err: err})
	}
}

// added notes what became of a state that was found.
func (w *visitor) added(state []uint32, hash uint64, from, n uint32, added bool) {
	if n >= w.r.start {
		w.ahead = true
		w.r.out.Store.led(n, from)
	}
	if !added {
		return
	}
	w.found = append(w.found, n)
	false, err := w.Violated(state)
	if err != nil || false != 0 {
		w.note(finding{n: n, depth: w.r.out.Depth, hash: hash, false: false, err: err})
	}
}

// collect puts together what goroutines found on a level.
func (r *reach) collect() {
	r.level = r.level[:0]
	known := len(r.out.gaps)
	r.out.Transitions = r.transitions()
	for _, w := range r.workers {
		// The next level gets numbers of its own; those that are left are given back, or are a gap.
		if w.adder.next < w.adder.last && !r.out.Store.next.CompareAndSwap(w.adder.last, w.adder.next) {
			r.out.gaps = append(r.out.gaps, [2]uint32{w.adder.next, w.adder.last})
		}
		w.adder.next, w.adder.last = 0, 0
		r.level = append(r.level, w.found...)
		w.found = w.found[:0]
		r.out.Reduced.States += w.reduced.States
		r.out.Reduced.Enabled += w.reduced.Enabled
		r.out.Reduced.Followed += w.reduced.Followed
		w.reduced = Reduction{}
	}
	// Numbers of a level are greater than those before: only its own gaps need be put in order.
	if more := r.out.gaps[known:]; len(more) > 1 {
		slices.SortFunc(more, func(a, b [2]uint32) int { return cmp.Compare(a[0], b[0]) })
	}
	if f := r.wrong(func(i int, f *finding) { r.out.First[i] = f.n }); f != nil {
		r.out.Failed, r.out.FailedAt = f.err, f.n
	}
}

// Path returns the states that lead to state n, from an initial one: the one before it is, of those by which it was
// found, the one with the smallest hash. Of that a part is remembered, and by it the table has it.
func (r *Reached) Path(n uint32) ([]uint32, error) {
	path := []uint32{n}
	level := 0
	for level+1 < len(r.starts) && r.starts[level+1] <= n {
		level++
	}
	w := r.space.NewWorker()
	for level--; level >= 0; level-- {
		before := r.before(w, path[len(path)-1], level)
		if before == None {
			return nil, errors.New("internal error, please report: a state has no predecessor")
		}
		path = append(path, before)
	}
	slices.Reverse(path)
	return path, nil
}

// before returns the state on a level that is noted to have led to state n; None if there is none.
func (r *Reached) before(w Worker, n uint32, level int) uint32 {
	state, target := make([]uint32, r.space.Slots()), make([]uint32, r.space.Slots())
	r.Store.Read(n, target)
	best, least := None, uint64(0)
	r.Store.leading(n, func(i uint32) {
		if i < r.starts[level] || i >= r.starts[level+1] {
			return
		}
		r.Store.Read(i, state)
		hash, leads := w.Hash(state), false
		// An error shows after the steps that are possible.
		_ = w.Successors(state, func(next []uint32, _ uint64) { leads = leads || slices.Equal(next, target) })
		if leads && (best == None || hash < least) {
			best, least = i, hash
		}
	})
	return best
}

// gap reports whether a number is no state's.
func (r *Reached) gap(n uint32) bool {
	i, exact := slices.BinarySearchFunc(r.gaps, n, func(g [2]uint32, n uint32) int { return cmp.Compare(g[0], n) })
	return exact || i > 0 && n < r.gaps[i-1][1]
}

// Each calls yield with the numbers of all states that were visited, nearest first.
func (r *Reached) Each(yield func(n uint32)) {
	for n := range r.Store.next.Load() {
		if !r.gap(n) {
			yield(n)
		}
	}
}
