package ftdp

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
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
	return text[b.Body.Pos.Offset:b.End.Offset], At(b.Body.Pos)
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

var _ participle.Parseable = (*TraceBody)(nil)
