package reading

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

const tokenPath = scan.Other

type token struct {
	kind   lexer.TokenType
	text   string
	pos    diag.Pos
	offset int
}

var kinds = []scan.Kind{
	{Type: scan.Space, Match: scan.Blank(" \t\r\n\ufeff")},
	{Type: scan.Space, Match: scan.Line("//")},
	{Type: scan.Space, Match: scan.Block("/*", "*/")},
	{Type: tokenPath, Match: ftdp.Path},
	{Type: scan.Text, Match: scan.Quoted},
	{Type: scan.Number, Match: scan.Digits},
	{Type: scan.Name, Match: scan.Word},
	{Type: scan.Sign, Match: scan.Signs(":= .. <-> -> => != <= >= ==")},
	{Type: scan.Sign, Match: scan.Any},
}

// lex splits a reading, which stands at a place, into tokens. The last one is the end.
func lex(from diag.Pos, text string) (list []token) {
	s := scan.At(lexer.Position{Filename: from.File, Line: from.Line, Column: from.Col}, text, kinds)
	for {
		tok, _ := s.Next() // any character is a token
		if tok.Type != scan.Space {
			list = append(list, token{tok.Type, tok.Value, scan.Place(tok.Pos), tok.Pos.Offset})
		}
		if tok.EOF() {
			return list
		}
	}
}
