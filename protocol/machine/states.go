package machine

import (
	"context"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// States returns states of an instance that can be reached, nearest first: at most
// most, evenly chosen among the first o.States; and whether there are no others. Of states that
// differ by permutations of processes inside roles it has one.
func States(ctx context.Context, m *protocol.Model, how interp.Options, o Options,
	most int) (list []*protocol.State, complete bool, err error) {
	sym, _ := symmetric(m, o)
	x, err := newMachine(m, how, nil, 0, sym, nil)
	if err != nil {
		return nil, false, err
	}
	r, err := explore.Reach(ctx, x, 0, o.Bounds)
	if err != nil {
		return nil, false, err
	}
	w := x.worker()
	state := make([]uint32, x.slots)
	every := max(1, int(r.States)/max(1, most))
	k := 0
	r.Each(func(n uint32) {
		if k%every == 0 {
			r.Store.Read(n, state)
			list = append(list, w.decode(state))
		}
		k++
	})
	return list, r.Complete() && every == 1, nil
}
