package threshold

import "slices"

// Elimination combines conditions with each other, and most of what comes out says less than
// something else that came out: a >= 2 where there is a >= 3, a + b >= n where there is a >= n. What follows
// from one other condition, and from what is so anyway, is left out. (What follows from several is not looked
// for: with many conditions that takes longer than it saves.)

// few is how many conditions are left as they are.
const few = 6

// stronger leaves out conditions that say less than another one: that are that one, or a multiple, and a sum
// that anyway reports to be at least 0. Conditions on one quantity stay, since others rest on them.
func (t *Translation) stronger(list all, anyway func(linear) bool) all {
	if len(list) <= few {
		return list
	}
	out := slices.Clone(list)
	for i := 0; i < len(out) && t.ctx.Err() == nil; i++ {
		weaker := len(out[i].terms) > 1 && slices.ContainsFunc(out, func(m linear) bool { return m.key(true) != out[i].key(true) && says(m, out[i], anyway) })
		if weaker {
			out = slices.Delete(out, i, i+1)
			i--
		}
	}
	return out
}

// says reports whether l >= 0 follows from m >= 0.
func says(m, l linear, anyway func(linear) bool) bool {
	for _, f := range [][2]int64{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 3}, {3, 2}} {
		if anyway(l.times(f[0]).plus(m, -f[1])) {
			return true
		}
	}
	return false
}

// trivial reports whether a sum is at least 0 because no quantity is negative.
func (l linear) trivial() bool {
	for _, c := range l.terms {
		if c < 0 {
			return false
		}
	}
	return l.k >= 0
}

// strongest is that for guards: what is anyway so follows from the assumptions, too; and what follows from
// the sum of two other conditions is left out as well.
func (t *Translation) strongest(list all) all {
	anyway := func(l linear) bool {
		params := number(l.k)
		for n, c := range l.terms {
			switch {
			case !shared(n):
				params = params.plus(quantity(n), c)
			case c < 0:
				return false
			}
		}
		return params.trivial() || t.assumed(params)
	}
	out := t.stronger(list, anyway)
	for i := len(out) - 1; i >= 0 && len(out) > 2 && t.ctx.Err() == nil; i-- {
		if sums(out, i, anyway) {
			out = slices.Delete(slices.Clone(out), i, i+1)
		}
	}
	return out
}

// sums reports whether a condition follows from the sum of two others.
func sums(list all, i int, anyway func(linear) bool) bool {
	for j, a := range list {
		for k, b := range list[:j] {
			if j != i && k != i && (says(a.plus(b, 1), list[i], anyway) || says(a.plus(b, 2), list[i], anyway) || says(b.plus(a, 2), list[i], anyway)) {
				return true
			}
		}
	}
	return false
}
