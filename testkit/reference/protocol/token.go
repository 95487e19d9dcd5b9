package protocol

import (
	"fmt"
	"strings"
	"unicode"
)

// Pos is a place in a text; both count from 1.
type Pos struct{ Line, Col int }

// String writes a place as compilers do.
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// tokenKind tells tokens apart.
type tokenKind int

const (
	tokenEnd    tokenKind = iota
	tokenName             // a name or a keyword
	tokenNumber           // digits
	tokenSend             // 2role: the messages to processes of a role
	tokenSign             // anything else
)

// token is one word of a text.
type token struct {
	kind tokenKind
	text string
	pos  Pos
}

// synonyms are the papers' symbols, and other ways to write a sign.
var synonyms = map[string]string{
	"<>": "F", "∧": "and", "&": "and", "&&": "and", "∨": "or", "|": "or", "||": "or", "¬": "not", "!": "not",
	"⇒": "->", "=>": "->", "∀": "forall", "∃": "exists", "≠": "!=", "≥": ">=", "≤": "<=", "∈": "in",
}

// signs are those of more than one character, longest first.
var signs = []string{"<->", "->", "=>", ":=", "+=", "-=", "<>", "!=", "<=", ">=", "..", "[]", "&&", "||"}

// scan cuts a text into tokens.
func scan(text string) ([]token, error) {
	s := []rune(text)
	line, col := 1, 1
	var tokens []token
	at := 0
	advance := func(n int) {
		for ; n > 0; n-- {
			if s[at] == '\n' {
				line, col = line+1, 0
			}
			at, col = at+1, col+1
		}
	}
	for at < len(s) {
		rest := s[at:]
		pos := Pos{line, col}
		switch {
		case unicode.IsSpace(rest[0]):
			advance(1)
		case strings.HasPrefix(string(rest[:min(2, len(rest))]), "//"):
			n := 0
			for n < len(rest) && rest[n] != '\n' {
				n++
			}
			advance(n)
		case strings.HasPrefix(string(rest[:min(2, len(rest))]), "/*"):
			end := strings.Index(string(rest), "*/")
			if end < 0 {
				return nil, fmt.Errorf("%s: comment without an end", pos)
			}
			advance(len([]rune(string(rest)[:end])) + 2)
		case isLetter(rest[0]):
			n := wordLength(rest)
			tokens = append(tokens, token{tokenName, string(rest[:n]), pos})
			advance(n)
		case rest[0] >= '0' && rest[0] <= '9':
			n := 1
			for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
				n++
			}
			if n == 1 && rest[0] == '2' && len(rest) > 1 && isLetter(rest[1]) {
				w := wordLength(rest[1:])
				tokens = append(tokens, token{tokenSend, string(rest[1 : 1+w]), pos})
				advance(1 + w)
				continue
			}
			tokens = append(tokens, token{tokenNumber, string(rest[:n]), pos})
			advance(n)
		default:
			n, sign := 1, string(rest[0])
			for _, candidate := range signs {
				if strings.HasPrefix(string(rest[:min(3, len(rest))]), candidate) {
					n, sign = len(candidate), candidate
					break
				}
			}
			if plain, ok := synonyms[sign]; ok {
				sign = plain
			}
			kind := tokenSign
			if isLetter([]rune(sign)[0]) {
				kind = tokenName
			}
			tokens = append(tokens, token{kind, sign, pos})
			advance(n)
		}
	}
	return append(tokens, token{tokenEnd, "", Pos{line, col}}), nil
}

func isLetter(r rune) bool { return r == '_' || r < 128 && unicode.IsLetter(r) }

func wordLength(s []rune) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}
