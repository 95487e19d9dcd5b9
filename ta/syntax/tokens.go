package syntax

import (
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/scan"
)

// Tokens lists the words, operators and comments of a text, up to the first character that does
// not belong into a model.
func Tokens(name, text string) []index.Token {
	s := newScanner(name, text)
	var list []index.Token
	for {
		tok, err := s.Next()
		for _, c := range s.comments {
			list = append(list, index.Token{Pos: diag.Pos{File: name, Line: c.Line, Col: c.Col}, Text: c.Text,
				Class: index.Comment})
		}
		s.comments = nil
		if err != nil || tok.Type == lexer.EOF {
			return list
		}
		class := index.Operator
		switch {
		case tok.Type == scan.Number:
			class = index.Number
		case tok.Type == scan.Name && IsName(tok.Value):
			class = index.Name
		case tok.Type == scan.Name:
			class = index.Keyword
		}
		list = append(list, index.Token{Pos: scan.Place(tok.Pos), Text: tok.Value, Class: class})
	}
}

// begins reports whether a text is how a model can begin, as far as the grammar goes.
func begins(text string) bool {
	lex, err := lexer.Upgrade(newScanner("", text))
	if err != nil {
		return false
	}
	_, err = fileParser().ParseFromLexer(lex)
	return index.Reaches(err, len(strings.TrimRight(text, " \t\r\n")))
}

var grammar = index.Grammar{Keywords: append(slices.Clone(keywords), reserved...), Begins: begins, Part: part,
	Context: func(text string) index.Wanted { return index.Wanted{Kinds: kindsAfter(text)} }}

// Next says what can come after a text.
func Next(text string) index.Wanted { return grammar.Next(text) }

// end is where a text ends.
type end struct {
	depth     int      // of braces
	section   string   // the last keyword of one
	words     []string // of the header, and of that section
	statement []string // since the last brace or semicolon
}

func endOf(text string) (e end) {
	var header []string
	for _, t := range Tokens("", text) {
		switch {
		case t.Class == index.Comment:
			continue
		case t.Text == "{":
			e.depth++
		case t.Text == "}":
			e.depth--
		case e.depth == 1 && t.Class == index.Keyword:
			e.section, e.words = t.Text, slices.Clone(header)
		}
		e.words = append(e.words, t.Text)
		if header == nil && e.depth == 1 {
			header = slices.Clone(e.words)
		}
		if e.statement = append(e.statement, t.Text); t.Text == ";" || t.Text == "{" || t.Text == "}" {
			e.statement = nil
		}
	}
	return e
}

// part is the section in which a text ends, or its header.
func part(text string) string { return strings.Join(endOf(text).words, " ") }

var numbers = []index.Kind{index.Parameter, index.Macro, index.Unknown}

// kindsAfter says of what kind a name after a text can be, by the section and the statement in which it stands.
func kindsAfter(text string) []index.Kind {
	e := endOf(text)
	section, depth := e.section, e.depth
	counters := append([]index.Kind{index.Shared, index.Location}, numbers...)
	has := func(word string) bool { return slices.Contains(e.statement, word) }
	switch {
	case depth == 1 && section == "define" && has("=="):
		return counters
	case depth < 2 || section == "locations":
		return nil
	case section == "assumptions":
		return numbers
	case section == "inits", section == "specifications" && has(":"), section == "ltl" && has(":"):
		return counters
	case section != "rules":
		return nil
	case depth == 2 && has("when"):
		return append([]index.Kind{index.Shared}, numbers...)
	case depth == 2 && has(":"):
		return []index.Kind{index.Location}
	case depth == 3 && (has("==") || has(":=")):
		return append([]index.Kind{index.Shared}, numbers...)
	case depth == 3:
		return []index.Kind{index.Shared}
	}
	return nil
}
