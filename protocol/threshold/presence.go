package threshold

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// presence reads a comparison of counts of processes that says that no process is in some locations (count(c) = 0,
// count(c) < 1), or that one is (count(c) > 0): what sets of values decide, sums need not.
func (t *Translation) presence(e *ftdp.Expr) (l amount, nobody, ok bool) {
	if e.Op.Opposite() == "" {
		return l, false, false
	}
	never := func(l amount) bool { return counter.Trivial(l.Complement()) }
	cases := slices.DeleteFunc(t.condition(e, nil, true), func(c cube) bool { return slices.ContainsFunc(c, never) })
	if len(cases) != 1 {
		return l, false, false
	}
	list := slices.DeleteFunc(slices.Clone(cases[0]), counter.Trivial)
	if len(list) != 1 || len(list[0].Only(counter.Is(counter.At)).Terms()) != len(list[0].Terms()) {
		return l, false, false
	}
	switch l = list[0]; {
	case l.Const().Is(0) && l.Neg().Rises():
		return l.Neg(), true, true
	case l.Const().Is(-1) && l.Rises():
		return l.Plus(1), false, true
	}
	return l, false, false
}
