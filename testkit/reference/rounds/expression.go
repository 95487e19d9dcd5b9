package rounds

import (
	"slices"
	"strings"
)

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
		p.next()
		return &Expr{Op: op, Args: []*Expr{p.negation()}}
	}
	return p.comparison()
}

// comparison reads a comparison; a < b < c is a < b and b < c. In a != b != c all differ.
func (p *parser) comparison() *Expr {
	operands, operators := []*Expr{p.sum()}, []string{}
	for slices.Contains([]string{"=", "!=", "<", "<=", ">", ">="}, p.peek()) {
		operators = append(operators, p.next())
		operands = append(operands, p.sum())
	}
	all := operands[0]
	for i, op := range operators {
		one := &Expr{Op: op, Args: []*Expr{operands[i], operands[i+1]}}
		if i == 0 {
			all = one
		} else {
			all = &Expr{Op: "and", Args: []*Expr{all, one}}
		}
	}
	if len(operators) > 1 && operators[0] == "!=" {
		fail("the reference reads no chains of !=")
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
	case p.accept("("):
		e := p.expression()
		p.expect(")")
		return e
	case p.accept("true"):
		return &Expr{Op: "number", Number: 1}
	case p.accept("false"):
		return &Expr{Op: "number"}
	case word == "heard" || word == "arrived":
		p.next()
		p.expect("(")
		e := &Expr{Op: word, Name: p.name()}
		if p.accept(".") {
			if e.Name != "coordinator" {
				fail("the reference knows no types of processes: %s", e.Name)
			}
			e.Led, e.Name = true, p.name()
		}
		if word == "heard" && p.accept("(") {
			e.Args = p.list()
		}
		p.expect(")")
		return e
	case p.accept("["):
		return p.quotient("]", "/ up")
	case p.accept("⌈"):
		return p.quotient("⌉", "/ up")
	case p.accept("⌊"):
		return p.quotient("⌋", "/")
	case p.accept("_"):
		return &Expr{Op: "any"}
	case word == "-" && isNumber(p.tokens[1]):
		return &Expr{Op: "number", Number: p.number()}
	case p.accept("-"):
		return &Expr{Op: "-", Args: []*Expr{{Op: "number"}, p.primary()}}
	case strings.HasPrefix(word, "-"): // a value of a parameter
		return &Expr{Op: "number", Number: p.number()}
	case word == "all" || word == "some" || word == "count" || word == "every":
		p.next()
		p.expect("(")
		e := &Expr{Op: word, Args: []*Expr{p.expression()}}
		p.expect(")")
		return e
	}
	e := &Expr{Op: "name", Name: p.name()}
	if p.accept("(") {
		e.Op, e.Args = "call", p.list()
	}
	return e
}

// quotient reads a quotient, and the sign behind it.
func (p *parser) quotient(sign, op string) *Expr {
	e := p.sum()
	p.expect(sign)
	if e.Op != "/" {
		fail("a quotient should be before %s", sign)
	}
	return &Expr{Op: op, Args: e.Args}
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
