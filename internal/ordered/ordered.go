// Package ordered does work in parallel and hands out the results in order.
package ordered

import "sync"

// Do calls work(i) for 0 <= i < n, at most jobs at a time, and report(i, ...)
// with each result in the order of i, as soon as those before it are known. It
// ends early if report returns false, and calls cancel then; it returns when
// no work is running any more.
func Do[T any](n, jobs int, cancel func(), work func(i int) T, report func(i int, result T) bool) {
	results := make([]chan T, n)
	todo := make(chan int, n)
	for i := range n {
		results[i] = make(chan T, 1)
		todo <- i
	}
	close(todo)
	stop := make(chan struct{})
	var workers sync.WaitGroup
	defer workers.Wait()
	for range min(max(1, jobs), n) {
		workers.Go(func() {
			for i := range todo {
				select {
				case <-stop:
					return
				default:
					results[i] <- work(i)
				}
			}
		})
	}
	for i := range n {
		if !report(i, <-results[i]) {
			close(stop)
			cancel()
			return
		}
	}
}
