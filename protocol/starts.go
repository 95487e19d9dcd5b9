package protocol

import (
	"fmt"
	"slices"
)

// maxStarts bounds how many values the parameters of an initial transition have, of those that are
// listed.
const maxStarts = 1 << 21

// Starts calls yield with the cells of a frame for values of the parameters of an initial
// transition, until it returns false. Where all of them are quorums, of processes that
// alike says are interchangeable, values that differ by a permutation only come once; nil is
// for all values.
// It panics with a *Failure where there are too many.
func (m *Model) Starts(t *Transition, alike func(p, q int) bool, yield func(cells []int32) bool) {
	if alike == nil || !t.onlyQuorums() {
		m.limit(t, m.values(t), " without symmetry")
	} else {
		total, _ := m.starts(t)
		m.limit(t, total, "")
	}
	m.starting(t, alike, yield)
}

// onlyQuorums reports whether there are parameters, and all of them are quorums.
func (t *Transition) onlyQuorums() bool {
	return len(t.Params) > 0 && !slices.ContainsFunc(t.Params, func(p ParamInfo) bool { return p.Type.Kind != KindQuorum })
}

// starting is Starts, however many there are.
func (m *Model) starting(t *Transition, alike func(p, q int) bool, yield func(cells []int32) bool) {
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
		panic(&Failure{Pos: t.Pos, Width: len(t.Label), Msg: fmt.Sprintf("the parameters of %s have %.3g values together, and%s at most %d are explored", t.Label, total, how, maxStarts)})
	}
}

// interchangeable reports that any two processes are, as far as this is known.
func (m *Model) interchangeable() func(p, q int) bool {
	if m.Asymmetry != nil {
		return nil
	}
	return func(int, int) bool { return true }
}

// starts counts the values of the parameters of an initial transition as Starts does for
// processes that are alike, where it can; false where there are other parameters.
func (m *Model) starts(t *Transition) (float64, bool) {
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

// initial returns the initial state that an event says.
func (x *Interpreter) initial(t *Transition, cells []int32) *State {
	n := x.Processes()
	s := &State{Status: make([]Status, n), Channels: make([][]Message, n*n), Sent: make([][]Message, n*n)}
	for p := range n {
		r, _ := x.RoleOf(p)
		own := make([]int32, x.Roles[r].State.Cells)
		fill(own, Undef)
		s.Cells = append(s.Cells, own)
	}
	e := &evaluation{m: x.Model, state: s, frame: make([]int32, t.Frame)}
	copy(e.frame, cells)
	e.run(t.First)
	if t.Guard != nil && !e.truth(t.Guard) {
		return nil
	}
	e.run(t.Body)
	return e.state
}

// fits reports whether cells are values of the parameters of a transition.
func (m *Model) fits(t *Transition, cells []int32) bool {
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
		set, size := JoinQuorum(cells[at], cells[at+1]), 0
		for q := range 64 {
			if set>>q&1 != 0 {
				if size++; q >= m.Roles[p.Type.Role].Size {
					return false
				}
			}
		}
		if size < p.Size || size > p.Size && !p.AtLeast {
			return false
		}
	}
	return true
}

// begin returns the initial state of an event.
func (x *Interpreter) begin(e Event) (s *State, err error) {
	defer catch(&err)
	if !e.Init || e.Fate != Processed || len(e.Packets) > 0 || e.Rule < 0 || e.Rule >= len(x.Inits) {
		return nil, nil
	}
	if t := &x.Inits[e.Rule]; x.fits(t, e.Frame) {
		return x.initial(t, e.Frame), nil
	}
	return nil, nil
}

// Begin begins a run with the initial state that an event says; false if there is none.
func (r *Run) Begin(e Event) (bool, error) {
	s, err := (&Interpreter{Model: r.Model, Options: r.Options}).begin(e)
	if err != nil || s == nil {
		return false, err
	}
	r.Events, r.States = []Event{e}, []*State{s}
	return true, nil
}

// beginWith looks for an initial state that a test accepts: among those that differ by more
// than a permutation of processes first.
func (r *Run) beginWith(accept func(Successor) bool) (found bool, err error) {
	defer catch(&err)
	x := &Interpreter{Model: r.Model, Options: r.Options}
	try := func(alike func(p, q int) bool) {
		for k := range x.Inits {
			t := &x.Inits[k]
			x.Starts(t, alike, func(cells []int32) bool {
				s := x.initial(t, cells)
				if s == nil {
					return true
				}
				if e := (Event{Init: true, Rule: k, Frame: slices.Clone(cells)}); accept(Successor{e, s}) {
					r.Events, r.States = append(r.Events, e), append(r.States, s)
					found = true
				}
				return !found
			})
			if found {
				return
			}
		}
	}
	if alike := r.Model.interchangeable(); alike != nil {
		try(alike)
	}
	if !found {
		try(nil)
	}
	return found, nil
}
