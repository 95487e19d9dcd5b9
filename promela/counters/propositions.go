package counters

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/promela/pml"
)

// claim is the argument of all, some or card: a condition on one process, in every state. Intervals may leave it open:
// possible says when some values of the counters make it true, and certain when all do.
type claim struct {
	expr              *pml.Expr
	possible, certain []*condition // by state
}

// inState reads what is said of a process with some control state: control is numbers, counters are variables.
func (t *translator) inState(locals []int64) *reading {
	return &reading{m: t.Model, params: &t.known, located: true, shared: sent,
		local: func(k int) amount { return t.local(k, locals[k]) }}
}

// claims lists the arguments of all, some and card in formulas, each once.
func (t *translator) claims() []*pml.Expr {
	var list []*pml.Expr
	seen := map[string]bool{}
	var visit func(e *pml.Expr)
	visit = func(e *pml.Expr) {
		if e.Op == pml.Name && e.Process == "" && t.Model.Atomics[e.Name] != nil {
			visit(t.Model.Atomics[e.Name])
			return
		}
		if e.Op == pml.All || e.Op == pml.Some || e.Op == pml.Card {
			if text := e.Args[0].String(); !seen[text] {
				seen[text] = true
				list = append(list, e.Args[0])
			}
			return
		}
		for _, a := range e.Args {
			visit(a)
		}
	}
	for _, f := range append(slices.Clone(t.Model.Formulas), t.Model.Fairness...) {
		visit(t.joined(f.Formula))
	}
	return list
}

// formulaBounds collects what formulas compare counters with.
func (t *translator) formulaBounds() error {
	starts, err := starts(t.Model, &t.known)
	if err != nil {
		return err
	}
	for _, e := range t.claims() {
		for _, s := range t.controlStates() {
			c, err := truth(e, t.inState(s.locals))
			if err != nil {
				return err
			}
			same := make([]amount, len(t.counting))
			for k := range same {
				same[k] = counter.Of(counter.Received, k)
			}
			t.boundsOf(c, path{locals: same})
			if t.Precise {
				t.receptions(c, starts)
			}
		}
	}
	return nil
}

// fixed reports in which states counters have their first values: processes
// start there, and no step leads there but such that keep everything.
func (t *translator) fixed() []bool {
	out := make([]bool, len(t.states))
	for i, s := range t.states {
		out[i] = s.start
	}
	for i, m := range t.form.Moves {
		out[m.To] = out[m.To] && m.From == m.To && t.ways[i].keeps
	}
	return out
}

// receptions adds, for counters that a claim compares with what was sent, the bound above their first value: a process
// that has received nothing yet, and cannot take a step without leaving, is not confused with one that has received a
// little.
func (t *translator) receptions(c *condition, starts []begin) {
	for _, q := range c.Atoms(nil) {
		if !q.lin.Has(counter.Quantity.Shared) {
			continue
		}
		for _, v := range termsOf(q.lin, counter.Received).Vars() {
			for _, s := range starts {
				t.addBound(of(v), s.locals[v.Index].Plus(1))
			}
		}
	}
}

// claim evaluates a claim in all states.
func (t *translator) claim(e *pml.Expr) (*claim, error) {
	out := &claim{expr: e}
	cache := map[string][2]*condition{}
	fixed := t.fixed()
	for i := range t.states {
		s := &t.states[i]
		c, err := truth(e, t.inState(s.locals))
		if err != nil {
			return nil, err
		}
		if fixed[i] && len(s.values) == 1 { // no process comes here: counters are as they were at first
			for k, counting := range t.counting {
				if counting {
					c = boolean.Map(c, func(q inequality) *condition {
						return atLeast0(q.lin.With(counter.Received.Numbered(k), s.values[0][k]))
					})
				}
			}
		}
		key := fmt.Sprint(conditionKey(c), s.cells)
		known, ok := cache[key]
		if !ok {
			possible, err := t.someValue(c, s)
			if err != nil {
				return nil, err
			}
			not, err := t.someValue(c.Negate(), s)
			if err != nil {
				return nil, err
			}
			known = [2]*condition{possible, not.Negate()}
			cache[key] = known
		}
		out.possible, out.certain = append(out.possible, known[0]), append(out.certain, known[1])
	}
	return out, nil
}

// someValue says when some values of the counters, in their cells, satisfy a condition.
func (t *translator) someValue(c *condition, s *state) (*condition, error) {
	cases, ok := casesOf(c)
	if !ok {
		return nil, fmt.Errorf("a proposition has more than %d cases", maxCases)
	}
	out := never
	for _, all := range cases {
		list := slices.Clone(all)
		for i, k := range t.counters {
			list = append(list, k.inCell(k.value, k.cells[s.cells[i]])...)
		}
		said, _ := t.eliminate(list, counter.Is(counter.Received))
		if guard, ok := t.guards.Simplify(said); ok {
			out = boolean.Or(out, allAtLeast0(guard))
		}
	}
	return out, nil
}
