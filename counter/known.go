package counter

import (
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
)

// Known is what is known of quantities, such as what is assumed of parameters: one of some cases is so, in each of
// which sums are at least 0. Without cases, nothing is known.
type Known struct {
	Cases  [][]Sum
	Floors []Floor // of quotients
	// Over reports that there is no time for more: then all is possible.
	Over func() bool

	possible map[string]bool
}

// mostKnown bounds the conditions of an elimination: with more, it is possible that they are all true.
const mostKnown = 400

// Possible reports whether integers may satisfy what is known, and make some sums at least 0. It says so of some that
// none do, since it eliminates fractions (Fourier, Motzkin), rounded where only integers are left.
func (k *Known) Possible(list ...Sum) bool {
	key := Key(list)
	yes, old := k.possible[key]
	if !old {
		possible := func(list []Sum) bool { return !impossible(k.bounded(list), k.Over) }
		yes = k.Cases == nil && possible(list) || slices.ContainsFunc(k.Cases, func(c []Sum) bool {
			return possible(slices.Concat(c, list))
		})
		if k.over() {
			return true
		}
		if k.possible == nil {
			k.possible = map[string]bool{}
		}
		k.possible[key] = yes
	}
	return yes
}

func (k *Known) over() bool { return k.Over != nil && k.Over() }

// Implies reports whether a sum is at least 0 by what is known.
func (k *Known) Implies(l Sum) bool {
	if l.IsConst() {
		return l.Const().Sign() >= 0
	}
	return !k.Possible(l.Complement())
}

// impossible reports whether no integers make all of some sums at least 0, as far as elimination can tell.
func impossible(list []Sum, over func() bool) bool {
	tight := func(list []Sum) []Sum { return lists.Map(list, Sum.Tight) }
	e := linear.Elimination[Quantity]{Stronger: tight,
		Stop: func(n int) bool { return n > mostKnown || over != nil && over() }}
	_, possible, _ := e.Of(tight(list), linear.VarsOf(list, func(Quantity) bool { return true }))
	return !possible
}
