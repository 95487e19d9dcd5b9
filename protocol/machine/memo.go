package machine

import (
	"slices"

	"tacheck/protocol"
)

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
		*known = len(w.in.contents.item(content).messages) + 1
	}
	return *known - 1
}

func (w *worker) added(content, message uint32) uint32 {
	known := at(at(&w.adds, int(content)), int(message))
	if *known == 0 {
		list := append(slices.Clone(w.in.contents.item(content).messages), message)
		*known = w.in.content(list) + 1
	}
	return *known - 1
}

func (w *worker) removed(content, message uint32) uint32 {
	known := at(at(&w.removes, int(content)), int(message))
	if *known == 0 {
		list := slices.Clone(w.in.contents.item(content).messages)
		i := slices.Index(list, message)
		*known = w.in.content(slices.Delete(list, i, i+1)) + 1
	}
	return *known - 1
}
