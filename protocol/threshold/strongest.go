package threshold

import "slices"

// Elimination combines conditions with each other, and most of what comes out says less than
// something else that came out: a >= 2 where there is a >= 3, a + b >= n where there is a >= n. What follows
// from one other condition, and from what is so anyway, is left out. (What follows from several is not looked
// for: with many conditions that takes longer than it saves.)

// few is how many conditions are left as they are.
const few = 6

// stronger leaves out conditions that say less than another one, as follows reports it of the second by their places. Conditions on one
// quantity stay, since others rest on them.
func (t *Translation) stronger(list cube, follows func(m, l int) bool) cube {
	if len(list) <= few {
		return list
	}
	var out cube
	for _, i := range t.strongestOf(list, follows) {
		out = append(out, list[i])
	}
	return out
}

// strongestOf are the places of conditions that stronger does not leave out.
func (t *Translation) strongestOf(list cube, follows func(m, l int) bool) (left []int) {
	keys := make([]string, len(list))
	for i, l := range list {
		left, keys[i] = append(left, i), l.Key()
	}
	if len(list) <= few {
		return left
	}
	for i := 0; i < len(left) && t.ctx.Err() == nil; i++ {
		weaker, here := false, left[i]
		for j := 0; j < len(left) && !weaker && len(list[here].Terms()) > 1 && t.ctx.Err() == nil; j++ {
			weaker = keys[left[j]] != keys[here] && follows(left[j], here)
		}
		if weaker {
			left = slices.Delete(left, i, i+1)
			i--
		}
	}
	return left
}

// factors are those with which one condition is compared with another.
var factors = [][2]int64{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 3}, {3, 2}}

// trivial reports whether a sum is at least 0 because no quantity is negative.
func trivial(l amount) bool {
	return l.Rises() && l.Const().Sign() >= 0
}

// strongest is that for guards: what is anyway so follows from the assumptions, too; and what follows from
// the sum of two other conditions is left out as well.
func (t *Translation) strongest(list cube) cube {
	if len(list) < 2 {
		return list
	}
	key := list.key()
	out, old := t.strong[key]
	if !old {
		out = t.leaveOut(list)
		if t.ctx.Err() == nil {
			t.strong[key] = out
		}
	}
	return slices.Clone(out)
}

func (t *Translation) leaveOut(list cube) cube {
	table := newRows(list, func(params amount) bool {
		return t.ctx.Err() == nil && t.assumed(params) // what is translated in no time is not used
	})
	if table == nil {
		return list
	}
	left := t.strongestOf(list, table.says)
	for i := len(left) - 1; i >= 0 && len(left) > 2 && t.ctx.Err() == nil; i-- {
		if table.sums(slices.Delete(slices.Clone(left), i, i+1), left[i]) {
			left = slices.Delete(left, i, i+1)
		}
	}
	var out cube
	for _, i := range left {
		out = append(out, list[i])
	}
	return out
}
