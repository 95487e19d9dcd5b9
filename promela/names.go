package promela

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela/pml"
)

// Names lists the names of a text with their places, macros included: what stands in the definition
// of a macro is used there. What the preprocessor leaves out is not known. The error is that of
// Parse; the index has what could be understood then.
func Names(name, text string) (*index.Index, error) {
	x := &indexer{Builder: index.NewBuilder(tokens(name, text), func(_ index.Kind, word string) bool {
		return isName(word)
	}), name: name,
		named: map[string]*index.Symbol{}, labels: map[string]*index.Symbol{}, macros: map[*pml.Macro]*index.Symbol{}}
	pre, err := pml.Preprocess(name, text, nil)
	if err != nil {
		return x.Index(false), err
	}
	x.pre = pre
	x.preprocessor()
	file, err := pml.Parse(pre)
	if file != nil {
		x.file(file)
	}
	if err == nil {
		_, err = Parse(name, text, nil)
	}
	return x.Index(err == nil), err
}

// isName reports whether a word can be declared.
func isName(word string) bool {
	return scan.IsWord(word) && len(word) <= pml.MaxWord && !slices.Contains(pml.Reserved, word) &&
		!slices.Contains(operatorWords, word)
}

// operatorWords are operators of formulas, and of the preprocessor.
var operatorWords = []string{"U", "V", "W", "X", "until", "release", "weakuntil", "always", "eventually", "and", "or",
	"not", "implies", "equivalent", "defined", "priority", "printm"}

// tokens lists the words, operators and comments of a text; of one that is not Promela none.
func tokens(name, text string) []index.Token {
	var list []index.Token
	lines, comments, _ := pml.Scanned(name, text)
	until := func(p diag.Pos) {
		for len(comments) > 0 && comments[0].Pos.Before(p) {
			list, comments = append(list, comments[0]), comments[1:]
		}
	}
	for _, line := range lines {
		for i, t := range line {
			until(scan.Place(t.Pos))
			list = append(list, index.Token{Pos: scan.Place(t.Pos), Text: t.Value, Class: classOf(line, i)})
		}
	}
	return append(list, comments...)
}

func classOf(line []pml.Token, i int) index.Class {
	switch t := line[i]; {
	case line[0].Value == "#" && i <= 1:
		return index.Directive
	case t.Type == scan.Number:
		return index.Number
	case t.Type == scan.Text:
		return index.Text
	case t.Type == scan.Name && isName(t.Value):
		return index.Name
	case t.Type == scan.Name:
		return index.Keyword
	}
	return index.Operator
}

// indexer finds the names of a syntax tree, some of which may be missing.
type indexer struct {
	*index.Builder
	name    string // of the file
	pre     *pml.Preprocessor
	named   map[string]*index.Symbol // of variables, parameters, propositions
	labels  map[string]*index.Symbol
	macros  map[*pml.Macro]*index.Symbol
	process *index.Symbol
}

// preprocessor declares macros and their parameters.
func (x *indexer) preprocessor() {
	for _, a := range x.pre.Asked {
		m := a.Macro
		if m == nil || m.Pos.File != x.name {
			continue // it is for the command line to define
		}
		s := x.macros[m]
		if s == nil {
			s = x.Declare(index.Macro, a.Name, m.Pos)
			x.macros[m] = s
			body := lists.Map(m.Body, func(t pml.Token) string { return t.Value })
			s.Value = strings.Join(body, " ")
			x.parameters(s, m)
		}
		if at := scan.Place(a.At); at != m.Pos {
			x.Use(s, at, false)
		}
	}
}

func (x *indexer) parameters(of *index.Symbol, m *pml.Macro) {
	for i, name := range m.Params {
		p := x.Declare(index.MacroParameter, name, scan.Place(m.Placed[i]))
		p.Within, p.Inner = of, true
		p.From, p.To = m.Pos, m.Pos
		p.To.Col = 1 << 20
		for _, t := range m.Body {
			if t.Type == scan.Name && t.Value == name {
				x.Use(p, scan.Place(t.From), false)
				if at := scan.Place(t.From); p.To.Before(at) {
					p.To = at
				}
			}
		}
	}
}

// from is where a token is written; not valid if that is not in the text.
func (x *indexer) from(number int) diag.Pos {
	if number < 0 || number >= len(x.pre.From) || x.pre.From[number].Filename != x.name {
		return diag.Pos{}
	}
	return scan.Place(x.pre.From[number])
}

func (x *indexer) declared(kind index.Kind, id *pml.Ident, named map[string]*index.Symbol) *index.Symbol {
	if id == nil || named[id.Name] != nil {
		return nil // a second declaration is reported
	}
	pos := x.from(id.Pos.Offset)
	if !pos.IsValid() || pos.Line != id.Pos.Line || pos.Col != id.Pos.Column {
		// A macro declares it: there may be several such places, or none in the text.
		if old := x.Declared(pos); old != nil || !pos.IsValid() {
			return nil
		}
	}
	s := x.Declare(kind, id.Name, pos)
	if s.Within = x.process; kind == index.Process {
		x.process = s
	}
	if named != nil {
		named[id.Name] = s
	}
	return s
}

// file declares names, and then looks where they are used: formulas may stand before what they speak of.
func (x *indexer) file(f *pml.File) {
	for _, it := range f.Items {
		for _, id := range it.Symbolic {
			if s := x.declared(index.Parameter, id, x.named); s != nil {
				s.About = func() string { return aboutParameter(f, id.Name) }
			}
		}
		x.vars(index.Shared, it.Vars)
		if it.Atomic != nil && it.Atomic.Value != nil {
			if s := x.declared(index.Proposition, it.Atomic.Name, x.named); s != nil {
				s.Value = it.Atomic.Value.String()
			}
		}
		if it.LTL != nil && it.LTL.Name != nil {
			kind := index.Formula
			if strings.HasPrefix(it.LTL.Name.Name, "fairness") {
				kind = index.Fairness
			}
			if s := x.declared(kind, it.LTL.Name, nil); s != nil && it.LTL.Formula != nil {
				s.Value = it.LTL.Formula.String()
			}
		}
	}
	for _, it := range f.Items {
		if p := it.Proctype; p != nil && x.process == nil {
			if s := x.declared(index.Process, p.Name, nil); s != nil {
				if s.Value = "1"; p.Count != nil {
					s.Value = p.Count.String()
				}
				x.body(p.Body)
			}
		}
	}
	for _, it := range f.Items {
		x.item(it)
	}
}

func (x *indexer) vars(kind index.Kind, v *pml.Vars) {
	if v == nil {
		return
	}
	for _, d := range v.List {
		if s := x.declared(kind, d.Name, x.named); s != nil {
			s.Value = v.Type
			if d.Init != nil {
				s.Value += ", at first " + d.Init.String()
			}
		}
	}
}

// body declares the variables and labels of the process.
func (x *indexer) body(list []*pml.Statement) {
	for s := range All(list) {
		x.vars(index.Variable, s.Vars)
		if s.Label != nil {
			x.declared(index.Label, s.Label, x.labels)
		}
	}
}

func (x *indexer) item(it *pml.Item) {
	if it.Vars != nil {
		x.inits(it.Vars)
	}
	if it.Assume != nil {
		x.expr(&it.Assume.Expr)
	}
	if it.Atomic != nil && it.Atomic.Value != nil {
		x.expr(&it.Atomic.Value.Expr)
	}
	if it.LTL != nil && it.LTL.Formula != nil {
		x.expr(&it.LTL.Formula.Expr)
	}
	if p := it.Proctype; p != nil {
		x.expr(p.Count)
		x.statements(p.Body)
	}
	if it.Init != nil {
		x.statements(it.Init.Body)
	}
	if it.Never != nil {
		x.ignored(it.Never.Body)
	}
}

func (x *indexer) statements(list []*pml.Statement) {
	for s := range All(list) {
		for _, a := range []*pml.Asked{s.Assume, s.Assert} {
			if a != nil {
				x.expr(&a.Expr)
			}
		}
		if s.Vars != nil {
			x.inits(s.Vars)
		}
		for _, ignored := range []*pml.Ignored{s.Printf, s.Args} {
			x.ignored(ignored)
		}
		x.ident(x.named, s.Havoc, true)
		x.ident(x.labels, s.Goto, false)
		x.expr(s.Cond)
		if s.Set != nil {
			x.ident(x.named, s.Set.Name, true)
			x.expr(s.Set.Index)
			x.expr(s.Set.Value)
		}
	}
}

// ignored finds names in what means nothing, such as what printf prints.
func (x *indexer) ignored(i *pml.Ignored) {
	if i == nil {
		return
	}
	for _, t := range i.Words {
		x.Use(x.named[t.Value], x.from(t.Pos.Offset), false)
	}
}

func (x *indexer) inits(v *pml.Vars) {
	for _, d := range v.List {
		x.expr(d.Width)
		x.expr(d.Size)
		x.expr(d.Init)
	}
}

func (x *indexer) ident(named map[string]*index.Symbol, id *pml.Ident, writes bool) {
	if id != nil {
		x.Use(named[id.Name], x.from(id.Pos.Offset), writes)
	}
}

func (x *indexer) expr(e *pml.Expr) {
	if e == nil {
		return
	}
	if e.Op == pml.Name || e.Op == pml.Label || e.Op == pml.Element {
		named := x.named
		if e.Op == pml.Label {
			named = x.labels
		}
		x.Use(named[e.Name], x.from(e.At), false)
		if e.Process != "" && x.process != nil && x.process.Name == e.Process {
			x.Use(x.process, x.from(e.Of), false)
		}
	}
	for _, a := range e.Args {
		x.expr(a)
	}
}

// aboutParameter says what is assumed of a parameter.
func aboutParameter(f *pml.File, name string) string {
	text := "parameter **" + name + "**"
	for _, it := range f.Items {
		if it.Assume != nil && slices.Contains(it.Assume.Names(), name) {
			text += "\n- `" + it.Assume.String() + "`"
		}
	}
	return text
}
