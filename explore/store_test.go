package explore

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// TestPrintOfZero: a state whose print is that of a place where nothing is.
func TestPrintOfZero(t *testing.T) {
	s := NewStore(1)
	a := s.NewAdder()
	count := 0
	a.found = func(_ []uint32, _ uint64, _, _ uint32, added bool) {
		if added {
			count++
		}
	}
	a.Begin()
	for k := range uint32(3) {
		a.later([]uint32{k}, uint64(k), 0)
	}
	a.flush()
	a.End()
	if count != 3 || s.len() != 3 {
		t.Errorf("%d states were added, and there are %d, want 3", count, s.len())
	}
}

// TestStore has many goroutines add the same states in different orders: each
// state is added once, however small the table was at first.
func TestStore(t *testing.T) {
	for _, goroutines := range []int{1, 2, 8, 32} {
		s := NewStore(3)
		const states = 30_000
		var all sync.WaitGroup
		added := make([]int, goroutines)
		numbers := make([][]uint32, goroutines)
		for g := range goroutines {
			all.Add(1)
			go func() {
				defer all.Done()
				a := s.NewAdder()
				order := rand.New(rand.NewPCG(uint64(g), 1)).Perm(states)
				numbers[g] = make([]uint32, states)
				for at := 0; at < states; at += 1000 { // long stretches between Begin and End
					a.Begin()
					for _, k := range order[at : at+1000] {
						state := []uint32{uint32(k) & 0xff, uint32(k), uint32(k) << 10}
						n, fresh := a.Add(state, fingerprint(state))
						if fresh {
							added[g]++
						}
						numbers[g][k] = n
					}
					a.End()
				}
			}()
		}
		all.Wait()
		sum := 0
		for _, n := range added {
			sum += n
		}
		if sum != states || s.len() != states {
			t.Errorf("%d goroutines added %d states, and there are %d, want %d", goroutines, sum, s.len(), states)
		}
		got := make([]uint32, 3)
		for k := range states {
			for g := range goroutines {
				if numbers[g][k] != numbers[0][k] {
					t.Fatalf("state %d has numbers %d and %d", k, numbers[0][k], numbers[g][k])
				}
			}
			if s.Read(numbers[0][k], got); got[1] != uint32(k) || got[2] != uint32(k)<<10 {
				t.Fatalf("state %d reads %v", k, got)
			}
		}
		if got := s.layout(); got[0] != 1 && got[0] != 2 || got[1] != 2 || got[2] != 4 {
			t.Errorf("slots have %v bytes", got)
		}
	}
}

// TestMemory: where a table has no room to grow, a search goes on without, and its process takes a fifth more at most.
func TestMemory(t *testing.T) {
	const limit = 80 << 20
	r, err := Reach(context.Background(), grid{1 << 12}, 0, Bounds{Memory: limit})
	if err != nil || !strings.HasPrefix(r.Reason, "memory: ") {
		t.Fatal(r.Reason, err)
	}
	if took := taken(); took > limit/5*6 || r.States < smallTable/8*fill {
		t.Errorf("%d bytes for %d states", took, r.States)
	}
}

// hoarding is a space whose worker remembers more than it needs.
type hoarding struct {
	grid
	forgot *int
}

type hoarder struct {
	Worker
	hoard  [][]byte
	forgot *int
}

func (s hoarding) NewWorker() Worker { return &hoarder{Worker: s.grid.NewWorker(), forgot: s.forgot} }

func (w *hoarder) Successors(state []uint32, emit func([]uint32, uint64)) error {
	w.hoard = append(w.hoard, make([]byte, 1<<12))
	return w.Worker.Successors(state, emit)
}

func (w *hoarder) Forget() {
	w.hoard = nil
	*w.forgot++
}

// TestForget: what a worker remembers counts for the limit, whatever is kept of states: it forgets that, and where this
// does not help for long the search ends.
func TestForget(t *testing.T) {
	const limit = 64 << 20
	for _, compact := range []bool{false, true} {
		forgot := 0
		r, err := Reach(context.Background(), hoarding{grid{1 << 9}, &forgot}, 0, Bounds{Memory: limit, Compact: compact})
		if err != nil || !strings.HasPrefix(r.Reason, "memory: ") || forgot != 1 {
			t.Fatal(compact, r.Reason, err, forgot)
		}
		if took := taken(); took > limit/5*6 || r.States < 1000 {
			t.Errorf("%d bytes for %d states", took, r.States)
		}
	}
}
