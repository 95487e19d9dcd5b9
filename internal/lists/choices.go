package lists

import "iter"

// Product is all ways to take a number from each of some ranges. The last one changes first; the slice is used again.
func Product(lo, hi []int64) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		list := make([]int64, len(lo))
		var take func(i int) bool
		take = func(i int) bool {
			if i == len(lo) {
				return yield(list)
			}
			for v := lo[i]; v <= hi[i]; v++ {
				if list[i] = v; !take(i + 1) {
					return false
				}
			}
			return true
		}
		take(0)
	}
}

// BySum is all ways to take so many numbers from 0 on, each up to a greatest one, those with small sums first, up to a
// total. Of these, the ones with small first numbers come first. The slice is used again.
func BySum(count int, most, total int64) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		list := make([]int64, count)
		var take func(i int, left int64) bool
		take = func(i int, left int64) bool {
			if i == count {
				return left > 0 || yield(list)
			}
			for v := max(0, left-int64(count-i-1)*most); v <= min(left, most); v++ {
				if list[i] = v; !take(i+1, left-v) {
					return false
				}
			}
			return true
		}
		for sum := int64(0); sum <= min(total, int64(count)*most) && take(0, sum); sum++ {
		}
	}
}
