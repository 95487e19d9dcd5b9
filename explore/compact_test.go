package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// TestFingerprint: fingerprints of states that differ little differ, and spread over the table.
func TestFingerprint(t *testing.T) {
	prints, states := map[uint64]bool{}, map[string]bool{}
	var top [256]int
	for length := range uint32(5) {
		for k := range 40 * 40 * length * length {
			a, b, at := k%40, k/40%40, k/1600
			state := make([]uint32, length)
			state[at/length] = a << (at % 8)
			state[at%length] += b << (at % 3)
			states[fmt.Sprint(state)] = true
			if h := fingerprint(state); !prints[h] {
				prints[h] = true
				top[h>>56]++
			}
		}
	}
	if len(prints) != len(states) {
		t.Errorf("%d fingerprints of %d states", len(prints), len(states))
	}
	for i, k := range top {
		if mean := len(prints) / 256; k < mean/2 || k > mean*2 {
			t.Errorf("%d of %d fingerprints begin with %x", k, len(prints), i)
		}
	}
}

// TestPrints: each fingerprint is new to one of several goroutines, once, also while tables grow; and how much memory that takes.
func TestPrints(t *testing.T) {
	var s prints
	defer s.free()
	const n, goroutines = 600_000, 3
	fresh := make([]int, goroutines)
	var all sync.WaitGroup
	for g := range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			r := rand.New(rand.NewPCG(uint64(g), 1))
			for i := range uint64(n / goroutines) {
				if s.add(fingerprint([]uint32{uint32(r.IntN(1000)), uint32(i % 2500), 7})) {
					fresh[g]++
				}
				if s.add(fingerprint([]uint32{uint32(g), uint32(i), 8})) {
					fresh[g]++
				}
			}
		}()
	}
	all.Wait()
	total, used := fresh[0]+fresh[1]+fresh[2], 0
	for i := range s.segments {
		used += s.segments[i].used
	}
	distinct := map[[2]uint32]bool{}
	for g := range goroutines {
		r := rand.New(rand.NewPCG(uint64(g), 1))
		for i := range uint64(n / goroutines) {
			distinct[[2]uint32{uint32(r.IntN(1000)), uint32(i % 2500)}] = true
		}
	}
	if want := len(distinct) + n; total != want || used != want {
		t.Errorf("%d are new, and %d in tables, of %d", total, used, want)
	}
	if each := float64(s.bytes.Load()) / float64(used); each < 9 || each > 12 {
		t.Errorf("%.1f bytes a fingerprint", each)
	}
}

// TestPacked: states come back as they were written, in their order.
func TestPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, slots := range []int{0, 1, 7, 8, 9, 40, 5000} {
		from := newBlocks(slots)
		p := newPacker(from, slots)
		var want [][]uint32
		state := make([]uint32, slots)
		for range 30_000 / (slots + 1) {
			for range r.IntN(4) {
				if slots > 0 {
					state[r.IntN(slots)] = r.Uint32() >> r.IntN(33)
				}
			}
			p.add(state)
			want = append(want, slices.Clone(state))
		}
		if slots == 0 { // nothing can be told apart
			continue
		}
		var got [][]uint32
		read := make([]uint32, slots)
		for _, b := range p.collect() {
			unpack(b, read, func() bool {
				got = append(got, slices.Clone(read))
				return true
			})
			from.give(b)
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%d slots: %d states are others, of %d", slots, len(got), len(want))
		}
		from.release()
	}
}

// counting is a system of counters that grow to a bound; each state in which all have the last value is bad.
type counting struct {
	slots int
	most  uint32
}

func (g counting) Slots() int        { return g.slots }
func (g counting) NewWorker() Worker { return g }
func (g counting) Initial(emit func([]uint32, uint64)) error {
	for first := range uint32(2) {
		state := make([]uint32, g.slots)
		state[0] = first
		emit(state, g.Hash(state))
	}
	return nil
}

func (g counting) Successors(state []uint32, emit func([]uint32, uint64)) error {
	for i := range state {
		if state[i] < g.most {
			state[i]++
			emit(state, g.Hash(state))
			state[i]--
		}
	}
	return nil
}

func (g counting) Violated(state []uint32) (uint64, error) {
	if slices.ContainsFunc(state, func(v uint32) bool { return v < g.most }) {
		return 0, nil
	}
	return 1, nil
}

func (g counting) Hash(state []uint32) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range state {
		h = (h ^ uint64(v)) * 1099511628211
	}
	return h
}

// TestCompactGrid: as many states as an exact search finds, its depths, and a way to a bad one.
func TestCompactGrid(t *testing.T) {
	for jobs := 1; jobs <= 3; jobs++ {
		g := counting{6, 5}
		exact, err := Reach(context.Background(), g, 1, Bounds{Jobs: jobs})
		compact, other := Reach(context.Background(), g, 1, Bounds{Jobs: jobs, Compact: true})
		if err != nil || other != nil {
			t.Fatal(err, other)
		}
		if compact.States != exact.States || compact.Transitions != exact.Transitions || compact.Depth != exact.Depth || compact.Depths[0] != exact.Depths[0] || compact.Initial != exact.Initial {
			t.Errorf("compact %+v, and exact %+v", compact, exact)
		}
		way, err := compact.Way(context.Background(), compact.First[0])
		if err != nil || len(way) != exact.Depths[0]+1 {
			t.Fatalf("a way of %d states, %v", len(way), err)
		}
		for k := 1; k < len(way); k++ {
			if sum(way[k]) != sum(way[k-1])+1 {
				t.Errorf("%v is no step after %v", way[k], way[k-1])
			}
		}
		compact.memory = 1000
		if _, err := compact.Way(context.Background(), compact.First[0]); err == nil {
			t.Error("a way is found in no memory")
		}
	}
}

func sum(state []uint32) (n uint32) {
	for _, v := range state {
		n += v
	}
	return n
}

// TestSabotagedFingerprints: fingerprints that ignore a variable, or have too few bits, show in the number of states.
func TestSabotagedFingerprints(t *testing.T) {
	defer func() { fingerprintOf = fingerprint }()
	g := counting{5, 5}
	count := func() int64 {
		r, err := Reach(context.Background(), g, 0, Bounds{Compact: true})
		if err != nil {
			t.Fatal(err)
		}
		return r.States
	}
	right := count()
	if right != 7776 {
		t.Fatalf("%d states", right)
	}
	for ignored := range g.slots {
		fingerprintOf = func(state []uint32) uint64 {
			part := slices.Clone(state)
			part[ignored] = 0
			return fingerprint(part)
		}
		if count() == right {
			t.Errorf("that variable %d is ignored is not noticed", ignored)
		}
	}
	fingerprintOf = func(state []uint32) uint64 { return fingerprint(state)&0xfff8_0000_0000_0000 | 1 }
	if count() == right {
		t.Error("fingerprints of 13 bits are not noticed")
	}
}
