package machine

import (
	"context"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// States returns states of an instance that can be reached, nearest first: at most
// most, evenly chosen among the first o.States; and whether there are no others. Of states that
// differ by permutations of processes inside roles it has one.
func States(ctx context.Context, m *protocol.Model, how interp.Options, o Options,
	most int) (list []*protocol.State, complete bool, err error) {
	sym, _ := symmetric(m, o)
	x, err := New(m, how, nil, 0, sym, nil)
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

// decode is the inverse of encode.
func (w *worker) decode(state []uint32) *protocol.State {
	s := &protocol.State{Channels: make([][]protocol.Message, w.n*w.n), Sent: make([][]protocol.Message, w.n*w.n)}
	for p := range w.n {
		item := w.in.locals[w.roles[p]].item(state[p])
		s.Cells = append(s.Cells, append([]int32(nil), item.Cells...))
		s.Status = append(s.Status, item.Status)
	}
	content := func(id uint32) []protocol.Message {
		return lists.Map(w.in.contents.item(id).Cells,
			func(m uint32) protocol.Message { return append(protocol.Message(nil), w.in.messages.item(m).Cells...) })
	}
	for _, pq := range w.pairs {
		ch := pq[0]*w.n + pq[1]
		s.Channels[ch] = content(state[w.channel[pq[0]][pq[1]]])
		if w.delivers() {
			s.Sent[ch] = content(state[w.sent[pq[0]][pq[1]]])
		}
	}
	return s
}
