package threshold

import "slices"

// Elimination combines conditions with each other, and most of what comes out says less than
// something else that came out: a >= 2 where there is a >= 3, a + b >= n where there is a >= n. What follows
// from one other condition, and from what is so anyway, is left out. (What follows from several is not looked
// for: with many conditions that takes longer than it saves.)

// few is how many conditions are left as they are.
const few = 6

// stronger leaves out conditions that say less than another one, as follows reports it of two. Conditions on one quantity stay, since others
// rest on them.
func (t *Translation) stronger(list all, follows func(m, l linear) bool) all {
	if len(list) <= few {
		return list
	}
	out := slices.Clone(list)
	keys := make([]string, len(out))
	for i, l := range out {
		keys[i] = l.key(true)
	}
	for i := 0; i < len(out) && t.ctx.Err() == nil; i++ {
		weaker := false
		for j := 0; j < len(out) && !weaker && len(out[i].terms) > 1 && t.ctx.Err() == nil; j++ {
			weaker = keys[j] != keys[i] && follows(out[j], out[i])
		}
		if weaker {
			out, keys = slices.Delete(out, i, i+1), slices.Delete(keys, i, i+1)
			i--
		}
	}
	return out
}

// factors are those with which one condition is compared with another.
var factors = [][2]int64{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 3}, {3, 2}}

// says reports whether l >= 0 follows from m >= 0: if l is m, or a multiple, and a sum that anyway reports to be at least 0.
func says(m, l linear, anyway func(linear) bool) bool {
	for _, f := range factors {
		if anyway(l.times(f[0]).plus(m, -f[1])) {
			return true
		}
	}
	return false
}

// plainly is says where a sum is at least 0 if nothing in it is negative. It is asked of all pairs of conditions, again and again, so that it makes
// no sums: of most pairs, the signs tell.
func plainly(m, l linear) bool {
	for n, c := range l.terms {
		if c < 0 && m.terms[n] >= 0 {
			return false
		}
	}
	for n, c := range m.terms {
		if c > 0 && l.terms[n] <= 0 {
			return false
		}
	}
	for _, f := range factors {
		if f[0]*l.k-f[1]*m.k >= 0 && least(l, f[0], m, f[1]) {
			return true
		}
	}
	return false
}

// least reports whether no quantity has a negative coefficient in f*l - g*m.
func least(l linear, f int64, m linear, g int64) bool {
	for n, c := range l.terms {
		if f*c-g*m.terms[n] < 0 {
			return false
		}
	}
	for n, c := range m.terms {
		if f*l.terms[n]-g*c < 0 {
			return false
		}
	}
	return true
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
		if t.ctx.Err() != nil {
			return false // what is translated is not used
		}
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
	out := t.stronger(list, func(m, l linear) bool { return says(m, l, anyway) })
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
