package main

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

// screen is where text for people goes. What is printed depends on the width,
// and not on whether it is a terminal: that only adds colours.
type screen struct {
	w      io.Writer
	width  int
	colour bool
	// finding: something is looked for, and verdicts say whether there is a run in which it is so.
	finding bool
}

// pipeWidth is how wide text is that goes to a file.
const pipeWidth = 100

// screen looks at standard output and the environment: COLUMNS sets the width,
// NO_COLOR (no-color.org) and TERM=dumb turn colours off.
func (c *command) screen() screen {
	s := screen{w: c.stdout, width: pipeWidth, finding: c.find != ""}
	if f, ok := c.stdout.(interface{ Fd() uintptr }); ok && term.IsTerminal(int(f.Fd())) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			s.width = width
		}
		s.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		s.width = n
	}
	s.width = max(s.width, 40)
	return s
}

var verdictColour = map[verify.Verdict]text.Color{
	verify.Holds: text.FgGreen, verify.Violated: text.FgRed, verify.Unknown: text.FgYellow,
}

// verdict is a verdict as it is printed, with its reason.
func (s screen) verdict(v verify.Verdict, reason string) string {
	word, colour := string(v), verdictColour[v]
	switch {
	case s.finding && v == verify.Holds:
		word, colour = "there is none", text.FgGreen
	case s.finding && v == verify.Violated:
		word, colour = "found", text.FgGreen
	}
	word = fmt.Sprintf("%-8s", word)
	if reason != "" {
		word = strings.TrimSpace(word) + ": " + reason
	}
	return s.paint(colour, word)
}

func (s screen) paint(c text.Color, line string) string {
	if !s.colour {
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

// columns aligns rows.
func columns(rows [][]string) string {
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
