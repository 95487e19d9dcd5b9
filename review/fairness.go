package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// FairnessOptions say which rules fairness does not force.
type FairnessOptions struct {
	// Except names rules that need never fire (such as crashes), or locations: rules into these need never fire.
	Except []string
	// ExceptGuards are guards whose rules need never fire, as they are written.
	ExceptGuards []string
	// Silent is a parameter that counts faulty processes, which may send nothing. Where a guard counts on their
	// messages, as `x >= t + 1 - f` does, a rule is not forced before correct processes have sent enough: x >= t + 1.
	// "" means f or F, if the automaton has a parameter of that name, and "-" means none.
	Silent string
}

// Fairness is the assumption of reliable communication: no process stays for ever where a rule to somewhere else stays
// enabled (POPL 2017, example 3.3). Where processes cannot go round in cycles, a formula says exactly that; on cycles
// the formula demands less (Obligation.Cycle, Judge).
type Fairness struct {
	Obligations []Obligation
	Silent      string // the parameter that counts silent processes, or ""
}

// Obligation says that a location is empty, or a guard false, or a process in the
// rest of the location's cycle, again and again.
type Obligation struct {
	Location int
	Guard    *ta.Cond // true for rules without guard
	Rules    []int    // that are forced by it
	// Cycle are the other locations that processes can go round with: while a process is there, numbers of processes do
	// not tell who stays and who comes and goes.
	Cycle []int
}

// NewFairness derives the assumption from the rules of an automaton. Self-loops
// force nothing, and where some rule has no guard others add nothing.
func NewFairness(a *ta.Automaton, o FairnessOptions) (*Fairness, error) {
	f := &Fairness{}
	if err := f.silent(a, o.Silent); err != nil {
		return nil, err
	}
	if err := checkExceptions(a, o); err != nil {
		return nil, err
	}
	components, of := a.Components()
	for l := range a.Locations {
		rest := slices.DeleteFunc(slices.Sorted(slices.Values(components[of[l]])), func(k int) bool { return k == l })
		for _, ob := range f.at(a, l, o) {
			ob.Cycle = rest
			f.Obligations = append(f.Obligations, ob)
		}
	}
	return f, nil
}

func (f *Fairness) silent(a *ta.Automaton, name string) error {
	if name == "-" {
		return nil
	}
	for _, p := range a.Parameters {
		if p.Name == name || name == "" && strings.EqualFold(p.Name, "f") {
			f.Silent = p.Name
		}
	}
	if name != "" && f.Silent == "" {
		return fmt.Errorf("no parameter is called %q%s", name, spell.Hint(name, ta.NamesOf(a.Parameters)))
	}
	return nil
}

// checkExceptions refuses exceptions that except nothing.
func checkExceptions(a *ta.Automaton, o FairnessOptions) error {
	known := ta.NamesOf(a.Locations)
	guards := []string{}
	for i := range a.Rules {
		known = append(known, a.RuleName(&a.Rules[i]))
		guards = append(guards, a.FormatCond(a.Rules[i].Guard))
	}
	for _, name := range o.Except {
		if !slices.Contains(known, name) {
			return fmt.Errorf("no rule or location is called %q%s", name, spell.Hint(name, known))
		}
	}
	for _, g := range o.ExceptGuards {
		text, err := normalGuard(a, g)
		if err != nil {
			return err
		}
		if !slices.Contains(guards, text) {
			return fmt.Errorf("no rule has the guard %q%s", g, spell.Hint(text, guards))
		}
	}
	return nil
}

// normalGuard prints a guard the way FormatCond does.
func normalGuard(a *ta.Automaton, text string) (string, error) {
	e, err := syntax.ParseExpr("guard", text)
	if err != nil {
		return "", fmt.Errorf("%q is no guard: %w", text, err)
	}
	c, err := a.Cond(e)
	if err != nil {
		return "", fmt.Errorf("%q is no guard: %w", text, err)
	}
	return a.FormatCond(c), nil
}

// at returns the obligations of one location.
func (f *Fairness) at(a *ta.Automaton, location int, o FairnessOptions) []Obligation {
	var list []Obligation
	for i := range a.Rules {
		r := &a.Rules[i]
		if r.From != location || r.SelfLoop() || excepted(a, r, o) {
			continue
		}
		guard := f.certain(a, r.Guard)
		if guard.IsFalse() { // forces nothing
			continue
		}
		if guard.IsTrue() {
			list = slices.DeleteFunc(list, func(ob Obligation) bool { return !ob.Guard.IsTrue() })
		}
		same := func(ob Obligation) bool {
			return ob.Guard.IsTrue() || a.FormatCond(ob.Guard) == a.FormatCond(guard)
		}
		if k := slices.IndexFunc(list, same); k >= 0 {
			list[k].Rules = append(list[k].Rules, i)
			continue
		}
		list = append(list, Obligation{Location: location, Guard: guard, Rules: []int{i}})
	}
	return list
}

func excepted(a *ta.Automaton, r *ta.Rule, o FairnessOptions) bool {
	if slices.Contains(o.Except, a.RuleName(r)) || slices.Contains(o.Except, a.Locations[r.To].Name) {
		return true
	}
	return slices.ContainsFunc(o.ExceptGuards, func(g string) bool {
		text, err := normalGuard(a, g)
		return err == nil && text == a.FormatCond(r.Guard)
	})
}

// Formula is the assumption.
func (f *Fairness) Formula(a *ta.Automaton) *syntax.Expr {
	parts := lists.Map(f.Obligations, func(ob Obligation) *syntax.Expr { return ob.Formula(a) })
	return derived.And(parts...)
}

// derived is the origin of what is in no text.
var derived syntax.Origin

// Formula is what one obligation says.
func (ob Obligation) Formula(a *ta.Automaton) *syntax.Expr {
	parts := []*syntax.Expr{derived.Equation(derived.Name(a.Locations[ob.Location].Name), 0)}
	if !ob.Guard.IsTrue() {
		parts = append(parts, a.CondExpr(derived, ob.Guard.Negate()))
	}
	if len(ob.Cycle) > 0 {
		rest := lists.Map(ob.Cycle, func(l int) *syntax.Expr { return derived.Name(a.Locations[l].Name) })
		parts = append(parts, derived.Op(syntax.Ne, derived.Plus(rest...), derived.Int(0)))
	}
	return derived.Op(syntax.Globally, derived.Op(syntax.Finally, derived.Or(parts...)))
}

// Assume returns the specification `fairness -> spec`. What finite runs violate stays as it is, whether it is all of a
// specification or a part that others are joined to with &&: fairness says what happens at last.
func (f *Fairness) Assume(a *ta.Automaton, spec *ta.Spec) *ta.Spec {
	fair := f.Formula(a)
	var assume func(e *syntax.Expr) *syntax.Expr
	assume = func(e *syntax.Expr) *syntax.Expr {
		switch {
		case finitely(a, &ta.Spec{Name: spec.Name, Pos: spec.Pos, Formula: e}):
			return e
		case e.Op == syntax.And:
			all := *e
			all.Args = lists.Map(e.Args, assume)
			return &all
		}
		return implies(fair, e)
	}
	return &ta.Spec{Name: spec.Name, Pos: spec.Pos, Formula: assume(spec.Formula)}
}

// finitely reports whether all violations of a specification are finite runs.
func finitely(a *ta.Automaton, spec *ta.Spec) bool {
	f, err := ltl.Parse(a, spec)
	if err != nil {
		return false
	}
	trees, err := ltl.Canonical(ltl.Negate(f))
	return err == nil && !slices.ContainsFunc(trees, func(t *ltl.Node) bool { return t.HasGlobally() })
}

func implies(a, b *syntax.Expr) *syntax.Expr {
	return &syntax.Expr{Op: syntax.Implies, Pos: b.Pos, Width: b.Width, Args: []*syntax.Expr{a, b}}
}

// Relation compares two assumptions on the runs of an automaton.
type Relation string

// The relations: of the derived assumption to one that is written down.
const (
	Equivalent   Relation = "equivalent"
	Weaker       Relation = "weaker" // more runs satisfy the derived one
	Stronger     Relation = "stronger"
	Incomparable Relation = "incomparable"
	Undecided    Relation = "undecided"
)

// Comparison says how the derived assumption relates to the one that a specification makes.
type Comparison struct {
	Spec     string
	Relation Relation
	Reason   string         // for Undecided
	Without  verify.Verdict // of the specification as it is
	Derived  verify.Verdict // with the derived assumption in place of its own
}

// Compare compares the derived assumption with the fairness that a specification assumes: the parts <>[]... and []<>...
// of its premises. It returns nil if there are none.
func (f *Fairness) Compare(ctx context.Context, a *ta.Automaton, spec *ta.Spec, o verify.Options) (*Comparison, error) {
	o.KeepFirst = true
	own, rest := fairParts(spec.Formula)
	if own == nil {
		return nil, nil
	}
	c := &Comparison{Spec: spec.Name}
	verdict := func(name string, e *syntax.Expr) verify.Verdict {
		r, err := verify.Decide(ctx, a, &ta.Spec{Name: spec.Name + name, Pos: spec.Pos, Formula: e}, o)
		switch {
		case err != nil:
			c.Reason = err.Error()
			return verify.Unknown
		case r.Verdict == verify.Unknown:
			c.Reason = r.Reason
		}
		return r.Verdict
	}
	mine := f.Formula(a)
	c.Without, c.Derived = verdict("", spec.Formula), verdict(".derived", implies(mine, rest))
	forth, back := verdict(".forth", implies(mine, own)), verdict(".back", implies(own, mine))
	switch {
	case forth == verify.Unknown || back == verify.Unknown:
		c.Relation = Undecided
	case forth == verify.Holds && back == verify.Holds:
		c.Relation = Equivalent
	case forth == verify.Holds:
		c.Relation = Stronger
	case back == verify.Holds:
		c.Relation = Weaker
	default:
		c.Relation = Incomparable
	}
	return c, nil
}

// fairParts splits a specification into the fairness that it assumes, nil if none, and the specification without that.
func fairParts(e *syntax.Expr) (fair, rest *syntax.Expr) {
	x := ltl.Dissect(e)
	rest = x.Claim
	var parts []*syntax.Expr
	for i := len(x.Premises) - 1; i >= 0; i-- {
		var others []*syntax.Expr
		conjuncts := []*syntax.Expr{x.Premises[i]}
		if x.Premises[i].Op == syntax.And {
			conjuncts = x.Premises[i].Args
		}
		for _, c := range conjuncts {
			if isFairness(c) {
				parts = append(parts, c)
			} else {
				others = append(others, c)
			}
		}
		if len(others) > 0 {
			rest = implies(conjoin(others), rest)
		}
	}
	if len(parts) == 0 {
		return nil, e
	}
	return conjoin(parts), rest
}

func isFairness(e *syntax.Expr) bool {
	return e.Op == syntax.Finally && e.Args[0].Op == syntax.Globally ||
		e.Op == syntax.Globally && e.Args[0].Op == syntax.Finally
}
