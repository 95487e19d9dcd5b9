package sizes

import (
	"fmt"
	"strings"
	"unicode"
)

// A token is a word, a number or a sign of a text; the end of the text is the empty token.
type token struct {
	text string
	line int
}

// signs are the tokens that are neither words nor numbers, long ones first.
var signs = []string{"<->", "<>", "[]", ":=", "+=", "-=", "->", "=>", "!=", "<=", ">=", "..", ".", "(", ")", "[", "]", "{", "}", ",", ";", ":", "=", "<", ">", "+", "-", "*", "/", "⌈", "⌉", "⌊", "⌋",
	"∧", "∨", "¬", "⇒", "≠", "≥", "≤", "&", "|", "!"}

// synonyms are signs that stand for others, or for words.
var synonyms = map[string]string{"∧": "and", "&": "and", "∨": "or", "|": "or", "¬": "not", "!": "not", "⇒": "->", "=>": "->", "≠": "!=", "≥": ">=", "≤": "<=", "[]": "G", "<>": "F"}

// lex divides a text into tokens. Comments are left out.
func lex(text string) ([]token, error) {
	var tokens []token
	line := 1
	for text != "" {
		switch {
		case text[0] == '\n':
			line++
			text = text[1:]
			continue
		case text[0] == ' ' || text[0] == '\t' || text[0] == '\r':
			text = text[1:]
			continue
		case strings.HasPrefix(text, "//"):
			if end := strings.IndexByte(text, '\n'); end >= 0 {
				text = text[end:]
			} else {
				text = ""
			}
			continue
		case strings.HasPrefix(text, "/*"):
			end := strings.Index(text, "*/")
			if end < 0 {
				return nil, fmt.Errorf("%d: a comment has no end", line)
			}
			line += strings.Count(text[:end], "\n")
			text = text[end+2:]
			continue
		}
		length := wordLength(text)
		if length == 0 {
			for _, sign := range signs {
				if strings.HasPrefix(text, sign) {
					length = len(sign)
					break
				}
			}
		}
		if length == 0 {
			return nil, fmt.Errorf("%d: unexpected %q", line, text[:1])
		}
		word := text[:length]
		if meant := synonyms[word]; meant != "" {
			word = meant
		}
		tokens = append(tokens, token{word, line})
		text = text[length:]
	}
	return append(tokens, token{"", line}), nil
}

// wordLength is the length of the word or the number that the text begins with, or 0.
func wordLength(text string) int {
	digits := unicode.IsDigit(rune(text[0]))
	for i, r := range text {
		switch {
		case unicode.IsDigit(r):
		case !digits && (r == '_' || unicode.IsLetter(r)):
		default:
			return i
		}
	}
	return len(text)
}

// isNumber tells whether a token is a number.
func isNumber(text string) bool {
	return text != "" && unicode.IsDigit(rune(text[0]))
}

// isName tells whether a token is a word.
func isName(text string) bool {
	return text != "" && (text[0] == '_' || unicode.IsLetter(rune(text[0])))
}
