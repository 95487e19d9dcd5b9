package automata

import (
	"fmt"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A parser reads tokens from left to right. Errors are panics of type syntaxError until Parse returns.
type parser struct {
	tokens []token
	at     int
	model  *Model
	rules  []pendingRule
}

// A pendingRule has names where a rule has numbers: sections come in any order.
type pendingRule struct {
	name, from, to string
	line           int
	guard          *Node
	updates        []update
}

type update struct {
	variable string
	value    *Node // nil: unchanged
}

type syntaxError struct{ message string }

// Parse reads a text.
func Parse(text string) (model *Model, err error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	defer func() {
		if problem, ok := recover().(syntaxError); ok {
			model, err = nil, fmt.Errorf("%s", problem.message)
		}
	}()
	p := &parser{tokens: tokens, model: &Model{Defines: map[string]*Node{}}}
	p.automaton()
	p.resolve()
	return p.model, nil
}

// ParseFormula reads a formula that stands alone.
func ParseFormula(text string) (formula *Node, err error) {
	tokens, err := lex(text)
	if err != nil {
		return nil, err
	}
	defer func() {
		if problem, ok := recover().(syntaxError); ok {
			formula, err = nil, fmt.Errorf("%s", problem.message)
		}
	}()
	p := &parser{tokens: tokens}
	formula = p.formula()
	if p.peek() != "" {
		p.fail("end of formula expected")
	}
	return formula, nil
}

func (p *parser) peek() string { return p.tokens[p.at].text }

func (p *parser) fail(message string) {
	panic(syntaxError{fmt.Sprintf("line %d: %s before %q", p.tokens[p.at].line, message, p.peek())})
}

func (p *parser) take() string {
	text := p.peek()
	if text == "" {
		p.fail("the text ends too early")
	}
	p.at++
	return text
}

func (p *parser) accept(text string) bool {
	if p.peek() == text {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail(text + " expected")
	}
}

func (p *parser) name() string {
	if !isName(p.peek()) {
		p.fail("a name expected")
	}
	return p.take()
}

// automaton: [keyword] [name] { sections }
func (p *parser) automaton() {
	switch p.peek() {
	case "skel", "thresholdAutomaton", "threshAuto", "ta":
		p.take()
	}
	if p.peek() != "{" {
		p.model.Name = p.name()
	}
	p.expect("{")
	for !p.accept("}") {
		p.section()
	}
	if p.peek() != "" {
		p.fail("end of text expected")
	}
}

func (p *parser) section() {
	word := p.name()
	switch word {
	case "local":
		p.names()
	case "shared":
		p.model.Shared = append(p.model.Shared, p.names()...)
	case "parameters":
		p.model.Parameters = append(p.model.Parameters, p.names()...)
	case "unknowns":
		p.model.Unknowns = append(p.model.Unknowns, p.names()...)
	case "define":
		name := p.name()
		p.expect("==")
		p.model.Defines[name] = p.sum()
		p.expect(";")
	case "assumptions", "locations", "inits", "rules", "specifications":
		if p.accept("(") {
			p.take()
			p.expect(")")
		}
		p.expect("{")
		for !p.accept("}") {
			p.entry(word)
		}
	default:
		p.fail("unknown section " + word)
	}
}

func (p *parser) names() []string {
	names := []string{p.name()}
	for p.accept(",") {
		names = append(names, p.name())
	}
	p.expect(";")
	return names
}

func (p *parser) entry(section string) {
	switch section {
	case "assumptions":
		p.model.Assumptions = append(p.model.Assumptions, p.formula())
	case "inits":
		p.model.Inits = append(p.model.Inits, p.formula())
	case "locations":
		p.model.Locations = append(p.model.Locations, p.name())
		if p.accept(":") {
			for p.take() != "]" {
				continue
			}
		}
	case "rules":
		p.rule()
	case "specifications":
		name := p.take()
		p.expect(":")
		p.model.Specs = append(p.model.Specs, Spec{name, p.formula()})
	}
	p.expect(";")
}

// rule: name: from -> to [when (guard)] [do { updates }]
func (p *parser) rule() {
	rule := pendingRule{line: p.tokens[p.at].line, name: p.take(), guard: &Node{Op: "true"}}
	p.expect(":")
	rule.from = p.name()
	p.expect("->")
	rule.to = p.name()
	if p.accept("when") {
		p.expect("(")
		rule.guard = p.formula()
		p.expect(")")
	}
	if p.accept("do") {
		p.expect("{")
		for !p.accept("}") {
			rule.updates = append(rule.updates, p.update()...)
			p.expect(";")
		}
	}
	p.rules = append(p.rules, rule)
}

func (p *parser) update() []update {
	variable := p.name()
	if variable == "unchanged" && p.accept("(") {
		var updates []update
		for {
			updates = append(updates, update{p.name(), nil})
			if !p.accept(",") {
				p.expect(")")
				return updates
			}
		}
	}
	p.accept("'")
	if !p.accept(":=") {
		p.expect("==")
	}
	return []update{{variable, p.sum()}}
}

// resolve puts numbers in place of the names in rules, and reads updates: x' == x + 2 adds 2.
func (p *parser) resolve() {
	m := p.model
	for _, pending := range p.rules {
		rule := Rule{
			Name: pending.name, Line: pending.line, Guard: pending.guard, Update: make([]int, len(m.Shared)),
			From: indexOf(m.Locations, pending.from), To: indexOf(m.Locations, pending.to),
		}
		if rule.From < 0 || rule.To < 0 {
			panic(syntaxError{"rule " + rule.Name + ": no such location"})
		}
		for _, u := range pending.updates {
			variable := indexOf(m.Shared, u.variable)
			if variable < 0 {
				panic(syntaxError{"rule " + rule.Name + ": no such variable " + u.variable})
			}
			if u.value == nil {
				continue
			}
			// The value at x = 0 is what is added, as the coefficient of x is 1.
			values := environment{u.variable: 0}
			rule.Update[variable] = values.term(m.Defines, u.value)
		}
		m.Rules = append(m.Rules, rule)
	}
}
