package counters

import (
	"errors"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
)

// A loop in a step that makes one variable larger by 1 again and again, as long as a
// condition allows it, and that everything else leaves, needs no unrolling: the
// variable becomes any larger number before which the condition allowed it.

// growing is such a loop.
type growing struct {
	option *pml.Option
	guard  *pml.Expr // nil if there is none
	local  int
}

// grows recognises one.
func growingLoop(m *promela.Model, s *pml.Statement) (g growing, ok bool) {
	for _, o := range s.Do {
		list := does(o)
		if k := len(list) - 1; k >= 0 && (list[k].Break != "" || list[k].Goto != nil) {
			continue // it is left
		}
		if o.Else != "" || g.option != nil || len(list) == 0 || len(list) > 2 {
			return g, false
		}
		g.option = o
		if len(list) == 2 {
			if g.guard = list[0].Asks(); g.guard == nil || m.Others(g.guard) {
				return g, false
			}
		}
		set := list[len(list)-1].Set
		if set == nil {
			return g, false
		}
		sym := m.Symbols[set.Name.Name]
		n, known := promela.Increment(set)
		if g.local = sym.Index; sym.Kind != promela.LocalName || !known || n != 1 {
			return g, false
		}
	}
	return g, g.option != nil
}

// does lists the statements of an alternative that do something.
func does(o *pml.Option) []*pml.Statement {
	return slices.DeleteFunc(slices.Concat(o.Body, o.Rest), func(s *pml.Statement) bool {
		return s.Sep != "" || s.Skip != "" || s.Printf != nil || s.Label != nil || s.Vars != nil
	})
}

// accelerate executes a loop that grows; done is false if it is none.
func (x *executor) accelerate(s *pml.Statement, then func(*executor) error) (done bool, err error) {
	g, ok := growingLoop(x.m, s)
	if !ok {
		return false, nil
	}
	drawn := counter.Of(counter.Drawn, x.havocs)
	before := x.locals[g.local]
	grown := x.fork()
	grown.havocs++
	grown.taken = append(grown.taken, scan.Place(g.option.Pos))
	if g.guard != nil {
		grown.locals[g.local] = drawn.Plus(-1) // before it grew for the last time
		c, err := truth(g.guard, grown.read())
		if open := (*undecided)(nil); errors.As(err, &open) {
			return false, nil
		}
		if err != nil {
			return true, err
		}
		rises := func(q inequality) bool { return q.lin.Coef(counter.Drawn.Numbered(x.havocs)).Sign() > 0 }
		if slices.ContainsFunc(c.Atoms(nil), rises) { // true at the last number does not mean true at all before it
			return false, nil
		}
	}
	leaves := func(x *executor) error {
		return x.chooseOf(s.Do, func(o *pml.Option) bool { return o != g.option }, nil, then)
	}
	if err := leaves(x.fork()); err != nil { // at once
		return true, err
	}
	// What is drawn is a natural number: a variable that may be negative becomes one, or
	// grows by one and stays negative.
	for _, negative := range []bool{false, true} {
		y := grown.fork()
		final, wanted := drawn, drawn.Sub(before).Plus(-1)
		if negative {
			final = before.Add(drawn)
			wanted = final.Complement()
		}
		y.locals[g.local] = final.Plus(-1)
		c := always
		if g.guard != nil {
			if c, err = truth(g.guard, y.read()); err != nil {
				return true, err
			}
		}
		y.locals[g.local] = final
		if y.require(c) && y.require(atLeast0(wanted)) && (!negative || y.require(atLeast0(drawn.Plus(-1)))) {
			if err := leaves(y); err != nil {
				return true, err
			}
		}
	}
	return true, nil
}
