package machine

import (
	"bytes"
	"cmp"
	"hash/maphash"
	binary "math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tacheck/tacheck/internal/hash"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
)

// table numbers rows in the order in which they are met. Numbers depend on which goroutine is first; digests do
// not. Looking for what is known takes no lock.
type table[N ~int32 | ~uint32] struct {
	mu    sync.Mutex
	n     uint32
	pages atomic.Pointer[[]*[pageSize]compile.Part[N]]
	index atomic.Pointer[[]uint64] // upper half of a hash, which says where it belongs, and the number plus one
	rest  []N                      // room for cells
}

const (
	pageBits = 9
	pageSize = 1 << pageBits
	roomSize = 1 << 14 // cells that are allocated at once
)

var seed = maphash.MakeSeed()

func newTable[N ~int32 | ~uint32]() *table[N] {
	t := &table[N]{}
	index := make([]uint64, 64)
	t.index.Store(&index)
	t.pages.Store(new([]*[pageSize]compile.Part[N]))
	return t
}

// bytesOf is a row as bytes, to be hashed and compared.
func bytesOf[N ~int32 | ~uint32](cells []N) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(cells))), 4*len(cells))
}

// first is the place in an index at which one begins to look.
func first(index []uint64, hash uint64) int {
	return int(hash >> binary.LeadingZeros64(uint64(len(index)-1)))
}

// find returns the number of a row, or else the place in an index where it belongs.
func (t *table[N]) find(index []uint64, hash uint64, status protocol.Status,
	cells []N) (id uint32, known bool, place int) {
	for i := first(index, hash); ; i = (i + 1) & (len(index) - 1) {
		e := atomic.LoadUint64(&index[i])
		if e == 0 {
			return 0, false, i
		}
		if e>>32 == hash>>32 {
			if r := t.item(uint32(e) - 1); r.Status == status && len(r.Cells) == len(cells) &&
				bytes.Equal(bytesOf(r.Cells), bytesOf(cells)) {
				return uint32(e) - 1, true, i
			}
		}
	}
}

// number returns the number of a row, which is copied and gets its digest from a function if it is new.
func (t *table[N]) number(status protocol.Status, cells []N, digest func() uint64) uint32 {
	hash := hash.Mix(maphash.Bytes(seed, bytesOf(cells)) + uint64(status))
	if id, known, _ := t.find(*t.index.Load(), hash, status, cells); known {
		return id
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	index := *t.index.Load()
	id, known, place := t.find(index, hash, status, cells)
	if known {
		return id
	}
	if id = t.n; id%pageSize == 0 {
		pages := append(slices.Clone(*t.pages.Load()), new([pageSize]compile.Part[N]))
		t.pages.Store(&pages)
	}
	if len(t.rest) < len(cells) {
		t.rest = make([]N, max(len(cells), min(roomSize, int(id)*len(cells))))
	}
	own := t.rest[:len(cells):len(cells)]
	t.rest = t.rest[len(cells):]
	copy(own, cells)
	*t.item(id) = compile.Part[N]{Cells: own, Status: status, Digest: digest()}
	t.n++
	atomic.StoreUint64(&index[place], hash>>32<<32|uint64(id+1))
	if int(t.n) > len(index)/8*5 {
		t.grow(index)
	}
	return id
}

// grow doubles the index.
func (t *table[N]) grow(old []uint64) {
	index := make([]uint64, 2*len(old))
	for _, e := range old {
		if e == 0 {
			continue
		}
		i := first(index, e)
		for index[i] != 0 {
			i = (i + 1) & (len(index) - 1)
		}
		index[i] = e
	}
	t.index.Store(&index)
}

func (t *table[N]) item(id uint32) *compile.Part[N] {
	return &(*t.pages.Load())[id>>pageBits][id%pageSize]
}

// all lists the rows in the order of their numbers.
func (t *table[N]) all(yield func(*compile.Part[N]) bool) {
	for id := range t.n {
		if !yield(t.item(id)) {
			return
		}
	}
}

// interned numbers the parts of states.
type interned struct {
	m        *protocol.Model
	locals   []*table[int32] // by role
	messages *table[int32]
	contents *table[uint32]
	lacks    [][]atomic.Bool // by role and variable: it has no value in some local state
	lacked   atomic.Int64    // how many of them are set
	odd      []atomic.Bool   // by role: the status of some local state is not that of correct processes
}

func newInterned(m *protocol.Model) *interned {
	x := &interned{m: m, messages: newTable[int32](), contents: newTable[uint32](),
		odd: make([]atomic.Bool, len(m.Roles))}
	for r := range m.Roles {
		x.locals = append(x.locals, newTable[int32]())
		x.lacks = append(x.lacks, make([]atomic.Bool, m.Roles[r].State.Cells))
	}
	x.content(nil) // number 0
	return x
}

func (x *interned) local(role int, status protocol.Status, cells []int32) uint32 {
	return x.locals[role].number(status, cells, func() uint64 {
		if status != protocol.Correct && x.odd[role].CompareAndSwap(false, true) {
			x.lacked.Add(1)
		}
		for i, v := range cells {
			if v == protocol.Undef && x.lacks[role][i].CompareAndSwap(false, true) {
				x.lacked.Add(1)
			}
		}
		return hash.Row(uint64(role)<<8+uint64(status)+1, cells)
	})
}

func (x *interned) message(cells []int32) uint32 {
	return x.messages.number(0, cells, func() uint64 { return hash.Row(1<<40, cells) })
}

// content returns the number of a channel's content; the list is sorted unless channels are FIFO.
func (x *interned) content(list []uint32) uint32 {
	if !x.m.Channels.FIFO {
		slices.SortFunc(list, func(a, b uint32) int {
			if a == b {
				return 0
			}
			return cmp.Or(slices.Compare(x.messages.item(a).Cells, x.messages.item(b).Cells), cmp.Compare(a, b))
		})
	}
	return x.contents.number(0, list, func() (sum uint64) {
		for _, m := range list {
			sum = hash.Mix(sum*3 + x.messages.item(m).Digest)
		}
		return sum
	})
}
