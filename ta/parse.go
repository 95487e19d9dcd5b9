package ta

import (
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Parse reads and checks the text of a .ta file; name is used in messages. Its error is a diag.List: the first problem
// that does not fit the grammar, or else everything that is wrong with the names, guards and updates, in source order.
//
// Whether any parameters are admissible takes a solver to decide and is not checked here. Time and space are linear in
// the text, times the nesting of macros.
func Parse(name, text string) (*Automaton, error) {
	tree, err := syntax.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return Resolve(name, tree)
}

// Resolve checks a syntax tree, as Parse does.
func Resolve(name string, tree *syntax.File) (*Automaton, error) {
	r := &resolver{
		a: &Automaton{Name: tree.Name, File: name, tree: tree, names: map[string]Symbol{},
			defs: map[string]Linear{}, parts: &parts{}},
		where: map[string]diag.Pos{},
		macro: map[string]*syntax.Define{}, guards: map[string][][]Literal{},
	}
	r.declare(tree)
	r.defines(tree)
	r.sections(tree)
	r.a.Resilience, r.a.Inits = And(r.resilience...), And(r.inits...)
	r.checkRuleIDs()
	r.rounds(tree)
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.a, nil
}

// resolver turns a syntax tree into an automaton.
type resolver struct {
	a                 *Automaton
	errs              diag.List
	where             map[string]diag.Pos // of declared names
	macro             map[string]*syntax.Define
	resilience, inits []*Cond
	closed            bool                   // no new quotients
	divided           int                    // quotients in numbers of rounds
	guards            map[string][][]Literal // cases of guards, by their keys
	scratch           []byte
}

func (r *resolver) addName(id *syntax.Ident) bool {
	pos := id.Position()
	if id.Name == "true" || id.Name == "false" {
		r.errs.Add(pos, len(id.Name), "%q cannot be used as a name", id.Name)
		return false
	}
	if first, dup := r.where[id.Name]; dup {
		e := r.errs.Add(pos, len(id.Name), "%q is declared again", id.Name)
		e.Notes = append(e.Notes, diag.Note{Pos: first, Msg: "first declared here"})
		return false
	}
	r.where[id.Name] = pos
	return true
}

func (r *resolver) declareAll(ids []*syntax.Ident, kind Kind, list *[]Name) {
	for _, id := range ids {
		if r.addName(id) {
			r.a.names[id.Name] = Symbol{kind, len(*list)}
			*list = append(*list, Name{id.Name, id.Position(), id.Wide()})
		}
	}
}

// declare collects all names, so that sections may come in any order.
func (r *resolver) declare(tree *syntax.File) {
	for _, s := range tree.Sections {
		r.declareAll(s.Shared, Shared, &r.a.Shared)
		r.declareAll(s.Parameters, Parameter, &r.a.Parameters)
		if len(s.Unknowns) > 0 {
			id := s.Unknowns[0]
			r.errs.Add(id.Position(), len(id.Name),
				"%q is an unknown coefficient: `tacheck synth` finds values for it", id.Name)
		}
		for _, id := range s.Unknowns { // so that their uses are not reported too
			if r.addName(id) {
				r.a.defs[id.Name] = Int(1)
			}
		}
		if s.Define != nil && r.addName(s.Define.Name) {
			r.macro[s.Define.Name.Name] = s.Define
		}
		if s.Locations != nil {
			for _, l := range s.Locations.List {
				r.declareAll([]*syntax.Ident{l.Name}, Counter, &r.a.Locations)
			}
		}
	}
	if len(r.a.Locations) == 0 {
		r.errs.Add(scan.Place(tree.Pos), 1, "the automaton has no locations")
	}
}

// defines resolves all macros, each after those that it uses.
func (r *resolver) defines(tree *syntax.File) {
	for _, s := range tree.Sections {
		if s.Define != nil {
			r.define(s.Define.Name.Name, nil)
		}
	}
}

func (r *resolver) define(name string, users []string) {
	d, pending := r.macro[name]
	if !pending {
		return
	}
	delete(r.macro, name)
	var uses func(e *syntax.Expr)
	uses = func(e *syntax.Expr) {
		if e.Op == syntax.Name {
			for _, u := range append(users, name) {
				if u == e.Name {
					r.errs.Add(e.Pos, len(e.Name), "macro %q is defined by itself", e.Name)
					r.a.defs[e.Name] = Linear{} // reported once
				}
			}
			r.define(e.Name, append(users, name))
		}
		for _, arg := range e.Args {
			uses(arg)
		}
	}
	uses(d.Value)
	value, _ := r.linear(d.Value, anything)
	r.a.defs[name] = value
}

func (r *resolver) sections(tree *syntax.File) {
	for _, s := range tree.Sections {
		switch {
		case s.Assumptions != nil:
			r.a.ResiliencePos = scan.Place(s.Pos)
			r.resilience = r.conditions(r.resilience, s.Assumptions, scopeResilience)
		case s.Inits != nil:
			r.a.InitsPos = scan.Place(s.Pos)
			r.inits = r.conditions(r.inits, s.Inits, anything)
		case s.Rules != nil:
			for _, rule := range s.Rules.List {
				r.rule(rule)
			}
		case s.Specifications != nil:
			for _, spec := range s.Specifications.List {
				r.spec(spec)
			}
		}
	}
}

func (r *resolver) conditions(list []*Cond, c *syntax.Conditions, where scope) []*Cond {
	for _, cond := range c.List {
		if got, ok := r.cond(cond.Expr, where, false); ok {
			list = append(list, got)
		}
	}
	return list
}

// spec records a specification; package ltl reads the formula.
func (r *resolver) spec(s *syntax.Spec) {
	pos := s.Name.Position()
	if first := r.a.SpecNamed(s.Name.Name); first != nil {
		e := r.errs.Add(pos, len(s.Name.Name), "specification %q is declared again", s.Name.Name)
		e.Notes = append(e.Notes, diag.Note{Pos: first.Pos, Msg: "first declared here"})
		return
	}
	r.a.Specs = append(r.a.Specs, Spec{s.Name.Name, s.Formula, pos})
	r.quotients(s.Formula)
}

// quotients resolves the quotients of a formula, so that they have values in
// configurations. What is wrong with them is reported when the formula is read.
func (r *resolver) quotients(e *syntax.Expr) {
	if e.Op == syntax.Div {
		found := &resolver{a: r.a}
		found.divide(e, anything)
		return
	}
	for _, arg := range e.Args {
		r.quotients(arg)
	}
}

func (r *resolver) rule(s *syntax.Rule) {
	from, okFrom := r.location(s.From)
	to, okTo := r.location(s.To)
	guard, okGuard := True, true
	if s.Guard != nil {
		if guard, okGuard = r.cond(s.Guard, scopeGuard, false); okGuard {
			r.scratch = key(r.scratch[:0], guard)
			if _, known := r.guards[string(r.scratch)]; !known {
				if okGuard = r.checkGuard(guard); okGuard {
					r.guards[string(r.scratch)], _ = dnf(guard)
				}
			}
		}
	}
	update, okUpdate := r.update(s)
	if okFrom && okTo && okGuard && okUpdate {
		rule := Rule{Index: len(r.a.Rules), ID: s.ID, From: from, To: to, Guard: guard, Update: update.adds,
			Resets: update.resets, Pos: scan.Place(s.Pos), Width: s.Wide()}
		if s.Guard != nil {
			rule.cases = r.guards[string(r.scratch)]
		}
		if !update.asks.IsTrue() {
			rule.Guard, rule.cases = And(guard, update.asks), nil
		}
		r.a.Rules = append(r.a.Rules, rule)
	}
}

func (r *resolver) location(id *syntax.Ident) (int, bool) {
	if s, ok := r.a.names[id.Name]; ok {
		if s.Kind == Counter {
			return s.Index, true
		}
		r.errs.Add(id.Position(), len(id.Name), "%q is a %s, not a location", id.Name, kindNames[s.Kind])
		return 0, false
	}
	names := NamesOf(r.a.Locations)
	r.errs.Add(id.Position(), len(id.Name), "unknown location %q%s", id.Name, spell.Hint(id.Name, names))
	return 0, false
}

// checkGuard reports atoms of a guard that are not monotone, and guards whose disjunctive normal form is out of hand.
func (r *resolver) checkGuard(guard *Cond) bool {
	ok := true
	for _, a := range guard.Atoms(nil) {
		if _, err := GuardLiteral(a.Linear); err != nil {
			r.errs.Add(a.Pos, a.Width, "guard mixes %v", err)
			ok = false
		}
	}
	if !ok {
		return false
	}
	if _, few := dnf(guard); !few {
		r.errs.Add(guard.Pos, 1, "guard has more than a thousand cases in disjunctive normal form")
		return false
	}
	return true
}

// shared reports whether a name is that of a shared variable.
func (r *resolver) shared(id *syntax.Ident) bool {
	if sym, known := r.a.names[id.Name]; known && sym.Kind == Shared {
		return true
	}
	r.errs.Add(id.Position(), len(id.Name), "unknown shared variable %q%s", id.Name,
		spell.Hint(id.Name, NamesOf(r.a.Shared)))
	return false
}

// checkRuleIDs warns of rule numbers that are used twice.
func (r *resolver) checkRuleIDs() {
	first := map[string]*Rule{}
	r.a.repeated = map[string]bool{}
	for i := range r.a.Rules {
		rule := &r.a.Rules[i]
		if f, dup := first[rule.ID]; dup {
			r.a.repeated[rule.ID] = true
			e := r.a.Warnings.Warn(rule.Pos, rule.Width, "rule number %s is used again; it is shown as %s", rule.ID,
				r.a.RuleName(rule))
			e.Notes = append(e.Notes, diag.Note{Pos: f.Pos, Msg: "first used here"})
			continue
		}
		first[rule.ID] = rule
	}
}

// NamesOf are what things are called.
func NamesOf(list []Name) []string { return lists.Map(list, func(n Name) string { return n.Name }) }
