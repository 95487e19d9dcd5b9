package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// levels is what searches level by level have in common, whatever they keep of states.
type levels struct {
	ctx    context.Context
	bounds Bounds
	begin  time.Time
	told   time.Time
	out    *Reached
	heap   *heap
	counts []*count    // of goroutines
	each   func(i int) // visits the level, in the i-th of them
	cursor atomic.Int64
	stop   atomic.Bool
	before int64    // transitions out of levels that are done
	stuck  int64    // states without steps on them
	best   []uint64 // hashes of what violates conditions on this level
	mu     sync.Mutex
}

// count is what a goroutine counts on a level.
type count struct {
	transitions int64
	deadlocks   int64
	forgot      bool // what it had remembered, for want of memory
	bad         []finding
	failed      *finding
}

// finding is what is wrong with a state: its number, or the state itself where states have none.
type finding struct {
	n     uint32
	state []uint32
	depth int
	hash  uint64
	false uint64 // conditions
	err   error  // in the model
}

// sooner reports whether an error is to be told rather than another one: nothing goes wrong on the way to the first.
func (f *finding) sooner(g *finding) bool {
	return g == nil || cmp.Or(cmp.Compare(f.depth, g.depth), cmp.Compare(f.hash, g.hash)) < 0
}

// note notes what is wrong with a state.
func (c *count) note(f finding) {
	if f.false != 0 {
		c.bad = append(c.bad, f)
	}
	if f.err != nil && f.sooner(c.failed) {
		c.failed = &f
	}
}

// prepare makes a search ready that puts what it finds into out.
func (l *levels) prepare(ctx context.Context, conditions int, bounds Bounds, out *Reached) {
	bounds.Jobs = max(1, bounds.Jobs)
	l.ctx, l.bounds, l.begin, l.out, l.heap = ctx, bounds, time.Now(), out, newHeap(bounds.Memory)
	for range conditions {
		out.First, out.Depths = append(out.First, None), append(out.Depths, 0)
	}
	l.best = make([]uint64, conditions)
}

// count returns a goroutine's.
func (l *levels) count() *count {
	c := &count{}
	l.counts = append(l.counts, c)
	return c
}

// visit has so many goroutines visit the level.
func (l *levels) visit(goroutines int) {
	clear(l.best)
	l.cursor.Store(0)
	if goroutines == 1 {
		l.each(0)
		return
	}
	var all sync.WaitGroup
	for i := range goroutines {
		all.Go(func() { l.each(i) })
	}
	all.Wait()
}

// done adds what goroutines have counted on a level to what was counted before.
func (l *levels) done() {
	for _, c := range l.counts {
		l.before += c.transitions
		l.stuck += c.deadlocks
		c.transitions, c.deadlocks = 0, 0
	}
}

// transitions are those that have been followed.
func (l *levels) transitions() int64 {
	n := l.before
	for _, c := range l.counts {
		n += atomic.LoadInt64(&c.transitions)
	}
	return n
}

// wrong calls first for conditions with the state that is the first known to violate them, and returns the first error.
func (l *levels) wrong(first func(condition int, f *finding)) (failed *finding) {
	for _, c := range l.counts {
		if c.failed != nil && c.failed.sooner(failed) {
			failed = c.failed
		}
		for k := range c.bad {
			f := &c.bad[k]
			for i := range l.out.First {
				if f.false>>i&1 != 0 &&
					(l.out.First[i] == None || l.out.Depths[i] == l.out.Depth && f.hash < l.best[i]) {
					l.out.Depths[i], l.best[i] = l.out.Depth, f.hash
					first(i, f)
				}
			}
		}
		c.bad = nil
	}
	return failed
}

// end says how deep the search was, and whether there was a level to be visited.
func (l *levels) end(more bool) {
	l.out.Depth = max(0, l.out.Depth-1)
	if more && l.out.Reason == "" && l.out.Failed == nil {
		l.out.Depth++ // the last level was found and not visited
	}
}

// check ends the search if a limit is met. Where memory is short, what the goroutine has remembered is forgotten first.
func (l *levels) check(w Worker, c *count, states, bytes int64, short func() bool) {
	reason := l.bounds.exceeded(l.ctx, states, bytes)
	if reason == "" && short() && relieve(w, &c.forgot) {
		reason = l.bounds.exceeded(l.ctx, states, l.bounds.Memory+1)
	}
	if reason == "" && states > 1<<32-1<<20 && !l.out.compact {
		reason = "more than 4 billion states"
	}
	if reason != "" {
		l.mu.Lock()
		l.out.Reason = reason
		l.mu.Unlock()
		l.stop.Store(true)
	}
}

// tell says how far the search is, now and then: so many states, and so many of them to be visited.
func (l *levels) tell(c *count, states int64, queue func() int) {
	if c == l.counts[0] {
		l.bounds.tell(&l.told, l.begin, func() Progress {
			return Progress{States: states, Transitions: l.transitions(), Depth: l.out.Depth, Queue: queue()}
		})
	}
}

// tell says how far a search is, now and then.
func (b *Bounds) tell(told *time.Time, begin time.Time, now func() Progress) {
	if b.Progress == nil || time.Since(*told) <= 200*time.Millisecond {
		return
	}
	*told = time.Now()
	p := now()
	p.Rate = float64(p.States) / time.Since(begin).Seconds()
	b.Progress(p)
}

// exceeded says which limit is exceeded; "" for none.
func (b *Bounds) exceeded(ctx context.Context, states, bytes int64) string {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "timeout"
	case ctx.Err() != nil:
		return "interrupted"
	case b.States > 0 && states > b.States:
		return fmt.Sprintf("more than %d states", b.States)
	case b.Memory > 0 && bytes > b.Memory:
		return fmt.Sprintf("memory: %d states take more than %d bytes", states, b.Memory)
	}
	return ""
}
