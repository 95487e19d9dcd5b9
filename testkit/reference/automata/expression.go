package automata

// Operators, weakest first: -> (to the left), ||, &&, prefix ! <> [], comparisons, + -, * /, unary -.

func (p *parser) formula() *Node {
	left := p.disjunction()
	for p.accept("->") {
		left = &Node{Op: "->", Left: left, Right: p.disjunction()}
	}
	return left
}

func (p *parser) disjunction() *Node {
	left := p.conjunction()
	for p.accept("||") {
		left = &Node{Op: "||", Left: left, Right: p.conjunction()}
	}
	return left
}

func (p *parser) conjunction() *Node {
	left := p.prefixed()
	for p.accept("&&") {
		left = &Node{Op: "&&", Left: left, Right: p.prefixed()}
	}
	return left
}

func (p *parser) prefixed() *Node {
	for _, sign := range []string{"!", "<>", "[]"} {
		if p.accept(sign) {
			return &Node{Op: sign, Left: p.prefixed()}
		}
	}
	return p.comparison()
}

func (p *parser) comparison() *Node {
	left := p.sum()
	for _, sign := range []string{"==", "!=", "<", "<=", ">", ">="} {
		if p.accept(sign) {
			return &Node{Op: sign, Left: left, Right: p.sum()}
		}
	}
	return left
}

func (p *parser) sum() *Node {
	left := p.product()
	for {
		switch {
		case p.accept("+"):
			left = &Node{Op: "+", Left: left, Right: p.product()}
		case p.accept("-"):
			left = &Node{Op: "-", Left: left, Right: p.product()}
		default:
			return left
		}
	}
}

func (p *parser) product() *Node {
	left := p.negative()
	for {
		switch {
		case p.accept("*"):
			left = &Node{Op: "*", Left: left, Right: p.negative()}
		case p.accept("/"):
			left = &Node{Op: "/", Left: left, Right: p.negative()}
		default:
			return left
		}
	}
}

func (p *parser) negative() *Node {
	if p.accept("-") {
		return &Node{Op: "neg", Left: p.negative()}
	}
	return p.primary()
}

func (p *parser) primary() *Node {
	switch word := p.peek(); {
	case p.accept("("):
		inner := p.formula()
		p.expect(")")
		return inner
	case isNumber(word):
		p.take()
		number := 0
		for _, digit := range word {
			number = 10*number + int(digit-'0')
		}
		return &Node{Op: "number", Number: number}
	case word == "true" || word == "false":
		p.take()
		return &Node{Op: word}
	}
	return &Node{Op: "name", Name: p.name()}
}
