package machine

import (
	"tacheck/protocol"
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

// look numbers what there is to see of a local state.
func (w *worker) look(p int, id uint32) uint32 {
	role := w.roles[p]
	known := at(&w.looks[role], int(id))
	if *known == 0 {
		item := w.in.locals[role].item(id)
		key := w.scratch[:0]
		for i, c := range item.cells {
			if w.seen.cells[role][i] {
				key = append(key, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
			}
		}
		if w.seen.status[role] {
			key = append(key, byte(item.status))
		}
		w.scratch = key
		n, old := w.looked[role][string(key)]
		if !old {
			n = uint32(len(w.looked[role])) + 1
			w.looked[role][string(key)] = n
		}
		*known = n
	}
	return *known
}
