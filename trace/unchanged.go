package trace

import (
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// looks is what a condition of states looks at. Where a step changes none of it, the condition is what it was.
type looks struct {
	cells [][]bool // by role: of the variables of its processes
	all   bool     // and more than variables
}

// newLooks returns what a condition looks at, whatever indices are.
func newLooks(m *protocol.Model, t *protocol.Term) *looks {
	l := &looks{}
	for i := range m.Roles {
		l.cells = append(l.cells, make([]bool, m.Roles[i].State.Cells))
	}
	t.Places(func(p *protocol.Term) {
		switch p.Base {
		case protocol.BaseLet:
			return
		case protocol.BaseRole:
		default:
			l.all = true
			return
		}
		end := p.Offset + p.Type.Cells
		for _, x := range p.Indices {
			end += (x.Array.Index.Size() - 1) * x.Stride
		}
		for k := p.Offset; k < end; k++ {
			l.cells[p.Role][k] = true
		}
	})
	return l
}

// same reports whether a condition that is looked at in two states is the same in both.
func (l *looks) same(m *protocol.Model, a, b *protocol.State) bool {
	if l.all || a == nil || !slices.Equal(a.Status, b.Status) {
		return false
	}
	for role, looked := range l.cells {
		r := &m.Roles[role]
		for p := r.First; p < r.First+r.Size; p++ {
			old, next := a.Cells[p], b.Cells[p]
			for k, is := range looked {
				if is && old[k] != next[k] {
					return false
				}
			}
		}
	}
	return true
}
