package edit

import (
	"maps"
	"strings"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/history"
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
			to = ftdp.At(p.Rules[i+1].Pos)
		}
		x.parameters(r.Params, d, ftdp.At(r.Pos), to)
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

// aboutParameter describes a parameter: what is assumed of it.
func (x *indexer) aboutParameter(name string) string {
	text := "parameter **" + name + "**"
	for _, s := range x.f.Sections {
		for _, e := range s.Assume {
			if history.Speaks(e, name) {
				text += "\n- `" + e.String() + "`"
			}
		}
		if s.Faults != nil && s.Faults.Count != nil && history.Speaks(s.Faults.Count, name) {
			text += "\n- faults: " + s.Faults.Model.Name + ", " + s.Faults.Count.String()
		}
	}
	return text
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

// builtIn says what words mean that are names elsewhere.
var builtIn = map[string]string{
	"msg": "the message that the rule receives", "status": "what a process is: corr, crash, crashed or byz",
	"absent": "whether the message that was to be received is missing",
	"corr":   "follows the protocol for ever", "crash": "follows the protocol until it stops, perhaps",
	"crashed": "has stopped", "byz": "does anything", "crashes": "how many processes have crashed",
	"heard":   "from how many processes messages of a kind were received",
	"arrived": "all that correct processes send of a kind was received", "all": "every process satisfies it",
	"every": "every process satisfies it, those that have crashed or are faulty but follow the protocol among them",
	"some":  "some process satisfies it", "count": "how many satisfy it",
	"asynchronous": "no process notices that a message is missing", "synchronous": "missing messages are noticed",
	"lossy": "messages may be lost", "reliable": "messages are not lost",
	"authenticated": "receivers know who has sent a message",
	"anonymous":     "receivers do not know who has sent a message", "unordered": "messages are received in any order",
	"fifo":        "messages are received in the order in which they were sent",
	"duplicating": "what was received may be received again",
	"sender":      "the process that has sent what the rule receives", "seq": "the sequence of these elements",
	"append": "the sequence with an element behind it",
	"slice":  "the part of the sequence from an element to another one",
	"length": "how many elements the sequence has", "last": "the last element of the sequence",
	"size": "how many members the set has", "subset": "whether all members of the first set are members of the second",
	"union": "what is in one of the sets", "intersection": "what is in both sets",
	"difference": "what is in the first set only",
	"add":        "the set, and one member", "remove": "the set without one member",
	"none": "no process is faulty", "byzantine": "faulty processes send anything to any process",
	"symmetric": "faulty processes send anything, the same to all",
	"omission":  "what faulty processes send or receive may get lost",
	"clean":     "faulty processes stop, but not while they send",
}
