package trace

import (
	"fmt"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
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
	for _, c := range f.cases {
		if v := f.value(c.Formula, over); len(v) > 0 && v[0] {
			return true
		}
	}
	return false
}

// value evaluates a formula at each state of a run that may go on in any way, or is over: what has been
// decided is true.
func (f *formulas) value(g *interp.Formula, over bool) []bool {
	if g.Op == "" {
		return f.atoms[g]
	}
	args := lists.Map(g.Args, func(a *interp.Formula) []bool { return f.value(a, over) })
	n := 0
	for _, a := range args {
		n = len(a)
	}
	out := make([]bool, n)
	next := over && (g.Op == ftdp.Globally || g.Op == ftdp.Release) // in its last state for ever
	for i := n - 1; i >= 0; i-- {
		switch g.Op {
		case ftdp.And, ftdp.Or:
			next = g.Op == ftdp.And
			for _, a := range args {
				if a[i] != next {
					next = !next
					break
				}
			}
		case ftdp.Finally:
			next = args[0][i] || next
		case ftdp.Globally:
			next = args[0][i] && next // only a run that is over could satisfy it
		case ftdp.Until:
			next = args[1][i] || args[0][i] && next
		case ftdp.Release:
			next = args[1][i] && (args[0][i] || next)
		default:
			panic(fmt.Sprint("trace: no such operator: ", g.Op))
		}
		out[i] = next
	}
	return out
}
