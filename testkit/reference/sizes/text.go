package sizes

// A Text is a protocol for all sizes, as it is written.
type Text struct {
	Name        string
	Parameters  []string
	Assumptions []*Expr
	Faults      string // none, byzantine, symmetric, omission, crash or clean
	Budgets     []Budget
	Kinds       []Kind
	Definitions map[string]*Definition
	Constants   map[string]int
	Roles       []Role
	Init        []*Expr // conditions on initial states
	Properties  []Property

	arguments map[string]bool // what stands for parameters of definitions, for features
}

// A Budget says how many processes are faulty, of all types or of those that are named.
type Budget struct {
	Number *Expr
	Of     []string

	roles []int
}

// A Role is a type of processes; Size is how many there are.
type Role struct {
	Name      string
	Size      *Expr
	Variables []Variable
	Rules     []Rule
}

// A Kind of messages carries a value for each of its fields, if it has any.
type Kind struct {
	Name   string
	Fields []Variable // names and types

	senders []int // roles from which messages of the kind are taken
}

// A Variable of a process begins with any value of its type (an input), or with Start.
// Values are numbers from Low to High; those of enumerations have Names, and start at 0.
type Variable struct {
	Name      string
	Type      string // bool, enum or range
	Input     bool
	Low, High int
	Names     []string
	Start     int
	Given     bool // whether the text says with what it begins
}

// A Rule is a step that a process can take when Guard is true: its condition, or one of its conditions.
// Of a rule with Parameters there is one for each of their values.
type Rule struct {
	Label      string
	Parameters []Variable
	Maybe      bool
	Elsif      bool // whether there are several conditions
	Guard      *Expr
	Body       []Statement

	number int              // of the rule, as it is written in the text
	values map[string]*Expr // of the parameters
}

// A Statement is an assignment, a sending, an if, or skip.
type Statement struct {
	Op       string  // :=, send, if, skip
	Name     string  // the variable, or the kind of message
	Value    *Expr   // what is assigned
	Values   []*Expr // what is sent
	Branches []Branch

	index int // of the variable or the kind
}

// A Branch of an if is executed when its Guard is the first one that is true; else has none.
type Branch struct {
	Guard *Expr
	Body  []Statement
}

// A Property is an invariant, or a formula of all runs, or of all fair ones.
type Property struct {
	Name      string
	Invariant bool
	Fair      bool
	Formula   *Expr
}

// An Expr is a condition, a number or a formula: an operator and its arguments. Leaves are
// "number" and "name"; after resolving, names are "variable", "parameter" or "number". A "call" is a use of a definition with arguments.
// "heard" and "heard or crashed" have a kind as their name, and perhaps values as arguments ("any" is any value);
// Of is the type of the senders, or that of the processes whose variable it is.
type Expr struct {
	Op       string
	Name, Of string
	Number   int
	Args     []*Expr

	index   int   // of the parameter or the kind
	indices []int // of the variable in each role, or -1
	role    int   // of the senders, or -1
	roles   []int // of which all, some, count and every speak
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

// named tells whether guards ask which processes are meant, not only how many.
func (t *Text) named() bool {
	for _, role := range t.Roles {
		for _, r := range role.Rules {
			if mentions(r.Guard, "heard or crashed") || bodyMentions(r.Body, "heard or crashed") {
				return true
			}
		}
	}
	return false
}

// bodyMentions tells whether an operator occurs in a condition of some statements.
func bodyMentions(body []Statement, op string) bool {
	for _, s := range body {
		for _, b := range s.Branches {
			if b.Guard != nil && mentions(b.Guard, op) || bodyMentions(b.Body, op) {
				return true
			}
		}
	}
	return false
}

// sends tells whether some statements send messages of a kind.
func sends(body []Statement, kind string) bool {
	for _, s := range body {
		if s.Op == "send" && s.Name == kind {
			return true
		}
		for _, b := range s.Branches {
			if sends(b.Body, kind) {
				return true
			}
		}
	}
	return false
}
