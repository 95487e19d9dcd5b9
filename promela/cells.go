package promela

import "slices"

// counter is a quantity of a process that is known up to intervals only: a local
// variable, or a sum of some that are compared together.
type counter struct {
	value  linear   // over local variables (ofOld)
	bounds []linear // over parameters
	cells  [][]bool // which of the bounds are reached: combinations that are possible
}

// after is the value where variables have others.
func (c *counter) after(locals []linear) linear {
	out := number(0)
	for v, n := range c.value.coef {
		out = out.plus(n, locals[v.index])
	}
	return out
}

// afterStep is the value after a step.
func (t *translator) afterStep(c *counter, locals []linear) linear {
	out := c.after(locals)
	if vars := c.value.vars(); t.wrong.sums && len(vars) > 1 {
		out = out.plus(-c.value.coef[vars[1]], locals[vars[1].index]).plus(c.value.coef[vars[1]], of(vars[1]))
	}
	return out
}

// number is the value in a local state.
func (c *counter) number(l Local) (n int64) {
	for v, k := range c.value.coef {
		n += k * l[v.index]
	}
	return n
}

// inCell says that a value is in a cell: constraints that are at least 0.
func (c *counter) inCell(value linear, cell []bool) []linear {
	var list []linear
	for i, reached := range cell {
		above := value.plus(-1, c.bounds[i])
		if !reached {
			above = number(-1).plus(-1, above)
		}
		list = append(list, above)
	}
	return list
}

// findBounds collects what counters are compared with, in steps and formulas.
func (t *translator) findBounds() error {
	for k, counting := range t.counting {
		if counting {
			t.counters = append(t.counters, counter{value: of(variable{ofOld, k})})
		}
	}
	for _, key := range t.controlKeys() {
		for _, p := range t.control[key] {
			for _, c := range p.when {
				t.boundsOf(c, p)
			}
		}
	}
	return t.formulaBounds()
}

// boundsOf notes what a condition compares values with: before a step, or after it.
func (t *translator) boundsOf(c *condition, p path) {
	for _, a := range c.args {
		t.boundsOf(a, p)
	}
	values := c.lin.part(ofOld, ofHavoc)
	if c.op != ">=" || len(values.coef) == 0 || len(c.lin.part(ofShared).coef) > 0 {
		return
	}
	if len(values.coef) > 1 && (nonnegative(values) || nonnegative(number(0).plus(-1, values))) {
		// A sum is compared: it reaches the bound if one of them does.
		for _, v := range values.vars() {
			t.boundsOf(atLeast0(c.lin.plus(-1, values).plus(values.coef[v], of(v))), p)
		}
	}
	t.kept(values.vars(), values, number(0), c.lin.plus(-1, values), p)
}

// kept says what a step compares, values + rest with 0, of variables: those that have the values
// after it which it draws.
func (t *translator) kept(left []variable, values, value, rest linear, p path) {
	if len(left) == 0 {
		t.compared(value, rest)
		return
	}
	v, n := left[0], values.coef[left[0]]
	if v.kind == ofOld {
		t.kept(left[1:], values, value.plus(n, of(v)), rest, p)
		return
	}
	for k, final := range p.locals {
		if t.counting[k] && final.coef[v] == 1 && len(final.coef) == 1 { // it is v and a number
			t.kept(left[1:], values, value.plus(n, of(variable{ofOld, k})), rest.plus(-n, number(final.konst)), p)
		}
	}
}

// compared notes that value + rest is compared with 0.
func (t *translator) compared(value, rest linear) {
	bound := number(0).plus(-1, rest) // value >= bound
	vars := value.vars()
	if len(vars) == 0 {
		return
	}
	if value.coef[vars[0]] < 0 {
		value, bound = number(0).plus(-1, value), rest.plus(1, number(1)) // value < bound
	}
	if !t.Precise && (len(vars) > 1 || value.coef[vars[0]] != 1) {
		return
	}
	t.addBound(value, bound)
}

func (t *translator) addBound(value, bound linear) {
	i := slices.IndexFunc(t.counters, func(c counter) bool { return c.value.key() == value.key() })
	if i < 0 {
		i = len(t.counters)
		t.counters = append(t.counters, counter{value: value})
	}
	c := &t.counters[i]
	if !slices.ContainsFunc(c.bounds, func(l linear) bool { return l.key() == bound.key() }) {
		c.bounds = append(c.bounds, bound)
	}
}

// findCells lists the combinations of bounds reached and not that some value
// has for some parameters. Bounds that are always reached, or equal to others,
// are dropped.
func (t *translator) findCells() error {
	for i := range t.counters {
		c := &t.counters[i]
		if err := t.distinct(c); err != nil {
			return err
		}
		c.cells = [][]bool{{}}
		for n := range c.bounds {
			var next [][]bool
			for _, cell := range c.cells {
				for _, reached := range []bool{false, true} {
					longer := append(cell[:n:n], reached)
					if ok, err := t.has(c.inCell(c.value, longer)); err != nil {
						return err
					} else if ok {
						next = append(next, longer)
					}
				}
			}
			if c.cells = next; len(next) > maxStates {
				v := t.Model.Locals[c.value.vars()[0].index]
				return problem(v.Pos, len(v.Name), "%s is compared with too many bounds", t.text(c.value))
			}
		}
	}
	t.counters = slices.DeleteFunc(t.counters, func(c counter) bool { return len(c.value.coef) > 1 && len(c.bounds) == 0 })
	return nil
}

// has reports whether some variables and parameters satisfy constraints.
func (t *translator) has(list []linear) (bool, error) {
	said, _ := t.eliminate(list, func(v variable) bool { return v.kind == ofOld })
	return t.o.possible(said...)
}

// distinct drops bounds that are always reached, or equal to others.
func (t *translator) distinct(c *counter) error {
	var kept []linear
	for _, b := range c.bounds {
		if below, err := t.has([]linear{b.plus(-1, number(1)).plus(-1, c.value)}); err != nil {
			return err
		} else if !below {
			continue
		}
		double := false
		for _, k := range kept {
			below, err := t.o.implied(b.plus(-1, k))
			if err != nil {
				return err
			}
			above, err := t.o.implied(k.plus(-1, b))
			if err != nil {
				return err
			}
			double = double || below && above
		}
		if !double {
			kept = append(kept, b)
		}
	}
	c.bounds = kept
	return nil
}
