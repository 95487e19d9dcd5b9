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

func newView(m *protocol.Model, conditions []*protocol.Term) *view {
	v := &view{}
	for i := range m.Roles {
		v.cells = append(v.cells, make([]bool, m.Roles[i].State.Cells))
		v.status = append(v.status, false)
	}
	for _, c := range conditions {
		c.Places(func(p *protocol.Term) {
			switch p.Base {
			case protocol.BaseStatus:
				v.status[p.Role] = true
			case protocol.BaseWhole:
				v.mark(p.Role, 0, m.Roles[p.Role].State.Cells)
			case protocol.BaseRole:
				// An index may be anything: all of the array counts.
				from, to := p.Offset, p.Offset+p.Type.Cells
				for _, x := range p.Indices {
					to += (x.Array.Index.Size() - 1) * x.Stride
				}
				v.mark(p.Role, from, to)
			}
		})
	}
	return v
}

func (v *view) mark(role, from, to int) {
	for i := from; i < to; i++ {
		v.cells[role][i] = true
	}
}

// sight numbers what there is to see in a view of local states.
type sight struct {
	*view
	w         *worker
	processes []int      // of which there is something to see
	looks     [][]uint32 // by role and local state: its number
	looked    []finder
	key, row  []uint32
}

func (w *worker) sight(v *view) *sight {
	s := &sight{view: v, w: w, looks: make([][]uint32, len(w.Model.Roles)),
		looked: make([]finder, len(w.Model.Roles))}
	for p, role := range w.roles {
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
		v, role := state[p], s.w.roles[p]
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
	item, known := s.w.in.locals[role].item(id), &s.looked[role]
	s.row = s.row[:0]
	for i, c := range item.cells {
		if s.cells[role][i] {
			s.row = append(s.row, uint32(c))
		}
	}
	if s.status[role] {
		s.row = append(s.row, uint32(item.status))
	}
	known.width = len(s.row)
	n := known.at(s.row)
	if *n == 0 {
		*n = uint32(known.used)
	}
	*at(&s.looks[role], int(id)) = *n
	return *n
}
