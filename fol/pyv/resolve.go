// Package pyv reads the language of mypyvy (.pyv), in both dialects: the one in which new(...) and x' are of the state
// after a step, and the older one in which old(...) is of the state before it. A text is made a fol.System.
package pyv

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
)

// Read reads a text. Its error is a diag.List.
func Read(file, text string) (*fol.System, error) {
	s, _, err := ReadWith(file, text, nil)
	return s, err
}

// ReadWith reads a text and formulas about one state of it, each a text of its own.
func ReadWith(file, text string, formulas []string) (*fol.System, []*fol.Term, error) {
	r, err := resolve(file, text)
	if err != nil {
		return nil, nil, err
	}
	var list []*fol.Term
	for i, f := range formulas {
		t, err := r.alone(fmt.Sprintf("formula %d", i+1), f)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, t)
	}
	return r.sys, list, nil
}

// Condition reads a formula about one state of a system; places in it have the name what for a file.
func Condition(s *fol.System, what, text string) (*fol.Term, error) {
	r, err := resolve(s.File, s.Text)
	if err != nil {
		return nil, err
	}
	return r.alone(what, text)
}

func resolve(file, text string) (*resolver, error) {
	t, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	r := &resolver{tree: t, sys: &fol.System{File: file, Text: text}, sorts: map[string]*fol.Sort{},
		defs: map[string]*definition{}, slots: map[*fol.Var]*slot{}, named: map[string]token{}}
	r.declare()
	if len(r.problems) == 0 {
		r.all()
	}
	if err := r.problems.Err(); err != nil {
		return nil, err
	}
	if err := r.sys.Check(); err != nil {
		return nil, fmt.Errorf("internal error, please report: %w", err)
	}
	return r, nil
}

// alone reads a formula that is a text of its own.
func (r *resolver) alone(name, text string) (*fol.Term, error) {
	p, problems := newParser(name, text)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	n, err := p.expr.Read(levelAny)
	if err == nil && p.Peek().text != "" {
		err = problem(p.Peek(), "a formula does not go on like this: %s", shown(p.Peek()))
	}
	if err != nil {
		return nil, err
	}
	r.begin(false)
	t := r.whole(n)
	return t, r.problems.Err()
}

// definition is what a name stands for.
type definition struct {
	params []*fol.Var
	body   *fol.Term
	two    bool // it is about two states
}

// slot is the sort of a variable, which may not be known yet.
type slot struct {
	sort *fol.Sort
	same *slot
}

func (s *slot) find() *slot {
	for s.same != nil {
		s = s.same
	}
	return s
}

type resolver struct {
	tree     *tree
	sys      *fol.System
	sorts    map[string]*fol.Sort
	defs     map[string]*definition
	slots    map[*fol.Var]*slot
	named    map[string]token // what is declared, and where
	problems diag.List

	// Of the formula that is read:
	scope []*fol.Var               // variables, inner ones last
	lets  map[*fol.Var]*fol.Term   // values of let
	free  []*fol.Var               // variables that nothing binds
	open  bool                     // there may be some
	two   bool                     // it is about two states
	after bool                     // plain names are of the state after the step
	stays func(x *fol.Symbol) bool // whether the step leaves a symbol as it is; nil where there is no step
	wrong bool
}

func (r *resolver) bad(t token, format string, args ...any) {
	r.wrong = true
	r.problems.Add(t.pos, t.width(), format, args...)
}

// name notes a name that is declared.
func (r *resolver) name(t token) bool {
	if before, is := r.named[t.text]; is {
		r.bad(t, "%s is declared in line %d already", t.text, before.pos.Line)
		return false
	}
	r.named[t.text] = t
	return true
}

func (r *resolver) sort(t token) *fol.Sort {
	if s := r.sorts[t.text]; s != nil {
		return s
	}
	known := lists.Map(r.sys.Sorts, func(s *fol.Sort) string { return s.Name })
	hint := spell.Hint(t.text, known)
	if t.text == "int" || t.text == "bool" {
		hint = ": numbers and truth values are no sorts here"
	}
	r.bad(t, "unknown sort %q%s", t.text, hint)
	return nil
}

// declare reads sorts and symbols.
func (r *resolver) declare() {
	for _, d := range r.tree.decls {
		if d.kind() == "sort" && r.name(d.name) {
			s := &fol.Sort{Name: d.name.text, Index: len(r.sys.Sorts)}
			r.sys.Sorts = append(r.sys.Sorts, s)
			r.sorts[s.Name] = s
		}
	}
	for _, d := range r.tree.decls {
		switch d.kind() {
		case "relation", "function", "constant":
			if !r.name(d.name) || d.is("derived") {
				continue
			}
			x := &fol.Symbol{Name: d.name.text, Index: len(r.sys.Symbols), Mutable: !d.is("immutable"), Pos: d.name.pos}
			for _, t := range d.args {
				x.Args = append(x.Args, r.sort(t))
			}
			if d.kind() != "relation" {
				x.Result = r.sort(d.result)
			}
			r.sys.Symbols = append(r.sys.Symbols, x)
		case "transition", "definition":
			r.name(d.name)
		}
	}
}

// all reads the formulas.
func (r *resolver) all() {
	for _, d := range r.tree.decls { // what has a name is known before what uses it
		if d.is("derived") {
			r.derived(d)
		}
	}
	for _, d := range r.tree.decls {
		switch d.kind() {
		case "definition":
			r.define(d)
		case "transition":
			modifies := r.modified(d)
			params, body := r.transition(d, modifies)
			t := &fol.Transition{Name: d.name.text, Params: params, Formula: body, Pos: d.name.pos, Modifies: modifies}
			r.said(t)
			r.sys.Transitions = append(r.sys.Transitions, t)
		case "axiom", "assume":
			r.claim(d, &r.sys.Axioms)
		case "init":
			r.claim(d, &r.sys.Init)
		case "safety":
			r.claim(d, &r.sys.Safety)
		case "invariant":
			if !d.is("sketch") {
				r.claim(d, &r.sys.Hints)
				continue
			}
			fallthrough
		case "theorem", "trace", "automaton", "phase":
			r.sys.Notes.Hint(d.first.pos, d.first.width(), "this %s is read over: nothing rests on it", d.kind())
		}
	}
	for _, list := range []*[]fol.Claim{&r.sys.Axioms, &r.sys.Init, &r.sys.Safety, &r.sys.Hints} {
		for i := range *list {
			if c := &(*list)[i]; c.Name == "" {
				c.Name = "line" + fmt.Sprint(c.Pos.Line)
			}
		}
	}
	names := map[string]diag.Pos{}
	for _, c := range r.sys.Safety {
		if before, twice := names[c.Name]; twice {
			r.problems.Add(c.Pos, c.Width, "there is a safety property of the name %s in line %d already", c.Name,
				before.Line)
		}
		names[c.Name] = c.Pos
	}
	for _, c := range r.sys.Axioms {
		c.Formula.Visit(func(t *fol.Term) bool {
			if t.Op == fol.Apply && t.Symbol.Mutable && len(r.problems) == 0 {
				r.problems.Add(t.Pos, t.Width, "an axiom is about what never changes, and %s is mutable", t.Symbol.Name)
			}
			return true
		})
	}
}

// begin forgets the formula before.
func (r *resolver) begin(two bool) {
	r.scope, r.free, r.lets, r.open, r.two, r.wrong = nil, nil, map[*fol.Var]*fol.Term{}, true, two, false
	r.after, r.stays = two && r.tree.older, nil
}

func (r *resolver) claim(d *decl, to *[]fol.Claim) {
	r.begin(false)
	if body := r.whole(d.body); body != nil {
		c := fol.Claim{Name: d.name.text, Formula: body, Pos: d.first.pos, Width: d.first.width()}
		if d.name.text != "" {
			c.Pos, c.Width = d.name.pos, d.name.width()
		}
		*to = append(*to, c)
	}
}

// transition reads a step. It does not say what becomes of what it does not modify: that stays as it is.
func (r *resolver) transition(d *decl, modifies []*fol.Symbol) ([]*fol.Var, *fol.Term) {
	r.begin(true)
	r.stays = func(x *fol.Symbol) bool { return !r.tree.older && !slices.Contains(modifies, x) }
	params := r.variables(d.params)
	r.scope = params
	return params, r.whole(d.body)
}

// said refuses a step that says something of what it changes, in a text that shows nowhere whether plain names are of
// the state before a step, as in mypyvy, or of the state after it, as in its older dialect.
func (r *resolver) said(t *fol.Transition) {
	if !r.tree.plain || t.Formula == nil {
		return
	}
	told := false
	t.Formula.Visit(func(x *fol.Term) bool {
		if x.Op == fol.Apply && t.Modified(x.Symbol) && !told {
			told = true
			r.problems.Add(x.Pos, x.Width,
				"is this %s before the step, or after it? Neither new(...) nor old(...) is in "+
					"this text: one of them somewhere says which dialect it is", x.Symbol.Name)
		}
		return !told
	})
}

func (r *resolver) modified(d *decl) (list []*fol.Symbol) {
	for _, t := range d.modifies {
		x := r.sys.Symbol(t.text)
		switch {
		case x == nil:
			r.bad(t, "unknown symbol %q%s", t.text, spell.Hint(t.text, r.known(nil)))
		case !x.Mutable:
			r.bad(t, "%s is immutable", t.text)
		case slices.Contains(list, x):
			r.bad(t, "%s is named twice", t.text)
		default:
			list = append(list, x)
		}
	}
	return list
}

func (r *resolver) define(d *decl) {
	two := d.is("twostate") || d.modifies != nil
	r.begin(two)
	params := r.variables(d.params)
	r.scope = params
	if body := r.whole(d.body); body != nil {
		r.modified(d)
		r.defs[d.name.text] = &definition{params, body, two}
	}
}

// derived reads the definition of a derived relation: r(X, Y) <-> formula.
func (r *resolver) derived(d *decl) {
	n := d.body
	for n.op == "forall" {
		n = n.args[0]
	}
	if n.op != "<->" || n.args[0].op != "name" || n.args[0].tok.text != d.name.text ||
		len(n.args[0].args) != len(d.args) {
		r.bad(d.name, "a derived relation is said by %s <-> formula", d.name.text)
		return
	}
	r.begin(false)
	var list []binding
	for i, a := range n.args[0].args {
		if a.op != "name" || a.args != nil ||
			slices.ContainsFunc(list, func(b binding) bool { return b.name.text == a.tok.text }) {
			r.bad(a.tok, "the arguments of a derived relation are variables, all different")
			return
		}
		list = append(list, binding{a.tok, d.args[i]})
	}
	params := r.variables(list)
	r.scope = params
	if body := r.whole(n.args[1]); body != nil {
		r.defs[d.name.text] = &definition{params: params, body: body}
		r.sys.Vocabulary = append(r.sys.Vocabulary, body)
	}
}

// variables makes variables.
func (r *resolver) variables(list []binding) (out []*fol.Var) {
	for i, b := range list {
		v := &fol.Var{Name: b.name.text, Pos: b.name.pos}
		s := &slot{}
		if b.sort.text != "" {
			s.sort = r.sort(b.sort)
		}
		r.slots[v] = s
		if slices.ContainsFunc(list[:i], func(before binding) bool { return before.name.text == b.name.text }) {
			r.bad(b.name, "%s is named twice", b.name.text)
		}
		out = append(out, v)
	}
	return out
}

// whole reads a formula: what nothing binds and is written with a capital is for all.
func (r *resolver) whole(n *node) *fol.Term {
	t := r.formula(n)
	if r.wrong {
		return nil
	}
	t = fol.ForAll(r.free, t)
	// Sorts are known now, or never.
	missing := false
	note := func(v *fol.Var) {
		if v.Sort = r.slots[v].find().sort; v.Sort == nil && !missing {
			missing = true
			r.problems.Add(v.Pos, len(v.Name), "nothing says of which sort %s is: write %s:SORT", v.Name, v.Name)
		}
	}
	for _, v := range r.scope {
		note(v)
	}
	t.Visit(func(t *fol.Term) bool {
		if t.Op == fol.Forall || t.Op == fol.Exists {
			for _, v := range t.Vars {
				note(v)
			}
		}
		return true
	})
	if missing {
		return nil
	}
	return t
}

// sortOf is the slot of an element's sort.
func (r *resolver) sortOf(t *fol.Term) *slot {
	switch t.Op {
	case fol.Use:
		return r.slots[t.Vars[0]].find()
	case fol.If:
		return r.sortOf(t.Args[1])
	}
	return &slot{sort: t.Symbol.Result}
}

// alike says that two elements are of one sort.
func (r *resolver) alike(a, b *slot, at token, say func(a, b *fol.Sort) string) {
	if a, b = a.find(), b.find(); a == b {
		return
	}
	switch {
	case a.sort == nil:
		a.same = b
	case b.sort == nil:
		b.same = a
	case a.sort != b.sort:
		r.bad(at, "%s", say(a.sort, b.sort))
	}
}

func (r *resolver) known(scope []*fol.Var) (list []string) {
	for _, v := range scope {
		list = append(list, v.Name)
	}
	for _, x := range r.sys.Symbols {
		list = append(list, x.Name)
	}
	for name := range r.defs {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func (r *resolver) formula(n *node) *fol.Term {
	t := r.term(n)
	if !t.IsFormula() {
		r.bad(n.tok, "a formula is expected, and this is an element")
		return fol.True
	}
	return t
}

func (r *resolver) element(n *node) *fol.Term {
	t := r.term(n)
	if t.IsFormula() {
		if !r.wrong {
			r.bad(n.tok, "an element is expected, and this is a formula")
		}
		return nil
	}
	return t
}

func (r *resolver) term(n *node) *fol.Term {
	out := &fol.Term{Pos: n.tok.pos, Width: n.tok.width()}
	formulas := func(op fol.Op) *fol.Term {
		out.Op = op
		for _, a := range n.args {
			out.Args = append(out.Args, r.formula(a))
		}
		return out
	}
	switch n.op {
	case "true":
		return fol.True
	case "false":
		return fol.False
	case "&":
		return fol.All(formulas(fol.And).Args...)
	case "|":
		return fol.Any(formulas(fol.Or).Args...)
	case "!":
		return fol.Neg(formulas(fol.Not).Args[0])
	case "->":
		return formulas(fol.Implies)
	case "<->":
		return formulas(fol.Iff)
	case "=", "!=":
		t := r.equal(n, out)
		if n.op == "!=" {
			t = fol.Neg(t)
		}
		return t
	case "distinct":
		return r.distinct(n)
	case "forall", "exists":
		return r.quantified(n, out)
	case "if":
		return r.condition(n, out)
	case "let":
		return r.let(n)
	case "new", "old":
		return r.state(n)
	}
	return r.named_(n, out)
}

func (r *resolver) equal(n *node, out *fol.Term) *fol.Term {
	a, b := r.term(n.args[0]), r.term(n.args[1])
	if a.IsFormula() != b.IsFormula() {
		if !r.wrong {
			r.bad(n.tok, "one side is a formula, and the other an element")
		}
		return fol.True
	}
	out.Op, out.Args = fol.Equal, []*fol.Term{a, b}
	if a.IsFormula() {
		out.Op = fol.Iff
		return out
	}
	r.alike(r.sortOf(a), r.sortOf(b), n.tok, func(a, b *fol.Sort) string {
		return fmt.Sprintf("the left side is of sort %s, and the right one of %s", a.Name, b.Name)
	})
	return out
}

func (r *resolver) distinct(n *node) *fol.Term {
	var list, apart []*fol.Term
	for _, a := range n.args {
		t := r.element(a)
		if t == nil {
			return fol.True
		}
		for _, before := range list {
			r.alike(r.sortOf(before), r.sortOf(t), a.tok, func(a, b *fol.Sort) string {
				return fmt.Sprintf("this is of sort %s, and what is before it of %s", b.Name, a.Name)
			})
			apart = append(apart, fol.Neg(fol.Eq(before, t)))
		}
		list = append(list, t)
	}
	return fol.All(apart...)
}

func (r *resolver) quantified(n *node, out *fol.Term) *fol.Term {
	out.Op, out.Vars = map[string]fol.Op{"forall": fol.Forall, "exists": fol.Exists}[n.op], r.variables(n.vars)
	size := len(r.scope)
	r.scope = append(r.scope, out.Vars...)
	out.Args = []*fol.Term{r.formula(n.args[0])}
	r.scope = r.scope[:size]
	return out
}

func (r *resolver) condition(n *node, out *fol.Term) *fol.Term {
	out.Op = fol.If
	out.Args = []*fol.Term{r.formula(n.args[0]), r.term(n.args[1]), r.term(n.args[2])}
	if out.Args[1].IsFormula() != out.Args[2].IsFormula() {
		r.bad(n.tok, "one case is a formula, and the other an element")
		return fol.True
	}
	if !out.IsFormula() {
		r.alike(r.sortOf(out.Args[1]), r.sortOf(out.Args[2]), n.tok, func(a, b *fol.Sort) string {
			return fmt.Sprintf("one case is of sort %s, and the other of %s", a.Name, b.Name)
		})
	}
	return out
}

// let puts the value in the place of its name.
func (r *resolver) let(n *node) *fol.Term {
	if len(n.vars) != 1 {
		r.bad(n.tok, "let has one variable")
		return fol.True
	}
	v := r.variables(n.vars)[0]
	value := r.term(n.args[0])
	if !value.IsFormula() {
		r.alike(r.slots[v], r.sortOf(value), n.vars[0].name, func(a, b *fol.Sort) string {
			return fmt.Sprintf("%s is said to be of sort %s, and its value is of %s", v.Name, a.Name, b.Name)
		})
	}
	r.lets[v] = value
	r.scope = append(r.scope, v)
	body := r.term(n.args[1])
	r.scope = r.scope[:len(r.scope)-1]
	return body
}

// state reads what is in new(...) or old(...).
func (r *resolver) state(n *node) *fol.Term {
	if !r.two {
		r.bad(n.tok, "%s has a meaning in transitions only", n.tok.text)
		return r.term(n.args[0])
	}
	before := r.after
	r.after = n.op == "new"
	t := r.term(n.args[0])
	r.after = before
	return t
}

// named_ reads a variable, a symbol or what a definition stands for, with its arguments.
func (r *resolver) named_(n *node, out *fol.Term) *fol.Term {
	name := n.tok.text
	for i := len(r.scope) - 1; i >= 0; i-- {
		if v := r.scope[i]; v.Name == name {
			return r.variable(n, v, out)
		}
	}
	for _, v := range r.free {
		if v.Name == name {
			return r.variable(n, v, out)
		}
	}
	if d := r.defs[name]; d != nil {
		return r.expand(n, d)
	}
	x := r.sys.Symbol(name)
	if x == nil {
		if r.open && unicode.IsUpper(rune(name[0])) && n.args == nil {
			v := &fol.Var{Name: name, Pos: n.tok.pos}
			r.slots[v] = &slot{}
			r.free = append(r.free, v)
			return r.variable(n, v, out)
		}
		hint := spell.Hint(name, r.known(slices.Concat(r.scope, r.free)))
		if up := strings.ToUpper(name[:1]) + name[1:]; hint == "" && r.open && n.args == nil && up != name {
			hint = ": what stands for all elements begins with a capital, as in " + up
		}
		r.bad(n.tok, "unknown name %q%s", name, hint)
		return fol.True
	}
	if n.prime && !r.two {
		r.bad(n.tok, "%s' has a meaning in transitions only", name)
	}
	if n.prime && !x.Mutable {
		r.bad(n.tok, "%s is immutable: it has no next value", name)
	}
	out.Op, out.Symbol, out.New = fol.Apply, x, x.Mutable && (r.after || n.prime)
	if out.New && r.stays != nil && r.stays(x) {
		r.bad(n.tok, "this says what becomes of %s, which the step does not modify: `modifies %[1]s`", name)
	}
	out.Args = r.arguments(n, x.Args)
	return out
}

func (r *resolver) arguments(n *node, sorts []*fol.Sort) []*fol.Term {
	if len(n.args) != len(sorts) {
		r.bad(n.tok, "%s takes %s, not %d", n.tok.text, counted(len(sorts)), len(n.args))
	}
	var list []*fol.Term
	for i, a := range n.args {
		t := r.element(a)
		if t == nil || i >= len(sorts) {
			return nil
		}
		r.alike(&slot{sort: sorts[i]}, r.sortOf(t), a.tok, func(a, b *fol.Sort) string {
			return fmt.Sprintf("argument %d of %s is of sort %s, and this is of %s", i+1, n.tok.text, a.Name, b.Name)
		})
		list = append(list, t)
	}
	return list
}

func counted(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

func (r *resolver) variable(n *node, v *fol.Var, out *fol.Term) *fol.Term {
	if n.args != nil || n.prime {
		r.bad(n.tok, "%s is a variable", v.Name)
	}
	if value := r.lets[v]; value != nil {
		return value
	}
	out.Op, out.Vars = fol.Use, []*fol.Var{v}
	return out
}

// expand puts what a definition stands for in the place of its name.
func (r *resolver) expand(n *node, d *definition) *fol.Term {
	if d.two && (!r.two || r.after != r.tree.older) {
		r.bad(n.tok, "%s is about two states, and here is one", n.tok.text)
		return fol.True
	}
	sorts := lists.Map(d.params, func(v *fol.Var) *fol.Sort { return v.Sort })
	args := r.arguments(n, sorts)
	if len(args) != len(sorts) {
		return fol.True
	}
	with := map[*fol.Var]*fol.Term{}
	for i, v := range d.params {
		with[v] = args[i]
	}
	body := d.body
	if !d.two && (r.after || n.prime) {
		body = body.After()
	}
	out := body.Substitute(with)
	out.Visit(func(t *fol.Term) bool { // its own variables have their sorts
		for _, v := range t.Vars {
			if r.slots[v] == nil {
				r.slots[v] = &slot{sort: v.Sort}
			}
		}
		return true
	})
	return out
}
