package synth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/verify"
)

// Condition is a form of resilience conditions, such as n > a*t + b*f + c: the
// greater its unknowns, the fewer parameters it admits.
type Condition struct {
	*Template
	Expr     *syntax.Expr
	Replaced []string // the assumptions of the model that it replaces
}

// Scope is what a form of conditions may speak of.
type Scope struct {
	Name       string // of the model
	Parameters []string
	definitions,
	Used []string // names that are no unknowns
}

// Form reads a form of conditions on parameters. Names that the model does not know are unknowns from
// 0 to most. Its error is a diag.List or says what is wrong with the form.
func Form(in Scope, form string, most int64) (*Condition, error) {
	e, err := syntax.ParseExpr("--assume", form)
	if err != nil {
		return nil, err
	}
	t := &Template{Name: in.Name, tree: &syntax.File{}}
	param := func(name string) bool { return slices.Contains(in.Parameters, name) }
	for _, name := range namesIn(e) {
		if slices.Contains(in.Used, name) {
			return nil, fmt.Errorf("--assume: %q is a name in %s already: take another one for the unknown", name,
				in.Name)
		}
		for _, p := range in.Parameters {
			if name != p && strings.EqualFold(name, p) && !param(name) && !slices.Contains(in.definitions, name) {
				return nil, fmt.Errorf("--assume: there is no parameter %q here (did you mean %q?)", name, p)
			}
		}
	}
	if (e.Op == syntax.Gt || e.Op == syntax.Ge) && e.Args[0].Op == syntax.Name && !param(e.Args[0].Name) {
		return nil, fmt.Errorf("--assume: there is no parameter %q here%s", e.Args[0].Name,
			spell.Hint(e.Args[0].Name, in.Parameters))
	}
	if e.Op != syntax.Gt && e.Op != syntax.Ge || e.Args[0].Op != syntax.Name {
		return nil,
			fmt.Errorf("--assume: write the condition as PARAMETER > BOUND or PARAMETER >= BOUND, such as 'n > a*t + " +
				"b*f'")
	}
	if err := t.bounded(in, e.Args[1], most); err != nil {
		return nil, err
	}
	if len(t.Unknowns) == 0 {
		return nil, fmt.Errorf("--assume: the bound has no unknowns: names that %s does not use", in.Name)
	}
	if size := t.size(); size.Cmp(big.NewInt(1<<20)) > 0 {
		return nil, fmt.Errorf("--assume: there are %s conditions: choose fewer unknowns, or a smaller --max", size)
	}
	return &Condition{Template: t, Expr: e}, nil
}

// bounded finds the unknowns of a bound, which has to grow with them.
func (t *Template) bounded(in Scope, bound *syntax.Expr, most int64) error {
	var bad error
	walk(bound, func(e *syntax.Expr) {
		switch e.Op {
		case syntax.Number, syntax.Add, syntax.Mul:
		case syntax.Name:
			if !slices.Contains(in.Parameters, e.Name) && !slices.Contains(in.definitions, e.Name) &&
				t.index(e.Name) < 0 {
				t.Unknowns = append(t.Unknowns, Unknown{e.Name, e.Pos, 0, most})
			}
		default:
			bad = fmt.Errorf("--assume: the bound has to grow with its unknowns: a sum of products")
		}
	})
	if bad != nil {
		return bad
	}
	walk(bound, func(e *syntax.Expr) {
		if e.Op != syntax.Mul {
			return
		}
		own := slices.DeleteFunc(namesIn(e), func(name string) bool { return t.index(name) < 0 })
		if len(own) > 1 && bad == nil {
			bad = fmt.Errorf("--assume: %s has several unknowns (%s); the parameters of %s are %s", e,
				strings.Join(own, ", "), in.Name, strings.Join(in.Parameters, ", "))
		}
	})
	return bad
}

// Bounds reports whether an assumption that speaks of these names is one that the condition stands in
// place of: it holds its parameter against others.
func (c *Condition) Bounds(names []string) bool {
	left := c.Expr.Args[0].Name
	return slices.Contains(names, left) && slices.ContainsFunc(names, func(name string) bool { return name != left })
}

// On has the condition stand in a text: the family decides, where it is put in place of these assumptions.
func (c *Condition) On(f Family, replaced []string) *Condition {
	c.family, c.Replaced = f, replaced
	return c
}

// scope is what is declared in an automaton.
func scope(name string, tree *syntax.File) (Scope, error) {
	in := Scope{Name: name}
	add := func(to *[]string, list []*syntax.Ident) {
		for _, id := range list {
			*to = append(*to, id.Name)
		}
	}
	for _, s := range tree.Sections {
		add(&in.Parameters, s.Parameters)
		add(&in.Used, s.Local)
		add(&in.Used, s.Shared)
		if s.Define != nil {
			in.definitions = append(in.definitions, s.Define.Name.Name)
		}
		if s.Locations != nil {
			for _, l := range s.Locations.List {
				in.Used = append(in.Used, l.Name.Name)
			}
		}
		if len(s.Unknowns) > 0 {
			return in, fmt.Errorf("%s has unknowns: give them values first (tacheck synth)", name)
		}
	}
	return in, nil
}

// NewCondition puts a form of conditions in place of the assumptions of an automaton that hold the same
// parameter against others. Its error is that of Form, or a diag.List.
func NewCondition(name string, automaton *syntax.File, form string, most int64) (*Condition, error) {
	tree := *automaton
	tree.Sections = nil
	in, err := scope(name, automaton)
	if err != nil {
		return nil, err
	}
	c, err := Form(in, form, most)
	if err != nil {
		return nil, err
	}
	c.tree = &tree
	done := false
	for _, s := range automaton.Sections {
		if s.Assumptions == nil {
			tree.Sections = append(tree.Sections, s)
			continue
		}
		var kept []*syntax.Condition
		for _, a := range separate(s.Assumptions.List) {
			if c.Bounds(namesIn(a.Expr)) {
				c.Replaced = append(c.Replaced, a.Expr.String())
				continue
			}
			kept = append(kept, a)
		}
		if !done {
			kept = append(kept, &syntax.Condition{Pos: s.Pos, Expr: c.Expr})
			done = true
		}
		with := *s
		with.Assumptions = &syntax.Conditions{Count: s.Assumptions.Count, List: kept, End: s.Assumptions.End}
		tree.Sections = append(tree.Sections, &with)
	}
	if !done {
		return nil, fmt.Errorf("%s has no assumptions", name)
	}
	_, err = c.automaton(make(Values, len(c.Unknowns)))
	return c, err
}

// With is the condition with values for its unknowns.
func (c *Condition) With(v Values) string { return c.At(v).String() }

// At is the condition with values for its unknowns.
func (c *Condition) At(v Values) *syntax.Expr { return c.put(c.Expr, v) }

// Region is where a specification holds: for all conditions that are as strong as one of the minimal ones.
type Region struct {
	Spec    string
	Minimal []Minimal
	Reason  string // why it is not known, "" if it is
	// Shown: under other conditions it is not shown, and may hold all the same.
	Shown bool
}

// Minimal is a weakest condition.
type Minimal struct {
	Values Values
	// Weaker are the next weaker conditions, each with a run that refutes it.
	Weaker []Weaker
}

// Weaker is a condition that is too weak.
type Weaker struct {
	Values Values
	By     *Refutation
}

// Resilience is what is known of the conditions under which specifications hold.
type Resilience struct {
	Condition   *Condition
	Regions     []Region // by specification
	Together    []Minimal
	Refutations []*Refutation
	Verified    int // conditions under which a specification was verified
	Complete    bool
	Time        time.Duration
}

// Find looks for the minimal conditions: the weakest are tried first, so that
// the first one that is not refuted and under which a specification holds is minimal.
func (c *Condition) Find(ctx context.Context, o Options) (*Resilience, error) {
	begin := time.Now()
	specs, err := c.specs(o.Specs)
	if err != nil {
		return nil, err
	}
	ctx, stop := o.Bound(ctx)
	defer stop()
	o.Timeout, o.Memory = 0, 0
	d := c.decider(ctx, o)
	defer d.end()
	var points []Values
	c.each(func(v Values) { points = append(points, v) })
	weight := func(v Values) (sum int64) {
		for _, x := range v {
			sum += x
		}
		return sum
	}
	slices.SortStableFunc(points, func(a, b Values) int { return int(weight(a) - weight(b)) })
	out := &Resilience{Condition: c, Complete: true}
	for _, spec := range specs {
		region, err := c.region(ctx, d, o, out, points, spec)
		if err != nil {
			return nil, err
		}
		out.Regions = append(out.Regions, region)
	}
	if out.Complete {
		out.together(points)
	}
	out.Time = time.Since(begin)
	return out, nil
}

// region finds where a specification holds, point by point, the weakest conditions first, and adds the refutations to
// the result. The error, of a text that means nothing, is that of the first point if there is nothing else to say.
func (c *Condition) region(ctx context.Context, d *decider, o Options, out *Resilience, points []Values,
	spec string) (region Region, err error) {
	region = Region{Spec: spec}
	var runs []*Refutation
	for _, r := range out.Refutations { // of other specifications, they may be runs that violate this one
		if again := c.also(spec, r); again != nil {
			runs = append(runs, again)
		}
	}
	open := func(v Values) bool {
		return !slices.ContainsFunc(region.Minimal, func(m Minimal) bool { return v.AtLeast(m.Values) }) &&
			!slices.ContainsFunc(runs, func(r *Refutation) bool { return r.Refutes(v) })
	}
	var refused error
	for i, v := range points {
		if !open(v) {
			continue
		}
		for _, w := range points[i:] {
			if !d.ahead() {
				break
			}
			if open(w) {
				d.begin(w, spec)
			}
		}
		out.Verified++
		if o.Progress != nil {
			o.Progress(Progress{Candidates: big.NewInt(int64(len(points))), Refutations: len(out.Refutations),
				Verified: out.Verified})
		}
		x, err := d.decide(v, spec)
		var none *verify.NoRuns
		if errors.As(err, &none) { // it holds, but for a bad reason
			continue
		}
		// the text means nothing under this condition; others may do
		if list := diag.List(nil); errors.As(err, &list) {
			for _, e := range list {
				e.Msg += fmt.Sprintf(" (with %s)", c.With(v))
			}
			refused, region.Shown = cmp.Or(refused, err), true
			continue
		}
		if ended(ctx, err) {
			region.Reason = smt.Interrupted(ctx)
			out.Complete = false
			break
		}
		if err != nil {
			return region, err
		}
		if x.r.Verdict == verify.Unknown {
			region.Reason = fmt.Sprintf("%s with %s", x.r.Reason, c.With(v))
			out.Complete = false
			break
		}
		if x.r.Verdict == verify.Violated {
			run := c.refutation(spec, x, v)
			region.Shown = region.Shown || run.lacks() != ""
			runs = append(runs, run)
			out.Refutations = append(out.Refutations, run)
			continue
		}
		region.Minimal = append(region.Minimal, c.minimal(v, runs))
	}
	if refused != nil && len(region.Minimal) == 0 && len(runs) == 0 {
		return region, refused
	}
	return region, nil
}

// also makes a refutation of one specification one of another, if it is.
func (c *Condition) also(spec string, r *Refutation) *Refutation {
	if r.Spec == spec || r.run != nil {
		return nil
	}
	again := c.refute(spec, r.Witness, r.Values)
	if again.exact && again.Refutes(r.Values) {
		return again
	}
	return nil
}

// AtLeast reports whether no value is less than that of others.
func (v Values) AtLeast(w Values) bool {
	for i := range v {
		if v[i] < w[i] {
			return false
		}
	}
	return true
}

// minimal says by which runs the conditions next to a minimal one are refuted.
func (c *Condition) minimal(v Values, runs []*Refutation) Minimal {
	m := Minimal{Values: v}
	for i := range v {
		if v[i] == 0 {
			continue
		}
		w := slices.Clone(v)
		w[i]--
		for _, r := range runs {
			if r.Refutes(w) {
				m.Weaker = append(m.Weaker, Weaker{w, r})
				break
			}
		}
	}
	return m
}

// At says what is known of values: whether they are among the weakest, whether all specifications hold with them, and
// if not, which run refutes them; nil if none does.
func (r *Resilience) At(v Values) (weakest, holds bool, by *Refutation) {
	for _, m := range r.Together {
		weakest, holds = weakest || slices.Equal(m.Values, v), holds || v.AtLeast(m.Values)
	}
	if i := slices.IndexFunc(r.Refutations, func(run *Refutation) bool { return !holds && run.Refutes(v) }); i >= 0 {
		by = r.Refutations[i]
	}
	return weakest, holds, by
}

// together finds the minimal conditions under which all specifications hold.
func (r *Resilience) together(points []Values) {
	for _, v := range points {
		holds := func(v Values) bool {
			for _, region := range r.Regions {
				if !slices.ContainsFunc(region.Minimal, func(m Minimal) bool { return v.AtLeast(m.Values) }) {
					return false
				}
			}
			return true
		}
		if holds(v) && !slices.ContainsFunc(r.Together, func(m Minimal) bool { return v.AtLeast(m.Values) }) {
			r.Together = append(r.Together, r.Condition.minimal(v, r.Refutations))
		}
	}
}

// Sentence says when specifications hold, to be quoted.
func (r *Resilience) Sentence() string {
	when := func(list []Minimal) string {
		parts := lists.Map(list, func(m Minimal) string { return r.Condition.With(m.Values) })
		return strings.Join(parts, " or ")
	}
	type clause struct{ one, several, rest string } // of one specification, and of several
	var order []clause
	groups := map[clause][]string{}
	for _, region := range r.Regions {
		text := clause{" holds ", " hold ", "iff " + when(region.Minimal)}
		if region.Shown {
			text.one, text.several = " is shown ", " are shown "
		}
		switch {
		case region.Reason != "":
			text = clause{": ", ": ", "undecided: " + region.Reason}
		case len(region.Minimal) == 0:
			text.rest = "under no such condition"
		case slices.IndexFunc(region.Minimal[0].Values, func(x int64) bool { return x != 0 }) < 0:
			text.rest = "for every " + when(region.Minimal)
		}
		if groups[text] == nil {
			order = append(order, text)
		}
		groups[text] = append(groups[text], region.Spec)
	}
	var parts []string
	for _, text := range order {
		list := groups[text]
		verb := text.one
		if len(list) > 1 {
			verb = text.several
		}
		parts = append(parts, spell.List(list)+verb+text.rest)
	}
	return strings.Join(parts, "; ")
}

// namesIn are the names in an expression.
func namesIn(e *syntax.Expr) (list []string) {
	walk(e, func(e *syntax.Expr) {
		if e.Op == syntax.Name {
			list = append(list, e.Name)
		}
	})
	return list
}
