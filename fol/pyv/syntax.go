package pyv

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/expr"
	"github.com/tacheck/tacheck/internal/layout"
	"github.com/tacheck/tacheck/internal/spell"
)

// tree is a text as it is written.
type tree struct {
	decls    []*decl
	comments []layout.Comment
	older    bool // plain names are of the state after a step, and old(...) of the state before it
	plain    bool // there is neither old(...) nor new(...): what plain names are of is not said
}

// decl is a declaration.
type decl struct {
	first    token
	last     token   // of it
	words    []token // the words that it begins with: mutable relation, sat trace, ...
	name     token   // of what is declared; no text if it has none
	params   []binding
	args     []token // sorts of arguments
	result   token   // sort of a function or constant
	modifies []token
	body     *node
	notes    []string // annotations, as they are written
	skipped  []token  // of what is read over
}

// kind is the last of the words.
func (d *decl) kind() string { return d.words[len(d.words)-1].text }

func (d *decl) is(word string) bool {
	return slices.ContainsFunc(d.words, func(t token) bool { return t.text == word })
}

// binding is a variable with its sort, which may be left out.
type binding struct{ name, sort token }

// node is an expression.
type node struct {
	op    string // an operator, "name", "true", "false", "distinct", "new", "old", "if", "let", "forall", "exists"
	tok   token
	args  []*node
	vars  []binding
	prime bool
}

const (
	levelAny = iota
	levelIff
	levelImplies
	levelOr
	levelAnd
	levelNot
	levelEqual
)

var infix = map[string]expr.Infix{
	"<->": {Level: levelIff, Assoc: expr.Flat},
	"->":  {Level: levelImplies, Assoc: expr.Right},
	"|":   {Level: levelOr, Assoc: expr.Flat},
	"&":   {Level: levelAnd, Assoc: expr.Flat},
	"=":   {Level: levelEqual, Assoc: expr.Flat},
	"!=":  {Level: levelEqual, Assoc: expr.Flat},
}

var reserved = map[string]bool{}

func init() {
	for _, w := range []string{"sort", "relation", "function", "constant", "immutable", "mutable", "derived", "axiom",
		"init", "transition", "invariant", "safety",
		"definition", "onestate", "twostate", "zerostate", "modifies", "theorem", "sat", "unsat", "trace", "forall",
		"exists", "true", "false", "if", "then", "else", "let", "in",
		"distinct", "new", "old", "assume", "automaton", "phase"} {
		reserved[w] = true
	}
}

// deepest is how deeply formulas may nest.
const deepest = 200

type parser struct {
	tokens   []token
	comments []layout.Comment
	at       int
	expr     expr.Parser[token, *node]
	older    *token
	newer    *token
}

func (p *parser) Peek() token { return p.tokens[p.at] }

func (p *parser) Next() token {
	t := p.tokens[p.at]
	if t.text != "" {
		p.at++
	}
	return t
}

// meant is what is written here in place of words and signs of Ivy, TLA+ and programs.
var meant = map[string]string{
	"type": "`sort node`", "action": "`transition name(n: node) modifies r & ...`", "conjecture": "`safety`",
	"after": "`init !r(X)`", "individual": "`mutable constant x: node`", "require": "conditions are joined by &",
	"property": "`safety`", "variable": "`mutable constant x: node`",
	"export": "leave it out", "isolate": "leave it out", "module": "leave it out", "object": "leave it out",
	":=": "`new(x) = ...` and `new(r(X)) <-> ...` say what becomes of x and r", "==": "`=`", "=>": "`->`",
	"and": "`&`", "or": "`|`", "not": "`!`",
	"relation :": "`relation r(node)`", "function :": "`function f(node): key`",
	"safety :": "`safety [name] p`", "invariant :": "`invariant [name] p`", "a variable (": "`forall X, Y: node. p`",
}

func problem(t token, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	kind, _, _ := strings.Cut(text, ": ")
	kind, _, _ = strings.Cut(strings.TrimPrefix(kind, "the name of "), " is expected")
	kind, _, _ = strings.Cut(kind, " does not")
	if m := cmp.Or(meant[kind+" "+t.text], meant[t.text]); m != "" {
		text += "; here: " + m
	}
	return diag.Wrong(t.pos, t.width(), "%s", text)
}

func shown(t token) string {
	if t.text == "" {
		return "the end of the text"
	}
	return fmt.Sprintf("%q", t.text)
}

func (p *parser) want(text, where string) (token, error) {
	t := p.Peek()
	if t.text != text {
		return t, problem(t, "%q is expected %s, not %s", text, where, shown(t))
	}
	return p.Next(), nil
}

func (p *parser) takes(text string) bool {
	if p.Peek().text != text {
		return false
	}
	p.Next()
	return true
}

func (p *parser) ident(what string) (token, error) {
	t := p.Peek()
	if !t.word || !IsName(t.text) {
		return t, problem(t, "the name of %s is expected, not %s", what, shown(t))
	}
	return p.Next(), nil
}

// newParser makes a parser of a text.
func newParser(file, text string) (*parser, diag.List) {
	tokens, comments, problems := lex(file, text)
	p := &parser{tokens: tokens, comments: comments}
	p.expr = expr.Parser[token, *node]{Tokens: p, Infix: infix, Limit: deepest, InfixAt: sign, PrefixAt: sign,
		TooDeep: func(t token) error { return problem(t, "formulas nest more than %d deep", deepest) },
		Join:    join, Operand: p.operand,
		Again: func(before, op token) error {
			if l := infix[op.text].Level; l == levelIff || l == levelEqual {
				return problem(op, "what is meant by %q after %q? write brackets", op.text, before.text)
			}
			return nil
		}}
	anywhere := func(read func(token) (*node, error)) expr.Prefix[*node] {
		return expr.Prefix[*node]{Level: levelIff, Anywhere: true,
			Read: func() (*node, error) { return read(p.tokens[p.at-1]) }}
	}
	lead := func(level int) expr.Prefix[*node] {
		return expr.Prefix[*node]{Level: level, Anywhere: true,
			Read: func() (*node, error) { return p.expr.Read(level - 1) }}
	}
	p.expr.Prefix = map[string]expr.Prefix[*node]{"!": {Level: levelNot}, "forall": anywhere(p.quantifier),
		"exists": anywhere(p.quantifier),
		"if":     anywhere(p.condition), "let": anywhere(p.binding), "&": lead(levelAnd), "|": lead(levelOr)}
	return p, problems
}

// parse reads a text. Its errors are a diag.List: the first problem of each declaration.
func parse(file, text string) (*tree, error) {
	p, problems := newParser(file, text)
	out := &tree{comments: p.comments}
	for p.Peek().text != "" {
		d, err := p.decl()
		if err != nil {
			problems = append(problems, err.(diag.List)...)
			p.recover()
			continue
		}
		d.last = p.tokens[p.at-1]
		out.decls = append(out.decls, d)
	}
	if p.older != nil && p.newer != nil {
		problems.Add(p.newer.pos, p.newer.width(),
			"old(...) is used in line %d, so a plain name is of the state after the step, and %s has no place here",
			p.older.pos.Line, shown(*p.newer))
	}
	out.older, out.plain = p.older != nil, p.older == nil && p.newer == nil
	return out, problems.Err()
}

// begins reports whether a word can begin a declaration.
func begins(t token) bool {
	_, is := declarations[t.text]
	return is && t.word
}

// recover goes on at the next line that begins a declaration.
func (p *parser) recover() {
	for p.Next().text != "" {
		if t := p.Peek(); t.first && begins(t) {
			return
		}
	}
}

func sign(t token) string {
	if t.text == "~" {
		return "!"
	}
	return t.text
}

func join(first token, ops []token, operands []*node) (*node, error) {
	n := &node{op: sign(ops[0]), tok: ops[0], args: operands}
	if n.op == "=" || n.op == "!=" {
		n.tok = ops[0]
	}
	return n, nil
}

func (p *parser) operand() (*node, error) {
	t := p.Peek()
	switch t.text {
	case "(":
		p.Next()
		n, err := p.expr.Read(levelAny)
		if err == nil {
			_, err = p.want(")", "after a formula in brackets")
		}
		return n, err
	case "true", "false":
		p.Next()
		return &node{op: t.text, tok: t}, nil
	case "new", "old":
		p.Next()
		if at := &p.older; t.text == "old" && *at == nil {
			*at = &t
		}
		if at := &p.newer; t.text == "new" && *at == nil {
			*at = &t
		}
		if _, err := p.want("(", "after "+t.text); err != nil {
			return nil, err
		}
		n, err := p.expr.Read(levelAny)
		if err == nil {
			_, err = p.want(")", "after a formula in brackets")
		}
		return &node{op: t.text, tok: t, args: []*node{n}}, err
	case "distinct":
		p.Next()
		args, err := p.arguments()
		return &node{op: t.text, tok: t, args: args}, err
	}
	if !t.word || !IsName(t.text) {
		return nil, problem(t, "a formula is expected, not %s", shown(t))
	}
	p.Next()
	n := &node{op: "name", tok: t}
	if p.Peek().text == "'" {
		if p.newer == nil {
			prime := p.Peek()
			p.newer = &prime
		}
		p.Next()
		n.prime = true
	}
	if p.Peek().text != "(" {
		return n, nil
	}
	var err error
	n.args, err = p.arguments()
	return n, err
}

func (p *parser) arguments() (list []*node, err error) {
	if _, err := p.want("(", "before arguments"); err != nil {
		return nil, err
	}
	if p.takes(")") {
		return nil, nil
	}
	for {
		n, err := p.expr.Read(levelAny)
		if err != nil {
			return nil, err
		}
		list = append(list, n)
		if !p.takes(",") {
			_, err := p.want(")", "after arguments")
			return list, err
		}
	}
}

// bindings reads variables: X, Y:node, Z.
func (p *parser) bindings(what string) (list []binding, err error) {
	for {
		name, err := p.ident(what)
		if err != nil {
			return nil, err
		}
		b := binding{name: name}
		if p.takes(":") {
			if b.sort, err = p.ident("a sort"); err != nil {
				return nil, err
			}
		}
		list = append(list, b)
		if !p.takes(",") {
			return list, nil
		}
	}
}

func (p *parser) quantifier(first token) (*node, error) {
	vars, err := p.bindings("a variable")
	if err == nil {
		_, err = p.want(".", "after the variables of "+first.text)
	}
	if err != nil {
		return nil, err
	}
	body, err := p.expr.Read(levelAny)
	return &node{op: first.text, tok: first, vars: vars, args: []*node{body}}, err
}

func (p *parser) condition(first token) (*node, error) {
	n := &node{op: "if", tok: first}
	for i := range 3 {
		if i > 0 {
			if _, err := p.want([]string{"", "then", "else"}[i], "in a condition"); err != nil {
				return nil, err
			}
		}
		part, err := p.expr.Read(levelAny)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, part)
	}
	return n, nil
}

func (p *parser) binding(first token) (*node, error) {
	vars, err := p.bindings("a variable")
	if err == nil {
		_, err = p.want("=", "after the variable of let")
	}
	if err != nil {
		return nil, err
	}
	value, err := p.expr.Read(levelAny)
	if err == nil {
		_, err = p.want("in", "after the value of let")
	}
	if err != nil {
		return nil, err
	}
	body, err := p.expr.Read(levelAny)
	return &node{op: "let", tok: first, vars: vars, args: []*node{value, body}}, err
}

// declarations are the words that begin one, with how the rest is read.
var declarations map[string]func(*parser, *decl) error

func init() {
	declarations = map[string]func(*parser, *decl) error{
		"sort": (*parser).sort, "immutable": (*parser).symbol, "mutable": (*parser).symbol,
		"derived":  (*parser).derived,
		"relation": (*parser).symbolRest, "function": (*parser).symbolRest, "constant": (*parser).symbolRest,
		"axiom": (*parser).claim, "init": (*parser).claim, "safety": (*parser).claim, "invariant": (*parser).claim,
		"assume":  (*parser).claim,
		"theorem": (*parser).claim, "sketch": (*parser).sketch,
		"transition": (*parser).transition, "definition": (*parser).definition,
		"onestate": (*parser).stated, "twostate": (*parser).stated, "zerostate": (*parser).stated,
		"sat": (*parser).trace, "unsat": (*parser).trace, "automaton": (*parser).block, "phase": (*parser).block,
	}
}

func (p *parser) decl() (*decl, error) {
	t := p.Next()
	d := &decl{first: t, words: []token{t}}
	read, is := declarations[t.text]
	if !is {
		var known []string
		for w := range declarations {
			known = append(known, w)
		}
		slices.Sort(known)
		return nil, problem(t, "a declaration is expected (sort, relation, axiom, transition, ...), not %s%s", shown(t),
			spell.Hint(t.text, known))
	}
	if err := read(p, d); err != nil {
		return nil, err
	}
	// a word on a line of its own is no declaration
	if t := p.Peek(); t.text != "" && !begins(t) && !(t.first && t.word) {
		if before := p.tokens[p.at-1]; meant[before.text] != "" {
			t = before
		}
		return nil, problem(t, "%s does not go on like this: %s", d.kind(), shown(t))
	}
	return d, nil
}

// annotations reads @words(with, arguments).
func (p *parser) annotations(d *decl) error {
	for p.Peek().text == "@" {
		from := p.Next()
		if _, err := p.ident("an annotation"); err != nil {
			return err
		}
		text := "@" + p.tokens[p.at-1].text
		if p.takes("(") {
			text += "("
			for depth := 1; depth > 0; {
				t := p.Next()
				switch t.text {
				case "":
					return problem(from, "this annotation has no end")
				case "(":
					depth++
				case ")":
					depth--
				}
				if text += t.text; t.text == "," {
					text += " "
				}
			}
		}
		d.notes = append(d.notes, text)
	}
	return nil
}

func (p *parser) sort(d *decl) (err error) {
	if d.name, err = p.ident("a sort"); err == nil {
		err = p.annotations(d)
	}
	return err
}

// symbol reads what follows immutable or mutable.
func (p *parser) symbol(d *decl) error {
	t := p.Peek()
	if t.text != "relation" && t.text != "function" && t.text != "constant" {
		return problem(t, "relation, function or constant is expected after %s, not %s", d.words[0].text, shown(t))
	}
	d.words = append(d.words, p.Next())
	return p.symbolRest(d)
}

func (p *parser) symbolRest(d *decl) (err error) {
	if d.name, err = p.ident("a " + d.kind()); err != nil {
		return err
	}
	if d.kind() != "constant" && p.takes("(") && !p.takes(")") {
		for {
			t, err := p.ident("a sort")
			if err != nil {
				return err
			}
			d.args = append(d.args, t)
			if p.takes(",") {
				continue
			}
			if _, err := p.want(")", "after the sorts of arguments, which have no names"); err != nil {
				return err
			}
			break
		}
	}
	if d.kind() != "relation" {
		if _, err := p.want(":", "before the sort of a "+d.kind()); err != nil {
			return err
		}
		if d.result, err = p.ident("a sort"); err != nil {
			return err
		}
	}
	return p.annotations(d)
}

func (p *parser) derived(d *decl) error {
	t, err := p.want("relation", "after derived")
	if err != nil {
		return err
	}
	d.words = append(d.words, t)
	if err := p.symbolRest(d); err != nil {
		return err
	}
	if _, err := p.want(":", "before the definition of a derived relation"); err != nil {
		return err
	}
	d.body, err = p.expr.Read(levelAny)
	return err
}

func (p *parser) claim(d *decl) (err error) {
	if p.takes("[") {
		if d.name, err = p.ident(d.kind()); err == nil {
			_, err = p.want("]", "after the name of "+d.kind())
		}
	}
	if err == nil {
		err = p.annotations(d)
	}
	if err == nil {
		d.body, err = p.expr.Read(levelAny)
	}
	return err
}

func (p *parser) sketch(d *decl) error {
	t, err := p.want("invariant", "after sketch")
	if err != nil {
		return err
	}
	d.words = append(d.words, t)
	return p.claim(d)
}

// head reads a name with parameters.
func (p *parser) head(d *decl) (err error) {
	if d.name, err = p.ident("a " + d.kind()); err != nil {
		return err
	}
	if p.takes("(") && !p.takes(")") {
		if d.params, err = p.bindings("a parameter"); err == nil {
			_, err = p.want(")", "after parameters")
		}
	}
	return err
}

func (p *parser) transition(d *decl) error {
	if err := p.head(d); err != nil {
		return err
	}
	return p.body(d)
}

// body reads what a transition modifies, and its formula.
func (p *parser) body(d *decl) (err error) {
	if p.takes("modifies") {
		for {
			t, err := p.ident("a relation, function or constant")
			if err != nil {
				return err
			}
			d.modifies = append(d.modifies, t)
			if !p.takes(",") {
				break
			}
		}
	}
	if t := p.Peek(); t.text == "{" {
		return problem(t,
			"steps that are written as programs are not read: write a formula about the states before and after")
	}
	d.body, err = p.expr.Read(levelAny)
	return err
}

func (p *parser) definition(d *decl) (err error) {
	if err = p.head(d); err != nil {
		return err
	}
	if p.takes("=") {
		d.body, err = p.expr.Read(levelAny)
		return err
	}
	return p.body(d)
}

func (p *parser) stated(d *decl) error {
	t := p.Peek()
	if t.text != "definition" && t.text != "theorem" {
		return problem(t, "definition or theorem is expected after %s, not %s", d.words[0].text, shown(t))
	}
	d.words = append(d.words, p.Next())
	if t.text == "theorem" {
		return p.claim(d)
	}
	return p.definition(d)
}

func (p *parser) trace(d *decl) error {
	t, err := p.want("trace", "after "+d.words[0].text)
	if err != nil {
		return err
	}
	d.words = append(d.words, t)
	return p.block(d)
}

// block reads over a block in braces.
func (p *parser) block(d *decl) error {
	for t := p.Peek(); t.text != "{"; t = p.Peek() {
		if t.text == "" || begins(t) {
			return problem(t, "%q is expected after %s, not %s", "{", d.kind(), shown(t))
		}
		d.skipped = append(d.skipped, p.Next())
	}
	open := p.Peek()
	for depth := 0; ; {
		t := p.Next()
		d.skipped = append(d.skipped, t)
		switch t.text {
		case "":
			return problem(open, "this brace has no end")
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return nil
			}
		}
	}
}
