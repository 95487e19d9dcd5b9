package ftdp

import (
	"maps"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/scan"
)

// Types of tokens beside those of package scan.
const (
	tokKeyword = scan.Other - iota
	tokPath    // in readings of logs
	tokOut     // 2acceptor: the messages to a role
)

var rules = scan.Language{
	Names: func() map[string]lexer.TokenType {
		m := maps.Clone(scan.Symbols)
		maps.Copy(m, map[string]lexer.TokenType{"Keyword": tokKeyword, "Path": tokPath, "Out": tokOut})
		return m
	}(),
	Kinds: []scan.Kind{
		{Type: scan.Space, Match: scan.Blank(" \t\r\n\ufeff")},
		{Type: tokKeyword, Match: scan.OneOf(Keywords)},
		{Type: scan.Name, Match: scan.Word},
		{Type: tokOut, Match: func(s string) int {
			if n := 0; s[0] == '2' {
				if n = scan.Word(s[1:]); n > 0 {
					return 1 + n
				}
			}
			return 0
		}},
		{Match: decimal, Wrong: "numbers are whole, and %q is not"},
		{Type: scan.Number, Match: scan.Digits},
		{Type: scan.Text, Match: scan.Quoted},
		{Type: tokPath, Match: Path},
		{Type: scan.Comment, Match: scan.Line("//")},
		{Type: scan.Comment, Match: scan.Block("/*", "*/")},
		{Match: scan.Prefix("/*"), Wrong: "comment is not closed: no */ follows"},
		{Type: scan.Sign, Match: scan.Signs("<-> := += -= .. -> => != /= <= >= == && || [] <> " +
			"- + * / % = < > ( ) [ ] { } ; : , . ! & | ~ ∧ ∨ ⊕ ¬ ∀ ∃ ≠ ≥ ≤ ⇒ → ⇔ ↔ ⌈ ⌉ ⌊ ⌋ ∈ × ·")},
		{Match: scan.Prefix("#"),
			Wrong: "unexpected character '#': != compares, comments begin with //, and the size of a set is size(s)"},
		{Match: scan.Prefix("∪"), Wrong: "unexpected character '∪': write union(s, t)"},
		{Match: scan.Prefix("∩"), Wrong: "unexpected character '∩': write intersection(s, t)"},
		{Match: scan.Prefix("'"), Wrong: "unexpected character '\\'': `x := e;` says the next value of x"},
		{Match: scan.Prefix("\\"),
			Wrong: "unexpected character '\\\\': write `and`, `or`, `in`, `forall`, `exists`, `union(s, t)`"},
	}}

// decimal matches a number with digits behind a point.
func decimal(s string) int {
	n := scan.Digits(s)
	if n == 0 || n == len(s) || s[n] != '.' {
		return 0
	}
	if k := scan.Digits(s[n+1:]); k > 0 {
		return n + 1 + k
	}
	return 0
}

var pathWord = scan.While(func(c byte) bool { return scan.IsLetter(c) || scan.IsDigit(c) || c == '@' })

// Path matches a path into a line of a log: $name.name."any text".0?
func Path(s string) int {
	part := func(s string) int {
		switch {
		case s == "" || scan.IsDigit(s[0]):
			return 0
		case s[0] == '"':
			return scan.Quoted(s)
		}
		return pathWord(s)
	}
	n := 0
	if s[0] == '$' {
		n = part(s[1:])
	}
	if n == 0 {
		return 0
	}
	for n++; n < len(s) && s[n] == '.'; {
		k := max(part(s[n+1:]), scan.Digits(s[n+1:]))
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

// classes are those of tokens that are no operators.
var classes = map[lexer.TokenType]index.Class{scan.Comment: index.Comment, scan.Name: index.Name, tokOut: index.Name,
	tokKeyword: index.Keyword, scan.Number: index.Number, scan.Text: index.Text,
	tokPath: index.Directive} // what is replaced by a value of the log

// Tokens lists the words, operators and comments of a text, up to the first character that does
// not belong into a protocol. The name of a message that is sent, 2acceptor, is the role's.
func Tokens(name, text string) (list []index.Token) {
	for tok := range rules.Tokens(name, text) {
		class, known := classes[tok.Type]
		if !known {
			class = index.Operator
		}
		t := index.Token{Pos: scan.Place(tok.Pos), Text: tok.Value, Class: class}
		if tok.Type == tokOut {
			list = append(list, index.Token{Pos: t.Pos, Text: "2", Class: index.Operator})
			t.Pos.Col++
			t.Text = tok.Value[1:]
		}
		if tok.Type != scan.Space {
			list = append(list, t)
		}
	}
	return list
}

var Keywords = []string{"protocol", "const", "channels", "type", "var", "init", "rules", "define", "invariant", "ltl",
	"lemma", "record", "end", "array", "of", "enum", "role", "scalarset", "quorum", "if", "then", "else", "elsif",
	"endif", "for", "do", "endfor", "undefine", "skip", "isundefined", "forall", "exists", "true", "false", "and", "or",
	"not", "bool", "Boolean", "boolean", "ELSE"}

// ofProcesses are words of texts for all sizes that are names elsewhere.
var ofProcesses = []string{"local", "input", "kept", "process", "messages", "parameters", "assume", "faults", "send"}

// ofRules are words that begin what a rule does, and are names elsewhere.
var ofRules = []string{"receive", "maybe", "timeout"}

// ofFormulas are words that mean something in formulas, guards and headings, and are names elsewhere.
var ofFormulas = []string{"heard", "count", "all", "some", "every", "fair", "next", "nothing", "init"}

func Build[T any](lookahead int) *participle.Parser[T] {
	return participle.MustBuild[T](participle.Lexer(rules), participle.Elide("Comment", "Space"),
		participle.UseLookahead(lookahead))
}
