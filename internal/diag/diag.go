// Package diag holds what the program says about a user's text: a position, a message, and how both are shown.
//
// A diagnostic is a value; text is made at the edge, by Render:
//
//	rb.ta:12:14: unknown location "locSX" (did you mean "locSE"?)
//	  12 |   2: loc0 -> locSX
//	     |              ^^^^^
package diag

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tacheck/tacheck/internal/lists"
)

// Pos is a place in a source text. Line and Col start at 1 and Col counts
// characters, not bytes. The zero Pos means "no place in particular".
type Pos struct {
	File      string
	Line, Col int
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String formats p as file:line:col, or as the file alone if p has no line.
func (p Pos) String() string {
	if !p.IsValid() {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Before orders positions within one file.
func (p Pos) Before(q Pos) bool {
	if p.Line != q.Line {
		return p.Line < q.Line
	}
	return p.Col < q.Col
}

// Note points at a further place that takes part in a problem.
type Note struct {
	Pos Pos
	Msg string
}

// Severity tells how bad a diagnostic is. Its values are what is printed.
type Severity string

// The severities.
const (
	Problem Severity = ""        // the text means nothing
	Warning Severity = "warning" // it means something, which is probably not meant
	Hint    Severity = "note"    // it may well be meant
)

// Error is one problem in a source text.
type Error struct {
	Severity Severity
	Pos      Pos
	Width    int // characters to underline; at least 1 is drawn
	Msg      string
	Notes    []Note
	Open     bool // a warning that it is not known whether this is so
}

// Error returns the first line only: position, severity and message.
func (e *Error) Error() string {
	msg := e.Msg
	if e.Severity != Problem {
		msg = string(e.Severity) + ": " + msg
	}
	if p := e.Pos.String(); p != "" {
		return p + ": " + msg
	}
	return msg
}

// List collects problems. The zero value is an empty list.
type List []*Error

// Wrong is a List of one problem, as an error.
func Wrong(pos Pos, width int, format string, args ...any) error {
	var l List
	l.Add(pos, width, format, args...)
	return l
}

// Add appends a problem at pos, underlining width characters.
func (l *List) Add(pos Pos, width int, format string, args ...any) *Error {
	return l.add(Problem, pos, width, format, args...)
}

// Warn appends a warning.
func (l *List) Warn(pos Pos, width int, format string, args ...any) *Error {
	return l.add(Warning, pos, width, format, args...)
}

// Hint appends a hint.
func (l *List) Hint(pos Pos, width int, format string, args ...any) *Error {
	return l.add(Hint, pos, width, format, args...)
}

func (l *List) add(s Severity, pos Pos, width int, format string, args ...any) *Error {
	e := &Error{Severity: s, Pos: pos, Width: width, Msg: fmt.Sprintf(format, args...)}
	*l = append(*l, e)
	return e
}

// Sorted is l in source order, without repetitions.
func (l List) Sorted() List {
	l = slices.Clone(l)
	slices.SortStableFunc(l, func(a, b *Error) int {
		switch {
		case a.Pos.Before(b.Pos):
			return -1
		case b.Pos.Before(a.Pos):
			return 1
		}
		return 0
	})
	return slices.CompactFunc(l, func(a, b *Error) bool {
		return a.Pos == b.Pos && a.Msg == b.Msg && a.Severity == b.Severity
	})
}

// Err returns l as Sorted does, as an error, or nil if l is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l.Sorted()
}

// Error returns the first line of every problem.
func (l List) Error() string {
	lines := lists.Map(l, (*Error).Error)
	return strings.Join(lines, "\n")
}

// maxShown bounds the problems that Render shows in full.
const maxShown = 20

// Render writes problems with their source lines and carets, the first twenty
// of them. The source is the text of the file that the positions refer to.
func (l List) Render(w io.Writer, source string) {
	l[:min(len(l), maxShown)].RenderAll(w, source)
	if len(l) > maxShown {
		fmt.Fprintf(w, "... and %d more\n", len(l)-maxShown)
	}
}

// RenderAll is Render without a limit.
func (l List) RenderAll(w io.Writer, source string) {
	src := newSource(source)
	for _, e := range l {
		fmt.Fprintln(w, e.Error())
		src.excerpt(w, e.Pos, e.Width)
		for _, n := range e.Notes {
			fmt.Fprintf(w, "%s: %s\n", n.Pos, n.Msg)
			src.excerpt(w, n.Pos, 1)
		}
	}
}

type source struct{ lines []string }

func newSource(text string) source { return source{strings.Split(text, "\n")} }

// shown is what is shown of a character: terminals are to obey us and not files.
func shown(r rune) rune {
	if r == '\t' || unicode.IsPrint(r) {
		return r
	}
	return utf8.RuneError
}

// maxExcerpt is the widest part of a source line that is shown.
const maxExcerpt = 100

func (s source) excerpt(w io.Writer, pos Pos, width int) {
	if pos.Line >= 1 && pos.Line <= len(s.lines) {
		Excerpt(w, pos, width, s.lines[pos.Line-1])
	}
}

// Excerpt writes a line with its number, and carets below a place in it.
func Excerpt(w io.Writer, pos Pos, width int, line string) {
	line, caret := window(strings.TrimRight(line, "\r"), pos.Col-1)
	if rest := utf8.RuneCountInString(line) - utf8.RuneCountInString(caret); width > rest {
		width = rest
	}
	label := fmt.Sprintf("%4d", pos.Line)
	fmt.Fprintf(w, "%s | %s\n", label, strings.Map(shown, line))
	fmt.Fprintf(w, "%s | %s%s\n", strings.Repeat(" ", len(label)), caret, strings.Repeat("^", max(1, width)))
}

// window cuts a long line to the part around column col and returns it with
// the white space that puts a caret under that column; tabs stay tabs.
func window(line string, col int) (shown, indent string) {
	runes := make([]rune, 0, min(len(line), 4*maxExcerpt))
	start, n := 0, 0
	if col > maxExcerpt*3/4 {
		start = col - maxExcerpt/2
	}
	for _, r := range line {
		if n >= start && n < start+maxExcerpt {
			runes = append(runes, printable(r))
		}
		if n >= start+maxExcerpt {
			break
		}
		n++
	}
	pad := make([]rune, 0, maxExcerpt)
	for i := start; i < col; i++ {
		if k := i - start; k < len(runes) && runes[k] == '\t' {
			pad = append(pad, '\t')
		} else {
			pad = append(pad, ' ')
		}
	}
	shown = string(runes)
	if start > 0 {
		shown, pad = "..."+shown, append([]rune("   "), pad...)
	}
	return shown, string(pad)
}

// printable replaces control characters, which a terminal might obey.
func printable(r rune) rune {
	if r != '\t' && (r < ' ' || r == 0x7f) {
		return '.'
	}
	return r
}
