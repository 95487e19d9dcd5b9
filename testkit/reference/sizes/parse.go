package sizes

import (
	"fmt"
	"slices"
	"strconv"
)

// A parser reads tokens from left to right.
type parser struct {
	tokens    []token
	constants map[string]int
	mistake   string // see Instance

	scope     []Variable      // parameters that may be used
	where     string          // definition or rule, where they are one's
	arguments map[string]bool // see Text
}

// A failure is an error of the text, thrown by parser.fail.
type failure struct{ error }

// Parse reads a text, and resolves its names.
func Parse(source string) (text *Text, err error) {
	return parse(source, "")
}

// parse is Parse with a deliberate mistake.
func parse(source, mistake string) (text *Text, err error) {
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
	p := &parser{tokens: tokens, mistake: mistake, arguments: map[string]bool{}}
	text = p.text()
	if err := resolve(text, mistake); err != nil {
		return nil, err
	}
	return text, nil
}

func (p *parser) peek() string { return p.tokens[0].text }

func (p *parser) next() string {
	text := p.tokens[0].text
	if text == "" {
		p.fail("the text ends too early")
	}
	p.tokens = p.tokens[1:]
	return text
}

// accept takes the next token if it is this one.
func (p *parser) accept(text string) bool {
	if p.peek() != text {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail("%q where %q should be", p.peek(), text)
	}
}

func (p *parser) fail(format string, args ...any) {
	panic(failure{fmt.Errorf("%d: "+format, append([]any{p.tokens[0].line}, args...)...)})
}

func (p *parser) name() string {
	if !isName(p.peek()) {
		p.fail("%q where a name should be", p.peek())
	}
	return p.next()
}

func (p *parser) number() int {
	sign := 1
	if p.accept("-") {
		sign = -1
	}
	word := p.next()
	number, err := strconv.Atoi(word)
	if value, ok := p.constants[word]; ok {
		number, err = value, nil
	}
	if err != nil {
		p.fail("not a number")
	}
	return sign * number
}

func (p *parser) names() []string {
	names := []string{p.name()}
	for p.accept(",") {
		names = append(names, p.name())
	}
	return names
}

func (p *parser) text() *Text {
	t := &Text{Faults: "none", Definitions: map[string]*Definition{}, Constants: map[string]int{}, arguments: p.arguments}
	p.constants = t.Constants
	p.readConstants()
	p.expect("protocol")
	t.Name = p.name()
	p.expect(";")
	for p.peek() != "" {
		switch p.peek() {
		case "process":
			t.Roles = append(t.Roles, p.role())
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
				b := Budget{Number: p.expression()}
				if p.accept("of") {
					b.Of = p.names()
				}
				t.Budgets = append(t.Budgets, b)
			}
		case "const": // has been read already
			for p.peek() != ";" {
				p.next()
			}
		case "init":
			t.Init = append(t.Init, p.expression())
		case "define":
			name, d := p.definition()
			t.Definitions[name] = d
		case "messages":
			t.Kinds = append(t.Kinds, p.kind())
			for p.accept(",") {
				t.Kinds = append(t.Kinds, p.kind())
			}
		default:
			p.fail("unexpected %q", word)
		}
		p.expect(";")
	}
	return t
}

// readConstants reads values of constants, which may be used in types before they are declared.
func (p *parser) readConstants() {
	rest := p.tokens
	for i, t := range rest[:len(rest)-1] {
		if t.text == "const" {
			p.tokens = rest[i+1:]
			name := p.name()
			p.expect("=")
			p.constants[name] = p.number()
		}
	}
	p.tokens = rest
}

func (p *parser) role() Role {
	var r Role
	p.expect("process")
	r.Name = p.name()
	p.expect("[")
	r.Size = p.expression()
	p.expect("]")
	for p.peek() == "input" || p.peek() == "local" {
		r.Variables = append(r.Variables, p.variables(p.next() == "input")...)
	}
	written := 0
	for !p.accept("end") {
		rule := p.rule()
		rule.number = written
		written++
		r.Rules = append(r.Rules, p.instances(rule)...)
	}
	return r
}

func (p *parser) kind() Kind {
	k := Kind{Name: p.name()}
	if p.accept("(") {
		for {
			var name string
			if isName(p.peek()) && p.tokens[1].text == ":" {
				name = p.name()
				p.expect(":")
			}
			f := p.typed()
			f.Name = name
			k.Fields = append(k.Fields, f)
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
		v.Type, v.High = "bool", 1
	case p.accept("enum"):
		p.expect("{")
		v.Type, v.Names = "enum", p.names()
		p.expect("}")
		v.High = len(v.Names) - 1
	default:
		v.Type, v.Low = "range", p.number()
		p.expect("..")
		v.High = p.number()
	}
	return v
}

func (p *parser) variables(input bool) []Variable {
	names := p.names()
	p.expect(":")
	v := p.typed()
	v.Input = input
	v.Start = v.Low
	if p.accept("=") {
		v.Start, v.Given = p.value(v), true
	}
	p.expect(";")
	var variables []Variable
	for _, name := range names {
		v.Name = name
		variables = append(variables, v)
	}
	return variables
}

// value reads a value of a variable's type.
func (p *parser) value(v Variable) int {
	switch {
	case v.Type == "range":
		return p.number()
	case v.Type == "enum":
		return slices.Index(v.Names, p.name())
	case p.accept("true"):
		return 1
	}
	p.expect("false")
	return 0
}

// rule reads a rule: an if without else. With elsif it is possible if one of the conditions is true.
func (p *parser) rule() Rule {
	r := Rule{Parameters: p.ruleParameters()}
	p.scope, p.where = r.Parameters, "rule"
	defer func() { p.scope, p.where = nil, "" }()
	r.Maybe = p.accept("maybe")
	r.Label = p.name()
	p.expect(":")
	if p.peek() != "if" {
		p.fail("a rule is an if")
	}
	choice := p.statement()
	first := choice.Branches[0]
	r.Guard, r.Body = first.Guard, first.Body
	if len(choice.Branches) > 1 {
		r.Body, r.Elsif = []Statement{choice}, true
	}
	for _, b := range choice.Branches[1:] {
		if b.Guard == nil {
			p.fail("a rule has no else")
		}
		r.Guard = &Expr{Op: "or", Args: []*Expr{r.Guard, b.Guard}}
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
	operator := p.next()
	s.Value = p.expression()
	switch operator {
	case ":=":
	case "+=", "-=":
		if p.mistake == "-= is +=" {
			operator = "+="
		}
		s.Value = &Expr{Op: operator[:1], Args: []*Expr{{Op: "name", Name: s.Name}, s.Value}}
	default:
		p.fail("%q where := should be", operator)
	}
	return s
}

func (p *parser) property() Property {
	switch word := p.next(); word {
	case "invariant":
		q := Property{Invariant: true, Name: p.name()}
		p.expect(":")
		q.Formula = p.expression()
		p.expect(";")
		return q
	case "ltl":
		q := Property{Name: p.name()}
		q.Fair = p.accept("fair")
		p.expect(":")
		q.Formula = p.expression()
		p.expect(";")
		return q
	default:
		p.fail("unexpected %q", word)
		panic("unreachable")
	}
}
