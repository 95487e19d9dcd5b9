package threshold

import (
	"fmt"

	"tacheck/protocol"
)

// floor is a quotient, rounded down: of a sum and a number. In sums a quantity stands for it, until the
// comparison in which it is has been multiplied out.
type floor struct {
	of linear
	by int64
}

// quotient is a sum divided by a number, rounded down.
func (t *Translation) quotient(of linear, by *protocol.Expr) linear {
	k, _ := t.Source.Number(by, nil) // checked
	if of.constant() {
		n := of.k / k
		if of.k%k < 0 {
			n--
		}
		return number(n)
	}
	name := fmt.Sprintf("floor %s/ %d", of.key(true), k)
	t.floors[name] = floor{of, k}
	return quantity(name)
}

// multiplied returns a condition l >= 0 without quotients that says the same, of integers: where x / k is
// rounded down, r + x / k >= 0 is x + k * r >= 0, and r - x / k >= 0 is k * r - x + k - 1 >= 0.
func (t *Translation) multiplied(e *protocol.Expr, l linear) linear {
	for _, n := range l.names() {
		f, ok := t.floors[n]
		if !ok {
			continue
		}
		c := l.terms[n]
		rest := l.plus(quantity(n), -c).times(f.by)
		switch c {
		case 1:
			return t.multiplied(e, rest.plus(f.of, 1))
		case -1:
			return t.multiplied(e, rest.plus(f.of, -1).plus(number(f.by-1), 1))
		}
		t.refuse(e, "two quotients, or a multiple of one, are compared: multiply out, as in `2 * a > b` for a > b / 2")
		return number(0)
	}
	return l
}
