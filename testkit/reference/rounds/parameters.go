package rounds

import (
	"fmt"
	"slices"
	"strconv"
)

// A Definition is a name for an expression, perhaps with parameters.
type Definition struct {
	Parameters []Variable
	Expr       *Expr
}

// A Family is a rule with parameters as it is written, with the names of parameters in it, and which rules come of it.
type Family struct {
	Rule
	Parameters   []Variable
	First, Count int // in the rules of the text
}

// definition reads NAME = e, or NAME(v: T, w: U) = e.
func (p *parser) definition(t *Text) {
	name := p.name()
	d := &Definition{}
	if p.accept("(") {
		d.Parameters = p.parameters()
	}
	p.expect("=")
	d.Expr = p.expression()
	t.Definitions[name] = d
}

// parameters reads names with types, up to a closing parenthesis.
func (p *parser) parameters() []Variable {
	var parameters []Variable
	for {
		name := p.name()
		p.expect(":")
		v := p.typed()
		v.Name = name
		parameters = append(parameters, v)
		if p.accept(")") {
			return parameters
		}
		p.expect(",")
	}
}

// family reads a rule, and what stands before it: [](v: T) [](w: U). Its rules are those that one gets by writing values in the
// places of parameters, in their order, those of the last parameter fastest.
func (p *parser) family(t *Text) {
	var parameters []Variable
	for p.accept("[") {
		p.expect("]")
		p.expect("(")
		parameters = append(parameters, p.parameters()...)
	}
	start := p.tokens
	written := p.rule()
	if len(parameters) == 0 {
		t.Rules = append(t.Rules, written)
		return
	}
	words := slices.Clip(start[:len(start)-len(p.tokens)])
	f := Family{Rule: written, Parameters: parameters, First: len(t.Rules)}
	for _, one := range writings(words, written.Label, parameters) {
		t.Rules = append(t.Rules, (&parser{tokens: append(one, "")}).rule())
	}
	f.Count = len(t.Rules) - f.First
	t.Families = append(t.Families, f)
}

// writings are the words of a rule with values in the places of parameters, and behind its label.
func writings(words []string, label string, parameters []Variable) [][]string {
	at := slices.Index(words, label)
	all := [][]string{slices.Clone(words)}
	for _, v := range parameters {
		var next [][]string
		for _, words := range all {
			for value := v.Low; value <= v.High; value++ {
				one := slices.Clone(words)
				one[at] += "_" + v.inLabel(value)
				for i := at + 1; i < len(one); i++ {
					if one[i] == v.Name && one[i-1] != "." {
						one[i] = v.word(value)
					}
				}
				next = append(next, one)
			}
		}
		all = next
	}
	return all
}

// word is a value of a type as it is written.
func (v Variable) word(value int) string {
	switch {
	case v.Bool:
		return strconv.FormatBool(value == 1)
	case v.Names != nil:
		return v.Names[value]
	}
	return strconv.Itoa(value)
}

// inLabel is a value as it stands behind a label.
func (v Variable) inLabel(value int) string {
	if value < 0 {
		return fmt.Sprintf("minus%d", -value)
	}
	return v.word(value)
}

// defined puts the expression of a definition in the place of its name. What stands for its parameters has been resolved: other
// names in the definition mean what they mean there.
func (t *Text) defined(e *Expr, d *Definition, depth int) {
	if depth > len(t.Definitions) {
		fail("%s is defined by itself", e.Name)
	}
	if len(e.Args) != len(d.Parameters) {
		fail("too many expressions for %s, or too few", e.Name)
	}
	stands := map[string]*Expr{}
	for i, v := range d.Parameters {
		stands[v.Name] = e.Args[i]
	}
	*e = *bind(d.Expr, stands)
	t.expr(e, depth+1)
}

// bind is an expression with others in the places of names.
func bind(e *Expr, stands map[string]*Expr) *Expr {
	if to := stands[e.Name]; e.Op == "name" && to != nil {
		return clone(to)
	}
	c := *e
	c.Args = nil
	for _, arg := range e.Args {
		c.Args = append(c.Args, bind(arg, stands))
	}
	return &c
}

// constants reads all declarations of constants, which may be used before: const two = 2;
func (p *parser) constants() map[string]int {
	constants := map[string]int{}
	for i, word := range p.tokens {
		if word == "const" {
			q := &parser{tokens: p.tokens[i+1:], numbers: constants}
			name := q.name()
			q.expect("=")
			e := q.sum()
			(&Text{Constants: constants}).expr(e, 0)
			constants[name] = scope{}.value(e)
		}
	}
	return constants
}
