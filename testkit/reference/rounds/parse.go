package rounds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A parser reads words from left to right.
type parser struct {
	tokens  []string
	types   []Variable     // that were read
	numbers map[string]int // constants
}

// A failure is an error of the text, thrown by parser.fail.
type failure struct{ error }

// Parse reads a text, and resolves its names.
func Parse(source string) (text *Text, err error) {
	tokens, err := lex(source)
	if err != nil {
		return nil, err
	}
	defer func() {
		if problem := recover(); problem != nil {
			failed, ok := problem.(failure)
			if !ok {
				panic(problem)
			}
			text, err = nil, failed.error
		}
	}()
	p := &parser{tokens: tokens}
	p.numbers = p.constants()
	text = p.text()
	text.types = p.types
	resolve(text)
	return text, nil
}

func fail(format string, args ...any) {
	panic(failure{fmt.Errorf(format, args...)})
}

func (p *parser) peek() string { return p.tokens[0] }

func (p *parser) next() string {
	word := p.tokens[0]
	if word == "" {
		fail("the text ends too early")
	}
	p.tokens = p.tokens[1:]
	return word
}

// accept takes the next word if it is this one.
func (p *parser) accept(word string) bool {
	if p.peek() != word {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(word string) {
	if !p.accept(word) {
		fail("%q where %q should be, before %.60s", p.peek(), word, strings.Join(p.tokens, " "))
	}
}

func (p *parser) name() string {
	if !isName(p.peek()) {
		fail("%q where a name should be", p.peek())
	}
	return p.next()
}

func (p *parser) number() int {
	if p.accept("-") {
		return -p.number()
	}
	word := p.next()
	if number, ok := p.numbers[word]; ok {
		return number
	}
	number, err := strconv.Atoi(word)
	if err != nil {
		fail("not a number")
	}
	return number
}

func (p *parser) names() []string {
	names := []string{p.name()}
	for p.accept(",") {
		names = append(names, p.name())
	}
	return names
}

func (p *parser) text() *Text {
	t := &Text{Faults: "none", Definitions: map[string]*Definition{}, Constants: p.numbers}
	p.expect("protocol")
	t.Name = p.name()
	p.expect(";")
	for p.peek() != "" {
		switch p.peek() {
		case "process":
			p.process(t)
			continue
		case "invariant", "ltl":
			t.Properties = append(t.Properties, p.property())
			continue
		}
		switch word := p.next(); word {
		case "parameters":
			t.Parameters = append(t.Parameters, p.names()...)
		case "assume":
			t.Assumptions = append(t.Assumptions, p.expression())
			for p.accept(",") {
				t.Assumptions = append(t.Assumptions, p.expression())
			}
		case "faults":
			t.Faults = p.name()
			if p.peek() != ";" {
				t.Number = p.expression()
			}
		case "init":
			t.Init = append(t.Init, p.expression())
		case "define":
			p.definition(t)
		case "const":
			p.name()
			p.expect("=")
			p.sum()
		case "messages":
			t.Kinds = append(t.Kinds, p.kind())
			for p.accept(",") {
				t.Kinds = append(t.Kinds, p.kind())
			}
		default:
			fail("unexpected %q", word)
		}
		p.expect(";")
	}
	return t
}

func (p *parser) process(t *Text) {
	p.expect("process")
	if t.Process != "" {
		fail("two types of processes")
	}
	t.Process = p.name()
	p.expect("[")
	t.Size = p.expression()
	p.expect("]")
	for slices.Contains([]string{"kept", "input", "local"}, p.peek()) {
		kept := p.accept("kept")
		input := p.next() == "input"
		t.Variables = append(t.Variables, p.variables(kept, input)...)
	}
	for !p.accept("end") {
		p.family(t)
	}
}

func (p *parser) kind() Kind {
	k := Kind{Name: p.name()}
	if p.accept("(") {
		for {
			if isName(p.peek()) && p.tokens[1] == ":" {
				p.next()
				p.next()
			}
			k.Fields = append(k.Fields, p.typed())
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
	}
	return k
}

// typed is a variable of the type that comes next.
func (p *parser) typed() Variable {
	var v Variable
	switch {
	case p.accept("bool"):
		v.High, v.Bool = 1, true
	case p.accept("enum"):
		p.expect("{")
		v.Names = p.names()
		p.expect("}")
		v.High = len(v.Names) - 1
	default:
		v.Low = p.number()
		p.expect("..")
		v.High = p.number()
	}
	p.types = append(p.types, v)
	return v
}

func (p *parser) variables(kept, input bool) []Variable {
	names := p.names()
	p.expect(":")
	v := p.typed()
	v.Kept, v.Input, v.Start = kept, input, v.Low
	if input && !kept {
		fail("an input that is not kept")
	}
	if p.accept("=") {
		switch {
		case v.Names != nil:
			v.Start = slices.Index(v.Names, p.next())
		case v.Bool:
			v.Start = slices.Index([]string{"false", "true"}, p.next())
		default:
			v.Start = p.number()
		}
	}
	p.expect(";")
	var variables []Variable
	for _, name := range names {
		v.Name = name
		variables = append(variables, v)
	}
	return variables
}

// rule reads a rule: an if without else. With elsif it is possible if one of the conditions is true.
func (p *parser) rule() Rule {
	var r Rule
	r.Always = p.accept("always")
	r.Maybe = p.accept("maybe")
	r.Timeout = p.accept("timeout")
	r.Label = p.name()
	p.expect(":")
	if p.peek() != "if" {
		fail("a rule is an if")
	}
	choice := p.statement()
	r.Body = []Statement{choice}
	for _, b := range choice.Branches {
		switch {
		case b.Guard == nil:
			fail("a rule has no else")
		case r.Guard == nil:
			r.Guard = b.Guard
		default:
			r.Guard = &Expr{Op: "or", Args: []*Expr{r.Guard, b.Guard}}
		}
	}
	return r
}

func (p *parser) statements() []Statement {
	var statements []Statement
	for !slices.Contains([]string{"endif", "else", "elsif"}, p.peek()) {
		statements = append(statements, p.statement())
		p.accept(";")
	}
	return statements
}

func (p *parser) statement() Statement {
	switch {
	case p.accept("skip"):
		return Statement{Op: "skip"}
	case p.accept("next"):
		return Statement{Op: "next"}
	case p.accept("toss"):
		return Statement{Op: "toss", Name: p.name()}
	case p.accept("coin"):
		s := Statement{Op: "coin", Name: p.name()}
		if p.accept("after") {
			s.Value = p.expression()
		}
		return s
	case p.accept("send"):
		s := Statement{Op: "send", Name: p.name()}
		if p.accept("(") {
			s.Values = p.list()
		}
		return s
	case p.accept("if"):
		s := Statement{Op: "if"}
		for {
			guard := p.expression()
			p.expect("then")
			s.Branches = append(s.Branches, Branch{guard, p.statements()})
			if !p.accept("elsif") {
				break
			}
		}
		if p.accept("else") {
			s.Branches = append(s.Branches, Branch{nil, p.statements()})
		}
		p.expect("endif")
		return s
	}
	s := Statement{Op: ":=", Name: p.name()}
	switch sign := p.next(); sign {
	case ":=":
		s.Value = p.expression()
	case "+=", "-=":
		s.Value = &Expr{Op: sign[:1], Args: []*Expr{{Op: "name", Name: s.Name}, p.sum()}}
	default:
		fail("%q where an assignment should be", sign)
	}
	return s
}

func (p *parser) property() Property {
	q := Property{Invariant: p.next() == "invariant", Name: p.name()}
	switch {
	case q.Invariant:
		if p.accept("after") {
			q.After = p.sum()
			p.expect("rounds")
		}
	case p.accept("fair"):
		q.Fair = true
	case p.accept("eventually"):
		p.expect("good")
		q.Class = good
	case p.accept("almost"):
		p.expect("surely")
		q.Class = seen
		if p.accept("unseen") {
			q.Class = unseen
		} else if p.accept("in") {
			p.expect("order")
			q.Class = inOrder
		}
	}
	p.expect(":")
	q.Formula = p.expression()
	p.expect(";")
	return q
}
