package trace

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// tokenKind says what a token of a reading is.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenNumber
	tokenString
	tokenPath
	tokenSign
)

type token struct {
	kind   tokenKind
	text   string
	pos    diag.Pos
	offset int
}

var tokens = []struct {
	kind tokenKind
	re   *regexp.Regexp
}{
	{tokenPath, regexp.MustCompile("^(?:" + ftdp.PathPattern + ")")},
	{tokenString, regexp.MustCompile("^(?:" + ftdp.TextPattern + ")")},
	{tokenNumber, regexp.MustCompile(`^[0-9]+`)},
	{tokenName, regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)},
	{tokenSign, regexp.MustCompile(`^(?::=|\.\.|<->|->|=>|!=|<=|>=|==)`)},
}

var blank = regexp.MustCompile(`^(?:[ \t\r\n\x{feff}]+|//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)+`)

// lex splits a reading, which stands at a place, into tokens. The last one is the end.
func lex(from diag.Pos, text string) []token {
	var list []token
	file, line, col, at := from.File, from.Line, from.Col, 0
	skip := func(n int) {
		part := text[at : at+n]
		if k := strings.Count(part, "\n"); k > 0 {
			line += k
			col = 1
			part = part[strings.LastIndexByte(part, '\n')+1:]
		}
		col += utf8.RuneCountInString(part)
		at += n
	}
	for {
		if m := blank.FindString(text[at:]); m != "" {
			skip(len(m))
		}
		if at == len(text) {
			return append(list, token{tokenEnd, "", diag.Pos{File: file, Line: line, Col: col}, at})
		}
		tok := token{pos: diag.Pos{File: file, Line: line, Col: col}, offset: at}
		for _, t := range tokens {
			if m := t.re.FindString(text[at:]); m != "" {
				tok.kind, tok.text = t.kind, m
				break
			}
		}
		if tok.text == "" {
			_, n := utf8.DecodeRuneInString(text[at:])
			tok.kind, tok.text = tokenSign, text[at:at+n]
		}
		list = append(list, tok)
		skip(len(tok.text))
	}
}
