package ftdp

import (
	"fmt"
	"maps"
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
	Number    Op = "number"
	Name      Op = "name"  // a constant, parameter, variable or definition
	Call      Op = "call"  // a definition with arguments
	Field     Op = "."     // Args[0].Name
	Index     Op = "[]"    // Args[0][Args[1]]
	Out       Op = "out"   // the messages that a rule sends to the role Name
	Undefined Op = "undef" // isundefined(Args[0])
	Minus     Op = "minus" // -Args[0]
	Not       Op = "not"
	And       Op = "and"
	Or        Op = "or"
	Implies   Op = "->" // to the right
	Iff       Op = "<->"
	Xor       Op = "xor"
	ForAll    Op = "forall"
	Exists    Op = "exists"
	Count     Op = "count" // for how many values of the variable Args[0] holds
	Max       Op = "max"   // of Args[0]; or Args[0] where Args[1] is greatest
	Min       Op = "min"
	Floor     Op = "floor" // of a quotient
	Ceiling   Op = "ceiling"
	In        Op = "in" // Args[0] is a member of the quorum Args[1]
	Chain     Op = "chain"
	SetOf     Op = "{}"      // the set of Args
	Those     Op = "{:}"     // the set of the values of the variable Name for which Args[0] holds, if there is one
	Choice    Op = "if"      // Args[1] if Args[0] holds, else Args[2]
	Tuple     Op = "tuple"   // a record: Names of fields with Args
	Collect   Op = "collect" // of terms: Args[0] for each value of a variable, as an array
	Member    Op = "member"  // of terms: true, and an error unless Args[0] is a value of the type Of
	Append    Op = "append"  // of terms: the sequence Args[0] with Args[1] behind it
	Slice     Op = "slice"   // of terms: Args[0] from Args[1] to Args[2]
	InRound   Op = "round"   // of what people are told and ask: Args[0] of round Num
	Finally   Op = "F"
	Globally  Op = "G"
	Until     Op = "U"
	Release   Op = "R"
	Eq        Op = "="
	Ne        Op = "!="
	Lt        Op = "<"
	Le        Op = "<="
	Gt        Op = ">"
	Ge        Op = ">="
	Plus      Op = "+"
	Sub       Op = "-"
	Times     Op = "*"
	Div       Op = "/"
	Mod       Op = "%"
)

// Expr is an expression or a formula.
type Expr struct {
	Op    Op
	Pos   diag.Pos
	Width int
	Name  string
	At    diag.Pos // of Name
	Num   int64
	Args  []*Expr
	Ops   []Op      // of a Chain: between its Args
	Type  *TypeExpr // of the variable Name of a quantifier, or of Those
	Names []*Ident  // of the fields of a Tuple
	Of    *Expr     // of a text that a pass makes: the expression of the user that it is made of; nil of all others
}

// Sum is an expression as the bound of a range: without comparisons.
type Sum struct{ Expr }

// Place is an expression that can be assigned to.
type Place struct{ Expr }

// Parse reads an expression; participle calls it where the grammar has one.
//
//	formula    = implied [ ("<->" | "xor") implied ]
//	implied    = or [ "->" implied ]
//	or         = and { "or" and }
//	and        = until { "and" until }
//	until      = prefix { ("U" | "R") prefix }
//	prefix     = ("not" | "F" | "G" | "<>" | "[]") prefix | quantifier formula | choice | comparison
//	choice     = "if" formula "then" formula { "elsif" formula "then" formula } "else" formula
//	quantifier = ("forall" | "exists") ("(" groups ")" [":" | "."] | groups (":" | "."))
//	groups     = name { "," name } (":" | "in") type [ "," groups ]
//	comparison = sum { ("=" | "!=" | "<" | "<=" | ">" | ">=" | "in") sum }
//	sum        = product { ("+" | "-") product }
//	product    = factor { ("*" | "/" | "%") factor }
//	factor     = "-" factor | primary { "." name | "[" formula "]" }
//	primary    = number | "true" | "false" | name [ "(" formula { "," formula } ")" ] | "2"name | "(" formula ")"
//	           | "{" [ formula { "," formula } ] "}" | "{" name ":" type [ "|" formula ] "}"
//	           | "(" name ":" formula { "," name ":" formula } ")"
//	           | "isundefined" "(" formula ")" | "[" formula "]"
//	           | ("count" | "max" | "min") "(" name ":" type ")" factor [ "by" factor ] [ "default" factor ]
//
// Every operator may be written as the papers' symbol. A comparison with more
// than two sides holds if all neighbours compare so; with != if all sides differ.
func (e *Expr) Parse(lex *lexer.PeekingLexer) error {
	p := newExprParser(lex)
	return p.into(e, p.formula)
}

// Parse implements participle.Parseable.
func (s *Sum) Parse(lex *lexer.PeekingLexer) error {
	p := newExprParser(lex)
	return p.into(&s.Expr, p.sum)
}

// Parse implements participle.Parseable.
func (s *Place) Parse(lex *lexer.PeekingLexer) error {
	if t := lex.Peek().Type; t != scan.Name && t != tokOut {
		return participle.NextMatch
	}
	p := newExprParser(lex)
	return p.into(&s.Expr, p.postfix)
}

// asked is an expression that people ask, who may say of which round something is.
type asked struct{ Expr }

// Parse implements participle.Parseable.
func (a *asked) Parse(lex *lexer.PeekingLexer) error {
	p := newExprParser(lex)
	p.rounds = true
	return p.into(&a.Expr, p.formula)
}

type exprParser struct {
	expr.Parser[*lexer.Token, *Expr]
	lex    *lexer.PeekingLexer
	last   lexer.Token
	flat   bool // a dot ends what is read
	rounds bool // `of round 1` may stand behind what is of a round
}

// infix are the operators between operands, prefixes those before one.
var (
	infix = func() map[string]expr.Infix {
		m := map[string]expr.Infix{}
		for _, op := range Written {
			level := expr.Infix{Level: op.Strength()}
			switch op {
			case Not, Finally, Globally, ForAll, Exists, Choice:
				continue
			case Implies:
				level.Assoc = expr.Right
			case Iff, Xor, Or, And, Eq, Ne, Lt, Le, Gt, Ge, In:
				level.Assoc = expr.Flat
			}
			m[string(op)] = level
		}
		return m
	}()
	prefixes = map[string]expr.Prefix[*Expr]{string(Not): {Level: Not.Strength()},
		string(Finally):  {Level: Finally.Strength()},
		string(Globally): {Level: Globally.Strength()}, string(Sub): {Level: Minus.Strength()}}
)

func newExprParser(lex *lexer.PeekingLexer) *exprParser {
	p := &exprParser{lex: lex}
	before := maps.Clone(prefixes)
	for _, op := range []Op{ForAll, Exists} {
		before[string(op)] = expr.Prefix[*Expr]{Level: Not.Strength(),
			Read: func() (*Expr, error) { return p.quantifier(op, scan.Place(p.last.Pos)) }}
	}
	before[string(Choice)] = expr.Prefix[*Expr]{Level: Not.Strength(),
		Read: func() (*Expr, error) { return p.choice(scan.Place(p.last.Pos)) }}
	p.Parser = expr.Parser[*lexer.Token, *Expr]{
		Tokens: p, Infix: infix, Prefix: before,
		InfixAt:  func(t *lexer.Token) string { return string(Written[t.Value]) },
		PrefixAt: p.prefixAt,
		Operand:  p.postfix, Join: p.join,
		Again: func(before, op *lexer.Token) error {
			switch b, o := Written[before.Value], Written[op.Value]; {
			case o.Strength() > Iff.Strength():
				return nil
			case b != o:
				return participle.Errorf(op.Pos, "%s and %s in a row need parentheses", b, o)
			default:
				return participle.Errorf(op.Pos, "two %s in a row need parentheses", o)
			}
		},
		Limit: maxNesting,
		TooDeep: func(t *lexer.Token) error {
			return &tooDeep{participle.Errorf(t.Pos, "nested more than %d levels deep", maxNesting)}
		},
	}
	return p
}

// tooDeep is the error about an expression that nests too deeply.
type tooDeep struct{ parseError }

type parseError = participle.Error

// into reads an expression by f.
func (p *exprParser) into(e *Expr, f func() (*Expr, error)) error {
	got, err := f()
	if err == nil {
		*e = *got
	}
	return err
}

// prefixAt is the operator before an operand that a token is.
func (p *exprParser) prefixAt(t *lexer.Token) string {
	switch t.Value {
	case "[]":
		return string(Globally)
	case "<>":
		return string(Finally)
	}
	op := Written[t.Value]
	if (op == Finally || op == Globally) && p.isName() {
		return ""
	}
	return string(op)
}

// join makes a node of operators of one level.
func (p *exprParser) join(first *lexer.Token, ops []*lexer.Token, args []*Expr) (*Expr, error) {
	pos, op := scan.Place(first.Pos), Written[ops[0].Value]
	switch {
	case ops[0].Value == "[]":
		op = Globally
	case ops[0].Value == "<>" && len(args) == 1:
		op = Finally
	case op == Sub && len(args) == 1:
		op = Minus
	case len(ops) > 1 && op != And && op != Or:
		e := p.node(Chain, pos, args...)
		for _, t := range ops {
			e.Ops = append(e.Ops, Written[t.Value])
		}
		return e, nil
	}
	return p.node(op, pos, args...), nil
}

// Written are operators by the ways to write them.
var Written = map[string]Op{
	"∧": And, "&": And, "&&": And, "and": And, "∨": Or, "|": Or, "||": Or, "or": Or, "¬": Not, "!": Not, "~": Not,
	"not": Not,
	"∀":   ForAll, "forall": ForAll, "∃": Exists, "exists": Exists, "⇒": Implies, "→": Implies, "=>": Implies,
	"->": Implies,
	"⇔":  Iff, "↔": Iff, "<->": Iff, "xor": Xor, "⊕": Xor, "≠": Ne, "!=": Ne, "/=": Ne, "<>": Ne, "≥": Ge, ">=": Ge,
	"≤": Le, "<=": Le, "=": Eq, "==": Eq, "<": Lt, ">": Gt,
	"+": Plus, "-": Sub, "*": Times, "×": Times, "·": Times, "/": Div, "%": Mod, "∈": In, "in": In, "F": Finally,
	"G": Globally, "U": Until, "R": Release, "if": Choice,
}

// formula reads any expression, sum one without comparisons, factor one without operators between operands.
func (p *exprParser) formula() (*Expr, error) { return p.Read(0) }
func (p *exprParser) sum() (*Expr, error)     { return p.Read(Eq.Strength()) }
func (p *exprParser) factor() (*Expr, error)  { return p.Read(Times.Strength()) }

func (p *exprParser) op() Op { return Written[p.lex.Peek().Value] }

func (p *exprParser) peek() string { return p.lex.Peek().Value }

// Peek and Next are the tokens of the parser.
func (p *exprParser) Peek() *lexer.Token { return p.lex.Peek() }

func (p *exprParser) Next() *lexer.Token {
	tok := p.lex.Next()
	p.last = *tok
	return tok
}

func (p *exprParser) take() lexer.Token { return *p.Next() }

func (p *exprParser) here() diag.Pos { return scan.Place(p.lex.Peek().Pos) }

func (p *exprParser) node(op Op, pos diag.Pos, args ...*Expr) *Expr {
	width := 1
	if p.last.Pos.Line == pos.Line {
		width = max(1, p.last.Pos.Column+len([]rune(p.last.Value))-pos.Col)
	}
	return &Expr{Op: op, Pos: pos, Width: width, Args: args}
}

func (p *exprParser) want(text string) error {
	if p.peek() != text {
		return p.unexpected(`"` + text + `"`)
	}
	p.take()
	return nil
}

func (p *exprParser) unexpected(want string) error {
	tok := p.lex.Peek()
	what := `"` + tok.Value + `"`
	if tok.EOF() {
		what = "end of the file"
	}
	return &unexpectedToken{participle.Errorf(tok.Pos, "unexpected %s (expected %s)", what, want), tok.Value}
}

// unexpectedToken is the error about a token that begins nothing that may stand where it is.
type unexpectedToken struct {
	parseError
	token string
}

// quantifier reads what comes after forall or exists; several variables are as many quantifiers.
func (p *exprParser) quantifier(op Op, pos diag.Pos) (*Expr, error) {
	list, err := p.variables(op, pos)
	if err != nil {
		return nil, err
	}
	body, err := p.formula()
	for i := len(list) - 1; i >= 0 && err == nil; i-- {
		list[i].Args = []*Expr{body}
		body = p.widen(list[i])
	}
	return body, err
}

// choice reads what comes after if; elsif begins one in the place of what else is so.
func (p *exprParser) choice(pos diag.Pos) (*Expr, error) {
	cond, err := p.until("then")
	if err != nil {
		return nil, err
	}
	then, err := p.formula()
	if err != nil {
		return nil, err
	}
	var other *Expr
	if p.peek() == "elsif" {
		p.take()
		other, err = p.choice(scan.Place(p.last.Pos))
	} else if err = p.want("else"); err == nil {
		other, err = p.formula()
	}
	if err != nil {
		return nil, err
	}
	return p.node(Choice, pos, cond, then, other), nil
}

// variables reads the variables of a quantifier, in parentheses or up to a colon or dot.
func (p *exprParser) variables(op Op, pos diag.Pos) (list []*Expr, err error) {
	bare := p.peek() != "("
	if !bare {
		p.take()
	}
	for more := true; more; {
		group, err := p.group(op, pos, bare)
		if err != nil {
			return nil, err
		}
		list = append(list, group...)
		if more = p.peek() == ","; more {
			p.take()
		}
	}
	if !bare {
		if err := p.want(")"); err != nil {
			return nil, err
		}
	}
	switch p.peek() {
	case "(": // forall (i: T) (j: U) is forall (i: T, j: U)
		if p.fields() {
			more, err := p.variables(op, pos)
			return append(list, more...), err
		}
	case ":", ".":
		p.take()
	default:
		if bare {
			return nil, p.unexpected(`":" or "." before what is said of ` + list[len(list)-1].Name)
		}
	}
	return list, nil
}

// group reads variables of a quantifier that have one type.
func (p *exprParser) group(op Op, pos diag.Pos, bare bool) (list []*Expr, err error) {
	for more := true; more; {
		if p.lex.Peek().Type != scan.Name {
			return nil, p.unexpected("a name")
		}
		at, name := p.here(), p.take().Value
		e := p.node(op, pos)
		e.Name, e.At = name, at
		list = append(list, e)
		if more = p.peek() == ","; more {
			p.take()
		}
	}
	if p.op() == In {
		p.take()
	} else if err := p.want(":"); err != nil {
		return nil, err
	}
	outer, begins := p.flat, p.here()
	p.flat = bare
	start := p.lex.MakeCheckpoint()
	t, err := p.typeExpr()
	p.flat = outer
	if err == nil && bare && t.Range != nil && t.Range.From.Op == Index { // no type: it is what is said of them
		p.lex.LoadCheckpoint(start)
		err = p.unexpected("a type")
	}
	switch {
	case err != nil && p.here() == begins:
		name := list[len(list)-1].Name
		if p.peek() == "quorum" {
			return nil, p.unexpected("a type: quorums are for rules; of a majority, " +
				"`2 * (count (k: ROLE) (c)) > n` is so")
		}
		return nil, p.unexpected(fmt.Sprintf("the type of %s: `%s (%s: T) ...`", name, op, name))
	case err != nil:
		return nil, err
	}
	for _, e := range list {
		e.Type = t
	}
	return list, nil
}

// isName reports whether F or G is a name here: what follows begins no formula, or is an index.
func (p *exprParser) isName() bool {
	next := p.lex.MakeCheckpoint()
	defer p.lex.LoadCheckpoint(next)
	p.lex.Next()
	switch p.op() {
	case Not, ForAll, Exists, Choice, Sub, Finally, Globally, Until, Release:
		return false
	}
	switch p.peek() {
	case "(", "{", "<>", "isundefined", "true", "false", "⌈", "⌊":
		return false
	case "[]":
		return p.isRule()
	}
	switch p.lex.Peek().Type {
	case scan.Name, tokOut, scan.Number:
		return p.op() == In
	}
	return true
}

// isRule reports whether "[]" stands before a rule here, and not before a formula.
func (p *exprParser) isRule() bool {
	for p.peek() == "[]" {
		p.lex.Next()
	}
	switch p.peek() {
	case "(": // a parameter
		p.lex.Next()
	case "maybe", "byz":
		p.lex.Next()
		return p.lex.Peek().Type == scan.Name && p.op() == ""
	}
	name := p.lex.Peek().Type == scan.Name
	p.lex.Next()
	return name && p.peek() == ":"
}

func (p *exprParser) widen(e *Expr) *Expr {
	e.Width = p.node(e.Op, e.Pos).Width
	return e
}

// binder reads "(" name ":" type ")".
func (p *exprParser) binder(op Op, pos diag.Pos) (*Expr, error) {
	if err := p.want("("); err != nil {
		return nil, err
	}
	e, err := p.variable(op, pos)
	if err == nil {
		err = p.want(")")
	}
	return e, err
}

// variable reads a variable with what it ranges over.
func (p *exprParser) variable(op Op, pos diag.Pos) (*Expr, error) {
	if p.lex.Peek().Type != scan.Name {
		return nil, p.unexpected("a name")
	}
	at, name := p.here(), p.take().Value
	if err := p.want(":"); err != nil {
		return nil, err
	}
	t, err := p.typeExpr()
	if err != nil {
		return nil, err
	}
	e := p.node(op, pos)
	e.Name, e.At, e.Type = name, at, t
	return e, nil
}

// typeExpr reads what a variable ranges over: a range, bool, or a named type.
func (p *exprParser) typeExpr() (*TypeExpr, error) {
	t := &TypeExpr{Pos: p.lex.Peek().Pos}
	switch p.peek() {
	case "bool", "Boolean", "boolean":
		p.take()
		t.Bool = true
		return t, nil
	}
	from, err := p.sum()
	if err != nil {
		return nil, err
	}
	t.Range = &RangeType{From: &Sum{*from}}
	if p.peek() == ".." {
		p.take()
		to, err := p.sum()
		if err != nil {
			return nil, err
		}
		t.Range.To = &Sum{*to}
	}
	return t, nil
}

func (p *exprParser) postfix() (*Expr, error) {
	pos := p.here()
	e, err := p.primary()
	for err == nil {
		if p.peek() == "." && p.flat {
			return e, nil
		}
		switch p.peek() {
		case "of":
			if !p.rounds {
				return e, nil
			}
			e, err = p.ofRound(e)
		case ".":
			p.take()
			if t := p.lex.Peek().Type; t != scan.Name && t != tokKeyword {
				return nil, p.unexpected("the name of a field")
			}
			at, name := p.here(), p.take().Value
			e = p.node(Field, pos, e)
			e.Name, e.At = name, at
			if e.Args[0].Op == Name && p.peek() == "(" { // TYPE.KIND(values), of protocols for all sizes
				var args []*Expr
				if args, err = p.arguments(); err == nil {
					e = p.node(Call, pos, append([]*Expr{e}, args...)...)
				}
			}
		case "[":
			var index *Expr
			if index, err = p.inside("]"); err == nil {
				e = p.node(Index, pos, e, index)
			}
		default:
			return e, nil
		}
	}
	return e, err
}

// ofRound reads "of" "round" number.
func (p *exprParser) ofRound(e *Expr) (*Expr, error) {
	p.take()
	if err := p.want("round"); err != nil {
		return nil, err
	}
	if p.lex.Peek().Type != scan.Number {
		return nil, p.unexpected("the number of a round")
	}
	n, _ := strconv.ParseInt(p.take().Value, 10, 32) // see nesting
	e = p.node(InRound, e.Pos, e)
	e.Num = n
	return e, nil
}

func (p *exprParser) primary() (*Expr, error) {
	tok := *p.lex.Peek()
	pos := p.here()
	switch {
	case tok.Type == scan.Number:
		p.take()
		e := p.node(Number, pos)
		e.Num, _ = strconv.ParseInt(tok.Value, 10, 32) // see nesting
		if next := p.lex.Peek(); next.Type == scan.Name && next.Pos.Offset == tok.Pos.Offset+len(tok.Value) {
			return nil, participle.Errorf(next.Pos, "a product is written %s * %s", tok.Value, next.Value)
		}
		return e, nil
	case tok.Value == "true" || tok.Value == "false":
		p.take()
		return p.named(Name, pos, tok.Value), nil
	case tok.Value == "{":
		return p.set(pos)
	case tok.Value == "(" && p.fields():
		return p.tuple(pos)
	case tok.Value == "(":
		return p.inside(")")
	case tok.Value == "[":
		return p.rounded(Ceiling, pos, "]")
	case tok.Value == "⌈":
		return p.rounded(Ceiling, pos, "⌉")
	case tok.Value == "⌊":
		return p.rounded(Floor, pos, "⌋")
	case tok.Value == "isundefined":
		p.take()
		args, err := p.arguments()
		if err != nil {
			return nil, err
		}
		if len(args) != 1 {
			return nil, participle.Errorf(tok.Pos, "isundefined has one argument")
		}
		return p.node(Undefined, pos, args...), nil
	case tok.Type == tokOut:
		p.take()
		e := p.named(Out, pos, tok.Value[1:])
		e.At.Col++
		return e, nil
	case tok.Type == scan.Name:
		p.take()
		if p.peek() != "(" {
			return p.named(Name, pos, tok.Value), nil
		}
		if op := Op(tok.Value); (op == Count || op == Max || op == Min) && p.fields() {
			return p.aggregate(op, pos)
		}
		args, err := p.arguments()
		if err != nil {
			return nil, err
		}
		return p.named(Call, pos, tok.Value, args...), nil
	}
	return nil, p.unexpected("an expression")
}

// named is a node with a name, which stands where the node begins.
func (p *exprParser) named(op Op, pos diag.Pos, name string, args ...*Expr) *Expr {
	e := p.node(op, pos, args...)
	e.Name, e.At = name, pos
	return e
}

// inside reads an expression between brackets, the first of which is next.
func (p *exprParser) inside(end string) (*Expr, error) {
	p.take()
	return p.until(end)
}

// until reads an expression and what ends it.
func (p *exprParser) until(end string) (*Expr, error) {
	e, err := p.formula()
	if err == nil {
		err = p.want(end)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

func (p *exprParser) rounded(op Op, pos diag.Pos, end string) (*Expr, error) {
	e, err := p.inside(end)
	if err != nil {
		return nil, err
	}
	return p.node(op, pos, e), nil
}

// aggregate reads what follows count, max or min and a variable in parentheses: what is counted or compared, and for
// max and min, what by.
func (p *exprParser) aggregate(op Op, pos diag.Pos) (*Expr, error) {
	e, err := p.binder(op, pos)
	if err != nil {
		return nil, err
	}
	body, err := p.factor()
	if err != nil {
		return nil, err
	}
	e.Args = []*Expr{body}
	if op != Count && p.peek() == "by" {
		p.take()
		key, err := p.factor()
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, key)
	}
	if op != Count && p.peek() == "default" {
		p.take()
		value, err := p.factor()
		if err != nil {
			return nil, err
		}
		if len(e.Args) == 1 { // what is compared is the value itself
			e.Args = append(e.Args, body)
		}
		e.Args = append(e.Args, value)
	}
	return p.widen(e), nil
}

// set reads a set that is written down.
func (p *exprParser) set(pos diag.Pos) (*Expr, error) {
	if p.fields() {
		return p.those(pos)
	}
	p.take()
	var args []*Expr
	for p.peek() != "}" {
		if args != nil {
			if err := p.want(","); err != nil {
				return nil, err
			}
		}
		arg, err := p.formula()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	p.take()
	return p.node(SetOf, pos, args...), nil
}

// those reads "{" name ":" type [ "|" formula ] "}".
func (p *exprParser) those(pos diag.Pos) (*Expr, error) {
	p.take()
	e, err := p.variable(Those, pos)
	if err == nil && p.op() == Or {
		p.take()
		var body *Expr
		if body, err = p.formula(); err == nil {
			e.Args = []*Expr{body}
		}
	}
	if err == nil {
		err = p.want("}")
	}
	if err != nil {
		return nil, err
	}
	return p.widen(e), nil
}

// fields reports whether a parenthesis begins a record, or holds a variable with its type: a name and a colon follow.
func (p *exprParser) fields() bool {
	start := p.lex.MakeCheckpoint()
	defer p.lex.LoadCheckpoint(start)
	p.lex.Next()
	if p.lex.Peek().Type != scan.Name {
		return false
	}
	p.lex.Next()
	return p.peek() == ":"
}

// tuple reads "(" name ":" formula { "," name ":" formula } ")".
func (p *exprParser) tuple(pos diag.Pos) (*Expr, error) {
	var args []*Expr
	var names []*Ident
	for p.peek() != ")" {
		p.take() // the parenthesis, or a comma
		if p.lex.Peek().Type != scan.Name {
			return nil, p.unexpected("the name of a field")
		}
		tok := p.take()
		names = append(names, &Ident{Pos: tok.Pos, Name: tok.Value})
		if err := p.want(":"); err != nil {
			return nil, err
		}
		arg, err := p.formula()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
		if p.peek() != "," && p.peek() != ")" {
			return nil, p.unexpected(`"," or ")"`)
		}
	}
	p.take()
	e := p.node(Tuple, pos, args...)
	e.Names = names
	return e, nil
}

func (p *exprParser) arguments() ([]*Expr, error) {
	if err := p.want("("); err != nil {
		return nil, err
	}
	var args []*Expr
	outer := p.flat
	p.flat = false
	defer func() { p.flat = outer }()
	if p.peek() == ")" { // the empty sequence
		p.take()
		return nil, nil
	}
	for {
		arg, err := p.formula()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
		if p.peek() != "," {
			return args, p.want(")")
		}
		p.take()
	}
}

// Strength orders operators: what binds more strongly has the greater one.
func (o Op) Strength() int {
	switch o {
	case Iff, Xor:
		return 1
	case Implies:
		return 2
	case Or:
		return 3
	case And:
		return 4
	case Until, Release:
		return 5
	case ForAll, Exists, Choice:
		return 0 // as far as possible to the right
	case Not, Finally, Globally:
		return 6
	case Eq, Ne, Lt, Le, Gt, Ge, In, Chain:
		return 7
	case Plus, Sub:
		return 8
	case Times, Div, Mod:
		return 9
	case Minus, Count, Max, Min:
		return 10
	}
	return 11
}

// Plain is an expression as others say it, for operators that are another way to write these.
func (e *Expr) Plain() *Expr {
	if e.Op != Xor {
		return e
	}
	same := e.From().Op(Iff, e.Args...)
	if e.Of != nil {
		same.Of = e.Of.Plain().Args[0]
	}
	return e.From().Not(same)
}

// Opposite is the comparison that is true where this one is not; "" of other operators.
func (o Op) Opposite() Op {
	return map[Op]Op{Eq: Ne, Ne: Eq, Lt: Ge, Ge: Lt, Le: Gt, Gt: Le}[o]
}

// Mirrored is the comparison with its sides exchanged.
func (o Op) Mirrored() Op {
	if m, ok := map[Op]Op{Lt: Gt, Gt: Lt, Le: Ge, Ge: Le}[o]; ok {
		return m
	}
	return o
}

func (o Op) Temporal() bool { return o == Finally || o == Globally || o == Until || o == Release }
