package promela

import (
	"fmt"
	"strings"
)

// An Expr is an expression over numbers, a proposition, or a formula: they share operators.
//
// Op is an operator of the text, or one of num, name, param, shared, local (Proc:x, or x inside the process), prop,
// at (Proc@label), all, some, card, neg (the minus of a number) and ?: (Promela's (a -> b : c)).
type Expr struct {
	Op    string
	Args  []*Expr
	Name  string // of name, param, shared, local, prop, at
	Value int64  // of num
	Index int    // of param, shared, local, after resolving
	Line  int
	Words []Token // as it stands in the text, of what is read as a whole
}

// levels are the binary operators of expressions, weakest first, as Spin groups them: all of them to the left, -> too.
var levels = [][]string{
	{"->", "<->", "implies", "equivalent"},
	{"||", "or"},
	{"&&", "and"},
	{"U", "W", "V", "until", "weakuntil", "release", "stronguntil"},
	{"|"}, {"^"}, {"&"},
	{"==", "!="},
	{"<", ">", "<=", ">="},
	{"<<", ">>"},
	{"+", "-"},
	{"*", "/", "%"},
}

// synonyms are words for operators.
var synonyms = map[string]string{
	"implies": "->", "equivalent": "<->", "or": "||", "and": "&&", "not": "!", "until": "U", "stronguntil": "U", "weakuntil": "W",
	"release": "V", "always": "[]", "eventually": "<>",
}

// temporal operators are those of formulas only.
var temporal = map[string]bool{"U": true, "W": true, "V": true, "[]": true, "<>": true}

// expression reads an expression; in formulas, operators of temporal logic may stand in it, and -> at its top.
func (r *reader) expression(formula bool) (*Expr, error) {
	from := r.i
	e, err := r.level(0, formula)
	if err != nil {
		return nil, err
	}
	e.Words = r.words[from:r.i]
	return e, nil
}

func (r *reader) level(n int, formula bool) (*Expr, error) {
	if n == len(levels) {
		return r.prefix(formula)
	}
	left, err := r.level(n+1, formula)
	if err != nil {
		return nil, err
	}
	for rounds := 0; ; rounds++ {
		op := ""
		for _, o := range levels[n] {
			if r.at(o) {
				op = o
			}
		}
		canonical := op
		if s, ok := synonyms[op]; ok {
			canonical = s
		}
		if op == "" || !formula && (n == 0 || temporal[canonical]) {
			return left, nil
		}
		r.chain = r.chain || n == 0 && rounds > 0
		line := r.next().Line
		right, err := r.level(n+1, formula)
		if err != nil {
			return nil, err
		}
		left = &Expr{Op: canonical, Args: []*Expr{left, right}, Line: line}
	}
}

func (r *reader) prefix(formula bool) (*Expr, error) {
	op := r.word()
	if s, ok := synonyms[op]; ok {
		op = s
	}
	switch op {
	case "!", "-", "~", "[]", "<>":
		if temporal[op] && !formula {
			return nil, fail(r.line(), "%s in what is no formula", op)
		}
		line := r.next().Line
		arg, err := r.prefix(formula)
		if err != nil {
			return nil, err
		}
		if op == "-" {
			op = "neg"
		}
		return &Expr{Op: op, Args: []*Expr{arg}, Line: line}, nil
	}
	return r.primary(formula)
}

func (r *reader) primary(formula bool) (*Expr, error) {
	w := r.next()
	switch {
	case w.Text == "(":
		e, err := r.expression(formula)
		if err != nil {
			return nil, err
		}
		if !formula && r.at("->") {
			return r.conditional(e)
		}
		return e, r.expect(")")
	case w.Text == "":
		return nil, fail(w.Line, "an expression is missing")
	case digit(w.Text[0]):
		v, err := number(w.Text)
		if err != nil {
			return nil, fail(w.Line, "the number %s is too large", w.Text)
		}
		return &Expr{Op: "num", Value: v, Line: w.Line}, nil
	case w.Text == "true" || w.Text == "false":
		e := &Expr{Op: "num", Line: w.Line}
		if w.Text == "true" {
			e.Value = 1
		}
		return e, nil
	case (w.Text == "all" || w.Text == "some" || w.Text == "card") && r.at("("):
		r.next()
		e, err := r.expression(false)
		if err != nil {
			return nil, err
		}
		return &Expr{Op: w.Text, Args: []*Expr{e}, Line: w.Line}, r.expect(")")
	case !letter(w.Text[0]) || keywords[w.Text]:
		return nil, fail(w.Line, "unexpected %q, where an expression should be", w.Text)
	case r.at("@"):
		r.next()
		label := r.next()
		return &Expr{Op: "at", Name: label.Text, Line: w.Line}, r.process(w)
	case r.at(":") && w.Text == r.proctype:
		r.next()
		name := r.next()
		return &Expr{Op: "local", Name: name.Text, Line: w.Line}, r.process(w)
	}
	return &Expr{Op: "name", Name: w.Text, Line: w.Line}, nil
}

// conditional reads the rest of (a -> b : c).
func (r *reader) conditional(condition *Expr) (*Expr, error) {
	line := r.next().Line
	yes, err := r.expression(false)
	if err != nil {
		return nil, err
	}
	if err := r.expect(":"); err != nil {
		return nil, err
	}
	no, err := r.expression(false)
	if err != nil {
		return nil, err
	}
	return &Expr{Op: "?:", Args: []*Expr{condition, yes, no}, Line: line}, r.expect(")")
}

// String writes the expression with all parentheses.
func (e *Expr) String() string {
	switch e.Op {
	case "num":
		return fmt.Sprint(e.Value)
	case "name", "param", "shared", "prop":
		return e.Name
	case "local", "location":
		return "Proc:" + e.Name
	case "at":
		return "Proc@" + e.Name
	case "all", "some", "card":
		return e.Op + "(" + e.Args[0].String() + ")"
	case "neg":
		return "(-" + e.Args[0].String() + ")"
	case "?:":
		return "(" + e.Args[0].String() + " -> " + e.Args[1].String() + " : " + e.Args[2].String() + ")"
	}
	parts := make([]string, len(e.Args))
	for i, a := range e.Args {
		parts[i] = a.String()
	}
	if len(parts) == 1 {
		return "(" + e.Op + " " + parts[0] + ")"
	}
	return "(" + strings.Join(parts, " "+e.Op+" ") + ")"
}
