package protocol

// execute executes statements one after the other. Names last to their end.
func (s *scope) execute(list []*Stmt) {
	var named []string
	for _, st := range list {
		if st.Kind == "let" {
			s.let(st)
			named = append(named, st.Var)
			continue
		}
		s.statement(st)
	}
	for _, n := range named {
		delete(s.names, n)
		delete(s.lazy, n)
	}
}

// let gives a name to the value that an expression has here.
func (s *scope) let(st *Stmt) {
	if mistake == mistakeLet {
		if s.lazy == nil {
			s.lazy = map[string]thunk{}
		}
		s.lazy[st.Var] = thunk{e: st.Value, in: s}
		return
	}
	s.names[st.Var] = s.eval(st.Value)
}

func (s *scope) statement(st *Stmt) {
	switch st.Kind {
	case "assign":
		s.assign(st)
	case "more", "less":
		s.change(st)
	case "send":
		s.send(st)
	case "undefine":
		s.undefine(st)
	case "if":
		for i, c := range st.Conds {
			if i > 0 && mistake == mistakeElsif {
				break
			}
			if s.truth(c) {
				s.execute(st.Bodies[i])
				return
			}
		}
		if st.HasElse {
			s.execute(st.Bodies[len(st.Bodies)-1])
		}
	case "for":
		typ, values := s.domain(st.Range)
		if mistake == mistakeFor {
			values = values[:1]
		}
		for _, v := range values {
			s.with(st.Var, Value{typ, []int{v}}, func() { s.execute(st.Bodies[0]) })
		}
	}
}

func (s *scope) assign(st *Stmt) {
	if st.Target.Op == "field" && st.Target.Name == "status" && mistake == mistakeByzStatus && s.mover.Role != nil {
		return
	}
	typ := s.place(st.Target).typ
	v := s.evalAs(st.Value, typ)
	p := s.place(st.Target)
	s.store(st, p, v)
}

// store gives a value to a variable, if it is in its range.
func (s *scope) store(st *Stmt, p place, v Value) {
	if len(p.cells) != len(v.Cells) {
		fail(st.Pos, "these are of different types")
	}
	for i, t := range p.typ.Cells() {
		if c := v.Cells[i]; c != Undefined && !t.Has(c) && mistake != mistakeStored {
			fail(st.Pos, "%d is out of range", c)
		}
	}
	if st.Kind == "assign" && outgoing(st.Target) {
		for _, c := range p.cells {
			if c != Undefined {
				fail(st.Pos, "written already: one message for each process")
			}
		}
	}
	copy(p.cells, v.Cells)
}

func (s *scope) undefine(st *Stmt) {
	if mistake == mistakeUndefine {
		return
	}
	if p, ok := s.processAt(st.Target); ok && mistake == mistakeStatus {
		s.state.Status[p.ID()] = statusCorr
	}
	if st.Target.Op == "name" {
		if role := s.model.role(st.Target.Name); role != nil {
			for k := range role.Size {
				clearCells(s.state.Vars[role.First+k])
			}
			return
		}
	}
	clearCells(s.place(st.Target).cells)
}

func clearCells(cells []int) {
	for i := range cells {
		cells[i] = Undefined
	}
}

// outgoing tells whether something is a message to be sent, or a part of one.
func outgoing(e *Expr) bool {
	for e.Op == "field" || e.Op == "index" {
		e = e.Args[0]
	}
	return e.Op == "send"
}
