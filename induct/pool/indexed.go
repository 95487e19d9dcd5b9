package pool

import (
	"github.com/tacheck/tacheck/protocol"
)

// Arrays over numbers: templates about the entry that a message, or another process, says.

// isIndex reports whether a range is one that arrays of some process have as their indices.
func (v *vocabulary) isIndex(t *protocol.Type) bool {
	found := false
	n := subject{role: -1, typ: t}
	var walk func(u *protocol.Type)
	walk = func(u *protocol.Type) {
		switch u.Kind {
		case protocol.KindArray:
			found = found || v.indexes(n, u.Index)
			walk(u.Elem)
		case protocol.KindRecord:
			for _, f := range u.Fields {
				walk(f.Type)
			}
		}
	}
	for r := range v.m.Roles {
		walk(v.m.Roles[r].State)
	}
	return found
}
