package edit

import (
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// Names lists the names of a text with their places, of a protocol for all sizes, too. Of a text with readings of logs,
// beside is told of a model that is right, to note what names in readings mean, and to say what is wrong with them. The
// error is a diag.List; the index has what could be understood then.
func Names(name, text string, beside func(*protocol.Model, *Beside) error) (*index.Index, error) {
	f, err := partly(name, text)
	x := &indexer{Builder: index.NewBuilder(ftdp.Tokens(name, text),
		func(_ index.Kind, word string) bool { return ftdp.IsName(word) }), f: f, text: text, right: err == nil,
		named: map[string]*index.Symbol{}, words: map[string]*index.Symbol{}}
	switch {
	case f == nil:
	case f.Parameterized():
		x.sections()
		for _, s := range f.Sections {
			x.uses(s)
		}
		if err == nil && parametric.HasRounds(f) {
			_, err = parametric.Rounds(f)
		} else if err == nil {
			_, err = parametric.Of(f)
		}
	default:
		x.sections()
		c := protocol.NewChecker(f)
		c.Uses = protocol.NewUses()
		if err == nil {
			err = c.Check(nil)
		}
		if err == nil && beside != nil {
			err = beside(c.M, &Beside{x})
		}
		x.resolved(c)
	}
	out := x.Index(err == nil)
	out.Contextual = contextual()
	return out, err
}

// partly is Parse, but for a text that does not fit the grammar it returns some of what stands before
// that, too, or nil.
func partly(name, text string) (*ftdp.File, error) {
	f, err := ftdp.Parse(name, text)
	if err == nil || len(text) > ftdp.MaxText || ftdp.Nesting(name, text) != nil {
		return f, err
	}
	f, _ = ftdp.Parser().ParseString(name, text) // err says what is wrong
	return f, err
}

// sections declares what a text declares.
func (x *indexer) sections() {
	for i, s := range x.f.Sections {
		end := diag.Pos{}
		if i+1 < len(x.f.Sections) {
			end = scan.Place(x.f.Sections[i+1].Pos)
		}
		x.section(s, end)
	}
}

func (x *indexer) section(s *ftdp.Section, end diag.Pos) {
	switch {
	case s.Protocol != nil:
		x.declared(index.Model, s.Protocol, nil)
	case s.Channels != nil:
		for _, w := range s.Channels.Words {
			if w.Name != nil {
				x.word(w.Name.Name, w.Name.Place())
			}
		}
	case s.Define != nil:
		if d := x.once(index.Definition, s.Define.Name); d != nil && s.Define.Value != nil {
			d.Value = s.Define.Value.String()
			x.parameters(s.Define.Params, d, scan.Place(s.Pos), end)
			x.binders(s.Define.Value, d, end)
		}
	case s.Invariant != nil:
		x.property(index.Invariant, s.Invariant, end)
	case s.LTL != nil:
		x.property(index.Formula, s.LTL, end)
	case s.Trace != nil:
		x.declared(index.Reading, s.Trace.Name, nil)
	case s.Lemma != nil:
		x.property(index.Invariant, s.Lemma, end)
	}
	for _, p := range s.Parameters {
		if d := x.once(index.Parameter, p); d != nil && x.right {
			d.About = func() string { return x.aboutParameter(p.Name) }
		}
	}
	for _, k := range s.Consts {
		if d := x.once(index.Constant, k.Name); d != nil && k.Value != nil {
			d.Value = k.Value.String()
		}
	}
	for _, t := range s.Types {
		x.typeDecl(t)
	}
	for _, v := range s.Vars {
		kind := index.Variable // global
		if v.Type != nil && v.Type.Array != nil && v.Type.Array.Of != nil &&
			(v.Type.Array.Of.Record != nil || v.Type.Array.Of.Range != nil) {
			kind = index.States
		}
		for _, id := range v.Names {
			x.typed(x.declared(kind, id, nil), v.Type)
		}
	}
	if s.Names != nil {
		for _, id := range s.Names.Names {
			x.typed(x.declared(index.Value, id, nil), s.Names.Type)
		}
	}
	for _, k := range s.Message {
		x.kind(k)
	}
	for _, m := range s.Messages {
		d := x.once(index.MessageKind, m.Name)
		wrong := func(f *ftdp.KindField) bool { return !complete(f.Type) }
		if d != nil && m.Fields != nil && !slices.ContainsFunc(m.Fields, wrong) {
			d.Value = m.String()
		}
		for _, f := range m.Fields {
			x.inside(d, f.Type)
		}
	}
	if s.Process != nil {
		x.process(s.Process)
	}
	for _, r := range s.Init {
		x.rule(index.Initial, r, end)
	}
	for _, r := range s.Rules {
		x.rule(index.Rule, r, end)
	}
}

var literalWord = regexp.MustCompile(`"([A-Za-z]+)"`)

// contextual lists, in alphabetical order, the words that mean something where the grammar has them, and are names
// elsewhere: all words of the grammar that are not reserved, those that expressions are read by, and built-in names.
var contextual = sync.OnceValue(func() []string {
	words := map[string]bool{"count": true, "max": true, "min": true, "by": true, "default": true} // expr.go
	for _, m := range literalWord.FindAllStringSubmatch(ftdp.Parser().String(), -1) {
		words[m[1]] = true
	}
	for word := range ftdp.Written {
		words[word] = ftdp.IsName(word)
	}
	for word := range builtIn {
		words[word] = true
	}
	for _, word := range ftdp.CollectionWords {
		words[word] = true
	}
	maps.DeleteFunc(words, func(word string, is bool) bool { return !is || slices.Contains(ftdp.Keywords, word) })
	return slices.Sorted(maps.Keys(words))
})

// Beside tells editors what names in readings of logs mean.
type Beside struct{ x *indexer }

// Use notes that the name at a place is the one that is declared at another.
func (b *Beside) Use(at, declared diag.Pos) {
	if declared.IsValid() {
		b.x.Use(b.x.Declared(declared), at, false)
	}
}

// Word notes a word of readings.
func (b *Beside) Word(word, means string, at diag.Pos) {
	s := b.x.words["trace "+word]
	if s == nil {
		s = b.x.builtIn(word, means)
		b.x.words["trace "+word] = s
	}
	b.x.Use(s, at, false)
}
