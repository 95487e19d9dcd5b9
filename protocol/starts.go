package protocol

import (
	"fmt"
	"math/bits"
	"slices"
)

// maxStarts bounds how many values the parameters of an initial transition have, of those that are listed.
const maxStarts = 1 << 21

// Starts calls yield with the cells of a frame for values of the parameters of an initial transition, until it returns
// false. Where all of them are quorums, of processes that alike says are interchangeable, values that differ by a
// permutation only come once; nil is for all values. It panics with a *Failure where there are too many.
func (m *Model) Starts(t *Transition, alike func(p, q int) bool, yield func(cells []int32) bool) {
	if alike == nil || !t.onlyQuorums() {
		m.limit(t, m.Values(t), " without symmetry")
	} else {
		total, _ := m.StartsAlike(t)
		m.limit(t, total, "")
	}
	m.Starting(t, alike, yield)
}

// onlyQuorums reports whether there are parameters, and all of them are quorums.
func (t *Transition) onlyQuorums() bool {
	return len(t.Params) > 0 && !slices.ContainsFunc(t.Params,
		func(p ParamInfo) bool { return p.Type.Kind != KindQuorum })
}

// Starting is Starts, however many there are.
func (m *Model) Starting(t *Transition, alike func(p, q int) bool, yield func(cells []int32) bool) {
	more := true
	if alike == nil || !t.onlyQuorums() {
		m.Frames(t, func(cells []int32) { more = more && yield(cells) })
		return
	}
	// Each process has a set of quorums that it is in. Those of processes that are alike are in order.
	n := m.Processes()
	in := make([]uint64, n)
	sizes := make([]int, len(t.Params))
	cells := make([]int32, 2*len(t.Params))
	var choose func(p int)
	choose = func(p int) {
		if !more {
			return
		}
		if p == n {
			for i := range t.Params {
				param := &t.Params[i]
				if sizes[i] < param.Size {
					return
				}
				first, set := m.Roles[param.Type.Role].First, uint64(0)
				for q := range m.Roles[param.Type.Role].Size {
					set |= in[first+q] >> i & 1 << q
				}
				cells[2*i], cells[2*i+1] = SplitQuorum(set)
			}
			more = yield(cells)
			return
		}
		role, _ := m.RoleOf(p)
		least := uint64(0)
		for q := range p {
			if r, _ := m.RoleOf(q); r == role && alike(q, p) {
				least = max(least, in[q])
			}
		}
		for v := least; v < 1<<len(t.Params); v++ {
			fits := true
			for i := range t.Params {
				param := &t.Params[i]
				here := v>>i&1 != 0
				if here {
					sizes[i]++
				}
				fits = fits && (!here || param.Type.Role == role && (param.AtLeast || sizes[i] <= param.Size))
			}
			if fits {
				in[p] = v
				choose(p + 1)
			}
			for i := range t.Params {
				if v>>i&1 != 0 {
					sizes[i]--
				}
			}
		}
	}
	choose(0)
}

func (m *Model) limit(t *Transition, total float64, how string) {
	if total > maxStarts {
		panic(&Failure{Pos: t.Pos, Width: len(t.Label),
			Msg: fmt.Sprintf("the parameters of %s have %.3g values together, and%s at most %d are explored", t.Label,
				total, how, maxStarts)})
	}
}

// Interchangeable reports that any two processes are, as far as this is known.
func (m *Model) Interchangeable() func(p, q int) bool {
	if m.Asymmetry != nil {
		return nil
	}
	return func(int, int) bool { return true }
}

// StartsAlike counts the values of the parameters of an initial transition as Starts does for
// processes that are alike, where it can; false where there are other parameters.
func (m *Model) StartsAlike(t *Transition) (float64, bool) {
	quorums := map[int]int{} // by role
	for i := range t.Params {
		if t.Params[i].Type.Kind != KindQuorum {
			return 0, false
		}
		quorums[t.Params[i].Type.Role]++
	}
	total := 1.0
	for role, k := range quorums {
		n := m.Roles[role].Size
		for i := range n { // multisets of n among 2^k
			total *= (float64(uint64(1)<<min(k, 60)) + float64(i)) / float64(i+1)
		}
	}
	return total, true
}

// Fits reports whether cells are values of the parameters of a transition.
func (m *Model) Fits(t *Transition, cells []int32) bool {
	if len(cells) != t.Cell(len(t.Params)) {
		return false
	}
	for i := range t.Params {
		p, at := &t.Params[i], t.Cell(i)
		if p.Type.Kind != KindQuorum {
			if cells[at] < p.Type.Lo || cells[at] > p.Type.Hi {
				return false
			}
			continue
		}
		if cells[at] < 0 || cells[at+1] < 0 {
			return false
		}
		set := JoinQuorum(cells[at], cells[at+1])
		size := bits.OnesCount64(set)
		if bits.Len64(set) > m.Roles[p.Type.Role].Size || size < p.Size || size > p.Size && !p.AtLeast {
			return false
		}
	}
	return true
}

// Values counts the values of the parameters of a transition.
func (m *Model) Values(t *Transition) float64 {
	total := 1.0
	for i := range t.Params {
		p := &t.Params[i]
		if p.Type.Kind != KindQuorum {
			total *= float64(p.Type.Size())
			continue
		}
		n := m.Roles[p.Type.Role].Size
		sets, most := 0.0, p.Size
		if p.AtLeast {
			most = n
		}
		for k := p.Size; k <= most; k++ {
			binomial := 1.0
			for i := range k {
				binomial *= float64(n-i) / float64(i+1)
			}
			sets += binomial
		}
		total *= sets
	}
	return total
}

// Wide reports whether the parameters of a transition have more values than can be listed.
func (m *Model) Wide(t *Transition) bool { return m.Values(t) > maxInstances }

// maxInstances bounds how many values the parameters of a rule have together.
const maxInstances = 100_000
