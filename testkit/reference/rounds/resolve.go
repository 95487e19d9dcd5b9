package rounds

import "slices"

// resolve replaces names in a text by what they stand for.
func resolve(t *Text) {
	exprs := slices.Concat(t.Assumptions, t.Init)
	exprs = append(exprs, t.Size)
	if t.Number != nil {
		exprs = append(exprs, t.Number)
	}
	t.notes()
	for _, p := range t.Properties {
		exprs = append(exprs, p.Formula)
		if p.After != nil {
			exprs = append(exprs, p.After)
		}
	}
	for _, e := range exprs {
		t.expr(e, 0)
	}
	for i := range t.Rules {
		r := &t.Rules[i]
		r.reads = make([]bool, len(t.Kinds))
		each(r.Body, func(s *Statement) { t.statement(s, r) })
	}
	t.leading()
}

// uses notes definitions of which an expression speaks.
func (t *Text) uses(e *Expr, list *[]string) {
	mentionsAny(e, func(e *Expr) bool {
		if t.Definitions[e.Name] != nil && !slices.Contains(*list, e.Name) {
			*list = append(*list, e.Name)
		}
		return false
	})
}

// statement resolves the names of one of the statements of a rule, but not those of its branches.
func (t *Text) statement(s *Statement, r *Rule) {
	read := func(e *Expr) {
		t.expr(e, 0)
		for i, k := range t.Kinds {
			r.reads[i] = r.reads[i] || asksFor(e, k.Name)
		}
	}
	switch s.Op {
	case ":=", "toss", "coin":
		s.index = slices.IndexFunc(t.Variables, func(v Variable) bool { return v.Name == s.Name })
	case "send":
		s.index = slices.IndexFunc(t.Kinds, func(k Kind) bool { return k.Name == s.Name })
		if s.index >= 0 && len(s.Values) != len(t.Kinds[s.index].Fields) {
			fail("sent with too many values, or too few: %s", s.Name)
		}
	}
	if s.index < 0 {
		fail("unknown name %s", s.Name)
	}
	if s.Value != nil {
		read(s.Value)
	}
	for _, e := range s.Values {
		read(e)
	}
	for _, b := range s.Branches {
		if b.Guard != nil {
			read(b.Guard)
		}
	}
}

// asksFor tells whether an expression counts messages of a kind.
func asksFor(e *Expr, kind string) bool {
	if (e.Op == "heard" || e.Op == "arrived") && e.Name == kind {
		return true
	}
	return slices.ContainsFunc(e.Args, func(a *Expr) bool { return asksFor(a, kind) })
}

// expr says for each name whether it is a variable, a parameter or a value.
func (t *Text) expr(e *Expr, depth int) {
	for _, arg := range e.Args {
		t.expr(arg, depth)
	}
	switch e.Op {
	case "heard", "arrived":
		t.turns, t.arrivals = t.turns || e.Led, t.arrivals || e.Op == "arrived"
		e.index = slices.IndexFunc(t.Kinds, func(k Kind) bool { return k.Name == e.Name })
		if e.index < 0 || len(e.Args) > 0 && len(e.Args) != len(t.Kinds[e.index].Fields) {
			fail("no such messages: %s", e.Name)
		}
	case "name", "call":
		t.resolveName(e, depth)
	}
}

func (t *Text) resolveName(e *Expr, depth int) {
	if d := t.Definitions[e.Name]; d != nil {
		t.defined(e, d, depth)
		return
	}
	if number, ok := t.Constants[e.Name]; ok {
		e.Op, e.Number = "number", number
		return
	}
	if e.Op == "call" {
		fail("no such definition: %s", e.Name)
	}
	if e.index = slices.IndexFunc(t.Variables, func(v Variable) bool { return v.Name == e.Name }); e.index >= 0 {
		e.Op = "variable"
		return
	}
	if e.index = slices.Index(t.Parameters, e.Name); e.index >= 0 {
		e.Op = "parameter"
		return
	}
	for _, v := range t.types {
		if i := slices.Index(v.Names, e.Name); i >= 0 {
			e.Op, e.Number, e.index = "number", i, 0
			return
		}
	}
	switch e.Name {
	case "coordinator":
		t.turns = true
	case "crashed":
	default:
		fail("unknown name %s", e.Name)
	}
	e.Op = e.Name
}

func clone(e *Expr) *Expr {
	c := *e
	c.Args = nil
	for _, arg := range e.Args {
		c.Args = append(c.Args, clone(arg))
	}
	return &c
}

// notes looks where definitions are used, before expressions stand there.
func (t *Text) notes() {
	for _, p := range t.Properties {
		t.uses(p.Formula, &t.usedInProperties)
	}
	var visit func(body []Statement, drawn bool)
	visit = func(body []Statement, drawn bool) {
		for i := range body {
			for _, e := range expressions(&body[i]) {
				if drawn {
					t.uses(e, &t.usedAfterDraws)
				}
			}
			for _, b := range body[i].Branches {
				visit(b.Body, drawn)
			}
			drawn = drawn || draws(body[i])
		}
	}
	for _, r := range t.Rules {
		visit(r.Body, false)
	}
}
