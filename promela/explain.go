package promela

import (
	"fmt"

	"tacheck/run"
)

// Why says why a run violates a formula, in the formula's own words: what is
// assumed, what happens, what does not. The lines are of the kinds that
// counterexamples of automata are explained with.
func (c *Counterexample) Why() (run.Explanation, error) {
	m := c.Run.Instance.m
	worlds, err := c.Run.Worlds()
	if err != nil {
		return nil, err
	}
	x := &teller{m: m, run: c.Run, worlds: worlds}
	for i := range m.Formulas {
		if f := &m.Formulas[i]; f.Name == c.Spec {
			for _, fair := range m.assumed(f.Formula) {
				x.add(run.Assumed, 0, "%s: %s", fair.Name, fair.Formula)
			}
			x.tell(f.Formula, 0, false)
		}
	}
	return x.out, x.err
}

type teller struct {
	m      *Model
	run    *Run
	worlds []*World
	out    run.Explanation
	err    error
}

func (x *teller) add(kind run.Kind, step int, format string, args ...any) {
	x.out = append(x.out, run.Reason{Kind: kind, Text: fmt.Sprintf(format, args...), Step: step})
}

// truth returns where a formula is true.
func (x *teller) truth(e *Expr) []bool {
	v, err := x.run.values(x.m.temporal(e, false), x.worlds)
	if err != nil {
		x.err = err
		return make([]bool, len(x.worlds))
	}
	return v
}

// when names a place of the run.
func (x *teller) when(at int) string {
	if at == 0 {
		return "at the start"
	}
	return fmt.Sprintf("after step %d", at)
}

// tell says why a formula has a value at a place.
func (x *teller) tell(e *Expr, at int, value bool) {
	switch {
	case e.Op == Name && e.Process == "" && x.m.atomics[e.Name] != nil && x.m.isTemporal(e):
		x.tell(x.m.atomics[e.Name], at, value)
	case e.Op == Not:
		x.tell(e.Args[0], at, !value)
	case e.Op == Equivalent && x.m.isTemporal(e):
		x.tell(e.bothWays(), at, value)
	case e.Op == Implies && !value:
		x.add(run.Assumed, at, "%s: %s", x.when(at), e.Args[0])
		x.tell(e.Args[1], at, false)
	case !x.m.isTemporal(e):
		x.proposition(e, at, value)
	case e.Op == Globally && !value, e.Op == Finally && value:
		truth := x.truth(e.Args[0])
		for i := at; i < len(truth); i++ {
			if truth[i] == value {
				if value {
					x.add(run.Happens, i, "%s: %s", x.when(i), e.Args[0])
				}
				x.tell(e.Args[0], i, value)
				return
			}
		}
		// It was so earlier in the loop, and is again.
		for i := max(0, x.run.Loop); i < at; i++ {
			if truth[i] == value {
				x.tell(e.Args[0], i, value)
				return
			}
		}
	case e.Op == Finally && !value:
		x.add(run.Never, at, "%s: %s", x.when(at), e.Args[0])
		if !x.m.isTemporal(e.Args[0]) {
			x.proposition(e.Args[0], len(x.worlds)-1, false)
		}
	case e.Op == And && !value, e.Op == Or && value:
		for _, a := range e.Args {
			if x.truth(a)[at] == value {
				x.tell(a, at, value)
				return
			}
		}
	default:
		for _, a := range e.Args {
			if x.truth(a)[at] == value {
				x.tell(a, at, value)
			}
		}
	}
}

// proposition says who makes a proposition false or true.
func (x *teller) proposition(e *Expr, at int, value bool) {
	if value {
		return // that is what was said
	}
	text := fmt.Sprintf("%s: %s is false", x.when(at), e)
	if def := x.m.atomics[e.Name]; e.Op == Name && def != nil {
		e = def
		text += fmt.Sprintf(", %s", e)
	}
	if e.Op == All {
		f := &frame{in: x.run.Instance, shared: x.worlds[at].Shared}
		for _, l := range x.worlds[at].Processes {
			f.who = l
			if v, err := f.eval(e.Args[0]); err == nil && v == 0 {
				text += fmt.Sprintf(" (a process is %s)", x.run.Instance.Describe(l))
				break
			}
		}
	}
	x.add(run.Broken, at, "%s", text)
}
