package counter

import (
	"slices"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
)

// rows are conditions as rows of coefficients; many are compared with each other. In most pairs, and sums of
// pairs, one coefficient shows that one does not follow from the other.
type rows struct {
	shared []Quantity // the first columns
	params []Quantity // the next ones; the last is of the number
	list   [][]int64
	// anyway reports whether a sum of parameters is at least 0.
	anyway func(Sum) bool
}

// mostInRows bounds the numbers in rows, so that what is computed from them has 64 bits.
const mostInRows = 1 << 40

// newRows makes rows of conditions; nil if numbers are too large.
func newRows(list []Sum, anyway func(Sum) bool) *rows {
	if slices.ContainsFunc(list, func(l Sum) bool { return !l.Within(mostInRows) }) {
		return nil
	}
	not := func(v Quantity) bool { return !v.Shared() }
	r := &rows{anyway: anyway, shared: linear.VarsOf(list, Quantity.Shared), params: linear.VarsOf(list, not)}
	for _, l := range list {
		row := lists.Map(slices.Concat(r.shared, r.params), func(v Quantity) int64 { return l.Coef(v).Int64() })
		r.list = append(r.list, append(row, l.Const().Int64()))
	}
	return r
}

// says reports whether l >= 0 follows from m >= 0, which are rows: if l is m, or a multiple, and a sum that is at least
// 0 because nothing of it that is shared is negative, and its parameters are at least 0 together.
func (r *rows) says(m, l int) bool { return r.follows(r.list[m], r.list[l]) }

func (r *rows) follows(m, l []int64) bool {
	return slices.ContainsFunc(factors, func(f [2]int64) bool { return r.atLeast(l, f[0], m, f[1]) })
}

// plainly reports whether l >= 0 follows from m >= 0: if l is m, or a multiple, and a sum in which nothing is negative.
func (r *rows) plainly(m, l int) bool {
	a, b := r.list[m], r.list[l]
	last := len(a) - 1
	for i := range last { // of most pairs, the signs tell
		if b[i] < 0 && a[i] >= 0 || a[i] > 0 && b[i] <= 0 {
			return false
		}
	}
next:
	for _, f := range factors {
		for i := range a {
			if f[0]*b[i] < f[1]*a[i] {
				continue next
			}
		}
		return true
	}
	return false
}

// atLeast reports whether f*l - g*m is at least 0.
func (r *rows) atLeast(l []int64, f int64, m []int64, g int64) bool {
	for i := range r.shared {
		if f*l[i] < g*m[i] {
			return false
		}
	}
	last, plain := len(l)-1, true
	for i := len(r.shared); i <= last && plain; i++ {
		plain = f*l[i] >= g*m[i]
	}
	if plain {
		return true
	}
	params := linear.Number[Quantity](linear.N(f*l[last] - g*m[last]))
	for i, v := range r.params {
		params = params.AddScaled(linear.N(f*l[len(r.shared)+i]-g*m[len(r.shared)+i]), linear.Of(v))
	}
	return r.anyway(params)
}

// sums reports whether a condition follows from the sum of two others, or of one and twice another.
func (r *rows) sums(others []int, l int) bool {
	sum := make([]int64, len(r.list[l]))
	for j, m := range others {
		for _, o := range others[:j] {
			for _, times := range [][2]int64{{1, 1}, {1, 2}, {2, 1}} {
				for i := range sum {
					sum[i] = times[0]*r.list[m][i] + times[1]*r.list[o][i]
				}
				if r.follows(sum, r.list[l]) {
					return true
				}
			}
		}
	}
	return false
}
