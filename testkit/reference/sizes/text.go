package sizes

// A Text is a protocol for all sizes, as it is written.
type Text struct {
	Name        string
	Parameters  []string
	Assumptions []*Expr
	Faults      string // none, byzantine, symmetric, omission, crash or clean
	Budget      *Expr  // how many are faulty; nil for none
	Kinds       []Kind
	Role        string
	Size        *Expr // how many processes there are
	Variables   []Variable
	Rules       []Rule
	Properties  []Property
}

// A Kind of messages carries one of the values Low..High, if it carries any.
type Kind struct {
	Name      string
	Valued    bool
	Low, High int
	first     int // the slot of its lowest value
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
type Rule struct {
	Label string
	Maybe bool
	Elsif bool // whether there are several conditions
	Guard *Expr
	Body  []Statement
}

// A Statement is an assignment, a sending, an if, or skip.
type Statement struct {
	Op       string // :=, send, if, skip
	Name     string // the variable, or the kind of message
	Value    *Expr  // what is assigned or sent; nil for messages without values
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
// "number" and "name"; after resolving, names are "variable", "parameter" or "number".
// "heard" has a kind as its name and perhaps a value as its argument.
type Expr struct {
	Op     string
	Name   string
	Number int
	Args   []*Expr

	index int // of the variable, the parameter or the kind
}

// slots is the number of kinds and values of messages.
func (t *Text) slots() int {
	count := 0
	for _, k := range t.Kinds {
		count += k.values()
	}
	return count
}

// values is the number of different messages of a kind.
func (k Kind) values() int {
	return k.High - k.Low + 1
}
