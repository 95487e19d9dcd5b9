package tla

import (
	"math/big"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/expr"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
)

// Expr is an expression. Op is an operator as it is written (one of its ways), or one of: number, string, name (with
// arguments, if it is applied), bool, tuple, set, filter, map, function, functions, record, apply, except, if, let,
// prime, minus, square ([A]_v), angle (<<A>>_v), no case, unread (Name says why).
type Expr struct {
	Op     string
	Name   string
	Number *big.Int
	Args   []*Expr
	Bound  []Bound       // of quantifiers, functions, sets
	Defs   []*Definition // of let
	Keys   [][]*Expr     // of except: the place that each argument, from the second on, is for
	Pos    diag.Pos
	Width  int
}

// Bound is names that range over a set.
type Bound struct {
	Names []string
	Set   *Expr
}

// any reports whether f says so of the expression or of a part of it, also within definitions of LET and sets of bound
// names.
func (e *Expr) any(f func(*Expr) bool) bool {
	inside := func(part *Expr) bool { return part.any(f) }
	return f(e) || slices.ContainsFunc(e.Args, inside) ||
		slices.ContainsFunc(e.Defs, func(d *Definition) bool { return d.Body.any(f) }) ||
		slices.ContainsFunc(e.Bound, func(b Bound) bool { return b.Set.any(f) }) ||
		slices.ContainsFunc(e.Keys, func(keys []*Expr) bool { return slices.ContainsFunc(keys, inside) })
}

// Definition is `Name(params) == Body`.
type Definition struct {
	Name   string
	Params []string
	Body   *Expr
	Pos    diag.Pos

	headed bool // what stands before == was read
}

// Module is a module as it is written.
type Module struct {
	Name      string
	Constants []token
	Variables []token
	Assumes   []*Expr
	Defs      []*Definition
	Unread    diag.List // warnings: what has no name that could be needed
}

type parser struct {
	tokens []token
	at     int
	limit  int // columns up to here end the present item of a list
	ops    *expr.Parser[token, *Expr]
}

// parse reads a module. What definitions say that cannot be read is an expression of its own: it is an error only where
// it is needed. Its error is a diag.List with the first problem of what else there is. Time and space are linear in the
// text.
func parse(file, source string) (m *Module, err error) {
	tokens, err := scanned(file, source)
	if err != nil {
		return nil, err
	}
	defer diag.Caught(func(list diag.List) { err = list })
	p := &parser{tokens: tokens}
	if out := outside(func() { m = p.module() }); out != nil {
		return nil, out
	}
	return m, nil
}

// unsupported is what is TLA+, and outside of what is read.
type unsupported struct{ diag.List }

// outside calls read, and returns the complaint about what is outside of the language, if there is any.
func outside(read func()) (out diag.List) {
	defer diag.Caught(func(u unsupported) { out = u.List })
	read()
	return nil
}

// outside ends reading: what comes next is outside of the language.
func (p *parser) outside(format string, args ...any) {
	t := p.peek()
	var list diag.List
	list.Add(t.pos, max(1, len(t.text)), format+" outside of what is read", args...)
	panic(unsupported{list})
}

// fail ends reading.
func (p *parser) fail(t token, format string, args ...any) {
	panic(diag.Wrong(t.pos, max(1, len(t.text)), format, args...))
}

// peek returns the next token, or an end where the item of a list ends.
func (p *parser) peek() token {
	t := p.tokens[p.at]
	if t.kind != lexer.EOF && t.indent <= p.limit {
		return token{kind: lexer.EOF, text: "the end of an item of a list", pos: t.pos}
	}
	return t
}

// unexpected ends reading at what stands in the place of something else.
func (p *parser) unexpected(instead string) {
	t := p.peek()
	switch {
	case t.kind == scan.Sign && !reads(t.text):
		p.outside("the operator `%s` is", t.text)
	case t.kind == scan.Name && slices.Contains(unread, t.text):
		p.outside("`%s` is", t.text)
	}
	p.fail(t, "expected %s, got `%s`", instead, t.text)
}

// reads reports whether an operator is one of those that are read.
func reads(text string) bool {
	_, infix := binding[text]
	if strings.HasPrefix(text, "\\") && !infix {
		return text == "\\E" || text == "\\A"
	}
	return infix || slices.Contains(symbols, text)
}

func (p *parser) next() token {
	t := p.peek()
	if t.kind != lexer.EOF {
		p.at++
	}
	return t
}

func (p *parser) is(text string) bool {
	t := p.peek()
	return (t.kind == scan.Sign || t.kind == scan.Name) && t.text == text
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.is(text) {
		p.unexpected("`" + text + "`")
	}
	p.next()
}

func (p *parser) ident() token {
	if p.peek().kind != scan.Name {
		p.unexpected("a name")
	}
	return p.next()
}

func (p *parser) idents() (list []token) {
	p.commas(func() { list = append(list, p.ident()) })
	return list
}

// commas reads items with commas between them.
func (p *parser) commas(item func()) {
	for item(); p.accept(","); item() {
	}
}

// enclosed reads items with commas between them up to a closing symbol.
func (p *parser) enclosed(closing string, item func()) {
	p.commas(item)
	p.expect(closing)
}

// known are the modules that may be extended.
var known = []string{"Integers", "Naturals", "FiniteSets", "Sequences", "TLC", "Reals", "Bags", "TLAPS", "Apalache",
	"Variants", "Functions", "SequencesExt", "FiniteSetsExt", "FiniteSetTheorems", "SequenceTheorems",
	"NaturalsInduction", "WellFoundedInduction"}

func (p *parser) module() *Module {
	m := &Module{}
	p.expect("MODULE")
	m.Name = p.ident().text
	if p.accept("EXTENDS") {
		for _, t := range p.idents() {
			if !slices.Contains(known, t.text) {
				p.fail(t, "module %s is not known (have %s)", t.text, strings.Join(known, ", "))
			}
		}
	}
	for p.peek().kind != lexer.EOF {
		p.unit(m)
	}
	return m
}

func (p *parser) unit(m *Module) {
	switch t := p.peek(); {
	case p.accept("CONSTANT"), p.accept("CONSTANTS"):
		m.Constants = append(m.Constants, p.idents()...)
	case p.accept("VARIABLE"), p.accept("VARIABLES"):
		m.Variables = append(m.Variables, p.idents()...)
	case p.accept("ASSUME"), p.accept("ASSUMPTION"), p.accept("AXIOM"):
		p.title()
		m.Assumes = append(m.Assumes, p.expr(0))
	case t.kind == scan.Name && slices.Contains(skipped, t.text):
		p.skip() // what is claimed is asked of definitions
		return
	case p.is("LOCAL"), t.kind == scan.Name && !slices.Contains(reserved, t.text):
		p.accept("LOCAL")
		if p.is("INSTANCE") {
			p.skip()
			return
		}
		p.readable(m)
		return
	default:
		p.unexpected("a declaration or a definition")
	}
	p.over()
}

// readable reads a definition; of one that has something outside of what is read, where that is.
func (p *parser) readable(m *Module) {
	from := p.at
	d := &Definition{}
	out := outside(func() {
		p.definition(d)
		p.over()
	})
	if out == nil {
		m.Defs = append(m.Defs, d)
		return
	}
	at := out[0]
	p.limit, p.at = 0, from
	p.skip()
	if !d.headed {
		m.Unread.Warn(at.Pos, at.Width, "this definition is left out: %s", at.Msg)
		return
	}
	d.Body = &Expr{Op: "unread", Name: at.Msg, Pos: at.Pos, Width: at.Width}
	m.Defs = append(m.Defs, d)
}

// skip goes on to where the next declaration or definition begins: no further to the right than this one, and first in
// its line.
func (p *parser) skip() {
	first := p.tokens[p.at]
	for p.at++; p.tokens[p.at].kind != lexer.EOF; p.at++ {
		if t := p.tokens[p.at]; t.pos.Line > p.tokens[p.at-1].pos.Line && t.indent <= first.indent && p.begins() {
			return
		}
	}
}

// over checks that a declaration or a definition ends here.
func (p *parser) over() {
	if p.peek().kind != lexer.EOF && !p.begins() {
		p.unexpected("a declaration or a definition")
	}
}

// begins reports whether what comes next looks like a declaration or a definition.
func (p *parser) begins() bool {
	t := p.tokens[p.at]
	if t.kind != scan.Name || slices.Contains(reserved, t.text) {
		return t.kind == scan.Name && slices.Contains(units, t.text)
	}
	rest := p.tokens[p.at+1:]
	depth := 0
	for i, next := range rest {
		switch next.text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case "==":
			return depth == 0 && (i == 0 || rest[i-1].text == ")" || rest[i-1].text == "]" ||
				i == 2 && rest[0].kind == scan.Sign)
		}
		if depth == 0 && i > 0 && next.text != ")" && next.text != "]" && (i > 1 || rest[0].kind != scan.Sign) ||
			depth < 0 || next.kind == lexer.EOF {
			return false
		}
	}
	return false
}

// Words with which declarations begin, or what is gone over: it says nothing that could be needed.
var (
	skipped = []string{"THEOREM", "LEMMA", "PROPOSITION", "COROLLARY", "RECURSIVE", "INSTANCE", "USE", "HIDE"}
	units   = append([]string{"LOCAL", "MODULE", "ASSUME", "ASSUMPTION", "AXIOM", "CONSTANT", "CONSTANTS", "VARIABLE",
		"VARIABLES"}, skipped...)
)

// unread are words of expressions that are not read.
var unread = []string{"CHOOSE", "DOMAIN", "SUBSET", "UNION", "LAMBDA", "INSTANCE", "RECURSIVE"}

// title reads the name of an assumption or a theorem, if it has one.
func (p *parser) title() {
	if p.peek().kind == scan.Name && p.tokens[p.at+1].text == "==" {
		p.at += 2
	}
}

var reserved = []string{
	"LOCAL", "INSTANCE", "RECURSIVE", "MODULE", "CHOOSE", "CASE", "ENABLED", "DOMAIN", "SUBSET", "UNION", "LAMBDA",
	"WITH",
	"IN", "THEN", "ELSE", "OTHER", "PROOF", "EXTENDS", "LEMMA", "THEOREM", "ASSUME", "ASSUMPTION", "AXIOM", "CONSTANT",
	"CONSTANTS",
	"VARIABLE", "VARIABLES", "IF", "LET", "UNCHANGED", "EXCEPT", "PROPOSITION", "COROLLARY", "USE", "HIDE", "BY",
	"OBVIOUS", "OMITTED", "QED",
}

func (p *parser) definition(d *Definition) {
	t := p.peek()
	if slices.Contains(reserved, t.text) {
		p.unexpected("a name")
	}
	p.ident()
	d.Name, d.Pos = t.text, t.pos
	if p.accept("(") {
		for _, param := range p.idents() {
			d.Params = append(d.Params, param.text)
			if p.is("(") {
				p.outside("a parameter that is an operator is")
			}
		}
		p.expect(")")
	}
	if at := p.peek(); p.accept("[") { // f[x \in S] == ...
		e := &Expr{Op: "function", Bound: p.bounds(), Pos: at.pos, Width: 1}
		p.expect("]")
		p.expect("==")
		d.headed = true
		e.Args = []*Expr{p.expr(0)}
		d.Body = e
		return
	}
	p.expect("==")
	d.headed = true
	d.Body = p.expr(0)
}

// binding says how strongly operators bind: table 6 of Lamport's "Specifying Systems".
var binding = map[string]int{
	"=>": 1, "<=>": 2, "~>": 2, "\\/": 3, "/\\": 3,
	"=": 5, "#": 5, "/=": 5, "<": 5, ">": 5, "<=": 5, "=<": 5, ">=": 5, "\\in": 5, "\\notin": 5, "\\subseteq": 5,
	"\\union": 8, "\\intersect": 8, "\\": 8, "..": 9, "+": 10, "-": 11, "*": 13, "\\div": 13,
}

// bindingMembers is how strongly \in binds: what is behind it in a bound of a quantifier is made of operators that bind
// more strongly.
const bindingMembers = 5

// prefixes are operators before their operand. Nothing that has its operands on both sides binds more strongly than
// next values do.
var prefixes = map[string]expr.Prefix[*Expr]{"~": {Level: 5, Anywhere: true}, "[]": {Level: 5, Anywhere: true},
	"<>": {Level: 5, Anywhere: true},
	"-":  {Level: 13, Anywhere: true}, "UNCHANGED": {Level: 16, Anywhere: true}, "ENABLED": {Level: 16, Anywhere: true}}

// chains are the operators that may follow themselves without parentheses; no operator may follow another one that
// binds as strongly.
var chains = map[string]bool{"\\/": true, "/\\": true, "\\union": true, "\\intersect": true, "+": true, "-": true,
	"*": true}

var same = map[string]string{"/=": "#", "=<": "<="}

// maxDepth bounds how deeply expressions are nested.
const maxDepth = 300

// Peek and Next are the tokens of expressions.
func (p *parser) Peek() token { return p.peek() }
func (p *parser) Next() token { return p.next() }

// operators is the table of operators, with how expressions are read by it. Errors are those of fail.
func (p *parser) operators() *expr.Parser[token, *Expr] {
	infix := map[string]expr.Infix{}
	for op, level := range binding {
		infix[op] = expr.Infix{Level: level}
	}
	return &expr.Parser[token, *Expr]{
		Tokens: p, Infix: infix, Prefix: prefixes,
		InfixAt: func(t token) string {
			if t.kind != scan.Sign {
				return ""
			}
			return t.text
		},
		PrefixAt: func(t token) string {
			if t.kind != scan.Sign && t.kind != scan.Name {
				return ""
			}
			return t.text
		},
		Operand: func() (*Expr, error) { return p.operand(), nil },
		Join:    func(first token, ops []token, args []*Expr) (*Expr, error) { return node(first, ops[0], args), nil },
		Again: func(before, op token) error {
			if op.text != before.text || !chains[op.text] {
				p.fail(op, "`%s` may not follow `%s` like that: add parentheses", op.text, before.text)
			}
			return nil
		},
		Limit: maxDepth,
		TooDeep: func(t token) error {
			p.fail(t, "this is nested too deeply")
			return nil
		},
	}
}

// node makes one of an operator. Neighbours that are conjunctions or disjunctions are one node.
func node(first, t token, args []*Expr) *Expr {
	op := t.text
	switch {
	case len(args) == 1 && op == "-":
		op = "minus"
	case len(args) == 1:
	case same[op] != "":
		op = same[op]
	case (op == "/\\" || op == "\\/") && args[0].Op == op:
		args[0].Args = append(args[0].Args, args[1])
		return args[0]
	}
	if len(args) == 1 {
		return &Expr{Op: op, Args: args, Pos: first.pos, Width: len(first.text)}
	}
	return &Expr{Op: op, Args: args, Pos: args[0].Pos, Width: args[0].Width}
}

// expr reads an expression whose operators bind more strongly than least.
func (p *parser) expr(least int) *Expr {
	if p.ops == nil {
		p.ops = p.operators()
	}
	e, _ := p.ops.Read(least) // it fails by fail
	return e
}

// operand reads what stands between operators, lists of items with bullets among it.
func (p *parser) operand() *Expr {
	t := p.peek()
	if t.kind == scan.Sign {
		switch t.text {
		case "/\\", "\\/":
			return p.list(t)
		case "\\E", "\\A":
			return p.quantifier(t)
		}
	}
	switch {
	case p.is("CASE"):
		return p.cases(p.next())
	case p.is("IF"):
		e := &Expr{Op: "if", Pos: t.pos, Width: 2}
		for _, word := range []string{"IF", "THEN", "ELSE"} {
			p.expect(word)
			e.Args = append(e.Args, p.expr(0))
		}
		return e
	case p.is("LET"):
		p.next()
		e := &Expr{Op: "let", Pos: t.pos, Width: 3}
		for !p.is("IN") {
			d := &Definition{}
			p.definition(d)
			e.Defs = append(e.Defs, d)
		}
		p.next()
		e.Args = []*Expr{p.expr(0)}
		return e
	}
	return p.postfix(p.primary())
}

// cases reads CASE as IFs, one in the other. Where none of the conditions holds and there is no OTHER, there is no
// value.
func (p *parser) cases(t token) *Expr {
	first := &Expr{}
	for into, arms := first, 1; ; arms++ {
		cond := p.expr(0)
		p.expect("->")
		*into = Expr{Op: "if", Pos: t.pos, Width: len(t.text), Args: []*Expr{cond, p.expr(0)}}
		otherwise := &Expr{Op: "no case", Pos: t.pos, Width: len(t.text)}
		into.Args = append(into.Args, otherwise)
		if t = p.peek(); !p.accept("[]") {
			return first
		}
		if p.accept("OTHER") {
			p.expect("->")
			*otherwise = *p.expr(0)
			return first
		}
		if into = otherwise; arms > maxDepth {
			p.fail(t, "this is nested too deeply")
		}
	}
}

// list reads a list of items that begin with the same operator in the same column.
func (p *parser) list(bullet token) *Expr {
	saved := p.limit
	defer func() { p.limit = saved }()
	e := &Expr{Op: bullet.text, Pos: bullet.pos, Width: len(bullet.text)}
	for {
		t := p.tokens[p.at]
		p.limit = saved
		if p.peek().kind != scan.Sign || t.text != bullet.text || t.indent != bullet.indent {
			return e
		}
		p.next()
		p.limit = max(saved, bullet.indent)
		e.Args = append(e.Args, p.expr(0))
	}
}

func (p *parser) quantifier(t token) *Expr {
	p.next()
	e := &Expr{Op: t.text, Pos: t.pos, Width: len(t.text), Bound: p.bounds()}
	p.expect(":")
	e.Args = []*Expr{p.expr(0)}
	return e
}

func (p *parser) bounds() (list []Bound) {
	p.commas(func() {
		if p.is("<<") {
			p.outside("names in tuples are")
		}
		names := lists.Map(p.idents(), func(t token) string { return t.text })
		if p.is(":") {
			p.outside("names of anything, which range over no set, are")
		}
		p.expect("\\in")
		list = append(list, Bound{names, p.expr(bindingMembers)})
	})
	return list
}

func (p *parser) postfix(e *Expr) *Expr {
	for {
		switch {
		case p.accept("'"):
			e = &Expr{Op: "prime", Args: []*Expr{e}, Pos: e.Pos, Width: e.Width}
		case p.accept("["):
			e = &Expr{Op: "apply", Args: append([]*Expr{e}, p.exprs("]")...), Pos: e.Pos, Width: e.Width}
		case p.accept("."):
			e = &Expr{Op: "apply", Args: []*Expr{e, p.field()}, Pos: e.Pos, Width: e.Width}
		case p.is("!") && e.Op == "name":
			p.outside("what another module is an instance of is")
		default:
			return e
		}
	}
}

// exprs reads expressions up to a closing symbol.
func (p *parser) exprs(closing string) (list []*Expr) {
	if !p.accept(closing) {
		p.enclosed(closing, func() { list = append(list, p.expr(0)) })
	}
	return list
}

// field reads the name of a field, a text.
func (p *parser) field() *Expr {
	t := p.ident()
	return &Expr{Op: "string", Name: t.text, Pos: t.pos}
}

func (p *parser) primary() *Expr {
	t := p.peek()
	e := &Expr{Pos: t.pos, Width: max(1, len(t.text))}
	if t.kind == lexer.EOF || t.kind == scan.Name && slices.Contains(reserved, t.text) {
		p.unexpected("an expression")
	}
	p.next()
	switch {
	case t.kind == scan.Number:
		e.Op, e.Number = "number", new(big.Int)
		e.Number.SetString(t.text, 10)
	case t.kind == scan.Text:
		e.Op, e.Name = "string", t.text[1:len(t.text)-1]
	case t.kind == scan.Name && (t.text == "TRUE" || t.text == "FALSE"):
		e.Op, e.Name = "bool", t.text
	case t.kind == scan.Name && !slices.Contains(reserved, t.text):
		e.Op, e.Name = "name", t.text
		if p.accept("(") {
			e.Args = p.exprs(")")
		}
	case t.kind == scan.Sign:
		return p.bracketed(t, e)
	}
	return e
}

func (p *parser) bracketed(t token, e *Expr) *Expr {
	switch t.text {
	case "(":
		inner := p.expr(0)
		p.expect(")")
		return &Expr{Op: "()", Args: []*Expr{inner}, Pos: t.pos, Width: 1}
	case "<<":
		e.Op, e.Args = "tuple", p.exprs(">>")
		shut, sub := p.tokens[p.at-1].pos, p.peek()
		close := sub.pos.Line == shut.Line && sub.pos.Col == shut.Col+2
		if len(e.Args) == 1 && sub.kind == scan.Name && strings.HasPrefix(sub.text, "_") && close { // <<A>>_v
			e.Op = "angle"
			if p.next(); sub.text == "_" {
				e.Args = append(e.Args, p.primary())
			}
		}
	case "{":
		return p.set(e)
	case "[":
		return p.square(e)
	case "@":
		e.Op = "@"
	default:
		p.at--
		p.unexpected("an expression")
	}
	return e
}

// set reads what follows a brace.
func (p *parser) set(e *Expr) *Expr {
	e.Op = "set"
	if p.accept("}") {
		return e
	}
	first := p.expr(0)
	if !p.accept(":") {
		e.Args = []*Expr{first}
		if p.accept(",") {
			e.Args = append(e.Args, p.exprs("}")...)
		} else {
			p.expect("}")
		}
		return e
	}
	if first.Op == "\\in" && first.Args[0].Op == "tuple" {
		p.outside("names in tuples are")
	}
	if first.Op == "\\in" && first.Args[0].Op == "name" {
		e.Op, e.Bound = "filter", []Bound{{[]string{first.Args[0].Name}, first.Args[1]}}
		e.Args = []*Expr{p.expr(0)}
	} else {
		e.Op, e.Args, e.Bound = "map", []*Expr{first}, p.bounds()
	}
	p.expect("}")
	return e
}

// square reads what follows a square bracket: a function, a set of them, a record, EXCEPT, or [A]_v.
func (p *parser) square(e *Expr) *Expr {
	if p.tokens[p.at].kind == scan.Name && p.at+1 < len(p.tokens) {
		switch p.tokens[p.at+1].text {
		case "|->":
			return p.record(e)
		case "\\in", ",":
			e.Op, e.Bound = "function", p.bounds()
			p.expect("|->")
			e.Args = []*Expr{p.expr(0)}
			p.expect("]")
			return e
		}
	}
	first := p.expr(0)
	switch {
	case p.accept("->"):
		e.Op, e.Args = "functions", []*Expr{first, p.expr(0)}
	case p.accept("]_"):
		e.Op, e.Args = "square", []*Expr{first, p.primary()}
		return e
	case p.accept("EXCEPT"):
		return p.except(e, first)
	case p.is(":"):
		p.outside("sets of records, `[a : S]`, are")
	case p.is("|->"):
		p.outside("names in tuples are")
	default:
		p.unexpected("`->`, `EXCEPT` or `]_`")
	}
	p.expect("]")
	return e
}

func (p *parser) record(e *Expr) *Expr {
	e.Op = "record"
	p.enclosed("]", func() {
		e.Keys = append(e.Keys, []*Expr{p.field()})
		p.expect("|->")
		e.Args = append(e.Args, p.expr(0))
	})
	return e
}

func (p *parser) except(e, first *Expr) *Expr {
	e.Op, e.Args = "except", []*Expr{first}
	p.enclosed("]", func() {
		p.expect("!")
		var keys []*Expr
		for !p.is("=") {
			switch {
			case p.accept("["):
				keys = append(keys, p.exprs("]")...)
			case p.accept("."):
				keys = append(keys, p.field())
			default:
				p.expect("=")
			}
		}
		p.next()
		e.Keys = append(e.Keys, keys)
		e.Args = append(e.Args, p.expr(0))
	})
	return e
}
