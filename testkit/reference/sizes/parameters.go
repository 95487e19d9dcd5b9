package sizes

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// A Definition gives a name to an expression, which may have parameters.
type Definition struct {
	Parameters []Variable
	Expr       *Expr
}

// definition reads a definition: NAME = e, or NAME(v: T, w: T) = e.
func (p *parser) definition() (name string, d *Definition) {
	d = &Definition{}
	name = p.name()
	for p.accept("(") {
		d.Parameters = append(d.Parameters, p.parameters()...)
	}
	p.expect("=")
	p.scope, p.where = d.Parameters, "definition"
	d.Expr = p.expression()
	p.scope, p.where = nil, ""
	return name, d
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

// ruleParameters reads what stands before a rule: [](v: T) [](w: T). The sign is one for G, too.
func (p *parser) ruleParameters() []Variable {
	var parameters []Variable
	for p.accept("G") {
		p.expect("(")
		parameters = append(parameters, p.parameters()...)
	}
	return parameters
}

// instances are the rules that one gets by writing values in the places of a rule's parameters.
func (p *parser) instances(r Rule) []Rule {
	rules := []Rule{r}
	for _, v := range r.Parameters {
		low, high := v.Low, v.High
		switch {
		case p.mistake == "the last value of a parameter is left out":
			high--
		case p.mistake == "values of a parameter begin at 0" && v.Type == "range":
			low, high = 0, high-low
		}
		var next []Rule
		for _, r := range rules {
			for value := low; value <= high; value++ {
				one := r.with(map[string]*Expr{v.Name: {Op: "number", Number: value}})
				label := v.label(value)
				if p.mistake == "labels count values" {
					label = fmt.Sprint(value - low)
				}
				one.Label += "_" + label
				if value > low && p.mistake == "maybe is of the first value" {
					one.Maybe = false
				}
				next = append(next, one)
			}
		}
		rules = next
	}
	return rules
}

// label is a value as it stands in a label.
func (v Variable) label(value int) string {
	switch {
	case v.Type == "bool":
		return strconv.FormatBool(value == 1)
	case v.Type == "enum":
		return v.Names[value]
	case value < 0:
		return fmt.Sprintf("minus%d", -value)
	}
	return fmt.Sprint(value)
}

// with is a rule with expressions in the places of names. It notes them.
func (r Rule) with(written map[string]*Expr) Rule {
	r.Guard = substitute(r.Guard, written)
	r.Body = substituteBody(r.Body, written)
	values := maps.Clone(written)
	maps.Copy(values, r.values)
	r.values = values
	return r
}

func substituteBody(body []Statement, written map[string]*Expr) []Statement {
	var result []Statement
	for _, s := range body {
		if s.Value != nil {
			s.Value = substitute(s.Value, written)
		}
		values := s.Values
		s.Values = nil
		for _, e := range values {
			s.Values = append(s.Values, substitute(e, written))
		}
		branches := s.Branches
		s.Branches = nil
		for _, b := range branches {
			if b.Guard != nil {
				b.Guard = substitute(b.Guard, written)
			}
			s.Branches = append(s.Branches, Branch{b.Guard, substituteBody(b.Body, written)})
		}
		result = append(result, s)
	}
	return result
}

// substitute is an expression with others in the places of names.
func substitute(e *Expr, written map[string]*Expr) *Expr {
	if other := written[e.Name]; e.Op == "name" && e.Of == "" && other != nil {
		return clone(other)
	}
	c := *e
	c.Args = nil
	for _, arg := range e.Args {
		c.Args = append(c.Args, substitute(arg, written))
	}
	return &c
}

// call writes out a use of a definition, whose arguments mean what they mean where it is used.
func (r resolver) call(e *Expr) error {
	d := r.Definitions[e.Name]
	if d == nil {
		return fmt.Errorf("%s is no definition", e.Name)
	}
	if len(e.Args) != len(d.Parameters) {
		return fmt.Errorf("%s is used with too many arguments, or too few", e.Name)
	}
	if r.depth > len(r.Definitions) {
		return fmt.Errorf("%s is defined by itself", e.Name)
	}
	arguments := e.Args
	if r.mistake == "arguments are bound in the wrong order" {
		arguments = slices.Clone(arguments)
		slices.Reverse(arguments)
	}
	written := map[string]*Expr{}
	for i, v := range d.Parameters {
		if a := arguments[i]; a.Op == "number" && (a.Number < v.Low || a.Number > v.High) && r.mistake == "" {
			return fmt.Errorf("%s of %s is none of its values: %d", v.Name, e.Name, a.Number)
		}
		if r.mistake == "a variable is meant before a parameter" && r.isVariable(v.Name) {
			continue
		}
		written[v.Name] = arguments[i]
		if caller := r.bound[v.Name]; caller != nil && r.mistake == "an argument is the caller's of that name" {
			written[v.Name] = caller
		}
	}
	r.depth++
	r.bound = written
	*e = *substitute(d.Expr, written)
	if r.mistake == "arguments are put in one after another" {
		*e = *clone(d.Expr)
		for i, v := range d.Parameters {
			*e = *replace(e, v.Name, arguments[i])
		}
	}
	return r.expr(e)
}

// replace is an expression with another in the place of a name, also where the name is a variable that has been put in.
func replace(e *Expr, name string, other *Expr) *Expr {
	if (e.Op == "name" || e.Op == "variable") && e.Name == name {
		return clone(other)
	}
	c := *e
	c.Args = nil
	for _, arg := range e.Args {
		c.Args = append(c.Args, replace(arg, name, other))
	}
	return &c
}

// isVariable tells whether a name is that of a variable where the resolver is.
func (r resolver) isVariable(name string) bool {
	for i, role := range r.Roles {
		if (r.role < 0 || r.role == i) && variable(role, name) >= 0 {
			return true
		}
	}
	return false
}

// argument notes what stands for a parameter of a definition, for features.
func (p *parser) argument(parameter int, e *Expr) {
	what := "expression"
	switch {
	case e.Op == "number":
		what = "number"
	case e.Op == "name" && slices.ContainsFunc(p.scope, func(v Variable) bool { return v.Name == e.Name }):
		what = "parameter of a " + p.where
	case e.Op == "name":
		what = "name " + e.Name
	case temporal(e):
		what = "formula"
	case slices.ContainsFunc(p.scope, func(v Variable) bool { return speaks(e, v.Name) }):
		what = "expression of parameters"
	}
	p.arguments[what] = true
	if parameter > 0 {
		p.arguments["several"] = true
	}
	if p.where == "definition" {
		p.arguments["nested"] = true
	}
}

// speaks tells whether a name occurs in an expression that has not been resolved.
func speaks(e *Expr, name string) bool {
	return e.Op == "name" && e.Name == name || slices.ContainsFunc(e.Args, func(arg *Expr) bool { return speaks(arg, name) })
}
