package sizes

import "slices"

// expression reads an expression. From the weakest operator to the strongest: <-> and -> (to the
// right), or, and, not F G, comparisons (also chains of them), + -, * /.
func (p *parser) expression() *Expr {
	left := p.disjunction()
	if op := p.peek(); op == "->" || op == "<->" {
		p.next()
		return &Expr{Op: op, Args: []*Expr{left, p.expression()}}
	}
	return left
}

func (p *parser) disjunction() *Expr {
	left := p.conjunction()
	for p.accept("or") {
		left = &Expr{Op: "or", Args: []*Expr{left, p.conjunction()}}
	}
	return left
}

func (p *parser) conjunction() *Expr {
	left := p.negation()
	for p.accept("and") {
		left = &Expr{Op: "and", Args: []*Expr{left, p.negation()}}
	}
	return left
}

func (p *parser) negation() *Expr {
	switch op := p.peek(); op {
	case "not", "F", "G":
		if op == "not" && p.mistake == "not binds strongly" {
			return p.comparison()
		}
		p.next()
		return &Expr{Op: op, Args: []*Expr{p.negation()}}
	}
	return p.comparison()
}

var comparisons = []string{"=", "!=", "<", "<=", ">", ">="}

// comparison reads a comparison; a < b < c is a < b and b < c. In a != b != c, and where all signs are such, all differ.
func (p *parser) comparison() *Expr {
	operands, operators := []*Expr{p.sum()}, []string{}
	for slices.Contains(comparisons, p.peek()) {
		operators = append(operators, p.next())
		operands = append(operands, p.sum())
	}
	if len(operators) == 0 {
		return operands[0]
	}
	unequal := !slices.ContainsFunc(operators, func(op string) bool { return op != "!=" }) && p.mistake != "neighbours differ"
	var all *Expr
	for i, left := range operands {
		for j := i + 1; j < len(operands) && (unequal || j == i+1); j++ {
			one := &Expr{Op: operators[j-1], Args: []*Expr{left, operands[j]}}
			if all == nil {
				all = one
			} else {
				all = &Expr{Op: "and", Args: []*Expr{all, one}}
			}
		}
	}
	return all
}

func (p *parser) sum() *Expr {
	left := p.product()
	for p.peek() == "+" || p.peek() == "-" {
		op := p.next()
		left = &Expr{Op: op, Args: []*Expr{left, p.product()}}
	}
	return left
}

func (p *parser) product() *Expr {
	left := p.primary()
	for p.peek() == "*" || p.peek() == "/" {
		op := p.next()
		left = &Expr{Op: op, Args: []*Expr{left, p.primary()}}
	}
	return left
}

func (p *parser) primary() *Expr {
	switch word := p.peek(); {
	case isNumber(word):
		return &Expr{Op: "number", Number: p.number()}
	case word == "not" && p.mistake == "not binds strongly":
		p.next()
		return &Expr{Op: "not", Args: []*Expr{p.primary()}}
	case word == "-":
		p.next()
		zero := &Expr{Op: "number"}
		return &Expr{Op: "-", Args: []*Expr{zero, p.primary()}}
	case word == "(":
		p.next()
		e := p.expression()
		p.expect(")")
		return e
	case word == "true" || word == "false":
		e := &Expr{Op: "number"}
		if p.next() == "true" {
			e.Number = 1
		}
		return e
	case word == "heard":
		p.next()
		p.expect("(")
		return p.heard()
	case word == "[" || word == "⌈" || word == "⌊":
		return p.rounded()
	case word == "_":
		p.next()
		return &Expr{Op: "any"}
	case word == "all" || word == "some" || word == "count" || word == "every":
		p.next()
		p.expect("(")
		e := &Expr{Op: word, Args: []*Expr{p.expression()}}
		p.expect(")")
		return e
	}
	e := &Expr{Op: "name", Name: p.name()}
	switch {
	case p.accept("."):
		e.Of, e.Name = e.Name, p.name()
	case p.peek() == "(":
		e.Op = "call"
		for p.accept("(") {
			e.Args = append(e.Args, p.list()...)
		}
		for i, arg := range e.Args {
			p.argument(i, arg)
		}
	}
	return e
}

// heard reads what comes after heard( : a kind, perhaps with the type of its senders, or values, or the crashed.
func (p *parser) heard() *Expr {
	e := &Expr{Op: "heard", Name: p.name()}
	if p.accept(".") {
		e.Of, e.Name = e.Name, p.name()
	}
	if p.accept("(") {
		e.Args = p.list()
	}
	if p.accept("or") {
		p.expect("crashed")
		e.Op = "heard or crashed"
	}
	p.expect(")")
	return e
}

// list reads expressions up to a closing parenthesis.
func (p *parser) list() []*Expr {
	list := []*Expr{p.expression()}
	for p.accept(",") {
		list = append(list, p.expression())
	}
	p.expect(")")
	return list
}

// rounded reads a quotient that is rounded up, [x / k] or ⌈x / k⌉, or down, ⌊x / k⌋.
func (p *parser) rounded() *Expr {
	closing := map[string]string{"[": "]", "⌈": "⌉", "⌊": "⌋"}
	open := p.next()
	e := p.sum()
	p.expect(closing[open])
	if e.Op != "/" {
		p.fail("a quotient should be in %s", open)
	}
	if open != "⌊" {
		e.Op = "/ up"
	}
	return e
}
