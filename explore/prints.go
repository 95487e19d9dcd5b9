package explore

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// prints is a set of fingerprints, which are not 0, that many goroutines add to. It is cut into segments by their
// highest bits, tables that grow by themselves and by a quarter: seven to nine tenths of a table are taken, and next to
// nothing is there twice while one grows. That makes 9.1 to 11.4 bytes a fingerprint.
type prints struct {
	segments [1 << segmentBits]segment
	bytes    atomic.Int64
}

const (
	segmentBits  = 10
	firstSegment = 16
	smallSegment = 1 << 9 // not in pages of its own
)

// segment is an open table with linear probing.
type segment struct {
	mu    sync.Mutex
	used  int
	table []uint64
	_     [64 - 40]byte // a cache line each
}

// home is where a fingerprint should be in a table.
func home(print uint64, size int) int {
	i, _ := bits.Mul64(print<<segmentBits, uint64(size))
	return int(i)
}

// place is where a fingerprint is in a table, or should be.
func place(table []uint64, print uint64) int {
	i := home(print, len(table))
	for table[i] != 0 && table[i] != print {
		if i++; i == len(table) {
			i = 0
		}
	}
	return i
}

// of is the segment of a fingerprint.
func (s *prints) of(print uint64) *segment { return &s.segments[print>>(64-segmentBits)] }

// has reports whether a fingerprint is there; no other goroutine adds any meanwhile.
func (s *prints) has(print uint64) bool {
	g := s.of(print)
	return g.used > 0 && g.table[place(g.table, print)] != 0
}

// add adds a fingerprint, and reports whether it is new.
func (s *prints) add(print uint64) bool {
	g := s.of(print)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.used*8 >= len(g.table)*7 {
		s.grow(g)
	}
	i := place(g.table, print)
	if g.table[i] != 0 {
		return false
	}
	g.table[i] = print
	g.used++
	return true
}

// grow makes a table larger by a quarter.
func (s *prints) grow(g *segment) {
	old := g.table
	size := max(firstSegment, len(old)+len(old)/4)
	if size < smallSegment {
		g.table = make([]uint64, size)
	} else {
		g.table = pages[uint64](size)
	}
	for _, print := range old {
		if print != 0 {
			g.table[place(g.table, print)] = print
		}
	}
	s.bytes.Add(int64(size-len(old)) * 8)
	if len(old) >= smallSegment {
		release(old)
	}
}

// free gives back the memory.
func (s *prints) free() {
	for i := range s.segments {
		if g := &s.segments[i]; len(g.table) >= smallSegment {
			release(g.table)
			g.table, g.used = nil, 0
		}
	}
}

// fingerprintOf is what searches use.
var fingerprintOf = fingerprint

// fingerprint hashes a state: whatever hash a Worker has, the fingerprints of two states are the same by chance only.
func fingerprint(state []uint32) uint64 {
	h := uint64(len(state)) * 0x9e3779b97f4a7c15
	for i := 0; i < len(state); i += 2 {
		v := uint64(state[i])
		if i+1 < len(state) {
			v |= uint64(state[i+1]) << 32
		}
		hi, lo := bits.Mul64(h^v^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
		h = hi ^ lo ^ bits.RotateLeft64(h, 23)
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	if h ^= h >> 31; h == 0 {
		return 1 // 0 is for free places
	}
	return h
}
