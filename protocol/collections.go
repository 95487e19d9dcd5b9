package protocol

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// builtIn reports whether an expression calls a function of the language.
func (s *scope) builtIn(e *ftdp.Expr) bool {
	return e.Op == ftdp.Call && s.c.defines[e.Name] == nil && slices.Contains(ftdp.CollectionWords, e.Name)
}

// tuple resolves a record that is written down.
func (s *scope) tuple(e *ftdp.Expr, want *Type) *Term {
	if want == nil {
		for _, a := range e.Args {
			if t := s.Term(a); t == nil {
				return nil
			}
		}
		return s.fail(e, "it does not show here which record this is: assign it to a variable")
	}
	if want.Kind != KindRecord || want.Sequence {
		return s.fail(e, "a record, and not %s", s.c.M.describe(want))
	}
	out := &Term{Op: ftdp.Tuple, Type: want, Args: make([]*Term, len(want.Fields))}
	for i, id := range e.Names {
		k := slices.IndexFunc(want.Fields, func(f TypeField) bool { return f.Name == id.Name })
		if k < 0 || out.Args[k] != nil {
			s.c.failAt(id, "there is no field %q, or it is there twice", id.Name)
			return nil
		}
		s.c.use(id.Place(), want.Fields[k].Pos)
		v := s.termAs(e.Args[i], want.Fields[k].Type)
		if v == nil || !s.assignable(want.Fields[k].Type, v, e.Args[i], e) {
			return nil
		}
		out.Args[k] = v
	}
	for k := range out.Args {
		if out.Args[k] == nil {
			out.Args[k] = nothing(want.Fields[k].Type)
		}
	}
	return out
}

// assignable checks that a value can be one of a type.
func (s *scope) assignable(t *Type, v *Term, value, target *ftdp.Expr) bool {
	switch {
	case t.same(v.Type):
	case s.mixed(t, v.Type):
		s.asymmetric([]*Type{t, v.Type}, target.Pos, target.Width,
			"a process is assigned to a number, or a number to a process")
	default:
		hint := ""
		if v.Type.Set && t.Scalar() {
			hint = ftdp.Instead("any")
			if s.rule == nil {
				hint = "; " + ftdp.AnyFirst
			}
		}
		s.fail(value, "%s is assigned to %s%s", s.c.M.describe(v.Type), s.c.M.describe(t), hint)
		return false
	}
	return true
}

// sequence resolves seq(...), append and slice.
func (s *scope) sequence(e *ftdp.Expr, want *Type) *Term {
	if e.Name == "seq" {
		if want == nil || !want.Sequence {
			return s.fail(e,
				"it does not show here which sequence this is: assign it to a variable, or compare it with one")
		}
		if len(e.Args) > int(want.Most()) {
			return s.fail(e, "the sequence has at most %d elements", want.Most())
		}
		elem := want.Fields[1].Type.Elem
		out := nothing(want)
		out.Args[0] = &Term{Op: ftdp.Number, Type: intType}
		for _, a := range e.Args {
			v := s.termAs(a, elem)
			if v == nil || !s.assignable(elem, v, a, a) {
				return nil
			}
			out = &Term{Op: ftdp.Append, Pos: e.Pos, Width: e.Width, Type: want, Args: []*Term{out, v}}
		}
		return out
	}
	n := map[string]int{"append": 2, "slice": 3}[e.Name]
	if len(e.Args) != n {
		return s.fail(e, "%s has %d arguments, not %d", e.Name, n, len(e.Args))
	}
	list := s.termAs(e.Args[0], want)
	if list == nil {
		return nil
	}
	if !list.Type.Sequence {
		return s.fail(e.Args[0], "%s is of sequences, and this is %s", e.Name, s.c.M.describe(list.Type))
	}
	if e.Name == "append" {
		elem := list.Type.Fields[1].Type.Elem
		v := s.termAs(e.Args[1], elem)
		if v == nil || !s.assignable(elem, v, e.Args[1], e.Args[1]) {
			return nil
		}
		return &Term{Op: ftdp.Append, Type: list.Type, Args: []*Term{list, v}}
	}
	out := &Term{Op: ftdp.Slice, Type: list.Type, Args: []*Term{list}}
	for _, a := range e.Args[1:] {
		t := s.Term(a)
		if t == nil {
			return nil
		}
		if t.Type.Kind != KindInt {
			return s.fail(a, "expected a number, not %s", s.c.M.describe(t.Type))
		}
		out.Args = append(out.Args, t)
	}
	return out
}

// isSet reports whether an expression writes down a set: one that is no place.
func (s *scope) isSet(e *ftdp.Expr) bool {
	return e.Op == ftdp.SetOf || e.Op == ftdp.Those || s.builtIn(e) && slices.Contains(ftdp.SetWords, e.Name)
}

// set resolves a set that is written down: its value is an array that is true for the members.
func (s *scope) set(e *ftdp.Expr, want *Type) *Term {
	t := s.typeOfSet(e, want)
	if t == nil {
		return nil
	}
	depth := len(s.vars)
	defer func() { s.vars = s.vars[:depth] }()
	cell := s.push("\x00e", t.Index, diag.Pos{})
	body := s.memberOf(e, &Term{Op: ftdp.Name, Pos: e.Pos, Width: e.Width, Type: t.Index, Var: cell}, t.Index)
	if body == nil {
		return nil
	}
	return &Term{Op: ftdp.Collect, Type: t, Var: cell, Range: &Range{Type: t.Index, Quorum: -1}, Args: []*Term{body}}
}

// typeOfSet finds out of what an expression is a set: of what a set in it is one of; or else of all that its members
// may be.
func (s *scope) typeOfSet(e *ftdp.Expr, want *Type) *Type {
	if want != nil && want.Set {
		return want
	}
	problems := s.c.Errs
	var found, of *Type
	var look func(e *ftdp.Expr)
	look = func(e *ftdp.Expr) {
		if e.Op == ftdp.Those {
			if t, _ := s.domain(e.Type); t != nil && found == nil {
				found = setOf(t)
			}
			return
		}
		for i, a := range e.Args {
			if s.isSet(a) {
				look(a)
				continue
			}
			t := s.Term(a)
			switch {
			case t == nil:
			case t.Type.Set && found == nil:
				found = t.Type
			case (e.Op == ftdp.SetOf || i > 0) && t.Type.Scalar() && t.Type.Size() > 0:
				of = widened(of, t)
			}
		}
	}
	look(e)
	switch {
	case found == nil && of != nil && of != intType && of.Size() <= maxCells:
		found = setOf(of)
	case found == nil && len(s.c.Errs) == len(problems):
		s.fail(e, "it does not show here of what this is a set: assign it to a variable, or compare it with one")
	}
	return found
}

// widened is a type that has the values of another one, if that is one of numbers, and those of a term.
func widened(of *Type, t *Term) *Type {
	next := t.Type
	if t.Op == ftdp.Number && next == intType {
		next = scalar(KindInt, t.Value, t.Value)
	}
	switch {
	case of == nil:
		return next
	case of.Kind != KindInt || next.Kind != KindInt:
		return of
	case of == intType || next == intType:
		return intType
	}
	return scalar(KindInt, min(of.Lo, next.Lo), max(of.Hi, next.Hi))
}

// memberOf is the condition that a value is a member of a set of what is of a type. What is added to
// the set, or taken away, has to be of that type.
func (s *scope) memberOf(e *ftdp.Expr, x *Term, of *Type) *Term {
	m := &membership{scope: s, x: x, of: of}
	return m.checked(e, m.in(e))
}

// membership is a question for a member of a set that is put together.
type membership struct {
	*scope
	x     *Term   // the member
	of    *Type   // what the sets are of; nil if that does not matter
	named []*Term // that what is named as a member can be one: Member
}

// checked puts what is asked of the members that are named before a condition: it is evaluated in any case.
func (m *membership) checked(e *ftdp.Expr, t *Term) *Term {
	if t == nil || len(m.named) == 0 {
		return t
	}
	return m.condition(e, ftdp.And, append(m.named, t)...)
}

// is compares the member with one that is named.
func (m *membership) is(e, a *ftdp.Expr, op ftdp.Op) *Term {
	x := m.x
	v := m.Term(a)
	if v == nil {
		return nil
	}
	if !v.Type.kin(x.Type) && !m.mixed(v.Type, x.Type) {
		return m.alien(a, v.Type, x.Type)
	}
	if m.mixed(v.Type, x.Type) {
		m.orders([]*Type{v.Type, x.Type}, a.Pos, a.Width, "%s is a process, or a number, in a set of others", a)
	}
	if m.of != nil && (v.Op != ftdp.Number && v.Op != ftdp.Name || !v.Within(m.of)) {
		m.named = append(m.named, &Term{Op: ftdp.Member, Pos: a.Pos, Width: a.Width, Type: BoolType, Args: []*Term{v},
			Of: m.of})
	}
	return m.condition(e, op, x, v)
}

// condition joins conditions, or compares.
func (m *membership) condition(e *ftdp.Expr, op ftdp.Op, args ...*Term) *Term {
	if slices.Contains(args, nil) {
		return nil
	}
	return &Term{Op: op, Pos: e.Pos, Width: e.Width, Type: BoolType, Args: args}
}

// in is the condition that the member is one of a set.
func (m *membership) in(e *ftdp.Expr) *Term {
	if e.Op == ftdp.SetOf {
		out := m.condition(e, ftdp.Or)
		for _, a := range e.Args {
			v := m.is(e, a, ftdp.Eq)
			if v == nil {
				return nil
			}
			out.Args = append(out.Args, v)
		}
		return out
	}
	if e.Op == ftdp.Those {
		return m.those(e)
	}
	if !m.isSet(e) {
		return m.inPlace(e)
	}
	if len(e.Args) != 2 {
		return m.fail(e, "%s has 2 arguments, not %d", e.Name, len(e.Args))
	}
	left := m.in(e.Args[0])
	switch e.Name {
	case "add":
		return m.condition(e, ftdp.Or, left, m.is(e, e.Args[1], ftdp.Eq))
	case "remove":
		return m.condition(e, ftdp.And, left, m.is(e, e.Args[1], ftdp.Ne))
	}
	right := m.in(e.Args[1])
	switch {
	case left == nil || right == nil:
		return nil
	case e.Name == "union":
		return m.condition(e, ftdp.Or, left, right)
	case e.Name == "intersection":
		return m.condition(e, ftdp.And, left, right)
	}
	return m.condition(e, ftdp.And, left, m.condition(e, ftdp.Not, right))
}

// inPlace is the condition that the member is one of a quorum, or of a set that has a name.
func (m *membership) inPlace(e *ftdp.Expr) *Term {
	x, t := m.x, m.Term(e)
	if t == nil {
		return nil
	}
	if t.Type.Kind == KindQuorum && x.Type.Kind == KindRole && x.Type.Role == t.Type.Role {
		return m.condition(e, ftdp.In, x, t)
	}
	if !t.Type.Set {
		return m.fail(e, "expected a set, not %s", m.c.M.describe(t.Type))
	}
	if !m.fits(e, t.Type.Index) {
		return nil
	}
	if t.Op == ftdp.Collect && (x.Op == ftdp.Name || x.Op == ftdp.Number) && x.Within(t.Type.Index) {
		return t.Args[0].replaced(t.Var, x) // a definition stands for it
	}
	return t.nth(x)
}

// alien is the problem that a value cannot be in a set.
func (s *scope) alien(e *ftdp.Expr, value, of *Type) *Term {
	hint := ""
	if value.Set || value.Kind == KindArray {
		hint = "; union(s, t) has the members of both"
	}
	return s.fail(e, "%s in a set of what is %s%s", s.c.M.describe(value), s.c.M.describe(of), hint)
}

// fits checks that a set of what is of a type may have the member.
func (m *membership) fits(e *ftdp.Expr, of *Type) bool {
	if m.of != nil && (of.Lo != m.of.Lo || of.Hi != m.of.Hi) {
		m.fail(e, "%s beside %s", m.c.M.describe(setOf(of)), m.c.M.describe(setOf(m.of)))
		return false
	}
	if !of.kin(m.x.Type) {
		if !m.mixed(of, m.x.Type) {
			m.alien(e, m.x.Type, of)
			return false
		}
		m.asymmetric([]*Type{of, m.x.Type}, e.Pos, e.Width, "a process, or a number, in a set of others")
	}
	return true
}

// those is the condition that the member is one of the values of a variable for which something holds: what is asked
// of the variable is asked of the member, which has to be one of these values.
func (m *membership) those(e *ftdp.Expr) *Term {
	of, set := m.domain(e.Type)
	if of == nil || !m.fits(e, of) {
		return nil
	}
	if problem := m.taken(e.Name); problem != "" {
		m.c.fail(e.At, len(e.Name), "%s", problem)
		return nil
	}
	x := m.x
	if x.Op != ftdp.Number && x.Op != ftdp.Name || !x.Within(of) {
		m.named = append(m.named, m.condition(e, ftdp.Member, x))
		m.named[len(m.named)-1].Of = of
	}
	out := &Term{Op: ftdp.Number, Pos: e.Pos, Width: e.Width, Type: BoolType, Value: 1}
	if set != nil {
		out = m.in(set)
	}
	if out == nil || len(e.Args) == 0 {
		return out
	}
	depth := len(m.vars)
	defer func() { m.vars = m.vars[:depth] }()
	m.vars = append(m.vars, variable{name: e.Name, typ: of, term: x, cell: x.top(), pos: e.At})
	body := m.boolean(e.Args[0])
	if set == nil {
		return body
	}
	return m.condition(e, ftdp.And, out, body)
}

// domain is what the variable of a set ranges over: a type, or a quorum or a set of what is of it.
func (s *scope) domain(t *ftdp.TypeExpr) (of *Type, set *ftdp.Expr) {
	if t.Range != nil && t.Range.To == nil {
		e := &t.Range.From.Expr
		_, global := s.c.globals[e.Name]
		switch {
		case s.isSet(e):
			if typ := s.typeOfSet(e, nil); typ != nil {
				return typ.Index, e
			}
			return nil, nil
		case e.Op != ftdp.Name || s.find(e.Name) != nil || global || s.c.defines[e.Name] != nil:
			switch x := s.Term(e); {
			case x == nil:
			case x.Type.Kind == KindQuorum:
				return s.c.processesOf(x.Type.Role), e
			case x.Type.Set:
				return x.Type.Index, e
			default:
				s.fail(e, "expected a type or a set, not %s", s.c.M.describe(x.Type))
			}
			return nil, nil
		}
	}
	if r := s.rangeOf(t); r != nil {
		return r.Type, nil
	}
	return nil, nil
}

// in resolves a comparison of a member with a quorum, a set or a sequence.
func (s *scope) in(e *ftdp.Expr) *Term {
	list := e.Args[1]
	if !s.shows(e.Args[0]) {
		t := s.termAs(list, nil)
		if t == nil {
			return nil
		}
		if !t.Type.Sequence {
			return s.fail(e, "such a value is in no set: in asks for an element of a sequence here")
		}
		if x := s.termAs(e.Args[0], t.Type.Fields[1].Type.Elem); x != nil {
			return s.among(e, x, t)
		}
		return nil
	}
	x := s.Term(e.Args[0])
	switch {
	case x == nil:
		return nil
	case list.Op == ftdp.SetOf: // which is not one of any type: comparisons
		return s.memberOf(list, x, nil)
	case s.isSet(list):
		if of := s.typeOfSet(list, nil); of != nil {
			return s.memberOf(list, x, of.Index)
		}
		return nil
	}
	t := s.Term(list)
	switch {
	case t == nil:
		return nil
	case t.Type.Set:
		return s.memberOf(list, x, nil)
	case t.Type.Sequence:
		return s.among(e, x, t)
	case t.Type.Kind != KindQuorum || x.Type.Kind != KindRole || x.Type.Role != t.Type.Role:
		return s.fail(e, "in compares a process with a quorum of its role, "+
			"or asks for a member of a set or an element of a sequence")
	}
	return &Term{Op: ftdp.In, Type: BoolType, Args: []*Term{x, t}}
}

// among is the condition that a value is an element of a sequence.
func (s *scope) among(e *ftdp.Expr, x, t *Term) *Term {
	elem := t.Type.Fields[1].Type.Elem
	switch {
	case s.mixed(elem, x.Type):
		s.asymmetric([]*Type{elem, x.Type}, e.Pos, e.Width, "in compares a process with something else")
	case !elem.same(x.Type):
		return s.fail(e, "%s in a sequence of what is %s", s.c.M.describe(x.Type), s.c.M.describe(elem))
	}
	depth := len(s.vars)
	defer func() { s.vars = s.vars[:depth] }()
	index := t.Type.Fields[1].Type.Index
	// What is compared was resolved with the same variables: its own begin at the same cell.
	s.vars = append(slices.Clip(s.vars), variable{name: "\x00x", term: x, typ: x.Type, cell: max(x.top(), t.top())})
	cell := s.push("\x00n", index, diag.Pos{})
	k := &Term{Op: ftdp.Name, Pos: e.Pos, Width: e.Width, Type: index, Var: cell}
	at := func(op ftdp.Op, a, b *Term) *Term {
		return &Term{Op: op, Pos: e.Pos, Width: e.Width, Type: BoolType, Args: []*Term{a, b}}
	}
	body := at(ftdp.And, at(ftdp.Le, k, t.length()), at(ftdp.Eq, t.items().nth(k), x))
	return &Term{Op: ftdp.Exists, Type: BoolType, Var: cell, Range: &Range{Type: index, Quorum: -1},
		Args: []*Term{body}}
}

// function resolves the functions of sequences and sets that have one value.
func (s *scope) function(e *ftdp.Expr) *Term {
	n := map[string]int{"length": 1, "last": 1, "size": 1, "subset": 2}[e.Name]
	if len(e.Args) != n {
		return s.fail(e, "%s has %d arguments, not %d", e.Name, n, len(e.Args))
	}
	if e.Name == "size" || e.Name == "subset" {
		return s.ofSets(e)
	}
	t := s.Term(e.Args[0])
	if t == nil {
		return nil
	}
	if !t.Type.Sequence {
		return s.fail(e.Args[0], "%s is of sequences, and this is %s", e.Name, s.c.M.describe(t.Type))
	}
	if e.Name == "length" {
		return t.length()
	}
	k := t.length()
	k.Pos, k.Width = e.Pos, e.Width
	return t.items().nth(k)
}

// ofSets resolves size and subset.
func (s *scope) ofSets(e *ftdp.Expr) *Term {
	var want *Type
	for _, a := range e.Args {
		if s.isSet(a) {
			continue
		}
		t := s.Term(a)
		if t == nil {
			return nil
		}
		if !t.Type.Set {
			return s.fail(a, "%s is of sets, and this is %s", e.Name, s.c.M.describe(t.Type))
		}
		want = t.Type
	}
	if want == nil {
		if want = s.typeOfSet(&ftdp.Expr{Op: ftdp.Call, Name: "union", Args: e.Args, Pos: e.Pos, Width: e.Width},
			nil); want == nil {
			return nil
		}
	}
	depth := len(s.vars)
	defer func() { s.vars = s.vars[:depth] }()
	cell := s.push("\x00e", want.Index, diag.Pos{})
	x := &Term{Op: ftdp.Name, Pos: e.Pos, Width: e.Width, Type: want.Index, Var: cell}
	out := &Term{Op: ftdp.Count, Type: intType, Var: cell, Range: &Range{Type: want.Index, Quorum: -1}}
	m := &membership{scope: s, x: x, of: want.Index}
	body := m.in(e.Args[0])
	if e.Name == "subset" {
		out.Op, out.Type = ftdp.ForAll, BoolType
		body = m.condition(e, ftdp.Implies, body, m.in(e.Args[1]))
	}
	if body = m.checked(e, body); body == nil {
		return nil
	}
	out.Args = []*Term{body}
	return out
}
