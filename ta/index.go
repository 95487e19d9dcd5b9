package ta

import (
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Names lists the names of a text with their places. Its error is that of Parse; the index has what
// could be understood then.
func Names(name, text string) (*index.Index, error) {
	tree, err := syntax.Partly(name, text)
	tokens := syntax.Tokens(name, text)
	x := &indexer{Builder: index.NewBuilder(tokens, isName), named: map[string]*index.Symbol{}}
	if tree == nil {
		return x.Index(false), err
	}
	if err == nil {
		x.a, err = Resolve(name, tree)
	}
	x.model(tree, tokens)
	for _, s := range tree.Sections {
		x.declare(s)
	}
	for _, s := range tree.Sections {
		x.section(s)
	}
	return x.Index(err == nil), err
}

// isName reports whether a word can be a name; rules can be numbered, too.
func isName(kind index.Kind, word string) bool {
	number := word != ""
	for _, r := range word {
		number = number && '0' <= r && r <= '9'
	}
	return syntax.IsName(word) || kind == index.Rule && number
}

// indexer finds the names of a syntax tree, some of which may be missing.
type indexer struct {
	*index.Builder
	a     *Automaton               // nil if something is wrong
	named map[string]*index.Symbol // of what expressions can speak
}

// model declares the automaton's own name, which stands before the first brace.
func (x *indexer) model(tree *syntax.File, tokens []index.Token) {
	for i, t := range tokens {
		if t.Text == "{" {
			if i > 0 && tokens[i-1].Text == tree.Name && tree.Name != "" {
				x.Declare(index.Model, tree.Name, tokens[i-1].Pos)
			}
			return
		}
	}
}

func (x *indexer) names(kind index.Kind, ids []*syntax.Ident) {
	for _, id := range ids {
		s := x.Declare(kind, id.Name, id.Position())
		if kind == index.Variable {
			continue // local names mean nothing
		}
		x.named[id.Name] = s
		s.About = x.about(id.Name)
	}
}

// about returns a description of a symbol, or nil.
func (x *indexer) about(name string) func() string {
	if x.a == nil {
		return nil
	}
	return func() string { return x.a.describe(name) }
}

func (x *indexer) declare(s *syntax.Section) {
	x.names(index.Variable, s.Local)
	x.names(index.Shared, s.Shared)
	x.names(index.Parameter, s.Parameters)
	x.names(index.Unknown, s.Unknowns)
	switch {
	case s.Define != nil && s.Define.Name != nil:
		x.names(index.Macro, []*syntax.Ident{s.Define.Name})
		if s.Define.Value != nil {
			x.named[s.Define.Name.Name].Value = s.Define.Value.String()
		}
	case s.Locations != nil:
		for _, l := range s.Locations.List {
			if l.Name != nil {
				x.names(index.Location, []*syntax.Ident{l.Name})
			}
		}
	}
}

func (x *indexer) section(s *syntax.Section) {
	switch {
	case s.Define != nil:
		x.expr(s.Define.Value)
	case s.Assumptions != nil:
		x.conditions(s.Assumptions)
	case s.Inits != nil:
		x.conditions(s.Inits)
	case s.Rules != nil:
		for _, r := range s.Rules.List {
			x.rule(r)
		}
	case s.Rounds != nil:
		x.rounds(s.Rounds)
	case s.Specifications != nil:
		for _, spec := range s.Specifications.List {
			if spec.Name != nil {
				d := x.Declare(index.Specification, spec.Name.Name, spec.Name.Position())
				if spec.Formula != nil {
					d.Value = spec.Formula.String()
				}
			}
			x.expr(spec.Formula)
		}
	}
}

// rounds notes the names in a rounds section.
func (x *indexer) rounds(r *syntax.Rounds) {
	for _, i := range r.List {
		for _, id := range i.Throughout {
			x.ident(id, false)
		}
		for _, g := range i.Values {
			for _, id := range g.Names {
				x.ident(id, false)
			}
		}
		if i.Missing != nil {
			x.ident(i.Missing.Var, false)
			for _, id := range i.Missing.At.Names {
				x.ident(id, false)
			}
			x.expr(i.Missing.Total)
		}
		if l := i.Leader; l != nil {
			for _, id := range l.At.Names {
				x.ident(id, false)
			}
			x.expr(l.Most)
			if l.When != nil {
				x.ident(l.When, false)
			}
		}
		x.expr(i.Revealed)
		x.expr(i.Fair)
		x.expr(i.Timely)
		switch {
		case i.After != nil:
			x.Declare(index.Specification, i.Name.Name, i.Name.Position())
			x.expr(i.After.Rounds)
			x.expr(i.After.Formula)
		case i.Almost != nil:
			x.Declare(index.Specification, i.Name.Name, i.Name.Position())
			x.expr(i.Almost.Goal)
		case i.Switch != nil:
			x.ident(i.Name, false)
			if i.Switch.To != nil {
				x.ident(i.Switch.To, false)
			}
			if g := i.Switch.Group; g != nil {
				for _, id := range g.Names {
					x.ident(id, false)
				}
			}
		}
	}
}

func (x *indexer) conditions(c *syntax.Conditions) {
	for _, cond := range c.List {
		x.expr(cond.Expr)
	}
}

func (x *indexer) rule(r *syntax.Rule) {
	if r.ID != "" {
		d := x.Declare(index.Rule, r.ID, scan.Place(r.Pos))
		if x.a != nil {
			d.About = func() string { return x.a.describeRule(d.Pos) }
		}
	}
	x.ident(r.From, false)
	x.ident(r.To, false)
	x.expr(r.Guard)
	for _, act := range r.Actions {
		if act.Unchanged != nil {
			for _, id := range act.Unchanged.Names {
				x.ident(id, false)
			}
		}
		if act.Update != nil {
			x.ident(act.Update.Var, true)
			x.expr(act.Update.Value)
		}
	}
}

func (x *indexer) ident(id *syntax.Ident, writes bool) {
	if id != nil {
		x.use(id.Name, id.Position(), writes)
	}
}

func (x *indexer) use(name string, pos diag.Pos, writes bool) { x.Use(x.named[name], pos, writes) }

func (x *indexer) expr(e *syntax.Expr) {
	if e == nil {
		return
	}
	if e.Op == syntax.Name {
		x.use(e.Name, e.Pos, false)
	}
	for _, arg := range e.Args {
		x.expr(arg)
	}
}
