package promela

// A Model is a text that has been read.
type Model struct {
	Params    []string
	Shared    []Variable
	Assumes   []*Expr
	Props     []Prop
	Formulas  []Formula
	Process   string
	Count     *Expr // how many processes
	Locals    []Variable
	Body      []*Stmt
	Line      int // of the proctype
	propNames map[string]*Expr
	location  string // the variable that says where a process is; empty if it can be at one place only
}

// A Variable has a type, which says which numbers fit, and an initial value.
type Variable struct {
	Name    string
	Type    string
	Width   int   // in bits, of unsigned
	Array   bool  // declared, and never used
	Initial *Expr // nil: 0
	Line    int
}

// A Prop is a named proposition.
type Prop struct {
	Name string
	Expr *Expr
}

// A Formula is a named ltl formula.
type Formula struct {
	Name  string
	Expr  *Expr
	Line  int
	Chain bool // it has p -> q -> r without parentheses
}

// A Stmt is a statement. Kind is one of assign, cond (a condition on its own), assume, else, skip, assert,
// havoc, if, do, atomic, goto, break; of decl while the text is read.
type Stmt struct {
	Kind    string
	Place   int  // in the order of the text
	Decl    bool // an assignment that a declaration makes
	Vars    []Variable
	Labels  []string
	Name    string // of the variable, or of the label that goto goes to
	Target  *Expr  // the variable, resolved
	Expr    *Expr
	Options []Option // of if, do
	Body    []*Stmt  // of atomic
	Line    int
}

// An Option is an alternative of if or do.
type Option struct {
	Body []*Stmt
	Line int // of its ::
}

// types are the kinds of numbers.
var types = map[string]bool{"int": true, "byte": true, "bit": true, "bool": true, "short": true, "pid": true, "unsigned": true}

// modifiers stand in front of a type, and mean nothing.
var modifiers = map[string]bool{"hidden": true, "show": true, "local": true}

// Parse reads a text.
func Parse(text string, defines []string) (*Model, error) {
	words, err := Preprocess(text, defines)
	if err != nil {
		return nil, err
	}
	r := &reader{words: words}
	for i, w := range words {
		if w.Text == "proctype" && i+1 < len(words) {
			r.proctype = words[i+1].Text
		}
	}
	m := &Model{}
	for !r.at("") {
		if err := r.item(m); err != nil {
			return nil, err
		}
	}
	if m.Process == "" {
		return nil, fail(r.line(), "there is no proctype")
	}
	for _, w := range r.mentions {
		if w.Text != m.Process {
			return nil, fail(w.Line, "%s is no proctype", w.Text)
		}
	}
	return m, m.resolve()
}

// end passes over the ; that may end something.
func (r *reader) end() {
	if r.at(";") {
		r.next()
	}
}

// item reads one of the things that stand outside of processes.
func (r *reader) item(m *Model) error {
	line := r.line()
	switch {
	case r.at(";"):
		r.next()
		return nil
	case r.at("symbolic"):
		r.next()
		if kind := r.next(); !types[kind.Text] {
			return fail(kind.Line, "%q where a type should be", kind.Text)
		}
		for {
			name, err := r.name()
			if err != nil {
				return err
			}
			m.Params = append(m.Params, name.Text)
			if !r.at(",") {
				r.end()
				return nil
			}
			r.next()
		}
	case types[r.word()] || modifiers[r.word()]:
		list, err := r.declaration()
		m.Shared = append(m.Shared, list...)
		return err
	case r.at("assume"):
		r.next()
		e, err := r.expression(false)
		m.Assumes = append(m.Assumes, e)
		return err
	case r.at("atomic"):
		r.next()
		name, err := r.name()
		if err != nil {
			return err
		}
		if err := r.expect("="); err != nil {
			return err
		}
		e, err := r.expression(false)
		if err != nil {
			return err
		}
		m.Props = append(m.Props, Prop{name.Text, e})
		r.end()
		return nil
	case r.at("ltl"):
		r.next()
		name, err := r.name()
		if err != nil {
			return err
		}
		if err := r.expect("{"); err != nil {
			return err
		}
		r.chain = false
		e, err := r.expression(true)
		if err != nil {
			return err
		}
		m.Formulas = append(m.Formulas, Formula{name.Text, e, line, r.chain})
		if r.at(";") {
			r.next()
		}
		return r.expect("}")
	case r.at("active"):
		return r.proctypeItem(m)
	case r.at("never") || r.at("init"):
		return r.leftOut()
	}
	return fail(line, "%q is not supported here", r.word())
}

// leftOut reads never { ... } or init { ... }, which mean nothing; init must not do anything.
func (r *reader) leftOut() error {
	word := r.next()
	if err := r.expect("{"); err != nil {
		return err
	}
	for depth := 1; depth > 0; {
		switch w := r.next(); w.Text {
		case "":
			return fail(word.Line, "%s does not end", word.Text)
		case "{":
			depth++
		case "}":
			depth--
		case "run", "=", "++", "--":
			if word.Text == "init" {
				return fail(w.Line, "init does something")
			}
		}
	}
	return nil
}

// width reads the number after : or between brackets.
func (r *reader) width() (int, error) {
	w := r.next()
	v, err := number(w.Text)
	if err != nil {
		return 0, fail(w.Line, "%q where a number should be", w.Text)
	}
	return int(v), nil
}

// declaration reads `int a = 1, b;`.
func (r *reader) declaration() ([]Variable, error) {
	var out []Variable
	for modifiers[r.word()] {
		r.next()
	}
	kind := r.next().Text
	if !types[kind] {
		return nil, fail(r.line(), "%q where a type should be", kind)
	}
	for {
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		v := Variable{Name: name.Text, Type: kind, Line: name.Line}
		if r.at(":") {
			r.next()
			if v.Width, err = r.width(); err != nil {
				return nil, err
			}
		}
		if r.at("[") {
			r.next()
			if _, err = r.width(); err != nil {
				return nil, err
			}
			if err := r.expect("]"); err != nil {
				return nil, err
			}
			v.Array = true
		}
		if r.at("=") {
			r.next()
			if v.Initial, err = r.expression(false); err != nil {
				return nil, err
			}
		}
		out = append(out, v)
		if !r.at(",") {
			r.end()
			return out, nil
		}
		r.next()
	}
}

// proctypeItem reads `active[N] proctype Proc() { ... }`.
func (r *reader) proctypeItem(m *Model) error {
	m.Line = r.next().Line
	if m.Process != "" {
		return fail(m.Line, "several proctypes")
	}
	m.Count = &Expr{Op: "num", Value: 1}
	if r.at("[") {
		r.next()
		var err error
		if m.Count, err = r.expression(false); err != nil {
			return err
		}
		if err := r.expect("]"); err != nil {
			return err
		}
	}
	if err := r.expect("proctype"); err != nil {
		return err
	}
	name, err := r.name()
	if err != nil {
		return err
	}
	m.Process = name.Text
	for _, w := range []string{"(", ")"} {
		if err := r.expect(w); err != nil {
			return err
		}
	}
	if r.at("priority") {
		r.next()
		if _, err := r.width(); err != nil {
			return err
		}
	}
	if err := r.expect("{"); err != nil {
		return err
	}
	if m.Body, err = r.sequence("}"); err != nil {
		return err
	}
	return r.expect("}")
}
