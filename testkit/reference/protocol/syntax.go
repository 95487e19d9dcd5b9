package protocol

// Text is a protocol as it is written.
type Text struct {
	Name       string
	Consts     []Binding
	Channels   Channels
	Types      []NamedType
	Vars       []Field
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
	Synchronous, Reliable, Anonymous, FIFO bool
	Bound                                  *Expr
}

// NamedType is a declaration of a type.
type NamedType struct {
	Name string
	Type *TypeExpr
}

// Field is a name with its type.
type Field struct {
	Name string
	Type *TypeExpr
}

// TypeExpr is a type as it is written. Kind is "name", "range", "bool", "enum",
// "record", "array", "role" or "quorum".
type TypeExpr struct {
	Kind    string
	Pos     Pos
	Name    string    // of a type, or the role of a quorum
	Low     *Expr     // of a range; the size of a role or a quorum
	High    *Expr     // of a range
	Names   []string  // of an enumeration
	Fields  []Field   // of a record
	Index   *TypeExpr // of an array
	Elem    *TypeExpr // of an array
	AtLeast bool      // of a quorum
}

// Rule is an initial state or a rule, for all values of its parameters.
type Rule struct {
	Pos       Pos
	Params    []Field
	Byzantine bool
	Label     string
	Body      []*Stmt
}

// Stmt is a statement. Kind is "assign", "undefine", "if", "for" or "skip".
type Stmt struct {
	Kind    string
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
// "min", "isundefined", "in", and in formulas "F", "G", "U", "R".
type Expr struct {
	Op        string
	Pos       Pos
	Args      []*Expr
	Name      string
	Number    int
	Relations []string // of a chain of comparisons
	Var       string   // of quantifiers
	Range     *TypeExpr
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
