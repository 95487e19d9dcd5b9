package machine

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// reuse counts how often something that is remembered is of use.
type reuse struct{ looks, missed int }

// judged is after how many things that were not known one looks whether remembering pays.
var judged = 1 << 11

// looked notes that something was looked for, and reports whether remembering does not pay: where a third was not
// known.
func (r *reuse) looked(known bool) (useless bool) {
	r.looks++
	if known {
		return false
	}
	if r.missed++; r.missed < judged {
		return false
	}
	useless = r.looks < 3*r.missed
	*r = reuse{}
	return useless
}

// memo remembers what a unit does.
type memo struct {
	alone    []outcomes           // by local state: without a message, or with any message of a Byzantine sender
	together [][]outcomes         // by local state and content of the channel
	wide     map[string]*outcomes // of general units, by the states of the processes and the contents of the channels
	reuse    reuse
	useless  bool
}

func newMemo(u *unitInfo) memo { return memo{wide: map[string]*outcomes{}, useless: u.looking} }

// Forget implements explore.Forgetful.
func (w *worker) Forget() {
	for k := range w.units {
		w.units[k].effects = cache{}
		if u := &w.units[k]; !u.memo.useless {
			u.memo = newMemo(u.unitInfo)
		}
	}
	if w.verdicts != nil {
		w.verdicts = map[string]uint64{}
	}
	w.adds, w.removes = nil, nil
	if w.canon != nil {
		w.canon.moved = map[string]*moved{}
	}
	if w.reducer != nil {
		clear(w.reducer.chosen)
	}
}

// at returns where outcomes in a state are remembered, and whether they are still to be found out.
func (m *memo) at(w *worker, u *unit, state []uint32) (known *outcomes, missed bool) {
	me := state[u.process]
	switch {
	case u.general:
		w.key = w.key[:0]
		put := func(v uint32) { w.key = append(w.key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24)) }
		put(me)
		for _, p := range u.reads {
			put(state[p])
		}
		for _, j := range u.senders {
			if w.anything(j, state[j]) {
				put(^uint32(0))
			} else if slot := w.channel[j][u.process]; slot >= 0 {
				put(state[slot])
			} else {
				put(0)
			}
		}
		known = m.wide[string(w.key)]
	case u.sender < 0 || w.anything(u.sender, state[u.sender]):
		known = at(&m.alone, int(me))
	default:
		known = at(at(&m.together, int(me)), int(state[u.slot]))
	}
	missed = known == nil || !known.known
	if m.reuse.looked(!missed) {
		*m = memo{useless: true}
		return &outcomes{}, true
	}
	if known == nil {
		known = &outcomes{}
		m.wide[string(w.key)] = known
	}
	return known, missed
}

// at returns the element of a list that grows as needed.
func at[T any](list *[]T, i int) *T {
	if i >= len(*list) {
		*list = append(*list, make([]T, i+1-len(*list)+i/2)...)
	}
	return &(*list)[i]
}

func (w *worker) status(p int, local uint32) protocol.Status {
	list := w.statuses[w.roles[p]]
	if int(local) >= len(list) {
		items := w.in.locals[w.roles[p]]
		for i := len(list); i <= int(local); i++ {
			list = append(list, items.item(uint32(i)).status)
		}
		w.statuses[w.roles[p]] = list
	}
	return list[local]
}

// crashed returns the local state after a crash.
func (w *worker) crashed(p int, id uint32) uint32 {
	known := at(&w.stops[w.roles[p]], int(id))
	if *known == 0 {
		item := w.in.locals[w.roles[p]].item(id)
		*known = w.in.local(w.roles[p], protocol.Crashed, item.cells) + 1
	}
	return *known - 1
}

// sum is the part that a slot has in a state's hash. Empty channels have none.
func (w *worker) sum(slot int, value uint32) uint64 {
	known := at(&w.sums[slot], int(value))
	if *known == 0 {
		var d uint64
		if slot < w.n {
			d = w.in.locals[w.roles[slot]].item(value).digest
		} else if value != 0 {
			d = w.in.contents.item(value).digest
		}
		if slot < w.n || value != 0 {
			*known = mix(d ^ w.salts[slot])
		}
	}
	return *known
}

// total is the sum of all slots.
func (w *worker) total(state []uint32) uint64 {
	h := uint64(0)
	for i, v := range state {
		if v == 0 && i >= w.n {
			continue
		}
		if known := w.sums[i]; int(v) < len(known) && known[v] != 0 {
			h += known[v]
		} else {
			h += w.sum(i, v)
		}
	}
	return h
}

// Hash implements explore.Worker.
func (w *worker) Hash(state []uint32) uint64 { return mix(w.total(state)) }

func (w *worker) count(content uint32) int {
	known := at(&w.counts, int(content))
	if *known == 0 {
		*known = len(w.in.contents.item(content).cells) + 1
	}
	return *known - 1
}

func (w *worker) added(content, message uint32) uint32 {
	known := at(at(&w.adds, int(content)), int(message))
	if *known == 0 {
		list := append(slices.Clone(w.in.contents.item(content).cells), message)
		*known = w.in.content(list) + 1
	}
	return *known - 1
}

func (w *worker) removed(content, message uint32) uint32 {
	known := at(at(&w.removes, int(content)), int(message))
	if *known == 0 {
		list := slices.Clone(w.in.contents.item(content).cells)
		i := slices.Index(list, message)
		*known = w.in.content(slices.Delete(list, i, i+1)) + 1
	}
	return *known - 1
}
