package tla

import (
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
)

// token is a word of a module.
type token struct {
	kind   lexer.TokenType
	text   string
	pos    diag.Pos
	indent int // the column that it has where tabs go on to the next multiple of eight: lists are read by that
}

const ending = scan.Other // of the module

// symbols are the operators that are read, longest first.
var symbols = []string{"<=>", "|->", "]_", "==", "=>", "=<", "<=", ">=", "/=", "/\\", "\\/", "..", "<<", ">>", "->",
	"[]", "<>", "~>",
	"'", "~", "=", "<", ">", "+", "-", "*", "(", ")", "[", "]", "{", "}", ",", ":", "!", "@", ".", "#", "\\"}

// others are symbols of TLA+ that are not read.
var others = []string{"::=", "...", "++", "--", "**", "//", "^^", "%%", "##", "$$", "??", "&&", "||", ":=", ":>", "<:",
	"@@", "|-", "|="}

// words are other ways to write operators.
var words = map[string]string{"land": "/\\", "lor": "\\/", "lnot": "~", "neg": "~", "leq": "<=", "geq": ">=",
	"neq": "#", "exists": "\\E", "forall": "\\A", "cup": "\\union", "cap": "\\intersect", "equiv": "<=>"}

var kinds = []scan.Kind{
	{Type: scan.Space, Match: run("----", '-')},
	{Type: ending, Match: run("====", '=')},
	{Type: scan.Comment, Match: scan.Line("\\*")},
	{Type: scan.Comment, Match: scan.Nested("(*", "*)")},
	{Match: scan.Prefix("(*"), Wrong: "this comment does not end"},
	{Type: scan.Space, Match: scan.Blank(" \t\r\n\f")},
	{Type: scan.Number, Match: func(text string) int {
		if n := scan.Digits(text); n == scan.Alphanumeric(text) {
			return n
		}
		return 0
	}},
	{Type: scan.Name, Match: scan.Alphanumeric},
	{Type: scan.Text, Match: func(text string) int { // on one line, without backslashes
		if n := scan.Quoted(text); !strings.Contains(text[:n], "\\") {
			return n
		}
		return 0
	}},
	{Type: scan.Sign, Match: func(text string) int { // \in
		if text[0] != '\\' || letters(text[1:]) == 0 {
			return 0
		}
		return 1 + letters(text[1:])
	}},
	{Type: scan.Sign, Match: scan.Prefix(slices.Concat(symbols[:2], others, symbols[2:])...)},
	{Type: scan.Sign, Match: scan.Any}, // which none is
}

var letters = scan.While(func(c byte) bool { return c != '_' && scan.IsLetter(c) })

// run matches what begins so, with all that is the same behind it.
func run(begin string, char byte) scan.Match {
	more := scan.While(func(c byte) bool { return c == char })
	return func(text string) int {
		if n := more(text); n >= len(begin) {
			return n
		}
		return 0
	}
}

// title is where a module begins: what stands before it is no part of it.
var title = regexp.MustCompile(`-{4,}[ \t]*MODULE\b`)

// scanned splits the first module of a text into tokens. Its error is a diag.List.
func scanned(file, source string) (list []token, err error) {
	s := scan.New(file, source, kinds)
	if at := title.FindStringIndex(source); at != nil {
		s.Pos.Advance(source[:at[0]])
		s = scan.At(s.Pos, source[at[0]:], kinds)
	}
	begun, indent := false, 1
	for {
		tok, err := s.Next()
		if bad, is := err.(*scan.Error); is && begun {
			return nil, diag.Wrong(scan.Place(tok.Pos), bad.Width, "%s", bad.Msg)
		}
		switch begun = begun || tok.Value == "MODULE"; {
		case tok.EOF() && !begun:
			return nil, diag.Wrong(diag.Pos{File: file, Line: 1, Col: 1}, 1,
				"there is no module (expected `---- MODULE Name ----`)")
		case tok.EOF(), tok.Type == ending && begun:
			return append(list, token{lexer.EOF, "the end of the module", scan.Place(tok.Pos), indent}), nil
		case begun && tok.Type != scan.Space && tok.Type != scan.Comment:
			word := tok.Value
			if other, known := words[strings.TrimPrefix(word, "\\")]; known && tok.Type == scan.Sign {
				word = other
			}
			list = append(list, token{tok.Type, word, scan.Place(tok.Pos), indent})
		}
		for _, r := range tok.Value {
			switch indent++; r {
			case '\n':
				indent = 1
			case '\t':
				indent += 7 - (indent-2)%8
			}
		}
	}
}
