// Package pml is parametric Promela as it is written: tokens (scan.go), macros (preprocess.go), declarations and
// statements (syntax.go), expressions (expr.go), layout (format.go), what can come next (complete.go). What names mean
// is not known here.
package pml

import (
	"fmt"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
)

// File is a model as it is written, after preprocessing.
type File struct {
	Items []*Item `parser:"@@*"`
}

// Item is a declaration; one field is set.
type Item struct {
	Pos      lexer.Position
	Symbolic []*Ident  `parser:"( 'symbolic' ( 'int' | 'byte' | 'short' | 'unsigned' ) @@ ( ',' @@ )* ';'?"`
	Vars     *Vars     `parser:"| @@ ';'?"`
	Assume   *Asked    `parser:"| 'assume' @@ ';'?"`
	Atomic   *Atomic   `parser:"| 'atomic' @@"`
	Proctype *Proctype `parser:"| @@"`
	LTL      *LTL      `parser:"| 'ltl' @@"`
	Init     *Init     `parser:"| @@"`
	Never    *Never    `parser:"| @@"`
	Empty    string    `parser:"| @';' )"`
}

// Ident is a name where it is written.
type Ident struct {
	Pos  lexer.Position
	Name string `parser:"@Ident"`
}

// Vars declares variables of one type. How Spin is to show and store them does not matter.
type Vars struct {
	Type string `parser:"( 'hidden' | 'show' | 'local' )? @( 'int' | 'byte' | 'bit' | 'bool' | 'short' | 'pid' | 'unsigned' )"`
	List []*Var `parser:"@@ ( ',' @@ )*"`
}

// Var is a variable with its first value.
type Var struct {
	Name  *Ident `parser:"@@"`
	Width *Expr  `parser:"( ':' @@ )?"`
	Size  *Expr  `parser:"( '[' @@ ']' )?"` // of an array
	Init  *Expr  `parser:"( '=' @@ )?"`
}

// Atomic names a proposition.
type Atomic struct {
	Name  *Ident   `parser:"@@ '='"`
	Value *Formula `parser:"@@ ';'?"`
}

// Proctype is the one kind of processes, with how many there are.
type Proctype struct {
	Pos   lexer.Position
	Count *Expr        `parser:"'active' ( '[' @@ ']' )? 'proctype'"`
	Name  *Ident       `parser:"@@ '(' ')' ( 'priority' Number )? '{'"`
	Body  []*Statement `parser:"@@*"`
	End   string       `parser:"@'}' ';'?"`
}

// Init is Promela's first process, which has nothing to say here.
type Init struct {
	Pos  lexer.Position
	Body []*Statement `parser:"'init' ( 'priority' Number )? '{' @@* '}' ';'?"`
}

// Never is a claim, which is left out.
type Never struct {
	Pos  lexer.Position
	Name string   `parser:"'never' Ident?"`
	Body *Ignored `parser:"@@ ';'?"`
}

// LTL is a named formula.
type LTL struct {
	Name    *Ident   `parser:"@@ '{'"`
	Formula *Formula `parser:"@@ ';'? '}' ';'?"`
}

// Statement is a statement; one field is set.
type Statement struct {
	Pos    lexer.Position
	Sep    string       `parser:"( @( ';' | '->' )"`
	Vars   *Vars        `parser:"| @@"`
	If     []*Option    `parser:"| 'if' @@+ 'fi'"`
	Do     []*Option    `parser:"| 'do' @@+ 'od'"`
	Atomic []*Statement `parser:"| ( 'atomic' | 'd_step' ) '{' @@+ '}'"`
	Block  []*Statement `parser:"| '{' @@+ '}'"`
	Havoc  *Ident       `parser:"| 'havoc' '(' @@ ')'"`
	Assume *Asked       `parser:"| 'assume' @@"`
	Assert *Asked       `parser:"| 'assert' @@"`
	Goto   *Ident       `parser:"| 'goto' @@"`
	Break  string       `parser:"| @'break'"`
	Skip   string       `parser:"| @'skip'"`
	Printf *Ignored     `parser:"| ( 'printf' | 'printm' ) @@"`
	Refuse string       `parser:"| @'unless' | ( @'run' Ident | @( 'for' | 'select' ) )"`
	Args   *Ignored     `parser:"@@"`
	Label  *Ident       `parser:"| @@ ':'"`
	Set    *Assign      `parser:"| @@"`
	Cond   *Expr        `parser:"| @@ )"`

	To *Jump // of goto and break: what comes next (flow.go)
}

// Ignored is something in parentheses or braces that means nothing here.
type Ignored struct{ Words []lexer.Token }

// Parse skips what is in parentheses.
func (i *Ignored) Parse(lex *lexer.PeekingLexer) error {
	for depth := 0; ; {
		tok := lex.Next()
		switch {
		case tok.Type == scan.Name:
			i.Words = append(i.Words, *tok)
		case tok.EOF():
			return unexpected(tok, `")"`)
		case tok.Value == "(" || tok.Value == "{":
			depth++
		case tok.Value == ")" || tok.Value == "}":
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// Option is an alternative of an if or do.
type Option struct {
	Pos  lexer.Position
	Else string       `parser:"'::' ( @'else'"`
	Rest []*Statement `parser:"( ( ';' | '->' ) @@* )?"`
	Body []*Statement `parser:"| @@+ )"`

	Spot  bool // it is the steps of a location (flow.go), not one of the text
	Later bool // it is what comes after other statements, for the same reason
}

// Assign changes a variable.
type Assign struct {
	Name  *Ident `parser:"@@"`
	Index *Expr  `parser:"( '[' @@ ']' )?"` // of an element, which is refused
	Step  string `parser:"( @( '++' | '--' )"`
	Value *Expr  `parser:"| '=' @@ )"`
}

var Reserved = []string{"symbolic", "int", "byte", "bit", "bool", "short", "pid", "unsigned", "assume", "atomic",
	"d_step", "active", "proctype",
	"ltl", "if", "fi", "do", "od", "else", "havoc", "skip", "printf", "goto", "break", "assert", "run", "unless",
	"chan", "init", "mtype", "typedef",
	"all", "some", "card", "inline", "never", "trace", "notrace", "hidden", "show", "local", "of", "true", "false"}

// parser is made when it is needed.
var parser = sync.OnceValue(func() *participle.Parser[File] { return build(2) })

// hasty is for messages: what goes wrong inside a statement is not tried in another way.
var hasty = sync.OnceValue(func() *participle.Parser[File] { return build(1) })

func build(lookahead int) *participle.Parser[File] {
	return participle.MustBuild[File](participle.Lexer(scan.Language{Names: scan.Symbols}),
		participle.UseLookahead(lookahead))
}

// Reasons say why statements and declarations are refused.
var Reasons = map[string]string{
	"run":     "run is not supported: processes are those of `active[...] proctype`",
	"unless":  "unless is not supported",
	"for":     "for is not supported: write a loop, do :: i < 3 -> ...; i++ :: else -> break od",
	"select":  "select is not supported: write alternatives, if :: i = 0 :: i = 1 fi, or havoc(i); assume(i <= N)",
	"chan":    "channels are not supported: messages are counted in shared variables",
	"mtype":   "mtype is not supported: use #define",
	"typedef": "typedef is not supported",
	"inline":  "inline is not supported: use #define",
	"_pid": "_pid is not supported: processes have no numbers; in a text of fixed size, `me = ids; ids++` in the " +
		"initial block gives each its own",
	"_nr_pr":  "_nr_pr is not supported: no process begins or ends, there are as many as `active[...]` says",
	"timeout": "timeout is not supported: write `else`, or the condition under which nothing else is possible",
	"proctype": "a proctype without `active` is not supported: write `active[4] proctype P() { ... }`, 4 for how " +
		"many there are",
}

// NoElements is why elements of arrays are refused.
const NoElements = "elements of arrays are not supported: write a variable for each"

// Parse reads preprocessed tokens. Its error is a diag.List; the file has some of what stands before it then, or is
// nil.
func Parse(p *Preprocessor) (*File, error) {
	end := lexer.Token{Type: lexer.EOF, Pos: lexer.Position{Filename: p.name, Line: 1, Column: 1}}
	if n := len(p.Out); n > 0 {
		end.Pos = p.Out[n-1].Pos
	} else {
		return nil, diag.Wrong(scan.Place(end.Pos), 1,
			"the file is empty (expected a model: symbolic parameters, shared variables, a proctype)")
	}
	lex, err := lexer.Upgrade(&tokens{list: p.Out, end: end})
	if err != nil {
		return nil, asProblem(err)
	}
	file, err := parser().ParseFromLexer(lex)
	if err == nil {
		return file, nil
	}
	var perr participle.Error
	if !asParticiple(err, &perr) {
		return file, err
	}
	tok := lex.Peek()
	if lex, err = lexer.Upgrade(&tokens{list: p.Out, end: end}); err == nil {
		_, err = hasty().ParseFromLexer(lex)
	}
	var deeper participle.Error // as in `if :: a = b || c`: what is wrong is not the if
	if asParticiple(err, &deeper) && deeper.Position().Offset > perr.Position().Offset {
		perr, tok = deeper, lex.Peek()
	}
	if ut, ok := perr.(*participle.UnexpectedTokenError); ok {
		tok = &ut.Unexpected
	}
	if reason := Reasons[tok.Value]; reason != "" {
		return file, diag.Wrong(scan.Place(tok.Pos), len(tok.Value), "%s", reason)
	}
	msg := scan.First(perr.Message())
	if strings.Contains(msg, `(expected "++" or "--" or "=")`) { // behind the index of what looks like an assignment
		return file, diag.Wrong(scan.Place(perr.Position()), max(1, len(tok.Value)), NoElements)
	}
	if hint := advice(p.Out, tok, msg); hint != "" {
		msg += hint
	} else if tok.Type == scan.Name {
		msg += spell.Hint(tok.Value, Reserved)
	}
	return file, diag.Wrong(scan.Place(perr.Position()), max(1, len(tok.Value)), "%s",
		strings.NewReplacer("<ident>", "a name", "Ident", "a name").Replace(msg))
}

// meant is what to write in place of a token, behind some other one or before it, that is not expected.
var meant = map[string]string{
	"shared":   "`int x;` outside of the process is shared",
	"process":  "`active[N] proctype P() { ... }`",
	": =":      "`x = e` assigns",
	"+ =":      "`x++` or `x = x + 1`",
	"- =":      "`x--` or `x = x - 1`",
	"( =":      "`==` compares, `=` assigns",
	"ltl :":    "`ltl name { f }`",
	"G (":      "temporal operators are [] (always) and <> (eventually)",
	"F (":      "temporal operators are [] (always) and <> (eventually)",
	"exists (": "`some(P:e)` is true if e is true of some process",
	"forall (": "`all(P:e)` is true if e is true of all processes",
}

// closers end what begins so.
var closers = map[string]string{"if": "fi", "do": "od", "{": "}"}

// advice is what to write in place of a token that is not expected, or what is still open there; "" if that is not
// known.
func advice(list []lexer.Token, tok *lexer.Token, msg string) string {
	var open []lexer.Token
	before := [2]string{}
	for _, t := range list {
		if t.Pos.Offset >= tok.Pos.Offset {
			break
		}
		switch {
		case closers[t.Value] != "":
			open = append(open, t)
		case len(open) > 0 && t.Value == closers[open[len(open)-1].Value]:
			open = open[:len(open)-1]
		}
		before = [2]string{before[1], t.Value}
	}
	for _, key := range []string{tok.Value, before[1] + " " + tok.Value, before[0] + " " + tok.Value} {
		if m := meant[key]; m != "" {
			return "; " + m
		}
	}
	if n := len(open) - 1; n >= 0 && strings.Contains(msg, `(expected "`+closers[open[n].Value]+`"`) {
		return fmt.Sprintf(", which ends the %s in line %d", open[n].Value, open[n].Pos.Line)
	}
	return ""
}

func asParticiple(err error, target *participle.Error) bool {
	p, ok := err.(participle.Error)
	*target = p
	return ok
}
