package protocol

import "slices"

// expr reads an expression or a formula. From loosest to tightest: <->, ->, or,
// and, U and R, not with F and G, comparisons, sums, products, signs.
func (p *parser) expr() *Expr {
	if p.is("if") {
		return p.choice()
	}
	e := p.implication()
	if p.is("<->") {
		pos := p.next().pos
		e = &Expr{Op: "<->", Pos: pos, Args: []*Expr{e, p.implication()}}
		if p.is("<->") {
			p.fail("two <-> in a row need parentheses")
		}
	}
	return e
}

// implication reads "a -> b -> c" as "a -> (b -> c)".
func (p *parser) implication() *Expr {
	e := p.disjunction()
	if p.is("->") {
		pos := p.next().pos
		return &Expr{Op: "->", Pos: pos, Args: []*Expr{e, p.implication()}}
	}
	return e
}

func (p *parser) disjunction() *Expr {
	e := p.conjunction()
	for p.is("or") {
		pos := p.next().pos
		e = &Expr{Op: "or", Pos: pos, Args: []*Expr{e, p.conjunction()}}
	}
	return e
}

func (p *parser) conjunction() *Expr {
	e := p.until()
	for p.is("and") {
		pos := p.next().pos
		e = &Expr{Op: "and", Pos: pos, Args: []*Expr{e, p.until()}}
	}
	return e
}

func (p *parser) until() *Expr {
	e := p.negation()
	for p.is("U") || p.is("R") {
		t := p.next()
		e = &Expr{Op: t.text, Pos: t.pos, Args: []*Expr{e, p.negation()}}
	}
	return e
}

// unaryFormula tells whether F or G stands here as an operator, not as a name.
func (p *parser) unaryFormula() bool {
	if !p.is("F") && !p.is("G") {
		return false
	}
	t := p.after(1)
	return t.kind == tokenName && t.text != "and" && t.text != "or" || t.kind == tokenNumber ||
		slices.Contains([]string{"(", "[]", "{", "-", "⌊", "⌈"}, t.text)
}

// choice reads "if a then b elsif c then d else e".
func (p *parser) choice() *Expr {
	e := &Expr{Op: "if", Pos: p.next().pos}
	e.Args = append(e.Args, p.expr())
	p.expect("then")
	e.Args = append(e.Args, p.expr())
	if p.is("elsif") {
		e.Args = append(e.Args, p.choice())
		return e
	}
	p.expect("else")
	e.Args = append(e.Args, p.expr())
	return e
}

// those reads what follows the parenthesis of "{k: T | e}": a type, or a set.
func (p *parser) those(e *Expr) *Expr {
	e.Op, e.Var = "those", p.name()
	p.expect(":")
	if start := p.at; p.is("bool") {
		e.Range = p.typeExpr()
	} else if over := p.sum(); over.Op == "name" || p.is("..") {
		p.at = start
		e.Range = p.typeExpr()
	} else {
		e.Over = over
	}
	if p.take("or") {
		e.Args = append(e.Args, p.expr())
	}
	p.expect("}")
	return e
}

func (p *parser) negation() *Expr {
	if p.is("[]") && mistake == mistakeBoxes {
		return &Expr{Op: "F", Pos: p.next().pos, Args: []*Expr{p.negation()}}
	}
	if p.is("[]") {
		return &Expr{Op: "G", Pos: p.next().pos, Args: []*Expr{p.negation()}}
	}
	if p.is("not") || p.unaryFormula() {
		t := p.next()
		return &Expr{Op: t.text, Pos: t.pos, Args: []*Expr{p.negation()}}
	}
	return p.comparison()
}

var relations = []string{"=", "!=", "<", "<=", ">", ">="}

func (p *parser) comparison() *Expr {
	first := p.sum()
	if p.is("in") {
		pos := p.next().pos
		return &Expr{Op: "in", Pos: pos, Args: []*Expr{first, p.sum()}}
	}
	chain := &Expr{Op: "chain", Pos: first.Pos, Args: []*Expr{first}}
	for {
		found := false
		for _, r := range relations {
			if p.take(r) {
				chain.Relations = append(chain.Relations, r)
				chain.Args = append(chain.Args, p.sum())
				found = true
				break
			}
		}
		if !found {
			break
		}
	}
	if len(chain.Relations) == 0 {
		return first
	}
	return chain
}

func (p *parser) sum() *Expr {
	e := p.product()
	for p.is("+") || p.is("-") {
		t := p.next()
		e = &Expr{Op: t.text, Pos: t.pos, Args: []*Expr{e, p.product()}}
	}
	return e
}

func (p *parser) product() *Expr {
	e := p.operand()
	for p.is("*") || p.is("/") || p.is("%") {
		t := p.next()
		e = &Expr{Op: t.text, Pos: t.pos, Args: []*Expr{e, p.operand()}}
	}
	return e
}

// operand reads what an arithmetic operator may have on its sides. The operand
// of count, max and min is one, too; forall and exists reach as far as they can.
func (p *parser) operand() *Expr {
	t := p.peek()
	switch {
	case p.take("-"):
		return &Expr{Op: "negate", Pos: t.pos, Args: []*Expr{p.operand()}}
	case p.is("not"):
		return p.negation()
	case p.is("forall") || p.is("exists"):
		return p.quantified()
	case p.is("count") || p.is("max") || p.is("min"):
		e := p.quantifier()
		e.Args = []*Expr{p.operand()}
		if p.take("by") {
			e.Args = append(e.Args, p.operand())
		}
		if e.Op != "count" && p.take("default") {
			e.Default = p.operand()
		}
		return e
	}
	return p.postfix()
}

// quantified reads "forall (i, j: T) e", "forall k: T. e" and "forall k in T: e".
func (p *parser) quantified() *Expr {
	t := p.next()
	paren := p.take("(")
	names := []string{p.name()}
	for p.take(",") {
		names = append(names, p.name())
	}
	in := !p.take(":")
	if in {
		p.expect("in")
	}
	p.bare = !paren
	typ := p.typeExpr()
	p.bare = false
	switch {
	case paren:
		p.expect(")")
	case in:
		p.expect(":")
	default:
		p.expect(".")
	}
	e := p.expr()
	if mistake == mistakeNested {
		first, last := &Expr{Op: "name", Name: names[0]}, &Expr{Op: "name", Name: names[len(names)-1]}
		same := &Expr{Op: "chain", Args: []*Expr{first, last}, Relations: []string{"="}}
		e = &Expr{Op: "->", Pos: e.Pos, Args: []*Expr{same, e}}
	}
	for i := len(names) - 1; i >= 0; i-- {
		e = &Expr{Op: t.text, Pos: t.pos, Var: names[i], Range: typ, Args: []*Expr{e}}
	}
	return e
}

// quantifier reads "count (k: T)" and its kin.
func (p *parser) quantifier() *Expr {
	t := p.next()
	e := &Expr{Op: t.text, Pos: t.pos}
	p.expect("(")
	e.Var = p.name()
	if !p.take(":") {
		p.expect("in")
	}
	e.Range = p.typeExpr()
	p.expect(")")
	return e
}

// record reads "(a: 1, b: true)" from behind its parenthesis.
func (p *parser) record(t token) *Expr {
	e := &Expr{Op: "record", Pos: t.pos}
	for !p.take(")") {
		e.Names = append(e.Names, p.name())
		p.expect(":")
		e.Args = append(e.Args, p.expr())
		p.take(",")
	}
	return e
}

// postfix reads an atom with the fields and indices after it.
func (p *parser) postfix() *Expr {
	e := p.atom()
	for {
		t := p.peek()
		switch {
		case p.is(".") && !p.bare:
			p.next()
			e = &Expr{Op: "field", Pos: t.pos, Args: []*Expr{e}, Name: p.name()}
		case p.is("["):
			p.next()
			e = &Expr{Op: "index", Pos: t.pos, Args: []*Expr{e, p.expr()}}
			p.expect("]")
		default:
			return e
		}
	}
}

func (p *parser) atom() *Expr {
	t := p.next()
	switch {
	case t.kind == tokenNumber:
		return &Expr{Op: "number", Pos: t.pos, Number: number(t.text)}
	case t.kind == tokenSend:
		return &Expr{Op: "send", Pos: t.pos, Name: t.text}
	case t.kind == tokenName:
		switch t.text {
		case "true":
			return &Expr{Op: "bool", Pos: t.pos, Number: 1}
		case "false":
			return &Expr{Op: "bool", Pos: t.pos}
		case "isundefined":
			p.expect("(")
			e := &Expr{Op: "isundefined", Pos: t.pos, Args: []*Expr{p.postfix()}}
			p.expect(")")
			return e
		}
		if p.take("(") {
			e := &Expr{Op: "call", Pos: t.pos, Name: t.text}
			for !p.take(")") {
				e.Args = append(e.Args, p.expr())
				p.take(",")
			}
			return e
		}
		return &Expr{Op: "name", Pos: t.pos, Name: t.text}
	case t.text == "(" && p.peek().kind == tokenName && p.after(1).text == ":":
		return p.record(t)
	case t.text == "{":
		e := &Expr{Op: "set", Pos: t.pos}
		if p.peek().kind == tokenName && p.after(1).text == ":" {
			return p.those(e)
		}
		for !p.take("}") {
			e.Args = append(e.Args, p.expr())
			p.take(",")
		}
		return e
	case t.text == "(":
		e := p.expr()
		p.expect(")")
		return e
	case t.text == "[":
		e := &Expr{Op: "ceil", Pos: t.pos, Args: []*Expr{p.expr()}}
		p.expect("]")
		return e
	case t.text == "⌈":
		e := &Expr{Op: "ceil", Pos: t.pos, Args: []*Expr{p.expr()}}
		p.expect("⌉")
		return e
	case t.text == "⌊":
		e := &Expr{Op: "floor", Pos: t.pos, Args: []*Expr{p.expr()}}
		p.expect("⌋")
		return e
	}
	p.at--
	p.fail("unexpected %q", t.text)
	return nil
}
