package ta

import (
	"math/big"
	"strings"
)

// Addend is a part of a sum: a multiple of something, or a number if that is "".
type Addend struct {
	Coef *big.Int
	Of   string
}

// product writes a positive multiple of something as automata have it.
func product(n *big.Int, of string) string {
	switch {
	case of == "":
		return n.String()
	case n.IsInt64() && n.Int64() == 1:
		return of
	}
	return n.String() + " * " + of
}

// FormatSum writes a sum, 0 if there is nothing in it. minus comes before what is first and subtracted.
func FormatSum(list []Addend, minus string) string {
	var b strings.Builder
	for _, x := range list {
		switch {
		case x.Coef.Sign() == 0:
			continue
		case b.Len() > 0 && x.Coef.Sign() < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		case x.Coef.Sign() < 0:
			b.WriteString(minus)
		}
		b.WriteString(product(new(big.Int).Abs(x.Coef), x.Of))
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}
