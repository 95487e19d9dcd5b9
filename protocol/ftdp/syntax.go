// Package ftdp is the language FTDP as it is written (Bokor, Serafini, Suri, Veith, ICFEM 2009, with additions:
// docs/protocols.md): tokens (scan.go), sections and statements (syntax.go), expressions (expr.go), the printer
// (print.go). Passes walk trees by visit.go and build them by make.go, where all that is made has a place in the
// text of the user. What names mean is not known here.
package ftdp

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
)

// File is a protocol as it is written. Sections may come in any order and more than once.
type File struct {
	Pos      lexer.Position
	Sections []*Section `parser:"@@*"`

	Tokens []lexer.Token // all of them, comments and white space, too; none of what a pass has made
	made   *making       // nil if it was read
	rounds map[string]OfRound
}

// Section is a declaration or a block of them; one field is set.
type Section struct {
	Pos       lexer.Position
	Protocol  *Ident      `parser:"'protocol' @@ ';'"`
	Consts    []*Const    `parser:"| 'const' ( @@ ';' )+"`
	Channels  *Channels   `parser:"| 'channels' @@ ';'"`
	Types     []*TypeDecl `parser:"| 'type' ( @@ ';'* )+"`
	Vars      []*Decl     `parser:"| 'var' ( @@ ';'* )+"`
	Init      []*Rule     `parser:"| 'init' '[]'* ( @@ '[]'* )+"`
	Rules     []*Rule     `parser:"| 'rules' '[]'* ( @@ '[]'* )+"`
	Define    *Define     `parser:"| 'define' @@ ';'"`
	Invariant *Property   `parser:"| 'invariant' @@ ';'?"`
	LTL       *Property   `parser:"| 'ltl' @@ ';'?"`
	// Of protocols with identities:
	Message  []*MessageDecl `parser:"| 'message' @@ ( ',' @@ )* ';'"`
	Recovery []*Ident       `parser:"| 'recovery' @@ ( ',' @@ )* ';'"`
	Names    *Decl          `parser:"| 'names' @@ ';'"` // of processes
	Lemma    *Property      `parser:"| 'lemma' @@ ';'?"`
	Trace    *TraceBlock    `parser:"| 'trace' @@"`
	// Of protocols for all sizes (source.go):
	Parameters []*Ident    `parser:"| 'parameters' @@ ( ',' @@ )* ';'"`
	Assume     []*Expr     `parser:"| 'assume' @@ ( ',' @@ )* ';'"`
	Faults     *Faults     `parser:"| 'faults' @@ ';'"`
	Messages   []*KindDecl `parser:"| 'messages' @@ ( ',' @@ )* ';'"`
	Starts     []*Expr     `parser:"| 'init' @@ ( ',' @@ )* ';'"`
	Process    *Process    `parser:"| 'process' @@"`
}

// Faults is a fault model, the number of faulty processes, and their types.
type Faults struct {
	Model *Ident   `parser:"@@"`
	Count *Expr    `parser:"@@?"`
	Of    []*Ident `parser:"( 'of' @@ ( ',' @@ )* )?"`
}

// KindDecl is a kind of messages; those of some kinds carry values.
type KindDecl struct {
	Name   *Ident       `parser:"@@"`
	Fields []*KindField `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
}

// MessageDecl is a kind of messages with fields of its own.
type MessageDecl struct {
	Name   *Ident  `parser:"@@"`
	Fields []*Decl `parser:"( '(' @@ ( ( ',' | ';' ) @@ )* ')' )?"`
}

// KindField is a value that messages of a kind carry. Its name is for readers.
type KindField struct {
	Name *Ident    `parser:"( @@ ':' )?"`
	Type *TypeExpr `parser:"@@"`
}

// Process is a type of processes of a protocol for all sizes.
type Process struct {
	Name  *Ident         `parser:"@@"`
	Size  *Expr          `parser:"'[' @@ ']'"`
	Vars  []*ProcessVar  `parser:"@@*"`
	Rules []*ProcessRule `parser:"@@*"`
	End   EndPos         `parser:"@@ 'end'"`
}

// ProcessVar declares variables of a process: inputs begin with any value, others
// with a given one, or the first of the type.
type ProcessVar struct {
	Kept  bool      `parser:"@'kept'?"` // from round to round (rounds.go)
	Kind  string    `parser:"@( 'input' | 'local' )"`
	Names []*Ident  `parser:"@@ ( ',' @@ )* ':'"`
	Type  *TypeExpr `parser:"@@"`
	First *Expr     `parser:"( '=' @@ )? ';'"`
}

// ProcessRule is what a process does; what it may do, it need not do.
type ProcessRule struct {
	Pos    lexer.Position
	Params []*Param     `parser:"( '[]'* '(' @@ ( ',' @@ )* ')' )*"`
	Always bool         `parser:"@'always'?"` // in rounds that are over, too
	Maybe  bool         `parser:"@'maybe'?"`
	Late   bool         `parser:"( @'timeout' (?! ':' ) )?"` // not in good rounds
	Label  *Ident       `parser:"@@ ':'"`
	Body   []*Statement `parser:"@@+"`
}

// Ident is a name where it is written.
type Ident struct {
	Pos  lexer.Position
	Name string `parser:"@Ident"`
}

// Const is a constant with its default.
type Const struct {
	Name  *Ident `parser:"@@ ( '=' | ':=' )"`
	Value *Expr  `parser:"@@"`
}

// Channels is the model of channels: one word of each kind.
type Channels struct {
	Words []*ChannelWord `parser:"( @@ ','? )+"`
}

// ChannelWord is a property of channels; bounded has a number.
type ChannelWord struct {
	Bound *Sum   `parser:"( 'bounded' @@"`
	Name  *Ident `parser:"| @@ )"`
}

// TypeDecl names a type.
type TypeDecl struct {
	Name *Ident    `parser:"@@ ':'"`
	Role *Expr     `parser:"( ( 'role' | 'scalarset' ) '[' @@ ']'"`
	Type *TypeExpr `parser:"| @@ )"`
}

// TypeExpr is a type; one field is set.
type TypeExpr struct {
	Pos    lexer.Position
	Bool   bool        `parser:"( @( 'bool' | 'Boolean' | 'boolean' )"`
	Record *RecordType `parser:"| @@"`
	Array  *ArrayType  `parser:"| 'array' @@"`
	Seq    *SeqType    `parser:"| 'seq' @@"`
	Set    *TypeExpr   `parser:"| 'set' 'of' @@"`
	Enum   []*Ident    `parser:"| 'enum' '{' @@ ( ',' @@ )* '}'"`
	Range  *RangeType  `parser:"| @@ )"`
}

// RecordType lists fields.
type RecordType struct {
	Fields []*Decl `parser:"'record' ( @@ ';'* )*"`
	End    EndPos  `parser:"@@ 'end'"`
}

// ArrayType is an array over a role or a range.
type ArrayType struct {
	Index *TypeExpr `parser:"'[' @@ ']' 'of'"`
	Of    *TypeExpr `parser:"@@"`
}

// SeqType is a sequence of at most Max elements.
type SeqType struct {
	Max *Expr     `parser:"'[' @@ ']' 'of'"`
	Of  *TypeExpr `parser:"@@"`
}

// RangeType is a range of numbers, or (without To) a named type.
type RangeType struct {
	From *Sum `parser:"@@"`
	To   *Sum `parser:"( '..' @@ )?"`
}

// Decl declares variables of one type. Those of processes that restart keep
// what is stable, others begin again with First, or with nothing.
type Decl struct {
	Stable bool      `parser:"( @'stable' (?! ':' | ',' ) )?"`
	Names  []*Ident  `parser:"@@ ( ',' @@ )* ':'"`
	Type   *TypeExpr `parser:"@@"`
	First  *Expr     `parser:"( '=' @@ )?"`
}

// Rule is a transition, or an initial state, for all values of its parameters. An inner one says that it receives
// nothing.
type Rule struct {
	Pos    lexer.Position
	Params []*Param     `parser:"( '[]'* '(' @@ ( ',' @@ )* ')' )*"`
	Else   bool         `parser:"( @'ELSE'"`
	Byz    bool         `parser:"| @'byz'?"`
	Maybe  bool         `parser:"( @'maybe' (?! ':' ) )?"`
	Label  *Ident       `parser:"@@ ':'"`
	Inner  bool         `parser:"( 'receive' @'nothing' (?! 'from' | '(' )"`
	Head   *Receive     `parser:"| 'receive' @@ )?"`
	Body   []*Statement `parser:"@@* )"`
	End    EndPos       `parser:"@@"`
}

// Receive is the head of a rule that receives messages of one kind: names for its
// fields, and the sender, or a quorum of them.
type Receive struct {
	Kind   *Ident    `parser:"@@"`
	Fields []*Ident  `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	From   *Ident    `parser:"'from' @@"`
	Quorum *Quorum   `parser:"( ':' ( @@"`
	Role   *TypeExpr `parser:"| @@ ) )?"`
}

// EndPos is where something ends.
type EndPos struct{ Offset int }

// Parse looks where the next token is.
func (e *EndPos) Parse(lex *lexer.PeekingLexer) error {
	e.Offset = lex.Peek().Pos.Offset
	return nil
}

// Param is a parameter of a rule: of a type, or a quorum of a role.
type Param struct {
	Name   *Ident    `parser:"@@ ':'"`
	Quorum *Quorum   `parser:"( @@"`
	Type   *TypeExpr `parser:"| @@ )"`
}

// Quorum is a set of processes of a role: of a size, or at least that size.
type Quorum struct {
	Pos     lexer.Position
	AtLeast bool   `parser:"'quorum' '[' @'>='?"`
	Size    *Expr  `parser:"@@ ']' 'of'"`
	Role    *Ident `parser:"@@"`
}

// Statement is a statement; one field is set.
type Statement struct {
	Pos      lexer.Position
	Sep      string  `parser:"( @';'"`
	If       *If     `parser:"| 'if' @@"`
	For      *For    `parser:"| 'for' @@"`
	Undefine *Expr   `parser:"| 'undefine' @@"`
	Skip     bool    `parser:"| @'skip'"`
	Send     *Send   `parser:"| @@"`
	Let      *Let    `parser:"| 'let' @@"`
	Assign   *Assign `parser:"| @@"`
	Next     bool    `parser:"| @'next'"` // the round is over
	Toss     *Ident  `parser:"| 'toss' @@"`
	Coin     *Coin   `parser:"| 'coin' @@ )"`
}

// Coin reads the common coin of a round, which is unknown until so many processes have asked for it.
type Coin struct {
	Var   *Ident `parser:"@@"`
	After *Expr  `parser:"( 'after' @@ )?"`
}

// Send sends a message to all processes; in protocols with identities to those that To says.
type Send struct {
	Kind   *Ident  `parser:"'send' @@"`
	Values []*Expr `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	To     *To     `parser:"( 'to' @@ )?"`
}

// To says who gets a message: all or the others (of a role), a process, or a set of them.
type To struct {
	Pos  lexer.Position
	All  string `parser:"( @( 'all' | 'others' ) (?! '.' | '[' )"`
	Role *Ident `parser:"( 'of' @@ )?"`
	Who  *Expr  `parser:"| @@ )"`
}

// Let names a value for the rest of a block.
type Let struct {
	Name  *Ident `parser:"@@ '='"`
	Value *Expr  `parser:"@@"`
}

// If chooses between statements. Guards has one more condition for every elsif.
type If struct {
	Guards []*Expr    `parser:"@@"`
	Thens  []*Block   `parser:"'then' @@"`
	Elsif  []*Elsif   `parser:"@@*"`
	Else   *ElseBlock `parser:"@@?"`
	End    EndPos     `parser:"@@ 'endif'"`
}

// Elsif is a further condition.
type Elsif struct {
	Pos   lexer.Position
	Guard *Expr  `parser:"'elsif' @@"`
	Then  *Block `parser:"'then' @@"`
}

// ElseBlock is what happens if no condition holds.
type ElseBlock struct {
	Pos  lexer.Position
	Body *Block `parser:"'else' @@"`
}

// Block is a list of statements.
type Block struct {
	List []*Statement `parser:"@@*"`
}

// For repeats statements for all values of a type.
type For struct {
	Var  *Ident    `parser:"@@ ':'"`
	Type *TypeExpr `parser:"@@ 'do'"`
	Body *Block    `parser:"@@"`
	End  EndPos    `parser:"@@ 'endfor'"`
}

// Assign changes a variable.
type Assign struct {
	Place *Place `parser:"@@"`
	Op    string `parser:"@( ':=' | '+=' | '-=' )"`
	Value *Expr  `parser:"@@"`
}

// Define names an expression.
type Define struct {
	Name   *Ident   `parser:"@@"`
	Params []*Param `parser:"( '(' @@ ( ( ',' | ')' '(' ) @@ )* ')' )?"`
	Value  *Expr    `parser:"( '=' | ':=' ) @@"`
}

// Property is a named invariant or formula.
type Property struct {
	Name    *Ident  `parser:"@@"`
	Fair    *Fair   `parser:"( 'fair' @@ )?"`
	Almost  *Almost `parser:"( 'almost' @@ )?"`
	Good    bool    `parser:"( @'eventually' 'good' )?"`    // of runs whose rounds are good at last
	After   *Expr   `parser:"( 'after' @@ 'rounds' )? ':'"` // how many rounds
	Formula *Expr   `parser:"@@"`
	End     *EndPos `parser:"@@"`

	Rounds *Expr // how many; Formula is about several rounds then
	Stated *Expr // what the user has written in place of Formula then
}

// Almost says that something happens with probability one, and against whom.
type Almost struct {
	Word string   `parser:"@'surely'"`
	How  []string `parser:"( @'unseen' | @'in' @'order' )?"`
}

// Fair lists the rules that are treated weakly fairly; none means all of them.
type Fair struct {
	Rules []*Ident `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
}

// maxText bounds the size of a text, maxNesting how deeply what is in it may nest.
const (
	MaxText    = 4 << 20
	maxNesting = 300
)

// Parse reads a text. Its error is a diag.List.
func Parse(name, text string) (*File, error) {
	if len(text) > MaxText {
		return nil, diag.Wrong(diag.Pos{File: name, Line: 1, Col: 1}, 1, "the text is larger than %d bytes", MaxText)
	}
	if err := Nesting(name, text); err != nil {
		return nil, err
	}
	file, err := Parser().ParseString(name, text)
	if err == nil {
		if len(file.Sections) == 0 {
			return nil, diag.Wrong(diag.Pos{File: name, Line: 1, Col: 1}, 1,
				"the file is empty (expected a protocol: type, var, init, rules)")
		}
		file.Tokens, err = allTokens(name, text)
		return file, err
	}
	perr, ok := err.(participle.Error)
	if _, bad := err.(*scan.Error); bad || !ok {
		return nil, unread(name, text, err)
	}
	if _, nested := err.(*tooDeep); nested {
		return nil, diag.Wrong(scan.Place(perr.Position()), 1, "%s", perr.Message())
	}
	perr = deepest(name, text, file, perr)
	if word, ok := reservedName(name, text, perr.Position().Offset); ok {
		if form := named[word.Value]; form != "" {
			return nil, diag.Wrong(scan.Place(word.Pos), len(word.Value), "the name is missing: `%s`", form)
		}
		if slices.Contains([]string{"else", "then", "do"}, word.Value) {
			return nil, diag.Wrong(scan.Place(word.Pos), len(word.Value), "%q stands without a colon", word.Value)
		}
		return nil, diag.Wrong(scan.Place(word.Pos), len(word.Value), "%q is a reserved word: take another name",
			word.Value)
	}
	return nil, misread(name, text, perr)
}

// ReadExpr reads a text that is one expression. Its error is a diag.List.
func ReadExpr(name, text string) (*Expr, error) { return readExpr[Expr](name, text, exprOnly) }

// ReadAsked is ReadExpr of what people ask, who may say of which round something is: REPORT(0) of round 1.
func ReadAsked(name, text string) (*Expr, error) {
	e, err := readExpr[asked](name, text, askedOnly)
	if err != nil {
		return nil, err
	}
	return &e.Expr, nil
}

func readExpr[E any](name, text string, parser func() *participle.Parser[exprText[E]]) (*E, error) {
	if err := Nesting(name, text); err != nil {
		return nil, err
	}
	e, err := parser().ParseString(name, text)
	if err != nil {
		return nil, unread(name, text, err)
	}
	return e.Expr, nil
}

// unread is the problem of a text that could not be read.
func unread(name, text string, err error) error {
	if bad, is := err.(*scan.Error); is {
		return diag.Wrong(scan.Place(bad.Pos), bad.Width, "%s", bad.Msg)
	}
	if perr, ok := err.(participle.Error); ok {
		return misread(name, text, perr)
	}
	return err
}

// ReadExprAt reads an expression that stands at a place of some text.
func ReadExprAt(at diag.Pos, text string) (*Expr, error) { return ReadExpr(at.File, before(at)+text) }

// ReadTypeAt reads a type that stands at a place of some text.
func ReadTypeAt(at diag.Pos, text string) (*TypeExpr, error) {
	e, err := typeOnly().ParseString(at.File, before(at)+text)
	if err != nil {
		return nil, asProblem(err)
	}
	return e.Type, nil
}

// before is white space up to a place.
func before(at diag.Pos) string {
	return strings.Repeat("\n", max(0, at.Line-1)) + strings.Repeat(" ", max(0, at.Col-1))
}

// misread is the problem where a text could not be read on.
func misread(name, text string, perr participle.Error) error {
	pos := scan.Place(perr.Position())
	msg, width, unexpected := perr.Message(), 1, ""
	behind, before := wordsBefore(name, text, perr.Position().Offset)
	if e, ok := perr.(*unexpectedToken); ok {
		unexpected = e.token
	}
	if ut, ok := perr.(*participle.UnexpectedTokenError); ok {
		width, unexpected = max(1, len([]rune(ut.Unexpected.Value))), ut.Unexpected.Value
		if ut.Unexpected.Type == scan.Name {
			if behind == "send" {
				before = behind
			}
			switch known := slices.Contains(ofProcesses, ut.Unexpected.Value); {
			case !strings.Contains(msg, " (expected "):
				msg += noSection(ut.Unexpected.Value)
			case !known:
				msg += spell.Hint(ut.Unexpected.Value, slices.Concat(Keywords, []string{"fair"}))
			}
		}
		advised, _ := advice(name, text, unexpected, before, msg, perr.Position().Offset)
		if advised == "" && before != "" && !strings.Contains(msg, "did you mean") {
			again := regexp.MustCompile(`\b` + regexp.QuoteMeta(before) + `\b`) // it has another meaning elsewhere
			near := spell.Nearest(before, slices.Concat(Keywords, ofProcesses, ofRules))
			if near != "" && len(again.FindAllString(text, 2)) < 2 {
				msg += fmt.Sprintf("; did you mean %q before it, not %q?", near, before)
			}
		}
		if ut.Unexpected.Type == tokKeyword && strings.Contains(inWords.Replace(msg), "expected a name") {
			msg += ": it is a reserved word"
		}
	}
	return wrong(name, text, unexpected, before, msg, pos, perr.Position().Offset, width)
}

// noSection is what to write in place of a name where a section begins.
func noSection(word string) string {
	var begins []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Section]()) {
		if m := sectionWord.FindStringSubmatch(f.Tag.Get("parser")); m != nil && !slices.Contains(begins, m[1]) {
			begins = append(begins, m[1])
		}
	}
	if hint := spell.Hint(word, begins); hint != "" {
		return hint
	}
	return sectionsBegin + strings.Join(begins, ", ")
}

var sectionWord = regexp.MustCompile(`^[| ]*'(\w+)'`)

// wordsBefore returns the name before an offset, or the [] that begins a rule, and the word before that one.
func wordsBefore(name, text string, offset int) (behind, last string) {
	for tok := range rules.Tokens(name, text) {
		if tok.Pos.Offset >= offset {
			break
		}
		switch tok.Type {
		case scan.Comment, scan.Space:
		case scan.Name:
			behind, last = last, tok.Value
		default:
			if behind, last = "", ""; tok.Value == "[]" || tok.Value == "send" {
				last = tok.Value
			}
		}
	}
	return behind, last
}

// MaxNumber is the greatest number that can be written.
const MaxNumber = math.MaxInt32 / 4

// Nesting refuses statements, types and rows of [] that would recurse too deeply (package expr bounds expressions), and
// numbers that are too large.
func Nesting(name, text string) error {
	blocks, types, boxes := 0, 0, 0             // boxes: how often [] stands in a row
	for tok := range rules.Tokens(name, text) { // what is wrong in these, the parser says
		switch tok.Type {
		case scan.Space, scan.Comment:
			continue
		case scan.Number:
			if n, err := strconv.ParseInt(tok.Value, 10, 32); err != nil || n > MaxNumber {
				return diag.Wrong(scan.Place(tok.Pos), len(tok.Value), "the number is too large: at most %d", MaxNumber)
			}
		}
		if tok.Value == "[]" {
			boxes++
		} else {
			boxes = 0
		}
		switch tok.Value {
		case "if", "for", "record":
			blocks++
		case "endif", "endfor", "end":
			blocks--
		case "array", "set", "seq":
			types++
		case ";":
			types = 0
		case "rules", "init", "invariant", "ltl", "lemma", "define", "type", "var":
			blocks, types = 0, 0
		}
		if max(blocks, types, boxes) > maxNesting {
			return diag.Wrong(scan.Place(tok.Pos), len([]rune(tok.Value)), "nested more than %d levels deep",
				maxNesting)
		}
	}
	return nil
}

// Place is where a name stands.
func (id *Ident) Place() diag.Pos { return scan.Place(id.Pos) }

// Words are all words of the text: no name that is made is one of them.
func (f *File) Words() names.Taken {
	out := names.Taken{}
	if f.made != nil {
		out = f.made.of.Words()
		maps.Copy(out, f.made.names)
	}
	for _, t := range f.Tokens {
		out[t.Value] = true
	}
	return out
}

// Times is how often a word stands in the text of the user.
func (f *File) Times(word string) (n int) {
	for _, t := range f.Written().Tokens {
		if t.Value == word {
			n++
		}
	}
	return n
}

// IsName reports whether a word can be declared.
func IsName(word string) bool {
	list, err := allTokens("", word)
	return err == nil && len(list) == 1 && list[0].Type == scan.Name
}

// Stating is the section with a property, an invariant or a formula, by its name; nil if there is none.
func (f *File) Stating(property string) *Section {
	i := slices.IndexFunc(f.Sections, func(s *Section) bool {
		return s.Invariant != nil && s.Invariant.Name.Name == property || s.LTL != nil && s.LTL.Name.Name == property
	})
	if i < 0 {
		return nil
	}
	return f.Sections[i]
}

// Functions of sequences and sets: names that a text may define otherwise.
var SetWords = []string{"union", "intersection", "difference", "add", "remove"}

var CollectionWords = append([]string{"seq", "append", "slice", "length", "last", "size", "subset"}, SetWords...)

// Updated is the value that a variable gets.
func (a *Assign) Updated() *Expr {
	op := Plus
	switch a.Op {
	case ":=":
		return a.Value
	case "-=":
		op = Sub
	}
	return &Expr{Op: op, Pos: a.Value.Pos, Width: a.Value.Width, Args: []*Expr{&a.Place.Expr, a.Value}}
}

// Parameterized reports whether the text is a protocol for all sizes.
func (f *File) Parameterized() bool {
	return slices.ContainsFunc(f.Sections, func(s *Section) bool { return s.Process != nil || s.Parameters != nil })
}

// Formula returns what a property says.
func (s *Section) Formula() *Expr {
	if s.Invariant != nil {
		return s.Invariant.Formula
	}
	return s.LTL.Formula
}

// With is the text with a section more.
func (f *File) With(s *Section) *File {
	out := *f
	out.Sections = append(slices.Clip(f.Sections), s)
	return &out
}

type exprText[E any] struct {
	Expr *E `parser:"@@"`
}

type typeText struct {
	Type *TypeExpr `parser:"@@"`
}

var (
	exprOnly  = sync.OnceValue(func() *participle.Parser[exprText[Expr]] { return Build[exprText[Expr]](3) })
	askedOnly = sync.OnceValue(func() *participle.Parser[exprText[asked]] { return Build[exprText[asked]](3) })
	typeOnly  = sync.OnceValue(func() *participle.Parser[typeText] { return Build[typeText](3) })
)

func asProblem(err error) error {
	var p participle.Error
	if errors.As(err, &p) {
		return diag.Wrong(scan.Place(p.Position()), 1, "%s", p.Message())
	}
	return err
}

// hasty are parsers that hold on to an alternative once so many tokens of it are there. They refuse texts that are
// right, but where a text is wrong, what they say is where it is: the parser that reads texts gives up whole rules.
var hasty = []func() *participle.Parser[File]{
	sync.OnceValue(func() *participle.Parser[File] { return Build[File](2) }),
	sync.OnceValue(func() *participle.Parser[File] { return Build[File](1) }),
	sync.OnceValue(func() *participle.Parser[File] { return Build[File](0) }),
}

// deepest returns the error that lies farthest in a text: what stands before it can be read. It is the one that is
// given, or one that a hasty parser finds in the section in which reading ended.
func deepest(name, text string, read *File, err participle.Error) participle.Error {
	start := 0
	if n := len(read.Sections); n > 0 {
		start = read.Sections[n-1].Pos.Offset
	}
	rest := blank(text[:start]) + text[start:]
	for _, p := range hasty {
		_, other := p().ParseString(name, rest)
		if e, ok := other.(participle.Error); ok && after(e, err) {
			err = e
		}
	}
	return err
}

// after reports whether an error lies behind another one.
func after(a, b participle.Error) bool {
	p, q := a.Position(), b.Position()
	return p.Line > q.Line || p.Line == q.Line && p.Column > q.Column
}

// blank is white space that takes as much room as a text.
func blank(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Parser is made when they are needed: that takes longer than many a verification.
var Parser = sync.OnceValue(func() *participle.Parser[File] { return Build[File](3) })

// Statements drops separators.
func Statements(list []*Statement) []*Statement {
	return lists.Keep(list, func(s *Statement) bool { return s.Sep == "" })
}
