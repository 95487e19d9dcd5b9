package explore

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// Forgetful is a Worker that remembers what it has computed, and can do without.
type Forgetful interface {
	Worker
	Forget()
}

// heap is the memory that a process has taken since a search began: for states, and for all that is remembered besides.
type heap struct {
	before int64
	limit  int64 // 0 for none
	was    int64 // the limit of the garbage collector
}

// newHeap bounds the memory that a process takes from now on; end ends that.
func newHeap(limit int64) *heap {
	h := &heap{limit: limit, before: taken(), was: math.MaxInt64}
	if limit > 0 {
		h.was = debug.SetMemoryLimit(-1)
		debug.SetMemoryLimit(min(h.was, h.before+limit/10*9))
	}
	return h
}

func (h *heap) end() {
	if h.limit > 0 {
		debug.SetMemoryLimit(h.was)
	}
}

func measured(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// over reports whether there is more than the limit though the garbage collector has it, too; or was when garbage was
// collected last, but for a fifth, so that there is room to go on in without collecting it all the time.
func (h *heap) over() bool {
	return h.limit > 0 && (taken()-h.before > h.limit || measured("/gc/heap/live:bytes") > h.limit/5*4)
}

// taken is what a process has of the system's memory.
func taken() int64 {
	return measured("/memory/classes/total:bytes") - measured("/memory/classes/heap/released:bytes")
}
