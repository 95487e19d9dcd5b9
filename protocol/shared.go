package protocol

import (
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// global declares a variable that belongs to no process: it is one of a process by itself that never moves.
func (c *Checker) global(id *ftdp.Ident, t *Type, d *ftdp.Decl) {
	if d.Stable {
		c.failAt(id, "only variables of processes are stable: nothing restarts %s", id.Name)
		return
	}
	at := 0
	for _, f := range c.globals {
		at = max(at, f.Offset+f.Type.Cells)
	}
	c.globals[id.Name] = TypeField{Name: id.Name, Type: t, Offset: at, Pos: id.Place()}
	one := *d
	one.Names = []*ftdp.Ident{id}
	c.shares = append(c.shares, &one)
	c.placed[d] = true
}

// globalRole makes the process that has the global variables.
func (c *Checker) globalRole() {
	if len(c.shares) == 0 {
		return
	}
	state := &Type{Kind: KindRecord}
	for _, d := range c.shares {
		f := c.globals[d.Names[0].Name]
		state.Fields = append(state.Fields, f)
		state.Cells += f.Type.Cells
	}
	name := names.Free("shared", "_", func(n string) bool { return c.names[n].IsValid() })
	if state.Cells > maxCells {
		c.failAt(c.shares[0].Names[0], "the global variables have more than %d cells", maxCells)
	}
	c.shared = len(c.M.Roles)
	c.M.Roles = append(c.M.Roles, Role{Name: name, ID: name, Size: 1, State: state, Pos: c.shares[0].Names[0].Place(),
		decls: c.shares, Shared: true})
}

// variable returns the place of a global variable.
func (s *scope) variable(e *ftdp.Expr) *Term {
	f, ok := s.c.globals[e.Name]
	if !ok {
		return nil
	}
	s.c.use(e.At, f.Pos)
	one := &Term{Op: ftdp.Number, Type: s.c.processesOf(s.c.shared), Value: 1, Pos: e.Pos, Width: e.Width}
	return &Term{Op: OpPlace, Base: BaseRole, Role: s.c.shared, Who: one, Offset: f.Offset, Type: f.Type}
}

// only returns the role of a protocol that has one, global variables aside; -1 if there are several.
func (c *Checker) only() int {
	found := -1
	for i := range c.M.Roles {
		if !c.M.Roles[i].Shared {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
