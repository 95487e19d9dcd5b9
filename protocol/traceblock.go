package protocol

import (
	"slices"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"tacheck/internal/diag"
)

// TraceBlock is a reading of logs in a text (package trace): what is in it nothing else looks at.
type TraceBlock struct {
	Name *Ident    `parser:"@@"`
	Body TraceBody `parser:"@@"`
	End  EndPos    `parser:"@@ 'end'"`
}

// TraceBody is where the statements of a reading begin.
type TraceBody struct{ Pos lexer.Position }

// Parse takes all tokens up to the word that ends the block.
func (b *TraceBody) Parse(lex *lexer.PeekingLexer) error {
	b.Pos = lex.Peek().Pos
	for t := lex.Peek(); t.Value != "end" && !t.EOF(); t = lex.Peek() {
		lex.Next()
	}
	return nil
}

// Traces lists the readings of logs in the text.
func (f *File) Traces() (list []*TraceBlock) {
	for _, s := range f.Sections {
		if s.Trace != nil {
			list = append(list, s.Trace)
		}
	}
	return list
}

// Within returns the statements of a reading, and where they begin in its text.
func (b *TraceBlock) Within(text string) (string, diag.Pos) {
	return text[b.Body.Pos.Offset:b.End.Offset], place(b.Body.Pos)
}

// Laid is a statement of a reading in canonical form.
type Laid struct {
	Offset int // in the text
	From   int // line where it begins
	To     int // and ends
	Lines  []string
}

// FormatWith is Format of a text with readings of logs, whose statements laid lays out.
func FormatWith(f *File, laid func(*TraceBlock) ([]Laid, error)) (string, error) {
	blocks := map[*TraceBlock][]Laid{}
	for _, b := range f.Traces() {
		list, err := laid(b)
		if err != nil {
			return "", err
		}
		blocks[b] = list
	}
	return format(f, blocks), nil
}

// trace prints a reading.
func (p *printer) trace(s *Section) {
	p.Head(s.Pos, "trace %s", s.Trace.Name.Name)
	p.indented(func() {
		for _, st := range p.laid[s.Trace] {
			p.Statement(lexer.Position{Offset: st.Offset, Line: st.From}, "%s", st.Lines[0])
			for _, line := range st.Lines[1:] {
				p.Line(line)
			}
			p.Source = st.To
		}
		p.Before(s.Trace.End.Offset)
	})
	p.Line("end")
}

// CanonicalExpr prints an expression as Format does.
func CanonicalExpr(text string) (string, error) {
	e, err := exprOnly().ParseString("", text)
	if err != nil {
		return "", asProblem(err)
	}
	return e.Expr.String(), nil
}

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

// Param returns where a parameter of a rule is declared; not valid if it is not written.
func (m *Model) Param(rule int, name string) diag.Pos {
	for _, s := range m.Source.Sections {
		for _, r := range s.Rules {
			if r.Label == nil || r.Label.Place() != m.Rules[rule].Pos {
				continue
			}
			for _, p := range r.Params {
				if p.Name.Name == name {
					return p.Name.Place()
				}
			}
			if r.Head != nil && r.Head.From.Name == name {
				return r.Head.From.Place()
			}
		}
	}
	return diag.Pos{}
}

// Declaration returns where a name of one of some kinds is declared; not valid if none is.
func (m *Model) Declaration(name string, kinds ...string) diag.Pos {
	for _, d := range m.Names {
		if d.Name == name && slices.Contains(kinds, d.Kind) {
			return d.Pos
		}
	}
	return diag.Pos{}
}

var _ participle.Parseable = (*TraceBody)(nil)
