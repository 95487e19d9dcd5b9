package explore

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// forgetful is a Worker that remembers what it has computed, and can do without.
type forgetful interface {
	Worker
	Forget()
}

// heap bounds the memory of a process while it searches: for states, and for all that is remembered besides.
type heap struct {
	limit int64 // 0 for none
	was   int64 // the limit of the garbage collector
}

// newHeap bounds the memory that a process takes from now on, its program included; end ends that. What earlier
// searches have left behind is given back; where the rest takes more than half, half of the limit is on top of it.
func newHeap(limit int64) *heap {
	if limit <= 0 {
		return &heap{}
	}
	before := taken()
	if before > limit/4 {
		debug.FreeOSMemory()
		before = taken()
	}
	h := &heap{limit: max(limit-mapped(), before+limit/2), was: debug.SetMemoryLimit(-1)}
	debug.SetMemoryLimit(min(h.was, h.limit/10*9))
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
// collected last, but for a fifth, so that there is room to go on in without collecting it all the time. So many bytes
// are besides, where the garbage collector has nothing to do.
func (h *heap) over(besides int64) bool {
	return h != nil && h.limit > 0 && (taken()+besides > h.limit || Live()+besides > h.limit/5*4)
}

// relieve has a worker forget what it can do without, once; it reports whether that has been done before, or cannot be.
func relieve(w Worker, forgot *bool) (vain bool) {
	f, can := w.(forgetful)
	if !can || *forgot {
		return true
	}
	*forgot = true
	f.Forget()
	runtime.GC()
	return false
}

// fits reports whether there is room for so many bytes in one piece.
func (h *heap) fits(bytes int64) bool { return h == nil || h.limit <= 0 || Live()+bytes < h.limit/10*9 }

// Live is how many bytes were in use when garbage was collected last.
func Live() int64 { return measured("/gc/heap/live:bytes") }

// taken is what a process has of the system's memory.
func taken() int64 {
	return measured("/memory/classes/total:bytes") - measured("/memory/classes/heap/released:bytes")
}
