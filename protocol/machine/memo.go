package machine

import (
	"slices"

	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/protocol"
)

// reuse counts how often something that is remembered is of use.
type reuse struct {
	looks, missed int32
	useless       bool // nothing is remembered any more
}

// judged is after how many things that were not known one looks whether remembering pays.
var judged int32 = 1 << 11

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
	r.looks, r.missed = 0, 0
	return useless
}

// finder is a table of rows of so many numbers, each with one that is not 0.
type finder struct {
	width int
	used  int
	shift uint
	table []uint32 // rows, each with its number behind it; 0 for none
}

// at returns the place of a row's number, 0 if it is new; a new one is to be filled before the next call.
func (f *finder) at(row []uint32) *uint32 {
	if len(row) == 2 {
		return f.pair(row[0], row[1])
	}
	size := f.width + 1
	if f.used*size*8 >= len(f.table)*5 {
		f.grow()
	}
	h := uint64(0)
	for _, v := range row {
		h = (h ^ uint64(v)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
next:
	for k := int(h*0xd6e8feb86659fd93>>f.shift) * size; ; k += size {
		if k == len(f.table) {
			k = 0
		}
		e := f.table[k : k+size]
		number := &e[len(row)]
		if *number == 0 {
			copy(e, row)
			f.used++
			return number
		}
		for i, v := range row {
			if e[i] != v {
				continue next
			}
		}
		return number
	}
}

// pair is at for a row of two.
func (f *finder) pair(a, b uint32) *uint32 {
	if f.used*24 >= len(f.table)*5 {
		f.grow()
	}
	h := (uint64(a)<<32 | uint64(b)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	for k := int(h>>f.shift) * 3; ; k += 3 {
		if k >= len(f.table)-2 {
			k = 0
		}
		e := f.table[k : k+3 : k+3]
		if e[2] == 0 {
			e[0], e[1] = a, b
			f.used++
			return &e[2]
		}
		if e[0] == a && e[1] == b {
			return &e[2]
		}
	}
}

func (f *finder) grow() {
	old, size := f.table, f.width+1
	if old == nil {
		f.shift = 60
	} else {
		f.shift -= 2
	}
	f.used, f.table = 0, make([]uint32, size<<(64-f.shift))
	for ; len(old) > 0; old = old[size:] {
		if old[f.width] != 0 {
			*f.at(old[:f.width]) = old[f.width]
		}
	}
}

// memo remembers what a unit does: by the states of the processes that matter, and the contents of the channels.
type memo struct {
	known   finder
	own     []uint32 // by local state, where nothing else matters
	list    [][]*outcome
	reuse   reuse
	useless bool
}

func newMemo(u *unitInfo) memo {
	return memo{useless: u.looking, known: finder{width: 1 + len(u.reads) + len(u.senders)}}
}

func (u *unit) forget() {
	if !u.memo.useless {
		u.memo = newMemo(u.unitInfo)
	}
}

// Forget implements explore.Forgetful.
func (w *worker) Forget() {
	for k := range w.units {
		u := &w.units[k]
		if u.looking {
			u.effects = newCache(len(u.instances))
		}
		u.forget()
	}
	if !w.unasked {
		w.verdicts, w.sets = finder{width: len(w.seen.processes)}, nil
	}
	w.adds = finder{width: 2}
	if w.canon != nil {
		w.canon.moved = map[string]*moved{}
	}
	if w.reducer != nil {
		clear(w.reducer.chosen)
	}
}

// place returns where it is remembered what a unit does in a state: with one message, or with all that channels hold if
// there is none.
func (w *worker) place(u *unit, state []uint32, one []uint32) *uint32 {
	switch {
	case u.memo.known.width == 1:
		return at(&u.memo.own, int(state[u.process]))
	case u.memo.known.width == 2 && one != nil:
		return u.memo.known.pair(state[u.process], one[0])
	}
	key := append(w.row[:0], state[u.process])
	for _, p := range u.reads {
		key = append(key, state[p])
	}
	if one != nil {
		w.row = append(key, one[0])
		return u.memo.known.at(w.row)
	}
	for i, j := range u.senders {
		content := uint32(0)
		if w.anything(j, state[j]) {
			content = ^uint32(0)
		} else if slot := u.slots[i]; slot >= 0 {
			content = state[slot]
		}
		key = append(key, content)
	}
	w.row = key
	return u.memo.known.at(key)
}

// at returns the element of a list that grows as needed.
func at[T any](list *[]T, i int) *T {
	if i >= len(*list) {
		*list = append(*list, make([]T, i+1-len(*list)+i/2)...)
	}
	return &(*list)[i]
}

// local is what is asked of a local state all the time.
type local struct {
	met     bool
	stopped uint32 // the same after a crash, plus one; 0 if not known
	status  protocol.Status
}

// local returns what is known of a local state.
func (w *worker) local(p int, id uint32) *local {
	known := at(&w.locals[w.roles[p]], int(id))
	if !known.met {
		*known = local{met: true, status: w.in.locals[w.roles[p]].item(id).Status}
	}
	return known
}

func (w *worker) status(p int, id uint32) protocol.Status { return w.local(p, id).status }

// crashed returns the local state after a crash.
func (w *worker) crashed(p int, id uint32) uint32 {
	known := w.local(p, id)
	if known.stopped == 0 {
		stopped := w.in.local(w.roles[p], protocol.Crashed, w.in.locals[w.roles[p]].item(id).Cells) + 1
		known.stopped = stopped
	}
	return known.stopped - 1
}

// held is what is asked of the content of a channel all the time.
type held struct {
	offered []uint32 // different messages that can be received
	rest    []uint32 // the content without each of them, plus one; 0 if not known
	count   int      // messages
}

// held returns what is known of a content.
func (w *worker) held(content uint32) *held {
	if int(content) < len(w.contents) {
		return &w.contents[content]
	}
	for i := len(w.contents); i <= int(content); i++ {
		list := w.in.contents.item(uint32(i)).Cells
		h := held{count: len(list), offered: list}
		switch {
		case w.Model.Channels.FIFO:
			h.offered = list[:min(1, len(list))]
		case len(list) > 1:
			h.offered = slices.Compact(slices.Clone(list))
		}
		h.rest = make([]uint32, len(h.offered))
		w.contents = append(w.contents, h)
	}
	return &w.contents[content]
}

// sum is the part that a slot has in a state's hash. Empty channels have none.
func (w *worker) sum(slot int, value uint32) uint64 {
	if known := w.parts[slot]; int(value) < len(known) && known[value] != 0 {
		return known[value]
	}
	return w.part(slot, value)
}

func (w *worker) part(slot int, value uint32) uint64 {
	if slot >= w.n && value == 0 {
		return 0
	}
	known := at(&w.parts[slot], int(value))
	if slot < w.n {
		*known = hash.Mix(w.in.locals[w.roles[slot]].item(value).Digest ^ w.salts[slot])
	} else {
		*known = hash.Mix(w.in.contents.item(value).Digest ^ w.salts[slot])
	}
	return *known
}

// total is the sum of all slots.
func (w *worker) total(state []uint32) (h uint64) {
	for i, v := range state {
		h += w.sum(i, v)
	}
	return h
}

// Hash implements explore.Worker.
func (w *worker) Hash(state []uint32) uint64 {
	w.arrive(state)
	return hash.Mix(w.all)
}

func (w *worker) added(content, message uint32) uint32 {
	known := w.adds.pair(content, message)
	if *known == 0 {
		list := append(slices.Clone(w.in.contents.item(content).Cells), message)
		*known = w.in.content(list) + 1
	}
	return *known - 1
}

func (w *worker) removed(content, message uint32) uint32 {
	known := w.held(content)
	rest := &known.rest[slices.Index(known.offered, message)]
	if *rest == 0 {
		list := slices.Clone(w.in.contents.item(content).Cells)
		i := slices.Index(list, message)
		*rest = w.in.content(slices.Delete(list, i, i+1)) + 1
	}
	return *rest - 1
}
