package ftdp

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
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
	return text[b.Body.Pos.Offset:b.End.Offset], scan.Place(b.Body.Pos)
}

// Laid is a statement of a reading in canonical form.
type Laid struct {
	Offset int // in the text
	From   int // line where it begins
	To     int // and ends
	Lines  []string
}

var _ participle.Parseable = (*TraceBody)(nil)
