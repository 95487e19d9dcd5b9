package pool

import (
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Global variables: templates about processes speak of them, too.

// roles lists those that processes are of: the last one may be what has the global variables.
func (v *vocabulary) roles() []int {
	var list []int
	for r := range v.m.Roles {
		if !v.m.Roles[r].Shared {
			list = append(list, r)
		}
	}
	return list
}

// globals lists the global variables; of arrays and sets those parts that are about some subjects.
func (v *vocabulary) globals(about ...subject) []scalar {
	for r := range v.m.Roles {
		if v.m.Roles[r].Shared {
			return v.scalars(subject{role: r}, about)
		}
	}
	return nil
}

// empty says of the sets of a process, and of the global ones, that they have no members.
func (v *vocabulary) empty(p subject) (out []atom) {
	for r := range v.m.Roles {
		of := &v.m.Roles[r]
		if r != p.role && !of.Shared {
			continue
		}
		for _, f := range of.State.Fields {
			if f.Type.Kind == protocol.KindArray && f.Type.Set {
				cell, uses := made.Name(f.Name), uint64(0)
				if !of.Shared {
					cell, uses = made.Of(of.Name, p.expr(), f.Name), p.bit
				} else if r == p.role {
					uses = p.bit
				}
				out = append(out, compared(cell, ftdp.Eq, made.Op(ftdp.SetOf), uses))
			}
		}
	}
	return out
}
