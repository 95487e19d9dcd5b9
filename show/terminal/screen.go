// Package terminal shows people what was found: verdicts, runs as tables, proofs, how far something is (progress.go);
// and has the objects that --json prints of the same.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"

	"github.com/tacheck/tacheck/verify"
)

// Screen is where text for people goes. What is printed depends on the width,
// and not on whether it is a terminal: that only adds colours.
type Screen struct {
	Width  int
	Colour bool
	// finding: something is looked for, and verdicts say whether there is a run in which it is so.
	Finding bool
}

// PipeWidth is how wide text is that goes to a file.
const PipeWidth = 100

// NewScreen looks at where text goes and at the environment: COLUMNS sets the width, NO_COLOR (no-color.org) and
// TERM=dumb turn colours off.
func NewScreen(out io.Writer, finding bool) Screen {
	s := Screen{Width: PipeWidth, Finding: finding}
	if f, ok := out.(interface{ Fd() uintptr }); ok && term.IsTerminal(int(f.Fd())) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			s.Width = width
		}
		s.Colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		s.Width = n
	}
	s.Width = max(s.Width, 40)
	return s
}

// VerdictColour is how verdicts are painted.
var VerdictColour = map[verify.Verdict]text.Color{
	verify.Holds: text.FgGreen, verify.Violated: text.FgRed, verify.Unknown: text.FgYellow,
}

// verdict is a verdict as it is printed, with its reason.
func (s Screen) verdict(v verify.Verdict, reason string) string {
	word, colour := string(v), VerdictColour[v]
	switch {
	case s.Finding && v == verify.Holds:
		word, colour = "there is none", text.FgGreen
	case s.Finding && v == verify.Violated:
		word, colour = "found", text.FgGreen
	}
	word = fmt.Sprintf("%-8s", word)
	if reason != "" {
		word = strings.TrimSpace(word) + ": " + reason
	}
	return s.Paint(colour, word)
}

// Paint colours a line, where the screen has colours.
func (s Screen) Paint(c text.Color, line string) string {
	if !s.Colour {
		return line
	}
	return c.EscapeSeq() + line + text.Reset.EscapeSeq()
}

// plainTable returns a table without lines.
func plainTable() table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.Style{Name: "plain", Box: table.BoxStyle{PaddingRight: "  "}})
	t.SuppressTrailingSpaces()
	return t
}

// Columns aligns rows.
func Columns(rows [][]string) string {
	t := plainTable()
	for _, row := range rows {
		cells := make(table.Row, len(row))
		for i, cell := range row {
			cells[i] = cell
		}
		t.AppendRow(cells)
	}
	return t.Render()
}
