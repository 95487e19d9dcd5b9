package ordered

import (
	"sync/atomic"
	"testing"
)

func TestDo(t *testing.T) {
	for _, jobs := range []int{0, 1, 3, 100} {
		var running, most atomic.Int32
		next := 0
		Do(20, jobs, func() { t.Error("cancelled") }, func(i int) int {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer running.Add(-1)
			return i * i
		}, func(i, result int) bool {
			if i != next || result != i*i {
				t.Errorf("reported %d: %d, want %d", i, result, next)
			}
			next++
			return true
		})
		if next != 20 || int(most.Load()) > max(1, jobs) {
			t.Errorf("%d jobs: %d reported, %d at once", jobs, next, most.Load())
		}
	}
}

func TestDoStops(t *testing.T) {
	cancelled, done := false, atomic.Int32{}
	Do(1000, 2, func() { cancelled = true }, func(i int) int { return int(done.Add(1)) }, func(i, _ int) bool { return i < 5 })
	if !cancelled {
		t.Error("not cancelled")
	}
	Do(0, 2, func() {}, func(i int) int { return i }, func(int, int) bool { t.Error("reported"); return true })
}
