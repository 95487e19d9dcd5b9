package promela

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/run"
)

// Instance is a model with numbers for its parameters.
type Instance struct {
	m         *Model
	Params    []int64
	Processes int64
	// Cut is set when havoc may choose more numbers than are tried.
	Cut bool
	// Most is the largest number that havoc has been asked to choose.
	Most int64
	// Rounds is how often a step has gone round in loops, at most.
	Rounds int
	// Budget is how much may still be done, in expressions that are evaluated; nil for no bound.
	Budget *int
}

// spend takes from the budget.
func (in *Instance) spend(work int) {
	if in.Budget != nil {
		*in.Budget -= work
	}
}

// NewInstance fixes the parameters. Its error says that these do not satisfy the assumptions.
func (m *Model) NewInstance(params []int64) (*Instance, error) {
	in := &Instance{m: m, Params: params}
	f := &frame{in: in}
	for _, e := range m.Assume {
		if v, err := f.eval(e); err != nil || v == 0 {
			return nil, fmt.Errorf("the parameters do not satisfy %s", e)
		}
	}
	n, err := f.eval(m.Count)
	if err != nil {
		return nil, err
	}
	in.Processes = max(0, n)
	return in, nil
}

// Local is the variables of a process.
type Local []int64

// World is the shared variables, and the processes in some order.
type World struct {
	Shared    []int64
	Processes []Local
}

// Outcome is a way to go through a block: what the variables are then, and the
// places of the alternatives that were taken.
type Outcome struct {
	Local  Local
	Shared []int64
	Taken  []diag.Pos
}

// starts returns the ways in which a process may begin when the shared variables are as given.
func (in *Instance) Begins(shared []int64) ([]Outcome, error) {
	f := &frame{in: in, shared: shared}
	for _, v := range in.m.Locals {
		f.local = append(f.local, v.Init)
	}
	var list []Outcome
	err := f.run(in.m.Init, func(f *frame) error {
		list = append(list, f.outcome())
		return nil
	})
	return distinct(list), err
}

// starts returns the worlds in which runs begin: processes have gone through their initial blocks, one after the other.
// If wanted is not nil, only those with these processes are.
func (in *Instance) starts(wanted []Local) ([]*World, error) {
	list, _, err := in.starting(context.Background(), wanted, 0)
	return list, err
}

// SomeStarts lists so many of them at most, and reports whether there may be more. Its error may be the cause of ctx's
// end.
func (in *Instance) SomeStarts(ctx context.Context, most int) (list []*World, more bool, err error) {
	return in.starting(ctx, nil, most)
}

// starting lists initial worlds: all if most is 0.
func (in *Instance) starting(ctx context.Context, wanted []Local, most int) (list []*World, more bool, err error) {
	need := map[string]int{}
	for _, l := range wanted {
		need[LocalKey(l)]++
	}
	layer := []*World{{Shared: in.Shared0()}}
	for range in.Processes {
		var next []*World
		seen := map[string]bool{}
		for _, w := range layer {
			if ctx.Err() != nil {
				return nil, false, context.Cause(ctx)
			}
			if most > 0 && len(next) >= most {
				more = true
				break
			}
			have := map[string]int{}
			for _, l := range w.Processes {
				have[LocalKey(l)]++
			}
			starts, err := in.Begins(slices.Clone(w.Shared))
			if err != nil {
				return nil, false, err
			}
			for _, s := range starts {
				if key := LocalKey(s.Local); wanted != nil && have[key] >= need[key] {
					continue
				}
				longer := &World{Shared: s.Shared, Processes: append(w.Processes[:len(w.Processes):len(w.Processes)],
					s.Local)}
				if key := longer.Key(); !seen[key] {
					seen[key] = true
					next = append(next, longer)
				}
			}
		}
		layer = next
	}
	if len(layer) == 0 && wanted == nil {
		return nil, false, diag.Wrong(scan.Place(in.m.Loop[0].Pos), 2,
			"no process gets here: nothing in the initial block can go on")
	}
	if most > 0 && len(layer) > most {
		return layer[:most], true, nil
	}
	return layer, more, nil
}

func (in *Instance) Shared0() []int64 {
	return lists.Map(in.m.Shared, func(v Variable) int64 { return v.Init })
}

// Steps returns what a process of a world can do in one step of the loop.
func (in *Instance) Steps(w *World, who int) (list []Outcome, err error) {
	if in.Budget != nil && *in.Budget < 0 {
		return nil, explore.ErrTooLarge
	}
	err = in.step(w, who).choose(in.m.Loop, nil, func(f *frame) error {
		list = append(list, f.outcome())
		return nil
	})
	return list, err
}

// step is a process of a world that is about to take a step.
func (in *Instance) step(w *World, who int) *frame {
	f := &frame{in: in, local: slices.Clone(w.Processes[who]), shared: w.Shared, all: w.Processes, self: who}
	for _, a := range in.m.Asserts {
		f.local[a.Local] = 0
	}
	return f
}

// outcome is what the process has come to.
func (f *frame) outcome() Outcome {
	return Outcome{slices.Clone(f.local), slices.Clone(f.shared), slices.Clone(f.taken)}
}

// frame is a process that runs.
type frame struct {
	in     *Instance
	local  Local
	shared []int64
	taken  []diag.Pos
	been   []Been // in loops
	who    Local  // Process:name, in propositions
	// In steps that speak of other processes: all as they are before the step, and which of them it is.
	all  []Local
	self int
	// refused is called with guards that are false; nil if not needed.
	refused func(*frame, *pml.Expr)
	passed  map[diag.Pos]bool // where guards were true, on any way; nil if not needed
	saw     []guard           // that were true on the way here; kept on request
	asks    bool
	before  []int64 // shared variables before the step
	// From what the step has made the values of variables, and what it has chosen for local ones.
	from   map[slot]run.Places[slot]
	chosen map[int]int64
}

func (f *frame) fork() *frame {
	g := *f
	g.local, g.shared, g.taken = slices.Clone(f.local), slices.Clone(f.shared), slices.Clone(f.taken)
	g.who = nil
	return &g
}

// run executes statements in all ways and calls then at the end of each.
func (f *frame) run(list []*pml.Statement, then func(*frame) error) error {
	for i, s := range list {
		rest := list[i+1:]
		switch {
		case s.Sep != "" || s.Skip != "" || s.Printf != nil || s.Vars != nil || s.Label != nil:
		case s.Asks() != nil:
			e := s.Asks()
			if v, err := f.eval(e); err != nil || v == 0 {
				f.refuses(e)
				return err
			}
			f.passes(e)
		case s.To != nil: // goto, break
			if again, err := f.again(s); again || err != nil {
				return err
			}
			return f.run(s.To.List, then)
		case s.Do != nil:
			if again, err := f.again(s); again || err != nil {
				return err
			}
			return f.choose(s.Do, []*pml.Statement{s}, then)
		case s.Assert != nil:
			v, err := f.eval(&s.Assert.Expr)
			if err != nil {
				return err
			}
			if v == 0 {
				f.fails(f.in.m.Flag(s), &s.Assert.Expr)
			}
		case s.Set != nil:
			if err := f.assign(s.Set); err != nil {
				return err
			}
			to := f.in.m.Symbols[s.Set.Name.Name]
			if e := s.Set.Value; e != nil {
				f.touches(to, e, 0)
			} else { // it is counted up or down
				f.touches(to, &pml.Expr{Op: pml.Name, Name: s.Set.Name.Name}, 0)
			}
		case s.Havoc != nil:
			k := f.in.m.Symbols[s.Havoc.Name].Index
			most, bounded, err := f.largest(k, rest)
			if err != nil {
				return err
			}
			if !bounded {
				most, f.in.Cut = f.guess(), true
			}
			f.in.Most = max(f.in.Most, most)
			for v := range most + 1 {
				g := f.fork()
				g.local[k] = v
				g.touches(f.in.m.Symbols[s.Havoc.Name], nil, v)
				if err := g.run(rest, then); err != nil {
					return err
				}
			}
			return nil
		case s.Atomic != nil, s.Block != nil:
			return f.run(append(s.Inside(), rest...), then)
		case s.If != nil:
			return f.choose(s.If, rest, then)
		}
	}
	return then(f)
}

// MaxRounds bounds how often a step goes round in a loop.
const MaxRounds = 300

// again reports whether a step has been at this statement with the same variables: what follows is known, then.
func (f *frame) again(s *pml.Statement) (bool, error) {
	here := Been{s, LocalKey(f.local) + "|" + LocalKey(f.shared)}
	if slices.Contains(f.been, here) {
		return true, nil
	}
	f.been = append(slices.Clip(f.been), here)
	f.in.Rounds = max(f.in.Rounds, len(f.been))
	if len(f.been) > MaxRounds {
		return false, diag.Wrong(scan.Place(s.Pos), 2, "this step goes round more than %d times", MaxRounds)
	}
	return false, nil
}

// Been is where a step has been.
type Been struct {
	At   *pml.Statement
	With string
}

// guess is how far numbers are tried that nothing bounds.
func (f *frame) guess() int64 {
	most := int64(uncertain)
	for _, list := range [][]int64{f.in.Params, f.shared} {
		for _, v := range list {
			most += max(0, v)
		}
	}
	return most
}

// choose executes each alternative that is enabled, and what comes after it.
func (f *frame) choose(options []*pml.Option, rest []*pml.Statement, then func(*frame) error) error {
	some := false
	for _, last := range []bool{false, true} { // else, if nothing else is
		for _, o := range options {
			if (o.Else != "") != last || last && some {
				continue
			}
			body := append(slices.Clone(o.Body), o.Rest...)
			if !last {
				ok, err := f.enabled(body)
				if err != nil {
					return err
				}
				if !ok {
					continue
				}
				some = true
			}
			g := f.fork()
			if !o.Spot {
				g.taken = append(g.taken, scan.Place(o.Pos))
			}
			if err := g.run(append(body, rest...), then); err != nil {
				return err
			}
		}
	}
	return nil
}

// enabled reports whether the first statement of a block can be executed.
func (f *frame) enabled(list []*pml.Statement) (bool, error) {
	for _, s := range list {
		switch {
		case s.Sep != "" || s.Vars != nil || s.Label != nil:
			continue
		case s.Asks() != nil:
			v, err := f.eval(s.Asks())
			if err == nil && v == 0 && s.Cond != nil {
				f.refuses(s.Cond)
			}
			return v != 0, err
		case s.Atomic != nil, s.Block != nil:
			return f.enabled(s.Inside())
		case s.If != nil, s.Do != nil:
			for _, o := range Alternatives(s) {
				if o.Else != "" {
					return true, nil
				}
				if ok, err := f.enabled(append(slices.Clone(o.Body), o.Rest...)); ok || err != nil {
					return ok, err
				}
			}
			return false, nil
		}
		return true, nil
	}
	return true, nil
}

func (f *frame) assign(a *pml.Assign) error {
	s := f.in.m.Symbols[a.Name.Name]
	vars, list := f.local, f.in.m.Locals
	if s.Kind == SharedName {
		vars, list = f.shared, f.in.m.Shared
	}
	v := vars[s.Index] + map[string]int64{"++": 1, "--": -1}[a.Step]
	if a.Value != nil {
		var err error
		if v, err = f.eval(a.Value); err != nil {
			return err
		}
	}
	if r, known := ranges[list[s.Index].Type]; known && (v < r[0] || v > r[1]) {
		return diag.Wrong(scan.Place(a.Name.Pos), len(a.Name.Name), "%s becomes %d, which a %s cannot be", a.Name.Name,
			v, list[s.Index].Type)
	}
	vars[s.Index] = v
	return nil
}

// eval evaluates an expression without temporal operators.
func (f *frame) eval(e *pml.Expr) (int64, error) {
	f.in.spend(1)
	switch e.Op {
	case pml.Number:
		return e.Num, nil
	case pml.Name:
		s := f.in.m.Symbols[e.Name]
		switch {
		case e.Process != "":
			return f.who[s.Index], nil
		case s.Kind == ParamName:
			return f.in.Params[s.Index], nil
		case s.Kind == SharedName:
			return f.shared[s.Index], nil
		case s.Kind == LocalName:
			return f.local[s.Index], nil
		case f.in.m.Atomics[e.Name] != nil:
			return f.eval(f.in.m.Atomics[e.Name])
		}
		return 0, fmt.Errorf("internal error, please report: %s has no value", e)
	case pml.Label:
		if f.in.m.Where < 0 { // between steps, all processes are there, or none
			return map[bool]int64{true: 1}[f.in.m.Labels[e.Name] == 0], nil
		}
		return map[bool]int64{true: 1}[f.who[f.in.m.Where] == int64(f.in.m.Labels[e.Name])], nil
	}
	if e.Op == pml.All || e.Op == pml.Some || e.Op == pml.Card {
		return f.count(e)
	}
	args := make([]int64, len(e.Args))
	for i, a := range e.Args {
		v, err := f.eval(a)
		if err != nil {
			return 0, err
		}
		args[i] = v
	}
	n, ok := pml.Apply(e.Op, args)
	if !ok {
		return 0, diag.Wrong(e.Pos, e.Width, "this has no value: %s", noValue(e.Op))
	}
	return n, nil
}

// noValue says why an operator cannot be applied.
func noValue(op pml.Op) string {
	if op == "<<" || op == ">>" {
		return "bits are shifted by 0 to 31"
	}
	return "division by zero"
}

// Holds evaluates a proposition in a world: 0 is false. Counts are numbers.
func (in *Instance) Holds(e *pml.Expr, w *World) (int64, error) {
	return (&frame{in: in, shared: w.Shared, all: w.Processes, self: -1}).eval(e)
}

// count evaluates all, some or card.
func (f *frame) count(e *pml.Expr) (int64, error) {
	count := int64(0)
	before := f.who
	defer func() { f.who = before }()
	for k, l := range f.all {
		if f.who = l; k == f.self {
			f.who = f.local
		}
		v, err := f.eval(e.Args[0])
		if err != nil {
			return 0, err
		}
		if v != 0 {
			count++
		}
	}
	if e.Op == pml.Card {
		return count, nil
	}
	return map[bool]int64{true: 1}[e.Op == pml.All && count == int64(len(f.all)) || e.Op == pml.Some && count > 0], nil
}
