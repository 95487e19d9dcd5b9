// Package syntax reads and prints .ta files: text to syntax tree and back. It
// knows the grammar and nothing of what names mean; package ta does.
//
// The grammar of statements is in the tags of the types below (participle's
// notation); that of expressions at Expr.Parse.
package syntax

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
)

// File is a .ta file. Sections may come in any order and more than once.
type File struct {
	Pos      lexer.Position
	Header   string     `parser:"( @Ident"`
	Name     string     `parser:"@Ident? )?"`
	Sections []*Section `parser:"'{' @@*"`
	End      End        `parser:"@@"`

	Comments []Comment // in source order
	Made     bool      // a Builder has made it: it stands in no file
	Remarks  []string  // lines of comment then
}

// End is the brace that closes a file or section.
type End struct {
	Pos   lexer.Position
	Brace string `parser:"@'}'"`
}

// Ident is a name where it is written.
type Ident struct {
	Pos   lexer.Position
	Name  string `parser:"@Ident"`
	Width int    // characters there; 0 for those of the name
}

// Wide is how many characters stand where the name is written, or where what it was made for is.
func (id *Ident) Wide() int { return wide(id.Width, id.Name) }

func wide(width int, name string) int {
	if width > 0 {
		return width
	}
	return len(name)
}

// Position returns where the name is written.
func (id *Ident) Position() diag.Pos { return scan.Place(id.Pos) }

// Section is one declaration or section; exactly one field is set.
type Section struct {
	Pos            lexer.Position
	Local          []*Ident    `parser:"'local' @@ ( ',' @@ )* ';'"`
	Shared         []*Ident    `parser:"| 'shared' @@ ( ',' @@ )* ';'"`
	Parameters     []*Ident    `parser:"| 'parameters' @@ ( ',' @@ )* ';'"`
	Unknowns       []*Ident    `parser:"| 'unknowns' @@ ( ',' @@ )* ';'"`
	Define         *Define     `parser:"| 'define' @@ ';'"`
	Assumptions    *Conditions `parser:"| 'assumptions' @@"`
	Locations      *Locations  `parser:"| 'locations' @@"`
	Inits          *Conditions `parser:"| 'inits' @@"`
	Rules          *Rules      `parser:"| 'rules' @@"`
	Specifications *Specs      `parser:"| ( 'specifications' | 'ltl' ) @@"`
	Rounds         *Rounds     `parser:"| 'rounds' @@"`
}

// Define is a macro.
type Define struct {
	Name  *Ident `parser:"@@ '=='"`
	Value *Expr  `parser:"@@"`
}

// Count is the number in parentheses after a section's name; it means nothing.
type Count struct {
	Number string `parser:"( '(' @Number ')' )?"`
}

// Conditions is a list of conditions, all of which must hold.
type Conditions struct {
	Count Count        `parser:"@@ '{'"`
	List  []*Condition `parser:"@@*"`
	End   End          `parser:"@@"`
}

// Condition is one condition with its semicolon.
type Condition struct {
	Pos  lexer.Position
	Expr *Expr `parser:"@@ ';'"`
}

// Locations declares locations.
type Locations struct {
	Count Count       `parser:"@@ '{'"`
	List  []*Location `parser:"@@*"`
	End   End         `parser:"@@"`
}

// Location is a location with a vector of numbers that document it.
type Location struct {
	Pos    lexer.Position
	Name   *Ident   `parser:"@@"`
	Vector []string `parser:"( ':' '[' ( @Number ( ( ';' | ',' ) @Number )* ( ';' | ',' )? )? ']' )? ';'"`
}

// Rules declares rules.
type Rules struct {
	Count Count   `parser:"@@ '{'"`
	List  []*Rule `parser:"@@*"`
	End   End     `parser:"@@"`
}

// Rule moves a process from one location to another.
type Rule struct {
	Pos     lexer.Position
	ID      string    `parser:"@( Number | Ident ) ':'"`
	From    *Ident    `parser:"@@ '->'"`
	To      *Ident    `parser:"@@"`
	Guard   *Expr     `parser:"( 'when' @@ )?"`
	Actions []*Action `parser:"( 'do' '{' @@*"`
	Close   string    `parser:"@'}' )? ';'?"`
	Width   int       // characters of what it was made for; 0 if it was written where it is
	Remark  string    // a comment that a Builder has made
}

// Wide is how many characters stand where the rule's name is written, or where what it was made for is.
func (r *Rule) Wide() int { return wide(r.Width, r.ID) }

// Action assigns to one shared variable, or says which ones do not change.
type Action struct {
	Pos       lexer.Position
	Unchanged *Unchanged `parser:"( @@"`
	Update    *Update    `parser:"| @@ ) ';'?"`
}

// Unchanged lists shared variables that a rule leaves alone.
type Unchanged struct {
	Keyword string   `parser:"@'unchanged' '('"`
	Names   []*Ident `parser:"( @@ ( ',' @@ )* )? ')'"`
}

// Update is x' == value.
type Update struct {
	Var   *Ident `parser:"@@ \"'\" ( '==' | ':=' )"`
	Value *Expr  `parser:"@@"`
}

// Specs declares specifications.
type Specs struct {
	Count Count   `parser:"@@ '{'"`
	List  []*Spec `parser:"@@*"`
	End   End     `parser:"@@"`
}

// Spec is a named temporal formula.
type Spec struct {
	Name    *Ident `parser:"@@ ':'"`
	Formula *Expr  `parser:"@@ ';'"`
}

// Headers are the words that may stand before an automaton's name.
var Headers = []string{"skel", "thresholdAutomaton", "threshAuto", "ta"}

// fileParser is built when a file is read: it takes some milliseconds.
var fileParser = sync.OnceValue(func() *participle.Parser[File] {
	return participle.MustBuild[File](participle.Lexer(language), participle.UseLookahead(0))
})

// Parse reads the text of a .ta file; name is used in positions. Its error is a diag.List with one problem: reading
// stops at the first that does not fit the grammar. Time and space are linear in the text.
func Parse(name, text string) (*File, error) {
	file, err := Partly(name, text)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Partly is Parse, but for a text that does not fit the grammar it returns what stands before
// that, too: some of it, or nil.
func Partly(name, text string) (*File, error) {
	if strings.TrimSpace(text) == "" {
		return nil, problem(lexer.Position{Filename: name, Line: 1, Column: 1}, 1,
			`the file is empty (expected "ta NAME {")`)
	}
	s := newScanner(name, text)
	lex, err := lexer.Upgrade(s)
	if err != nil {
		return nil, asProblem(name, err)
	}
	file, err := fileParser().ParseFromLexer(lex)
	if err != nil {
		return file, explain(name, text, err)
	}
	if err := file.header(); err != nil {
		return file, err
	}
	file.Comments = s.comments
	return file, nil
}

// header tells a lone name from a lone header word.
func (f *File) header() error {
	known := slices.ContainsFunc(Headers, func(h string) bool { return f.Header == h })
	switch {
	case f.Name == "" && !known:
		f.Header, f.Name = "", f.Header
	case !known:
		return problem(f.Pos, len(f.Header),
			"unknown header %q (expected one of skel, thresholdAutomaton, threshAuto, ta)", f.Header)
	}
	return nil
}

// ParseExpr reads a single expression, as it may stand in a specification.
func ParseExpr(name, text string) (*Expr, error) {
	lex, err := lexer.Upgrade(newScanner(name, text))
	if err != nil {
		return nil, asProblem(name, err)
	}
	var e Expr
	if err := e.Parse(lex); err != nil {
		return nil, asProblem(name, err)
	}
	if tok := lex.Peek(); !tok.EOF() {
		return nil, asProblem(name, unexpected(tok, "the end of the formula"))
	}
	return &e, nil
}

func problem(pos lexer.Position, width int, format string, args ...any) error {
	return diag.Wrong(scan.Place(pos), width, format, args...)
}

func asProblem(name string, err error) error {
	var perr participle.Error
	if !errors.As(err, &perr) {
		return problem(lexer.Position{Filename: name}, 1, "%v", err)
	}
	pos := perr.Position()
	pos.Filename = name
	return problem(pos, 1, "%s", perr.Message())
}

// sections are those that others call so.
var sections = map[string]string{"properties": "specifications", "property": "specifications", "ltl": "specifications",
	"states": "locations", "transitions": "rules", "initial": "inits", "initially": "inits", "variables": "shared",
	"constants": "parameters", "assume": "assumptions"}

// explain turns participle's error into one in the user's terms: it names the unexpected word, says what the grammar
// wanted, and hints at a misspelt keyword or a brace that is missing.
func explain(name, text string, err error) error {
	var unexpectedToken *participle.UnexpectedTokenError
	if !errors.As(err, &unexpectedToken) {
		return asProblem(name, err)
	}
	tok := unexpectedToken.Unexpected
	msg := "unexpected " + describe(&tok)
	at := endOf(text[:tok.Pos.Offset])
	switch want := expectation(unexpectedToken); {
	case tok.EOF():
		msg += `: a "}" or ";" is missing`
	case isKeyword(tok.Value):
		msg += ": " + missingBefore
	case spell.Nearest(tok.Value, keywords) != "" && tok.Type == scan.Name && strings.Contains(want, `"}"`):
		msg += spell.Hint(tok.Value, keywords)
	case words[strings.ToLower(tok.Value)] != "":
		msg += spell.DidYouMean(words[strings.ToLower(tok.Value)])
	case strings.HasPrefix(want, `"'"`):
		msg += nextValue
	case want == `":"` && slices.Contains(at.statement, "->"):
		msg += ": a guard stands behind when, `1: a -> b when (x >= n) do { ... }`"
	case want == `":"` && tok.Value == "->":
		msg += ": a rule has a number or a name, `1: a -> b when ...`"
	case want == `":"` && slices.Equal(at.statement, []string{"when"}):
		msg += ": a rule ends with a semicolon, and none stands before when"
	case at.depth == 1 && sections[tok.Value] != "" && strings.Contains(want, `"}"`):
		msg += spell.DidYouMean(sections[tok.Value])
	case at.depth == 1 && tok.Type == scan.Name && strings.Contains(want, `"}"`):
		msg += ": sections are " + strings.Join(keywords, ", ")
	case tok.Value == "(" && want == `";"`:
		msg += ` (expected ";"): temporal operators are [] (always) and <> (at some time)`
	case want != "":
		msg += " (expected " + want + ")"
	}
	return problem(tok.Pos, len(tok.Value), "%s", msg)
}
