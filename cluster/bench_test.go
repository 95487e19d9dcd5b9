package cluster

import (
	"context"
	"sync"
	"testing"
)

// BenchmarkTasks measures what a task costs beside its work: with one worker, and
// with two, whose slots have nothing to do.
func BenchmarkTasks(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "1worker", 2: "2workers"}[workers], func(b *testing.B) {
			p := newPlace(b)
			c := p.client(Options{})
			for range workers {
				p.worker()
			}
			r := p.run(c, RunOptions{Fresh: true})
			ask := func(from, n int) {
				var all sync.WaitGroup
				for i := range n {
					all.Go(func() {
						if _, _, err := square.Ask(context.Background(), r, "", []byte("abc"), work{N: from + i}); err != nil {
							b.Error(err)
						}
					})
				}
				all.Wait()
			}
			ask(1<<30, 20) // slots start
			b.ResetTimer()
			ask(0, b.N)
			b.StopTimer()
			closed(b, r)
		})
	}
}
