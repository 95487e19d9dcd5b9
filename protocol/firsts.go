package protocol

import (
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// recordDecls returns the declarations of the fields of a record, if a type is one.
func (c *Checker) recordDecls(t *ftdp.TypeExpr) []*ftdp.Decl {
	for range maxDepth {
		if t.Record != nil {
			return t.Record.Fields
		}
		if t.Range == nil || t.Range.To != nil || t.Range.From.Op != ftdp.Name {
			return nil
		}
		next := (*ftdp.TypeExpr)(nil)
		for _, s := range c.M.Source.Sections {
			for _, d := range s.Types {
				if d.Name.Name == t.Range.From.Name && d.Type != nil {
					next = d.Type
				}
			}
		}
		if next == nil {
			return nil
		}
		t = next
	}
	return nil
}

// firsts makes initial states begin with the values that variables are declared with: their conditions see these.
func (c *Checker) firsts() {
	any := false
	for i := range c.M.Roles {
		for _, d := range c.M.Roles[i].decls {
			c.placed[d] = true
			any = any || d.First != nil
		}
	}
	for _, d := range c.declared {
		if !c.placed[d] {
			c.failAt(d.Names[0],
				"variables of processes, `array[ROLE] of record ... end` with `ROLE: role[n]`, and global ones "+
					"have first values, or are stable: not what is inside another type")
			break
		}
	}
	if !any || c.Errs != nil {
		return
	}
	if len(c.M.Inits) == 0 {
		at := &c.M.Roles[0]
		c.M.Inits = []Transition{{Label: "start", Pos: at.Pos, Executor: -1, Sender: -1}}
	}
	for i := range c.M.Inits {
		t := &c.M.Inits[i]
		frame := t.Frame
		for r := range c.M.Roles {
			role := c.processesOf(r)
			s := c.Scope()
			s.floor = frame
			cell := s.push("\x00p", role, diag.Pos{})
			body := c.reset(s, r, &Term{Op: ftdp.Name, Type: role, Var: cell},
				func(d *ftdp.Decl) bool { return d.First != nil })
			if body != nil {
				t.First = append(t.First, &Step{Kind: StepFor, Pos: t.Pos, Var: cell,
					Range: &Range{Type: role, Quorum: -1}, Blocks: [][]*Step{body}})
				t.Frame = max(t.Frame, s.Frame)
			}
		}
	}
}

// reset gives some variables of a process the values that they are declared with, or none.
func (c *Checker) reset(s *scope, role int, who *Term, which func(*ftdp.Decl) bool) (steps []*Step) {
	r := &c.M.Roles[role]
	for _, d := range r.decls {
		if !which(d) {
			continue
		}
		for _, id := range d.Names {
			f, ok := r.State.Field(id.Name)
			if !ok {
				continue
			}
			p := &Term{Op: OpPlace, Pos: id.Place(), Width: len(id.Name), Base: BaseRole, Role: role, Who: who,
				Offset: f.Offset, Type: f.Type}
			if d.First == nil {
				steps = append(steps, &Step{Kind: StepUndefine, Pos: p.Pos, Target: p})
				continue
			}
			if step := s.first(d.First, p); step != nil {
				steps = append(steps, step)
			}
		}
	}
	return steps
}

// first assigns the value that a variable is declared with; to all elements of an array, if it is one for them.
func (s *scope) first(e *ftdp.Expr, p *Term) *Step {
	depth := len(s.vars)
	defer func() { s.vars = s.vars[:depth] }()
	whole := p.Type.Kind != KindArray || p.Type.Set
	if whole && e.Op == ftdp.SetOf && p.Type.Scalar() {
		s.fail(e, "one value stands here, %s; all elements of an array begin with it; %s", s.c.M.describe(p.Type),
			ftdp.AnyFirst)
		return nil
	}
	if whole {
		v := s.termAs(e, p.Type)
		if v == nil {
			return nil
		}
		if v.HasPlaces() || chosen(v) != nil {
			s.fail(e, "a first value is made of constants")
			return nil
		}
		if !p.Type.same(v.Type) {
			how := ""
			if p.Type.Kind == KindRole && v.Type.Kind == KindInt {
				how = ": init says which, `init start: x := 1;`"
			}
			s.fail(e, "%s is the first value of %s%s", s.c.M.describe(v.Type), s.c.M.describe(p.Type), how)
			return nil
		}
		at := *p
		at.Pos, at.Width = e.Pos, e.Width
		return &Step{Kind: StepAssign, Pos: e.Pos, Target: &at, Value: v}
	}
	cell := s.push("\x00k", p.Type.Index, diag.Pos{})
	step := s.first(e, p.nth(&Term{Op: ftdp.Name, Pos: p.Pos, Type: p.Type.Index, Var: cell}))
	if step == nil {
		return nil
	}
	return &Step{Kind: StepFor, Pos: e.Pos, Var: cell, Range: &Range{Type: p.Type.Index, Quorum: -1},
		Blocks: [][]*Step{{step}}}
}

// recovery makes the rules of processes that restart: all but what is stable is as it was declared. Where processes of
// several roles do, the names of the rules say of which.
func (c *Checker) recovery(labels map[string]diag.Pos) {
	done, several := map[int]bool{}, 0
	for _, section := range c.M.Source.Sections {
		several += len(section.Recovery)
	}
	for _, section := range c.M.Source.Sections {
		for _, id := range section.Recovery {
			role := c.types[id.Name]
			if role == nil || role.Kind != KindRole {
				c.failAt(id, "processes of a role restart, and %q is none", id.Name)
				continue
			}
			c.use(id.Place(), c.names[id.Name])
			if done[role.Role] {
				c.failAt(id, "that processes of %s restart is said twice", id.Name)
				continue
			}
			done[role.Role] = true
			label := "restart"
			if _, taken := labels[label]; taken || several > 1 {
				label += "_" + c.M.Roles[role.Role].Name
			}
			if at, taken := labels[label]; taken {
				c.failAt(id, "the label %s is used already, in line %d: it is that of the restarts of %s", label,
					at.Line, id.Name)
				continue
			}
			labels[label] = id.Place()
			t := Transition{Label: label, Pos: id.Place(), Params: []ParamInfo{{Name: "i", Type: role}}, Executor: 0,
				Sender: -1, Maybe: true, Restart: true}
			s := c.Scope()
			s.rule = &t
			cell := s.push("\x00i", role, diag.Pos{})
			t.Body = c.reset(s, role.Role, &Term{Op: ftdp.Name, Type: role, Var: cell},
				func(d *ftdp.Decl) bool { return !d.Stable })
			t.Frame = s.Frame
			c.M.Rules = append(c.M.Rules, t)
		}
	}
}
