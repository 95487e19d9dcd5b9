package protocol

// Text is a protocol as it is written.
type Text struct {
	Name       string
	Consts     []Binding
	Assumes    []*Expr
	Channels   Channels
	Types      []NamedType
	Kinds      []MessageKind // what "message" says
	Vars       []Field
	Recovery   []string // roles whose processes restart
	Names      []Field  // of processes: their types are roles
	Inits      []*Rule
	Rules      []*Rule
	Else       bool
	Defines    []*Define
	Properties []*Property
}

// Binding gives a name to an expression.
type Binding struct {
	Name string
	Expr *Expr
}

// Channels is what the line "channels" says.
type Channels struct {
	Synchronous, Reliable, Anonymous, FIFO, Duplicating bool
	Bound                                               *Expr
}

// MessageKind is a kind of messages with the fields that messages of this kind have.
type MessageKind struct {
	Name   string
	Fields []Field
}

// NamedType is a declaration of a type.
type NamedType struct {
	Name string
	Type *TypeExpr
}

// Field is a name with its type, and of variables what they begin with.
type Field struct {
	Name   string
	Type   *TypeExpr
	Stable bool
	First  *Expr
}

// TypeExpr is a type as it is written. Kind is "name", "range", "bool", "enum",
// "record", "array", "set", "seq", "role" or "quorum".
type TypeExpr struct {
	Kind    string
	Pos     Pos
	Name    string    // of a type, or the role of a quorum
	Low     *Expr     // of a range; the size of a role or a quorum; the greatest length of a sequence
	High    *Expr     // of a range
	Names   []string  // of an enumeration
	Fields  []Field   // of a record
	Index   *TypeExpr // of an array
	Elem    *TypeExpr // of an array, a set or a sequence
	AtLeast bool      // of a quorum
}

// Rule is an initial state or a rule, for all values of its parameters.
type Rule struct {
	Pos       Pos
	Params    []Field
	Byzantine bool
	Maybe     bool
	Inner     bool // it says that it receives nothing
	Label     string
	Receive   *Head // if it says what it receives
	Body      []*Stmt
}

// Head is what a rule says that it receives: messages of one kind, with names for their fields, from one process or a
// quorum.
type Head struct {
	Pos   Pos
	Kind  string
	Names []string
	From  Field // without a type if there is one role only
}

// Stmt is a statement. Kind is "assign", "more" (+=), "less" (-=), "let", "send", "undefine", "if", "for" or "skip".
// A message is sent to "all", "others", the "sender", or "to" Target.
type Stmt struct {
	Kind    string
	Message string  // of send: the kind
	Args    []*Expr // of send: the values
	To      string
	Of      string // the role of all
	Pos     Pos
	Target  *Expr
	Value   *Expr
	Conds   []*Expr // of if and the elsifs
	Bodies  [][]*Stmt
	HasElse bool // the last of Bodies is that of else
	Var     string
	Range   *TypeExpr
}

// Expr is an expression or a formula. Op is "number", "bool", "name", "send",
// "field", "index", "call", "not", "negate", "and", "or", "->", "<->", "+", "-",
// "*", "/", "%", "ceil", "floor", "chain", "forall", "exists", "count", "max",
// "min", "isundefined", "in", "record", "set", "those", "if", and in formulas "F", "G", "U", "R".
type Expr struct {
	Op        string
	Pos       Pos
	Args      []*Expr
	Name      string
	Number    int
	Relations []string // of a chain of comparisons
	Var       string   // of quantifiers, and of those
	Range     *TypeExpr
	Over      *Expr    // of those: a set in place of Range
	Names     []string // of the fields of a record
	Default   *Expr    // of max and min
}

// Define is a named condition or number with parameters.
type Define struct {
	Name   string
	Params []Field
	Body   *Expr
}

// Property is an invariant or a formula.
type Property struct {
	Name      string
	Pos       Pos
	Temporal  bool
	Fair      bool     // of formulas: rules are weakly fair
	FairRules []string // these only, if there are any
	Body      *Expr
}
