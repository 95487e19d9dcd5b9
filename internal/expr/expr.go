// Package expr reads expressions by operator precedence ("precedence climbing"): the one expression parser of all
// languages of this program. A language gives its tokens, a table of operators, and functions that read an operand and
// make a node; the parser does the rest, and bounds how deeply expressions nest.
//
// Levels order operators: an operator of a greater level binds more strongly. All operators of one level have the same
// associativity.
package expr

// Assoc says what a row of operators of one level means.
type Assoc int

const (
	Left  Assoc = iota // a - b - c is (a - b) - c
	Right              // a -> b -> c is a -> (b -> c)
	Flat               // a < b <= c is one node with three operands
)

// Infix is an operator between two operands.
type Infix struct {
	Level int // at least 1
	Assoc Assoc
}

// Prefix is an operator before its operand, which is made of operators of its level and of greater ones.
type Prefix[N any] struct {
	Level int
	// Anywhere is set where it may stand behind an operator that binds more strongly: a * -b where - is of a lower
	// level.
	Anywhere bool
	// Read reads what follows the operator, in place of an operand: the variables of a quantifier, say.
	Read func() (N, error)
}

// Tokens are what is read. Peek does not take the token away.
type Tokens[T any] interface {
	Peek() T
	Next() T
}

// Parser reads expressions made of tokens T as nodes N.
type Parser[T, N any] struct {
	Tokens Tokens[T]
	Infix  map[string]Infix
	Prefix map[string]Prefix[N]

	// InfixAt and PrefixAt name the operator that a token is where an operator between operands, or one before an
	// operand, may stand; "" if none. They give all ways to write an operator one name.
	InfixAt, PrefixAt func(T) string

	// Operand reads what has no operators outside of brackets.
	Operand func() (N, error)

	// Join makes a node of operators and their operands: one operand more than operators, or one of each for an
	// operator before its operand. First is the first token of the node.
	Join func(first T, ops []T, operands []N) (N, error)

	// Again, if not nil, is asked before an operator is taken that follows another one of its level.
	Again func(before, op T) error

	// Limit bounds how deeply expressions nest; TooDeep is the error at the token that nests more deeply.
	Limit   int
	TooDeep func(T) error

	depth int
}

// Read reads an expression all of whose operators outside of brackets are of a level above least: 0 for any expression.
// Operands call it for what is in their brackets. It takes time linear in the number of tokens.
func (p *Parser[T, N]) Read(least int) (N, error) {
	if p.depth++; p.depth > p.Limit {
		var none N
		return none, p.TooDeep(p.Tokens.Peek())
	}
	defer func() { p.depth-- }()
	return p.read(least)
}

// read is Read within the same brackets: it calls itself at most once for each level.
func (p *Parser[T, N]) read(least int) (N, error) {
	first := p.Tokens.Peek()
	left, err := p.operand(least)
	for err == nil {
		infix, known := p.Infix[p.InfixAt(p.Tokens.Peek())]
		if !known || infix.Level <= least {
			return left, nil
		}
		left, err = p.row(first, left, infix)
	}
	var none N
	return none, err
}

// operand reads an operand with the operators before it.
func (p *Parser[T, N]) operand(least int) (N, error) {
	var none N
	first := p.Tokens.Peek()
	prefix, known := p.Prefix[p.PrefixAt(first)]
	if !known || prefix.Level <= least && !prefix.Anywhere {
		return p.Operand()
	}
	p.Tokens.Next()
	if prefix.Read != nil {
		return prefix.Read()
	}
	operand, err := p.Read(prefix.Level - 1)
	if err != nil {
		return none, err
	}
	return p.Join(first, []T{first}, []N{operand})
}

// row reads operators of one level, from the first one on, with what is on their right.
func (p *Parser[T, N]) row(first T, left N, infix Infix) (N, error) {
	operands, ops := []N{left}, []T(nil)
	for {
		op := p.Tokens.Peek()
		if next, known := p.Infix[p.InfixAt(op)]; !known || next.Level != infix.Level {
			return p.Join(first, ops, operands)
		}
		var err error
		if len(ops) > 0 {
			if p.Again != nil {
				err = p.Again(ops[len(ops)-1], op)
			}
			if err == nil && infix.Assoc == Left {
				left, err = p.Join(first, ops, operands)
				operands, ops = []N{left}, nil
			}
		}
		var right N
		if err == nil {
			p.Tokens.Next()
			if infix.Assoc == Right {
				right, err = p.Read(infix.Level - 1)
			} else {
				right, err = p.read(infix.Level)
			}
		}
		if err != nil {
			var none N
			return none, err
		}
		ops, operands = append(ops, op), append(operands, right)
	}
}
