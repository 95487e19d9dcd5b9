package trace

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
)

// formulas follows what a formula says along a run: for each condition in it one truth value
// a state, and nothing else of the state.
type formulas struct {
	cases []interp.Case
	atoms map[*interp.Formula][]bool
	err   error
}

func newFormulas(m *protocol.Model, p *protocol.Prop) *formulas {
	f := &formulas{atoms: map[*interp.Formula][]bool{}}
	if p.Invariant != nil {
		return f
	}
	f.cases, _, f.err = interp.Violation(m, p, false)
	for _, c := range f.cases {
		f.collect(c.Formula)
	}
	return f
}

func (f *formulas) collect(g *interp.Formula) {
	if g.Op == "" {
		f.atoms[g] = nil
	}
	for _, a := range g.Args {
		f.collect(a)
	}
}

func (f *formulas) add(x *interp.Interpreter, s *protocol.State) error {
	if f.err != nil {
		return f.err
	}
	for g, list := range f.atoms {
		v, err := x.HoldsWith(s, g.Cond, g.Frame)
		if err != nil {
			return err
		}
		f.atoms[g] = append(list, v != g.Negated)
	}
	return nil
}

// violated reports whether the run violates the formula, however it goes on; over says that it can stay in its last
// state only.
func (f *formulas) violated(over bool) bool {
	n, loop := 0, -1
	for _, list := range f.atoms {
		n = len(list)
	}
	if over {
		loop = n - 1
	}
	return slices.ContainsFunc(f.cases, func(c interp.Case) bool {
		v, err := c.Formula.Along(n, loop, func(g *interp.Formula) ([]bool, error) { return f.atoms[g], nil })
		return err == nil && n > 0 && v[0]
	})
}
