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
			Name: pending.name, Line: pending.line, Guard: pending.guard, Update: make([]int, len(m.Shared)), Reset: never(m),
			From: indexOf(m.Locations, pending.from), To: indexOf(m.Locations, pending.to),
		}
		said := make([][]action, len(m.Shared))
		if rule.From < 0 || rule.To < 0 {
			panic(syntaxError{"rule " + rule.Name + ": no such location"})
		}
		for _, u := range pending.updates {
			variable := indexOf(m.Shared, u.variable)
			if variable < 0 {
				panic(syntaxError{"rule " + rule.Name + ": no such variable " + u.variable})
			}
			said[variable] = append(said[variable], p.action(u))
		}
		for variable, list := range said {
			m.put(&rule, variable, list)
		}
		m.Rules = append(m.Rules, rule)
	}
}

// An action adds a number to a variable, or sets it to one.
type action struct {
	sets   bool
	number int
}

// action reads x' == x + 2 by its values at x = 0 and x = 1.
func (p *parser) action(u update) action {
	if u.value == nil {
		return action{}
	}
	at := func(x int) int { return environment{u.variable: x}.term(p.model.Defines, u.value) }
	switch at(1) - at(0) {
	case 1:
		return action{false, at(0)}
	case 0:
		if at(0) >= 0 {
			return action{true, at(0)}
		}
	}
	panic(syntaxError{"an update that is neither a sum nor a number"})
}

// put gives a rule the effect of all that is said of a variable. If that is not one thing, the rule can be taken where
// all of it comes to the same.
func (m *Model) put(rule *Rule, variable int, said []action) {
	for n, a := range said {
		if n == 0 || a.sets {
			rule.Update[variable], rule.Reset[variable] = a.number, -1
			if a.sets {
				rule.Update[variable], rule.Reset[variable] = 0, a.number
			}
		}
		for _, b := range said[:n] {
			x := &Node{Op: "name", Name: m.Shared[variable]}
			left, right := value(a, x), value(b, x)
			if left.String() != right.String() {
				rule.Guard = &Node{Op: "&&", Left: rule.Guard, Right: &Node{Op: "==", Left: left, Right: right}}
			}
		}
	}
}

// value is what an action makes of a variable.
func value(a action, x *Node) *Node {
	number := &Node{Op: "number", Number: a.number}
	if a.sets {
		return number
	}
	return &Node{Op: "+", Left: x, Right: number}
}

// never has no reset.
func never(m *Model) []int {
	var all []int
	for range m.Shared {
		all = append(all, -1)
	}
	return all
}
