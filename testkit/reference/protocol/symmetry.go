package protocol

import "slices"

// permutation says where processes go: by process among all.
type permutation []int

// permutations lists all permutations of processes inside their roles.
func (m *Model) permutations() []permutation {
	list := []permutation{nil}
	for _, r := range m.Roles {
		var longer []permutation
		for _, p := range list {
			for _, q := range orders(r.Size) {
				next := slices.Clone(p)
				for _, k := range q {
					next = append(next, r.First+k)
				}
				longer = append(longer, next)
			}
		}
		list = longer
	}
	return list
}

// orders lists the permutations of 0 to n-1.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var list [][]int
	for _, shorter := range orders(n - 1) {
		for at := range n {
			list = append(list, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return list
}

// permute exchanges processes in a state.
func (m *Model) permute(s *State, p permutation) *State {
	t := m.newState()
	t.Global = s.Global
	if mistake != mistakeGlobals {
		t.Global = m.permuteCells(m.Globals, s.Global, p)
	}
	for i := range s.Vars {
		t.Vars[p[i]] = m.permuteCells(m.process(i).Role.State, s.Vars[i], p)
		t.Status[p[i]] = s.Status[i]
		for j := range s.Vars {
			for _, msg := range s.Sent[i][j] {
				t.Sent[p[i]][p[j]] = add(t.Sent[p[i]][p[j]], m.permuteCells(m.Message, msg, p), m.Text.Channels.FIFO)
			}
			for _, msg := range s.Delivered[i][j] {
				t.Delivered[p[i]][p[j]] = add(t.Delivered[p[i]][p[j]], m.permuteCells(m.Message, msg, p), m.Text.Channels.FIFO)
			}
		}
	}
	return t
}

// permuteCells exchanges processes in a value: what is a process, and places in arrays over
// processes.
func (m *Model) permuteCells(t *Type, cells []int, p permutation) []int {
	switch t.Kind {
	case RoleType:
		if cells[0] == Undefined {
			return cells
		}
		return []int{p[t.Role.First+cells[0]-1] - t.Role.First + 1}
	case Record:
		var all []int
		for _, f := range t.Fields {
			all = append(all, m.permuteCells(f.Type, cells[f.Offset:f.Offset+f.Type.Size], p)...)
		}
		return all
	case Seq:
		all := slices.Clone(cells)
		for at := 1; at < len(cells) && mistake != mistakeSeqOrbits; at += t.Elem.Size {
			copy(all[at:], m.permuteCells(t.Elem, cells[at:at+t.Elem.Size], p))
		}
		return all
	case Array:
		all := make([]int, len(cells))
		size := t.Elem.Size
		for i, v := range t.Index.Values() {
			to := i
			if t.Index.Kind == RoleType && !(t.Set && mistake == mistakeSetOrbits) {
				to = p[t.Index.Role.First+v-1] - t.Index.Role.First
			}
			copy(all[to*size:], m.permuteCells(t.Elem, cells[i*size:(i+1)*size], p))
		}
		return all
	}
	return cells
}

// Orbits counts the states that are counted if those that differ by permutations count once, all
// of them and those without steps. It says no if the states are not closed under permutations.
func (g *Graph) Orbits() (states, deadlocks int, closed bool) {
	where := map[string]int{}
	for i, n := range g.Nodes {
		where[n.State.Key()] = i
	}
	all := g.Model.permutations()
	seen := map[int]bool{}
	closed = true
	for i, n := range g.Nodes {
		if seen[i] && mistake != mistakeOrbits {
			continue
		}
		states++
		if len(n.Steps) == 0 {
			deadlocks++
		}
		for _, p := range all {
			j, ok := where[g.Model.permute(n.State, p).Key()]
			if !ok {
				closed = false
				continue
			}
			seen[j] = true
		}
	}
	return states, deadlocks, closed
}
