package machine

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// view says which parts of processes' states some conditions look at, so that
// they are evaluated once for all states that look the same to them.
type view struct {
	cells  [][]bool // by role and cell
	status []bool   // by role
}

func (x *space) newView(conditions []*protocol.Term) *view {
	v := &view{status: make([]bool, len(x.Model.Roles))}
	for i := range x.Model.Roles {
		v.cells = append(v.cells, make([]bool, x.Model.Roles[i].State.Cells))
	}
	for _, c := range conditions {
		x.at.Compiler().Reads(c, func(at int) {
			if p, cell := x.at.Owner(at); cell < 0 {
				v.status[x.roles[p]] = true
			} else {
				v.cells[x.roles[p]][cell] = true
			}
		})
	}
	return v
}

// sight numbers what there is to see in a view of local states.
type sight struct {
	*view
	space     *space
	processes []int      // of which there is something to see
	looks     [][]uint32 // by role and local state: its number
	looked    []finder
	key, row  []uint32
}

func (x *space) sight(v *view) *sight {
	s := &sight{view: v, space: x, looks: make([][]uint32, len(x.Model.Roles)),
		looked: make([]finder, len(x.Model.Roles))}
	for p, role := range x.roles {
		if v.status[role] || slices.Contains(v.cells[role], true) {
			s.processes = append(s.processes, p)
		}
	}
	return s
}

// of returns a key for what is seen of a state, valid until the next call.
func (s *sight) of(state []uint32) []uint32 {
	s.key = s.key[:0]
	for _, p := range s.processes {
		v, role := state[p], s.space.roles[p]
		if looks := s.looks[role]; int(v) < len(looks) && looks[v] != 0 {
			v = looks[v]
		} else {
			v = s.look(role, v)
		}
		s.key = append(s.key, v)
	}
	return s.key
}

func (s *sight) look(role int, id uint32) uint32 {
	item, known := s.space.in.locals[role].item(id), &s.looked[role]
	s.row = s.row[:0]
	for i, c := range item.Cells {
		if s.cells[role][i] {
			s.row = append(s.row, uint32(c))
		}
	}
	if s.status[role] {
		s.row = append(s.row, uint32(item.Status))
	}
	known.width = len(s.row)
	n := known.at(s.row)
	if *n == 0 {
		*n = uint32(known.used)
	}
	*at(&s.looks[role], int(id)) = *n
	return *n
}
