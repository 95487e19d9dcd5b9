// Package edit knows texts for editors: places and uses of names (index.go), and what can come next (complete.go).
package edit

import (
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/history"
)

// indexer finds the names of a syntax tree, some of which may be missing.
type indexer struct {
	*index.Builder
	f     *ftdp.File
	text  string
	right bool            // all of the text was read: nothing of the tree is missing
	model *protocol.Model // nil if something is wrong

	named map[string]*index.Symbol // what is declared once
	words map[string]*index.Symbol // of the language
}

func (x *indexer) declared(kind index.Kind, id *ftdp.Ident, within *index.Symbol) *index.Symbol {
	if id == nil {
		return nil
	}
	s := x.Declare(kind, id.Name, id.Place())
	s.Within = within
	return s
}

// word notes a built-in word.
func (x *indexer) word(name string, at diag.Pos) {
	s := x.words[name]
	if s == nil {
		s = x.builtIn(name, builtIn[name])
		x.words[name] = s
	}
	x.Use(s, at, false)
}

func (x *indexer) builtIn(name, means string) *index.Symbol {
	s := x.Declare(index.BuiltIn, name, diag.Pos{})
	if s.Value = means; means == "" {
		s.Value = "a word of the language"
	}
	return s
}

// once declares a name that is declared once, for everywhere. In protocols for all sizes variables of the same name in
// several types of processes are one, since a property may speak of all of them.
func (x *indexer) once(kind index.Kind, id *ftdp.Ident) *index.Symbol {
	if id == nil {
		return nil
	}
	if old := x.named[id.Name]; old != nil && old.Kind == kind && kind == index.Variable {
		x.Use(old, id.Place(), false)
		return nil
	}
	x.named[id.Name] = x.declared(kind, id, nil)
	return x.named[id.Name]
}

// kind declares a kind of messages, and the fields that it is the first to have.
func (x *indexer) kind(k *ftdp.MessageDecl) {
	d := x.declared(index.MessageKind, k.Name, nil)
	if d == nil {
		return
	}
	if x.right {
		d.Value = k.String()
	}
	for _, f := range k.Fields {
		for _, id := range f.Names {
			if first := x.named["."+id.Name]; first == nil {
				x.named["."+id.Name] = x.declared(index.Field, id, d)
				x.typed(x.named["."+id.Name], f.Type)
			} else {
				x.Use(first, id.Place(), false)
			}
		}
	}
}

func (x *indexer) typeDecl(t *ftdp.TypeDecl) {
	kind := index.Type
	switch {
	case t.Name == nil:
		return
	case t.Role != nil:
		kind = index.Role
	case t.Name.Name == "Msg":
		kind = index.Message
	}
	d := x.declared(kind, t.Name, nil)
	if t.Role != nil {
		d.Value = "1.." + t.Role.String()
	}
	x.typed(d, t.Type)
}

// typed notes of what type something is.
func (x *indexer) typed(of *index.Symbol, t *ftdp.TypeExpr) {
	if of == nil || t == nil {
		return
	}
	if of.Value == "" && complete(t) {
		of.Value = t.String()
	}
	x.inside(of, t)
}

// inside declares what a type has: fields, values.
func (x *indexer) inside(of *index.Symbol, t *ftdp.TypeExpr) {
	switch {
	case t == nil:
	case t.Record != nil:
		for _, d := range t.Record.Fields {
			for _, id := range d.Names {
				x.typed(x.declared(index.Field, id, of), d.Type)
			}
		}
	case t.Array != nil:
		x.inside(of, t.Array.Index)
		x.inside(of, t.Array.Of)
	case t.Seq != nil:
		x.inside(of, t.Seq.Of)
	case t.Set != nil:
		x.inside(of, t.Set)
	case t.Enum != nil:
		for _, id := range t.Enum {
			if first := x.named[id.Name]; first == nil {
				x.named[id.Name] = x.declared(index.Value, id, of)
			} else {
				x.Use(first, id.Place(), false) // the same values again
			}
		}
	}
}

// complete reports whether all of a type was read.
func complete(t *ftdp.TypeExpr) bool {
	switch {
	case t == nil:
		return false
	case t.Record != nil:
		return !slices.ContainsFunc(t.Record.Fields, func(d *ftdp.Decl) bool { return !complete(d.Type) })
	case t.Array != nil:
		return complete(t.Array.Index) && complete(t.Array.Of)
	case t.Seq != nil:
		return t.Seq.Max != nil && complete(t.Seq.Of)
	case t.Set != nil:
		return complete(t.Set)
	}
	return t.Bool || t.Enum != nil || t.Range != nil && t.Range.From != nil
}

// inner declares a name that belongs to something, and can be used in part of the text.
func (x *indexer) inner(id *ftdp.Ident, t *ftdp.TypeExpr, within *index.Symbol, from, to diag.Pos) {
	if d := x.declared(index.Bound, id, within); d != nil {
		d.Inner, d.From, d.To = true, from, to
		if complete(t) {
			d.Value = t.String()
		}
	}
}

func (x *indexer) parameters(list []*ftdp.Param, within *index.Symbol, from, to diag.Pos) {
	for _, p := range list {
		x.inner(p.Name, p.Type, within, from, to)
		if p.Name != nil {
			x.inside(x.Declared(p.Name.Place()), p.Type)
		}
		if q := p.Quorum; q != nil && q.Size != nil && q.Role != nil && p.Name != nil {
			least := ""
			if q.AtLeast {
				least = ">= "
			}
			x.Declared(p.Name.Place()).Value = "quorum[" + least + q.Size.String() + "] of " + q.Role.Name
		}
	}
}

func (x *indexer) rule(kind index.Kind, r *ftdp.Rule, end diag.Pos) {
	if r.Label == nil {
		return
	}
	d := x.declared(kind, r.Label, nil)
	if r.End.Offset > 0 {
		end = x.place(r.End.Offset)
	}
	x.parameters(r.Params, d, scan.Place(r.Pos), end)
	if h := r.Head; h != nil {
		for _, id := range h.Fields {
			x.inner(id, nil, d, scan.Place(r.Pos), end)
		}
		if n := len(r.Params); h.From != nil && (n == 0 || r.Params[n-1].Name == nil ||
			r.Params[n-1].Name.Name != h.From.Name) {
			x.parameters([]*ftdp.Param{{Name: h.From, Quorum: h.Quorum, Type: h.Role}}, d, scan.Place(r.Pos), end)
		}
	}
	if x.right {
		d.About = func() string { return x.aboutRule(d, r) }
	}
	for st := range ftdp.All(r.Body) {
		if st.For != nil {
			to := end
			if st.For.End.Offset > 0 {
				to = x.place(st.For.End.Offset)
			}
			x.inner(st.For.Var, st.For.Type, d, scan.Place(st.Pos), to)
		}
		if st.Let != nil {
			x.inner(st.Let.Name, nil, d, scan.Place(st.Pos), end)
		}
		for _, e := range ftdp.Expressions(st) {
			x.binders(e, d, end)
		}
	}
}

func (x *indexer) property(kind index.Kind, p *ftdp.Property, end diag.Pos) {
	if d := x.declared(kind, p.Name, nil); d != nil && p.Formula != nil {
		d.Value = p.Formula.String()
		x.binders(p.Formula, d, end)
	}
}

// binders declares the variables of quantifiers.
func (x *indexer) binders(e *ftdp.Expr, within *index.Symbol, end diag.Pos) {
	for e := range e.All() {
		switch e.Op {
		case ftdp.ForAll, ftdp.Exists, ftdp.Count, ftdp.Max, ftdp.Min, ftdp.Those:
			x.inner(&ftdp.Ident{Name: e.Name, Pos: lexer.Position{Filename: e.At.File, Line: e.At.Line,
				Column: e.At.Col}}, e.Type, within, e.Pos, end)
		}
	}
}

// place is the place of an offset in bytes.
func (x *indexer) place(offset int) diag.Pos {
	before := x.text[:min(offset, len(x.text))]
	start := strings.LastIndexByte(before, '\n') + 1
	return diag.Pos{File: x.f.Pos.Filename, Line: 1 + strings.Count(before, "\n"), Col: 1 + len([]rune(before[start:]))}
}

// resolved adds what was found out when names were resolved.
func (x *indexer) resolved(c *protocol.Checker) {
	if len(c.Errs) == 0 {
		x.model = c.M
	}
	c.Unused()
	for at, declared := range c.Uses.Of {
		x.Use(x.Declared(declared), at, c.Uses.Wrote[at])
	}
	for _, at := range slices.SortedFunc(maps.Keys(c.Uses.Words), index.Order) {
		x.word(c.Uses.Words[at], at)
	}
}

// aboutRule describes a rule in Markdown.
func (x *indexer) aboutRule(d *index.Symbol, r *ftdp.Rule) string {
	var b strings.Builder
	b.WriteString(string(d.Kind) + " **" + d.Name + "**")
	if t := x.transition(d.Pos); t != nil && t.Executor >= 0 {
		b.WriteString(": taken by " + t.Params[t.Executor].Name)
		switch {
		case t.Quorum():
			b.WriteString(", which receives from the quorum " + t.Params[t.Sender].Name)
		case t.Receives():
			b.WriteString(", which receives from " + t.Params[t.Sender].Name)
		}
		if t.Strategy {
			b.WriteString(" (Byzantine)")
		}
	}
	if list := ftdp.Statements(r.Body); len(list) == 1 && list[0].If != nil && list[0].If.Else == nil &&
		len(list[0].If.Guards) == 1 {
		b.WriteString("\n\nwhen `" + list[0].If.Guards[0].String() + "`")
	}
	return b.String()
}

// transition returns the transition whose label stands at a place, or nil.
func (x *indexer) transition(pos diag.Pos) *protocol.Transition {
	if x.model == nil {
		return nil
	}
	for _, list := range [][]protocol.Transition{x.model.Inits, x.model.Rules} {
		for i := range list {
			if list[i].Pos == pos {
				return &list[i]
			}
		}
	}
	return nil
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
