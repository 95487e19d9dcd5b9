package protocol

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/internal/spell"
)

// ofRound is how names of texts with several rounds are said.
var ofRound = regexp.MustCompile(`\b([A-Za-z]\w*)(\([^()]*\))?( of round (\d+))\b`)

// unsaid is the inverse of Said, of names. Other words stay in their columns.
func (m *Model) unsaid(text string) string {
	if m.Said(RoundsName) == RoundsName {
		return text
	}
	return ofRound.ReplaceAllStringFunc(text, func(said string) string {
		parts := ofRound.FindStringSubmatch(said)
		name := parts[1] + "_r" + parts[4] + parts[2]
		return name + strings.Repeat(" ", len(said)-len(name))
	})
}

// watching reads an expression in the words of a text for all sizes.
type watching struct {
	*instantiation
	m     *Model
	bound []watchedVariable
}

// watchedVariable is a variable of a quantifier: a process of a type, and its name in the instance.
type watchedVariable struct {
	name, inside string
	typ          int
}

// watchSource reads an expression in the words of the text that the model is an instance of.
func (m *Model) watchSource(what, body string) (*Watch, error) {
	if err := nesting(what, body); err != nil {
		return nil, err
	}
	parsed, err := exprOnly().ParseString(what, body)
	if err != nil {
		return nil, asProblem(err)
	}
	s, err := m.Source.Source()
	if err != nil {
		return nil, err
	}
	s.given = map[*Expr]bool{}
	w := &watching{instantiation: &instantiation{Source: s, origin: parsed.Expr.from()}, m: m}
	e := w.named(s.filled(parsed.Expr))
	if s.errs != nil {
		return nil, s.errs.Err()
	}
	s.check(e, scopeFormula)
	if s.errs == nil {
		return w.whole(parsed.Expr, e)
	}
	whole := s.errs
	if each, err := w.each(parsed.Expr, e); each != nil || err != nil {
		return each, err
	}
	if len(s.Types) == 1 && s.errs != nil && !e.says(counters) {
		whole = s.errs // it is about a process
	}
	return nil, whole.Err()
}

// parameters are the values of the constants of an instance.
func (m *Model) parameters() map[string]int64 {
	values := map[string]int64{}
	for _, k := range m.Constants {
		values[k.Name] = k.Value
	}
	return values
}

// says reports whether some functions are used.
func (e *Expr) says(names []string) bool {
	return e.Op == Call && slices.Contains(names, e.Name) || slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.says(names) })
}

// whole is what an expression of states is in the instance.
func (w *watching) whole(from, e *Expr) (*Watch, error) {
	part, err := w.read(from, w.expr(e, nil), -1)
	if err != nil {
		return nil, err
	}
	return &Watch{parts: []watched{part}}, nil
}

// each is what an expression of a process is of each; nil if it is of none.
func (w *watching) each(from, e *Expr) (*Watch, error) {
	out := &Watch{each: true}
	for typ := range w.Types {
		w.errs = nil
		w.here, w.typ = typ, typ
		w.check(e, scopeProcess)
		w.here = -1
		if w.errs != nil || !w.speaks(e, typ) {
			continue
		}
		for k := range w.m.Roles[typ].Size {
			part, err := w.read(from, w.expr(e, w.num(int64(k)+1)), w.m.Roles[typ].First+k)
			if err != nil {
				return nil, err
			}
			out.parts = append(out.parts, part)
		}
	}
	if out.parts == nil {
		return nil, nil
	}
	return out, nil
}

// read reads the text of an expression in the instance. Its places are those of what it was made of.
func (w *watching) read(from, made *Expr, process int) (watched, error) {
	c := w.m.beside()
	x := c.scope()
	t := x.term(made)
	if c.errs != nil {
		e := c.errs.Sorted()[0]
		e.Pos, e.Width, e.Notes = from.Pos, max(1, from.Width), nil
		return watched{}, diag.List{e}
	}
	t.put(from, map[*Term]bool{})
	return watched{process, t, x.frame}, nil
}

// put gives a term the place of an expression.
func (t *Term) put(e *Expr, seen map[*Term]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	t.Pos, t.Width = e.Pos, e.Width
	for i := range t.Indices {
		t.Indices[i].Pos = e.Pos
	}
	t.made(func(u *Term) bool { u.put(e, seen); return true })
}

// give marks an expression as one of the instance.
func (w *watching) give(e *Expr) *Expr {
	w.given[e] = true
	return e
}

// named replaces what is said of processes by their numbers, or their names in quantifiers.
func (w *watching) named(e *Expr) *Expr {
	bad := func(at *Expr, format string, args ...any) *Expr {
		w.errs.Add(at.Pos, max(1, at.Width), format, args...)
		return e
	}
	switch {
	case e.Op == Field && e.Args[0].Op == Index:
		return w.variableOf(e, bad)
	case e.Op == Index:
		return bad(e, "what of %s? A variable: %s.x", e, e)
	case e.Op == ForAll || e.Op == Exists:
		return w.quantified(e, bad)
	case e.Op == Name && w.boundTo(e.Name) != nil:
		return w.give(e.from().name(w.boundTo(e.Name).inside))
	case len(e.Args) == 0:
		return e
	}
	return e.Map(w.named)
}

func (w *watching) boundTo(name string) *watchedVariable {
	for i := len(w.bound) - 1; i >= 0; i-- {
		if w.bound[i].name == name {
			return &w.bound[i]
		}
	}
	return nil
}

// variableOf is a variable of a process: node[1].sent.
func (w *watching) variableOf(e *Expr, bad func(*Expr, string, ...any) *Expr) *Expr {
	index := e.Args[0]
	of, which := index.Args[0], index.Args[1]
	var types []string
	for i := range w.Types {
		types = append(types, w.Types[i].Name)
	}
	typ := -1
	if of.Op == Name {
		typ = w.typeIndex(of.Name)
	}
	if typ < 0 {
		return bad(of, "unknown type of processes %q%s", of, spell.Hint(of.String(), types))
	}
	var number *Expr
	switch k, is := w.Source.Number(which, w.m.parameters()); {
	case which.Op == Name && w.boundTo(which.Name) != nil:
		b := w.boundTo(which.Name)
		if b.typ != typ {
			return bad(which, "%s is a %s, not a %s", b.name, w.Types[b.typ].Name, w.Types[typ].Name)
		}
		number = w.name(b.inside)
	case !is:
		return bad(which, "which %s? A number, or the name of a quantifier", of)
	case k < 1 || k > int64(w.m.Roles[typ].Size):
		return bad(which, "there is no %s %d: they are %d", of, k, w.m.Roles[typ].Size)
	default:
		number = w.num(k)
	}
	if e.Name == "crashed" && w.crashing() {
		if !w.mayCrash(typ) {
			return w.give(e.from().name("false"))
		}
	} else if w.Types[typ].Var(e.Name) == nil {
		var known []string
		for _, v := range w.Types[typ].Vars {
			known = append(known, v.Name)
		}
		w.errs.Add(e.At, len(e.Name), "%s has no variable %q%s", of, e.Name, spell.Hint(e.Name, known))
		return e
	}
	return w.give(e.from().of(w.Types[typ].Name, number, e.Name))
}

// quantified is an expression that is said of all processes of a type, or some: forall (i: node) node[i].sent.
func (w *watching) quantified(e *Expr, bad func(*Expr, string, ...any) *Expr) *Expr {
	typ := -1
	if t := e.Type; t != nil && t.Range != nil && t.Range.To == nil && t.Range.From.Op == Name {
		typ = w.typeIndex(t.Range.From.Name)
	}
	if typ < 0 {
		var types []string
		for i := range w.Types {
			types = append(types, w.Types[i].Name)
		}
		return bad(e, "%s is of a type of processes here, such as (%s: %s)", e.Name, e.Name, strings.Join(types, " or "))
	}
	inside := fmt.Sprintf("w_%d_", len(w.bound))
	w.bound = append(w.bound, watchedVariable{e.Name, inside, typ})
	body := w.named(e.Args[len(e.Args)-1])
	w.bound = w.bound[:len(w.bound)-1]
	if w.errs != nil {
		return e
	}
	w.check(body, scopeFormula)
	if w.errs != nil {
		return e
	}
	return w.give(e.from().binder(e.Op, inside, w.ids(typ), w.expr(body, nil)))
}
