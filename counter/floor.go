package counter

import (
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
)

// Floor is a sum divided by a number, rounded down. In sums a quantity (Quotient) stands for it. It is not negative:
// what its sum is of is not, and coefficients are from 0 to By - 1.
type Floor struct {
	Of Sum
	By int64
}

// Divided is a sum divided by a positive number, rounded down.
func (k *Known) Divided(of Sum, by int64) Sum {
	whole := of.Over(linear.N(by))
	rest := of.Sub(whole.Scale(linear.N(by)))
	if rest.IsConst() {
		return whole
	}
	i := slices.IndexFunc(k.Floors, func(f Floor) bool { return f.By == by && f.Of.Equal(rest) })
	if i < 0 {
		i = len(k.Floors)
		k.Floors = append(k.Floors, Floor{rest, by})
	}
	return whole.Add(Of(Quotient, i))
}

// Multiplied is a condition l >= 0 that says the same, of integers, without quotients, if there is one in it: where
// x / k is rounded down, r + x / k >= 0 is x + k * r >= 0, and r - x / k >= 0 is k * r - x + k - 1 >= 0. Several, and
// multiples of one, stay; ok is false if one of these is not of parameters.
func (k *Known) Multiplied(l Sum) (out Sum, ok bool) {
	list := l.Only(Is(Quotient)).Terms()
	if len(list) == 1 && list[0].Coef.Abs().Is(1) {
		f, sign := k.Floors[list[0].Var.Index], list[0].Coef
		out := l.With(list[0].Var, Number(0)).Scale(linear.N(f.By)).AddScaled(sign, f.Of)
		if sign.Sign() < 0 {
			out = out.Plus(f.By - 1)
		}
		return k.Multiplied(out)
	}
	for _, t := range list {
		if k.Floors[t.Var.Index].Of.Has(func(q Quantity) bool { return !Is(Parameter, Quotient)(q) }) {
			return l, false
		}
	}
	return l, true
}

// bounded adds to conditions what quotients in them are.
func (k *Known) bounded(list []Sum) []Sum {
	for i := len(k.Floors) - 1; i >= 0; i-- { // those in others come before them
		q := Quotient.Numbered(i)
		if slices.ContainsFunc(list, func(l Sum) bool { return l.Coef(q).Sign() != 0 }) {
			rest := k.Floors[i].Of.AddScaled(linear.N(-k.Floors[i].By), linear.Of(q))
			list = append(slices.Clip(list), linear.Of(q), rest, Number(k.Floors[i].By-1).Sub(rest))
		}
	}
	return list
}

// At is a sum where other quantities than quotients have values.
func (k *Known) At(l Sum, value func(Quantity) int64) int64 {
	return l.At(func(q Quantity) int64 {
		if q.Kind != Quotient {
			return value(q)
		}
		f := k.Floors[q.Index]
		return linear.Floor(k.At(f.Of, value), f.By)
	}).Int64()
}
