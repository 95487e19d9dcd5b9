package promela

import (
	"fmt"
	"strings"
)

// A Token is a word of the text.
type Token struct {
	Text string
	Line int
}

// An Error is a place in the text and what is wrong there.
type Error struct {
	Line int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

func fail(line int, format string, args ...any) error {
	return &Error{line, fmt.Sprintf(format, args...)}
}

// operators are the words that are made of several characters other than letters, longest first.
var operators = []string{"<->", "->", "::", "++", "--", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "[]", "<>", "##"}

func letter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// tokens cuts one line, without comments, into words.
func tokens(text string, line int) ([]Token, error) {
	var out []Token
	for i := 0; i < len(text); {
		c := text[i]
		start := i
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			i++
			continue
		case letter(c):
			for i < len(text) && (letter(text[i]) || digit(text[i])) {
				i++
			}
		case digit(c):
			for i < len(text) && digit(text[i]) {
				i++
			}
			if i < len(text) && letter(text[i]) {
				return nil, fail(line, "a number that goes on with letters")
			}
		case c == '"':
			i++
			for i < len(text) && text[i] != '"' {
				if text[i] == '\\' {
					i++
				}
				i++
			}
			if i >= len(text) {
				return nil, fail(line, "a string that does not end")
			}
			i++
		default:
			i++
			for _, op := range operators {
				if strings.HasPrefix(text[start:], op) {
					i = start + len(op)
					break
				}
			}
			if i == start+1 && !strings.ContainsRune("!%&()*+,-./:;<=>?@[]^{|}~#'$", rune(c)) {
				return nil, fail(line, "unexpected character %q", c)
			}
		}
		out = append(out, Token{text[start:i], line})
	}
	return out, nil
}
