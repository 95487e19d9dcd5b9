package promela

// sequence reads statements up to one of the words that end it. Statements are divided by ; or ->, which may be
// missing after what ends with a bracket.
func (r *reader) sequence(ends ...string) ([]*Stmt, error) {
	var out []*Stmt
	for {
		for r.at(";") || r.at("->") {
			r.next()
		}
		if r.at("") || contains(ends, r.word()) {
			return out, nil
		}
		list, err := r.statement()
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
		s := list[len(list)-1]
		bracket := s.Kind == "if" || s.Kind == "do" || s.Kind == "atomic" || s.Kind == "assume" || s.Kind == "decl" || r.words[r.i-1].Text == "}"
		if !bracket && !r.at(";") && !r.at("->") && !contains(ends, r.word()) {
			return nil, fail(r.line(), "%q where a statement should end", r.word())
		}
	}
}

// statement reads a statement, with its labels. A { ... } is what it contains.
func (r *reader) statement() ([]*Stmt, error) {
	var labels []string
	for r.word() != "" && letter(r.word()[0]) && !keywords[r.word()] && r.peek(1) == ":" {
		labels = append(labels, r.next().Text)
		r.next()
	}
	if r.at("{") {
		line := r.next().Line
		list, err := r.sequence("}")
		if err == nil && len(list) == 0 {
			err = fail(line, "nothing between brackets")
		}
		if err != nil {
			return nil, err
		}
		list[0].Labels = append(labels, list[0].Labels...)
		return list, r.expect("}")
	}
	r.places++
	place := r.places
	s, err := r.plain()
	if err != nil {
		return nil, err
	}
	s.Labels, s.Place = labels, place
	return []*Stmt{s}, nil
}

// plain reads a statement without labels.
func (r *reader) plain() (*Stmt, error) {
	w := r.word()
	s := &Stmt{Kind: w, Line: r.line()}
	switch w {
	case "if", "do":
		return s, r.alternatives(s)
	case "atomic", "d_step":
		s.Kind = "atomic"
		r.next()
		if err := r.expect("{"); err != nil {
			return nil, err
		}
		var err error
		if s.Body, err = r.sequence("}"); err != nil {
			return nil, err
		}
		if len(s.Body) == 0 {
			return nil, fail(s.Line, "an empty %s", w)
		}
		return s, r.expect("}")
	case "else", "skip", "break":
		r.next()
		return s, nil
	case "goto":
		r.next()
		name, err := r.name()
		s.Name = name.Text
		return s, err
	case "printf":
		s.Kind = "skip"
		r.next()
		return s, r.skipArguments()
	case "assume", "assert":
		r.next()
		var err error
		s.Expr, err = r.expression(false)
		return s, err
	case "havoc":
		r.next()
		if err := r.expect("("); err != nil {
			return nil, err
		}
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		s.Name = name.Text
		return s, r.expect(")")
	}
	if types[w] || modifiers[w] {
		s.Kind = "decl"
		var err error
		s.Vars, err = r.declaration()
		r.places += len(s.Vars) // each may become an assignment
		return s, err
	}
	if w != "" && letter(w[0]) && !keywords[w] {
		if ok, err := r.assignment(s); ok || err != nil {
			return s, err
		}
	}
	s.Kind = "cond"
	var err error
	s.Expr, err = r.expression(false)
	return s, err
}

// assignment reads x = e, x++ or x--, if that is what comes.
func (r *reader) assignment(s *Stmt) (bool, error) {
	switch r.peek(1) {
	case "=":
		s.Kind, s.Name = "assign", r.next().Text
		r.next()
		var err error
		s.Expr, err = r.expression(false)
		return true, err
	case "++", "--":
		s.Kind, s.Name = "assign", r.next().Text
		op := r.next().Text[:1]
		s.Expr = &Expr{Op: op, Line: s.Line, Args: []*Expr{{Op: "name", Name: s.Name, Line: s.Line}, {Op: "num", Value: 1}}}
		return true, nil
	}
	return false, nil
}

// alternatives reads if ... fi or do ... od.
func (r *reader) alternatives(s *Stmt) error {
	end := map[string]string{"if": "fi", "do": "od"}[r.next().Text]
	for r.at("::") {
		o := Option{Line: r.next().Line}
		var err error
		if o.Body, err = r.sequence("::", end); err != nil {
			return err
		}
		if len(o.Body) == 0 {
			return fail(o.Line, "an alternative without statements")
		}
		s.Options = append(s.Options, o)
	}
	if len(s.Options) == 0 {
		return fail(s.Line, "%s without alternatives", s.Kind)
	}
	return r.expect(end)
}

// skipArguments skips what is in parentheses.
func (r *reader) skipArguments() error {
	if err := r.expect("("); err != nil {
		return err
	}
	for depth := 1; depth > 0; {
		switch w := r.next(); w.Text {
		case "":
			return fail(w.Line, "a parenthesis that does not end")
		case "(":
			depth++
		case ")":
			depth--
		}
	}
	return nil
}
