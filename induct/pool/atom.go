package pool

import (
	"cmp"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// atom is a condition on the variables of a template, with its negation.
type atom struct {
	yes, no *ftdp.Expr
	uses    uint64     // variables of the template, as bits
	counts  bool       // it counts, or quantifies over processes
	names   bool       // it says that there is a message
	counted string     // what is counted, if it says how many are like that
	least   *threshold // and how many
	told    int        // fields of a message that it speaks of
	status  bool       // it is about the status of a process
}

// compared is a comparison, and its negation.
func compared(a *ftdp.Expr, op ftdp.Op, b *ftdp.Expr, uses uint64) atom {
	return atom{yes: made.Op(op, a, b), no: made.Op(op.Opposite(), a, b), uses: uses}
}

// stated is a condition, and its negation.
func stated(e *ftdp.Expr, uses uint64) atom { return atom{yes: e, no: made.Not(e), uses: uses} }

// positive reports whether the negation is no condition to look for.
func (a atom) positive() bool { return a.no == nil }

// threshold is a number of processes of a role that rules, initial states or conditions speak of.
type threshold struct {
	role   int
	number *ftdp.Expr
	values []int64 // in the instances that are sampled
}

// lessThan reports whether it is less than another one in some instance, and more in none.
func (t *threshold) lessThan(u *threshold) bool {
	less := false
	for i, n := range t.values {
		if n > u.values[i] {
			return false
		}
		less = less || n < u.values[i]
	}
	return less
}

// says reports whether what a condition says follows from another one, as far as that can be read off them. Of numbers
// it is what is so in the instances that are sampled.
func (a *atom) says(b *atom) bool {
	switch {
	case a.least == nil && b.least == nil:
		return entails(a.yes, b.yes)
	case a.least == nil:
		return a.yes.Op == ftdp.Exists && slices.Max(b.least.values) > 0 && entails(a.yes, b.yes.Args[0])
	case b.least == nil:
		return false
	case a.counted == b.counted:
		return a.least.lessThan(b.least)
	}
	return slices.Equal(a.least.values, b.least.values) && entails(a.yes.Args[0], b.yes.Args[0])
}

// entails reports whether an expression follows from another one, or the number of what satisfies it is no less.
func entails(e, of *ftdp.Expr) bool {
	switch {
	case e.Alike(of):
		return true
	case e.Op == ftdp.And:
		return !slices.ContainsFunc(e.Args, func(part *ftdp.Expr) bool { return !entails(part, of) })
	case of.Op == ftdp.And:
		return slices.ContainsFunc(of.Args, func(part *ftdp.Expr) bool { return entails(e, part) })
	case e.Op != of.Op && (e.Op != ftdp.Exists || of.Op != ftdp.Count):
		return false
	case e.Op == ftdp.Count || e.Op == ftdp.Exists || e.Op == ftdp.ForAll:
		body := e.Args[0].Putting(map[string]*ftdp.Expr{e.Name: made.Name(of.Name)})
		return e.Type.String() == of.Type.String() && entails(body, of.Args[0])
	}
	return false
}

// subject is a process, a message or a number that conditions speak of.
type subject struct {
	name string
	role int            // of a process; -1 for others
	typ  *protocol.Type // of a number
	bit  uint64
}

func (s subject) expr() *ftdp.Expr { return made.Name(s.name) }

// scalar is a cell or a field.
type scalar struct {
	expr    *ftdp.Expr
	typ     *protocol.Type
	place   *ftdp.Expr // where the value is, of one that says that something is in a set
	defined bool
	uses    uint64
	class   string  // of truth values: which others they are compared with
	written []int32 // numbers that the text compares it with
}

// undefined says that it has no value.
func (c scalar) undefined() *ftdp.Expr { return made.Op(ftdp.Undefined, cmp.Or(c.place, c.expr)) }

// where is a condition for the states in which something has a value, if that is not always so.
func (a atom) where(c scalar) atom {
	if !c.defined {
		a.yes, a.no = flat(ftdp.Or, c.undefined(), a.yes), nil
	}
	return a
}

// once leaves out conditions that are there already.
func once(list []atom) (out []atom) {
	seen := map[string]bool{}
	for _, a := range list {
		if text := a.yes.String(); !seen[text] {
			seen[text] = true
			out = append(out, a)
		}
	}
	return out
}
