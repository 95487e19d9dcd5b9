package threshold

import (
	"fmt"

	"tacheck/internal/linear"
	"tacheck/protocol/ftdp"
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
	name := fmt.Sprintf("floor %s/ %d", of.Key(), k)
	t.floors[name] = floor{of, k}
	return quantity(name)
}

// multiplied returns a condition l >= 0 without quotients that says the same, of integers: where x / k is
// rounded down, r + x / k >= 0 is x + k * r >= 0, and r - x / k >= 0 is k * r - x + k - 1 >= 0.
func (t *Translation) multiplied(e *ftdp.Expr, l amount) amount {
	for _, n := range namesOf(l) {
		f, ok := t.floors[n]
		if !ok {
			continue
		}
		c := coef(l, n)
		rest := l.AddScaled(linear.N(-c), quantity(n)).Scale(linear.N(f.by))
		switch c {
		case 1:
			return t.multiplied(e, rest.Add(f.of))
		case -1:
			return t.multiplied(e, rest.Sub(f.of).Plus(f.by-1))
		}
		t.refuse(e, "two quotients, or a multiple of one, are compared: multiply out, as in `2 * a > b` for a > b / 2")
		return number(0)
	}
	return l
}
