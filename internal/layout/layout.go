// Package layout prints texts in canonical form with the comments of their source.
package layout

import (
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// Comment is a comment with its delimiters.
type Comment struct {
	Offset        int // in bytes
	Line, EndLine int
	Col           int // where known
	Text          string
}

// CommentOf is the comment that a token is.
func CommentOf(tok lexer.Token) Comment {
	p := tok.Pos
	return Comment{p.Offset, p.Line, p.Line + strings.Count(tok.Value, "\n"), p.Column, tok.Value}
}

// Printer prints statements, one or more lines each, and puts comments between them where they stood in the source.
type Printer struct {
	b        strings.Builder
	Indent   int
	Comments []Comment // not yet printed
	Source   int       // source line of the statement printed last, if comments may join it
	Fresh    bool      // nothing since the last opening brace or blank line
}

// Line prints a line.
func (p *Printer) Line(text string) {
	p.b.WriteString(strings.Repeat("  ", p.Indent) + text + "\n")
	p.Fresh = false
}

// Blank prints an empty line, unless there is one or a block has just begun.
func (p *Printer) Blank() {
	if !p.Fresh {
		p.b.WriteByte('\n')
		p.Fresh = true
	}
}

// Before prints the comments that stand before the given offset.
func (p *Printer) Before(offset int) {
	p.Trailing(offset)
	p.Source = 0
	for len(p.Comments) > 0 && p.Comments[0].Offset < offset {
		for _, text := range strings.Split(p.Comments[0].Text, "\n") {
			text = strings.TrimSpace(text)
			if strings.HasPrefix(text, "*") {
				text = " " + text
			}
			p.b.WriteString(strings.TrimRight(strings.Repeat("  ", p.Indent)+text, " ") + "\n")
		}
		p.Fresh = false
		p.Comments = p.Comments[1:]
	}
}

// Trailing moves one-line comments that stand before the given offset, on the
// source line of the statement printed last, to the end of its line.
func (p *Printer) Trailing(offset int) {
	for len(p.Comments) > 0 {
		c := p.Comments[0]
		if c.Offset >= offset || c.Line != p.Source || c.EndLine != p.Source {
			return
		}
		text := strings.TrimSuffix(p.b.String(), "\n") + " " + strings.TrimSpace(c.Text) + "\n"
		p.b.Reset()
		p.b.WriteString(text)
		p.Comments = p.Comments[1:]
	}
}

// Statement prints one line with the comments before it and on its line.
func (p *Printer) Statement(pos lexer.Position, format string, args ...any) {
	p.Before(pos.Offset)
	p.Line(fmt.Sprintf(format, args...))
	p.Source = pos.Line
}

// Head prints the first line of a statement that takes several; comments on that line of the source stay with it.
func (p *Printer) Head(pos lexer.Position, format string, args ...any) {
	p.Statement(pos, format, args...)
	p.Trailing(int(^uint(0) >> 1))
	p.Source = 0
}

// String returns what has been printed.
func (p *Printer) String() string { return p.b.String() }
