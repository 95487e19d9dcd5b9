package syntax

import (
	"cmp"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/layout"
	"github.com/tacheck/tacheck/internal/scan"
)

// maxNesting bounds how deeply expressions may nest. It keeps recursion, and
// so memory, bounded on hostile input; the deepest real model nests below 20.
const maxNesting = 500

// maxWord bounds the length of names and numbers.
const maxWord = 1000

// language are the tokens of .ta files.
var language = scan.Language{Names: scan.Symbols, Kinds: []scan.Kind{
	{Type: scan.Space, Match: scan.Blank(" \t\r\n")},
	{Type: scan.Name, Match: scan.Word, Most: maxWord},
	{Match: scan.Joined, Wrong: "a number is followed by a letter: %q (a product is written 2 * n)"},
	{Type: scan.Number, Match: scan.Digits, Most: maxWord},
	{Type: scan.Comment, Match: scan.Line("//")},
	{Type: scan.Comment, Match: scan.Block("/*", "*/")},
	{Match: scan.Prefix("/*"), Wrong: "comment is not closed: no */ follows"},
	{Match: scan.Prefix("+="), Wrong: "unexpected %q" + nextValue},
	{Type: scan.Sign, Match: scan.Signs("-> == != <= >= && || <> [] := ( ) { } [ ] ; : , ' < > ! + - * /")},
	{Match: scan.Prefix("=>"), Wrong: `unexpected %q (did you mean "->"?): at least is >=`},
	{Match: scan.Prefix("="), Wrong: `unexpected %q (did you mean "=="?)`},
	{Match: scan.Prefix("&"), Wrong: `unexpected %q (did you mean "&&"?)`},
	{Match: scan.Prefix("|"), Wrong: `unexpected %q (did you mean "||"?)`},
}}

// scanner returns the tokens of a text, and keeps its comments for the printer.
type scanner struct {
	*scan.Scanner
	comments []Comment
}

func newScanner(name, text string) *scanner {
	return &scanner{Scanner: scan.New(name, text, language.Kinds)}
}

// Next returns the next token. Its errors are *scan.Error.
func (s *scanner) Next() (lexer.Token, error) {
	for {
		tok, err := s.Scanner.Next()
		switch {
		case err == nil && tok.Type == scan.Comment:
			s.comments = append(s.comments, layout.CommentOf(tok))
		case err != nil || tok.Type != scan.Space:
			return tok, err
		}
	}
}

// reserved words begin no section and yet mean something.
var reserved = []string{"when", "do", "unchanged", "ltl", "true", "false"}

// IsName reports whether a word can be declared: it is made of letters, digits
// and underscores, begins with no digit, and is no keyword.
func IsName(word string) bool {
	return scan.IsWord(word) && len(word) <= maxWord && !isKeyword(word) && !slices.Contains(reserved, word)
}

// Letters is a text with underscores in place of what names cannot have.
func Letters(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (scan.IsLetter(byte(r)) || scan.IsDigit(byte(r))) {
			return r
		}
		return '_'
	}, cmp.Or(text, "_"))
}

// Identifier makes a name of a text.
func Identifier(text string) string {
	out := Letters(text)
	if scan.IsDigit(out[0]) {
		out = "_" + out
	}
	if !IsName(out) {
		out += "_"
	}
	return out
}

// Comment is a comment with its delimiters.
type Comment = layout.Comment
