package machine

import (
	"fmt"

	"tacheck/explore"
	"tacheck/protocol"
)

// graph is a machine as explore.Fair: states are numbered as they are found,
// and steps remember what fairness has to know.
type graph struct {
	w      *worker
	store  *explore.Store
	adder  *explore.Adder
	bounds explore.Bounds
	bytes  []uint8                   // of slots
	only   func(state []uint32) bool // if not nil, other states are left out

	atoms  []atom
	steps  []move
	known  map[int][]explore.Step
	able   map[int][]int // by state: constraints whose step is possible
	states int64
	failed *failure
}

// atom is a condition with values for variables bound outside.
type atom struct {
	holds   func(*env) bool
	frame   []int32
	negated bool
	known   map[string]bool // by the states of processes
}

// move is a step as fairness sees it.
type move struct {
	to, fair int
	renamed  []int
}

// failure is an error in a model that shows in a state.
type failure struct {
	err   error
	state []uint32
}

func (f *failure) Error() string { return f.err.Error() }

func newGraph(x *Machine, layout []uint8, bounds explore.Bounds) *graph {
	g := &graph{w: x.worker(), bytes: layout, store: explore.NewStore(layout), bounds: bounds, known: map[int][]explore.Step{}, able: map[int][]int{}}
	g.adder = g.store.NewAdder()
	return g
}

// layout returns the bytes of slots; nil if there is no graph.
func (g *graph) layout() []uint8 {
	if g == nil {
		return nil
	}
	return g.bytes
}

// formula turns a formula into one of package explore.
func (g *graph) formula(f *protocol.Formula) *explore.Formula {
	ops := map[protocol.Op]explore.Op{protocol.And: explore.And, protocol.Or: explore.Or, protocol.Finally: explore.Finally,
		protocol.Globally: explore.Globally, protocol.Until: explore.Until, protocol.Release: explore.Release}
	if f.Op == "" {
		g.atoms = append(g.atoms, atom{compiler{g.w.Model}.test(f.Cond), f.Frame, f.Negated, map[string]bool{}})
		return &explore.Formula{Op: explore.Atom, Atom: len(g.atoms) - 1}
	}
	out := &explore.Formula{Op: ops[f.Op]}
	for _, a := range f.Args {
		out.Args = append(out.Args, g.formula(a))
	}
	return out
}

// number returns the number of a state.
func (g *graph) number(state []uint32, hash uint64) (int, error) {
	g.adder.Begin()
	n, added, wide := g.adder.Add(state, hash)
	g.adder.End()
	if wide >= 0 {
		return 0, errWide{wide}
	}
	if added {
		g.states++
		if g.bounds.States > 0 && g.states > g.bounds.States {
			return 0, fmt.Errorf("%w: more than %d states", explore.ErrTooLarge, g.bounds.States)
		}
		// Steps take far more memory than states.
		if used := g.store.Bytes() + int64(len(g.steps))*72; g.bounds.Memory > 0 && used > g.bounds.Memory {
			return 0, fmt.Errorf("%w: memory: %d states and %d steps take more than %d bytes", explore.ErrTooLarge, g.states, len(g.steps), g.bounds.Memory)
		}
	}
	return int(n), nil
}

// errWide says that a slot needs more bytes.
type errWide struct{ slot int }

func (e errWide) Error() string { return "a slot is too small" }

// Initial implements explore.System.
func (g *graph) Initial() (list []int, err error) {
	seen := map[int]bool{}
	failed := g.w.Initial(func(state []uint32, hash uint64) {
		if err != nil || g.only != nil && !g.only(state) {
			return
		}
		var n int
		if n, err = g.number(state, hash); err == nil && !seen[n] {
			seen[n] = true
			list = append(list, n)
		}
	})
	if err == nil {
		err = failed
	}
	return list, err
}

// Successors implements explore.System. A state where nothing has to happen
// idles.
func (g *graph) Successors(n int) ([]explore.Step, error) {
	if list, known := g.known[n]; known {
		return list, nil
	}
	state := make([]uint32, g.w.slots)
	g.store.Read(uint32(n), state)
	var list []explore.Step
	var err error
	able := map[int]bool{}
	moved := false
	failed := g.w.steps(state, func(fair int, next []uint32, total uint64) {
		moved = moved || fair != voluntary
		if fair > 0 && !able[fair-1] {
			able[fair-1] = true
			g.able[n] = append(g.able[n], fair-1)
		}
		g.w.emit(next, total, func(next []uint32, hash uint64) {
			if err != nil || g.only != nil && !g.only(next) {
				return
			}
			var to int
			if to, err = g.number(next, hash); err == nil {
				list = append(list, explore.Step{To: to, Label: len(g.steps)})
				g.steps = append(g.steps, move{to, max(fair, 0) - 1, g.renaming()})
			}
		})
	})
	if err == nil && failed != nil {
		return nil, &failure{failed, state}
	}
	if err == nil && !moved {
		list = append(list, explore.Step{To: n, Label: len(g.steps)})
		g.steps = append(g.steps, move{n, -1, nil})
	}
	g.known[n] = list
	return list, err
}

// renaming is what becomes of constraints by the permutation that was used
// last; nil if nothing.
func (g *graph) renaming() []int {
	x := g.w.Machine
	if g.w.canon == nil || len(x.constraints) == 0 {
		return nil
	}
	by := g.w.canon.bestBy
	place := func(p int) int {
		if p < 0 {
			return p
		}
		first := x.Model.Roles[x.roles[p]].First
		return first + by[x.roles[p]][p-first]
	}
	out, same := make([]int, len(x.constraints)), true
	for i, c := range x.constraints {
		out[i] = x.constrained[constraint{c.rule, place(c.process), place(c.sender)}]
		same = same && out[i] == i
	}
	if same {
		return nil
	}
	return out
}

// Holds implements explore.System.
func (g *graph) Holds(k, n int) bool {
	state := make([]uint32, g.w.slots)
	g.store.Read(uint32(n), state)
	a := &g.atoms[k]
	key := g.w.key[:0]
	for _, v := range state[:g.w.n] {
		key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	g.w.key = key
	v, known := a.known[string(key)]
	if !known {
		v = g.test(a, state)
		a.known[string(key)] = v
	}
	return v != a.negated
}

func (g *graph) test(a *atom, state []uint32) (v bool) {
	var err error
	func() {
		defer catch(&err)
		g.w.load(state)
		g.w.env.frame = append(g.w.env.frame[:0], a.frame...)
		v = a.holds(&g.w.env)
	}()
	if err != nil && g.failed == nil {
		g.failed = &failure{err, state}
	}
	return v
}

// Constraints implements explore.Fair.
func (g *graph) Constraints() int { return len(g.w.constraints) }

// Enabled implements explore.Fair.
func (g *graph) Enabled(n int) []int { return g.able[n] }

// Taken implements explore.Fair.
func (g *graph) Taken(s explore.Step) []int {
	if f := g.steps[s.Label].fair; f >= 0 {
		return []int{f}
	}
	return nil
}

// Renamed implements explore.Fair.
func (g *graph) Renamed(s explore.Step) []int { return g.steps[s.Label].renamed }
