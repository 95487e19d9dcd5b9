package rounds

// A Text is a protocol with rounds, as it is written.
type Text struct {
	Name        string
	Parameters  []string
	Assumptions []*Expr
	Faults      string // none, byzantine, symmetric, omission, crash or clean
	Number      *Expr  // of the faulty ones
	Kinds       []Kind
	Definitions map[string]*Definition
	Constants   map[string]int
	Process     string
	Size        *Expr
	Variables   []Variable
	Rules       []Rule   // those of families one by one
	Families    []Family // rules with parameters, as they are written
	Init        []*Expr  // conditions on initial states
	Properties  []Property

	types                            []Variable // all that are written
	usedInProperties, usedAfterDraws []string   // definitions

	turns    bool // whether processes take turns as coordinators
	arrivals bool // whether rules ask whether all has arrived
}

// A Kind of messages carries a value for each of its fields, if it has any.
type Kind struct {
	Name   string
	Fields []Variable

	led bool // whether only coordinators send it: then it is taken from them only
}

// A Variable of a process begins with any value of its type (an input), or with Start. Those that are not Kept begin so in
// each round. Values are numbers from Low to High; those of enumerations have Names, and start at 0.
type Variable struct {
	Name        string
	Kept, Input bool
	Bool        bool
	Low, High   int
	Names       []string
	Start       int
}

// A Rule is a step that a process can take when Guard is true: its condition, or one of its conditions.
type Rule struct {
	Label         string
	Maybe, Always bool
	Timeout       bool // no process takes it in good rounds
	Guard         *Expr
	Body          []Statement

	reads []bool // for each kind of messages, whether the rule asks for it
}

// A Statement is an assignment, a sending, an if, a draw, the end of the round, or skip.
type Statement struct {
	Op       string  // :=, send, if, toss, coin, next, skip
	Name     string  // the variable, or the kind of message
	Value    *Expr   // what is assigned; after how many a common coin is known
	Values   []*Expr // what is sent
	Branches []Branch

	index int // of the variable or the kind
}

// A Branch of an if is executed when its Guard is the first one that is true; else has none.
type Branch struct {
	Guard *Expr
	Body  []Statement
}

// A Property is an invariant, perhaps of states in which all have ended so many rounds; a formula of all runs, of all fair ones,
// of those that are good at last, or one that is true with probability one, against the adversaries of its Class.
type Property struct {
	Name      string
	Invariant bool
	Fair      bool
	Class     string // "", or one of the classes
	After     *Expr  // how many rounds; nil for others
	Formula   *Expr
}

// Classes of adversaries.
const (
	unseen  = "unseen"   // that do not see coins before it is too late
	inOrder = "in order" // that do not let a process begin a round before all have ended the one before
	seen    = "seen"     // all
	good    = "good"     // not adversaries: runs that are good at last
)

// An Expr is a condition, a number or a formula: an operator and its arguments. Leaves are "number" and "name"; after
// resolving, names are "variable", "parameter", "coordinator" or "number". "heard" and "arrived" have a kind as their name, and
// perhaps values as arguments ("any" is any value); they may be of the coordinator's messages.
type Expr struct {
	Op     string
	Name   string
	Number int
	Args   []*Expr
	Led    bool // of the coordinator's messages

	index int // of the variable, the parameter or the kind
}

// values is the number of different messages of a kind.
func (k Kind) values() int {
	count := 1
	for _, f := range k.Fields {
		count *= f.High - f.Low + 1
	}
	return count
}

// number is the number of a message with these values, from 0 on; -1 if a value is none of its field.
func (k Kind) number(values []int) int {
	number := 0
	for i, f := range k.Fields {
		if values[i] < f.Low || values[i] > f.High {
			return -1
		}
		number = number*(f.High-f.Low+1) + values[i] - f.Low
	}
	return number
}

// of are the values of the message with a number.
func (k Kind) of(number int) []int {
	values := make([]int, len(k.Fields))
	for i := len(values) - 1; i >= 0; i-- {
		f := k.Fields[i]
		values[i] = f.Low + number%(f.High-f.Low+1)
		number /= f.High - f.Low + 1
	}
	return values
}

// hasAlways tells whether processes take rules in rounds that they have ended.
func (t *Text) hasAlways() bool {
	for _, r := range t.Rules {
		if r.Always {
			return true
		}
	}
	return false
}

// mentions tells whether an operator occurs in an expression.
func mentions(e *Expr, op string) bool {
	if e.Op == op {
		return true
	}
	for _, arg := range e.Args {
		if mentions(arg, op) {
			return true
		}
	}
	return false
}

// each calls a function for all statements, those in branches too.
func each(body []Statement, f func(*Statement)) {
	for i := range body {
		f(&body[i])
		for _, b := range body[i].Branches {
			each(b.Body, f)
		}
	}
}
