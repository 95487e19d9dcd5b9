package syntax

import (
	"github.com/alecthomas/participle/v2/lexer"
)

// Rounds says that an automaton is one round of many (docs/rounds.md).
type Rounds struct {
	Count Count         `parser:"@@ '{'"`
	List  []*RoundsItem `parser:"@@*"`
	End   End           `parser:"@@"`
}

// RoundsItem is one statement of a rounds section; one of the fields is set, or Name with Switch or Almost.
type RoundsItem struct {
	Pos        lexer.Position
	Name       *Ident   `parser:"( (?= Ident ( '->' | ':' ) ) @@"` // the words below are names, too
	Switch     *Switch  `parser:"  ( '->' @@"`
	Almost     *Almost  `parser:"  | ':' ( @@"`
	After      *After   `parser:"    | @@ ) )"`
	Throughout []*Ident `parser:"| 'throughout' @@ ( ',' @@ )*"`
	Missing    *Missing `parser:"| 'missing' @@"`
	Leader     *Leader  `parser:"| 'coordinator' @@"`
	Values     []*Group `parser:"| 'values' @@ @@+"`
	Revealed   *Expr    `parser:"| 'revealed' @@"`
	Fair       *Expr    `parser:"| 'fair' @@"`
	Late       []string `parser:"| 'late' @Number ( ',' @Number )*"`
	Timely     *Expr    `parser:"| 'timely' @@ ) ';'"`
}

// Missing is a variable that begins each round with how many of so many do not begin it in certain locations, because
// they are gone.
type Missing struct {
	Var   *Ident `parser:"@@"`
	At    *Group `parser:"@@"`
	Total *Expr  `parser:"@@"`
}

// Leader says where the coordinator of a round begins it, in how many rounds it is faulty at most, and which parameter
// is 1 in those.
type Leader struct {
	At   *Group `parser:"@@"`
	Most *Expr  `parser:"'most' @@"`
	When *Ident `parser:"( 'when' @@ )?"`
}

// After is what holds when all that do not stop have ended so many rounds.
type After struct {
	Rounds  *Expr `parser:"'after' @@ ':'"`
	Formula *Expr `parser:"@@"`
}

// Group is a list of locations.
type Group struct {
	Names []*Ident `parser:"'(' @@ ( ',' @@ )* ')'"`
}

// Switch says where the next round begins for who is at the end of one: in a location, or in one of
// several that a coin chooses.
type Switch struct {
	Kind  string `parser:"( @( 'toss' | 'coin' | 'turn' )"`
	Group *Group `parser:"@@"`
	To    *Ident `parser:"| @@ )"`
}

// Almost is a location, or a sum of some, to which every process comes with probability one; the first word
// says against whom.
type Almost struct {
	Kind string `parser:"@( 'almost_surely' | 'almost_surely_in_order' | 'almost_surely_unseen' | 'good_at_last' )"`
	Goal *Expr  `parser:"@@"`
}
