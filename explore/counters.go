package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"

	"tacheck/ta"
)

// counters is an automaton with fixed parameters: a state is the number of
// processes in each location and the value of each shared variable, as far as
// atoms can tell (theory 10). It is a System, whose steps have rules as labels, and a
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
	store       *Store
	adder       *Adder
	depth       []int32
	succ        [][]Step // nil if not known
	transitions int
	layout      []uint8
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
}

// change sets, decreases or increases a slot.
type change struct {
	slot int
	by   uint32
}

// test is a condition on states.
type test func(state []uint32) bool

// newCounters prepares an instance with the given initial configurations. The
// error is ErrTooLarge if numbers are.
func newCounters(a *ta.Automaton, start []*ta.Config, caps []*big.Int) (*counters, error) {
	n := len(a.Locations) + len(a.Shared)
	x := &counters{a: a, caps: make([]int64, len(a.Shared)), configs: start, state: make([]uint32, n), next: make([]uint32, n)}
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
					return nil, fmt.Errorf("%w: numbers beyond %d", ErrTooLarge, math.MaxInt32/2)
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
	put := func(list *[]change, shared int, by *big.Int) {
		if by.CmpAbs(big.NewInt(math.MaxInt32)) > 0 {
			err = fmt.Errorf("%w: numbers beyond %d", ErrTooLarge, math.MaxInt32)
			return
		}
		*list = append(*list, change{len(a.Locations) + shared, uint32(new(big.Int).Abs(by).Uint64())})
	}
	for _, t := range r.Update.Terms() {
		if t.Coef.Sign() > 0 {
			put(&f.adds, t.Symbol.Index, t.Coef)
		} else {
			put(&f.takes, t.Symbol.Index, t.Coef)
		}
	}
	for _, s := range r.Resets {
		put(&f.sets, s.Shared, s.Value)
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

// compile makes a condition a test, with values for the parameters.
func (x *counters) compile(c *ta.Cond) test {
	switch c.Op {
	case ta.CondAtom:
		return x.atom(c.Atom)
	case ta.CondAnd, ta.CondOr:
		var list []test
		for _, arg := range c.Args {
			list = append(list, x.compile(arg))
		}
		stop := c.Op == ta.CondOr
		return func(state []uint32) bool {
			for _, t := range list {
				if t(state) == stop {
					return stop
				}
			}
			return !stop
		}
	}
	value := c.Eval(func(ta.Symbol) *big.Int { return new(big.Int) })
	return func([]uint32) bool { return value }
}

func (x *counters) atom(at ta.Atom) test {
	type term struct {
		slot int
		coef int64
	}
	var terms []term
	rest := new(big.Int).Set(at.Linear.Const())
	exact := true
	for _, t := range at.Linear.Terms() {
		if t.Symbol.Kind == ta.Parameter {
			if x.params != nil {
				rest.Add(rest, new(big.Int).Mul(t.Coef, x.params[t.Symbol.Index]))
			}
			continue
		}
		slot := t.Symbol.Index
		if t.Symbol.Kind == ta.Shared {
			slot += len(x.a.Locations)
		}
		exact = exact && t.Coef.IsInt64() && t.Coef.CmpAbs(big.NewInt(1<<24)) < 0
		terms = append(terms, term{slot, t.Coef.Int64()})
	}
	if !exact || !rest.IsInt64() || rest.CmpAbs(big.NewInt(1<<60)) > 0 {
		cond := ta.AtomCond(at)
		return func(state []uint32) bool {
			return cond.Eval(func(s ta.Symbol) *big.Int {
				switch s.Kind {
				case ta.Parameter:
					return x.params[s.Index]
				case ta.Shared:
					return big.NewInt(int64(state[len(x.a.Locations)+s.Index]))
				}
				return big.NewInt(int64(state[s.Index]))
			})
		}
	}
	konst, rel := rest.Int64(), at.Rel
	return func(state []uint32) bool {
		sum := konst
		for _, t := range terms {
			sum += t.coef * int64(state[t.slot])
		}
		switch rel {
		case ta.GE:
			return sum >= 0
		case ta.EQ:
			return sum == 0
		}
		return sum != 0
	}
}

// steps calls yield with what can happen in a state, in a vector that is
// reused.
func (x *counters) steps(state, next []uint32, truth []bool, yield func(next []uint32, rule int)) error {
	for i, g := range x.guards {
		truth[i] = g(state)
	}
	locations := len(x.a.Locations)
	for k := range x.rules {
		f := &x.rules[k]
		if state[f.from] == 0 || !truth[f.guard] {
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
				return fmt.Errorf("%w: numbers beyond %d", ErrTooLarge, math.MaxInt32)
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

// number returns the number of a state, new or old. The error is errWide if
// whoever asks has to begin again: there is room for larger numbers then.
func (x *counters) number(state []uint32, depth int32) (int, error) {
	x.adder.Begin()
	n, added, wide := x.adder.Add(state, hashOf(state))
	x.adder.End()
	if wide >= 0 {
		x.layout[wide] *= 2
		return 0, errWide
	}
	if added {
		for int(n) >= len(x.depth) {
			x.depth, x.succ = append(x.depth, 0), append(x.succ, nil)
		}
		x.depth[n] = depth
	}
	return int(n), nil
}

// Initial implements System. Numbers are given in a row: there is one Adder.
func (x *counters) Initial() ([]int, error) {
	if x.layout == nil {
		x.layout = make([]uint8, len(x.state))
		for i := range x.layout {
			x.layout[i] = 1
		}
	}
	x.start, x.depth, x.succ, x.transitions = map[uint32]*ta.Config{}, nil, nil, 0
	x.store = NewStore(x.layout)
	x.adder = x.store.NewAdder()
	var list []int
	for i, v := range x.first {
		n, err := x.number(v, 0)
		if err != nil {
			return nil, err
		}
		if _, known := x.start[uint32(n)]; !known {
			x.start[uint32(n)] = x.configs[i]
			list = append(list, n)
		}
	}
	return list, nil
}

// Successors implements System.
func (x *counters) Successors(i int) ([]Step, error) {
	if x.succ[i] != nil {
		return x.succ[i], nil
	}
	x.store.Read(uint32(i), x.state)
	list := []Step{}
	depth := x.depth[i] + 1
	var err error
	failed := x.steps(x.state, x.next, x.truth, func(next []uint32, rule int) {
		if err == nil {
			var to int
			to, err = x.number(next, depth)
			list = append(list, Step{to, rule})
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	x.succ[i] = list
	x.transitions += len(list)
	return list, nil
}

// Holds implements System.
func (x *counters) Holds(atom, i int) bool {
	x.store.Read(uint32(i), x.state)
	return x.atoms[atom](x.state)
}

// Slots implements Space.
func (x *counters) Slots() int { return len(x.state) }

// NewWorker implements Space.
func (x *counters) NewWorker() Worker {
	return &counting{x, make([]uint32, len(x.state)), make([]bool, len(x.guards))}
}

// counting visits states for one goroutine.
type counting struct {
	*counters
	next  []uint32
	truth []bool
}

func (w *counting) Initial(emit func([]uint32, uint64)) error {
	for _, v := range w.first {
		emit(v, hashOf(v))
	}
	return nil
}

func (w *counting) Successors(state []uint32, emit func([]uint32, uint64)) error {
	return w.steps(state, w.next, w.truth, func(next []uint32, _ int) { emit(next, hashOf(next)) })
}

func (w *counting) Violated(state []uint32) (set uint64, err error) {
	for i, atom := range w.atoms {
		if atom(state) {
			set |= 1 << i
		}
	}
	return set, nil
}

func (w *counting) Hash(state []uint32) uint64 { return hashOf(state) }

// reach looks for a state in which an atom is true: the only one, for formulas
// that ask for nothing else.
func (x *counters) reach(ctx context.Context, atom, limit int) (*Result, error) {
	x.atoms = []test{x.atoms[atom]}
	r, err := Reach(ctx, x, 1, Bounds{Jobs: 1, States: int64(limit)})
	switch {
	case err != nil:
		return nil, err
	case r.Failed != nil:
		return nil, r.Failed
	case r.First[0] == None && ctx.Err() != nil:
		return nil, ctx.Err()
	case r.First[0] == None && r.Reason != "":
		return nil, fmt.Errorf("%w: %s", ErrTooLarge, r.Reason)
	}
	out := &Result{Configs: int(r.States), States: int(r.States), Transitions: int(r.Transitions), Depth: r.Depth}
	if r.First[0] == None {
		return out, nil
	}
	path, err := r.Path(ctx, r.First[0])
	if err != nil {
		return nil, err
	}
	before, want := make([]uint32, len(x.state)), make([]uint32, len(x.state))
	r.Store.Read(path[0], before)
	var start *ta.Config
	for i, v := range x.first {
		if start == nil && equal(v, before) {
			start = x.configs[i]
		}
	}
	var steps []Step
	for _, n := range path[1:] {
		r.Store.Read(n, want)
		label := -1
		if err := x.steps(before, x.next, x.truth, func(next []uint32, rule int) {
			if label < 0 && equal(next, want) {
				label = rule
			}
		}); err != nil {
			return nil, err
		}
		steps = append(steps, Step{int(n), label})
		copy(before, want)
	}
	out.Run = x.toRun(start, steps, nil)
	return out, nil
}

func equal(a, b []uint32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
