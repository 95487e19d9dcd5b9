package protocol

import (
	"fmt"
	"slices"
	"strconv"
)

// parser reads tokens from left to right.
type parser struct {
	tokens []token
	at     int
	bare   bool // a dot ends an expression
}

// syntaxError is what the parser gives up with.
type syntaxError struct{ error }

// Parse reads a text.
func Parse(source string) (text *Text, err error) {
	tokens, err := scan(source)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			err = e.error
		}
	}()
	p := &parser{tokens: tokens}
	return p.text(), nil
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) after(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

func (p *parser) fail(format string, args ...any) {
	panic(syntaxError{fmt.Errorf("%s: %s", p.peek().pos, fmt.Sprintf(format, args...))})
}

// is tells whether the next token is this word or sign.
func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && (t.kind == tokenName || t.kind == tokenSign)
}

// take reads this word or sign if it is the next one.
func (p *parser) take(text string) bool {
	if p.is(text) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.take(text) {
		p.fail("expected %q instead of %q", text, p.peek().text)
	}
}

func (p *parser) name() string {
	t := p.next()
	if t.kind != tokenName {
		p.at--
		p.fail("expected a name instead of %q", t.text)
	}
	return t.text
}

// sections are the words that begin a part of a text.
var sections = []string{"const", "channels", "type", "var", "init", "rules", "define", "invariant", "ltl", "assume", "message", "recovery", "names"}

func (p *parser) inSection() bool {
	t := p.peek()
	return t.kind != tokenEnd && !(t.kind == tokenName && slices.Contains(sections, t.text))
}

func (p *parser) text() *Text {
	text := &Text{Channels: Channels{Bound: &Expr{Op: "number", Number: 1}}}
	if p.take("protocol") {
		text.Name = p.name()
		p.take(";")
	}
	for p.peek().kind != tokenEnd {
		switch {
		case p.take("const"):
			for p.inSection() {
				name := p.name()
				p.expect("=")
				text.Consts = append(text.Consts, Binding{name, p.expr()})
				p.take(";")
			}
		case p.take("channels"):
			p.channels(&text.Channels)
		case p.take("assume"):
			text.Assumes = append(text.Assumes, p.expr())
			p.take(";")
		case p.take("message"):
			text.Kinds = append(text.Kinds, p.kinds()...)
		case p.take("recovery"):
			text.Recovery = append(text.Recovery, p.name())
			for p.take(",") {
				text.Recovery = append(text.Recovery, p.name())
			}
			p.take(";")
		case p.take("names"):
			text.Names = append(text.Names, p.fields()...)
		case p.take("type"):
			for p.inSection() {
				name := p.name()
				p.expect(":")
				text.Types = append(text.Types, NamedType{name, p.typeExpr()})
				p.take(";")
			}
		case p.take("var"):
			for p.inSection() {
				text.Vars = append(text.Vars, p.variables()...)
			}
		case p.take("init"):
			text.Inits, _ = p.rules()
		case p.take("rules"):
			text.Rules, text.Else = p.rules()
		case p.take("define"):
			d := &Define{Name: p.name()}
			for p.take("(") {
				for !p.take(")") {
					d.Params = append(d.Params, p.fields()...)
					p.take(",")
				}
			}
			p.expect("=")
			d.Body = p.expr()
			p.take(";")
			text.Defines = append(text.Defines, d)
		case p.is("invariant") || p.is("ltl"):
			text.Properties = append(text.Properties, p.property())
		default:
			p.fail("unexpected %q", p.peek().text)
		}
	}
	return text
}

func (p *parser) channels(c *Channels) {
	for !p.take(";") {
		switch word := p.name(); word {
		case "asynchronous":
			c.Synchronous = false
		case "synchronous":
			c.Synchronous = true
		case "lossy":
			c.Reliable = false
		case "reliable":
			c.Reliable = true
		case "authenticated":
			c.Anonymous = false
		case "anonymous":
			c.Anonymous = true
		case "duplicating":
			c.Duplicating = true
		case "unordered":
			c.FIFO = false
		case "fifo":
			c.FIFO = true
		case "bounded":
			c.Bound = p.sum()
		default:
			p.fail("no kind of channels: %q", word)
		}
		p.take(",")
	}
}

// fields reads "a, b: T", and a semicolon after it.
func (p *parser) fields() []Field {
	names := []string{p.name()}
	for p.take(",") {
		names = append(names, p.name())
	}
	p.expect(":")
	t := p.typeExpr()
	p.take(";")
	var fields []Field
	for _, name := range names {
		fields = append(fields, Field{Name: name, Type: t})
	}
	return fields
}

// variables reads "stable a, b: T = first;".
func (p *parser) variables() []Field {
	stable := p.is("stable") && p.after(1).kind == tokenName
	if stable {
		p.next()
	}
	fields := p.fields()
	var first *Expr
	if p.take("=") {
		first = p.expr()
		p.take(";")
	}
	for i := range fields {
		fields[i].Stable, fields[i].First = stable, first
	}
	return fields
}

// kinds reads kinds of messages, up to a semicolon.
func (p *parser) kinds() []MessageKind {
	var list []MessageKind
	for {
		k := MessageKind{Name: p.name()}
		if p.take("(") {
			for !p.take(")") {
				k.Fields = append(k.Fields, p.fields()...)
				p.take(",")
			}
		}
		list = append(list, k)
		if !p.take(",") {
			p.take(";")
			return list
		}
	}
}

func (p *parser) typeExpr() *TypeExpr {
	t := &TypeExpr{Pos: p.peek().pos}
	switch {
	case p.take("bool"):
		t.Kind = "bool"
	case p.take("enum"):
		t.Kind = "enum"
		p.expect("{")
		for !p.take("}") {
			t.Names = append(t.Names, p.name())
			p.take(",")
		}
	case p.take("record"):
		t.Kind = "record"
		for !p.take("end") {
			t.Fields = append(t.Fields, p.variables()...)
		}
	case p.is("set") && p.after(1).text == "of":
		p.next()
		p.next()
		t.Kind = "set"
		t.Elem = p.typeExpr()
	case p.is("seq") && p.after(1).text == "[":
		p.next()
		p.next()
		t.Kind = "seq"
		t.Low = p.expr()
		p.expect("]")
		p.expect("of")
		t.Elem = p.typeExpr()
	case p.take("array"):
		t.Kind = "array"
		p.expect("[")
		t.Index = p.typeExpr()
		p.expect("]")
		p.expect("of")
		t.Elem = p.typeExpr()
	case p.is("role") && p.after(1).text == "[":
		p.next()
		t.Kind = "role"
		p.expect("[")
		t.Low = p.expr()
		p.expect("]")
	case p.is("quorum") && p.after(1).text == "[":
		p.next()
		t.Kind = "quorum"
		p.expect("[")
		t.AtLeast = p.take(">=")
		t.Low = p.expr()
		p.expect("]")
		p.expect("of")
		t.Name = p.name()
	default:
		start := p.at
		e := p.sum()
		if p.take("..") {
			t.Kind, t.Low, t.High = "range", e, p.sum()
			break
		}
		if e.Op != "name" {
			p.at = start
			p.fail("expected a type")
		}
		t.Kind, t.Name = "name", e.Name
	}
	return t
}

// rules reads what stands under init or rules.
func (p *parser) rules() (rules []*Rule, hasElse bool) {
	for {
		if p.take("ELSE") {
			hasElse = true
		} else {
			rules = append(rules, p.rule())
		}
		if !p.take("[]") {
			return rules, hasElse
		}
	}
}

func (p *parser) rule() *Rule {
	r := &Rule{Pos: p.peek().pos}
	for p.take("[]") {
		p.expect("(")
		r.Params = append(r.Params, p.fields()...)
		p.expect(")")
	}
	if p.is("byz") && p.after(1).kind == tokenName {
		p.next()
		r.Byzantine = true
	}
	if p.is("maybe") && p.after(1).kind == tokenName {
		p.next()
		r.Maybe = true
	}
	r.Label = p.name()
	p.expect(":")
	if p.is("receive") && p.after(1).text == "nothing" {
		p.next()
		p.next()
		r.Inner = true
	} else if p.is("receive") && p.after(1).kind == tokenName {
		r.Receive = p.head()
	}
	r.Body = p.stmts()
	return r
}

// head reads "receive READ(no) from j: T".
func (p *parser) head() *Head {
	h := &Head{Pos: p.next().pos, Kind: p.name()}
	if p.take("(") {
		for !p.take(")") {
			h.Names = append(h.Names, p.name())
			p.take(",")
		}
	}
	p.expect("from")
	h.From.Name = p.name()
	if p.take(":") {
		h.From.Type = p.typeExpr()
	}
	return h
}

// send reads "send READ(3) to all of T".
func (p *parser) send(s *Stmt) {
	s.Kind, s.Message = "send", p.name()
	if p.take("(") {
		for !p.take(")") {
			s.Args = append(s.Args, p.expr())
			p.take(",")
		}
	}
	p.expect("to")
	for _, word := range []string{"all", "others", "sender"} {
		if p.take(word) {
			s.To = word
			if word != "sender" && p.take("of") {
				s.Of = p.name()
			}
			return
		}
	}
	s.To, s.Target = "to", p.expr()
}

// stmts reads statements up to what cannot begin one.
func (p *parser) stmts() []*Stmt {
	var list []*Stmt
	for {
		for p.take(";") {
		}
		t := p.peek()
		s := &Stmt{Pos: t.pos}
		switch {
		case t.kind == tokenEnd, p.is("[]"), p.is("elsif"), p.is("else"), p.is("endif"), p.is("endfor"), !p.inSection():
			return list
		case p.take("skip"):
			s.Kind = "skip"
		case p.is("send") && p.after(1).kind == tokenName:
			p.next()
			p.send(s)
		case p.is("let") && p.after(1).kind == tokenName:
			p.next()
			s.Kind, s.Var = "let", p.name()
			p.expect("=")
			s.Value = p.expr()
		case p.take("undefine"):
			s.Kind = "undefine"
			paren := p.take("(")
			s.Target = p.postfix()
			if paren {
				p.expect(")")
			}
		case p.take("for"):
			s.Kind = "for"
			s.Var = p.name()
			p.expect(":")
			s.Range = p.typeExpr()
			p.expect("do")
			s.Bodies = [][]*Stmt{p.stmts()}
			p.expect("endfor")
		case p.take("if"):
			p.conditional(s)
		default:
			s.Kind = "assign"
			s.Target = p.postfix()
			switch {
			case p.take("+="):
				s.Kind = "more"
			case p.take("-="):
				s.Kind = "less"
			default:
				p.expect(":=")
			}
			s.Value = p.expr()
		}
		list = append(list, s)
	}
}

func (p *parser) conditional(s *Stmt) {
	s.Kind = "if"
	for {
		s.Conds = append(s.Conds, p.expr())
		p.expect("then")
		s.Bodies = append(s.Bodies, p.stmts())
		if !p.take("elsif") {
			break
		}
	}
	if p.take("else") {
		s.HasElse = true
		s.Bodies = append(s.Bodies, p.stmts())
	}
	p.expect("endif")
}

func (p *parser) property() *Property {
	q := &Property{Pos: p.peek().pos, Temporal: p.next().text == "ltl"}
	q.Name = p.name()
	if q.Temporal && p.take("fair") {
		q.Fair = true
		if p.take("(") {
			for !p.take(")") {
				q.FairRules = append(q.FairRules, p.name())
				p.take(",")
			}
		}
	}
	p.expect(":")
	q.Body = p.expr()
	p.take(";")
	return q
}

// number reads digits.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1 << 40
	}
	return n
}
