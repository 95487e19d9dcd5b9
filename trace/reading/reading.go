// Package reading says what the lines of a log mean: its language (lex.go, parse.go; reading.go is what is read),
// events and values in them (log.go, calls.go), constants that are read off a log (constants.go).
package reading

import (
	"regexp"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Reading says what the lines of a log mean. It is made by Parse.
type Reading struct {
	Name      string
	File      string // of its text; that of the protocol for one in the protocol's text
	Text      string
	root      *Path         // where in a line the event is; nil if the line is the event
	patterns  []linePattern // of lines that are no JSON
	Clock     *ClockRule    // of a log without a common clock; nil with one
	Calls     *callRule     // nil if each line is an event
	Processes []processNames
	Values    []ValueName
	Measured  []constantRule
	Silent    []Word
	Visible   []Word
	AllSilent bool
	Anywhere  bool     // the log may begin in the middle of a run
	Begins    diag.Pos // where that is said
	Lax       bool     // events that nothing is said of are ignored
	Cases     []ReadCase
	Keywords  []Word // its own words, for editors
}

type Word struct {
	Text string
	Pos  diag.Pos
}

// Path is a way into a line.
type Path struct {
	pos      diag.Pos
	keys     []string
	root     *Path // it begins there; nil where lines do
	optional bool  // lines need not have it
	Text     string
}

// Event is a line of a log, or several.
type Event struct {
	File  string
	Line  int // the first, from 1; of a call and its return that of the return
	Value any // as encoding/json reads it, with json.Number for numbers
	Text  string
	lead  int               // how many columns of the line are before its text
	spans map[string][2]int // of members of events that are no JSON: where they are in the text
	// it is asked what is left without the event: what it shows may be so or not, and any values (shrink.go)
	Loose bool
	// of a call and its return (calls.go): the line of the call, and where both are; other lines begin and end where
	// they are, and ended is 0 of a call that never returned
	Call         *Event
	Returned     any // what the line of the return says, without what the call says besides
	Began, Ended int
}

// calling is the member of an event that is what its call says.
const calling = "call"

// processNames says how processes of a role are called in the log.
type processNames struct {
	Role    Word
	None    []string         // what stands for no process
	Numbers map[string]int32 // of names
	Own     bool             // names are the numbers
}

// ValueName is a value of the text and what it is called in the log.
type ValueName struct {
	Name Word
	Logs []string
}

// constantRule says how a constant is read off the log.
type constantRule struct {
	Name  Word
	how   string // count, max or min; "" for the number add
	paths []*Path
	// numbers are some whose greatest or least is taken: any log has some.
	numbers []int64
	add     int64
}

// LogExpr is a value in a line.
type LogExpr struct {
	pos     diag.Pos
	Path    *Path
	How     string // "", id or len
	Table   string // of id
	literal any    // without a path
	Add     int64
	Text    string
}

// relation compares values of a line.
type relation struct {
	left  *LogExpr
	op    string // = != < <= > >=, in, has, not has
	right []*LogExpr
}

// condition is a disjunction of conjunctions.
type condition [][]relation

// ReadCase says what an event is.
type ReadCase struct {
	When   condition
	Ignore bool
	Parts  []ReadPart
}

// ReadPart is a step, or something that is seen.
type ReadPart struct {
	Pos    diag.Pos
	Kind   string // rule, or one of kindsOfParts
	Rule   Word   // of rule
	Params []ReadParam
	Before []ReadCheck
	After  []ReadCheck
}

// Formula is an expression of the protocol, Typed a type, as it stands in the reading.
type Formula struct {
	Word
	Expr *ftdp.Expr
}

type Typed struct {
	Word
	Type *ftdp.TypeExpr
}

// ReadParam gives a parameter a value.
type ReadParam struct {
	Name Word
	Typ  *Typed // of parts that are no rules
	Log  *LogExpr
	Term *Formula
}

// ReadCheck is something that has to be so: a condition in the words of the protocol, or a
// comparison of one of its expressions with a value in the line.
type ReadCheck struct {
	Left  Formula
	Op    string // "" for a condition
	Right *LogExpr
	Text  string
}

// kinds of parts that are no rules.
const (
	PartRule    = "rule"
	PartSee     = "see"
	PartSent    = "sent"
	PartLost    = "lost"
	PartStopped = "stopped"
	// PartReceived is a step of any rule that receives a message.
	PartReceived = "received"
	// PartBegins is how the run begins, before the log.
	PartBegins = "begins"
)

// kindsOfParts are those that are no names of rules.
var kindsOfParts = []string{PartSee, PartSent, PartReceived, PartLost, PartStopped, PartBegins}

// ClockRule is what a reading says of the order of events that have no common clock: those of one process are in order
// (by); a vector clock counts what has happened before an event; and an event happened at some moment of an interval,
// so that of two whose intervals have no moment in common one was first.
type ClockRule struct {
	Pos      diag.Pos
	By       []*Path // whose event it is; several values are a list
	Vector   *Path
	pairs    bool // the vector clock is a list of pairs, and no object
	From, To *LogExpr
	Lines    bool // an event happened from the line of its call to that of its return
}

// linePattern is how events are written that are no JSON: what the named groups of a regular expression match are the
// members of an event, over as many lines as it has ends of lines, and one more.
type linePattern struct {
	re    *regexp.Regexp
	lines int
}

// callRule says which lines are calls, and which their returns.
type callRule struct {
	pos   diag.Pos
	call  condition
	by    []*Path // what a call and its return have in common
	back  condition
	never condition // of a call that may or may not happen; nil if no line says that
}

// base is where in a line the event is that a path begins at.
func (p *Path) base() []string {
	if p.root == nil {
		return nil
	}
	return p.root.keys
}
