package syntax

import (
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// Token types, as participle numbers them (EOF is -1).
const (
	tokIdent lexer.TokenType = -2 - iota
	tokNumber
	tokPunct
)

// maxNesting bounds how deeply expressions may nest. It keeps recursion, and
// so memory, bounded on hostile input; the deepest real model nests below 20.
const maxNesting = 500

// maxWord bounds the length of names and numbers.
const maxWord = 1000

// definition is the lexer's definition for participle. Ours instead of a regular-expression lexer because it runs in
// one pass over the text, keeps comments for the printer, and refuses what is no text.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{"EOF": lexer.EOF, "Ident": tokIdent, "Number": tokNumber, "Punct": tokPunct}
}

func (definition) Lex(filename string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newScanner(filename, string(text)), nil
}

// scanner turns text into tokens.
type scanner struct {
	text     string
	pos      lexer.Position
	comments []Comment
}

func newScanner(filename, text string) *scanner {
	s := &scanner{text: text, pos: lexer.Position{Filename: filename, Line: 1, Column: 1}}
	if len(text) >= 3 && text[:3] == "\ufeff" {
		s.pos.Offset = 3
	}
	return s
}

// Next returns the next token. Its errors are *lexer.Error.
func (s *scanner) Next() (lexer.Token, error) {
	if err := s.skip(); err != nil {
		return lexer.Token{}, err
	}
	start := s.pos
	if start.Offset == len(s.text) {
		return lexer.Token{Type: lexer.EOF, Pos: start}, nil
	}
	rest := s.text[start.Offset:]
	c := rest[0]
	n, typ := 0, tokPunct
	switch {
	case isLetter(c):
		n, typ = span(rest, func(c byte) bool { return isLetter(c) || isDigit(c) }), tokIdent
	case isDigit(c):
		n, typ = span(rest, isDigit), tokNumber
		if n < len(rest) && isLetter(rest[n]) {
			return lexer.Token{}, s.errorf(start, "a number is followed by a letter: %q", rest[:n+1])
		}
	default:
		if n = punct(rest); n == 0 {
			return lexer.Token{}, s.badCharacter(rest)
		}
	}
	if typ != tokPunct && n > maxWord {
		return lexer.Token{}, s.errorf(start, "a name or number is longer than %d characters", maxWord)
	}
	tok := lexer.Token{Type: typ, Value: rest[:n], Pos: start}
	s.pos.Offset += n
	s.pos.Column += n
	return tok, nil
}

func (s *scanner) errorf(pos lexer.Position, format string, args ...any) error {
	return &lexer.Error{Msg: fmt.Sprintf(format, args...), Pos: pos}
}

func (s *scanner) badCharacter(rest string) error {
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == 0:
		return s.errorf(s.pos, "NUL byte: this is not a text file")
	case r == utf8.RuneError && size <= 1:
		return s.errorf(s.pos, "byte 0x%02x is not valid UTF-8: is this a text file?", rest[0])
	case r == '=' || r == '&' || r == '|':
		return s.errorf(s.pos, "unexpected %q (did you mean %q?)", string(r), string(r)+string(r))
	}
	return s.errorf(s.pos, "unexpected character %q", r)
}

// skip moves over white space and comments.
func (s *scanner) skip() error {
	for s.pos.Offset < len(s.text) {
		rest := s.text[s.pos.Offset:]
		switch {
		case rest[0] == '\n':
			s.newline(1)
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			s.pos.Offset++
			s.pos.Column++
		case len(rest) > 1 && rest[:2] == "//":
			n := span(rest, func(c byte) bool { return c != '\n' })
			s.comment(n)
		case len(rest) > 1 && rest[:2] == "/*":
			end := 2
			for end+1 < len(rest) && (rest[end] != '*' || rest[end+1] != '/') {
				end++
			}
			if end+1 >= len(rest) {
				return s.errorf(s.pos, "comment is not closed: no */ follows")
			}
			s.comment(end + 2)
		default:
			return nil
		}
	}
	return nil
}

func (s *scanner) newline(bytes int) {
	s.pos.Offset += bytes
	s.pos.Line++
	s.pos.Column = 1
}

// comment records and skips the n bytes of a comment.
func (s *scanner) comment(n int) {
	text := s.text[s.pos.Offset : s.pos.Offset+n]
	s.comments = append(s.comments, Comment{Offset: s.pos.Offset, Line: s.pos.Line, Col: s.pos.Column, Text: text})
	for _, r := range text {
		if r == '\n' {
			s.pos.Line++
			s.pos.Column = 1
		} else {
			s.pos.Column++
		}
	}
	s.pos.Offset += n
	s.comments[len(s.comments)-1].EndLine = s.pos.Line
}

// punct returns the length of the operator or bracket that s starts with, or 0.
func punct(s string) int {
	if len(s) >= 2 {
		switch s[:2] {
		case "->", "==", "!=", "<=", ">=", "&&", "||", "<>", "[]", ":=":
			return 2
		}
	}
	switch s[0] {
	case '(', ')', '{', '}', '[', ']', ';', ':', ',', '\'', '<', '>', '!', '+', '-', '*', '/':
		return 1
	}
	return 0
}

func span(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// reserved words begin no section and yet mean something.
var reserved = []string{"when", "do", "unchanged", "ltl", "true", "false"}

// IsName reports whether a word can be declared: it is made of letters, digits
// and underscores, begins with no digit, and is no keyword.
func IsName(word string) bool {
	return word != "" && isLetter(word[0]) && len(word) <= maxWord && !isKeyword(word) &&
		!slices.Contains(reserved, word) &&
		span(word, func(c byte) bool { return isLetter(c) || isDigit(c) }) == len(word)
}
