package parametric

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// maxRules bounds how many rules one with parameters stands for.
const maxRules = 256

// instances returns the rules that one with parameters stands for, one for each of their values: `[](v: 0..1) echo`
// is echo_0 and echo_1. Without parameters it is the rule itself.
func (s *Source) instances(r *ftdp.ProcessRule) []*ftdp.ProcessRule {
	var values [][]parameterValue
	var first, last []int64
	total := 1
	for _, p := range r.Params {
		list, ok := s.parameterValues(p)
		if !ok {
			return nil
		}
		if total *= len(list); total > maxRules {
			s.at(p.Name, "more than %d values of the parameters of %s", maxRules, r.Label.Name)
			return nil
		}
		values, first, last = append(values, list), append(first, 0), append(last, int64(len(list))-1)
	}
	var out []*ftdp.ProcessRule
	for pick := range lists.Product(first, last) {
		q, label := *r, r.Label.Name
		s.bound = binding{}
		for i, at := range pick {
			v := values[i][at]
			label += "_" + v.name
			s.bound[r.Params[i].Name.Name] = v.value
		}
		q.Params, q.Label, q.Body = nil, &ftdp.Ident{Pos: r.Label.Pos, Name: label}, s.filledBody(r.Body)
		out = append(out, &q)
	}
	s.bound = nil
	return out
}

// parameterValue is a value of a parameter, and what it is called in the label of a rule.
type parameterValue struct {
	value *ftdp.Expr
	name  string
}

// parameterValues lists the values of a parameter of a rule.
func (s *Source) parameterValues(p *ftdp.Param) (out []parameterValue, ok bool) {
	if p.Type == nil {
		s.at(p.Name, "a parameter is a value here, `(v: 0..1)`: processes have no names, so there are no quorums of "+
			"them; compare heard(...)")
		return nil, false
	}
	t, problem := s.valueType(p.Type)
	if problem != "" {
		s.at(p.Name, "a parameter is a truth value, one of an enumeration, or of a range of at most %d numbers: `(%s: "+
			"0..1)`", maxValues, p.Name.Name)
		return nil, false
	}
	for v := t.Lo; v <= t.Hi; v++ {
		e := &ftdp.Expr{Op: ftdp.Number, Num: v}
		if v < 0 {
			e = &ftdp.Expr{Op: ftdp.Minus, Args: []*ftdp.Expr{{Op: ftdp.Number, Num: -v}}}
		}
		name := strings.ReplaceAll(fmt.Sprint(v), "-", "minus")
		switch {
		case t.Bool:
			name = fmt.Sprint(v == 1)
			e = &ftdp.Expr{Op: ftdp.Name, Name: name}
		case t.Names != nil:
			name = t.Names[v]
			e = &ftdp.Expr{Op: ftdp.Name, Name: name}
		}
		out = append(out, parameterValue{e, name})
	}
	return out, true
}

// called puts in a definition with arguments.
func (s *Source) called(d *definition, e *ftdp.Expr) *ftdp.Expr {
	d.used = true
	if len(e.Args) != len(d.Params) {
		s.wrong(e, "%s is used as it is declared: %s", d.Name.Name, d.head())
		return &ftdp.Expr{Op: ftdp.Number, Pos: e.Pos, Width: e.Width}
	}
	if d.busy {
		s.at(d.Name, "%s uses itself", d.Name.Name)
		return &ftdp.Expr{Op: ftdp.Number, Pos: e.Pos, Width: e.Width}
	}
	b := binding{}
	for i, p := range d.Params {
		b[p.Name.Name] = s.Filled(e.Args[i])
		s.argument(p, b[p.Name.Name])
	}
	outer := s.bound
	d.busy, s.bound = true, b
	v := *s.Filled(d.Value)
	d.busy, s.bound = false, outer
	return &v
}

// argument checks that a constant is a value of the type of a parameter.
func (s *Source) argument(p *ftdp.Param, e *ftdp.Expr) {
	n, constant := s.Number(e, nil)
	if t, problem := s.valueType(p.Type); constant && problem == "" && (n < t.Lo || n > t.Hi) {
		s.wrong(e, "%s is no value of the parameter %s: %s", e, p.Name.Name, p.Type)
	}
}

// head prints how a definition is used.
func (d *definition) head() string {
	if d.Params == nil {
		return d.Name.Name
	}
	names := lists.Map(d.Params, func(p *ftdp.Param) string { return p.Name.Name })
	return d.Name.Name + "(" + strings.Join(names, ", ") + ")"
}
