package explore

import (
	"bytes"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// Store is a set of states, each a row of small numbers, that many goroutines may add to at once. States get numbers,
// mostly in a row but with gaps. It is exact: no two states are taken for one.
//
// A state takes as many bytes as its slots need: a slot has one, two or four bytes, and all states are written anew
// where one turns out to need more. It takes some sixteen in the table that finds it, and four if it is remembered
// which state led to it.
type Store struct {
	over    []uint32 // by slot: bits for which there is no room
	high    []high   // bytes of slots above the lowest
	stride  int
	traced  bool     // it is remembered which states led to others
	heap    *heap    // nil for no limit
	table   []uint64 // fingerprint in the upper half, number plus one in the lower
	shift   uint     // of a fingerprint, to get a place in the table
	adders  atomic.Int64
	shelves [shelfSize]atomic.Pointer[shelf]

	// What is written all the time stands apart from what is read all the time, so
	// that goroutines do not take each other's cache lines.
	_     [64]byte
	next  atomic.Uint32
	_     [64]byte
	used  atomic.Int64
	_     [64]byte
	grow  sync.RWMutex // held for reading while states are added
	alloc sync.Mutex
}

const (
	blockBits  = 10
	blockSize  = 1 << blockBits // states
	shelfBits  = (32 - blockBits) / 2
	shelfSize  = 1 << shelfBits
	handful    = 16 // numbers that a goroutine takes at a time, at least
	firstTable = 1 << 10
	smallTable = 1 << 20 // grows faster
	slab       = 128     // blocks; shelfSize is a multiple of it
)

// high is a byte of a slot.
type high struct {
	slot  int
	shift uint
}

// shelf has blocks, and the store has shelves.
type shelf [shelfSize]atomic.Pointer[block]

type block struct {
	states []byte
	from   []uint32 // by state, of the one that led to it: what prints are of its hash, complemented; 0 for none
}

// None is no state's number.
const None = ^uint32(0)

// NewStore returns an empty set of states with so many slots.
func NewStore(slots int) *Store {
	s := &Store{}
	s.arrange(bytes.Repeat([]byte{1}, slots))
	s.resize(firstTable)
	return s
}

// newTraced returns an empty set of states that remembers which led to others.
func newTraced(slots int) *Store {
	s := NewStore(slots)
	s.traced = true
	return s
}

// arrange gives so many bytes to each slot.
func (s *Store) arrange(layout []uint8) {
	s.stride, s.over, s.high = 0, nil, nil
	for i, b := range layout {
		s.stride += int(b)
		s.over = append(s.over, uint32(^uint64(0)<<(8*b)))
		for k := 1; k < int(b); k++ {
			s.high = append(s.high, high{i, uint(8 * k)})
		}
	}
}

// layout returns the bytes of each slot.
func (s *Store) layout() []uint8 {
	out := make([]uint8, len(s.over))
	for i := range out {
		out[i] = 1
	}
	for _, h := range s.high {
		out[h.slot]++
	}
	return out
}

// blocks calls yield with the places of all blocks, in order.
func (s *Store) blocks(yield func(at *atomic.Pointer[block]) bool) {
	for i := range s.shelves {
		t := s.shelves[i].Load()
		if t == nil {
			continue
		}
		for k := range t {
			if t[k].Load() != nil && !yield(&t[k]) {
				return
			}
		}
	}
}

// widen makes room for a state that does not fit: all states are written with more bytes for the
// slots that are too small, or will soon be. No other goroutine reads or adds meanwhile.
func (s *Store) widen(state []uint32) {
	s.grow.Lock()
	defer s.grow.Unlock()
	most := slices.Clone(state) // by slot, all bits that are in use
	row := make([]uint32, len(state))
	for b := range s.blocks {
		states := b.Load().states
		for ; len(states) > 0; states = states[s.stride:] {
			s.decode(states[:s.stride], row)
			for i, v := range row {
				most[i] |= v
			}
		}
	}
	old := &Store{over: s.over, high: s.high, stride: s.stride}
	layout := s.layout()
	for i, b := range layout {
		if b < 4 && (state[i]&s.over[i] != 0 || most[i]>>(8*b-1) != 0) {
			layout[i] = 2 * b
		}
	}
	s.arrange(layout)
	var rest []byte
	size := blockSize * s.stride
	for b := range s.blocks {
		if rest == nil {
			rest = huge(make([]byte, min(slab, int(s.next.Load())>>blockBits+1)*size))
		}
		next := &block{states: rest[:size:size], from: b.Load().from}
		if rest = rest[size:]; len(rest) == 0 {
			rest = nil
		}
		to := next.states
		for from := b.Load().states; len(from) > 0; from = from[old.stride:] {
			old.decode(from[:old.stride], row)
			s.encode(row, to[:s.stride])
			to = to[s.stride:]
		}
		b.Store(next)
	}
}

func (s *Store) resize(n int) {
	old := s.table
	s.table, s.shift = huge(make([]uint64, n)), uint(32-bits.TrailingZeros(uint(n)))
	for _, e := range old {
		if e == 0 {
			continue
		}
		i := uint32(e>>32) >> s.shift
		for s.table[i] != 0 {
			i = (i + 1) & uint32(n-1)
		}
		s.table[i] = e
	}
}

// len returns the number of states.
func (s *Store) len() int { return int(s.used.Load()) }

// Bytes returns how much memory the states take.
func (s *Store) Bytes() int64 {
	s.grow.RLock()
	defer s.grow.RUnlock()
	blocks := (int64(s.next.Load()) + blockSize - 1) / blockSize
	each := int64(s.stride)
	if s.traced {
		each += 4
	}
	return blocks*blockSize*each + int64(len(s.table))*8
}

// encode writes a state in as many bytes as the layout has: the low bytes of all slots, and then the other bytes of
// those that have them. It returns false if a slot has not enough.
func (s *Store) encode(state []uint32, out []byte) bool {
	over := uint32(0)
	state = state[:len(s.over)]
	low := out[:len(s.over)]
	for i, limit := range s.over {
		v := state[i]
		over |= v & limit
		low[i] = byte(v)
	}
	if over != 0 {
		return false
	}
	high := out[len(s.over):]
	for k, h := range s.high {
		high[k] = byte(state[h.slot] >> h.shift)
	}
	return true
}

func (s *Store) decode(from []byte, state []uint32) {
	state = state[:len(s.over)]
	for i, b := range from[:len(s.over)] {
		state[i] = uint32(b)
	}
	for k, b := range from[len(s.over):] {
		state[s.high[k].slot] |= uint32(b) << s.high[k].shift
	}
}

func (s *Store) bytes(n uint32) []byte {
	at := int(n&(blockSize-1)) * s.stride
	return s.block(n).states[at : at+s.stride : at+s.stride]
}

// Read copies state n into a vector.
func (s *Store) Read(n uint32, state []uint32) { s.decode(s.bytes(n), state) }

func (s *Store) block(n uint32) *block {
	return s.shelves[n>>(blockBits+shelfBits)].Load()[n>>blockBits&(shelfSize-1)].Load()
}

// room makes sure that there is a block for number n.
func (s *Store) room(n uint32) {
	top := &s.shelves[n>>(blockBits+shelfBits)]
	if t := top.Load(); t != nil && t[n>>blockBits&(shelfSize-1)].Load() != nil {
		return
	}
	s.alloc.Lock()
	defer s.alloc.Unlock()
	if top.Load() == nil {
		top.Store(new(shelf))
	}
	k := n >> blockBits & (shelfSize - 1)
	if top.Load()[k].Load() != nil {
		return
	}
	// Large sets get many blocks at once, in one piece.
	count := uint32(1)
	if n>>blockBits >= slab {
		count, k = slab, k/slab*slab
	}
	size := blockSize * s.stride
	states := huge(make([]byte, int(count)*size))
	var from []uint32
	if s.traced {
		from = huge(make([]uint32, count*blockSize))
	}
	for i := range count {
		b := &block{states: states[int(i)*size : int(i+1)*size]}
		if s.traced {
			b.from = from[i*blockSize : (i+1)*blockSize]
		}
		top.Load()[k+i].Store(b)
	}
}

// print is the part of a hash by which the table finds states.
func print(hash uint64) uint32 { return uint32(hash >> 32) }

// led notes that a state with a print led to state n. Of several, the smallest print stays, in any order of calls.
func (s *Store) led(n, print uint32) {
	at := &s.block(n).from[n&(blockSize-1)]
	for {
		known := atomic.LoadUint32(at)
		if ^print <= known || atomic.CompareAndSwapUint32(at, known, ^print) {
			return
		}
	}
}

// leading calls yield with a few states; one is the one that was noted to have led to state n.
func (s *Store) leading(n uint32, yield func(uint32)) {
	fp := ^s.block(n).from[n&(blockSize-1)]
	mask := uint32(len(s.table) - 1)
	for i := fp >> s.shift; s.table[i] != 0; i = (i + 1) & mask {
		if e := s.table[i]; uint32(e>>32) == fp {
			yield(uint32(e) - 1)
		}
	}
}

// Adder adds states for one goroutine.
type Adder struct {
	store      *Store
	next, last uint32 // numbers that are its own
	take       uint32 // how many it takes at a time
	count      int64  // of states added since Begin
	buffer     []byte
	waiting    []waiting
	touched    uint32
	// found is told what becomes of a state that has waited, with the print of the one that led to it.
	found func(state []uint32, hash uint64, from, n uint32, added bool)
}

// waiting is a state that is to be added with others, so that memory is asked for all of them at once.
type waiting struct {
	state []uint32
	hash  uint64
	entry uint64 // of the table, where it should be
	from  uint32
}

// batch is how many states wait at most.
const batch = 32

// NewAdder returns an Adder.
func (s *Store) NewAdder() *Adder {
	s.adders.Add(1)
	return &Adder{store: s, take: handful, waiting: make([]waiting, 0, batch)}
}

// Begin and End enclose some calls of Add by the same goroutine. Between them
// the table does not move, if there is room in it.
func (a *Adder) Begin() { a.store.grow.RLock() }

// End makes room if it is needed.
func (a *Adder) End() {
	s := a.store
	s.used.Add(a.count)
	a.count = 0
	full := s.crowded(fill) && (s.crowded(fill+2) || s.grows())
	s.grow.RUnlock()
	if full {
		s.grow.Lock()
		for s.crowded(fill) {
			by := 2
			if len(s.table) < smallTable {
				by = 4
			}
			s.resize(by * len(s.table))
		}
		s.grow.Unlock()
	}
}

// fill says how many eighths of the table may be taken before it grows.
const fill = 5

// crowded reports whether so many eighths of the table are taken.
func (s *Store) crowded(eighths int) bool { return int(s.used.Load()) > len(s.table)/8*eighths }

// grows reports whether there is memory for a larger table.
func (s *Store) grows() bool { return s.heap.fits(16 * int64(len(s.table))) }

// stuffed reports whether it is high time for a larger table, and there is no memory for it.
func (s *Store) stuffed() bool { return s.crowded(fill+1) && !s.grows() }

// fresh returns a number for a new state.
func (a *Adder) fresh() uint32 {
	if a.next == a.last {
		a.last = a.store.next.Add(a.take)
		a.next = a.last - a.take
		a.store.room(a.next)
		a.store.room(a.last - 1)
	}
	return a.next
}

// Add looks for a state with a given hash, and adds it if it is not there. Equal states must have equal hashes.
func (a *Adder) Add(state []uint32, hash uint64) (n uint32, added bool) {
	s := a.store
	for {
		if len(a.buffer) != s.stride {
			a.buffer = make([]byte, s.stride)
		}
		if s.encode(state, a.buffer) {
			break
		}
		a.End()
		s.widen(state)
		a.Begin()
	}
	fp := print(hash)
	mask := uint32(len(s.table) - 1)
	written := false
	for i := fp >> s.shift; ; i = (i + 1) & mask {
		e := atomic.LoadUint64(&s.table[i])
		for e == 0 {
			n = a.fresh()
			if !written {
				copy(s.bytes(n), a.buffer)
				written = true
			}
			if atomic.CompareAndSwapUint64(&s.table[i], 0, uint64(fp)<<32|uint64(n+1)) {
				a.next++
				// All goroutines together count too few by an eighth of the table at most, so that it is never full.
				a.counted()
				return n, true
			}
			e = atomic.LoadUint64(&s.table[i])
		}
		if uint32(e>>32) == fp {
			if n = uint32(e) - 1; bytes.Equal(s.bytes(n), a.buffer) {
				return n, false
			}
		}
	}
}

// later adds a state with a given hash once more states wait, or in flush.
func (a *Adder) later(state []uint32, hash uint64, from uint32) {
	k := len(a.waiting)
	a.waiting = a.waiting[:k+1]
	x := &a.waiting[k]
	x.state, x.hash, x.from = append(x.state[:0], state...), hash, from
	if k+1 == batch {
		a.flush()
	}
}

// flush adds all states that wait.
func (a *Adder) flush() {
	s, list := a.store, a.waiting
	for i := range list {
		list[i].entry = atomic.LoadUint64(&s.table[print(list[i].hash)>>s.shift])
	}
	for i := range list {
		if e := list[i].entry; e != 0 && uint32(e>>32) == print(list[i].hash) {
			b, at := s.block(uint32(e)-1), int(uint32(e)-1)&(blockSize-1)
			a.touched += uint32(b.states[at*s.stride])
			if s.traced {
				a.touched += atomic.LoadUint32(&b.from[at])
			}
		}
	}
	a.waiting = list[:0]
	for i := range list {
		x := &list[i]
		n, added := a.Add(x.state, x.hash)
		a.found(x.state, x.hash, x.from, n, added)
	}
}

// counted counts a state that was added.
func (a *Adder) counted() {
	s := a.store
	if a.count++; a.count*16*s.adders.Load() >= int64(len(s.table)) {
		s.used.Add(a.count)
		if a.count = 0; s.crowded(fill + 1) {
			a.End()
			a.Begin()
		}
	}
}
