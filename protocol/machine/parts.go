package machine

import (
	"slices"

	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/protocol"
)

// parts are what one goroutine remembers of the parts of states.
type parts struct {
	space    *space
	locals   [][]local  // by role and local state
	hashes   [][]uint64 // by slot and value: its part in a state's hash; 0 if not known
	contents []held     // by content
	adds     finder     // by content and message: content after adding it, plus one
}

func newParts(x *space) parts {
	return parts{space: x, locals: make([][]local, len(x.Model.Roles)), hashes: make([][]uint64, x.slots),
		adds: finder{width: 2}}
}

// local is what is asked of a local state all the time.
type local struct {
	met     bool
	stopped uint32 // the same after a crash, plus one; 0 if not known
	status  protocol.Status
}

// local returns what is known of a local state.
func (k *parts) local(p int, id uint32) *local {
	known := at(&k.locals[k.space.roles[p]], int(id))
	if !known.met {
		*known = local{met: true, status: k.space.item(p, id).Status}
	}
	return known
}

func (k *parts) status(p int, id uint32) protocol.Status { return k.local(p, id).status }

// crashed returns the local state after a crash.
func (k *parts) crashed(p int, id uint32) uint32 {
	known := k.local(p, id)
	if known.stopped == 0 {
		known.stopped = k.space.in.local(k.space.roles[p], protocol.Crashed, k.space.item(p, id).Cells) + 1
	}
	return known.stopped - 1
}

// deaf reports whether nothing is put into channels to a process.
func (k *parts) deaf(p int, local uint32) bool {
	return k.odd(p) && (k.status(p, local) == protocol.Crashed || k.anything(p, local))
}

// held is what is asked of the content of a channel all the time.
type held struct {
	offered []uint32 // different messages that can be received
	rest    []uint32 // the content without each of them, plus one; 0 if not known
	count   int      // messages
}

// held returns what is known of a content.
func (k *parts) held(content uint32) *held {
	if int(content) < len(k.contents) {
		return &k.contents[content]
	}
	for i := len(k.contents); i <= int(content); i++ {
		list := k.space.in.contents.item(uint32(i)).Cells
		h := held{count: len(list), offered: list}
		switch {
		case k.space.Model.Channels.FIFO:
			h.offered = list[:min(1, len(list))]
		case len(list) > 1:
			h.offered = slices.Compact(slices.Clone(list))
		}
		h.rest = make([]uint32, len(h.offered))
		k.contents = append(k.contents, h)
	}
	return &k.contents[content]
}

// sum is the part that a slot has in a state's hash. Empty channels have none.
func (k *parts) sum(slot int, value uint32) uint64 {
	if known := k.hashes[slot]; int(value) < len(known) && known[value] != 0 {
		return known[value]
	}
	return k.part(slot, value)
}

func (k *parts) part(slot int, value uint32) uint64 {
	if slot >= k.space.n && value == 0 {
		return 0
	}
	known := at(&k.hashes[slot], int(value))
	if slot < k.space.n {
		*known = hash.Mix(k.space.item(slot, value).Digest ^ k.space.salts[slot])
	} else {
		*known = hash.Mix(k.space.in.contents.item(value).Digest ^ k.space.salts[slot])
	}
	return *known
}

// total is the sum of all slots.
func (k *parts) total(state []uint32) (h uint64) {
	for i, v := range state {
		h += k.sum(i, v)
	}
	return h
}

func (k *parts) added(content, message uint32) uint32 {
	known := k.adds.pair(content, message)
	if *known == 0 {
		list := append(slices.Clone(k.space.in.contents.item(content).Cells), message)
		*known = k.space.in.content(list) + 1
	}
	return *known - 1
}

func (k *parts) removed(content, message uint32) uint32 {
	known := k.held(content)
	rest := &known.rest[slices.Index(known.offered, message)]
	if *rest == 0 {
		list := slices.Clone(k.space.in.contents.item(content).Cells)
		i := slices.Index(list, message)
		*rest = k.space.in.content(slices.Delete(list, i, i+1)) + 1
	}
	return *rest - 1
}

// odd reports whether some process of the same role is not, or may not stay, correct.
func (k *parts) odd(p int) bool { return k.space.in.odd[k.space.roles[p]].Load() }

// anything reports whether a process sends any messages at any time, so that none of its own are in channels.
func (k *parts) anything(p int, local uint32) bool {
	return k.odd(p) && k.status(p, local) == protocol.Byzantine && !k.space.Model.Roles[k.space.roles[p]].Strategy
}
