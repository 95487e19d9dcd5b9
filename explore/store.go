package explore

import (
	"bytes"
	"math/bits"
	"sync"
	"sync/atomic"
)

// Store is a set of states, each a row of small numbers, that many goroutines
// may add to at once. States get numbers, mostly in a row but with gaps. It is
// exact: no two states are taken for one.
//
// A state takes as many bytes as its slots need (a slot has one, two or four
// bytes), four for its parent, and some sixteen in the table that finds it.
type Store struct {
	layout  []uint8 // bytes of each slot
	stride  int
	shelves [shelfSize]atomic.Pointer[shelf]
	table   []uint64 // fingerprint in the upper half, number plus one in the lower
	shift   uint     // of a fingerprint, to get a place in the table
	next    atomic.Uint32
	used    atomic.Int64
	grow    sync.RWMutex // held for reading while states are added
	alloc   sync.Mutex
}

const (
	blockBits  = 12
	blockSize  = 1 << blockBits // states
	shelfBits  = (32 - blockBits) / 2
	shelfSize  = 1 << shelfBits
	handful    = 16 // numbers that a goroutine takes at a time
	firstTable = 1 << 12
)

// shelf has blocks, and the store has shelves.
type shelf [shelfSize]atomic.Pointer[block]

type block struct {
	states  []byte
	parents [blockSize]uint32
}

// NoParent is the parent of initial states.
const NoParent = ^uint32(0)

// NewStore returns an empty set of states with the given number of bytes for
// each slot.
func NewStore(layout []uint8) *Store {
	s := &Store{layout: layout}
	for _, b := range layout {
		s.stride += int(b)
	}
	s.resize(firstTable)
	return s
}

func (s *Store) resize(n int) {
	old := s.table
	s.table, s.shift = make([]uint64, n), uint(32-bits.TrailingZeros(uint(n)))
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

// Len returns the number of states.
func (s *Store) Len() int { return int(s.used.Load()) }

// Bytes returns how much memory the states take.
func (s *Store) Bytes() int64 {
	blocks := (int64(s.next.Load()) + blockSize - 1) / blockSize
	return blocks*blockSize*int64(s.stride+4) + int64(len(s.table))*8
}

// encode writes a state in as many bytes as the layout has; ok is false if a
// slot has not enough.
func (s *Store) encode(state []uint32, out []byte) (wide int, ok bool) {
	at := 0
	for i, b := range s.layout {
		v := state[i]
		switch b {
		case 1:
			if v > 0xff {
				return i, false
			}
			out[at] = byte(v)
		case 2:
			if v > 0xffff {
				return i, false
			}
			out[at], out[at+1] = byte(v), byte(v>>8)
		default:
			out[at], out[at+1], out[at+2], out[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
		}
		at += int(b)
	}
	return 0, true
}

func (s *Store) decode(from []byte, state []uint32) {
	at := 0
	for i, b := range s.layout {
		switch b {
		case 1:
			state[i] = uint32(from[at])
		case 2:
			state[i] = uint32(from[at]) | uint32(from[at+1])<<8
		default:
			state[i] = uint32(from[at]) | uint32(from[at+1])<<8 | uint32(from[at+2])<<16 | uint32(from[at+3])<<24
		}
		at += int(b)
	}
}

func (s *Store) bytes(n uint32) []byte {
	b := s.block(n)
	at := int(n&(blockSize-1)) * s.stride
	return b.states[at : at+s.stride : at+s.stride]
}

// Read copies state n into a vector.
func (s *Store) Read(n uint32, state []uint32) { s.decode(s.bytes(n), state) }

func (s *Store) parent(n uint32) *uint32 {
	return &s.block(n).parents[n&(blockSize-1)]
}

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
	if b := &top.Load()[n>>blockBits&(shelfSize-1)]; b.Load() == nil {
		b.Store(&block{states: make([]byte, blockSize*s.stride)})
	}
}

// Parent returns the state from which n was found, or NoParent.
func (s *Store) Parent(n uint32) uint32 { return atomic.LoadUint32(s.parent(n)) }

// Adder adds states for one goroutine.
type Adder struct {
	store      *Store
	next, last uint32 // numbers that are its own
	buffer     []byte
}

// NewAdder returns an Adder.
func (s *Store) NewAdder() *Adder { return &Adder{store: s, buffer: make([]byte, s.stride)} }

// Begin and End enclose a few calls of Add by the same goroutine. Between them
// the table does not move.
func (a *Adder) Begin() { a.store.grow.RLock() }

// End makes room if it is needed.
func (a *Adder) End() {
	s := a.store
	full := int(s.used.Load()) > len(s.table)/8*5
	s.grow.RUnlock()
	if full {
		s.grow.Lock()
		if int(s.used.Load()) > len(s.table)/8*5 {
			s.resize(2 * len(s.table))
		}
		s.grow.Unlock()
	}
}

// fresh returns a number for a new state.
func (a *Adder) fresh() uint32 {
	if a.next == a.last {
		a.last = a.store.next.Add(handful)
		a.next = a.last - handful
		a.store.room(a.next)
	}
	return a.next
}

// Add looks for a state with a given hash, and adds it if it is not there.
// Equal states must have equal hashes. If a slot has not enough bytes for its
// value, wide is the slot; otherwise it is -1.
func (a *Adder) Add(state []uint32, hash uint64, parent uint32) (n uint32, added bool, wide int) {
	s := a.store
	if slot, ok := s.encode(state, a.buffer); !ok {
		return 0, false, slot
	}
	fp := uint32(hash >> 32)
	mask := uint32(len(s.table) - 1)
	written := false
	for i := fp >> s.shift; ; i = (i + 1) & mask {
		e := atomic.LoadUint64(&s.table[i])
		for e == 0 {
			n = a.fresh()
			if !written {
				copy(s.bytes(n), a.buffer)
				*s.parent(n) = parent
				written = true
			}
			if atomic.CompareAndSwapUint64(&s.table[i], 0, uint64(fp)<<32|uint64(n+1)) {
				a.next++
				if int(s.used.Add(1)) > len(s.table)/8*7 {
					a.store.grow.RUnlock()
					a.store.grow.Lock()
					if int(s.used.Load()) > len(s.table)/8*5 {
						s.resize(2 * len(s.table))
					}
					a.store.grow.Unlock()
					a.store.grow.RLock()
				}
				return n, true, -1
			}
			e = atomic.LoadUint64(&s.table[i])
		}
		if uint32(e>>32) == fp {
			if n = uint32(e) - 1; bytes.Equal(s.bytes(n), a.buffer) {
				return n, false, -1
			}
		}
	}
}
