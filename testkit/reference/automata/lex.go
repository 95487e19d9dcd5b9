package automata

import (
	"fmt"
	"strings"
)

// A token is a name, a number or a sign. The last one of a text is empty.
type token struct {
	text string
	line int
}

// The signs of the language, longer ones before their beginnings.
var signs = []string{
	"->", "||", "&&", "<>", "[]", "==", "!=", "<=", ">=", ":=",
	"<", ">", "!", "+", "-", "*", "/", "(", ")", "{", "}", "[", "]", ";", ":", ",", "'",
}

// lex divides a text into tokens and leaves out space and comments.
func lex(text string) ([]token, error) {
	var tokens []token
	line := 1
next:
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case rest[0] == '\n':
			line++
			i++
		case strings.ContainsRune(" \t\r", rune(rest[0])):
			i++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			i += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				return nil, fmt.Errorf("line %d: a comment does not end", line)
			}
			line += strings.Count(rest[:end], "\n")
			i += end + 2
		case isWord(rest[0]):
			end := 0
			for end < len(rest) && isWord(rest[end]) {
				end++
			}
			tokens = append(tokens, token{rest[:end], line})
			i += end
		default:
			for _, sign := range signs {
				if strings.HasPrefix(rest, sign) {
					tokens = append(tokens, token{sign, line})
					i += len(sign)
					continue next
				}
			}
			return nil, fmt.Errorf("line %d: unexpected character %q", line, rest[0])
		}
	}
	return append(tokens, token{"", line}), nil
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isNumber(word string) bool {
	return word != "" && strings.Trim(word, "0123456789") == ""
}

func isName(word string) bool {
	return word != "" && isWord(word[0]) && !('0' <= word[0] && word[0] <= '9')
}
