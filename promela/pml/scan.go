package pml

import (
	"errors"
	"fmt"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/scan"
)

// maxNesting bounds how deeply texts may nest, maxWord how long names and numbers are, and maxWords how many there are:
// time and memory stay bounded on hostile input.
const (
	maxNesting = 200
	MaxWord    = 1000
	maxWords   = 200_000 // real models have some thousand
)

const newline = scan.Other

var kinds = []scan.Kind{
	{Type: scan.Space, Match: scan.Blank(" \t\r\f")},
	{Type: newline, Match: scan.Blank("\n")},
	{Type: scan.Name, Match: scan.Word, Most: MaxWord},
	{Match: scan.Joined, Wrong: "a number is followed by a letter: %q"},
	{Type: scan.Number, Match: scan.Digits, Most: MaxWord},
	{Type: scan.Space, Match: scan.Prefix("\\\n", "\\\r\n")}, // lines go on
	{Type: scan.Comment, Match: scan.Line("//")},
	{Type: scan.Comment, Match: scan.Block("/*", "*/")},
	{Match: scan.Prefix("/*"), Wrong: "this comment is not closed"},
	{Type: scan.Text, Match: scan.Quoted},
	{Match: scan.Prefix(`"`), Wrong: "this string is not closed"},
	{Type: scan.Sign, Match: scan.Signs("<-> -> == != <= >= && || <> [] :: ++ -- ## << >> " +
		"( ) { } [ ] ; : , < > ! ? = + - * / % # @ . & | ^ ~ '")},
}

// Token is a token of the text before it is preprocessed.
type Token struct {
	lexer.Token
	spaced bool           // there is space before it, or a comment
	From   lexer.Position // where it is written: of what a macro stands for, in its definition
}

// Scanned splits a text into lines of tokens; lines that end in a backslash go on. With an error, they are those of
// what stands before it.
func Scanned(name, text string) (lines [][]Token, comments []index.Token, err error) {
	s, spaced, words := scan.New(name, text, kinds), false, 0
	lines = [][]Token{nil}
	for {
		tok, err := s.Next()
		var bad *scan.Error
		switch {
		case errors.As(err, &bad):
			return lines, comments, diag.Wrong(scan.Place(bad.Pos), bad.Width, "%s", bad.Msg)
		case tok.Type == lexer.EOF:
			return lines, comments, nil
		case tok.Type == newline:
			lines = append(lines, make([][]Token, len(tok.Value))...)
			spaced = true
		case tok.Type == scan.Space:
			spaced = true
		case tok.Type == scan.Comment:
			comments = append(comments, index.Token{Pos: scan.Place(tok.Pos), Text: tok.Value, Class: index.Comment})
			spaced = true
		default:
			if words++; words > maxWords {
				return lines, comments, diag.Wrong(scan.Place(tok.Pos), 1,
					"the text has more than %d words: no model of processes has so many", maxWords)
			}
			last := len(lines) - 1
			lines[last] = append(lines[last], Token{tok, spaced, tok.Pos})
			spaced = false
		}
	}
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
