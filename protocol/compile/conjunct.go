package compile

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Conjunct is a term that has to be true, or false, where the values of some variables are known.
type Conjunct struct {
	c    Compiler
	term *protocol.Term
	not  bool
	one  bool // of several cases that are all evaluated
	// More: what comes after it is another case of the same quantifier, and may be an error where it does not hold.
	More bool
}

// Conjuncts lists parts of a guard that are all to hold, in the order in which they are evaluated.
func (c Compiler) Conjuncts(guard *protocol.Term) []Conjunct { return c.conjuncts(guard, false) }

// conjuncts does that for a term that is to be true, or false.
func (c Compiler) conjuncts(t *protocol.Term, not bool) (list []Conjunct) {
	each := func(c Compiler, args ...*protocol.Term) {
		for _, a := range args {
			list = append(list, c.conjuncts(a, not)...)
		}
	}
	if t == nil {
		return nil
	}
	if v, known := c.constant(t); known && v != protocol.Undef {
		if (v != 0) != not {
			return nil
		}
		return []Conjunct{{c: c, term: t, not: not}}
	}
	switch {
	case t.Op == ftdp.Not:
		return c.conjuncts(t.Args[0], !not)
	case t.Op == ftdp.And && !not:
		each(c, t.Args...)
		return list
	case t.Op == ftdp.Or && not:
		each(c, t.Args...)
		return list
	case t.Op == ftdp.Or || t.Op == ftdp.And:
		open := slices.DeleteFunc(slices.Clone(t.Args), func(a *protocol.Term) bool {
			v, known := c.constant(a)
			return known && v == bit(t.Op == ftdp.And)
		})
		if len(open) == 1 {
			return c.conjuncts(open[0], not)
		}
	case t.Op == ftdp.Implies && not:
		return append(c.conjuncts(t.Args[0], false), c.conjuncts(t.Args[1], true)...)
	case (t.Op == ftdp.ForAll && !not || t.Op == ftdp.Exists && not) && t.Range.Type.Size() <= mostSure &&
		t.Range.Quorum < 0 && t.Range.Sent == nil:
		sure := c.each(t, Compiler.sure)
		for v := t.Range.Type.Lo; v <= t.Range.Type.Hi; v++ {
			x := Conjunct{c: c.with(t.Var, v), term: t.Args[0], not: not, one: true, More: v < t.Range.Type.Hi}
			if sure {
				each(x.c, x.term)
			} else {
				list = append(list, x)
			}
		}
		return list
	}
	return []Conjunct{{c: c, term: t, not: not}}
}

// Test compiles a conjunct, some of whose parts may be evaluated once in a state.
func (x *Conjunct) Test(parts Parts) func(*Env) bool {
	f := x.c.In(parts, x.c.lacks).Test(x.term)
	if x.not {
		return func(e *Env) bool { return !f(e) }
	}
	return f
}

// Alone returns the process whose state decides a Conjunct, and the cells that have to have values; -1 if it is not one
// process, or if it may be another error.
func (x *Conjunct) Alone() (process int, cells []int) {
	c, list := x.c, x.c.Touches(x.term.Places)
	if len(list) != 1 || x.one {
		return -1, nil
	}
	if c.sure(x.term) {
		return list[0], nil
	}
	lacks := c.lacks
	if c.lacks = func(role, cell int) bool { return false }; !c.sure(x.term) {
		return -1, nil
	}
	role, _ := c.m.RoleOf(list[0])
	c.Reads(x.term, func(at int) {
		if cell := at - c.at.base[list[0]]; cell >= 0 && lacks(role, cell) {
			cells = append(cells, at)
		}
	})
	return list[0], cells
}

// Key names what a conjunct says; "" if it depends on more than a state.
func (x *Conjunct) Key() string {
	key, ok := x.c.key([]byte{byte('0' + bit(x.not))}, x.term, nil)
	if !ok {
		return ""
	}
	return string(key)
}

// Never reports whether it does not hold, whatever the state.
func (x *Conjunct) Never() bool {
	v, known := x.c.constant(x.term)
	return known && v != protocol.Undef && !x.one
}

// Sure reports whether it cannot be an error.
func (x *Conjunct) Sure() bool { return x.c.sure(x.term) }

// Reads calls yield with the places, in the vector, of all cells of states that it may read.
func (x *Conjunct) Reads(yield func(at int)) { x.c.Reads(x.term, yield) }
