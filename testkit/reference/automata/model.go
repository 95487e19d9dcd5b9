package automata

// A Model is a threshold automaton with its specifications, as it stands in a text.
type Model struct {
	Name        string
	Shared      []string
	Parameters  []string
	Unknowns    []string
	Defines     map[string]*Node
	Assumptions []*Node
	Locations   []string
	Inits       []*Node
	Rules       []Rule
	Specs       []Spec
}

// A Rule moves a process. Update has a number for each shared variable, which is added; Reset has the
// value that it is set to before, or -1 if it is not.
type Rule struct {
	Name     string
	Line     int
	From, To int
	Guard    *Node
	Update   []int
	Reset    []int
}

// Shown is how output names a rule: with its line if the name repeats.
func (m *Model) Shown(rule Rule) string {
	for _, other := range m.Rules {
		if other.Name == rule.Name && other.Line != rule.Line {
			return rule.Name + "@" + itoa(rule.Line)
		}
	}
	return rule.Name
}

// A Spec is a temporal formula with a name.
type Spec struct {
	Name    string
	Formula *Node
}

// A Node is part of a term or a formula. Op is "number", "name", "true", "false", or an operator:
// "neg" is the unary minus, "!", "<>" and "[]" have Left only.
type Node struct {
	Op          string
	Name        string
	Number      int
	Left, Right *Node
}

// String is the node in the language, with all parentheses.
func (n *Node) String() string {
	switch n.Op {
	case "number":
		return itoa(n.Number)
	case "name":
		return n.Name
	case "true", "false":
		return n.Op
	case "neg":
		return "-(" + n.Left.String() + ")"
	case "!", "<>", "[]":
		return n.Op + "(" + n.Left.String() + ")"
	}
	return "(" + n.Left.String() + " " + n.Op + " " + n.Right.String() + ")"
}

// temporal says whether a formula has a temporal operator.
func (n *Node) temporal() bool {
	if n == nil {
		return false
	}
	return n.Op == "<>" || n.Op == "[]" || n.Left.temporal() || n.Right.temporal()
}

// walk visits a node and everything in it.
func (n *Node) walk(visit func(*Node)) {
	if n != nil {
		visit(n)
		n.Left.walk(visit)
		n.Right.walk(visit)
	}
}

func indexOf(list []string, name string) int {
	for i, other := range list {
		if other == name {
			return i
		}
	}
	return -1
}
