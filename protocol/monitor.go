package protocol

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/internal/names"
)

// Monitored is a protocol with variables that say what has been, so that a safety formula is an invariant of it. Its steps are those
// of the protocol, one for one; the variables change nothing else.
type Monitored struct {
	Model   *Model
	Prop    *Prop     // the invariant
	Defined []Prop    // conditions that the formula is made of, evaluated: true where that is no error
	Stays   []Prop    // what may be invariant, too: what has been, is; what is, has been from the beginning
	History []History // the variables
}

// History is a variable that says what has been.
type History struct{ Name, Means string }

// Monitor makes an invariant of a formula, if that says what never happens: conditions of states under G, under R on the right
// (below U, if it is negated), in conjunctions, and in disjunctions with conditions of states. Each condition then has to be true
// whenever what is before it in the formula has come true: G a once a has to, b R a until b was true. That is kept in global
// variables, which every rule brings up to date, as to the state that it begins in, before all else; so no step but those of rules
// may change what the formula speaks of. What is asked of the first state is kept from the beginning. The error is an *Unsupported.
func (m *Model) Monitor(p *Prop) (*Monitored, error) {
	b := &monitor{m: m, taken: m.Source.words()}
	f, err := b.formula(p)
	if err == nil {
		err = b.fits(p)
	}
	if err == nil {
		err = b.walk(f, activation{initial: true}, false, nil)
	}
	if err != nil {
		return nil, err
	}
	return b.monitored(p)
}

// monitor is a formula that is made an invariant.
type monitor struct {
	m      *Model
	taken  names.Taken
	vars   []*recorded
	leaves []*Expr // what holds in every state
	sound  []*Expr
}

// outerVariable is a variable of a quantifier outside of temporal operators.
type outerVariable struct {
	name string
	typ  *TypeExpr
}

// recorded is a variable: whether what is under an operator has to hold, as to the state before the last step.
type recorded struct {
	name  string
	of    []outerVariable
	at    origin     // the operator
	act   activation // of it
	until *Expr      // of R: where it ends; nil for G
}

// activation says when a part of the formula has to hold: in the first state, or always if it is not, and where all of some conditions
// are true.
type activation struct {
	initial bool
	conds   []*Expr
}

func (a activation) and(e *Expr) activation {
	return activation{a.initial, append(slices.Clip(a.conds), e)}
}

func (b *monitor) refuse(e *Expr, format string, args ...any) error {
	return &Unsupported{Pos: e.Pos, Width: max(1, e.Width), Msg: fmt.Sprintf(format, args...)}
}

func (b *monitor) fresh(name string) string { return b.taken.Fresh(name, "") }

// formula finds how a formula is written, with names of its own for the variables that it binds.
func (b *monitor) formula(p *Prop) (*Expr, error) {
	for _, s := range b.m.Source.Sections {
		if s.LTL != nil && s.LTL.Name.Name == p.Name {
			return b.renamed(s.LTL.Formula, nil)
		}
	}
	return nil, fmt.Errorf("there is no formula %q in the text", p.Name)
}

// renamed copies an expression.
func (b *monitor) renamed(e *Expr, names map[string]string) (*Expr, error) {
	out := *e
	if e.Op == Name || e.Op == Call {
		for _, s := range b.m.Source.Sections {
			if s.Define != nil && s.Define.Name.Name == e.Name && s.Define.Value.temporal() {
				return nil, b.refuse(e, "%s has temporal operators: write what it says here", e.Name)
			}
		}
		if to, ok := names[e.Name]; ok && e.Op == Name {
			out.Name = to
		}
	}
	if e.Type != nil {
		inner := map[string]string{}
		for k, v := range names {
			inner[k] = v
		}
		out.Name = b.fresh(e.Name + "_")
		inner[e.Name] = out.Name
		names = inner
	}
	out.Args = make([]*Expr, len(e.Args))
	for i, a := range e.Args {
		arg, err := b.renamed(a, names)
		if err != nil {
			return nil, err
		}
		out.Args[i] = arg
	}
	return &out, nil
}

func (e *Expr) temporal() bool { return e.Any(func(e *Expr) bool { return e.Op.Temporal() }) }

func (o Op) Temporal() bool { return o == Finally || o == Globally || o == Until || o == Release }

// speaks reports whether a name occurs in an expression.
func (e *Expr) speaks(name string) bool {
	return e.Any(func(e *Expr) bool { return e.Op == Name && e.Name == name })
}

// fits refuses formulas about what other steps than those of rules change.
func (b *monitor) fits(p *Prop) error {
	at := func(pos diag.Pos, format string, args ...any) error {
		return &Unsupported{Pos: pos, Width: 1, Msg: fmt.Sprintf(format, args...)}
	}
	for _, s := range b.m.Source.Sections {
		if s.Recovery != nil {
			return at(place(s.Pos), "what a formula says of the past is not kept where processes restart")
		}
	}
	var err error
	p.LTL.Places(func(t *Term) {
		if t.Base != BaseStatus && t.Base != BaseWhole || err != nil {
			return
		}
		for i := range b.m.Inits {
			b.m.Inits[i].Statuses(func(v *Term) {
				if v.Op != Number || v.Value == int32(Crash) || v.Value == int32(Crashed) {
					err = at(t.Pos, "a status changes when it turns out that a process has stopped: that is no step that is kept")
				}
			})
		}
	})
	return err
}

// duals are operators of which the negation is another one, of negated parts; of an implication not the first.
var duals = map[Op]Op{And: Or, Or: And, Implies: And, ForAll: Exists, Exists: ForAll,
	Finally: Globally, Globally: Finally, Until: Release, Release: Until}

// walk goes through a formula, or its negation, that has to hold at an activation, for all values of some variables.
func (b *monitor) walk(e *Expr, act activation, negated bool, vars []outerVariable) error {
	if !e.temporal() {
		b.leaf(e, act, negated, vars)
		return nil
	}
	op := e.Op
	if negated {
		if dual, ok := duals[op]; ok {
			op = dual
		}
	}
	switch op {
	case Not:
		return b.walk(e.Args[0], act, !negated, vars)
	case And, Or, Implies:
		return b.junction(e, op, act, negated, vars)
	case ForAll:
		return b.walk(e.Args[0], act, negated, append(slices.Clip(vars), outerVariable{e.Name, e.Type}))
	case Exists:
		return b.refuse(e, "this says that there is somebody of whom something is true at all times: no invariant is made of that")
	case Globally:
		if act.initial && act.conds == nil {
			return b.walk(e.Args[0], activation{}, negated, vars)
		}
		if !act.initial && act.conds == nil {
			return b.walk(e.Args[0], act, negated, vars)
		}
		v := b.record(e, act, nil, vars)
		return b.walk(e.Args[0], activation{conds: []*Expr{v.now()}}, negated, vars)
	case Release:
		until := e.Args[0]
		if until.temporal() {
			return b.refuse(until, "what ends this is a condition of states, or no invariant is made of it")
		}
		b.soundness(until, vars)
		v := b.record(e, act, signed(until, negated), vars)
		return b.walk(e.Args[1], activation{conds: []*Expr{v.now()}}, negated, vars)
	}
	return b.refuse(e, "this says that something happens at last: induction proves what never happens")
}

// signed is a condition or its negation.
func signed(e *Expr, negated bool) *Expr {
	if !negated {
		return e
	}
	return e.from().not(e)
}

// junction is a conjunction, all parts of which have to hold; or a disjunction, of which one part may speak of other states.
func (b *monitor) junction(e *Expr, op Op, act activation, negated bool, vars []outerVariable) error {
	type part struct {
		e       *Expr
		negated bool
	}
	var parts []part
	for i, a := range e.Args {
		parts = append(parts, part{a, negated != (e.Op == Implies && i == 0)})
	}
	if op == And {
		for _, a := range parts {
			if err := b.walk(a.e, act, a.negated, vars); err != nil {
				return err
			}
		}
		return nil
	}
	if w := weakUntil(e); w != nil && !negated {
		return b.walk(w, act, false, vars)
	}
	var last *part
	for i := range parts {
		a := &parts[i]
		switch {
		case !a.e.temporal():
			b.soundness(a.e, vars)
			act = act.and(signed(a.e, !a.negated))
		case last != nil:
			return b.refuse(a.e, "two parts of a disjunction speak of other states: no invariant is made of that")
		default:
			last = a
		}
	}
	return b.walk(last.e, act, last.negated, vars)
}

// weakUntil is b R (a or b), for `a U b or G a`; nil for what is not like that.
func weakUntil(e *Expr) *Expr {
	if e.Op != Or || len(e.Args) != 2 {
		return nil
	}
	u, g := e.Args[0], e.Args[1]
	if u.Op != Until {
		u, g = g, u
	}
	if u.Op != Until || g.Op != Globally || u.Args[1].temporal() || unnamed(u.Args[0]) != unnamed(g.Args[0]) {
		return nil
	}
	o := e.from()
	return o.op(Release, u.Args[1], o.or(u.Args[1], u.Args[0]))
}

// unnamed is how an expression is written, whatever its bound variables are called.
func unnamed(e *Expr) string {
	var list []string
	for e := range e.All() {
		if e.Type != nil {
			list = append(list, e.Name, fmt.Sprintf("?%d", len(list)/2))
		}
	}
	text := e.String()
	for i := 0; i < len(list); i += 2 {
		text = strings.ReplaceAll(text, list[i], list[i+1])
	}
	return text
}

// record makes a variable that is true from an activation on, until a condition was true.
func (b *monitor) record(of *Expr, act activation, until *Expr, vars []outerVariable) *recorded {
	v := &recorded{name: b.fresh("history"), at: of.from(), act: act, until: until}
	speak := act.conds
	if until != nil {
		speak = append(slices.Clip(speak), until)
	}
	for _, x := range vars {
		if slices.ContainsFunc(speak, func(e *Expr) bool { return e.speaks(x.name) }) {
			v.of = append(v.of, x)
		}
	}
	b.vars = append(b.vars, v)
	return v
}

// means says what a variable says.
func (v *recorded) means() string {
	since := "always"
	if len(v.act.conds) > 0 {
		since = v.at.and(v.act.conds...).String()
	}
	if v.act.initial {
		since += " at the beginning"
	}
	if v.until != nil {
		return fmt.Sprintf("%s, and since then not %s", since, v.until.text(Op(And).strength()+1))
	}
	return since
}

// cell is a variable.
func (v *recorded) cell() *Expr {
	out := v.at.name(v.name)
	for _, x := range v.of {
		out = v.at.index(out, v.at.name(x.name))
	}
	return out
}

// now says that what is under an operator has to hold in the present state.
func (v *recorded) now() *Expr {
	if v.act.initial {
		return v.cell()
	}
	return v.at.or(v.cell(), v.at.and(v.act.conds...))
}

// leaf is a condition that has to be true at an activation.
func (b *monitor) leaf(e *Expr, act activation, negated bool, vars []outerVariable) {
	b.soundness(e, vars)
	out := signed(e, negated)
	switch {
	case act.initial:
		out = signed(b.record(e, act.and(signed(e, !negated)), nil, vars).cell(), true)
	case act.conds != nil:
		out = e.from().op(Implies, e.from().and(act.conds...), out)
	}
	b.leaves = append(b.leaves, e.from().quantified(vars, out))
}

// soundness notes that a condition is evaluated in all states.
func (b *monitor) soundness(e *Expr, vars []outerVariable) {
	o := e.from()
	b.sound = append(b.sound, o.quantified(vars, o.or(e, o.not(e))))
}

// quantified is a condition for all values of some variables.
func (o origin) quantified(vars []outerVariable, e *Expr) *Expr {
	for _, x := range slices.Backward(vars) {
		e = o.binder(ForAll, x.name, x.typ, e)
	}
	return e
}
