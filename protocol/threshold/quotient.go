package threshold

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// floor is a quotient, rounded down: of a sum and a number. In sums a quantity stands for it, until the
// comparison in which it is has been multiplied out.
type floor struct {
	of amount
	by int64
}

// quotient is a sum divided by a number, rounded down.
func (t *Translation) quotient(of, by amount) amount {
	k := by.Const().Int64() // checked
	if of.IsConst() {
		return of.Over(linear.N(k))
	}
	i := slices.IndexFunc(t.floors, func(f floor) bool { return f.by == k && f.of.Equal(of) })
	if i < 0 {
		i = len(t.floors)
		t.floors = append(t.floors, floor{of, k})
	}
	return counter.Of(counter.Quotient, i)
}

// multiplied returns a condition l >= 0 without quotients that says the same, of integers: where x / k is
// rounded down, r + x / k >= 0 is x + k * r >= 0, and r - x / k >= 0 is k * r - x + k - 1 >= 0.
func (t *Translation) multiplied(e *ftdp.Expr, l amount) amount {
	for _, term := range l.Terms() {
		if term.Var.Kind != counter.Quotient {
			continue
		}
		f := t.floors[term.Var.Index]
		rest := l.With(term.Var, number(0)).Scale(linear.N(f.by))
		switch term.Coef.Int64() {
		case 1:
			return t.multiplied(e, rest.Add(f.of))
		case -1:
			return t.multiplied(e, rest.Sub(f.of).Plus(f.by-1))
		}
		t.refuse(e, "two quotients, or a multiple of one, are compared: multiply out, `2 * a > b` for a > b / 2")
		return number(0)
	}
	return l
}
