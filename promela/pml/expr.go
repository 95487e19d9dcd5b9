package pml

import (
	"slices"
	"strconv"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/expr"
	"github.com/tacheck/tacheck/internal/scan"
)

// Op says what an expression is.
type Op string

// The operators; others are written as they are in the text.
const (
	Number     Op = "number"
	Name       Op = "name"  // Name, or Process:Name
	Label      Op = "@"     // Process@Name: the process is at a label
	Element    Op = "[ ]"   // Name[Args[0]], which is refused
	All        Op = "all"   // every process satisfies Args[0]
	Some       Op = "some"  // some process does
	Card       Op = "card"  // how many do
	Minus      Op = "minus" // -Args[0]
	Not        Op = "!"     //
	Complement Op = "~"     // of all bits: -1 - Args[0]
	Finally    Op = "<>"    //
	Globally   Op = "[]"    //
	And        Op = "&&"    //
	Or         Op = "||"    //
	Implies    Op = "->"    // Args[0] -> Args[1]
	Equivalent Op = "<->"   //
	Until      Op = "U"     // Args[1] now or later, Args[0] until then
	Release    Op = "V"     // Args[1] until Args[0] is so, too, or always
)

// Expr is an expression: arithmetic, boolean or temporal.
type Expr struct {
	Op      Op
	Pos     diag.Pos
	Width   int
	Name    string
	Process string // of Process:Name and Process@Name
	At      int    // number of the token that is the name
	Of      int    // and of that which is the process
	Num     int64
	Args    []*Expr
}

// Parse reads an expression; participle calls it where the grammar has one.
//
//	formula = or { ( "->" | "<->" ) or }, to the left
//	or      = and { "||" and }, and so on down to products (levels); U, V, W are between && and ==
//	prefix  = { "!" | "-" | "~" | "<>" | "[]" | "always" | "eventually" } primary
//	primary = number | true | false | "(" formula ")" | ("all" | "some" | "card") "(" formula ")"
//	        | name [ (":" | "@") name ]
//
// The words and, or, not, implies and equivalent stand for &&, ||, !, -> and <->. In statements, where `->`
// ends a guard, "->" is not an operator.
func (e *Expr) Parse(lex *lexer.PeekingLexer) error {
	got, err := newExprParser(lex, statements).Read(arrows)
	if err == nil {
		*e = *got
	}
	return err
}

// Formula is an expression in which -> is an operator.
type Formula struct{ Expr }

// Parse implements participle.Parseable.
func (f *Formula) Parse(lex *lexer.PeekingLexer) error {
	got, err := newExprParser(lex, formulas).Read(0)
	if err == nil {
		f.Expr = *got
	}
	return err
}

// Asked is an expression in which -> is an operator only between parentheses: elsewhere it ends a statement.
type Asked struct{ Expr }

// Parse implements participle.Parseable.
func (a *Asked) Parse(lex *lexer.PeekingLexer) error {
	got, err := newExprParser(lex, inside).Read(arrows)
	if err == nil {
		a.Expr = *got
	}
	return err
}

// ParseExpr reads an expression that is all of a list of tokens.
func ParseExpr(list []lexer.Token) (*Expr, error) {
	end := list[len(list)-1]
	lex, err := lexer.Upgrade(&tokens{list: list, end: lexer.Token{Type: lexer.EOF, Pos: end.Pos}})
	if err != nil {
		return nil, asProblem(err)
	}
	e, err := newExprParser(lex, formulas).Read(0)
	if err == nil && !lex.Peek().EOF() {
		err = unexpected(lex.Peek(), "an operator")
	}
	if err != nil {
		return nil, asProblem(err)
	}
	return e, nil
}

func asProblem(err error) error {
	if perr, ok := err.(participle.Error); ok {
		return diag.Wrong(scan.Place(perr.Position()), 1, "%s", perr.Message())
	}
	return err
}

// levels are the levels of operators with two sides. -> and <-> associate to the left, as everything else.
var levels = func() map[string]expr.Infix {
	m := map[string]expr.Infix{}
	for i, ops := range [][]string{{"->", "<->"}, {"||"}, {"&&"}, {"U", "V", "W"}, {"|"}, {"^"}, {"&"}, {"==", "!="},
		{"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}} {
		for _, op := range ops {
			m[op] = expr.Infix{Level: i + 1}
		}
	}
	return m
}()

const arrows = 1 // the level of -> and <->

var prefixes = func() map[string]expr.Prefix[*Expr] {
	m := map[string]expr.Prefix[*Expr]{}
	for _, op := range []Op{Not, Minus, Complement, Finally, Globally} {
		m[string(op)] = expr.Prefix[*Expr]{Level: len(levels)}
	}
	return m
}()

// wordsOf are operators by the words for them; "-" before an operand is Minus.
var wordsOf = map[string]string{"until": "U", "release": "V", "weakuntil": "W", "and": "&&", "or": "||", "not": "!",
	"implies": "->", "equivalent": "<->", "always": "[]", "eventually": "<>"}

// where says where an expression stands, and so which operators it has: temporal ones, and ->, which ends a guard
// elsewhere.
type where int

const (
	statements where = iota
	inside           // as in formulas between parentheses, as in statements outside
	formulas         // all operators
)

type exprParser struct {
	expr.Parser[*lexer.Token, *Expr]
	lex   *lexer.PeekingLexer
	where where
	last  lexer.Token
}

func newExprParser(lex *lexer.PeekingLexer, at where) *exprParser {
	p := &exprParser{lex: lex, where: at}
	p.Parser = expr.Parser[*lexer.Token, *Expr]{
		Tokens: p, Infix: levels, Prefix: prefixes,
		InfixAt: func(t *lexer.Token) string {
			switch op := operator(t); op {
			case "->", "U", "V", "W":
				if p.where == formulas {
					return op
				}
				return ""
			default:
				return op
			}
		},
		PrefixAt: func(t *lexer.Token) string {
			if op := operator(t); op != "-" {
				return op
			}
			return string(Minus)
		},
		Operand: p.primary, Join: p.join,
		Limit: maxNesting,
		TooDeep: func(t *lexer.Token) error {
			return participle.Errorf(t.Pos, "nested more than %d levels deep", maxNesting)
		},
	}
	return p
}

// operator is what a token is as an operator.
func operator(t *lexer.Token) string {
	if op, ok := wordsOf[t.Value]; ok {
		return op
	}
	return t.Value
}

// join makes a node of an operator. Neighbours that are the same of && || + are one node.
func (p *exprParser) join(first *lexer.Token, ops []*lexer.Token, args []*Expr) (*Expr, error) {
	pos, op := scan.Place(first.Pos), Op(operator(ops[0]))
	switch {
	case len(args) == 1 && op == "-":
		op = Minus
	case len(args) == 1:
	case op == "-":
		args[1], op = p.node(Minus, args[1].Pos, args[1]), "+"
	case op == "W": // p U q, or p always
		return p.node(Or, pos, p.node(Until, pos, args...), p.node(Globally, pos, args[0])), nil
	}
	if left := args[0]; len(args) == 2 && left.Op == op && (op == And || op == Or || op == "+") {
		args = append(left.Args, args[1])
	}
	return p.node(op, pos, args...), nil
}

func (p *exprParser) peek() string { return p.lex.Peek().Value }

// Peek and Next are the tokens of the parser.
func (p *exprParser) Peek() *lexer.Token { return p.lex.Peek() }

func (p *exprParser) Next() *lexer.Token {
	tok := p.lex.Next()
	p.last = *tok
	return tok
}

func (p *exprParser) take() lexer.Token { return *p.Next() }

func (p *exprParser) node(op Op, pos diag.Pos, args ...*Expr) *Expr {
	width := 1
	if p.last.Pos.Line == pos.Line {
		width = max(1, p.last.Pos.Column+len(p.last.Value)-pos.Col)
	}
	return &Expr{Op: op, Pos: pos, Width: width, Args: args}
}

func (p *exprParser) primary() (*Expr, error) {
	tok := p.lex.Peek()
	pos := scan.Place(tok.Pos)
	switch {
	case tok.Type == scan.Number:
		p.take()
		e := p.node(Number, pos)
		var err error
		if e.Num, err = strconv.ParseInt(tok.Value, 10, 64); err != nil {
			return nil, diag.Wrong(e.Pos, e.Width, "the number is too large")
		}
		return e, nil
	case tok.Value == "true" || tok.Value == "false":
		p.take()
		e := p.node(Number, pos)
		e.Num = map[string]int64{"true": 1}[tok.Value]
		return e, nil
	case tok.Value == "(":
		p.take()
		before := p.where
		if p.where == inside {
			p.where = formulas
		}
		e, err := p.Read(0)
		if err != nil {
			return nil, err
		}
		p.where = before
		return e, p.close()
	case tok.Value == "all" || tok.Value == "some" || tok.Value == "card":
		p.take()
		if p.peek() != "(" {
			return nil, unexpected(p.lex.Peek(), `"("`)
		}
		p.take()
		e, err := p.Read(0)
		if err != nil {
			return nil, err
		}
		if err := p.close(); err != nil {
			return nil, err
		}
		return p.node(Op(tok.Value), pos, e), nil
	case tok.Type == scan.Name && !slices.Contains(Reserved, tok.Value):
		e, err := p.name()
		if next := p.lex.Peek(); err == nil && p.where == formulas && e.Name == "X" && e.Process == "" &&
			(next.Value == "(" || next.Value == "!" || next.Value == "[]" || next.Value == "<>" ||
				next.Type == scan.Number || next.Type == scan.Name &&
				!slices.Contains([]string{"U", "V", "W", "and", "or", "until", "release", "weakuntil", "implies",
					"equivalent"}, next.Value)) {
			err = participle.Errorf(tok.Pos,
				"X speaks of the next step of some process, which cannot be foreseen: formulas are over [] <> U V W")
		}
		return e, err
	}
	return nil, unexpected(tok, "an expression")
}

func (p *exprParser) close() error {
	if p.peek() != ")" {
		return unexpected(p.lex.Peek(), `an operator or ")"`)
	}
	p.take()
	return nil
}

func (p *exprParser) name() (*Expr, error) {
	tok := p.take()
	pos := scan.Place(tok.Pos)
	e := p.node(Name, pos)
	e.Name, e.At = tok.Value, tok.Pos.Offset
	if p.peek() == "[" {
		p.take()
		index, err := p.Read(arrows)
		if err != nil {
			return nil, err
		}
		if p.peek() != "]" {
			return nil, unexpected(p.lex.Peek(), `"]"`)
		}
		p.take()
		e = p.node(Element, pos, index)
		e.Name, e.At = tok.Value, tok.Pos.Offset
		return e, nil
	}
	if sep := p.peek(); sep == ":" || sep == "@" {
		p.take()
		next := p.lex.Peek()
		if next.Type != scan.Name || slices.Contains(Reserved, next.Value) {
			return nil, unexpected(next, "a name")
		}
		p.take()
		op := Name
		if sep == "@" {
			op = Label
		}
		process, of := e.Name, e.At
		e = p.node(op, pos)
		e.Process, e.Name, e.At, e.Of = process, next.Value, next.Pos.Offset, of
	}
	return e, nil
}

func unexpected(tok *lexer.Token, want string) error {
	what := `"` + tok.Value + `"`
	if tok.EOF() {
		what = "end of the file"
	}
	return participle.Errorf(tok.Pos, "unexpected %s (expected %s)", what, want)
}

// As is an expression that is made of this one: it stands at its place.
func (e *Expr) As(op Op, args ...*Expr) *Expr {
	return &Expr{Op: op, Pos: e.Pos, Width: e.Width, Args: args}
}

// BothWays writes a <-> b as (!a || b) && (!b || a).
func (e *Expr) BothWays() *Expr {
	a, b := e.Args[0], e.Args[1]
	return e.As(And, e.As(Or, e.As(Not, a), b), e.As(Or, e.As(Not, b), a))
}

// Constant evaluates an expression of numbers.
func (e *Expr) Constant() (int64, error) {
	var args []int64
	for _, a := range e.Args {
		n, err := a.Constant()
		if err != nil {
			return 0, err
		}
		args = append(args, n)
	}
	if e.Op == Number {
		return e.Num, nil
	}
	n, ok := Apply(e.Op, args)
	if !ok {
		return 0, diag.Wrong(e.Pos, e.Width, "expected an expression of numbers")
	}
	return n, nil
}

// Apply applies an operator to numbers; ok is false if it cannot be applied.
func Apply(op Op, args []int64) (n int64, ok bool) {
	truth := func(b bool) (int64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	switch op {
	case Minus:
		return -args[0], true
	case Complement:
		return ^args[0], true
	case "&":
		return args[0] & args[1], true
	case "|":
		return args[0] | args[1], true
	case "^":
		return args[0] ^ args[1], true
	case "<<":
		return args[0] << max(0, args[1]), args[1] >= 0 && args[1] <= 31
	case ">>":
		return args[0] >> max(0, args[1]), args[1] >= 0 && args[1] <= 31
	case Not:
		return truth(args[0] == 0)
	case And:
		if slices.Contains(args, 0) {
			return 0, true
		}
		return 1, true
	case Or:
		for _, a := range args {
			if a != 0 {
				return 1, true
			}
		}
		return 0, true
	case Implies:
		return truth(args[0] == 0 || args[1] != 0)
	case Equivalent:
		return truth((args[0] == 0) == (args[1] == 0))
	case "+":
		for _, a := range args {
			n += a
		}
		return n, true
	case "*":
		return args[0] * args[1], true
	case "/", "%":
		if args[1] == 0 {
			return 0, false
		}
		if op == "/" {
			return args[0] / args[1], true
		}
		return args[0] % args[1], true
	case "==":
		return truth(args[0] == args[1])
	case "!=":
		return truth(args[0] != args[1])
	case "<":
		return truth(args[0] < args[1])
	case "<=":
		return truth(args[0] <= args[1])
	case ">":
		return truth(args[0] > args[1])
	case ">=":
		return truth(args[0] >= args[1])
	}
	return 0, false
}

// String prints the expression, with parentheses only where they are needed.
func (e *Expr) String() string {
	switch e.Op {
	case Number:
		return strconv.FormatInt(e.Num, 10)
	case Name:
		if e.Process != "" {
			return e.Process + ":" + e.Name
		}
		return e.Name
	case Label:
		return e.Process + "@" + e.Name
	case All, Some, Card:
		return string(e.Op) + "(" + e.Args[0].String() + ")"
	case Minus:
		if inner := e.Args[0].Inner(); inner[0] != '-' { // -- is another operator
			return "-" + inner
		}
		return "-(" + e.Args[0].String() + ")"
	case Not, Complement, Finally, Globally:
		return string(e.Op) + e.Args[0].Inner()
	}
	level := levels[string(e.Op)].Level
	text := e.Args[0].within(level)
	for _, a := range e.Args[1:] {
		op := e.Op
		if op == "+" && a.Op == Minus {
			op, a = "-", a.Args[0]
		}
		text += " " + string(op) + " " + a.within(level+1)
	}
	return text
}

// Inner is the expression as what an operator in front of it is about.
func (e *Expr) Inner() string { return e.within(len(levels)) }

// within is the expression as a side of an operator of a level.
func (e *Expr) within(level int) string {
	if own, infix := levels[string(e.Op)]; infix && own.Level < level {
		return "(" + e.String() + ")"
	}
	return e.String()
}
