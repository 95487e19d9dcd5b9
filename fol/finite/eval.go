package finite

import (
	"slices"

	"github.com/tacheck/tacheck/fol"
)

// node is a term of an instance: cells are numbers, variables are places in a list of values.
type node struct {
	op    fol.Op
	args  []*node
	next  bool
	first int   // Apply: the first cell of the symbol
	dims  []int // and the sizes of its arguments' sorts
	width int   // and how many values it has
	slots []int // Use, quantifiers
	sizes []int // quantifiers: of the variables' sorts
	last  int   // the last of the first variables that it uses, or -1
	after bool  // it is about the next state, too
}

// compile makes nodes of a term with these free variables.
func (x *Instance) compile(t *fol.Term, scope []*fol.Var) *node {
	n := &node{op: t.Op, last: -1, next: t.New, after: t.New}
	if t.Op == fol.Use {
		n.slots = []int{slices.Index(scope, t.Vars[0])}
		n.last = n.slots[0]
		return n
	}
	inner := scope
	if t.Op == fol.Forall || t.Op == fol.Exists {
		inner = slices.Concat(scope, t.Vars)
		for i, v := range t.Vars {
			n.slots, n.sizes = append(n.slots, len(scope)+i), append(n.sizes, x.Sizes[v.Sort.Index])
		}
	}
	for _, a := range t.Args {
		m := x.compile(a, inner)
		n.args = append(n.args, m)
		n.after = n.after || m.after
		if m.last < len(scope) {
			n.last = max(n.last, m.last)
		} else {
			for i, v := range scope {
				if slices.Contains(a.Free(), v) {
					n.last = max(n.last, i)
				}
			}
		}
	}
	if t.Op == fol.Apply {
		n.first, n.width = x.first[t.Symbol.Index], 2
		for _, s := range t.Symbol.Args {
			n.dims = append(n.dims, x.Sizes[s.Index])
		}
		if t.Symbol.Result != nil {
			n.width = x.Sizes[t.Symbol.Result.Index]
		}
	}
	return n
}

// eval evaluates formulas in a state, or in two; the second may have cells without values.
type eval struct {
	before, after State
	single        bool // there is one state, which is after
	values        [64]uint8
	trail         []int // cells that were given values
	work          int64 // nodes that were looked at
}

// cell is the place of what is applied; -1 if some argument has no value.
func (e *eval) cell(n *node) int {
	at := 0
	for i, a := range n.args {
		v := e.value(a)
		if v == unknown {
			return -1
		}
		at = at*n.dims[i] + int(v)
	}
	return n.first + at
}

// value is that of a node: 0 or 1 of a formula, an element, or unknown.
func (e *eval) value(n *node) uint8 {
	e.work++
	switch n.op {
	case fol.Use:
		return e.values[n.slots[0]]
	case fol.Apply:
		at := e.cell(n)
		if at < 0 {
			return unknown
		}
		if n.next || e.single {
			return e.after[at]
		}
		return e.before[at]
	case fol.And, fol.Or:
		return e.junction(n)
	case fol.Not:
		return not(e.value(n.args[0]))
	case fol.Implies:
		a := e.value(n.args[0])
		if a == 0 {
			return 1
		}
		b := e.value(n.args[1])
		if b == 1 || a == 1 {
			return b
		}
		return unknown
	case fol.Iff, fol.Equal:
		a := e.value(n.args[0])
		if a == unknown {
			return unknown
		}
		b := e.value(n.args[1])
		switch {
		case b == unknown:
			return unknown
		case a == b:
			return 1
		}
		return 0
	case fol.If:
		switch e.value(n.args[0]) {
		case 1:
			return e.value(n.args[1])
		case 0:
			return e.value(n.args[2])
		}
		if a := e.value(n.args[1]); a == e.value(n.args[2]) {
			return a
		}
		return unknown
	}
	return e.quantified(n)
}

// junction is the value of a conjunction or a disjunction.
func (e *eval) junction(n *node) uint8 {
	ends := uint8(0)
	if n.op == fol.Or {
		ends = 1
	}
	out := 1 - ends
	for _, a := range n.args {
		switch e.value(a) {
		case ends:
			return ends
		case unknown:
			out = unknown
		}
	}
	return out
}

// quantified is the value of a formula that is about all elements, or some.
func (e *eval) quantified(n *node) uint8 {
	ends := uint8(0)
	if n.op == fol.Exists {
		ends = 1
	}
	out := 1 - ends
	e.each(n, func() bool {
		switch e.value(n.args[0]) {
		case ends:
			out = ends
			return false
		case unknown:
			out = unknown
		}
		return true
	})
	return out
}

func not(v uint8) uint8 {
	if v == unknown {
		return unknown
	}
	return 1 - v
}

// each calls f for all values of the variables of a quantifier until it returns false.
func (e *eval) each(n *node, f func() bool) {
	for _, s := range n.slots {
		e.values[s] = 0
	}
	for f() {
		i := len(n.slots) - 1
		for ; i >= 0; i-- {
			if v := &e.values[n.slots[i]]; int(*v)+1 < n.sizes[i] {
				*v++
				break
			} else {
				*v = 0
			}
		}
		if i < 0 {
			return
		}
	}
}

// outcome says how far a formula is what it has to be.
type outcome uint8

const (
	conflict outcome = iota // it cannot be
	open                    // it may be, or not
	done                    // it is
)

// give gives a cell a value.
func (e *eval) give(at int, v uint8) outcome {
	switch e.after[at] {
	case v:
		return done
	case unknown:
		e.after[at] = v
		e.trail = append(e.trail, at)
		return done
	}
	return conflict
}

// force gives cells the values without which a formula is not what it has to be, as far as that is seen.
func (e *eval) force(n *node, want uint8) outcome {
	switch n.op {
	case fol.Not:
		return e.force(n.args[0], 1-want)
	case fol.Apply:
		at := e.cell(n)
		if at < 0 {
			return open
		}
		if n.next || e.single {
			return e.give(at, want)
		}
		return is(e.before[at] == want)
	case fol.And, fol.Or:
		if (n.op == fol.And) == (want == 1) {
			return e.forceAll(len(n.args), func(i int) outcome { return e.force(n.args[i], want) })
		}
		var one *node
		for _, a := range n.args {
			switch e.value(a) {
			case want:
				return done
			case unknown:
				if one != nil {
					return open
				}
				one = a
			}
		}
		if one == nil {
			return conflict
		}
		return e.force(one, want)
	case fol.Implies:
		if want == 0 {
			return e.forceAll(2, func(i int) outcome { return e.force(n.args[i], uint8(1-i)) })
		}
		a := e.value(n.args[0])
		if a == 0 {
			return done
		}
		if a == 1 {
			return e.force(n.args[1], 1)
		}
		switch e.value(n.args[1]) {
		case 1:
			return done
		case 0:
			return e.force(n.args[0], 0)
		}
		return open
	case fol.Iff:
		a, b := n.args[0], n.args[1]
		v := e.value(a)
		if v == unknown {
			if v = e.value(b); v == unknown {
				return open
			}
			a, b = b, a
		}
		if want == 0 {
			v = 1 - v
		}
		return e.force(b, v)
	case fol.Equal:
		return e.forceEqual(n, want)
	case fol.If:
		switch e.value(n.args[0]) {
		case 1:
			return e.force(n.args[1], want)
		case 0:
			return e.force(n.args[2], want)
		}
		if e.value(n.args[1]) == 1-want && e.value(n.args[2]) == 1-want {
			return conflict
		}
		return open
	}
	return e.forceQuantified(n, want)
}

func is(ok bool) outcome {
	if ok {
		return done
	}
	return conflict
}

func (e *eval) forceAll(n int, force func(int) outcome) outcome {
	out := done
	for i := range n {
		switch force(i) {
		case conflict:
			return conflict
		case open:
			out = open
		}
	}
	return out
}

func (e *eval) forceEqual(n *node, want uint8) outcome {
	a, b := n.args[0], n.args[1]
	v, w := e.value(a), e.value(b)
	if v == unknown {
		a, b, v, w = b, a, w, v
	}
	switch {
	case v == unknown:
		return open
	case w != unknown:
		return is((v == w) == (want == 1))
	case b.op != fol.Apply || want == 0 && b.width > 2:
		return open
	case want == 0 && b.width == 1:
		return conflict
	case want == 0:
		v = 1 - v
	}
	if at := e.cell(b); at >= 0 {
		return e.give(at, v)
	}
	return open
}

func (e *eval) forceQuantified(n *node, want uint8) outcome {
	if (n.op == fol.Forall) == (want == 1) {
		out := done
		e.each(n, func() bool {
			switch e.force(n.args[0], want) {
			case conflict:
				out = conflict
				return false
			case open:
				out = open
			}
			return true
		})
		return out
	}
	// One of them has to be: if there is one only that may be, it.
	var at []uint8
	out, may := conflict, 0
	e.each(n, func() bool {
		switch e.value(n.args[0]) {
		case want:
			out = done
			return false
		case unknown:
			out = open
			if may++; may > 1 {
				return true
			}
			at = at[:0]
			for _, s := range n.slots {
				at = append(at, e.values[s])
			}
		}
		return true
	})
	if out != open || may != 1 {
		return out
	}
	for i, s := range n.slots {
		e.values[s] = at[i]
	}
	return e.force(n.args[0], want)
}
