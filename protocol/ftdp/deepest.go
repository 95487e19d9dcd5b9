package ftdp

import (
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
)

// hasty are parsers that hold on to an alternative once so many tokens of it are there. They refuse texts that are
// right, but where a text is wrong, what they say is where it is: the parser that reads texts gives up whole rules.
var hasty = []func() *participle.Parser[File]{
	sync.OnceValue(func() *participle.Parser[File] { return Build[File](2) }),
	sync.OnceValue(func() *participle.Parser[File] { return Build[File](1) }),
	sync.OnceValue(func() *participle.Parser[File] { return Build[File](0) }),
}

// deepest returns the error that lies farthest in a text: what stands before it can be read. It is the one that is
// given, or one that a hasty parser finds in the section in which reading ended.
func deepest(name, text string, read *File, err participle.Error) participle.Error {
	start := 0
	if n := len(read.Sections); n > 0 {
		start = read.Sections[n-1].Pos.Offset
	}
	rest := blank(text[:start]) + text[start:]
	for _, p := range hasty {
		_, other := p().ParseString(name, rest)
		if e, ok := other.(participle.Error); ok && after(e, err) {
			err = e
		}
	}
	return err
}

// after reports whether an error lies behind another one.
func after(a, b participle.Error) bool {
	p, q := a.Position(), b.Position()
	return p.Line > q.Line || p.Line == q.Line && p.Column > q.Column
}

// blank is white space that takes as much room as a text.
func blank(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}
