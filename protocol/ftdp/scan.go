package ftdp

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/index"
)

// Types of tokens, as participle numbers them (the end of the text is -1).
const (
	tokComment lexer.TokenType = -2 - iota
	tokSpace
	tokKeyword
	tokText // in readings of logs, as paths
	tokPath
	tokOut // 2acceptor: the messages to a role
	tokNumber
	tokIdent
	tokPunct
)

var symbols = map[string]lexer.TokenType{"EOF": lexer.EOF, "Comment": tokComment, "Space": tokSpace,
	"Keyword": tokKeyword, "Text": tokText,
	"Path": tokPath, "Out": tokOut, "Number": tokNumber, "Ident": tokIdent, "Punct": tokPunct}

var keywordSet = func() map[string]bool {
	m := map[string]bool{}
	for _, word := range Keywords {
		m[word] = true
	}
	return m
}()

// signs of more than one character; one begins with none that stands behind it.
var signs = []string{"<->", ":=", "+=", "-=", "..", "->", "=>", "!=", "/=", "<=", ">=", "==", "&&", "||", "[]", "<>"}

const oneSign = "-+*/%=<>()[]{};:,.!&|~∧∨⊕¬∀∃≠≥≤⇒→⇔↔⌈⌉⌊⌋∈×·"

// tokens is the definition of the tokens of texts.
type tokens struct{}

var rules tokens

func (tokens) Symbols() map[string]lexer.TokenType { return symbols }

func (t tokens) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return t.LexString(name, string(text))
}

// LexString returns the tokens of a text, comments and white space among them. Their places count characters.
func (tokens) LexString(name, text string) (lexer.Lexer, error) {
	return &scanner{text: text, pos: lexer.Position{Filename: name, Line: 1, Column: 1}}, nil
}

type scanner struct {
	text string // what is left
	pos  lexer.Position
}

// Next returns the next token. Its error, about a character that begins none, is a *lexer.Error.
func (s *scanner) Next() (lexer.Token, error) {
	if s.text == "" {
		return lexer.Token{Type: lexer.EOF, Pos: s.pos}, nil
	}
	typ, n := scan(s.text)
	if n == 0 {
		return lexer.Token{}, &lexer.Error{Msg: "unexpected character", Pos: s.pos}
	}
	tok := lexer.Token{Type: typ, Value: s.text[:n], Pos: s.pos}
	s.text = s.text[n:]
	s.pos.Advance(tok.Value)
	return tok, nil
}

// scan returns the type and the length of the token that a text begins with; its length is 0 if there is none.
func scan(s string) (lexer.TokenType, int) {
	c := s[0]
	switch {
	case isLetter(c):
		n := nameLen(s)
		if keywordSet[s[:n]] {
			return tokKeyword, n
		}
		return tokIdent, n
	case isDigit(c):
		if c == '2' && len(s) > 1 && isLetter(s[1]) {
			return tokOut, 1 + nameLen(s[1:])
		}
		return tokNumber, span(s, isDigit)
	case c == '"':
		return tokText, textLen(s)
	case c == '$':
		return tokPath, pathLen(s)
	case strings.HasPrefix(s, "//"):
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			return tokComment, n
		}
		return tokComment, len(s)
	case strings.HasPrefix(s, "/*"):
		if n := strings.Index(s[2:], "*/"); n >= 0 {
			return tokComment, n + 4
		}
	}
	if n := spaceLen(s); n > 0 {
		return tokSpace, n
	}
	for _, sign := range signs {
		if strings.HasPrefix(s, sign) {
			return tokPunct, len(sign)
		}
	}
	if r, n := utf8.DecodeRuneInString(s); strings.ContainsRune(oneSign, r) && (r != utf8.RuneError || n > 1) {
		return tokPunct, n
	}
	return 0, 0
}

func span(s string, in func(byte) bool) (n int) {
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func nameLen(s string) int { return span(s, func(c byte) bool { return isLetter(c) || isDigit(c) }) }

func spaceLen(s string) (n int) {
	for n < len(s) {
		switch s[n] {
		case ' ', '\t', '\r', '\n':
			n++
		default:
			if !strings.HasPrefix(s[n:], "\ufeff") {
				return n
			}
			n += len("\ufeff")
		}
	}
	return n
}

// textLen is the length of a JSON text on one line, quotes included, or 0.
func textLen(s string) int {
	for n := 1; n < len(s) && s[n] != '\n'; n++ {
		switch s[n] {
		case '"':
			return n + 1
		case '\\':
			n++
			if n < len(s) && s[n] == '\n' {
				return 0
			}
		}
	}
	return 0
}

// pathLen is the length of a path into a line of a log: $name.name."any text".0?, or 0.
func pathLen(s string) int {
	part := func(s string) int {
		switch {
		case s == "":
			return 0
		case s[0] == '"':
			return textLen(s)
		case isLetter(s[0]) || s[0] == '@':
			return span(s, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '@' })
		}
		return 0
	}
	n := part(s[1:])
	if n == 0 {
		return 0
	}
	for n++; n < len(s) && s[n] == '.'; {
		k := part(s[n+1:])
		if k == 0 {
			k = span(s[n+1:], isDigit)
		}
		if k == 0 {
			break
		}
		n += 1 + k
	}
	if n < len(s) && s[n] == '?' {
		n++
	}
	return n
}

// Tokens lists the words, operators and comments of a text, up to the first character that does
// not belong into a protocol. The name of a message that is sent, 2acceptor, is the role's.
func Tokens(name, text string) []index.Token {
	var list []index.Token
	lex, err := rules.LexString(name, text)
	if err != nil {
		return nil
	}
	for {
		tok, err := lex.Next()
		if err != nil || tok.EOF() {
			return list
		}
		t := index.Token{Pos: At(tok.Pos), Text: tok.Value, Class: index.Operator}
		switch tok.Type {
		case symbols["Space"]:
			continue
		case symbols["Comment"]:
			t.Class = index.Comment
		case symbols["Out"]:
			list = append(list, index.Token{Pos: t.Pos, Text: "2", Class: index.Operator})
			t.Pos.Col++
			t.Text, t.Class = tok.Value[1:], index.Name
		case symbols["Ident"]:
			t.Class = index.Name
		case symbols["Keyword"]:
			t.Class = index.Keyword
		case symbols["Number"]:
			t.Class = index.Number
		case symbols["Text"]:
			t.Class = index.Text
		case symbols["Path"]:
			t.Class = index.Directive // what is replaced by a value of the log
		}
		list = append(list, t)
	}
}
