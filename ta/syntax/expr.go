package syntax

import (
	"math/big"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/expr"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
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

var operators = func() map[string]Op {
	m := map[string]Op{}
	for op, sign := range symbols {
		if op != Neg {
			m[sign] = op
		}
	}
	return m
}()

// String returns the operator as it is written.
func (op Op) String() string { return symbols[op] }

// IsComparison reports whether op compares two sums.
func (op Op) IsComparison() bool { return Eq <= op && op <= Ge }

// Expr is an expression: arithmetic, boolean or temporal. One grammar serves guards, assumptions, updates and
// specifications; what is allowed where is decided later, with better messages. Chains of one operator are a single
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
	got, err := newExprParser(lex).Read(0)
	if err != nil {
		return err
	}
	*e = *got
	return nil
}

type exprParser struct {
	expr.Parser[*lexer.Token, *Expr]
	lex  *lexer.PeekingLexer
	last lexer.Token // the token consumed last
}

var infix = func() map[string]expr.Infix {
	m := map[string]expr.Infix{"-": {Level: Add.precedence()}}
	for op, sign := range symbols {
		switch op {
		case Neg, Not, Finally, Globally:
		case And, Or, Implies:
			m[sign] = expr.Infix{Level: op.precedence(), Assoc: expr.Flat}
		default:
			m[sign] = expr.Infix{Level: op.precedence()}
		}
	}
	return m
}()

var prefix = map[string]expr.Prefix[*Expr]{"!": {Level: 4}, "<>": {Level: 4}, "[]": {Level: 4},
	"-": {Level: Neg.precedence()}}

func newExprParser(lex *lexer.PeekingLexer) *exprParser {
	p := &exprParser{lex: lex}
	sign := func(t *lexer.Token) string { return t.Value }
	p.Parser = expr.Parser[*lexer.Token, *Expr]{
		Tokens: p, Infix: infix, Prefix: prefix, InfixAt: sign, PrefixAt: sign,
		Operand: p.primary, Join: p.join,
		Again: func(_, op *lexer.Token) error {
			if operators[op.Value].IsComparison() {
				return participle.Errorf(op.Pos, "comparisons cannot be chained: write `a <= b && b <= c`")
			}
			return nil
		},
		Limit: maxNesting,
		TooDeep: func(t *lexer.Token) error {
			return participle.Errorf(t.Pos, "expression nested more than %d levels deep", maxNesting)
		},
	}
	return p
}

// Peek and Next are the tokens of the parser.
func (p *exprParser) Peek() *lexer.Token { return p.lex.Peek() }

func (p *exprParser) Next() *lexer.Token {
	tok := p.lex.Next()
	p.last = *tok
	return tok
}

// node makes an expression that started at pos and ends at the last token.
func (p *exprParser) node(op Op, pos diag.Pos, args ...*Expr) *Expr {
	width := 1
	if p.last.Pos.Line == pos.Line {
		width = p.last.Pos.Column + len(p.last.Value) - pos.Col
	}
	return &Expr{Op: op, Pos: pos, Width: width, Args: args}
}

// join makes a node of operators of one level. Sums, and neighbours that are products or quotients, are one node each,
// unless they stand in parentheses: then they begin behind the first token.
func (p *exprParser) join(first *lexer.Token, ops []*lexer.Token, args []*Expr) (*Expr, error) {
	pos, op := scan.Place(first.Pos), operators[ops[0].Value]
	if ops[0].Value == "-" {
		neg := p.node(Neg, scan.Place(ops[0].Pos), args[len(args)-1])
		if len(args) == 1 {
			return neg, nil
		}
		op, args[1] = Add, neg
	}
	if left := args[0]; left.Op == op && left.Pos == pos && (op == Add || op == Mul || op == Div) {
		args = append(left.Args, args[1])
	}
	return p.node(op, pos, args...), nil
}

func (p *exprParser) primary() (*Expr, error) {
	tok := p.lex.Peek()
	switch {
	case tok.Type == scan.Number:
		p.Next()
		e := p.node(Number, scan.Place(tok.Pos))
		e.Num, _ = new(big.Int).SetString(tok.Value, 10)
		return e, nil
	case tok.Type == scan.Name && isKeyword(tok.Value):
		return nil, participle.Errorf(tok.Pos, "unexpected %s: %s", describe(tok), missingBefore)
	case tok.Type == scan.Name:
		p.Next()
		e := p.node(Name, scan.Place(tok.Pos))
		e.Name = tok.Value
		if e.Name == "true" || e.Name == "false" {
			e.Op = Bool
		}
		return e, nil
	case tok.Value == "(":
		p.Next()
		e, err := p.Read(0)
		if err != nil {
			return nil, err
		}
		if p.lex.Peek().Value != ")" {
			tok := p.lex.Peek()
			if op := words[strings.ToLower(tok.Value)]; op != "" {
				return nil, participle.Errorf(tok.Pos, "unexpected %s%s", describe(tok), spell.DidYouMean(op))
			}
			return nil, unexpected(tok, `an operator or ")"`)
		}
		p.Next()
		return e, nil
	}
	return nil, unexpected(tok, "a name, a number or \"(\"")
}

// words are operators as other languages write them.
var words = map[string]string{"and": "&&", "or": "||", "implies": "->", "div": "/"}

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
