package emit

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Murphi and Promela have no values that are put together: what a text does with records, arrays and sequences is said
// of their scalar parts. A part of a value is found here, once for both: of what is put together, of a slice, of a
// sequence with an element behind it.

// selector leads from a value to a part of it: a field of a record, or the member of an array at an index.
type selector struct {
	field int
	index *expr
}

// value is a scalar part of a value: an expression, or one of two values by a condition.
type value struct {
	e         *expr // nil if it has no value
	hollow    bool  // it may have none
	cond      *expr
	then, not *value
}

func (v *value) String() string {
	if v.cond != nil {
		return fmt.Sprint(v.cond, "?", v.then, ":", v.not)
	}
	return fmt.Sprint(v.e)
}

// either is one of two values.
func (p *prose) either(c *expr, a, b *value) *value {
	switch c {
	case p.yes:
		return a
	case p.no:
		return b
	}
	return &value{cond: c, then: a, not: b}
}

// at returns the part of a value to which a path leads.
func (p *prose) at(t *protocol.Term, path []selector) *value {
	switch {
	case t.Op == ftdp.Number && t.Value == protocol.Undef:
		return &value{}
	case t.IsPlace() && t.Base == protocol.BaseValue:
		return p.at(t.Args[0], append(p.selectors(t), path...))
	case t.IsPlace():
		return &value{e: p.reach(t, path), hollow: !defined(t)}
	case t.Op == ftdp.Tuple:
		whole, rest := split(t.Type, t.Args)
		if len(rest) > 0 {
			refuse(t.Pos, t.Width, "this value is not written in this language")
		}
		return p.among(whole, path)
	case t.Op == ftdp.Collect:
		var v *value
		p.assume(t.Var, path[0].index, func() { v = p.at(t.Args[0], path[1:]) })
		return v
	case t.Op == ftdp.Append:
		length := p.pick(p.at(t.Args[0], lengthOf))
		if path[0].field == 0 {
			return &value{e: p.plus(length, 1)}
		}
		last := p.compare(ftdp.Eq, path[1].index, p.plus(length, 1))
		return p.either(last, p.at(t.Args[1], path[2:]), p.at(t.Args[0], path))
	case t.Op == ftdp.Slice:
		from, to := p.term(t.Args[1]), p.term(t.Args[2])
		length := p.plus(p.minus(to, from), 1)
		if path[0].field == 0 {
			return p.either(p.compare(ftdp.Gt, from, to), &value{e: p.number(0)}, &value{e: length})
		}
		i := path[1].index
		path = append([]selector{path[0], {index: p.plus(p.sum(i, from), -1)}}, path[2:]...)
		return p.either(p.compare(ftdp.Le, i, length), p.at(t.Args[0], path), &value{})
	}
	return &value{e: p.term(t)}
}

// lengthOf leads to the length of a sequence.
var lengthOf = []selector{{field: 0}}

// pick writes a value as an expression.
func (p *prose) pick(v *value) *expr {
	switch {
	case v.cond == nil:
		return v.e
	case v.then.e == nil && v.then.cond == nil && p.none == nil: // errors are not written
		return p.pick(v.not)
	case v.not.e == nil && v.not.cond == nil && p.none == nil:
		return p.pick(v.then)
	}
	return p.choice(v.cond, p.some(v.then), p.some(v.not))
}

// some writes a value that may be none.
func (p *prose) some(v *value) *expr {
	if v.cond == nil && v.e == nil {
		return p.none
	}
	return p.pick(v)
}

// composed is a value whose parts are given.
type composed struct {
	t     *protocol.Type
	whole *protocol.Term
	parts []*composed // of a record or array that is not given as a whole
}

// fits reports whether the first of some parts of a value is one of a type.
func fits(t *protocol.Type, parts []*protocol.Term) bool {
	if len(parts) == 0 {
		refuse(diag.Pos{}, 1, "a value has too few parts")
	}
	a := parts[0]
	if t.Scalar() || a.Type.Scalar() || a.Op == ftdp.Number {
		return t.Scalar()
	}
	return a.Type.Kind == t.Kind && a.Type.Cells == t.Cells
}

// split finds the parts of a value of a type, which are given in the order of its cells.
func split(t *protocol.Type, parts []*protocol.Term) (c *composed, rest []*protocol.Term) {
	if fits(t, parts) {
		return &composed{t: t, whole: parts[0]}, parts[1:]
	}
	c = &composed{t: t}
	add := func(t *protocol.Type) {
		var part *composed
		part, parts = split(t, parts)
		c.parts = append(c.parts, part)
	}
	if t.Kind == protocol.KindRecord {
		for _, f := range t.Fields {
			add(f.Type)
		}
		return c, parts
	}
	for range t.Index.Size() {
		add(t.Elem)
	}
	return c, parts
}

// among returns a part of a value whose parts are given.
func (p *prose) among(c *composed, path []selector) *value {
	switch {
	case c.whole != nil:
		return p.at(c.whole, path)
	case c.t.Kind == protocol.KindRecord:
		return p.among(c.parts[path[0].field], path[1:])
	}
	lo, index := c.t.Index.Lo, path[0].index
	if index.value != nil {
		return p.among(c.parts[*index.value-int64(lo)], path[1:])
	}
	v := p.among(c.parts[len(c.parts)-1], path[1:])
	for i, part := range slices.Backward(c.parts[:len(c.parts)-1]) {
		if w := p.among(part, path[1:]); w.String() != v.String() {
			v = p.either(p.apply(ftdp.Eq, index, p.literal(c.t.Index, lo+int32(i))), w, v)
		}
	}
	return v
}

// selectors lead from what a place is a part of to it.
func (p *prose) selectors(t *protocol.Term) (path []selector) {
	at, offset, indices := p.base(t), t.Offset, t.Indices
	for at != t.Type || len(indices) > 0 {
		switch at.Kind {
		case protocol.KindArray:
			if len(indices) == 0 {
				refuse(t.Pos, t.Width, "a part of an array is not written")
			}
			path = append(path, selector{index: p.term(indices[0].Index)})
			at, indices = at.Elem, indices[1:]
		case protocol.KindRecord:
			in := func(f protocol.TypeField) bool { return f.Offset <= offset && offset < f.Offset+f.Type.Cells }
			k := slices.IndexFunc(at.Fields, in)
			if k < 0 {
				refuse(t.Pos, t.Width, "a record without fields is not written")
			}
			path = append(path, selector{field: k})
			offset -= at.Fields[k].Offset
			at = at.Fields[k].Type
		default:
			refuse(t.Pos, t.Width, "this part of a variable is not written")
		}
	}
	return path
}

// follow writes the fields and indices of a path behind a value of a type.
func (p *prose) follow(e *expr, t *protocol.Type, path []selector) *expr {
	for _, s := range path {
		if t.Kind == protocol.KindArray {
			e, t = closed("%s[%s]", e, s.index), t.Elem
		} else {
			e, t = closed("%s.%s", e, p.member(t, s.field)), t.Fields[s.field].Type
		}
	}
	return e
}

// path writes the fields and indices of a place behind what it is a part of.
func (p *prose) path(e *expr, t *protocol.Term) *expr { return p.follow(e, p.base(t), p.selectors(t)) }
