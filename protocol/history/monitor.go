// Package history makes protocols with variables that say what has been (monitor.go) and what is on its way
// (transit.go), of protocols without: for formulas and lemmas that speak of that.
package history

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Monitored is a protocol with variables that say what has been, so that a safety formula is an invariant of it. Its
// steps are those of the protocol, one for one; the variables change nothing else.
type Monitored struct {
	Model   *protocol.Model
	Prop    *protocol.Prop  // the invariant
	Defined []protocol.Prop // conditions that the formula is made of, evaluated: true where that is no error
	Stays   []protocol.Prop // what may be invariant, too: what has been, is; what is, has been from the beginning
	History []History       // the variables
}

// History is a variable that says what has been.
type History struct{ Name, Means string }

// Monitor makes an invariant of a formula, if that says what never happens: conditions of states under G, under R on
// the right (below U, if it is negated), in conjunctions, and in disjunctions with conditions of states. Each condition
// then has to be true whenever what is before it in the formula has come true: G a once a has to, b R a until b was
// true. That is kept in global variables, which every rule brings up to date, as to the state that it begins in, before
// all else; so no step but those of rules may change what the formula speaks of. What is asked of the first state is
// kept from the beginning. The error is an *Unsupported.
func Monitor(m *protocol.Model, p *protocol.Prop) (*Monitored, error) {
	b := &monitor{m: m, taken: m.Source.Words()}
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
	m      *protocol.Model
	taken  names.Taken
	vars   []*recorded
	leaves []*ftdp.Expr // what holds in every state
	sound  []*ftdp.Expr
}

// outerVariable is a variable of a quantifier outside of temporal operators.
type outerVariable struct {
	name string
	typ  *ftdp.TypeExpr
}

// recorded is a variable: whether what is under an operator has to hold, as to the state before the last step.
type recorded struct {
	name  string
	of    []outerVariable
	at    ftdp.Origin // the operator
	act   activation  // of it
	until *ftdp.Expr  // of R: where it ends; nil for G
}

// activation says when a part of the formula has to hold: in the first state, or always if it is not, and where all of
// some conditions are true.
type activation struct {
	initial bool
	conds   []*ftdp.Expr
}

func (a activation) and(e *ftdp.Expr) activation {
	return activation{a.initial, append(slices.Clip(a.conds), e)}
}

func (b *monitor) refuse(e *ftdp.Expr, format string, args ...any) error {
	return &protocol.Unsupported{Pos: e.Pos, Width: max(1, e.Width), Msg: fmt.Sprintf(format, args...)}
}

func (b *monitor) fresh(name string) string { return b.taken.Fresh(name, "") }

// formula finds how a formula is written, with names of its own for the variables that it binds.
func (b *monitor) formula(p *protocol.Prop) (*ftdp.Expr, error) {
	if s := b.m.Source.Stating(p.Name); s != nil && s.LTL != nil {
		return b.renamed(s.LTL.Formula, nil)
	}
	return nil, fmt.Errorf("there is no formula %q in the text", p.Name)
}

// renamed copies an expression.
func (b *monitor) renamed(e *ftdp.Expr, names map[string]string) (*ftdp.Expr, error) {
	out := *e
	if e.Op == ftdp.Name || e.Op == ftdp.Call {
		for _, s := range b.m.Source.Sections {
			if s.Define != nil && s.Define.Name.Name == e.Name && temporal(s.Define.Value) {
				return nil, b.refuse(e, "%s has temporal operators: write what it says here", e.Name)
			}
		}
		if to, ok := names[e.Name]; ok && e.Op == ftdp.Name {
			out.Name = to
		}
	}
	if e.Type != nil {
		inner := map[string]string{}
		maps.Copy(inner, names)
		out.Name = b.fresh(e.Name + "_")
		inner[e.Name] = out.Name
		names = inner
	}
	out.Args = make([]*ftdp.Expr, len(e.Args))
	for i, a := range e.Args {
		arg, err := b.renamed(a, names)
		if err != nil {
			return nil, err
		}
		out.Args[i] = arg
	}
	return &out, nil
}

func temporal(e *ftdp.Expr) bool { return e.Any(func(e *ftdp.Expr) bool { return e.Op.Temporal() }) }

// Speaks reports whether a name occurs in an expression.
func Speaks(e *ftdp.Expr, name string) bool {
	return e.Any(func(e *ftdp.Expr) bool { return e.Op == ftdp.Name && e.Name == name })
}

// fits refuses formulas about what other steps than those of rules change.
func (b *monitor) fits(p *protocol.Prop) error {
	at := func(pos diag.Pos, format string, args ...any) error {
		return &protocol.Unsupported{Pos: pos, Width: 1, Msg: fmt.Sprintf(format, args...)}
	}
	for _, s := range b.m.Source.Sections {
		if s.Recovery != nil {
			return at(scan.Place(s.Pos), "what a formula says of the past is not kept where processes restart")
		}
	}
	var err error
	p.LTL.Places(func(t *protocol.Term) {
		if t.Base != protocol.BaseStatus && t.Base != protocol.BaseWhole || err != nil {
			return
		}
		for i := range b.m.Inits {
			b.m.Inits[i].Statuses(func(v *protocol.Term) {
				if v.Op != ftdp.Number || v.Value == int32(protocol.Crash) || v.Value == int32(protocol.Crashed) {
					err = at(t.Pos,
						"a status changes when it turns out that a process has stopped: that is no step that is kept")
				}
			})
		}
	})
	return err
}

// duals are the operators whose negation is another operator of the negated parts; of an implication, of the second.
var duals = map[ftdp.Op]ftdp.Op{ftdp.And: ftdp.Or, ftdp.Or: ftdp.And, ftdp.Implies: ftdp.And, ftdp.ForAll: ftdp.Exists,
	ftdp.Exists:  ftdp.ForAll,
	ftdp.Finally: ftdp.Globally, ftdp.Globally: ftdp.Finally, ftdp.Until: ftdp.Release, ftdp.Release: ftdp.Until}

// walk goes through a formula, or its negation, that has to hold at an activation, for all values of some variables.
func (b *monitor) walk(e *ftdp.Expr, act activation, negated bool, vars []outerVariable) error {
	if !temporal(e) {
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
	case ftdp.Not:
		return b.walk(e.Args[0], act, !negated, vars)
	case ftdp.And, ftdp.Or, ftdp.Implies:
		return b.junction(e, op, act, negated, vars)
	case ftdp.ForAll:
		return b.walk(e.Args[0], act, negated, append(slices.Clip(vars), outerVariable{e.Name, e.Type}))
	case ftdp.Exists:
		return b.refuse(e,
			"this says that something is true of some process at all times: no invariant is made of that")
	case ftdp.Globally:
		if act.initial && act.conds == nil {
			return b.walk(e.Args[0], activation{}, negated, vars)
		}
		if !act.initial && act.conds == nil {
			return b.walk(e.Args[0], act, negated, vars)
		}
		v := b.record(e, act, nil, vars)
		return b.walk(e.Args[0], activation{conds: []*ftdp.Expr{v.now()}}, negated, vars)
	case ftdp.Release:
		until := e.Args[0]
		if temporal(until) {
			return b.refuse(until, "what ends this is a condition of states, or no invariant is made of it")
		}
		b.soundness(until, vars)
		v := b.record(e, act, signed(until, negated), vars)
		return b.walk(e.Args[1], activation{conds: []*ftdp.Expr{v.now()}}, negated, vars)
	}
	return b.refuse(e, "this says that something happens at last: induction proves what never happens")
}

// signed is a condition or its negation.
func signed(e *ftdp.Expr, negated bool) *ftdp.Expr {
	if !negated {
		return e
	}
	return e.From().Not(e)
}

// junction is a conjunction, all parts of which have to hold; or a disjunction: one part may speak of other
// states.
func (b *monitor) junction(e *ftdp.Expr, op ftdp.Op, act activation, negated bool, vars []outerVariable) error {
	type part struct {
		e       *ftdp.Expr
		negated bool
	}
	var parts []part
	for i, a := range e.Args {
		parts = append(parts, part{a, negated != (e.Op == ftdp.Implies && i == 0)})
	}
	if op == ftdp.And {
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
		case !temporal(a.e):
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
func weakUntil(e *ftdp.Expr) *ftdp.Expr {
	if e.Op != ftdp.Or || len(e.Args) != 2 {
		return nil
	}
	u, g := e.Args[0], e.Args[1]
	if u.Op != ftdp.Until {
		u, g = g, u
	}
	if u.Op != ftdp.Until || g.Op != ftdp.Globally || temporal(u.Args[1]) || !u.Args[0].Alike(g.Args[0]) {
		return nil
	}
	o := e.From()
	return o.Op(ftdp.Release, u.Args[1], o.Or(u.Args[1], u.Args[0]))
}

// record makes a variable that is true from an activation on, until a condition was true.
func (b *monitor) record(of *ftdp.Expr, act activation, until *ftdp.Expr, vars []outerVariable) *recorded {
	v := &recorded{name: b.fresh("history"), at: of.From(), act: act, until: until}
	speak := act.conds
	if until != nil {
		speak = append(slices.Clip(speak), until)
	}
	for _, x := range vars {
		if slices.ContainsFunc(speak, func(e *ftdp.Expr) bool { return Speaks(e, x.name) }) {
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
		since = v.at.And(v.act.conds...).String()
	}
	if v.act.initial {
		since += " at the beginning"
	}
	if v.until != nil {
		return fmt.Sprintf("%s, and since then not %s", since, v.until.Text(ftdp.Op(ftdp.And).Strength()+1))
	}
	return since
}

// cell is a variable.
func (v *recorded) cell() *ftdp.Expr {
	out := v.at.Name(v.name)
	for _, x := range v.of {
		out = v.at.Index(out, v.at.Name(x.name))
	}
	return out
}

// now says that what is under an operator has to hold in the present state.
func (v *recorded) now() *ftdp.Expr {
	if v.act.initial {
		return v.cell()
	}
	return v.at.Or(v.cell(), v.at.And(v.act.conds...))
}

// leaf is a condition that has to be true at an activation.
func (b *monitor) leaf(e *ftdp.Expr, act activation, negated bool, vars []outerVariable) {
	b.soundness(e, vars)
	out := signed(e, negated)
	switch {
	case act.initial:
		out = signed(b.record(e, act.and(signed(e, !negated)), nil, vars).cell(), true)
	case act.conds != nil:
		out = e.From().Op(ftdp.Implies, e.From().And(act.conds...), out)
	}
	b.leaves = append(b.leaves, quantified(e.From(), vars, out))
}

// soundness notes that a condition is evaluated in all states.
func (b *monitor) soundness(e *ftdp.Expr, vars []outerVariable) {
	o := e.From()
	b.sound = append(b.sound, quantified(o, vars, o.Or(e, o.Not(e))))
}

// quantified is a condition for all values of some variables.
func quantified(o ftdp.Origin, vars []outerVariable, e *ftdp.Expr) *ftdp.Expr {
	for _, x := range slices.Backward(vars) {
		e = o.Binder(ftdp.ForAll, x.name, x.typ, e)
	}
	return e
}
