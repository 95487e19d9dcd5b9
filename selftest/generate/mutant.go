package generate

import (
	"fmt"
	"math/big"
	"math/rand"

	"github.com/tacheck/tacheck/ta/syntax"
)

// Mutant changes one thing in the text of a model and says what; what is "" if the change that was drawn is not
// possible. The mutant may be one that the parser refuses.
func Mutant(r *rand.Rand, name, text string) (mutant, what string, err error) {
	file, err := syntax.Parse(name, text)
	if err != nil {
		return "", "", err
	}
	m := mutator{r, collect(file)}
	changes := []func() string{m.guard, m.guard, m.drop, m.redirect, m.increment, m.unincrement, m.assumption,
		m.specification}
	what = changes[r.Intn(len(changes))]()
	return syntax.Format(file), what, nil
}

// parts are the parts of a file that mutate.
type parts struct {
	shared      []*syntax.Ident
	locations   []*syntax.Location
	assumptions []*syntax.Conditions
	rules       []*syntax.Rules
	specs       []*syntax.Spec
}

func collect(file *syntax.File) parts {
	var p parts
	for _, s := range file.Sections {
		p.shared = append(p.shared, s.Shared...)
		if s.Locations != nil {
			p.locations = append(p.locations, s.Locations.List...)
		}
		if s.Assumptions != nil {
			p.assumptions = append(p.assumptions, s.Assumptions)
		}
		if s.Rules != nil {
			p.rules = append(p.rules, s.Rules)
		}
		if s.Specifications != nil {
			p.specs = append(p.specs, s.Specifications.List...)
		}
	}
	return p
}

type mutator struct {
	*rand.Rand
	parts
}

// rule draws a rule and its list.
func (m *mutator) rule() (*syntax.Rules, int) {
	list := m.rules[m.Intn(len(m.rules))]
	return list, m.Intn(len(list.List))
}

// guard shifts a comparison in a guard by one, or turns it round.
func (m *mutator) guard() string {
	list, i := m.rule()
	rule := list.List[i]
	return m.comparison(rule.Guard, "rule "+rule.ID)
}

// specification shifts a comparison in a specification, or turns it round.
func (m *mutator) specification() string {
	if len(m.specs) == 0 {
		return ""
	}
	s := m.specs[m.Intn(len(m.specs))]
	return m.comparison(s.Formula, "specification "+s.Name.Name)
}

func (m *mutator) comparison(in *syntax.Expr, where string) string {
	list := comparisons(in, nil)
	if len(list) == 0 {
		return ""
	}
	e := list[m.Intn(len(list))]
	was := e.String()
	if opposite, ok := map[syntax.Op]syntax.Op{syntax.Lt: syntax.Ge, syntax.Ge: syntax.Lt}[e.Op]; ok && m.Intn(4) == 0 {
		e.Op = opposite
	} else {
		e.Args = []*syntax.Expr{e.Args[0], plus(e.Args[1], int64(1-2*m.Intn(2)))}
	}
	return fmt.Sprintf("%s in %s becomes %s", was, where, e)
}

func comparisons(e *syntax.Expr, list []*syntax.Expr) []*syntax.Expr {
	if e == nil {
		return list
	}
	if e.Op.IsComparison() {
		return append(list, e)
	}
	for _, arg := range e.Args {
		list = comparisons(arg, list)
	}
	return list
}

func plus(e *syntax.Expr, n int64) *syntax.Expr {
	by := &syntax.Expr{Op: syntax.Number, Num: new(big.Int).Abs(big.NewInt(n))}
	if n < 0 {
		by = &syntax.Expr{Op: syntax.Neg, Args: []*syntax.Expr{by}}
	}
	return &syntax.Expr{Op: syntax.Add, Args: []*syntax.Expr{e, by}}
}

func (m *mutator) drop() string {
	list, i := m.rule()
	id := list.List[i].ID
	list.List = append(list.List[:i:i], list.List[i+1:]...)
	return "rule " + id + " dropped"
}

func (m *mutator) redirect() string {
	list, i := m.rule()
	rule, to := list.List[i], m.locations[m.Intn(len(m.locations))].Name.Name
	if rule.To.Name == to || rule.From.Name == rule.To.Name {
		return ""
	}
	rule.To.Name = to
	return "rule " + rule.ID + " redirected to " + to
}

// increment makes a rule add one more to a shared variable.
func (m *mutator) increment() string {
	if len(m.shared) == 0 {
		return ""
	}
	list, i := m.rule()
	rule, x := list.List[i], m.shared[m.Intn(len(m.shared))].Name
	what := "rule " + rule.ID + " increments " + x + " once more"
	for k, a := range rule.Actions {
		if a.Update != nil && a.Update.Var.Name == x {
			a.Update.Value = plus(a.Update.Value, 1)
			return what
		}
		if a.Unchanged != nil { // says nothing that an update does not
			rule.Actions = append(rule.Actions[:k:k], rule.Actions[k+1:]...)
			break
		}
	}
	rule.Close = "}"
	rule.Actions = append(rule.Actions, &syntax.Action{Update: &syntax.Update{
		Var: &syntax.Ident{Name: x}, Value: plus(&syntax.Expr{Op: syntax.Name, Name: x}, 1)}})
	return what
}

func (m *mutator) unincrement() string {
	list, i := m.rule()
	rule := list.List[i]
	if len(rule.Actions) == 0 {
		return ""
	}
	rule.Actions = nil
	return "rule " + rule.ID + " updates nothing"
}

// assumption weakens the resilience condition.
func (m *mutator) assumption() string {
	if len(m.assumptions) == 0 {
		return ""
	}
	c := m.assumptions[m.Intn(len(m.assumptions))]
	if len(c.List) == 0 {
		return ""
	}
	i := m.Intn(len(c.List))
	what := "without " + c.List[i].Expr.String()
	c.List = append(c.List[:i:i], c.List[i+1:]...)
	return what
}
