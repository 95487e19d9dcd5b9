package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// watching reads an expression in the words of a text for all sizes.
type watching struct {
	*instantiate.Instantiation
	m     *protocol.Model
	bound []watchedVariable
}

// watchedVariable is a variable of a quantifier: a process of a type, and its name in the instance.
type watchedVariable struct {
	name, inside string
	typ          int
}

// watchSource reads an expression in the words of the text that the model is an instance of.
func watchSource(m *protocol.Model, what, body string) (*Watch, error) {
	parsed, err := ftdp.ReadAsked(what, body)
	if err != nil {
		return nil, err
	}
	s, err := parametric.Of(m.Source)
	if err != nil {
		return nil, err
	}
	s.Given = map[*ftdp.Expr]bool{}
	w := &watching{Instantiation: &instantiate.Instantiation{Source: s, Origin: parsed.From()}, m: m}
	e := w.named(s.Filled(parsed))
	if s.Errs != nil {
		return nil, s.Errs.Err()
	}
	s.Check(e, parametric.ScopeFormula)
	if s.Errs == nil {
		return w.whole(parsed, e)
	}
	whole := s.Errs
	if each, err := w.each(parsed, e); each != nil || err != nil {
		return each, err
	}
	if len(s.Types) == 1 && s.Errs != nil && !says(e, parametric.Counters) {
		whole = s.Errs // it is about a process
	}
	return nil, whole.Err()
}

// says reports whether some functions are used.
func says(e *ftdp.Expr, names []string) bool {
	return e.Op == ftdp.Call && slices.Contains(names, e.Name) ||
		slices.ContainsFunc(e.Args, func(a *ftdp.Expr) bool { return says(a, names) })
}

// whole is what an expression of states is in the instance.
func (w *watching) whole(from, e *ftdp.Expr) (*Watch, error) {
	part, err := w.read(from, w.Expr(e, nil), -1)
	if err != nil {
		return nil, err
	}
	return &Watch{parts: []watched{part}}, nil
}

// each is what an expression of a process is of each; nil if it is of none.
func (w *watching) each(from, e *ftdp.Expr) (*Watch, error) {
	out := &Watch{each: true}
	for typ := range w.Types {
		w.Errs = nil
		w.Here, w.Typ = typ, typ
		w.Check(e, parametric.ScopeProcess)
		w.Here = -1
		if w.Errs != nil || !w.Speaks(e, typ) {
			continue
		}
		for k := range w.m.Roles[typ].Size {
			part, err := w.read(from, w.Expr(e, w.Num(int64(k)+1)), w.m.Roles[typ].First+k)
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
func (w *watching) read(from, made *ftdp.Expr, process int) (watched, error) {
	c := w.m.Resolver()
	x := c.Scope()
	t := x.Term(made)
	if c.Errs != nil {
		e := c.Errs.Sorted()[0]
		e.Pos, e.Width, e.Notes = from.Pos, max(1, from.Width), nil
		return watched{}, diag.List{e}
	}
	put(t, from, map[*protocol.Term]bool{})
	return watched{process, t, x.Frame}, nil
}

// put gives a term the place of an expression.
func put(t *protocol.Term, e *ftdp.Expr, seen map[*protocol.Term]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	t.Pos, t.Width = e.Pos, e.Width
	t.EachPart(func(u *protocol.Term) bool { put(u, e, seen); return true })
}

// give marks an expression as one of the instance.
func (w *watching) give(e *ftdp.Expr) *ftdp.Expr {
	w.Given[e] = true
	return e
}

// named replaces conditions on processes by ones with their numbers, or their names in quantifiers.
func (w *watching) named(e *ftdp.Expr) *ftdp.Expr {
	bad := func(at *ftdp.Expr, format string, args ...any) *ftdp.Expr {
		w.Errs.Add(at.Pos, max(1, at.Width), format, args...)
		return e
	}
	switch {
	case e.Op == ftdp.InRound:
		return w.ofRound(e, bad)
	case (e.Op == ftdp.Name || e.Op == ftdp.Call) && w.inRound(e.Name, 0) != "":
		c := *e
		c.Name = w.inRound(e.Name, 0)
		return w.named(&c)
	case e.Op == ftdp.Field && e.Args[0].Op == ftdp.Index:
		return w.variableOf(e, bad)
	case e.Op == ftdp.Index:
		return bad(e, "what of %s? A variable: %s.x", e, e)
	case e.Op == ftdp.ForAll || e.Op == ftdp.Exists:
		return w.quantified(e, bad)
	case e.Op == ftdp.Name && w.boundTo(e.Name) != nil:
		return w.give(e.From().Name(w.boundTo(e.Name).inside))
	case len(e.Args) == 0:
		return e
	}
	return e.Map(w.named)
}

// ofRound is something of a round, by the name that it was given.
func (w *watching) ofRound(e *ftdp.Expr, bad func(*ftdp.Expr, string, ...any) *ftdp.Expr) *ftdp.Expr {
	named := func(of *ftdp.Expr) *ftdp.Expr { return of }     // what has the name
	if of := e.Args[0]; of.Op == ftdp.Call && of.Name == "" { // TYPE.KIND(values)
		named = func(of *ftdp.Expr) *ftdp.Expr { return of.Args[0] }
	}
	of := e.Args[0].Map(func(a *ftdp.Expr) *ftdp.Expr { c := *a; return &c })
	made := w.inRound(named(of).Name, e.Num)
	if made == "" {
		return bad(e, "there is no %s", e)
	}
	named(of).Name = made
	return w.named(of)
}

// inRound is the name that something of a round has, or, for 0, of the only one; "" for none.
func (w *watching) inRound(name string, round int64) (made string) {
	for as, of := range w.m.Source.Rounds() {
		if of.Name == name && of.Rule == nil && (int64(of.Round) == round || of.Only && round == 0) {
			made = as
		}
	}
	return made
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
func (w *watching) variableOf(e *ftdp.Expr, bad func(*ftdp.Expr, string, ...any) *ftdp.Expr) *ftdp.Expr {
	index := e.Args[0]
	of, which := index.Args[0], index.Args[1]
	var types []string
	for i := range w.Types {
		types = append(types, w.Types[i].Name)
	}
	typ := -1
	if of.Op == ftdp.Name {
		typ = w.TypeIndex(of.Name)
	}
	if typ < 0 {
		return bad(of, "unknown type of processes %q%s", of, spell.Hint(of.String(), types))
	}
	var number *ftdp.Expr
	switch k, is := w.Source.Number(which, parameters(w.m)); {
	case which.Op == ftdp.Name && w.boundTo(which.Name) != nil:
		b := w.boundTo(which.Name)
		if b.typ != typ {
			return bad(which, "%s is a %s, not a %s", b.name, w.Types[b.typ].Name, w.Types[typ].Name)
		}
		number = w.Named(b.inside)
	case !is:
		return bad(which, "which %s? A number, or the name of a quantifier", of)
	case k < 1 || k > int64(w.m.Roles[typ].Size):
		return bad(which, "there is no %s %d: they are %d", of, k, w.m.Roles[typ].Size)
	default:
		number = w.Num(k)
	}
	if e.Name == "crashed" && w.Faults.Stop {
		if !w.MayCrash(typ) {
			return w.give(e.From().Name("false"))
		}
	} else if w.Types[typ].Var(e.Name) == nil {
		known := lists.Map(w.Types[typ].Vars, func(v parametric.SourceVar) string { return v.Name })
		w.Errs.Add(e.At, len(e.Name), "%s has no variable %q%s", of, e.Name, spell.Hint(e.Name, known))
		return e
	}
	return w.give(e.From().Of(w.Types[typ].Name, number, e.Name))
}

// quantified is an expression about all processes of a type, or some: forall (i: node) node[i].sent.
func (w *watching) quantified(e *ftdp.Expr, bad func(*ftdp.Expr, string, ...any) *ftdp.Expr) *ftdp.Expr {
	typ := -1
	if t := e.Type; t != nil && t.Range != nil && t.Range.To == nil && t.Range.From.Op == ftdp.Name {
		typ = w.TypeIndex(t.Range.From.Name)
	}
	if typ < 0 {
		var types []string
		for i := range w.Types {
			types = append(types, w.Types[i].Name)
		}
		return bad(e, "%s is of a type of processes here, such as (%s: %s)", e.Name, e.Name,
			strings.Join(types, " or "))
	}
	inside := fmt.Sprintf("w_%d_", len(w.bound))
	w.bound = append(w.bound, watchedVariable{e.Name, inside, typ})
	body := w.named(e.Args[len(e.Args)-1])
	w.bound = w.bound[:len(w.bound)-1]
	if w.Errs != nil {
		return e
	}
	w.Check(body, parametric.ScopeFormula)
	if w.Errs != nil {
		return e
	}
	return w.give(e.From().Binder(e.Op, inside, w.Ids(typ), w.Expr(body, nil)))
}
