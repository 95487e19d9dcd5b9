// Package ta says what a threshold automaton is: it reads and prints .ta files, checks them, and gives the exact
// semantics of counter systems (Konnov, Lazić, Veith, Widder, POPL 2017, section 2).
//
// It knows nothing of solvers. Replay re-checks a counterexample step by step
// with exact integers, and shares no code with the search that found it.
package ta

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Automaton is a threshold automaton that has passed all checks of Parse.
type Automaton struct {
	Name       string
	File       string // as given to Parse
	Parameters []Name
	Quotients  []Quotient // of parameters, which have values like these
	Shared     []Name
	Locations  []Name
	Resilience *Cond // over parameters
	Inits      *Cond // over counters, shared variables and parameters
	Rules      []Rule
	Specs      []Spec
	Rounds     *Rounds   // nil if the automaton is all that there is, and no round of many
	Warnings   diag.List // things that are allowed but probably not meant

	ResiliencePos, InitsPos diag.Pos // of the sections, for messages

	names    map[string]Symbol
	repeated map[string]bool   // rule IDs that are used more than once
	defs     map[string]Linear // macros
	parts    *parts
	tree     *syntax.File
}

// Name is a declared name and its place.
type Name struct {
	Name  string
	Pos   diag.Pos
	Width int // characters there: of the name, or of what it was made for
}

// Rule moves one process from a location to another if the guard holds, adds
// Update to the shared variables, and sets those of Resets.
type Rule struct {
	Index    int     // in Automaton.Rules
	ID       string  // as written; may repeat
	From, To int     // indices into Automaton.Locations
	Guard    *Cond   // over shared variables and parameters; atoms are monotone
	Update   Linear  // terms only, over shared variables; coefficients > 0 if the rule is Monotone
	Resets   []Reset // increasing by variable; none of them is in Update
	Pos      diag.Pos
	Width    int // characters there: of the ID, or of what the rule was made for

	cases [][]Literal // of the guard, shared by rules whose guards are the same; nil if not known
}

// SelfLoop reports whether the rule leaves its process where it is.
func (r *Rule) SelfLoop() bool { return r.From == r.To }

// Idle reports whether firing the rule changes nothing: its process waits.
func (r *Rule) Idle() bool { return r.SelfLoop() && !r.Changes() }

// Spec is a named specification. Package ltl says what it means.
type Spec struct {
	Name    string
	Formula *syntax.Expr
	Pos     diag.Pos
}

// SpecNamed returns the specification with the given name, or nil.
func (a *Automaton) SpecNamed(name string) *Spec {
	for i := range a.Specs {
		if a.Specs[i].Name == name {
			return &a.Specs[i]
		}
	}
	return nil
}

// SymbolName returns the name of s; a counter is named like its location.
func (a *Automaton) SymbolName(s Symbol) string {
	switch s.Kind {
	case Counter:
		return a.Locations[s.Index].Name
	case Shared:
		return a.Shared[s.Index].Name
	}
	if i := s.Index - len(a.Parameters); i >= 0 {
		return fmt.Sprintf("(%s / %s)", a.dividend(i), a.Quotients[i].Divisor)
	}
	return a.Parameters[s.Index].Name
}

func (a *Automaton) dividend(quotient int) string {
	text := a.FormatLinear(a.Quotients[quotient].Numerator)
	if strings.ContainsAny(text, " ") {
		text = "(" + text + ")"
	}
	return text
}

// RuleName returns a name for the rule that is unique in the automaton: its
// number as written, or its line if the number is used more than once.
func (a *Automaton) RuleName(r *Rule) string {
	if a.repeated[r.ID] {
		return fmt.Sprintf("%s@%d", r.ID, r.Pos.Line)
	}
	return r.ID
}

// Format prints the file that a was read from in canonical form; comments and macros are kept.
func (a *Automaton) Format() string { return syntax.Format(a.tree) }

// Syntax returns the text that a was read from as a tree. The caller must not change it.
func (a *Automaton) Syntax() *syntax.File { return a.tree }

// FormatLinear prints e with the automaton's names.
func (a *Automaton) FormatLinear(e Linear) string { return e.Text(a.SymbolName) }

// Expr is e as an expression.
func (a *Automaton) Expr(o syntax.Origin, e Linear) *syntax.Expr {
	return syntax.SumOf(o, e, func(s Symbol) *syntax.Expr {
		if i := s.Index - len(a.Parameters); s.Kind == Parameter && i >= 0 {
			return o.Op(syntax.Div, a.Expr(o, a.Quotients[i].Numerator), o.Number(a.Quotients[i].Divisor))
		}
		return o.Name(a.SymbolName(s))
	})
}

var relations = map[string]syntax.Op{">=": syntax.Ge, ">": syntax.Gt, "<=": syntax.Le, "<": syntax.Lt, "==": syntax.Eq,
	"!=": syntax.Ne}

// AtomExpr is an atom as an expression, as FormatAtom prints it.
func (a *Automaton) AtomExpr(o syntax.Origin, at Atom) *syntax.Expr {
	left, op, right := at.sides()
	return o.Op(relations[op], a.Expr(o, left), a.Expr(o, right))
}

// CondExpr is a condition as an expression, as FormatCond prints it.
func (a *Automaton) CondExpr(o syntax.Origin, c *Cond) *syntax.Expr {
	return syntax.CondOf(o, c, func(at Atom) *syntax.Expr { return a.AtomExpr(o, at) })
}

// FormatAtom prints an atom the way people write it: counters and shared
// variables on the left, parameters and constants on the right.
func (a *Automaton) FormatAtom(at Atom) string {
	left, op, right := at.sides()
	return fmt.Sprintf("%s %s %s", a.FormatLinear(left), op, a.FormatLinear(right))
}

// ShowAtom prints an atom with the values that it has in a configuration, such as `x + y = 3 >= t + 1 = 2`. If it is
// about one counter or variable and numbers, that has only the value.
func (a *Automaton) ShowAtom(at Atom, c *Config) string {
	left, op, right := at.sides()
	text := fmt.Sprintf("%s = %s", a.FormatLinear(left), left.Eval(c.Value))
	if right.IsConst() && len(left.Terms()) == 1 {
		return text
	}
	text += " " + op + " " + a.FormatLinear(right)
	if !right.IsConst() {
		text += " = " + right.Eval(c.Value).String()
	}
	return text
}

// sides splits an atom for people.
func (at Atom) sides() (left Linear, op string, right Linear) {
	op = map[Rel]string{GE: ">=", EQ: "==", NE: "!="}[at.Rel]
	left = Part(at.Linear, Counter, Shared)
	if left.IsConst() {
		return at.balance(op)
	}
	right = left.Sub(at.Linear)
	negative := true
	for _, t := range left.Terms() {
		negative = negative && t.Coef.Sign() < 0
	}
	if negative && len(left.Terms()) > 0 {
		left, right = left.Neg(), right.Neg()
		if at.Rel == GE {
			op = "<="
			// s <= c reads better as s < c + 1 where that frees a parameter of "- 1".
			if c := right.Const(); c.Is(-1) && len(right.Terms()) > 0 {
				op, right = "<", right.Add(Int(1))
			}
		}
	}
	return left, op, right
}

// balance splits an atom about parameters so that nothing is negative: n > 3 * t.
func (at Atom) balance(op string) (Linear, string, Linear) {
	left, right := at.Linear.Sides()
	switch c := at.Linear.Const(); {
	case c.Sign() >= 0:
		left = left.Add(Number(c))
	case at.Rel == GE && c.Is(-1) && !left.IsConst() && !right.IsConst():
		op = ">"
	default:
		right = right.Sub(Number(c))
	}
	return left, op, right
}

// FormatCond prints a condition with the automaton's names.
func (a *Automaton) FormatCond(c *Cond) string { return c.Text(a.FormatAtom) }

// FormatLiteral prints a literal with the automaton's names.
func (a *Automaton) FormatLiteral(l Literal) string { return a.FormatCond(l.Cond()) }

// FormatThreshold prints a threshold with the automaton's names.
func (a *Automaton) FormatThreshold(t Threshold) string { return a.FormatAtom(t.Atom()) }

// FormatUpdate prints what a rule does to shared variables, as in "x += 1, y -= 2, z = 0"; "" if nothing.
func (a *Automaton) FormatUpdate(r *Rule) string {
	var list []string
	for _, t := range r.Update.Terms() {
		op := "+="
		if t.Coef.Sign() < 0 {
			op = "-="
		}
		list = append(list, fmt.Sprintf("%s %s %s", a.SymbolName(t.Var), op, t.Coef.Abs()))
	}
	for _, s := range r.Resets {
		list = append(list, fmt.Sprintf("%s = %s", a.Shared[s.Shared].Name, s.Value))
	}
	return strings.Join(list, ", ")
}

// Lookup returns the symbol that a name stands for.
func (a *Automaton) Lookup(name string) (Symbol, bool) {
	s, ok := a.names[name]
	return s, ok
}

// one is the number 1; not to be changed.
var one = big.NewInt(1)

// FormatMove prints where a rule leads, such as "v0 -> sent".
func (a *Automaton) FormatMove(r *Rule) string {
	return a.Locations[r.From].Name + " -> " + a.Locations[r.To].Name
}

// macro returns what a defined name stands for.
func (a *Automaton) macro(name string) (Linear, bool) {
	value, ok := a.defs[name]
	return value, ok
}

// parts are the components of an automaton, once they are known.
type parts struct {
	sync.Once
	list [][]int
	of   []int
}

// Reset sets a shared variable to a constant.
type Reset struct {
	Shared int // index into Automaton.Shared
	Value  *big.Int
}

// Changes reports whether firing the rule can change shared variables.
func (r *Rule) Changes() bool { return len(r.Update.Terms()) > 0 || len(r.Resets) > 0 }

// Monotone reports whether no firing of the rule makes a shared variable smaller: it resets none, and decreases none.
func (r *Rule) Monotone() bool {
	return len(r.Resets) == 0 && !slices.ContainsFunc(r.Update.Terms(), func(t Term) bool { return t.Coef.Sign() < 0 })
}

// Monotone reports whether all rules are: thresholds never become false again then.
func (a *Automaton) Monotone() bool {
	return !slices.ContainsFunc(a.Rules, func(r Rule) bool { return !r.Monotone() })
}

// With returns an automaton like a that has only some of its rules (indices,
// increasing), and other initial conditions. Rules get new indices.
func (a *Automaton) With(rules []int, inits *Cond) *Automaton {
	out := *a
	out.Inits, out.Rules, out.parts = inits, nil, &parts{}
	for i, k := range rules {
		r := a.Rules[k]
		r.Index = i
		out.Rules = append(out.Rules, r)
	}
	return &out
}

// Rounds makes an automaton one round of infinitely many: each has locations and shared variables of
// its own (docs/rounds.md).
type Rounds struct {
	Switches   []Switch
	Throughout []int // shared variables that count in all rounds together
	Missing    []Missing
	Leader     *Leader
	// each puts the borders into groups, by something that they have in common; a border may be in several
	Values   [][][]int
	Revealed Linear // so many processes have to be where a coin decides before its value is known
	Fair     *syntax.Expr
	Late     []int        // rules that no process takes in good rounds
	Timely   *syntax.Expr // what is fair in good rounds
	Almost   []Almost
	After    []After
	Pos      diag.Pos
}

// Missing is a shared variable that begins each round with how many are gone: of so many, those that do not begin it in
// one of some locations. Those that leave a round for good are counted by it in all later ones.
type Missing struct {
	Var   int
	At    []int
	Total Linear
}

// Leader is the coordinator of each round, one process whose turn it is: it begins the round in one of some locations.
type Leader struct {
	At   []int
	Most Linear // in so many rounds of the first ones it is faulty, at most
	Bad  int    // the parameter that is 1 in these, and 0 in others, in each round its own; -1 if it may stop in others
}

// After is a specification: when all that do not stop have ended so many rounds, a condition is true, from then on.
type After struct {
	Name    string
	Rounds  Linear
	Formula *syntax.Expr
	Pos     diag.Pos
}

// SwitchKind says who chooses where the next round begins.
type SwitchKind uint8

// Switch says where who ends a round at From begins the next one.
type Switch struct {
	From int
	Kind SwitchKind
	To   []int // by what the coin says
	Pos  diag.Pos
}

// Adversary says against whom something happens with probability one.
type Adversary uint8

// Almost is a specification: every process that does not stop comes to one of the locations in some round,
// with probability one.
type Almost struct {
	Name    string
	Against Adversary
	Goal    []int
	Pos     diag.Pos
}
