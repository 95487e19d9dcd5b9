package linear

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// Int is an integer of any size. It is immutable; the zero value is 0. Numbers of 64 bits, which nearly all are, are
// added and multiplied without allocating.
//
// Compare by Equal or Cmp: == is not equality for numbers beyond 64 bits.
type Int struct {
	small int64
	large *big.Int // the number, if it is beyond 64 bits, else nil
}

// N returns n.
func N(n int64) Int { return Int{small: n} }

// Big returns n, which must not change from then on.
func Big(n *big.Int) Int {
	if n.IsInt64() {
		return Int{small: n.Int64()}
	}
	return Int{large: n}
}

// Big returns a as a new number.
func (a Int) Big() *big.Int {
	if a.large != nil {
		return new(big.Int).Set(a.large)
	}
	return big.NewInt(a.small)
}

// view is a for reading, in the place of z, which saves allocating.
func (a Int) view(z *big.Int) *big.Int {
	if a.large != nil {
		return a.large
	}
	return z.SetInt64(a.small)
}

// IsInt64 reports whether a has 64 bits.
func (a Int) IsInt64() bool { return a.large == nil }

// Int64 returns a. It panics if a does not have 64 bits: a number that is cut off would be a wrong one.
func (a Int) Int64() int64 {
	if a.large != nil {
		panic("linear: " + a.large.String() + " is beyond 64 bits")
	}
	return a.small
}

// Sign returns -1, 0 or 1.
func (a Int) Sign() int {
	switch {
	case a.large != nil:
		return a.large.Sign()
	case a.small > 0:
		return 1
	case a.small < 0:
		return -1
	}
	return 0
}

// Cmp returns -1, 0 or 1, as a is less than, equal to or more than b.
func (a Int) Cmp(b Int) int {
	if a.large == nil && b.large == nil {
		switch {
		case a.small < b.small:
			return -1
		case a.small > b.small:
			return 1
		}
		return 0
	}
	var x, y big.Int
	return a.view(&x).Cmp(b.view(&y))
}

// Equal reports whether a is b.
func (a Int) Equal(b Int) bool { return a.Cmp(b) == 0 }

// Is reports whether a is n.
func (a Int) Is(n int64) bool { return a.large == nil && a.small == n }

// Add returns a + b.
func (a Int) Add(b Int) Int {
	if a.large == nil && b.large == nil {
		if sum := a.small + b.small; (sum > a.small) == (b.small > 0) {
			return Int{small: sum}
		}
	}
	return a.apply(b, (*big.Int).Add)
}

// Neg returns -a.
func (a Int) Neg() Int {
	if a.large == nil && a.small != math.MinInt64 {
		return Int{small: -a.small}
	}
	return Int{}.apply(a, (*big.Int).Sub)
}

// Sub returns a - b.
func (a Int) Sub(b Int) Int { return a.Add(b.Neg()) }

// Abs returns a without its sign.
func (a Int) Abs() Int {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}

// Mul returns a * b.
func (a Int) Mul(b Int) Int {
	if a.large == nil && b.large == nil {
		high, low := bits.Mul64(magnitude(a.small), magnitude(b.small))
		if high == 0 && low <= math.MaxInt64 {
			if (a.small < 0) != (b.small < 0) {
				return Int{small: -int64(low)}
			}
			return Int{small: int64(low)}
		}
	}
	return a.apply(b, (*big.Int).Mul)
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// Floor returns a / d, rounded down, for d > 0.
func (a Int) Floor(d Int) Int {
	if a.large == nil && d.large == nil {
		return Int{small: Floor(a.small, d.small)}
	}
	return a.apply(d, (*big.Int).Div) // Euclid's is the floor, as d is positive
}

// Mod returns a - d * a.Floor(d): from 0 to d-1, for d > 0.
func (a Int) Mod(d Int) Int { return a.Sub(d.Mul(a.Floor(d))) }

// gcd returns the greatest common divisor, which is 0 for 0 and 0 only.
func (a Int) gcd(b Int) Int {
	if a.large == nil && b.large == nil && a.small != math.MinInt64 && b.small != math.MinInt64 {
		x, y := a.Abs().small, b.Abs().small
		for y != 0 {
			x, y = y, x%y
		}
		return Int{small: x}
	}
	return a.Abs().apply(b.Abs(), func(z, x, y *big.Int) *big.Int { return z.GCD(nil, nil, x, y) })
}

// apply computes with numbers of any size.
func (a Int) apply(b Int, f func(z, x, y *big.Int) *big.Int) Int {
	var x, y big.Int
	return Big(f(new(big.Int), a.view(&x), b.view(&y)))
}

func (a Int) String() string { return string(a.append(nil)) }

// append appends a in decimal.
func (a Int) append(b []byte) []byte {
	if a.large != nil {
		return a.large.Append(b, 10)
	}
	return strconv.AppendInt(b, a.small, 10)
}

// Floor returns n / d, rounded down, for d other than 0.
func Floor(n, d int64) int64 {
	q := n / d
	if n%d != 0 && (n < 0) != (d < 0) {
		q--
	}
	return q
}

// Ceiling returns n / d, rounded up, for d other than 0.
func Ceiling(n, d int64) int64 { return -Floor(-n, d) }
