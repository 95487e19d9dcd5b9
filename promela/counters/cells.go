package counters

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
)

// findBounds collects what counters are compared with, in steps and formulas.
func (t *translator) findBounds() error {
	for k, counting := range t.counting {
		if counting {
			t.counters = append(t.counters, measure{value: counter.Of(counter.Received, k)})
		}
	}
	for _, s := range t.controlStates() {
		for _, p := range s.paths {
			for _, c := range p.when {
				t.boundsOf(c, p)
			}
		}
	}
	if err := t.formulaBounds(); err != nil {
		return err
	}
	if t.Precise {
		t.crossings()
	}
	return nil
}

// boundsOf notes what a condition compares values with: before a step, or after it.
func (t *translator) boundsOf(c *condition, p path) {
	for _, q := range c.Atoms(nil) {
		t.boundsOfSum(q.lin, p)
	}
}

func (t *translator) boundsOfSum(l amount, p path) {
	values := termsOf(l, counter.Received, counter.Drawn)
	if len(values.Terms()) == 0 || l.Has(counter.Quantity.Shared) {
		return
	}
	if len(values.Terms()) > 1 && (values.Rises() || values.Neg().Rises()) {
		// A sum is compared: it reaches the bound if one of them does.
		for _, v := range values.Vars() {
			t.boundsOfSum(l.Sub(values).AddScaled(values.Coef(v), of(v)), p)
		}
	}
	t.kept(values.Vars(), values, number(0), l.Sub(values), p)
}

// kept says what a step compares, values + rest with 0, of variables: those that have the values
// after it which it draws.
func (t *translator) kept(left []counter.Quantity, values, value, rest amount, p path) {
	if len(left) == 0 {
		t.compared(value, rest)
		return
	}
	v, n := left[0], values.Coef(left[0])
	if v.Kind == counter.Received {
		t.kept(left[1:], values, value.AddScaled(n, of(v)), rest, p)
		return
	}
	for k, final := range p.locals {
		if t.counting[k] && final.Coef(v).Is(1) && len(final.Terms()) == 1 { // it is v and a number
			t.kept(left[1:], values, value.AddScaled(n, counter.Of(counter.Received, k)),
				rest.AddScaled(n.Neg().Mul(final.Const()), number(1)), p)
		}
	}
}

// crossings adds bounds that tell apart who has just reached a bound, by a step that makes a counter larger by a
// number, from who has gone on: everything may have arrived at the latter, and not at the former.
func (t *translator) crossings() {
	for k := range t.counting {
		old := counter.Of(counter.Received, k)
		i := slices.IndexFunc(t.counters, func(c measure) bool { return c.value.Equal(old) })
		if i < 0 {
			continue
		}
		bounds, grown := slices.Clone(t.counters[i].bounds), map[int64]bool{}
		for _, s := range t.controlStates() {
			for _, p := range s.paths {
				more := p.locals[k].Sub(old)
				if n := more.Const(); more.IsConst() && n.Sign() > 0 && !grown[n.Int64()] {
					grown[n.Int64()] = true
					for _, b := range bounds {
						t.addBound(old, b.Plus(n.Int64()))
					}
				}
			}
		}
	}
}

// compared notes that value + rest is compared with 0.
func (t *translator) compared(value, rest amount) {
	bound := rest.Neg() // value >= bound
	vars := value.Vars()
	if len(vars) == 0 {
		return
	}
	if value.Coef(vars[0]).Sign() < 0 {
		value, bound = value.Neg(), rest.Plus(1) // value < bound
	}
	if !t.Precise && (len(vars) > 1 || !value.Coef(vars[0]).Is(1)) {
		return
	}
	t.addBound(value, bound)
}

func (t *translator) addBound(value, bound amount) {
	i := slices.IndexFunc(t.counters, func(c measure) bool { return c.value.Equal(value) })
	if i < 0 {
		i = len(t.counters)
		t.counters = append(t.counters, measure{value: value})
	}
	c := &t.counters[i]
	if !slices.ContainsFunc(c.bounds, func(l amount) bool { return l.Equal(bound) }) {
		c.bounds = append(c.bounds, bound)
	}
}

// findCells lists the combinations of bounds reached and not that some value has for some parameters. Bounds that are
// always reached, or equal to others, are dropped.
func (t *translator) findCells() error {
	for i := range t.counters {
		c := &t.counters[i]
		t.distinct(c)
		c.cells = [][]bool{{}}
		for n := range c.bounds {
			var next [][]bool
			for _, cell := range c.cells {
				for _, reached := range []bool{false, true} {
					longer := append(cell[:n:n], reached)
					if t.has(c.inCell(c.value, longer)) {
						next = append(next, longer)
					}
				}
			}
			if c.cells = next; len(next) > maxStates {
				v := t.Model.Locals[c.value.Vars()[0].Index]
				return diag.Wrong(v.Pos, len(v.Name), "%s is compared with too many bounds", t.text(c.value))
			}
		}
	}
	t.counters = slices.DeleteFunc(t.counters,
		func(c measure) bool { return len(c.value.Terms()) > 1 && len(c.bounds) == 0 })
	return nil
}

// has reports whether some variables and parameters satisfy constraints.
func (t *translator) has(list []amount) bool {
	said, _ := t.eliminate(list, counter.Is(counter.Received))
	return t.known.Possible(said...)
}

// distinct drops bounds that are always reached, or equal to others.
func (t *translator) distinct(c *measure) {
	var kept []amount
	for _, b := range c.bounds {
		double := slices.ContainsFunc(kept, func(k amount) bool {
			return t.known.Implies(b.Sub(k)) && t.known.Implies(k.Sub(b))
		})
		if !double && t.has([]amount{b.Plus(-1).Sub(c.value)}) {
			kept = append(kept, b)
		}
	}
	c.bounds = kept
}

// formulaBounds collects what formulas compare counters with.
func (t *translator) formulaBounds() error {
	starts, err := starts(t.Model, &t.known)
	if err != nil {
		return err
	}
	for _, e := range t.claims() {
		for _, s := range t.controlStates() {
			c, _, err := t.inState(s.locals).either(e)
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
