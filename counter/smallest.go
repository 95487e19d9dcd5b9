package counter

import (
	"context"
	"iter"
	"slices"
)

// Instance searches an instance of a text for what violates a property, among so many states. It says whether there is
// nothing more to be found in it.
type Instance[R any] func(states int) (run *R, whole bool, err error)

// Smallest looks for what violates a property in instances, small ones first: in all of them among few states, and then
// among more, since a run in a larger instance may be found sooner than none in a smaller one. It returns nil if it has
// found none.
func Smallest[R any](ctx context.Context, instances iter.Seq[Instance[R]], states ...int) (*R, error) {
	for _, most := range states {
		var open []Instance[R]
		for search := range instances {
			if ctx.Err() != nil {
				break
			}
			run, whole, err := search(most)
			if run != nil || err != nil {
				return run, err
			}
			if !whole {
				open = append(open, search)
			}
		}
		instances = slices.Values(open)
	}
	return nil, ctx.Err()
}
