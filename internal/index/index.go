// Package index is what the editor is told of a text: the names that it declares,
// where they are used and what they mean, and its words for highlighting. The front end of
// each language makes an Index from its own syntax tree; the editor knows no languages.
package index

import (
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// Kind says what a name is; its values are what is shown.
type Kind string

// The kinds of names.
const (
	Model          Kind = "model"
	Parameter      Kind = "parameter"
	Constant       Kind = "constant"
	Unknown        Kind = "unknown coefficient"
	Shared         Kind = "shared variable"
	Location       Kind = "location"
	Rule           Kind = "rule"
	Initial        Kind = "initial state"
	Macro          Kind = "macro"
	MacroParameter Kind = "parameter of a macro"
	Definition     Kind = "definition"
	Type           Kind = "type"
	Message        Kind = "type of messages"
	MessageKind    Kind = "kind of messages"
	Role           Kind = "role"
	States         Kind = "states of a role"
	Field          Kind = "field"
	Value          Kind = "value"
	Process        Kind = "process"
	Variable       Kind = "variable"
	Bound          Kind = "bound variable"
	Label          Kind = "label"
	Proposition    Kind = "proposition"
	Specification  Kind = "specification"
	Formula        Kind = "formula"
	Fairness       Kind = "fairness assumption"
	Invariant      Kind = "invariant"
	Reading        Kind = "reading of logs"
	BuiltIn        Kind = "word of the language"
)

// Symbol is a declared name.
type Symbol struct {
	Name string
	Kind Kind
	// Pos is where it is declared; not valid for built-in words.
	Pos diag.Pos
	// Uses are its other places, in the order of the text.
	Uses []Use
	// Within is what it belongs to, such as the record of a field; nil for nothing.
	Within *Symbol
	// From and To are where it can be used; not valid for everywhere.
	From, To diag.Pos
	// Value is what it stands for, as it is written; "" if it stands for itself. Of built-in words what they mean.
	Value string
	// About describes it, in Markdown; nil if there is nothing to say beyond its kind and value.
	About func() string
	// Fixed says why it cannot have another name; "" if it can.
	Fixed string
	// Inner names are no part of an outline.
	Inner bool
}

// Use is a place where a name is used. Names are ASCII: a use is as wide as the name.
type Use struct {
	Pos    diag.Pos
	Writes bool // what it stands for is changed there
}

// Class says what a token is.
type Class uint8

// The classes of tokens.
const (
	Name Class = iota // of a symbol, if something is known of it
	Keyword
	Number
	Text
	Operator
	Comment
	Directive // of a preprocessor
)

// Token is a word of the text. Comments may have several lines.
type Token struct {
	Pos   diag.Pos
	Text  string
	Class Class
}

// Index is what there is to know of a text's names.
type Index struct {
	Symbols []*Symbol // in the order of the text, built-in words last
	Tokens  []Token   // in the order of the text
	// Whole: the text is right and everything in it is known. Else there is what could be understood.
	Whole bool
	// Contextual are words of the language where they are no names: they are keywords where no symbol is.
	Contextual []string
	// IsName reports whether a word can be the name of something.
	IsName func(kind Kind, word string) bool

	at map[place]*Symbol
}

type place struct{ line, col int }

func key(p diag.Pos) place { return place{p.Line, p.Col} }

// At returns the symbol whose name covers a place, or touches its end; and where the name begins.
func (x *Index) At(p diag.Pos) (*Symbol, diag.Pos) {
	t, ok := x.tokenAt(p)
	if !ok {
		return nil, p
	}
	return x.at[key(t.Pos)], t.Pos
}

// tokenAt returns the name, keyword or number that covers a place or touches its end.
func (x *Index) tokenAt(p diag.Pos) (Token, bool) {
	i, _ := slices.BinarySearchFunc(x.Tokens, p, func(t Token, p diag.Pos) int {
		if p.Before(t.Pos) {
			return 1
		}
		return -1
	})
	for k := i - 1; k >= 0 && k >= i-2; k-- {
		t := x.Tokens[k]
		if t.Class <= Number && t.Pos.Line == p.Line && p.Col <= t.Pos.Col+len(t.Text) {
			return t, true
		}
	}
	return Token{}, false
}

// Of returns the symbol of a token, or nil.
func (x *Index) Of(t Token) *Symbol { return x.at[key(t.Pos)] }

// Visible reports whether a symbol can be used at a place.
func (s *Symbol) Visible(p diag.Pos) bool {
	return !s.From.IsValid() || !p.Before(s.From) && (!s.To.IsValid() || !s.To.Before(p))
}

// Places lists where the name stands: where it is declared first, if it is.
func (s *Symbol) Places() []diag.Pos {
	var list []diag.Pos
	if s.Pos.IsValid() {
		list = append(list, s.Pos)
	}
	for _, u := range s.Uses {
		list = append(list, u.Pos)
	}
	return list
}

// Described is the text that an editor shows for a symbol, in Markdown.
func (s *Symbol) Described() string {
	if s.About != nil {
		if text := s.About(); text != "" {
			return text
		}
	}
	if s.Kind == BuiltIn {
		return "**" + s.Name + "**: " + s.Value
	}
	text := string(s.Kind) + " **" + s.Name + "**"
	if s.Within != nil {
		text += " of " + s.Within.Name
	}
	if s.Value != "" {
		text += ": `" + s.Value + "`"
	}
	return text
}
