// Package ordered does work in parallel and hands out the results in order.
package ordered

import (
	"sync"
	"sync/atomic"
)

// Do calls work(i) for 0 <= i < n, at most jobs at a time, and report(i, ...) with each result in the order of i, as
// soon as those before it are known. It ends early if report returns false, and calls cancel then; it returns when no
// work is running any more.
func Do[T any](n, jobs int, cancel func(), work func(i int) T, report func(i int, result T) bool) {
	var mu sync.Mutex
	waiting := map[int]chan T{} // results that are there or wanted: few, however great n is
	result := func(i int) chan T {
		mu.Lock()
		defer mu.Unlock()
		if waiting[i] == nil {
			waiting[i] = make(chan T, 1)
		}
		return waiting[i]
	}
	var next atomic.Int64
	stop := make(chan struct{})
	var workers sync.WaitGroup
	defer workers.Wait()
	for range min(max(1, jobs), n) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				select {
				case <-stop:
					return
				default:
					result(i) <- work(i)
				}
			}
		})
	}
	for i := range n {
		x := <-result(i)
		mu.Lock()
		delete(waiting, i)
		mu.Unlock()
		if !report(i, x) {
			close(stop)
			cancel()
			return
		}
	}
}
