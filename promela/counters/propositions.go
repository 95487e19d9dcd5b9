package counters

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/promela/pml"
)

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

// claim evaluates a claim in all states.
func (t *translator) claim(e *pml.Expr) (*claim, error) {
	out := &claim{expr: e}
	cache := map[string][2]*condition{}
	fixed := t.fixed()
	for i := range t.states {
		s := &t.states[i]
		holds, not, err := t.inState(s.locals).either(e)
		if err != nil {
			return nil, err
		}
		if fixed[i] && len(s.values) == 1 { // no process comes here: counters are as they were at first
			first := func(q inequality) *condition { return atLeast0(after(q.lin, s.values[0], nil)) }
			holds, not = boolean.Map(holds, first), boolean.Map(not, first)
		}
		key := fmt.Sprint(conditionKey(holds), conditionKey(not), s.cells)
		known, ok := cache[key]
		if !ok {
			possible, err := t.someValue(holds, s)
			if err != nil {
				return nil, err
			}
			not, err := t.someValue(not, s)
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
		said, _ := t.eliminate(list, counter.Is(counter.Received, counter.Drawn))
		if guard, ok := t.guards.Simplify(said); ok {
			out = boolean.Or(out, allAtLeast0(guard))
		}
	}
	return out, nil
}
