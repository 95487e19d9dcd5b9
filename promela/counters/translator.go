package counters

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/ta/syntax"
)

// maxStates and maxMoves bound automata.
const (
	maxStates = 20_000
	maxMoves  = 200_000
)

// Translation is a model as an automaton, with what is needed to go back.
type Translation struct {
	Model   *promela.Model
	Precise bool
	Tree    *syntax.File // the automaton
	// Inexact says why a counterexample of the automaton need not be one of the model; nil if it always is.
	Inexact []Reason
	// Before and After count locations and rules before and after what no guard and no formula tells apart was merged.
	Before, After [2]int
	Stops         bool             // runs may end: there is a process for that (stop.go)
	Decided       []*promela.Named // the specifications of the automaton, in order
	Outside       []Outside

	precise  *Translation  // made when it is asked for
	known    counter.Known // of parameters
	form     counter.Form
	counters []measure // variables first, then sums
	states   []state
	class    []int            // by state: its location
	first    []int            // by location: a state of it
	ways     []way            // by move
	named    []string         // differences
	index    map[string][]int // of states, by key: they differ in what starts add
	counting []bool           // locals that are counters
}

// Reason is a place in the model, and what is the matter with it.
type Reason struct {
	Pos  diag.Pos
	Text string
}

// state is a local state: values of control variables, and a cell for each counter.
type state struct {
	locals []int64 // 0 for counters
	cells  []int
	start  bool
	adds   []counter.Add // if it is a start that adds to shared variables, what: a state of its own
	values [][]amount    // if it is a start, what the variables are
	when   []amount      // if it is a start, only for parameters that make these at least 0
}

// way is how a process takes a move.
type way struct {
	taken []diag.Pos
	keeps bool // counters stay as they are
}

type translator struct {
	*Translation
	ctx     context.Context
	guards  counter.Guards
	control map[string]*controlState // by control state
	cache   map[string][]step
	valued  []*claim
	// invariant holds of every process at all times: all at least 0.
	invariant []amount
	automaton *syntax.Builder
	assumed   []*syntax.Expr // by specifications whose counterexamples are infinite
	stuck     []*condition   // by state: when a process there may be unable to move
}

// before returns the symbolic local state of a control state.
func (t *translator) before(locals []int64) []amount {
	out := make([]amount, len(locals))
	for k, v := range locals {
		out[k] = t.local(k, v)
	}
	return out
}

// local is a variable: what has been received if it is a counter, else a number.
func (t *translator) local(k int, value int64) amount {
	if t.counting[k] {
		return counter.Of(counter.Received, k)
	}
	return number(value)
}

// parameters reads expressions over parameters.
func (t *translator) parameters() *reading { return &reading{m: t.Model, params: &t.known} }

// signed reports whether a quantity is a counter that may be negative.
func (t *translator) signed(q counter.Quantity) bool {
	return q.Kind == counter.Received && !slices.ContainsFunc(t.invariant, of(q).Equal)
}

// claim is the argument of all, some or card: a condition on one process, in every state. Intervals may leave it open:
// possible says when some values of the counters make it true, and certain when all do.
type claim struct {
	expr              *pml.Expr
	possible, certain []*condition // by state
}

// measure is a quantity of a process that is known up to intervals only: a local
// variable, or a sum of some that are compared together.
//
// Why sums: a process waits while r0 + r1 < N - T, under fairness r0 >= s0 and r1 >= s1. It leaves once s0 + s1 >=
// N - T, and no finite set of bounds on r0 and r1 alone shows that. With k bounds for each, the line r0 + r1 = N -
// T passes through at most 2k + 1 products of intervals; if N - T > 2k, one product has two neighbours on it, (x,
// y) and (x + 1, y - 1). It has (x, y - 1), where the process may wait, and (x + 1, y), where it has received all
// of s0 = x + 1 and s1 = y. So that automaton lets the process wait for ever. Eliminating r0 and r1 with the sum
// as one more quantity leaves s0 + s1 < N - T.
type measure struct {
	value  amount   // over local variables (counter.Received)
	bounds []amount // over parameters
	cells  [][]bool // which of the bounds are reached: combinations that are possible
}

// number is the value in a local state.
func (c *measure) number(l promela.Local) int64 {
	return c.value.At(func(v counter.Quantity) int64 { return l[v.Index] }).Int64()
}

// inCell says that a value is in a cell: constraints that are at least 0.
func (c *measure) inCell(value amount, cell []bool) []amount {
	var list []amount
	for i, reached := range cell {
		above := value.Sub(c.bounds[i])
		if !reached {
			above = above.Complement()
		}
		list = append(list, above)
	}
	return list
}

// controlState are values of all variables that are no counters, and the paths from there.
type controlState struct {
	locals []int64 // 0 for counters
	paths  []path
}

func (t *Translation) controlKey(locals []int64) string {
	key := ""
	for k, v := range locals {
		if !t.counting[k] {
			key += fmt.Sprint(v, ",")
		}
	}
	return key
}

func (t *Translation) stateKey(s *state) string {
	return fmt.Sprint(t.controlKey(s.locals), s.cells)
}

// controlStates lists the control states in order.
func (t *translator) controlStates() []*controlState {
	return lists.Map(slices.Sorted(maps.Keys(t.control)), func(key string) *controlState { return t.control[key] })
}

// step is a way from cells to cells: what it asks of shared variables and parameters.
type step struct {
	cells []int // by counter
	guard []amount
}

// Outside is a formula that automata cannot decide.
type Outside struct {
	Formula *promela.Named
	Why     string
}

// loop is the place of the process, for what nothing else of the text is the reason of.
func loop(m *promela.Model) syntax.Origin {
	return syntax.Origin{At: scan.Place(m.Loop[0].Pos), Width: 2}
}

// placed is the place of a step.
func placed(m *promela.Model, taken []diag.Pos) syntax.Origin {
	if len(taken) == 0 {
		return loop(m)
	}
	return syntax.Origin{At: taken[len(taken)-1], Width: 2}
}

// origin is the place of a formula.
func origin(f *promela.Named) syntax.Origin { return syntax.Origin{At: f.Pos, Width: len(f.Name)} }

// text prints a sum: what is added first.
func (t *translator) text(l amount) string {
	return l.Text(func(v counter.Quantity) string {
		if v.Kind == counter.Quotient {
			f := t.known.Floors[v.Index]
			return fmt.Sprintf("((%s) / %d)", t.text(f.Of), f.By)
		}
		return t.called(v)
	})
}

// called is the name of a variable.
func (t *translator) called(v counter.Quantity) string {
	switch v.Kind {
	case counter.At:
		return t.at(v.Index)
	case counter.Parameter:
		return t.Model.Params[v.Index]
	case counter.Received:
		return t.Model.Locals[v.Index].Name
	}
	if v.Kind == counter.Difference {
		return t.named[v.Index]
	}
	return t.Model.Shared[v.Index].Name
}

// at is the name of a location.
func (t *Translation) at(l int) string { return t.form.Locations[l].Name }

// inState reads what is said of a process with some control state: control is numbers, counters are variables.
func (t *translator) inState(locals []int64) *reading {
	return &reading{m: t.Model, params: &t.known, located: true, shared: sent,
		local: func(k int) amount { return t.local(k, locals[k]) }}
}

// added is what a step adds to shared variables.
func added(list []int64) (out []counter.Add) {
	for k, n := range list {
		if n > 0 {
			out = append(out, counter.Add{Of: counter.Sent.Numbered(k), By: n})
		}
	}
	return out
}

func (t *translator) condition(o syntax.Origin, c *condition) *syntax.Expr {
	return boolean.Fold(c, func(q inequality) *syntax.Expr { return t.form.AtLeast0(o, q.lin) },
		func(op boolean.Op, list []*syntax.Expr) *syntax.Expr {
			if op == boolean.OpAnd {
				return counter.And(o, list)
			}
			return o.Or(list...)
		})
}

func (t *translator) inexact(p *path, text string) {
	r := Reason{Text: text}
	if len(p.taken) > 0 {
		r.Pos = p.taken[len(p.taken)-1]
	}
	t.Inexact = lists.Union(t.Inexact, r)
}
