package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// A compact search does not know how it came to a state. A second one, by one goroutine, numbers states as it finds
// them and remembers eight bytes of each: how many new states its steps led to, and by which step it was found itself.
// Both searches find a state at the same depth.

// MemoryError says that there is no room to find the run of a violation.
type MemoryError struct{ Limit int64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("memory: finding the run again takes more than %d bytes", e.Limit)
}

// column is a long list of small numbers.
type column struct {
	chunks [][]uint32
	n      int
}

const columnChunk = 1 << 18

func (c *column) push(v uint32) {
	if c.n%columnChunk == 0 {
		c.chunks = append(c.chunks, pages[uint32](columnChunk))
	}
	c.chunks[c.n/columnChunk][c.n%columnChunk] = v
	c.n++
}

func (c *column) at(i int) uint32 { return c.chunks[i/columnChunk][i%columnChunk] }

func (c *column) bytes() int64 { return int64(len(c.chunks)) * columnChunk * 4 }

func (c *column) free() {
	for _, k := range c.chunks {
		release(k)
	}
	c.chunks = nil
}

// retracing is the second search.
type retracing struct {
	worker Worker
	prints prints
	blocks *blocks
	out    *packer
	target uint64
	fanout column // by state whose steps have been followed: how many new states they led to
	step   column // by state: which step, or which initial state, it is
	next   int    // number of the step that is followed
	fresh  int    // new states by the steps of the state that is visited
	found  int    // number of the target; -1 until it is found
}

// retrace returns the states that lead to a state.
func (r *Reached) retrace(ctx context.Context, target []uint32) ([][]uint32, error) {
	slots := r.space.Slots()
	t := &retracing{worker: r.space.NewWorker(), blocks: newBlocks(slots), target: fingerprintOf(target), found: -1}
	t.out = newPacker(t.blocks, slots)
	defer t.prints.free()
	defer t.blocks.release()
	defer t.fanout.free()
	defer t.step.free()
	initial, err := t.search(ctx, slots, r.memory)
	if err != nil {
		return nil, err
	}
	return t.follow(t.steps(initial), target)
}

// search finds the target, and returns how many initial states there are.
func (t *retracing) search(ctx context.Context, slots int, memory int64) (initial int, err error) {
	if err := t.worker.Initial(t.add); err != nil {
		return 0, err
	}
	initial = t.step.n
	read, state := make([]uint32, slots), make([]uint32, slots)
	for level := t.out.collect(); len(level) > 0 && t.found < 0; level = t.out.collect() {
		for _, block := range level {
			unpack(block, read, func() bool {
				copy(state, read)
				t.next, t.fresh = 0, 0
				// An error shows after the steps that are possible.
				_ = t.worker.Successors(state, t.add)
				t.fanout.push(uint32(t.fresh))
				return t.found < 0
			})
			t.blocks.give(block)
			switch {
			case ctx.Err() != nil:
				return 0, ctx.Err()
			case memory > 0 && t.prints.bytes.Load()+t.blocks.bytes()+t.fanout.bytes()+t.step.bytes() > memory:
				return 0, &MemoryError{memory}
			case t.found >= 0:
				return initial, nil
			}
		}
	}
	if t.found < 0 {
		return 0, errors.New("internal error, please report: a state that was found is not found again")
	}
	return initial, nil
}

// add numbers a state that is new.
func (t *retracing) add(state []uint32, _ uint64) {
	step := t.next
	t.next++
	print := fingerprintOf(state)
	if t.found >= 0 || !t.prints.add(print) {
		return
	}
	t.fresh++
	t.step.push(uint32(step))
	if t.out.add(state); print == t.target {
		t.found = t.step.n - 1
	}
}

// steps returns the steps that lead to the target, the first of which chooses an initial state. Those that a state
// leads to have numbers behind those of the states before it.
func (t *retracing) steps(initial int) (list []int) {
	at, first := t.found, t.step.n // first: number of the first state that parent led to
	for parent := t.fanout.n - 1; at >= initial; parent-- {
		if first -= int(t.fanout.at(parent)); at >= first {
			list = append(list, int(t.step.at(at)))
			at = parent
		}
	}
	list = append(list, int(t.step.at(at)))
	slices.Reverse(list)
	return list
}

// follow takes steps by their numbers.
func (t *retracing) follow(steps []int, target []uint32) (path [][]uint32, err error) {
	for k, step := range steps {
		n := 0
		take := func(state []uint32, _ uint64) {
			if n == step {
				path = append(path, slices.Clone(state))
			}
			n++
		}
		if k == 0 {
			err = t.worker.Initial(take)
		} else {
			_ = t.worker.Successors(slices.Clone(path[k-1]), take)
		}
		if err != nil || len(path) != k+1 {
			break
		}
	}
	if err == nil && (len(path) < len(steps) || fingerprintOf(path[len(path)-1]) != t.target ||
		!slices.Equal(path[len(path)-1], target)) {
		err = errors.New("internal error, please report: a step of the counterexample is not found again")
	}
	return path, err
}
