// Package scan splits texts into tokens: the one lexer of all languages of this program. A language is a table of kinds
// of tokens; the first kind of which a text begins with one says what the next token is.
package scan

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
)

// Types of tokens, as participle numbers them (the end of a text is -1). A language numbers its own from Other on down.
const (
	Comment lexer.TokenType = -2 - iota
	Space
	Name
	Number
	Text
	Sign
	Other
)

// Symbols are what grammars of participle call the types.
var Symbols = map[string]lexer.TokenType{"EOF": lexer.EOF, "Comment": Comment, "Space": Space, "Ident": Name,
	"Number": Number, "Text": Text, "Punct": Sign}

// Match is how many bytes the token has that a text begins with, of one kind; 0 if there is none.
type Match func(text string) int

// Kind is a row of the table of a language.
type Kind struct {
	Type  lexer.TokenType
	Match Match
	Most  int    // bytes, if it is not 0
	Wrong string // what is wrong with a text that begins so, %q being what is matched; "" for tokens
}

// Error is what is wrong with a text; participle takes it for one of its own.
type Error struct {
	Pos   lexer.Position
	Width int
	Msg   string
}

func (e *Error) Error() string            { return e.Pos.String() + ": " + e.Msg }
func (e *Error) Message() string          { return e.Msg }
func (e *Error) Position() lexer.Position { return e.Pos }

// Place is a position of a token as messages have it.
func Place(p lexer.Position) diag.Pos { return diag.Pos{File: p.Filename, Line: p.Line, Col: p.Column} }

// Scanner reads a text from left to right.
type Scanner struct {
	Pos   lexer.Position // of what comes next, in characters
	text  string         // from there on
	kinds []Kind
}

// New begins at the beginning of a text, behind a byte order mark.
func New(file, text string, kinds []Kind) *Scanner {
	rest := strings.TrimPrefix(text, "\ufeff")
	return At(lexer.Position{Filename: file, Offset: len(text) - len(rest), Line: 1, Column: 1}, rest, kinds)
}

// At begins with a text that stands at a place.
func At(pos lexer.Position, text string, kinds []Kind) *Scanner { return &Scanner{pos, text, kinds} }

// Next returns the next token. Its error is an *Error; what is behind it can be read on.
func (s *Scanner) Next() (lexer.Token, error) {
	if s.text == "" {
		return lexer.Token{Type: lexer.EOF, Pos: s.Pos}, nil
	}
	for i := range s.kinds {
		k := &s.kinds[i]
		n := k.Match(s.text)
		if n == 0 {
			continue
		}
		tok := s.take(k.Type, n)
		switch {
		case k.Wrong != "":
			return tok, wrong(tok, utf8.RuneCountInString(tok.Value), "%s",
				strings.ReplaceAll(k.Wrong, "%q", strconv.Quote(tok.Value)))
		case k.Most > 0 && n > k.Most:
			return tok, wrong(tok, 1, "a name or number is longer than %d characters", k.Most)
		}
		return tok, nil
	}
	r, n := utf8.DecodeRuneInString(s.text)
	switch tok := s.take(Other, n); {
	case r == 0:
		return tok, wrong(tok, 1, "NUL byte: this is not a text file")
	case r == utf8.RuneError && n == 1:
		return tok, wrong(tok, 1, "byte 0x%02x is not valid UTF-8: is this a text file?", tok.Value[0])
	default:
		return tok, wrong(tok, 1, "unexpected character %q", r)
	}
}

func (s *Scanner) take(t lexer.TokenType, n int) lexer.Token {
	tok := lexer.Token{Type: t, Value: s.text[:n], Pos: s.Pos}
	s.text = s.text[n:]
	s.Pos.Advance(tok.Value)
	return tok
}

func wrong(at lexer.Token, width int, format string, args ...any) error {
	return &Error{at.Pos, width, fmt.Sprintf(format, args...)}
}

// Language is a table with what grammars of participle call its types of tokens.
type Language struct {
	Kinds []Kind
	Names map[string]lexer.TokenType
}

func (l Language) Symbols() map[string]lexer.TokenType { return l.Names }

func (l Language) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	return New(name, string(text), l.Kinds), err
}

// LexString returns all tokens of a text, comments and space among them.
func (l Language) LexString(name, text string) (lexer.Lexer, error) {
	return New(name, text, l.Kinds), nil
}

// Tokens yields the tokens of a text, comments and space among them, up to what is wrong.
func (l Language) Tokens(name, text string) iter.Seq[lexer.Token] {
	return func(yield func(lexer.Token) bool) {
		s := New(name, text, l.Kinds)
		for tok, err := s.Next(); err == nil && !tok.EOF() && yield(tok); tok, err = s.Next() {
		}
	}
}

// Any matches a character, whatever it is.
func Any(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// While matches characters of some kind.
func While(in func(byte) bool) Match {
	return func(text string) (n int) {
		for n < len(text) && in(text[n]) {
			n++
		}
		return n
	}
}

func IsLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func IsDigit(c byte) bool  { return '0' <= c && c <= '9' }

// Alphanumeric matches letters, digits and underscores.
var Alphanumeric = While(func(c byte) bool { return IsLetter(c) || IsDigit(c) })

// Digits matches a number.
var Digits = While(IsDigit)

// Word matches a name: letters, digits and underscores that begin with no digit.
func Word(text string) int {
	if text == "" || !IsLetter(text[0]) {
		return 0
	}
	return Alphanumeric(text)
}

// IsWord reports whether a text is one.
func IsWord(text string) bool { return text != "" && Word(text) == len(text) }

// Joined matches a number and the letter that stands behind it.
func Joined(text string) int {
	if n := Digits(text); n > 0 && n < len(text) && IsLetter(text[n]) {
		return n + 1
	}
	return 0
}

// OneOf matches one of some words, as a whole.
func OneOf(words []string) Match {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return func(text string) int {
		if n := Word(text); set[text[:n]] {
			return n
		}
		return 0
	}
}

// Blank matches characters of a set.
func Blank(set string) Match {
	return func(text string) int { return len(text) - len(strings.TrimLeft(text, set)) }
}

// Prefix matches the first of some texts that is there.
func Prefix(list ...string) Match {
	return func(text string) int {
		for _, s := range list {
			if strings.HasPrefix(text, s) {
				return len(s)
			}
		}
		return 0
	}
}

// Signs is Prefix of a list with spaces in between, in which a sign stands before those that it begins with.
func Signs(list string) Match { return Prefix(strings.Fields(list)...) }

// Line matches what begins so, to the end of the line.
func Line(begin string) Match {
	return func(text string) int {
		if !strings.HasPrefix(text, begin) {
			return 0
		}
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			return n
		}
		return len(text)
	}
}

// Block matches what begins and ends so.
func Block(begin, end string) Match {
	return func(text string) int {
		if rest, is := strings.CutPrefix(text, begin); is {
			if n := strings.Index(rest, end); n >= 0 {
				return len(begin) + n + len(end)
			}
		}
		return 0
	}
}

// Nested is Block, where what begins inside ends inside.
func Nested(begin, end string) Match {
	return func(text string) int {
		for n, depth := 0, 0; n < len(text); {
			switch rest := text[n:]; {
			case strings.HasPrefix(rest, begin):
				depth, n = depth+1, n+len(begin)
			case n == 0:
				return 0
			case strings.HasPrefix(rest, end):
				if depth, n = depth-1, n+len(end); depth == 0 {
					return n
				}
			default:
				n++
			}
		}
		return 0
	}
}

// Quoted matches a text in quotes, on one line, in which a backslash takes what is behind it.
func Quoted(text string) int {
	if text[0] != '"' {
		return 0
	}
	for n := 1; n < len(text) && text[n] != '\n'; n++ {
		switch text[n] {
		case '"':
			return n + 1
		case '\\':
			if n++; n < len(text) && text[n] == '\n' {
				return 0
			}
		}
	}
	return 0
}
