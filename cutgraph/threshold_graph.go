package cutgraph

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sort"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/symbolic"
	"github.com/tacheck/tacheck/ta"
)

// Status says whether and when a threshold can become true in a run.
type Status uint8

// The statuses.
const (
	Flips  Status = iota // may be false at first and true later
	Always               // true in every initial configuration, so for ever
	Never                // false in every configuration that a run can reach
	Rigid                // about parameters only: true or false for the whole run
)

// Class is a set of thresholds that are true in the same configurations.
type Class struct {
	Threshold ta.Threshold   // stands for the class
	Members   []ta.Threshold // all of them, in the order given
	// Requires lists the classes that are true wherever this one is (an edge of the threshold graph leads from each of
	// them to this one): they cannot flip later. All indices are smaller than the class's own.
	Requires []int
}

// ThresholdGraph is the threshold graph of Definition 5.4 on merged thresholds. Not in the paper: upper guards are
// negations of thresholds and so share vertices with lower guards, and what never flips has no vertex.
type ThresholdGraph struct {
	Classes []Class
	place   map[string]place // by ta.Threshold.Key
}

type place struct {
	status Status
	class  int
}

// Place returns the status of a threshold that the graph was made with and, if it Flips, the index of its class.
func (g *ThresholdGraph) Place(t ta.Threshold) (Status, int) {
	p, ok := g.place[t.Key()]
	if !ok {
		panic("cutgraph: the threshold graph was made without this threshold")
	}
	return p.status, p.class
}

// ErrUndecided says that the solver was interrupted.
var ErrUndecided = errors.New("the solver was interrupted")

// NewThresholdGraph decides which thresholds can flip and in which order, with at most two queries a threshold and two
// a pair; mostly far fewer, because implications follow from others. Equal thresholds count once. If ctx is cancelled
// the error is ErrUndecided; where the solver does not know, the answer that is safe (it may flip, in any order) is
// taken.
func NewThresholdGraph(ctx context.Context, s smt.Solver, a *ta.Automaton,
	thresholds []ta.Threshold) (*ThresholdGraph, error) {
	b := &graphBuilder{ctx: ctx, s: s, a: a, g: &ThresholdGraph{place: map[string]place{}}}
	var list []ta.Threshold
	for _, t := range thresholds {
		if _, seen := b.g.place[t.Key()]; !seen {
			b.g.place[t.Key()] = place{}
			list = append(list, t)
		}
	}
	moving := b.classify(list)
	b.order(moving)
	b.over()
	return b.g, b.err
}

type graphBuilder struct {
	ctx context.Context
	s   smt.Solver
	a   *ta.Automaton
	g   *ThresholdGraph
	err error
}

// over reports whether nothing more is to be asked: there is an error, or the context is done.
func (b *graphBuilder) over() bool {
	if b.err == nil && b.ctx.Err() != nil {
		b.err = ErrUndecided
	}
	return b.err != nil
}

// unsat reports whether f contradicts the assertions.
func (b *graphBuilder) unsat(f *smt.Formula) bool {
	if b.err != nil || f.IsFalse() {
		return f.IsFalse()
	}
	b.s.Push()
	defer b.s.Pop()
	b.s.Assert(f)
	answer, err := b.s.Check(b.ctx)
	if err != nil {
		b.err = err
	}
	return answer.Status == smt.Unsat
}

// classify sets the status of every threshold and returns those that flip.
func (b *graphBuilder) classify(list []ta.Threshold) []ta.Threshold {
	b.s.Push()
	defer b.s.Pop()
	c, natural := symbolic.New(b.a, "i")
	b.s.Assert(smt.And(natural, c.Cond(b.a.Resilience), c.Cond(b.a.Inits)))
	var open []ta.Threshold
	for _, t := range list {
		if t.Rigid() {
			b.g.place[t.Key()] = place{status: Rigid}
		} else {
			open = append(open, t)
		}
	}
	open = b.possible(open, Always, c, smt.Not)
	end, flow := anyFlow(b.a, c, open)
	b.s.Assert(flow)
	return b.possible(open, Never, end, func(f *smt.Formula) *smt.Formula { return f })
}

// possible returns those thresholds for which a formula can be satisfied that is made of what they say of a
// configuration; others get the status. One model shows it of many at once, so there are as many queries as models are
// needed, and one. Where the solver does not know, everything left is taken to be possible, which is safe.
func (b *graphBuilder) possible(list []ta.Threshold, otherwise Status, at symbolic.Config,
	of func(*smt.Formula) *smt.Formula) []ta.Threshold {
	shown := make([]bool, len(list))
	formulas := lists.Map(list, func(t ta.Threshold) *smt.Formula { return of(at.Threshold(t)) })
	for !b.over() {
		var left []*smt.Formula
		for i := range list {
			if !shown[i] {
				left = append(left, formulas[i])
			}
		}
		any := smt.Or(left...)
		if any.IsFalse() {
			break
		}
		b.s.Push()
		b.s.Assert(any)
		answer, err := b.s.Check(b.ctx)
		if b.err = err; err == nil && answer.Status == smt.Sat {
			b.err = b.show(at, list, formulas, shown)
		}
		b.s.Pop()
		if answer.Status == smt.Unsat {
			break
		}
		if answer.Status == smt.Unknown {
			return list
		}
	}
	var out []ta.Threshold
	for i, t := range list {
		if shown[i] {
			out = append(out, t)
		} else {
			b.g.place[t.Key()] = place{status: otherwise}
		}
	}
	return out
}

// show marks the formulas, comparisons or negated ones, that a model satisfies. Certificates have the values that it
// asks for in this order: variables as the thresholds have them, each with what has been added to it since.
func (b *graphBuilder) show(at symbolic.Config, list []ta.Threshold, formulas []*smt.Formula, shown []bool) error {
	var vars []*smt.Var
	index := map[string]int{}
	for _, t := range list {
		for _, term := range slices.Concat(t.LHS.Terms(), t.Bound.Terms()) {
			for _, v := range slices.Backward(at.Value(term.Var).Vars()) {
				if _, seen := index[v.Name]; !seen {
					index[v.Name] = len(vars)
					vars = append(vars, v)
				}
			}
		}
	}
	values, err := b.s.Values(vars)
	if err != nil {
		return err
	}
	some := false
	for i, f := range formulas {
		value := comparison(f).Linear.Eval(func(v *smt.Var) *big.Int { return values[index[v.Name]] })
		if (value.Sign() >= 0) == (f.Op == smt.OpGE) && !shown[i] {
			shown[i], some = true, true
		}
	}
	if !some {
		return fmt.Errorf("internal error, please report: the model from %s does not satisfy what was asked",
			b.s.Name())
	}
	return nil
}

// comparison returns the comparison that a formula of this file is, or negates.
func comparison(f *smt.Formula) *smt.Formula {
	if f.Op == smt.OpNot {
		return f.Args[0]
	}
	return f
}

// order merges thresholds that imply each other and orders the classes.
func (b *graphBuilder) order(list []ta.Threshold) {
	b.s.Push()
	defer b.s.Pop()
	c, natural := symbolic.New(b.a, "c")
	b.s.Assert(smt.And(natural, c.Cond(b.a.Resilience)))
	n := len(list)
	implies := make([][]bool, n)
	refuted := make([][]bool, n)
	for i := range list {
		implies[i], refuted[i] = make([]bool, n), make([]bool, n)
	}
	for i := range list {
		b.s.Push()
		b.s.Assert(c.Threshold(list[i]))
		for j := range list {
			if b.over() {
				break // a solver that is interrupted answers at once, and again and again
			}
			switch {
			case i == j || chained(implies, i, j):
				implies[i][j] = true
			case independent(list[i], list[j]) || broken(implies, refuted, i, j):
				refuted[i][j] = true
			default:
				implies[i][j] = b.unsat(smt.Not(c.Threshold(list[j])))
				refuted[i][j] = !implies[i][j]
			}
		}
		b.s.Pop()
	}
	if b.over() {
		return
	}
	// A class comes after those it implies; ties are broken by first mention.
	var reps []int
	for i := range list {
		first := true
		for j := range i {
			first = first && (!implies[i][j] || !implies[j][i])
		}
		if first {
			reps = append(reps, i)
		}
	}
	below := func(i int) (n int) {
		for _, j := range reps {
			if implies[i][j] {
				n++
			}
		}
		return n
	}
	sort.SliceStable(reps, func(x, y int) bool { return below(reps[x]) < below(reps[y]) })
	for at, i := range reps {
		class := Class{Threshold: list[i]}
		for j := range list {
			if implies[i][j] && implies[j][i] {
				class.Members = append(class.Members, list[j])
				b.g.place[list[j].Key()] = place{Flips, at}
			}
		}
		for before, j := range reps[:at] {
			if implies[i][j] {
				class.Requires = append(class.Requires, before)
			}
		}
		b.g.Classes = append(b.g.Classes, class)
	}
}

// chained reports that i implies j by way of another threshold.
func chained(implies [][]bool, i, j int) bool {
	for k := range implies {
		if implies[i][k] && implies[k][j] {
			return true
		}
	}
	return false
}

// broken reports that i cannot imply j: something that implies i does not imply j, or i does not imply something that j
// implies. (A solver that does not know is taken to have refuted, which is safe; so is what follows from that.)
func broken(implies, refuted [][]bool, i, j int) bool {
	for k := range implies {
		if implies[k][i] && refuted[k][j] || implies[j][k] && refuted[i][k] {
			return true
		}
	}
	return false
}

// independent reports that t being true never makes u true, if something else makes t true and u false: there is a
// symbol that can be increased to make t true without making u true, or to make u false without making t false.
func independent(t, u ta.Threshold) bool {
	for _, e := range []ta.Linear{t.LHS, u.LHS} {
		for _, term := range e.Terms() {
			in, out := t.LHS.Coef(term.Var).Sign(), u.LHS.Coef(term.Var).Sign()
			if in > 0 && out <= 0 || in >= 0 && out < 0 {
				return true
			}
		}
	}
	return false
}

// Restrict returns the graph on some of the classes, whose order is kept.
func (g *ThresholdGraph) Restrict(keep func(class int) bool) *ThresholdGraph {
	out := &ThresholdGraph{place: map[string]place{}}
	at := map[int]int{}
	for i, c := range g.Classes {
		if !keep(i) {
			continue
		}
		at[i] = len(out.Classes)
		var requires []int
		for _, j := range c.Requires {
			if k, kept := at[j]; kept {
				requires = append(requires, k)
			}
		}
		for _, t := range c.Members {
			out.place[t.Key()] = place{Flips, at[i]}
		}
		c.Requires = requires
		out.Classes = append(out.Classes, c)
	}
	return out
}
