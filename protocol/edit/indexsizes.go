package edit

import (
	"maps"
	"strings"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// process declares a type of processes, its variables and its rules.
func (x *indexer) process(p *ftdp.Process) {
	if d := x.once(index.Process, p.Name); d != nil && p.Size != nil {
		d.Value = p.Name.Name + "[" + p.Size.String() + "]"
	}
	for _, v := range p.Vars {
		for _, id := range v.Names {
			d := x.once(index.Variable, id)
			if d != nil && complete(v.Type) {
				d.Value = v.Kind + " " + v.Type.String()
			}
		}
		if len(v.Names) > 0 {
			x.inside(x.named[v.Names[0].Name], v.Type)
		}
	}
	for i, r := range p.Rules {
		d := x.declared(index.Rule, r.Label, nil)
		if d != nil && x.right {
			d.About = func() string { return aboutProcessRule(r) }
		}
		to := x.place(p.End.Offset)
		if i+1 < len(p.Rules) {
			to = scan.Place(p.Rules[i+1].Pos)
		}
		x.parameters(r.Params, d, scan.Place(r.Pos), to)
	}
}

// uses finds where the names of a protocol for all sizes are used.
func (x *indexer) uses(s *ftdp.Section) {
	for _, k := range s.Consts {
		x.value(k.Value)
	}
	for _, e := range append(append([]*ftdp.Expr{}, s.Assume...), s.Starts...) {
		x.value(e)
	}
	if s.Define != nil {
		x.within(s.Define.Params, func() { x.value(s.Define.Value) })
	}
	if f := s.Faults; f != nil && f.Model != nil {
		x.word(f.Model.Name, f.Model.Place())
		x.value(f.Count)
		for _, id := range f.Of {
			x.Use(x.named[id.Name], id.Place(), false)
		}
	}
	for _, m := range s.Messages {
		for _, f := range m.Fields {
			if f.Type != nil {
				x.values(f.Type.Range)
			}
		}
	}
	if s.Process != nil {
		x.inProcess(s.Process)
	}
	for _, p := range []*ftdp.Property{s.Invariant, s.LTL} {
		if p != nil {
			x.value(p.Formula)
		}
	}
}

func (x *indexer) inProcess(p *ftdp.Process) {
	x.value(p.Size)
	for _, v := range p.Vars {
		if v.Type != nil {
			x.values(v.Type.Range)
		}
		x.value(v.First)
	}
	for _, r := range p.Rules {
		x.within(r.Params, func() { x.body(r.Body) })
	}
}

func (x *indexer) body(list []*ftdp.Statement) {
	for st := range ftdp.All(list) {
		if st.Send != nil && st.Send.Kind != nil {
			x.Use(x.named[st.Send.Kind.Name], st.Send.Kind.Place(), false)
		}
		for _, e := range ftdp.Expressions(st) {
			x.value(e)
		}
		if st.Assign != nil && st.Assign.Place != nil {
			x.Use(x.named[st.Assign.Place.Name], st.Assign.Place.At, true)
		}
	}
}

// within looks for uses where parameters are known.
func (x *indexer) within(list []*ftdp.Param, look func()) {
	outer := x.named
	x.named = maps.Clone(outer)
	for _, p := range list {
		if p.Name == nil {
			continue
		}
		x.named[p.Name.Name] = x.Declared(p.Name.Place())
		if p.Type != nil {
			x.values(p.Type.Range)
		}
	}
	look()
	x.named = outer
}

func (x *indexer) values(r *ftdp.RangeType) {
	if r == nil {
		return
	}
	for _, e := range []*ftdp.Sum{r.From, r.To} {
		if e != nil {
			x.value(&e.Expr)
		}
	}
}

// value finds the names of an expression.
func (x *indexer) value(e *ftdp.Expr) {
	for e := range e.All() {
		if s := x.named[e.Name]; s != nil && (e.Op == ftdp.Name || e.Op == ftdp.Call || e.Op == ftdp.Field) {
			x.Use(s, e.At, false)
		} else if _, known := builtIn[e.Name]; known && (e.Op == ftdp.Name || e.Op == ftdp.Call || e.Op == ftdp.Field) {
			x.word(e.Name, e.At)
		}
	}
}

// aboutProcessRule describes a rule of a process.
func aboutProcessRule(r *ftdp.ProcessRule) string {
	text := "rule **" + r.Label.Name + "**"
	if r.Maybe {
		text += ": a process may take it, but need not"
	}
	if r.Late {
		text += ": not taken in good rounds"
	}
	if list := ftdp.Statements(r.Body); len(list) == 1 && list[0].If != nil && len(list[0].If.Guards) == 1 {
		text += "\n\nwhen `" + list[0].If.Guards[0].String() + "`"
	}
	for st := range ftdp.All(r.Body) {
		switch {
		case st.Send != nil && st.Send.Kind != nil:
			text += "\n\nsends `" + strings.TrimPrefix(st.Send.String(), "send ") + "`"
		case st.Assign != nil:
			text += "\n\nassigns `" + st.Assign.Place.String() + " := " + st.Assign.Value.String() + "`"
		}
	}
	return text
}
