package machine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/compile"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/stubborn"
)

// graph is a machine as explore.fair: states are numbered as they are found,
// and steps remember what fairness has to know.
type graph struct {
	w      *worker
	store  *explore.Store
	adder  *explore.Adder
	bounds explore.Bounds
	only   func(state []uint32) bool // if not nil, other states are left out

	sound       func(*compile.Env) bool // an error where evaluating a part of the property is one
	atoms       []atom
	moves       []move // different ones: labels of steps
	labels      map[label]int
	renamings   [][]int        // different ones; the first is none
	renamed     map[string]int // by a permutation behind a 0, or a renaming behind a 1: which of them it is
	able        []int32        // by state: which of sets, plus one; 0 if its successors have not been asked for
	sets        [][]int        // of constraints whose steps are possible
	numbers     map[string]int32
	members     []int // of a set
	list        []explore.Step
	kept        [][2]int32 // steps: to a state, with a label
	places      []int32    // by state: where its steps begin, behind their number; 0 if they are not kept
	some        []bool     // by state: a stubborn set is enough; nil without partial orders
	states      int64
	transitions int64
	failed      *failure
}

// atom is a condition with values for variables bound outside.
type atom struct {
	cond    *protocol.Term
	holds   func(*compile.Env) bool
	frame   []int32
	negated bool
	seen    *sight
	known   finder // by what it sees: 1 for false, 2 for true
}

// move is a step as fairness sees it.
type move struct {
	fair    int // the constraint that it meets, or none
	renamed []int
}

type label struct{ fair, renamed int }

// failure is an error in a model that shows in a state.
type failure struct {
	err   error
	state []uint32
}

func (f *failure) Error() string { return f.err.Error() }

func (f *failure) Unwrap() error { return f.err }

func newGraph(x *machine, bounds explore.Bounds) *graph {
	g := &graph{w: x.worker(), store: explore.NewStore(x.slots), bounds: bounds, labels: map[label]int{},
		renamings: [][]int{nil}, renamed: map[string]int{}, numbers: map[string]int32{}}
	g.adder = g.store.NewAdder()
	return g
}

// formula turns a formula into one of package explore.
func (g *graph) formula(f *interp.Formula) *explore.Formula {
	ops := map[ftdp.Op]explore.Op{ftdp.And: explore.And, ftdp.Or: explore.Or, ftdp.Finally: explore.Finally,
		ftdp.Globally: explore.Globally, ftdp.Until: explore.Until, ftdp.Release: explore.Release}
	if f.Op == "" {
		used := map[int]bool{}
		f.Cond.Free(used)
		for k := range g.atoms {
			if a := &g.atoms[k]; a.cond == f.Cond && a.negated == f.Negated &&
				!slices.ContainsFunc(slices.Collect(maps.Keys(used)),
					func(v int) bool { return a.frame[v] != f.Frame[v] }) {
				return &explore.Formula{Op: explore.Atom, Atom: k}
			}
		}
		seen := g.w.sight(g.w.newView([]*protocol.Term{f.Cond}))
		g.atoms = append(g.atoms, atom{f.Cond, g.w.at.Compiler().Test(f.Cond), f.Frame, f.Negated, seen,
			finder{width: len(seen.processes)}})
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
	n, added := g.adder.Add(state, hash)
	g.adder.End()
	if added {
		g.states++
		if err := compile.Attempt(func() {
			g.w.load(state)
			g.w.env.Frame(g.w.frame)
			g.sound(&g.w.env)
		}); err != nil {
			return 0, &failure{err, slices.Clone(state)}
		}
		if g.bounds.States > 0 && g.states > g.bounds.States {
			return 0, fmt.Errorf("%w: more than %d states", explore.ErrTooLarge, g.bounds.States)
		}
	}
	return int(n), nil
}

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

// Bytes implements explore.sized.
func (g *graph) Bytes() int64 {
	return g.store.Bytes() + int64(cap(g.able)+cap(g.places))*4 + int64(cap(g.kept))*8
}

// mostKept bounds the steps that are kept: a search asks for those of the same states again and again.
var mostKept = 1 << 20

// Successors implements explore.System. A state where nothing has to happen idles.
func (g *graph) Successors(n int) (list []explore.Step, err error) {
	if n < len(g.places) && g.places[n] > 0 {
		place := g.places[n]
		g.list = g.list[:0]
		for _, s := range g.kept[place : place+g.kept[place-1][0]] {
			g.list = append(g.list, explore.Step{To: int(s[0]), Label: int(s[1])})
		}
		return g.list, nil
	}
	defer func() {
		if err == nil && len(g.kept)+len(list) < mostKept {
			g.kept = append(g.kept, [2]int32{int32(len(list))})
			*at(&g.places, n) = int32(len(g.kept))
			for _, s := range list {
				g.kept = append(g.kept, [2]int32{int32(s.To), int32(s.Label)})
			}
		}
	}()
	state := g.w.here
	g.store.Read(uint32(n), state)
	var within stubborn.Set
	if n < len(g.some) && g.some[n] {
		if within, err = g.w.reducer.choose(state); err != nil {
			return nil, &failure{err, slices.Clone(state)}
		}
	}
	return g.successors(n, state, within)
}

// successors lists the steps of some transitions; of all if within is nil.
func (g *graph) successors(n int, state []uint32, within stubborn.Set) ([]explore.Step, error) {
	g.list = g.list[:0]
	var err error
	able := g.w.able
	clear(able)
	moved := false
	failed := g.w.steps(state, within, func(m merit, next []uint32, total uint64) {
		moved = moved || !m.voluntary
		if m.constraint != none && !m.voluntary {
			able[m.constraint] = true
		}
		if m.left {
			return
		}
		g.w.emit(next, total, func(next []uint32, hash uint64) {
			if err != nil || g.only != nil && !g.only(next) {
				return
			}
			var to int
			if to, err = g.number(next, hash); err == nil {
				g.list = append(g.list, explore.Step{To: to, Label: g.label(m.constraint, g.renaming())})
			}
		})
	})
	if err == nil && failed != nil {
		return nil, &failure{failed, slices.Clone(state)}
	}
	if err == nil && !moved && within == nil {
		g.list = append(g.list, explore.Step{To: n, Label: g.label(none, 0)})
	}
	if known := at(&g.able, n); *known == 0 && err == nil {
		*known = g.set(able) + 1
		g.transitions += int64(len(g.list))
	}
	return g.list, err
}

// reduce visits all states that stubborn sets lead to, breadth first. Where some step leads to a state that is not on
// the next level, a set is not enough: so every cycle has a state all of whose steps are followed. Nor is it enough
// where it only has voluntary steps, because the run might end there otherwise.
func (g *graph) reduce(ctx context.Context) error {
	level, err := g.Initial()
	if err != nil {
		return err
	}
	var depth []int32 // by state, plus one
	for _, n := range level {
		*at(&depth, n) = 1
	}
	for now := int32(1); len(level) > 0; now++ {
		var next []int
		for i, n := range level {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if i%1024 == 0 && g.bounds.Memory > 0 && g.Bytes()+int64(len(depth))*5 > g.bounds.Memory {
				return fmt.Errorf("%w: memory: %d states take more than %d bytes", explore.ErrTooLarge, g.states,
					g.bounds.Memory)
			}
			state := g.w.here
			g.store.Read(uint32(n), state)
			set, err := g.w.reducer.choose(state)
			if err != nil {
				return &failure{err, slices.Clone(state)}
			}
			follow := func(set stubborn.Set) (ahead bool, err error) {
				ahead = true
				before := len(next)
				steps, err := g.successors(n, state, set)
				for _, s := range steps {
					known := at(&depth, s.To)
					if *known == 0 {
						*known = now + 1
						next = append(next, s.To)
					}
					ahead = ahead && (*known > now || g.w.por.Terminates)
				}
				if !ahead && set != nil {
					for _, to := range next[before:] { // they are found again
						depth[to] = 0
					}
					next = next[:before]
				}
				return ahead, err
			}
			enough := set != nil && g.obliges(state, set)
			if enough {
				if enough, err = follow(set); err != nil {
					return err
				}
				g.store.Read(uint32(n), state)
			}
			if !enough {
				if _, err := follow(nil); err != nil {
					return err
				}
			}
			*at(&g.some, n) = enough
		}
		level = next
	}
	return nil
}

// obliges reports whether some transition of a set has to happen.
func (g *graph) obliges(state []uint32, set stubborn.Set) bool {
	moves := false
	for k := range g.w.units {
		u := &g.w.units[k]
		if g.w.silent(u, state) {
			continue
		}
		for _, o := range g.w.outcomes(u, state) {
			moves = moves || !o.merit.voluntary && o.within(set) && g.w.happens(o, state)
		}
	}
	return moves
}

// label returns the number of a kind of step.
func (g *graph) label(fair, renamed int) int {
	n, known := g.labels[label{fair, renamed}]
	if !known {
		n = len(g.moves)
		g.labels[label{fair, renamed}] = n
		g.moves = append(g.moves, move{fair, g.renamings[renamed]})
	}
	return n
}

// packed writes numbers one behind the other.
func packed(key []byte, list []int) []byte {
	for _, n := range list {
		key = append(key, byte(n), byte(n>>8), byte(n>>16))
	}
	return key
}

// set returns the number of a set of constraints.
func (g *graph) set(able []bool) int32 {
	list := g.members[:0]
	for c, is := range able {
		if is {
			list = append(list, c)
		}
	}
	g.members, g.w.key = list, packed(g.w.key[:0], list)
	n, known := g.numbers[string(g.w.key)]
	if !known {
		n = int32(len(g.sets))
		g.numbers[string(g.w.key)] = n
		g.sets = append(g.sets, slices.Clone(list))
	}
	return n
}

// renaming returns the number of what becomes of constraints by the permutation that was used last.
func (g *graph) renaming() int {
	x := g.w.machine
	if g.w.canon == nil || len(x.constraints) == 0 {
		return 0
	}
	by := g.w.canon.bestBy
	g.w.key = append(g.w.key[:0], 0)
	for _, places := range by {
		g.w.key = packed(g.w.key, places)
	}
	n, known := g.renamed[string(g.w.key)]
	if known {
		return n
	}
	permuted := string(g.w.key)
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
	if !same {
		g.w.key = packed(append(g.w.key[:0], 1), out)
		if n, known = g.renamed[string(g.w.key)]; !known {
			n = len(g.renamings)
			g.renamings, g.renamed[string(g.w.key)] = append(g.renamings, out), n
		}
	}
	g.renamed[permuted] = n
	return n
}

// Holds implements explore.System.
func (g *graph) Holds(k, n int) bool {
	state := g.w.here
	g.store.Read(uint32(n), state)
	a := &g.atoms[k]
	key := a.seen.of(state)
	known := a.known.at(key)
	if *known == 0 {
		if *known = 1; g.test(a, state) {
			*known = 2
		}
	}
	return *known == 2 != a.negated
}

func (g *graph) test(a *atom, state []uint32) (v bool) {
	if err := compile.Attempt(func() {
		g.w.load(state)
		g.w.env.Frame(a.frame)
		v = a.holds(&g.w.env)
	}); err != nil && g.failed == nil {
		g.failed = &failure{err, slices.Clone(state)}
	}
	return v
}

// Constraints implements explore.fair.
func (g *graph) Constraints() int { return len(g.w.constraints) }

// Enabled implements explore.fair.
func (g *graph) Enabled(n int) []int { return g.sets[g.able[n]-1] }

// Taken implements explore.fair.
func (g *graph) Taken(s explore.Step) []int {
	if f := g.moves[s.Label].fair; f != none {
		return []int{f}
	}
	return nil
}

// Renamed implements explore.fair.
func (g *graph) Renamed(s explore.Step) []int { return g.moves[s.Label].renamed }
