package promela

import (
	"fmt"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
)

// Token types, as participle numbers them (EOF is -1).
const (
	tokIdent lexer.TokenType = -2 - iota
	tokNumber
	tokString
	tokPunct
)

// maxNesting bounds how deeply texts may nest, maxWord how long names and numbers are, and maxWords how many there are:
// time and memory stay bounded on hostile input.
const (
	maxNesting = 200
	maxWord    = 1000
	maxWords   = 200_000 // real models have some thousand
)

// token is a token of the text before it is preprocessed.
type token struct {
	lexer.Token
	spaced bool           // there is space before it, or a comment
	from   lexer.Position // where it is written: of what a macro stands for, in its definition
}

// scan splits a text into lines of tokens; lines that end in a backslash go on. Comments are left out.
func scan(name, text string) ([][]token, error) {
	s := &scanner{name: name, text: text, line: 1, col: 1}
	for s.at < len(text) {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	s.lines = append(s.lines, s.current)
	return s.lines, nil
}

type scanner struct {
	name, text    string
	at, line, col int
	spaced        bool
	current       []token
	words         int
	lines         [][]token
	comments      []index.Token
}

func (s *scanner) pos() diag.Pos { return diag.Pos{File: s.name, Line: s.line, Col: s.col} }

// skip passes over n bytes.
func (s *scanner) skip(n int) {
	for _, r := range s.text[s.at : s.at+n] {
		if r == '\n' {
			s.line++
			s.col = 1
		} else {
			s.col++
		}
	}
	s.at += n
}

// comment passes over a comment of n bytes.
func (s *scanner) comment(n int) {
	s.comments = append(s.comments, index.Token{Pos: s.pos(), Text: s.text[s.at : s.at+n], Class: index.Comment})
	s.skip(n)
}

func (s *scanner) has(prefix string) bool {
	return len(s.text)-s.at >= len(prefix) && s.text[s.at:s.at+len(prefix)] == prefix
}

func (s *scanner) next() error {
	c := s.text[s.at]
	switch {
	case c == '\n':
		s.lines, s.current = append(s.lines, s.current), nil
		s.skip(1)
	case c == ' ' || c == '\t' || c == '\r' || c == '\f':
		s.spaced = true
		s.skip(1)
		return nil
	case s.has("\\\n"):
		s.skip(2)
	case s.has("\\\r\n"):
		s.skip(3)
	case s.has("//"):
		n := 0
		for s.at+n < len(s.text) && s.text[s.at+n] != '\n' {
			n++
		}
		s.comment(n)
	case s.has("/*"):
		start, n := s.pos(), 2
		for ; s.at+n < len(s.text); n++ {
			if s.at+n+1 < len(s.text) && s.text[s.at+n] == '*' && s.text[s.at+n+1] == '/' {
				s.comment(n + 2)
				s.spaced = true
				return nil
			}
		}
		return problem(start, 2, "this comment is not closed")
	default:
		return s.word()
	}
	s.spaced = true
	return nil
}

func (s *scanner) word() error {
	rest := s.text[s.at:]
	n, typ := 0, tokPunct
	switch c := rest[0]; {
	case letter(c):
		n, typ = span(rest, func(c byte) bool { return letter(c) || digit(c) }), tokIdent
	case digit(c):
		n, typ = span(rest, digit), tokNumber
		if n < len(rest) && letter(rest[n]) {
			return problem(s.pos(), n+1, "a number is followed by a letter: %q", rest[:n+1])
		}
	case c == '"':
		for n = 1; ; n++ {
			if n >= len(rest) || rest[n] == '\n' {
				return problem(s.pos(), 1, "this string is not closed")
			}
			if rest[n] == '\\' && n+1 < len(rest) {
				n++
			} else if rest[n] == '"' {
				break
			}
		}
		n, typ = n+1, tokString
	default:
		if n = punct(rest); n == 0 {
			r, size := utf8.DecodeRuneInString(rest)
			if r == 0 || r == utf8.RuneError && size <= 1 {
				return problem(s.pos(), 1, "byte 0x%02x is no text: is this a Promela file?", rest[0])
			}
			return problem(s.pos(), 1, "unexpected character %q", r)
		}
	}
	if typ != tokPunct && typ != tokString && n > maxWord {
		return problem(s.pos(), 1, "a name or number is longer than %d characters", maxWord)
	}
	if s.words++; s.words > maxWords {
		return problem(s.pos(), 1, "the text has more than %d words: no model of processes has so many", maxWords)
	}
	pos := lexer.Position{Filename: s.name, Offset: s.at, Line: s.line, Column: s.col}
	s.current = append(s.current, token{lexer.Token{Type: typ, Value: rest[:n], Pos: pos}, s.spaced, pos})
	s.spaced = false
	s.skip(n)
	return nil
}

// punct returns the length of the operator or bracket that s starts with, or 0.
func punct(s string) int {
	if len(s) >= 3 && s[:3] == "<->" {
		return 3
	}
	if len(s) >= 2 {
		switch s[:2] {
		case "->", "==", "!=", "<=", ">=", "&&", "||", "<>", "[]", "::", "++", "--", "##", "<<", ">>":
			return 2
		}
	}
	switch s[0] {
	case '(', ')', '{', '}', '[', ']', ';', ':', ',', '<', '>', '!', '?', '=', '+', '-', '*', '/', '%', '#', '@', '.',
		'&', '|', '^', '~', '\'':
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

func letter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

func problem(pos diag.Pos, width int, format string, args ...any) error {
	var l diag.List
	l.Add(pos, width, format, args...)
	return l
}

func place(p lexer.Position) diag.Pos {
	return diag.Pos{File: p.Filename, Line: p.Line, Col: p.Column}
}

// tokens is a list of tokens as a lexer.
type tokens struct {
	list  []lexer.Token
	end   lexer.Token
	depth int
}

// Next returns the next token. It refuses statements that nest too deeply; package expr does so for expressions.
func (t *tokens) Next() (lexer.Token, error) {
	if len(t.list) == 0 {
		return t.end, nil
	}
	tok := t.list[0]
	t.list = t.list[1:]
	switch tok.Value {
	case "{", "if", "do":
		t.depth++
	case "}", "fi", "od":
		t.depth--
	}
	if t.depth > maxNesting {
		return tok, &lexer.Error{Msg: fmt.Sprintf("nested more than %d levels deep", maxNesting), Pos: tok.Pos}
	}
	return tok, nil
}
