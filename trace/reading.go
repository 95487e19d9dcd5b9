// Package trace asks whether a log is (part of) a run of a protocol: whether there is a run in which what the log shows
// happens in its order and with its values, and anything that it does not show happens unseen (H. Cirstea, M. Kuppe, B.
// Loillier, S. Merz, "Validating traces of distributed programs against TLA+ specifications", SEFM 2024).
//
// A Reading (reading.go, parse.go) says what lines of a log mean; bind.go puts it together with a model. frontier.go
// follows the states that explain a log of one clock, order.go searches an order for logs of several processes,
// explain.go says what is wrong where no run explains an event. Runs are replayed by the interpreter (replay.go).
package trace

import (
	"github.com/tacheck/tacheck/internal/diag"
)

// Reading says what the lines of a log mean. It is made by ParseReading.
type Reading struct {
	Name      string
	File      string // of its text; that of the protocol for one in the protocol's text
	Text      string
	root      *path         // where in a line the event is; nil if the line is the event
	patterns  []linePattern // of lines that are no JSON
	clock     *clockRule    // of a log without a common clock; nil with one
	calls     *callRule     // nil if each line is an event
	processes []processNames
	values    []valueName
	constants []constantRule
	silent    []word
	visible   []word
	allSilent bool
	anywhere  bool     // the log may begin in the middle of a run
	begins    diag.Pos // where that is said
	lax       bool     // events that nothing is said of are ignored
	cases     []readCase
	block     bool   // it stands in the protocol's text
	keywords  []word // its own words, for editors
}

type word struct {
	text string
	pos  diag.Pos
}

// path is a way into a line.
type path struct {
	pos      diag.Pos
	keys     []string
	root     *path // it begins there; nil where lines do
	optional bool  // lines need not have it
	text     string
}

// processNames says how processes of a role are called in the log.
type processNames struct {
	role    word
	none    []string         // what stands for no process
	numbers map[string]int32 // of names
	own     bool             // names are the numbers
}

// valueName is a value of the text and what it is called in the log.
type valueName struct {
	name word
	logs []string
}

// constantRule says how a constant is read off the log.
type constantRule struct {
	name  word
	how   string // count, max or min; "" for the number add
	paths []*path
	// numbers are some whose greatest or least is taken: any log has some.
	numbers []int64
	add     int64
}

// logExpr is a value in a line.
type logExpr struct {
	pos     diag.Pos
	path    *path
	how     string // "", id or len
	table   string // of id
	literal any    // without a path
	add     int64
	text    string
}

// relation compares values of a line.
type relation struct {
	left  *logExpr
	op    string // = != < <= > >=, in, has, not has
	right []*logExpr
}

// condition is a disjunction of conjunctions.
type condition [][]relation

// readCase says what an event is.
type readCase struct {
	pos    diag.Pos
	when   condition
	ignore bool
	parts  []readPart
}

// readPart is a step, or something that is seen.
type readPart struct {
	pos    diag.Pos
	kind   string // rule, or one of kindsOfParts
	rule   word   // of rule
	params []readParam
	before []readCheck
	after  []readCheck
}

// readParam gives a parameter a value.
type readParam struct {
	name word
	typ  *word // of parts that are no rules
	log  *logExpr
	term *word // an expression of the protocol
}

// readCheck is something that has to be so: a condition in the words of the protocol, or a
// comparison of one of its expressions with a value in the line.
type readCheck struct {
	left  word
	op    string // "" for a condition
	right *logExpr
	text  string
}

// kinds of parts that are no rules.
const (
	partRule    = "rule"
	partSee     = "see"
	partSent    = "sent"
	partLost    = "lost"
	partStopped = "stopped"
	// partReceived is a step of any rule that receives a message.
	partReceived = "received"
	// partBegins is how the run begins, before the log.
	partBegins = "begins"
)

// kindsOfParts are those that are no names of rules.
var kindsOfParts = []string{partSee, partSent, partReceived, partLost, partStopped, partBegins}
