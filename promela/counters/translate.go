// Package counters makes threshold automata of Promela (translate.go): local states found by symbolic execution of
// steps (symbolic.go), receive counters by intervals (cells.go), guards without what was received (package counter),
// formulas (specification.go). Counterexamples become runs of processes by concrete.go.
package counters

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Translate makes an automaton of a model. The error is a diag.List, perhaps a Meaningless one, or ctx's.
//
// With precise, more intervals tell apart how far two counters together are from bounds that their sum is compared
// with: the automaton is larger, and fewer of its counterexamples are none of the model.
func Translate(ctx context.Context, m *promela.Model, precise bool) (*Translation, error) {
	if err := m.Concrete.Err(); err != nil {
		return nil, err
	}
	t := &translator{Translation: &Translation{Model: m, Precise: precise, index: map[string][]int{},
		counting: make([]bool, len(m.Locals))}, ctx: ctx,
		control: map[string]*controlState{}, cache: map[string][]step{}}
	t.known.Over = func() bool { return ctx.Err() != nil }
	t.form = counter.Form{At: loop(m), Called: t.called, Known: &t.known, Exact: true}
	t.guards = counter.Guards{Known: &t.known, Signed: t.signed,
		First: func(q counter.Quantity) int64 { return m.Shared[q.Index].Init }}
	for _, phase := range []func() error{t.assume, t.findCounters, t.findBounds, t.findInvariants, t.findCells,
		t.explore, t.findStops, t.begin, t.merge, t.unmix, t.build} {
		err := phase()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
	}
	t.Tree = t.automaton.File()
	return t.Translation, nil
}

// errRestart says that another variable turned out to be a counter.
var errRestart = errors.New("another counter")

// findCounters executes steps from all control states. A variable that gets a
// value that is not a number is a counter: then everything starts again.
func (t *translator) findCounters() error {
	for {
		err := t.tryControl()
		if !errors.Is(err, errRestart) {
			return err
		}
	}
}

func (t *translator) tryControl() error {
	clear(t.control)
	starts, err := starts(t.Model, &t.known)
	if err != nil {
		return err
	}
	var queue []*controlState
	grows, compared := t.Model.Growing()
	taken := make([]map[int64]bool, len(t.Model.Locals))
	add := func(locals []amount, before []int64) error {
		values := make([]int64, len(locals))
		for k, l := range locals {
			if t.counting[k] {
				continue
			}
			if !l.IsConst() {
				t.counting[k] = true
				return errRestart
			}
			values[k] = l.Const().Int64()
			if !grows[k] || before == nil || before[k] == values[k] {
				continue
			}
			if taken[k] == nil {
				taken[k] = map[int64]bool{}
			}
			if taken[k][values[k]] = true; compared[k] || len(taken[k]) > promela.ManyValues {
				t.counting[k] = true
				return errRestart
			}
		}
		if key := t.controlKey(values); t.control[key] == nil {
			c := &controlState{locals: values}
			t.control[key] = c
			queue = append(queue, c)
		}
		return nil
	}
	for _, s := range starts {
		if err := add(s.locals, nil); err != nil {
			return err
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if len(t.control) > maxStates {
			most := 0
			for k := range taken {
				if len(taken[k]) > len(taken[most]) {
					most = k
				}
			}
			v := t.Model.Locals[most]
			return diag.Wrong(v.Pos, len(v.Name),
				"the process has more than %d control states; %s has %d values: let a step set it only to numbers, "+
					"to itself, or to a number more or less", maxStates, v.Name, len(taken[most]))
		}
		c := queue[0]
		if c.paths, err = paths(t.Model, &t.known, t.before(c.locals)); err != nil {
			return err
		}
		for _, p := range c.paths {
			if err := add(p.locals, c.locals); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *translator) state(s state) int {
	key := t.stateKey(&s)
	for _, i := range t.index[key] {
		if slices.Equal(t.states[i].adds, s.adds) {
			return i
		}
	}
	t.index[key] = append(t.index[key], len(t.states))
	t.states = append(t.states, s)
	return len(t.states) - 1
}

// explore finds the states that can be reached and the moves between them.
func (t *translator) explore() error {
	starts, err := starts(t.Model, &t.known)
	if err != nil {
		return err
	}
	for _, b := range starts {
		s := state{locals: make([]int64, len(b.locals)), start: true, adds: added(b.adds)}
		for k, l := range b.locals {
			if !t.counting[k] {
				s.locals[k] = l.Const().Int64()
			}
		}
		if err := t.starts(s, b.locals); err != nil {
			return err
		}
	}
	for i := 0; i < len(t.states); i++ {
		if len(t.states) > maxStates || len(t.form.Moves) > maxMoves {
			return diag.Wrong(scan.Place(t.Model.Loop[0].Pos), 2,
				"the automaton has more than %d locations or %d rules", maxStates, maxMoves)
		}
		if t.ctx.Err() != nil {
			return t.ctx.Err()
		}
		if err := t.from(i); err != nil {
			return err
		}
	}
	return nil
}

// starts adds the states in which processes with the given first values start:
// one, unless it depends on parameters in which cells these are.
func (t *translator) starts(s state, locals []amount) error {
	if n := len(s.cells); n < len(t.counters) {
		c := &t.counters[n]
		for k, cell := range c.cells {
			here := c.inCell(after(c.value, locals, nil), cell)
			if when, ok := t.guards.Simplify(slices.Concat(s.when, here)); ok {
				next := s
				next.cells, next.when = append(slices.Clone(s.cells), k), when
				if err := t.starts(next, locals); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if !t.known.Possible(s.when...) {
		return nil
	}
	i := t.state(s)
	t.states[i].start, t.states[i].when = true, s.when
	t.states[i].values = append(t.states[i].values, locals)
	return nil
}

// from adds the moves out of a state.
func (t *translator) from(i int) error {
	s := t.states[i]
	paths := t.control[t.controlKey(s.locals)].paths
	for k := range paths {
		p := &paths[k]
		if p.vague != "" {
			t.inexact(p, p.vague)
		} else if p.partial {
			t.inexact(p, "the automaton lets a step go on whatever this says of other processes")
		}
		key := fmt.Sprint(t.controlKey(s.locals), k, s.cells)
		steps, known := t.cache[key]
		if !known {
			var err error
			if steps, err = t.steps(p, s.cells); err != nil {
				return err
			}
			t.cache[key] = steps
		}
		for _, st := range steps {
			next := state{locals: make([]int64, len(s.locals)), cells: st.cells}
			for k, l := range p.locals {
				if !t.counting[k] {
					next.locals[k] = l.Const().Int64()
				}
			}
			keeps := true
			for k, counting := range t.counting {
				keeps = keeps && (!counting || p.locals[k].Equal(counter.Of(counter.Received, k)))
			}
			t.ways = append(t.ways, way{p.taken, keeps})
			t.form.Moves = append(t.form.Moves, counter.Move{At: placed(t.Model, p.taken), From: i, To: t.state(next),
				Guard: st.guard, Adds: added(p.adds), Remark: "lines " + strings.Join(promela.Lines(p.taken), ", ")})
		}
	}
	return nil
}

// steps returns all steps of a path from given cells.
func (t *translator) steps(p *path, cells []int) ([]step, error) {
	cases, ok := casesOf(boolean.And(p.when...))
	if !ok {
		return nil, diag.Wrong(p.taken[len(p.taken)-1], 2,
			"the conditions of a path have more than %d cases", maxCases)
	}
	var out []step
	for _, all := range cases {
		list := slices.Clone(all)
		for i, c := range t.counters {
			list = append(list, c.inCell(c.value, c.cells[cells[i]])...)
		}
		t.complete(p, list, nil, &out)
	}
	return out, nil
}

// complete chooses the next cells of further counters, one by one, as long as that is possible.
func (t *translator) complete(p *path, list []amount, cells []int, out *[]step) {
	said, exact := t.eliminate(list, counter.Is(counter.Received, counter.Drawn))
	guard, ok := t.guards.Simplify(said)
	if !ok {
		return
	}
	if len(cells) == len(t.counters) {
		if !exact {
			t.inexact(p, "counters are multiplied: intervals say too little about them")
		}
		t.suspicious(p)
		*out = append(*out, step{slices.Clone(cells), guard})
		return
	}
	c := &t.counters[len(cells)]
	for k, cell := range c.cells {
		longer := append(list[:len(list):len(list)], c.inCell(after(c.value, p.locals, nil), cell)...)
		t.complete(p, longer, append(cells, k), out)
	}
}

// suspicious notes what makes a path inexact: it looks at more of a counter than intervals say.
func (t *translator) suspicious(p *path) {
	for _, q := range boolean.And(p.when...).Atoms(nil) {
		old, drawn := termsOf(q.lin, counter.Received), termsOf(q.lin, counter.Drawn)
		sent := q.lin.Has(counter.Quantity.Shared)
		switch {
		case len(old.Terms())+len(drawn.Terms()) == 0, len(drawn.Terms()) == 1 && len(old.Terms()) == 1 &&
			q.lin.Sub(old).Sub(drawn).IsConst():
		case len(old.Terms())+len(drawn.Terms()) == 1 && !sent:
		case len(drawn.Terms()) == 1 && len(old.Terms()) == 0 && drawn.Coef(drawn.Vars()[0]).Is(-1):
			// at most what was sent
		default:
			t.inexact(p,
				"counters are compared with each other or with what was sent: intervals say too little about them")
		}
	}
}

// build makes the automaton.
func (t *translator) build() error {
	t.name()
	m := t.Model
	b := &syntax.Builder{Name: syntax.Identifier(m.Name), At: loop(m),
		Remarks: []string{fmt.Sprintf("Translated from %s: %d locations and %d rules, merged to %d and %d.", m.File,
			t.Before[0], t.Before[1], t.After[0], t.After[1])}}
	t.automaton = b
	for i := range t.counters {
		c := &t.counters[i]
		list := lists.Map(c.bounds, t.text)
		b.Remarks = append(b.Remarks, fmt.Sprintf("%s is known by whether it is at least: %s", t.text(c.value),
			strings.Join(list, ", ")))
	}
	for _, p := range m.Params {
		b.Parameters = append(b.Parameters, syntax.Origin{At: m.Symbols[p].Pos, Width: len(p)}.Ident(p))
	}
	for _, e := range m.Assume {
		c, err := truth(e, t.parameters())
		if err != nil {
			return err
		}
		b.Assumptions = append(b.Assumptions, t.condition(loop(m), c))
	}
	if t.Stops {
		t.form.Groups = append(t.form.Groups, counter.Group{Locations: []int{len(t.first)}, Count: number(1)})
		t.form.Locations = append(t.form.Locations, counter.Location{Name: runs, At: loop(m), Start: true},
			counter.Location{Name: stops, At: loop(m)})
	}
	t.form.Build(b)
	if t.Stops {
		b.Move(loop(m), runs, stops).Remark = "nobody can move any more"
		b.Move(loop(m), stops, stops)
	}
	return t.specifications()
}
