package tla

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ta/syntax"
)

// at is the origin of what is made for a place of one character.
func at(pos diag.Pos) syntax.Origin { return syntax.Origin{At: pos, Width: 1} }

// lin is a sum of what the automaton has.
func (w *writer) lin(o syntax.Origin, l lin) *syntax.Expr {
	return syntax.SumThenNumber(o, l, func(s linear.Name) *syntax.Expr { return o.Name(w.called(string(s))) })
}

// called is the automaton's name of a symbol.
func (w *writer) called(symbol string) string {
	for _, p := range w.parts {
		if p.symbol == symbol {
			return p.name
		}
	}
	return symbol
}

var comparisons = map[string]syntax.Op{">=": syntax.Ge, "==": syntax.Eq, "!=": syntax.Ne}

func (w *writer) cond(o syntax.Origin, c cond) *syntax.Expr {
	return syntax.CondOf(o, c, func(a comparison) *syntax.Expr {
		left, right := a.sides()
		return o.Op(comparisons[a.op], w.lin(o, left), w.lin(o, right))
	})
}

func (w *writer) build() {
	m := w.t.Module
	w.b = &syntax.Builder{Name: syntax.Identifier(m.Name),
		Remarks: []string{"Made from the TLA+ module " + m.Name + "."},
		At:      at(w.start())}
	for _, p := range w.parts {
		if w.counts[p.variable] {
			w.b.Locations = append(w.b.Locations, at(w.start()).Ident(p.name))
		} else {
			w.b.Shared = append(w.b.Shared, at(m.Variables[0].pos).Ident(p.name))
		}
	}
	for i, name := range w.constants {
		w.b.Parameters = append(w.b.Parameters, at(m.Constants[i].pos).Ident(name))
	}
	for _, e := range m.Assumes {
		for _, c := range w.ev.cond(e, nil).Conjuncts() {
			w.b.Assumptions = append(w.b.Assumptions, w.cond(at(e.Pos), c))
		}
	}
	w.buildInits()
	for _, mv := range w.moves {
		w.rule(mv)
	}
	w.buildSpecs()
	w.t.Tree = w.b.File()
}

func (w *writer) buildInits() {
	d := w.init
	var ways []cond
	for _, b := range w.inits {
		list := slices.Clone(b.guards)
		for _, v := range w.t.Module.Variables {
			both(w.ev.vars[v.text], b.next[v.text], func(was, got lin) {
				list = append(list, compare(was.Sub(got), "=="))
			})
		}
		ways = append(ways, boolean.And(list...))
	}
	for _, c := range boolean.Or(ways...).Conjuncts() {
		w.b.Inits = append(w.b.Inits, w.cond(at(d.Pos), c))
	}
}

func (w *writer) rule(m move) {
	o := at(m.at.Pos)
	updates := lists.Map(slices.Sorted(maps.Keys(m.updates)),
		func(s string) *syntax.Action { return o.Update(w.called(s), w.lin(o, m.updates[s])) })
	r := w.b.Rule(o, w.called(m.from), w.called(m.to), w.cond(o, boolean.And(m.guards...)), updates...)
	label := syntax.Identifier(m.name)
	if m.name == "" {
		label = "Next"
	}
	r.ID = label + "_" + r.ID
}

// named is the definition without arguments that an expression names; nil if it names none.
func (w *writer) named(e *Expr) *Definition {
	if d := w.ev.defs[e.Name]; e.Op == "name" && len(e.Args) == 0 && d != nil && len(d.Params) == 0 {
		return d
	}
	return nil
}

// needs adds to the definitions that are used those that an expression mentions, directly or not.
func (w *writer) needs(e *Expr, used map[string]bool) {
	e.any(func(e *Expr) bool {
		if d := w.ev.defs[e.Name]; e.Op == "name" && d != nil && !used[e.Name] {
			used[e.Name] = true
			w.needs(d.Body, used)
		}
		return false
	})
}

// buildSpecs asks about the definitions that say something about states and that neither Init nor Next need: they are
// invariants. What only definitions need that cannot be read, or that ask about runs that begin in some way, is not
// asked about.
func (w *writer) buildSpecs() {
	used := map[string]bool{}
	for _, d := range []*Definition{w.init, w.next} {
		used[d.Name] = true
		w.needs(d.Body, used)
	}
	model := w.model()
	formulas := map[*Definition]*syntax.Expr{}
	for _, d := range w.t.Module.Defs {
		if used[d.Name] || len(d.Params) > 0 || model[d.Name] {
			continue
		}
		if acts(d.Body) {
			if temporal(d.Body) {
				w.t.Notes.Warn(d.Pos, len(d.Name), "%s is not asked about: it speaks of steps, and not of states alone",
					d.Name)
			}
			continue
		}
		v, err := w.claim(d.Body)
		var list diag.List
		whole := v == nil || v.Op != syntax.Implies
		if !errors.As(err, &list) && whole {
			formulas[d] = v
			continue
		}
		parts := map[string]bool{}
		w.needs(d.Body, parts)
		var also []string
		for _, other := range w.t.Module.Defs {
			if parts[other.Name] && !used[other.Name] && !model[other.Name] && len(other.Params) == 0 &&
				!acts(other.Body) {
				also = append(also, other.Name)
				used[other.Name] = true
			}
		}
		if list == nil {
			formulas[d] = v
			continue
		}
		nor := ""
		if also != nil {
			nor = "; nor about what is a part of it: " + strings.Join(also, ", ")
		}
		w.t.Notes.Warn(list[0].Pos, list[0].Width, "%s is not asked about: %s%s", d.Name, list[0].Msg, nor)
	}
	for _, d := range w.t.Module.Defs {
		if f := formulas[d]; f != nil && !used[d.Name] {
			w.b.Specs = append(w.b.Specs, at(d.Pos).Spec(syntax.Identifier(d.Name), f))
		}
	}
}

// model returns the names of the definitions that say what the runs are, such as Spec == Init /\ [][Next]_vars, and of
// their parts.
func (w *writer) model() map[string]bool {
	names := map[string]bool{}
	for _, d := range w.t.Module.Defs {
		if s := w.specified(d); s != nil && s.problem == nil {
			names[d.Name] = true
			w.needs(d.Body, names)
		}
	}
	return names
}

// claim is what an expression claims as a formula: P, []P, conjunctions of those, P => []Q or ~P \/ []Q; the
// specification itself may stand in the place of P. It is nil if the expression says nothing about states; its error
// says what cannot be read.
func (w *writer) claim(e *Expr) (formula *syntax.Expr, err error) {
	o := at(e.Pos)
	begin, always := (*Expr)(nil), w.opened(e)
	switch {
	case always.Op == "\\/" && len(always.Args) == 2 && w.opened(always.Args[1]).Op == "[]": // ~P \/ []Q
		begin = &Expr{Op: "~", Args: always.Args[:1], Pos: always.Pos, Width: always.Width}
		always = w.opened(always.Args[1])
	case always.Op == "=>" && w.opened(always.Args[1]).Op == "[]":
		begin, always = always.Args[0], w.opened(always.Args[1])
		if d := w.ev.defs[begin.Name]; begin.Op == "name" && d != nil {
			if s := w.specified(d); s != nil && (s.problem != nil || w.spec == nil || !s.same(w.spec)) {
				return nil, diag.Wrong(begin.Pos, max(1, begin.Width),
					"%s is another specification than that of the runs",
					begin.Name)
			} else if s != nil {
				begin = nil
			}
		}
	}
	c, is, err := w.always(always)
	if err != nil || !is {
		return nil, err
	}
	if begin == nil {
		if always.Op != "[]" && !w.speaks(always) {
			return nil, nil // of constants alone
		}
		return o.Op(syntax.Globally, w.cond(o, c)), nil
	}
	first, err := w.try(begin)
	if err != nil {
		return nil, err
	}
	return o.Implies(w.cond(o, first), o.Op(syntax.Globally, w.cond(o, c))), nil
}

// always returns what an expression says of all states: P, []P, or a conjunction of the ones or of the others. It
// reports whether that is true or false at all.
func (w *writer) always(e *Expr) (c cond, is bool, err error) {
	parts, boxes := []*Expr{e}, 0
	if e.Op == "/\\" {
		parts = e.Args
	}
	var list []cond
	for _, p := range parts {
		if p = w.opened(p); p.Op == "[]" {
			boxes++
			p = p.Args[0]
		}
		if len(parts) == 1 && boxes == 0 && !w.truth(p) {
			return no, false, nil
		}
		c, err := w.try(p)
		if err != nil {
			return no, false, err
		}
		list = append(list, c)
	}
	if boxes > 0 && boxes < len(parts) {
		return no, false, diag.Wrong(e.Pos, max(1, e.Width), "a condition of the first state stands beside `[]`")
	}
	return boolean.And(list...), true, nil
}

// speaks reports whether an expression mentions a variable, itself or by definitions.
func (w *writer) speaks(e *Expr) bool {
	return w.anywhere(e, func(e *Expr) bool { return e.Op == "name" && w.ev.isVariable(e.Name) })
}

// opened is an expression without parentheses around it; of a name for []P, that.
func (w *writer) opened(e *Expr) *Expr {
	for range maxCalls {
		d := w.named(e)
		switch {
		case e.Op == "()":
			e = e.Args[0]
		case d != nil && (d.Body.Op == "[]" || d.Body.Op == "()" || d.Body.Op == "name"):
			e = d.Body
		default:
			return e
		}
	}
	return e
}

// acts reports whether a definition is about steps, and not about states: Spec, and parts of it.
func acts(e *Expr) bool {
	return e.any(func(e *Expr) bool {
		switch e.Op {
		case "square", "angle", "prime", "ENABLED", "UNCHANGED":
			return true
		}
		return fair(e)
	})
}

// temporal reports whether something is said about runs, and not about one step alone.
func temporal(e *Expr) bool { return e.any(ofRuns) }

func fair(e *Expr) bool {
	return e.Op == "name" && (strings.HasPrefix(e.Name, "WF_") || strings.HasPrefix(e.Name, "SF_"))
}

// value evaluates what may be outside of what is read.
func (w *writer) value(e *Expr) (v value, err error) {
	defer diag.Caught(func(list diag.List) { err = list })
	w.ev.depth = 0
	return w.ev.eval(e, nil), nil
}

// try evaluates what is true or false, and may be outside of what is read.
func (w *writer) try(e *Expr) (c cond, err error) {
	defer diag.Caught(func(list diag.List) { err = list })
	w.ev.depth = 0
	return w.ev.cond(e, nil), nil
}

// truth reports whether an expression that can be read is true or false, and no number, set or other value.
func (w *writer) truth(e *Expr) bool {
	v, err := w.value(e)
	_, is := v.(cond)
	return err != nil || is
}
