package promela

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/shorten"
	"github.com/tacheck/tacheck/promela/pml"
)

// Run is a run of processes with numbers for everything: a finite one, or a lasso.
type Run struct {
	Instance *Instance
	Start    *World
	Steps    []RunStep
	// Loop is the index of the loop's first step; the number of steps if no process can
	// move any more, and the last world stays for ever; or Finite.
	Loop int
}

// stops reports that no process can move at the end, and so it stays.
func (r *Run) stops() bool { return r.Loop == len(r.Steps) }

// Finite is the Loop of a run that just ends.
const Finite = -1

// RunStep is one process that takes a step.
type RunStep struct {
	Before, After Local
	Shared        []int64 // afterwards
	Taken         []diag.Pos
}

// Worlds returns the worlds of a run, one more than steps, or says which step is
// none of the model: only the interpreter is asked.
func (r *Run) Worlds() ([]*World, error) {
	in := r.Instance
	if int64(len(r.Start.Processes)) != in.Processes {
		return nil, fmt.Errorf("the run has %d processes, the model %d", len(r.Start.Processes), in.Processes)
	}
	starts, err := in.starts(append([]Local{}, r.Start.Processes...))
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(starts, func(w *World) bool { return w.Key() == r.Start.Key() }) {
		return nil, fmt.Errorf("the run does not start as the model does")
	}
	list := []*World{r.Start}
	for i, s := range r.Steps {
		w := list[i]
		k := w.who(s)
		if k < 0 {
			return nil, fmt.Errorf("step %d: no process is as %v", i+1, s.Before)
		}
		outcomes, err := in.Steps(w, k)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(outcomes, func(o Outcome) bool {
			return slices.Equal(o.Local, s.After) && slices.Equal(o.Shared, s.Shared)
		}) {
			return nil, fmt.Errorf("step %d: the process cannot do that", i+1)
		}
		list = append(list, w.With(k, Outcome{Local: s.After, Shared: s.Shared}))
	}
	switch {
	case r.stops():
		if stopped, err := in.Stopped(list[len(list)-1]); err != nil || !stopped {
			return nil, errors.Join(err, fmt.Errorf("a process can move at the end"))
		}
	case r.Loop != Finite:
		if r.Loop < 0 || r.Loop >= len(r.Steps) {
			return nil, fmt.Errorf("the loop has no step")
		}
		if list[r.Loop].Key() != list[len(list)-1].Key() {
			return nil, fmt.Errorf("the loop does not lead back to where it began")
		}
	}
	return list, nil
}

// Counterexample is a run that violates a formula, without steps that need not be taken for that.
func (m *Model) Counterexample(f *Named, run *Run) *Counterexample {
	return &Counterexample{Spec: f.Name, Run: run.shortened(m.Negation(f.Formula))}
}

// shortened is the run without steps that need not be taken for it to satisfy a formula.
func (r *Run) shortened(t *Temporal) *Run {
	best := r
	shorten.Run(r.Steps, r.Loop, func(steps []RunStep, loop int) bool {
		less := &Run{Instance: r.Instance, Start: r.Start, Loop: loop}
		w := r.Start
		for _, s := range steps {
			k := slices.IndexFunc(w.Processes, func(l Local) bool { return slices.Equal(l, s.Before) })
			if k < 0 {
				return false
			}
			outcomes, err := r.Instance.Steps(w, k)
			i := slices.IndexFunc(outcomes, func(o Outcome) bool {
				return slices.Equal(o.Local, s.After) && slices.Equal(o.Taken, s.Taken)
			})
			if err != nil || i < 0 {
				return false
			}
			s.Shared = outcomes[i].Shared
			less.Steps = append(less.Steps, s)
			w = w.With(k, outcomes[i])
		}
		ok, err := less.Satisfies(t)
		if err == nil && ok {
			best = less
		}
		return err == nil && ok
	})
	return best
}

// Stopped reports whether no process can take a step.
func (in *Instance) Stopped(w *World) (bool, error) {
	for who := range w.Processes {
		if outcomes, err := in.Steps(w, who); err != nil || len(outcomes) > 0 {
			return false, err
		}
	}
	return true, nil
}

// Key is the same for worlds that differ in the order of processes only.
func (w *World) Key() string {
	procs := make([]string, len(w.Processes))
	for i, l := range w.Processes {
		procs[i] = LocalKey(l)
	}
	sort.Strings(procs)
	return LocalKey(w.Shared) + "|" + strings.Join(procs, ";")
}

func LocalKey(l []int64) string {
	b := make([]byte, 0, 4*len(l))
	for _, v := range l {
		b = strconv.AppendInt(b, v, 10)
		b = append(b, ',')
	}
	return string(b)
}

// Satisfies evaluates a formula at the start of the run, which it replays. On a
// finite run, G-formulas are false: who knows what follows.
func (r *Run) Satisfies(f *Temporal) (bool, error) {
	worlds, err := r.Worlds()
	if err != nil {
		return false, err
	}
	values, err := r.values(f, worlds)
	return err == nil && values[0], err
}

// values says in which worlds a formula is true. The last world of a lasso is that where the loop begins: none of the
// operators tells whether it comes once or twice.
func (r *Run) values(f *Temporal, worlds []*World) ([]bool, error) {
	out := make([]bool, len(worlds))
	if f.Op == pml.Name {
		for i, w := range worlds {
			v, err := r.Instance.Holds(f.Prop, w)
			if err != nil {
				return nil, err
			}
			out[i] = v != 0
		}
		return out, nil
	}
	var args [][]bool
	for _, a := range f.Args {
		v, err := r.values(a, worlds)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	if f.Op == pml.And || f.Op == pml.Or {
		return boolean.Joined(f.Op == pml.Or, args, len(worlds)), nil
	}
	return boolean.Along(f.Op == pml.Release || f.Op == pml.Globally, args, r.Loop), nil
}

// Exploration is what visiting all worlds of an instance found.
type Exploration struct {
	Run    *Run // violates the formula; nil if none does
	Worlds int  // that can be reached, up to the order of processes
	States int  // with what the formula asks of them
	Steps  int  // between worlds
	Depth  int  // steps to the farthest world
}

// Explore decides a formula, under the fairness that it may assume, by visiting all worlds, up to a limit of states (0:
// a million), without runs that take some steps, by their lines. The error is explore.ErrTooLarge, ErrCut, a diag.List,
// or ctx's.
func (m *Model) Explore(ctx context.Context, f *Named, in *Instance, limit int,
	without ...string) (*Exploration, error) {
	if limit == 0 {
		limit = explore.DefaultStates
	}
	x := &space{in: in, ids: map[string]int{}, outcomes: map[string][]Outcome{}, without: without}
	t := m.Negation(f.Formula)
	found, err := explore.Search(ctx, x, x.formula(t), explore.Bounds{States: int64(limit)})
	in.Budget = nil // what was found is replayed whatever that takes
	if err == nil {
		err = x.err
	}
	if err != nil {
		return nil, err
	}
	out := &Exploration{Worlds: len(x.worlds), States: found.Nodes}
	for i := range x.worlds {
		for _, s := range x.steps[i] {
			if s.Label != stay {
				out.Steps++
			}
		}
		out.Depth = max(out.Depth, x.depth[i])
	}
	if found.Start < 0 {
		if in.Cut {
			return out, ErrCut
		}
		return out, nil
	}
	out.Run = &Run{Instance: in, Start: x.worlds[found.Start], Loop: Finite}
	take := func(list []explore.Step) {
		for _, s := range list {
			if s.Label != stay {
				out.Run.Steps = append(out.Run.Steps, x.moves[s.Label])
			}
		}
	}
	take(found.Prefix)
	if found.Loop != nil {
		out.Run.Loop = len(out.Run.Steps)
		take(found.Loop)
	}
	ok, err := out.Run.Satisfies(t)
	if err == nil && !ok {
		err = fmt.Errorf("internal error, please report: the run that exploration found is no counterexample to %s",
			f.Name)
	}
	return out, err
}

// stay labels the step of a world in which no process can move.
const stay = -1

// space is the worlds of an instance; labels of steps are indices into moves.
type space struct {
	in       *Instance
	props    []*pml.Expr
	worlds   []*World
	ids      map[string]int
	depth    []int
	steps    map[int][]explore.Step
	moves    []RunStep
	outcomes map[string][]Outcome // by local state and shared variables
	without  []string             // steps that are left out, by their lines
	err      error
}

func (x *space) formula(t *Temporal) *explore.Formula {
	if t.Op == pml.Name {
		x.props = append(x.props, t.Prop)
		return &explore.Formula{Op: explore.Atom, Atom: len(x.props) - 1}
	}
	out := &explore.Formula{Op: map[pml.Op]explore.Op{pml.And: explore.And, pml.Or: explore.Or,
		pml.Finally: explore.Finally, pml.Globally: explore.Globally, pml.Until: explore.Until,
		pml.Release: explore.Release}[t.Op]}
	for _, a := range t.Args {
		out.Args = append(out.Args, x.formula(a))
	}
	return out
}

func (x *space) world(w *World, depth int) int {
	key := w.Key()
	if i, known := x.ids[key]; known {
		return i
	}
	x.ids[key] = len(x.worlds)
	x.worlds, x.depth = append(x.worlds, w), append(x.depth, depth)
	return len(x.worlds) - 1
}

// Initial implements explore.System.
func (x *space) Initial() ([]int, error) {
	x.steps = map[int][]explore.Step{}
	starts, err := x.in.starts(nil)
	list := lists.Map(starts, func(w *World) int { return x.world(w, 0) })
	return list, err
}

// worldWork is what a process of a world that is visited takes, apart from what its steps do.
const worldWork = 20

// Successors implements explore.System.
func (x *space) Successors(i int) ([]explore.Step, error) {
	if known, ok := x.steps[i]; ok {
		return known, nil
	}
	w := x.worlds[i]
	x.in.spend(worldWork * len(w.Processes))
	list := []explore.Step{}
	done, stuck := map[string]bool{}, true
	for k, l := range w.Processes {
		key := LocalKey(l)
		if done[key] {
			continue
		}
		done[key] = true
		outcomes, err := x.in.Cached(x.outcomes, w, k, x.leaves)
		if err != nil {
			return nil, err
		}
		for _, o := range outcomes {
			if stuck = false; x.leaves(o) {
				continue
			}
			list = append(list, explore.Step{To: x.world(w.With(k, o), x.depth[i]+1), Label: len(x.moves)})
			x.moves = append(x.moves, RunStep{l, o.Local, o.Shared, o.Taken})
		}
	}
	if stuck { // no process can move: it stays so
		list = append(list, explore.Step{To: i, Label: stay})
	}
	x.steps[i] = list
	return list, nil
}

// leaves reports whether a step is left out.
func (x *space) leaves(o Outcome) bool {
	return len(x.without) > 0 && slices.Contains(x.without, lines(o.Taken...))
}

// Cached returns what a process can do, each once, and rather not as some steps that are left out. It is remembered.
func (in *Instance) Cached(known map[string][]Outcome, w *World, who int,
	leaves func(Outcome) bool) ([]Outcome, error) {
	key := LocalKey(w.Processes[who]) + "|" + LocalKey(w.Shared)
	if in.m.social {
		key += "|" + w.Key()
	}
	list, found := known[key]
	if !found {
		var err error
		if list, err = in.Steps(w, who); err != nil {
			return nil, err
		}
		list = distinct(slices.Concat(slices.DeleteFunc(slices.Clone(list), leaves), list))
		known[key] = list
	}
	return list, nil
}

// distinct drops outcomes that others repeat.
func distinct(list []Outcome) []Outcome {
	var out []Outcome
	seen := map[string]bool{}
	for _, o := range list {
		if key := LocalKey(o.Local) + "|" + LocalKey(o.Shared); !seen[key] {
			seen[key] = true
			out = append(out, o)
		}
	}
	return out
}

// Holds implements explore.System.
func (x *space) Holds(atom, i int) bool {
	v, err := x.in.Holds(x.props[atom], x.worlds[i])
	if err != nil && x.err == nil {
		x.err = err
	}
	return err == nil && v != 0
}

// Profile looks at what worlds are many for.
func (in *Instance) Profile(ctx context.Context, bounds explore.Bounds) (*explore.Profile, error) {
	x := &space{in: in, ids: map[string]int{}, outcomes: map[string][]Outcome{}}
	return explore.NewProfile(ctx, &counted{x, 0}, bounds)
}

// counted is a space whose states are the numbers of worlds.
type counted struct {
	*space
	move int
}

func (x *counted) Slots() int { return 1 }

func (x *counted) NewWorker() explore.Worker { return x }

func (x *counted) Initial(emit func([]uint32, uint64)) error {
	list, err := x.space.Initial()
	for _, n := range list {
		emit([]uint32{uint32(n)}, x.Hash([]uint32{uint32(n)}))
	}
	return err
}

func (x *counted) Successors(state []uint32, emit func([]uint32, uint64)) error {
	steps, err := x.space.Successors(int(state[0]))
	for _, s := range steps {
		if s.Label != stay {
			x.move = s.Label
			emit([]uint32{uint32(s.To)}, x.Hash([]uint32{uint32(s.To)}))
		}
	}
	return err
}

func (x *counted) Violated([]uint32) (uint64, error) { return 0, nil }

func (x *counted) Hash(state []uint32) uint64 { return uint64(state[0]) * 0x9e3779b97f4a7c15 }

func (x *counted) Names() []string {
	return lists.Map(slices.Concat(x.in.m.Shared, x.in.m.Locals), func(v Variable) string { return v.Name })
}

func (x *counted) Parts(state []uint32) []explore.Part {
	world := x.worlds[state[0]]
	numbers := func(list []int64) []uint64 {
		return lists.Map(list, func(v int64) uint64 { return uint64(v) })
	}
	list := []explore.Part{{Values: numbers(world.Shared)}}
	for _, l := range world.Processes { // who is who does not matter
		list = append(list, explore.Part{Key: 1, First: len(world.Shared), Values: numbers(l)})
	}
	return list
}

func (x *counted) Rule() string { return lines(x.moves[x.move].Taken...) }
