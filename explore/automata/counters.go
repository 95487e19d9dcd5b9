package automata

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta"
)

// counters is an automaton with fixed parameters: a state is the number of processes in each location and the value of
// each shared variable, as far as atoms can tell (theory 10). It is a System, whose steps have rules as labels, and a
// Space.
type counters struct {
	a      *ta.Automaton
	caps   []int64 // by shared variable: as good as infinite; -1 for none
	params []*big.Int
	guards []test // different ones
	rules  []firing
	atoms  []test

	first       []vector // initial states
	configs     []*ta.Config
	start       map[uint32]*ta.Config // of initial states, by number
	store       *explore.Store
	adder       *explore.Adder
	depth       []int32
	succ        [][]explore.Step // nil if not known
	transitions int
	state, next []uint32
	truth       []bool
}

type vector []uint32

// firing is what a rule does to a state.
type firing struct {
	guard    int // index into guards
	from, to int
	sets     []change
	takes    []change
	adds     []change
	left     bool // it is left out
}

// change sets, decreases or increases a slot.
type change struct {
	slot int
	by   uint32
}

// newCounters prepares an instance with the given initial configurations. The
// error is explore.ErrTooLarge if numbers are.
func newCounters(a *ta.Automaton, start []*ta.Config, caps []*big.Int) (*counters, error) {
	n := len(a.Locations) + len(a.Shared)
	x := &counters{a: a, caps: make([]int64, len(a.Shared)), configs: start, state: make([]uint32, n),
		next: make([]uint32, n)}
	for i := range x.caps {
		x.caps[i] = -1
		if c := caps[i]; c != nil && c.IsInt64() {
			x.caps[i] = c.Int64()
		}
	}
	for _, c := range start {
		x.params = c.Params
		v := make(vector, 0, n)
		for _, list := range [][]*big.Int{c.Counters, c.Shared} {
			for _, value := range list {
				if !value.IsUint64() || value.Uint64() > math.MaxInt32/2 {
					return nil, fmt.Errorf("%w: numbers beyond %d", explore.ErrTooLarge, math.MaxInt32/2)
				}
				v = append(v, uint32(value.Uint64()))
			}
		}
		x.cap(v)
		x.first = append(x.first, v)
	}
	if len(start) == 0 {
		return x, nil
	}
	index := map[string]int{}
	for i := range a.Rules {
		r := &a.Rules[i]
		text := a.FormatCond(r.Guard)
		g, known := index[text]
		if !known {
			g = len(x.guards)
			index[text] = g
			x.guards = append(x.guards, x.compile(r.Guard))
		}
		f, err := fires(a, r)
		if err != nil {
			return nil, err
		}
		f.guard = g
		x.rules = append(x.rules, f)
	}
	x.truth = make([]bool, len(x.guards))
	return x, nil
}

// fires says what a rule does to states, its guard aside.
func fires(a *ta.Automaton, r *ta.Rule) (f firing, err error) {
	f.from, f.to = r.From, r.To
	put := func(list *[]change, shared int, by linear.Int) {
		if by.Abs().Cmp(linear.N(math.MaxInt32)) > 0 {
			err = fmt.Errorf("%w: numbers beyond %d", explore.ErrTooLarge, math.MaxInt32)
			return
		}
		*list = append(*list, change{len(a.Locations) + shared, uint32(by.Abs().Int64())})
	}
	for _, t := range r.Update.Terms() {
		if t.Coef.Sign() > 0 {
			put(&f.adds, t.Var.Index, t.Coef)
		} else {
			put(&f.takes, t.Var.Index, t.Coef)
		}
	}
	for _, s := range r.Resets {
		put(&f.sets, s.Shared, linear.Big(s.Value))
	}
	return f, err
}

// shrink sets and decreases variables; it reports false if one would be negative.
func (f *firing) shrink(next []uint32) bool {
	for _, c := range f.takes {
		if next[c.slot] < c.by {
			return false
		}
		next[c.slot] -= c.by
	}
	for _, c := range f.sets {
		next[c.slot] = c.by
	}
	return true
}

// cap forgets how large variables are beyond their caps.
func (x *counters) cap(state []uint32) {
	shared := state[len(x.a.Locations):]
	for i, most := range x.caps {
		if most >= 0 && int64(shared[i]) > most {
			shared[i] = uint32(most)
		}
	}
}

// steps calls yield with what can happen in a state, in a vector that is reused.
func (x *counters) steps(state, next []uint32, truth []bool, yield func(next []uint32, rule int)) error {
	for i, g := range x.guards {
		truth[i] = g(state)
	}
	locations := len(x.a.Locations)
	for k := range x.rules {
		f := &x.rules[k]
		if state[f.from] == 0 || !truth[f.guard] || f.left {
			continue
		}
		copy(next, state)
		if !f.shrink(next) {
			continue
		}
		next[f.from]--
		next[f.to]++
		for _, a := range f.adds {
			v := next[a.slot] + a.by
			if most := x.caps[a.slot-locations]; most >= 0 && int64(v) > most {
				v = uint32(most)
			}
			if v > math.MaxInt32 {
				return fmt.Errorf("%w: numbers beyond %d", explore.ErrTooLarge, math.MaxInt32)
			}
			next[a.slot] = v
		}
		yield(next, k)
	}
	return nil
}

// hashOf is a hash of a vector.
func hashOf(state []uint32) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range state {
		h = (h ^ uint64(v)) * 0xbf58476d1ce4e5b9
		h ^= h >> 29
	}
	h *= 0x94d049bb133111eb
	return h ^ h>>32
}

// number returns the number of a state, new or old.
func (x *counters) number(state []uint32, depth int32) int {
	x.adder.Begin()
	n, added := x.adder.Add(state, hashOf(state))
	x.adder.End()
	if added {
		for int(n) >= len(x.depth) {
			x.depth, x.succ = append(x.depth, 0), append(x.succ, nil)
		}
		x.depth[n] = depth
	}
	return int(n)
}

// Initial implements explore.System. Numbers are given in a row: there is one Adder.
func (x *counters) Initial() ([]int, error) {
	x.start, x.depth, x.succ, x.transitions = map[uint32]*ta.Config{}, nil, nil, 0
	x.store = explore.NewStore(len(x.state))
	x.adder = x.store.NewAdder()
	var list []int
	for i, v := range x.first {
		n := x.number(v, 0)
		if _, known := x.start[uint32(n)]; !known {
			x.start[uint32(n)] = x.configs[i]
			list = append(list, n)
		}
	}
	return list, nil
}

// Successors implements explore.System.
func (x *counters) Successors(i int) ([]explore.Step, error) {
	if x.succ[i] != nil {
		return x.succ[i], nil
	}
	x.store.Read(uint32(i), x.state)
	list := []explore.Step{}
	depth := x.depth[i] + 1
	err := x.steps(x.state, x.next, x.truth, func(next []uint32, rule int) {
		list = append(list, explore.Step{To: x.number(next, depth), Label: rule})
	})
	if err != nil {
		return nil, err
	}
	x.succ[i] = list
	x.transitions += len(list)
	return list, nil
}

// Holds implements explore.System.
func (x *counters) Holds(atom, i int) bool {
	x.store.Read(uint32(i), x.state)
	return x.atoms[atom](x.state)
}
