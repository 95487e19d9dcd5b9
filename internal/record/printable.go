package record

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text from another source in a form that is harmless to a terminal: on one line,
// without control characters, and without those that change the direction in which it is read.
func Printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := fmt.Sprintf("%+q", string(r))
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[n:]
	}
	return b.String()
}

// Name returns the name of a file as it is printed: as it is, or in quotes, with escapes, if
// printing it would do something to a terminal or look like something else.
func Name(name string) string {
	if Printable(name) == name && !strings.HasPrefix(name, `"`) {
		return name
	}
	return strconv.Quote(name)
}
