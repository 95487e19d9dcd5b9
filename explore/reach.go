package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
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

// Worker visits states. Vectors that it is given or gives are reused. The
// hashes of equal states are equal, whoever computes them and in whatever order
// states were visited; and every Worker lists successors in the same order.
type Worker interface {
	Initial(emit func(state []uint32, hash uint64)) error
	// Successors calls emit for every step out of a state. Its error is an error
	// in the model, which ends the search.
	Successors(state []uint32, emit func(next []uint32, hash uint64)) error
	// Violated returns a set of conditions, bit i for the i-th, that are false.
	Violated(state []uint32) (uint64, error)
	// Hash computes the hash of a state.
	Hash(state []uint32) uint64
}

// Bounds bound a search. Zero values do not.
type Bounds struct {
	Jobs     int   // goroutines; at least one
	States   int64 // states
	Memory   int64 // bytes for states
	Progress func(Progress)
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
	Depth       int // of the state that is furthest from the initial ones
	Initial     int64
	// First is, for every condition, a state as close to an initial one as
	// possible in which it is false, or NoParent.
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
}

// Complete reports whether all reachable states were visited.
func (r *Reached) Complete() bool { return r.Reason == "" && r.Failed == nil }

// errWide says that a slot needs more bytes.
var errWide = errors.New("a slot is too small")

// Reach visits all reachable states, level by level, and looks for states in
// which one of the given number of conditions is false. What it finds does not
// depend on the number of goroutines: the states that it gives are as close to
// initial states as possible and, among those, the ones with the smallest
// hash; and so are their parents. It ends when all conditions have been found
// false. Errors are ctx's (as the Reason) or those of a Worker's Initial.
func Reach(ctx context.Context, space Space, conditions int, bounds Bounds) (*Reached, error) {
	layout := make([]uint8, space.Slots())
	for i := range layout {
		layout[i] = 1
	}
	for {
		r := &reach{ctx: ctx, bounds: bounds, begin: time.Now()}
		r.bounds.Jobs = max(1, r.bounds.Jobs)
		r.out = &Reached{Store: NewStore(layout), FailedAt: NoParent}
		for range conditions {
			r.out.First, r.out.Depths = append(r.out.First, NoParent), append(r.out.Depths, 0)
		}
		for range r.bounds.Jobs {
			r.workers = append(r.workers, &visitor{r: r, Worker: space.NewWorker(), adder: r.out.Store.NewAdder(),
				state: make([]uint32, space.Slots()), other: make([]uint32, space.Slots())})
		}
		err := r.run()
		if errors.Is(err, errWide) {
			// Values get large early if they do at all: begin again.
			layout[r.wide.Load()] *= 2
			continue
		}
		r.out.Duration = time.Since(r.begin)
		return r.out, err
	}
}

type reach struct {
	ctx     context.Context
	bounds  Bounds
	begin   time.Time
	out     *Reached
	workers []*visitor
	level   []uint32
	start   uint32 // numbers of the next level are not smaller
	cursor  atomic.Int64
	stop    atomic.Bool
	wide    atomic.Int64
	told    time.Time

	mu sync.Mutex
}

// visitor is a goroutine's part of a search.
type visitor struct {
	Worker
	r            *reach
	adder        *Adder
	state, other []uint32
	found        []uint32
	transitions  int64
	bad          []badState
	failed       error
	failedAt     uint32
	failedHash   uint64
	err          error
}

// badState is a state with the conditions that are false in it.
type badState struct {
	state uint32
	hash  uint64
	false uint64
}

func (r *reach) run() error {
	w := r.workers[0]
	w.adder.Begin()
	err := w.Initial(func(state []uint32, hash uint64) { w.add(state, hash, NoParent) })
	w.adder.End()
	if err = errors.Join(err, w.err); err != nil {
		return err
	}
	r.collect()
	r.out.Initial = int64(len(r.level))
	for len(r.level) > 0 && !r.done() {
		r.out.Depth++
		if err := r.next(); err != nil {
			return err
		}
	}
	r.out.States = int64(r.out.Store.Len())
	r.out.Depth = max(0, r.out.Depth-1)
	if len(r.level) > 0 && r.out.Reason == "" && r.out.Failed == nil {
		r.out.Depth++ // the last level was found and not visited
	}
	return nil
}

// done reports whether the search need not go on.
func (r *reach) done() bool {
	if r.out.Failed != nil || r.out.Reason != "" {
		return true
	}
	for _, f := range r.out.First {
		if f == NoParent {
			return false
		}
	}
	return len(r.out.First) > 0
}

// next visits a level.
func (r *reach) next() error {
	r.start = r.out.Store.next.Load()
	r.cursor.Store(0)
	workers := r.workers
	if len(r.level) < 256 {
		workers = workers[:1]
	}
	if len(workers) == 1 {
		workers[0].visit()
	} else {
		var all sync.WaitGroup
		for _, w := range workers {
			all.Add(1)
			go func() {
				defer all.Done()
				w.visit()
			}()
		}
		all.Wait()
	}
	for _, w := range r.workers {
		if w.err != nil {
			return w.err
		}
	}
	r.collect()
	return nil
}

// chunk is how many states a goroutine takes from a level at a time.
const chunk = 64

func (w *visitor) visit() {
	r := w.r
	// Numbers of this level must not be smaller than start.
	w.adder.next, w.adder.last = 0, 0
	for !r.stop.Load() {
		from := int(r.cursor.Add(chunk)) - chunk
		if from >= len(r.level) {
			return
		}
		for _, n := range r.level[from:min(from+chunk, len(r.level))] {
			if w.expand(n); w.err != nil {
				r.stop.Store(true)
				return
			}
		}
		w.check(from)
	}
}

// check looks at the limits.
func (w *visitor) check(from int) {
	r := w.r
	reason := ""
	states := int64(r.out.Store.Len())
	switch {
	case r.ctx.Err() != nil:
		reason = "interrupted"
		if errors.Is(r.ctx.Err(), context.DeadlineExceeded) {
			reason = "timeout"
		}
	case r.bounds.States > 0 && states > r.bounds.States:
		reason = fmt.Sprintf("more than %d states", r.bounds.States)
	case r.bounds.Memory > 0 && r.out.Store.Bytes()+8*int64(len(r.level)) > r.bounds.Memory:
		reason = fmt.Sprintf("memory: %d states take more than %d bytes", states, r.bounds.Memory)
	case states > 1<<32-1<<20:
		reason = "more than 4 billion states"
	}
	if reason != "" {
		r.mu.Lock()
		r.out.Reason = reason
		r.mu.Unlock()
		r.stop.Store(true)
	}
	if w == r.workers[0] && r.bounds.Progress != nil && time.Since(r.told) > 200*time.Millisecond {
		r.told = time.Now()
		var transitions int64
		for _, v := range r.workers {
			transitions += atomic.LoadInt64(&v.transitions)
		}
		r.bounds.Progress(Progress{States: states, Transitions: transitions, Depth: r.out.Depth,
			Queue: max(0, len(r.level)-from) + int(states) - int(min(int64(r.start), states)), Rate: float64(states) / time.Since(r.begin).Seconds()})
	}
}

func (w *visitor) expand(n uint32) {
	w.r.out.Store.Read(n, w.state)
	w.adder.Begin()
	steps := int64(0)
	err := w.Successors(w.state, func(next []uint32, hash uint64) {
		steps++
		w.add(next, hash, n)
	})
	w.adder.End()
	atomic.AddInt64(&w.transitions, steps)
	if err != nil {
		w.r.out.Store.Read(n, w.state)
		if hash := w.Hash(w.state); w.failed == nil || hash < w.failedHash {
			w.failed, w.failedAt, w.failedHash = err, n, hash
		}
	}
}

// add adds a state that was found.
func (w *visitor) add(state []uint32, hash uint64, parent uint32) {
	if w.err != nil {
		return
	}
	n, added, wide := w.adder.Add(state, hash, parent)
	if wide >= 0 {
		w.r.wide.Store(int64(wide))
		w.err = errWide
		return
	}
	if !added {
		if n >= w.r.start && parent != NoParent {
			w.prefer(n, parent)
		}
		return
	}
	w.found = append(w.found, n)
	false, err := w.Violated(state)
	if err != nil {
		if w.failed == nil || hash < w.failedHash {
			w.failed, w.failedAt, w.failedHash = err, n, hash
		}
	}
	if false != 0 {
		w.bad = append(w.bad, badState{n, hash, false})
	}
}

// prefer makes the parent with the smallest hash that of a state of the next
// level.
func (w *visitor) prefer(n, parent uint32) {
	p := w.r.out.Store.parent(n)
	for {
		old := atomic.LoadUint32(p)
		if old == parent || old == NoParent {
			return
		}
		w.r.out.Store.Read(old, w.other)
		h := w.Hash(w.other)
		w.r.out.Store.Read(parent, w.other)
		if h <= w.Hash(w.other) || atomic.CompareAndSwapUint32(p, old, parent) {
			return
		}
	}
}

// collect puts together what goroutines found on a level.
func (r *reach) collect() {
	r.level = r.level[:0]
	var failedHash uint64
	best := make([]uint64, len(r.out.First))
	r.out.Transitions = 0
	for _, w := range r.workers {
		r.level = append(r.level, w.found...)
		w.found = w.found[:0]
		r.out.Transitions += w.transitions
		if w.failed != nil && (r.out.Failed == nil || w.failedHash < failedHash) {
			r.out.Failed, r.out.FailedAt, failedHash = w.failed, w.failedAt, w.failedHash
		}
		for _, b := range w.bad {
			for i := range r.out.First {
				if b.false>>i&1 == 0 || r.out.First[i] != NoParent && (r.out.Depths[i] < r.out.Depth || best[i] <= b.hash) {
					continue
				}
				r.out.First[i], r.out.Depths[i], best[i] = b.state, r.out.Depth, b.hash
			}
		}
		w.bad = w.bad[:0]
	}
}

// Path returns the states that lead to state n, from an initial one.
func (r *Reached) Path(n uint32) []uint32 {
	var path []uint32
	for ; n != NoParent; n = r.Store.Parent(n) {
		path = append(path, n)
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// AllJobs is as many goroutines as there are processors.
func AllJobs() int { return runtime.GOMAXPROCS(0) }
