package syntax

import (
	"math/big"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"tacheck/internal/diag"
)

// Op says what an expression is.
type Op uint8

// The operators, weakest binding last.
const (
	Number   Op = iota // Num
	Name               // Name
	Bool               // Name is "true" or "false"
	Neg                // -Args[0]
	Mul                // Args[0] * Args[1] * ...
	Div                // Args[0] / Args[1] / ...: rounded down
	Add                // Args[0] + Args[1] + ...; a - b is a + Neg(b)
	Eq                 // Args[0] == Args[1], and so on
	Ne                 //
	Lt                 //
	Le                 //
	Gt                 //
	Ge                 //
	Not                // !Args[0]
	Finally            // <> Args[0]
	Globally           // [] Args[0]
	And                // Args[0] && Args[1] && ...
	Or                 // Args[0] || Args[1] || ...
	Implies            // (Args[0] -> Args[1]) -> ...: left-associative
)

var symbols = map[Op]string{
	Neg: "-", Mul: "*", Div: "/", Add: "+", Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=",
	Not: "!", Finally: "<>", Globally: "[]", And: "&&", Or: "||", Implies: "->",
}

var operators = map[string]Op{
	"==": Eq, "!=": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge, "!": Not, "<>": Finally, "[]": Globally,
}

// String returns the operator as it is written.
func (op Op) String() string { return symbols[op] }

// IsComparison reports whether op compares two sums.
func (op Op) IsComparison() bool { return Eq <= op && op <= Ge }

// Expr is an expression: arithmetic, boolean or temporal. One grammar serves
// guards, assumptions, updates and specifications; what is allowed where is
// decided later, with better messages. Chains of one operator are a single
// node, so that depth does not grow with their length.
type Expr struct {
	Op    Op
	Pos   diag.Pos
	Width int // characters, if it ends on the line it starts on
	Name  string
	Num   *big.Int
	Args  []*Expr
}

// Parse reads an expression; participle calls it where the grammar has one.
//
//	implies = or { "->" or }
//	or      = and { "||" and }
//	and     = prefix { "&&" prefix }
//	prefix  = { "!" | "<>" | "[]" } compare
//	compare = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//	sum     = product { ("+" | "-") product }
//	product = unary { ("*" | "/") unary }
//	unary   = { "-" } ( number | name | "(" implies ")" )
func (e *Expr) Parse(lex *lexer.PeekingLexer) error {
	p := exprParser{lex: lex}
	got, err := p.implies()
	if err != nil {
		return err
	}
	*e = *got
	return nil
}

type exprParser struct {
	lex  *lexer.PeekingLexer
	last lexer.Token // the token consumed last
}

func (p *exprParser) peek() string { return p.lex.Peek().Value }

func (p *exprParser) next() lexer.Token {
	p.last = *p.lex.Next()
	return p.last
}

// node makes an expression that started at pos and ends at the last token.
func (p *exprParser) node(op Op, pos diag.Pos, args ...*Expr) *Expr {
	width := 1
	if p.last.Pos.Line == pos.Line {
		width = p.last.Pos.Column + len(p.last.Value) - pos.Col
	}
	return &Expr{Op: op, Pos: pos, Width: width, Args: args}
}

func (p *exprParser) here() diag.Pos { return toPos(p.lex.Peek().Pos) }

// chain parses item { symbol item } into one node.
func (p *exprParser) chain(op Op, item func() (*Expr, error)) (*Expr, error) {
	pos := p.here()
	first, err := item()
	if err != nil || p.peek() != op.String() {
		return first, err
	}
	args := []*Expr{first}
	for p.peek() == op.String() {
		p.next()
		arg, err := item()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return p.node(op, pos, args...), nil
}

func (p *exprParser) implies() (*Expr, error) { return p.chain(Implies, p.or) }
func (p *exprParser) or() (*Expr, error)      { return p.chain(Or, p.and) }
func (p *exprParser) and() (*Expr, error)     { return p.chain(And, p.prefix) }

func (p *exprParser) prefix() (*Expr, error) {
	pos := p.here()
	switch op := operators[p.peek()]; op {
	case Not, Finally, Globally:
		p.next()
		arg, err := p.prefix()
		if err != nil {
			return nil, err
		}
		return p.node(op, pos, arg), nil
	}
	return p.compare()
}

func (p *exprParser) compare() (*Expr, error) {
	pos := p.here()
	left, err := p.sum()
	if err != nil {
		return nil, err
	}
	op := operators[p.peek()]
	if !op.IsComparison() {
		return left, nil
	}
	p.next()
	right, err := p.sum()
	if err != nil {
		return nil, err
	}
	if operators[p.peek()].IsComparison() {
		return nil, participle.Errorf(p.lex.Peek().Pos, "comparisons cannot be chained: write `a <= b && b <= c`")
	}
	return p.node(op, pos, left, right), nil
}

// product parses factors and divisors from left to right: a * b / c is
// (a * b) / c. Neighbours with the same operator are one node.
func (p *exprParser) product() (*Expr, error) {
	pos := p.here()
	out, err := p.unary()
	if err != nil {
		return nil, err
	}
	for fresh := true; p.peek() == "*" || p.peek() == "/"; {
		op := Mul
		if p.next().Value == "/" {
			op = Div
		}
		arg, err := p.unary()
		if err != nil {
			return nil, err
		}
		if fresh || out.Op != op {
			out = p.node(op, pos, out, arg)
		} else {
			out = p.node(op, pos, append(out.Args, arg)...)
		}
		fresh = false
	}
	return out, nil
}

func (p *exprParser) sum() (*Expr, error) {
	pos := p.here()
	first, err := p.product()
	if err != nil {
		return nil, err
	}
	args := []*Expr{first}
	for p.peek() == "+" || p.peek() == "-" {
		sign := p.next()
		arg, err := p.product()
		if err != nil {
			return nil, err
		}
		if sign.Value == "-" {
			arg = p.node(Neg, toPos(sign.Pos), arg)
		}
		args = append(args, arg)
	}
	if len(args) == 1 {
		return first, nil
	}
	return p.node(Add, pos, args...), nil
}

func (p *exprParser) unary() (*Expr, error) {
	pos := p.here()
	if p.peek() == "-" {
		p.next()
		arg, err := p.unary()
		if err != nil {
			return nil, err
		}
		return p.node(Neg, pos, arg), nil
	}
	return p.primary()
}

func (p *exprParser) primary() (*Expr, error) {
	tok := p.lex.Peek()
	switch {
	case tok.Type == tokNumber:
		p.next()
		e := p.node(Number, toPos(tok.Pos))
		e.Num, _ = new(big.Int).SetString(tok.Value, 10)
		return e, nil
	case tok.Type == tokIdent && isKeyword(tok.Value):
		return nil, participle.Errorf(tok.Pos, "unexpected %s: %s", describe(tok), missingBefore)
	case tok.Type == tokIdent:
		p.next()
		e := p.node(Name, toPos(tok.Pos))
		e.Name = tok.Value
		if e.Name == "true" || e.Name == "false" {
			e.Op = Bool
		}
		return e, nil
	case tok.Value == "(":
		p.next()
		e, err := p.implies()
		if err != nil {
			return nil, err
		}
		if p.peek() != ")" {
			return nil, unexpected(p.lex.Peek(), `an operator or ")"`)
		}
		p.next()
		return e, nil
	}
	return nil, unexpected(tok, "a name, a number or \"(\"")
}

func unexpected(tok *lexer.Token, want string) error {
	return participle.Errorf(tok.Pos, "unexpected %s (expected %s)", describe(tok), want)
}

func describe(tok *lexer.Token) string {
	if tok.EOF() {
		return "end of file"
	}
	return `"` + tok.Value + `"`
}

// precedence orders operators for the printer: an argument that binds more
// weakly than its parent is put in parentheses.
func (op Op) precedence() int {
	switch op {
	case Implies:
		return 1
	case Or:
		return 2
	case And:
		return 3
	case Not, Finally, Globally:
		return 4
	case Eq, Ne, Lt, Le, Gt, Ge:
		return 5
	case Add:
		return 6
	case Mul, Div:
		return 7
	case Neg:
		return 8
	}
	return 9
}

// String prints e so that it parses back to an equal expression.
func (e *Expr) String() string {
	var b strings.Builder
	e.write(&b, 0)
	return b.String()
}

func (e *Expr) write(b *strings.Builder, parent int) {
	if e.Op.precedence() < parent {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	inner := e.Op.precedence() + 1
	switch e.Op {
	case Number:
		b.WriteString(e.Num.String())
	case Name, Bool:
		b.WriteString(e.Name)
	case Neg:
		b.WriteByte('-')
		e.Args[0].write(b, e.Op.precedence())
	case Not, Finally, Globally:
		b.WriteString(e.Op.String())
		e.writePrefixed(b)
	case Add:
		e.writeSum(b)
	default:
		for i, arg := range e.Args {
			if i > 0 {
				b.WriteString(" " + e.Op.String() + " ")
			}
			if e.Op == Or && arg.Op == And {
				arg.write(b, 100) // not needed, but few readers are sure of that
				continue
			}
			arg.write(b, inner)
		}
	}
}

// writePrefixed puts parentheses around a comparison after !, <> and [],
// which the grammar does not need but readers do.
func (e *Expr) writePrefixed(b *strings.Builder) {
	switch arg := e.Args[0]; arg.Op {
	case Not, Finally, Globally, Bool, Name:
		arg.write(b, e.Op.precedence())
	default:
		arg.write(b, 100)
	}
}

func (e *Expr) writeSum(b *strings.Builder) {
	for i, arg := range e.Args {
		switch {
		case i == 0:
			arg.write(b, Add.precedence()+1)
		case arg.Op == Neg:
			b.WriteString(" - ")
			arg.Args[0].write(b, Add.precedence()+1)
		default:
			b.WriteString(" + ")
			arg.write(b, Add.precedence()+1)
		}
	}
}
