package machine

import (
	"context"
	"strings"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/story"
)

// Profile looks at what states of a protocol are many for, as they are counted for these properties.
func Profile(ctx context.Context, m *protocol.Model, props []*protocol.Prop, o Options) (*explore.Profile, error) {
	how := o.how(m, props...)
	sym, _ := symmetric(m, o)
	x, err := newMachine(m, how, nil, 0, sym, nil)
	if err != nil {
		return nil, err
	}
	out, err := explore.NewProfile(ctx, x, o.Bounds)
	return out, asModelError(err, m, how)
}

// Names implements explore.profiled, as Parts and Rule do: of each role its variables and the status of its processes,
// and the messages of each kind that are on their way.
func (w *worker) Names() (list []string) {
	for i := range w.Model.Roles {
		r := &w.Model.Roles[i]
		for _, f := range r.State.Fields {
			list = append(list, story.Variable(w.Model, i, f.Name))
		}
		list = append(list, "whether "+r.Name+" is faulty or has crashed")
	}
	if len(w.pairs) > 0 {
		kinds, _ := w.kinds()
		for _, kind := range kinds {
			list = append(list, strings.TrimSpace(w.Model.Source.Called(kind, "")+" messages"))
		}
	}
	return list
}

// kinds are the kinds of messages, and which of their cells says it: the first one of an enumeration. There is one kind
// if none does.
func (w *worker) kinds() (names []string, at int) {
	names = []string{""}
	w.Model.Message.Leaves("", 0, func(_ string, t *protocol.Type, offset int) {
		if len(names) == 1 && t.Kind == protocol.KindEnum {
			names, at = append(names, t.Values...), offset
		}
	})
	if len(names) > 1 {
		names[0] = "other"
	}
	return names, at
}

func (w *worker) Parts(state []uint32) (list []explore.Part) {
	first := make([]int, len(w.Model.Roles))
	messages := 0
	for i := range w.Model.Roles {
		first[i] = messages
		messages += len(w.Model.Roles[i].State.Fields) + 1
	}
	for p := range w.n {
		item := w.item(p, state[p])
		part := explore.Part{Key: uint64(p), First: first[w.roles[p]]}
		for _, f := range w.Model.Roles[w.roles[p]].State.Fields {
			part.Values = append(part.Values, hash.Row(0, item.Cells[f.Offset:f.Offset+f.Type.Cells]))
		}
		part.Values = append(part.Values, uint64(item.Status))
		list = append(list, part)
	}
	if len(w.pairs) == 0 {
		return list
	}
	kinds, at := w.kinds()
	for slot := w.n; slot < w.slots; slot++ {
		part := explore.Part{Key: uint64(slot), First: messages, Values: make([]uint64, len(kinds))}
		for _, id := range w.in.contents.item(state[slot]).Cells {
			k := 0
			if v := w.in.messages.item(id).Cells[at]; len(kinds) > 1 && v != protocol.Undef {
				k = int(v) + 1
			}
			part.Values[k] = hash.Mix(part.Values[k] + uint64(id) + 1)
		}
		list = append(list, part)
	}
	return list
}

func (w *worker) Rule() string {
	for _, rule := range w.yielded {
		if name := story.RuleName(w.Model, rule); name != "" {
			return name
		}
	}
	if len(w.yielded) == 0 {
		return "a message is lost or delivered"
	}
	return "a message arrives"
}
