package explore

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"
)

// A compact search keeps, of each state that was visited, a fingerprint of 64 bits, eight bytes in a table of which at
// most three quarters are taken, and states of two levels only (Wolper, Leroy, CAV 1993, and the program TLC). A state whose fingerprint is
// that of another one is taken for it, and what can be reached only by it is missed: Missed says how probable that is.

// compactGarbage is how many percent of what is in use may be garbage.
const compactGarbage = 10

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

// addFingerprint adds a state, which is in the buffer, too, if its fingerprint is new.
func (a *Adder) addFingerprint(state []uint32) (n uint32, added bool) {
	s := a.store
	fp := fingerprint(state)
	mask := uint32(len(s.table) - 1)
	for i := uint32(fp>>32) >> s.shift; ; i = (i + 1) & mask {
		e := atomic.LoadUint64(&s.table[i])
		if e == 0 {
			if atomic.CompareAndSwapUint64(&s.table[i], 0, fp) {
				n = a.fresh()
				copy(s.bytes(n), a.buffer)
				a.next++
				a.counted()
				return n, true
			}
			e = atomic.LoadUint64(&s.table[i])
		}
		if e == fp {
			return None, false
		}
	}
}

// forget frees the blocks of states with smaller numbers.
func (s *Store) forget(before uint32) {
	for at := s.least &^ (blockSize - 1); at+blockSize <= before; at += blockSize {
		if shelf := s.shelves[at>>(blockBits+shelfBits)].Load(); shelf != nil {
			shelf[at>>blockBits&(shelfSize-1)].Store(nil)
		}
		s.least = at + blockSize
	}
}

// keep keeps a state that a compact search is to tell.
func (r *Reached) keep(n uint32) {
	if !r.Store.compact {
		return
	}
	if r.kept == nil {
		r.kept = map[uint32][]uint32{}
	}
	state := make([]uint32, r.space.Slots())
	r.Store.Read(n, state)
	r.kept[n] = state
}

// Missed is the probability that two of the states that were visited or missed have the same fingerprint, so that something
// was missed: that of a birthday among 2^64 days; 0 if the search was not compact.
func (r *Reached) Missed() float64 {
	if !r.Store.compact {
		return 0
	}
	n := float64(r.States)
	return -math.Expm1(-n * (n - 1) / 2 / math.Exp2(64))
}

// Way returns the states that lead to state n, from an initial one, whatever was kept of them.
func (r *Reached) Way(ctx context.Context, n uint32) (way [][]uint32, err error) {
	if r.Store.compact {
		return r.retrace(ctx, r.kept[n])
	}
	path, err := r.Path(ctx, n)
	for _, n := range path {
		state := make([]uint32, r.space.Slots())
		r.Store.Read(n, state)
		way = append(way, state)
	}
	return way, err
}

// retracing is a second search, by one goroutine, that remembers of each state from where it was found: four more
// bytes for each place of the table, which does not grow.
type retracing struct {
	worker Worker
	table  []uint64
	parent []uint32 // place of the state before, plus one
	shift  uint
	target uint64
	found  int // place of the target; -1 until it is found
	level  [][]uint32
}

// retrace returns the states that lead to a state.
func (r *Reached) retrace(ctx context.Context, target []uint32) ([][]uint32, error) {
	size := firstTable
	for int64(size)/4*3 <= r.States {
		size *= 2
	}
	t := &retracing{worker: r.space.NewWorker(), table: huge(make([]uint64, size)), parent: make([]uint32, size),
		shift: uint(32 - bits.TrailingZeros(uint(size))), target: fingerprint(target), found: -1}
	if err := t.worker.Initial(func(state []uint32, _ uint64) { t.add(state, 0) }); err != nil {
		return nil, err
	}
	for t.found < 0 && len(t.level) > 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		level := t.level
		t.level = nil
		for _, state := range level {
			from := t.place(fingerprint(state)) + 1
			// An error shows after the steps that are possible.
			_ = t.worker.Successors(state, func(next []uint32, _ uint64) { t.add(next, uint32(from)) })
			if t.found >= 0 {
				break
			}
		}
	}
	if t.found < 0 {
		return nil, errors.New("internal error, please report: a state that was found is not found again")
	}
	var prints []uint64
	for at := t.found; ; at = int(t.parent[at]) - 1 {
		prints = append(prints, t.table[at])
		if t.parent[at] == 0 {
			break
		}
	}
	slices.Reverse(prints)
	return t.follow(prints)
}

// place returns where a fingerprint is in the table, or is to be.
func (t *retracing) place(fp uint64) int {
	mask := uint32(len(t.table) - 1)
	i := uint32(fp>>32) >> t.shift
	for t.table[i] != 0 && t.table[i] != fp {
		i = (i + 1) & mask
	}
	return int(i)
}

func (t *retracing) add(state []uint32, from uint32) {
	fp := fingerprint(state)
	at := t.place(fp)
	if t.table[at] != 0 {
		return
	}
	t.table[at], t.parent[at] = fp, from
	t.level = append(t.level, slices.Clone(state))
	if fp == t.target {
		t.found = at
	}
}

// follow finds states with fingerprints, one a step of the one before.
func (t *retracing) follow(prints []uint64) (path [][]uint32, err error) {
	take := func(state []uint32, _ uint64) {
		if k := len(path); k < len(prints) && fingerprint(state) == prints[k] {
			path = append(path, slices.Clone(state))
		}
	}
	err = t.worker.Initial(func(state []uint32, h uint64) {
		if len(path) == 0 {
			take(state, h)
		}
	})
	for k := 1; k < len(prints) && err == nil && len(path) == k; k++ {
		_ = t.worker.Successors(slices.Clone(path[k-1]), func(state []uint32, h uint64) {
			if len(path) == k {
				take(state, h)
			}
		})
	}
	if err == nil && len(path) < len(prints) {
		err = errors.New("internal error, please report: a step of the counterexample is not found again")
	}
	return path, err
}
