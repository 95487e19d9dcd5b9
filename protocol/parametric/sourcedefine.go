package parametric

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// expanded returns the sections of a text with definitions put in where their names are used, and with x := x + e for x
// += e. Of the definitions, those are left that nothing uses.
//
// Rules with parameters become one for each of their values.
func (s *Source) expanded(list []*ftdp.Section) []*ftdp.Section {
	for _, sec := range list {
		s.constants(sec)
	}
	for _, sec := range list {
		d := sec.Define
		if d == nil {
			continue
		}
		s.fresh(d.Params, nil)
		for _, p := range d.Params {
			s.parameterValues(p)
		}
		s.defines[d.Name.Name] = &definition{Define: d}
	}
	out := make([]*ftdp.Section, len(list))
	for i, sec := range list {
		c := *sec
		if sec.Define != nil {
			d := *sec.Define
			d.Value = s.tried(&d)
			c.Define = &d
		}
		c.Assume, c.Starts = s.filledAll(sec.Assume), s.filledAll(sec.Starts)
		c.Invariant, c.LTL = s.filledProperty(sec.Invariant), s.filledProperty(sec.LTL)
		if sec.Faults != nil {
			f := *sec.Faults
			f.Count = s.Filled(f.Count)
			c.Faults = &f
		}
		if sec.Process != nil {
			p := *sec.Process
			p.Size = s.Filled(p.Size)
			p.Rules = nil
			for _, r := range sec.Process.Rules {
				s.fresh(r.Params, p.Vars)
				p.Rules = append(p.Rules, s.instances(r)...)
			}
			c.Process = &p
		}
		out[i] = &c
	}
	return slices.DeleteFunc(out,
		func(sec *ftdp.Section) bool { return sec.Define != nil && s.defines[sec.Define.Name.Name].used })
}

// unused checks a definition that nothing uses: there is a place at which it is right, in a property, in rules of some
// type, or about parameters. Of what is wrong with it at each, the shortest is told.
func (s *Source) unused(d *ftdp.Define) {
	s.bound = binding{}
	for _, p := range d.Params {
		if list, ok := s.parameterValues(p); ok {
			s.bound[p.Name.Name] = list[0].value
		}
	}
	value := s.Filled(d.Value)
	before, least := s.Errs, diag.List(nil)
	at := func(here int, in sourceScope) {
		s.Here, s.Errs = here, nil
		s.Check(value, in)
		if found := s.Errs.Sorted(); here == 0 && in == ScopeProcess || len(found) < len(least) {
			least = found
		}
	}
	for i := range s.Types {
		at(i, ScopeProcess)
	}
	at(-1, scopeLocal)
	at(-1, ScopeFormula)
	at(-1, scopeParams)
	s.bound, s.Errs = nil, append(before, least...)
}

func (s *Source) filledProperty(p *ftdp.Property) *ftdp.Property {
	if p == nil {
		return nil
	}
	q := *p
	q.Formula = s.Filled(p.Formula)
	if p.After != nil {
		q.After = s.Filled(p.After)
	}
	return &q
}

func (s *Source) filledAll(list []*ftdp.Expr) []*ftdp.Expr {
	return lists.Map(list, s.Filled)
}

// Filled puts definitions into an expression.
func (s *Source) Filled(e *ftdp.Expr) *ftdp.Expr {
	if e == nil {
		return nil
	}
	if v := s.bound[e.Name]; v != nil && e.Op == ftdp.Name {
		c := *v
		c.Pos, c.Width, c.At = e.Pos, e.Width, e.At
		return &c
	}
	if d := s.defines[e.Name]; d != nil && (e.Op == ftdp.Name || e.Op == ftdp.Call) {
		return s.called(d, e)
	}
	if len(e.Args) == 0 {
		return e
	}
	return e.Plain().Map(s.Filled)
}

func (s *Source) filledBody(list []*ftdp.Statement) (out []*ftdp.Statement) {
	for _, st := range list {
		c := st.Map(s.Filled, s.filledBody)
		if st.Assign != nil {
			c.Assign = &ftdp.Assign{Place: st.Assign.Place, Op: ":=", Value: s.Filled(st.Assign.Updated())}
		}
		out = append(out, c)
	}
	return out
}

// tried puts a definition in once, with its parameters as they are.
func (s *Source) tried(d *ftdp.Define) *ftdp.Expr {
	e := &ftdp.Expr{Op: ftdp.Call, Name: d.Name.Name, Pos: d.Name.Place()}
	for _, p := range d.Params {
		e.Args = append(e.Args, &ftdp.Expr{Op: ftdp.Name, Name: p.Name.Name, Pos: p.Name.Place(), At: p.Name.Place()})
	}
	known := s.defines[e.Name]
	used := known.used
	value := s.Filled(e)
	known.used = used
	return value
}

// constants reads numbers with names, which ranges of other sections use.
func (s *Source) constants(sec *ftdp.Section) {
	for _, k := range sec.Consts {
		if v, ok := s.Number(k.Value, nil); ok {
			s.Consts[k.Name.Name] = v
		} else {
			s.wrong(k.Value, "the value of a constant has to be a number here%s", s.ratherDefine(k))
		}
	}
}

// ratherDefine says how an expression that is no constant gets a name, if it can be one of a definition.
func (s *Source) ratherDefine(k *ftdp.Const) string {
	if k.Value.Op == ftdp.SetOf || k.Value.Op == ftdp.Tuple || k.Value.Op == ftdp.Div {
		return ""
	}
	return ": `define " + k.Name.Name + " = " + k.Value.String() + ";` names an expression"
}
