// Package emit writes threshold automata, and protocols of one size, for other tools: TLA+ for TLC, Murphi for rumur
// and CMurphi, Promela for Spin.
// A state of the text is a configuration of the automaton, and a step fires a rule for one process: other tools count
// the states that `explore` counts.
package emit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/explore/automata"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/ta"
)

// Targets are the names of what can be written.
var Targets = []string{"tla", "murphi", "promela"}

// Files are texts by the ending of the file's name.
type Files map[string]string

// Write writes an automaton for a tool. params are the values of the parameters, which Murphi and Promela need; for
// TLA+ they may be nil, and go into a configuration for TLC.
func Write(ctx context.Context, a *ta.Automaton, target string, params []*big.Int) (Files, error) {
	if a.Rounds != nil {
		return nil, errors.New("this automaton is one round of many, and is not written for other tools: of a text, " +
			"--set with rounds=2, among others, writes an instance")
	}
	switch target {
	case "tla":
		return TLA(a, params)
	case "murphi", "promela":
		x, err := newInstance(ctx, a, params)
		if err != nil {
			return nil, err
		}
		if target == "murphi" {
			return Files{".m": x.murphi()}, nil
		}
		return Files{".pml": x.promela()}, nil
	}
	return nil, fmt.Errorf("nothing is written for %q (have %s)", target, strings.Join(Targets, ", "))
}

// dialect is how a language writes what automata say.
type dialect struct {
	grammar
	name func(ta.Symbol) string
	// sums says to write small multiples as sums: TLC 2.15 stumbles over products in temporal formulas.
	sums bool
	// prop, if set, writes a proposition of a temporal formula in another way.
	prop func(*ta.Cond) *expr
}

// linear writes a sum.
func (d dialect) linear(e ta.Linear) *expr {
	var list []linear.Addend
	for _, t := range e.Terms() {
		name := d.name(t.Var)
		if d.sums && t.Coef.Sign() > 0 && t.Coef.IsInt64() && t.Coef.Int64() <= 6 {
			list = append(list, slices.Repeat([]linear.Addend{{Coef: linear.N(1), Of: name}}, int(t.Coef.Int64()))...)
		} else {
			list = append(list, linear.Addend{Coef: t.Coef, Of: name})
		}
	}
	return &expr{op: d.operators[ftdp.Plus], text: linear.Write(append(list, linear.Addend{Coef: e.Const()}), "0 - ")}
}

// cond writes a condition.
func (d dialect) cond(c *ta.Cond) *expr {
	switch {
	case c.IsTrue():
		return d.yes
	case c.IsFalse():
		return d.no
	}
	return boolean.Fold(c, d.atom, func(op boolean.Op, list []*expr) *expr {
		if op == boolean.OpOr {
			return d.or(list...)
		}
		return d.and(list...)
	})
}

// atom writes a comparison with what is subtracted on the right.
func (d dialect) atom(at ta.Atom) *expr {
	left, right := at.Linear.Sides()
	if k := at.Linear.Const(); k.Sign() > 0 {
		left = left.Add(ta.Number(k))
	} else {
		right = right.Sub(ta.Number(k))
	}
	op := map[ta.Rel]ftdp.Op{ta.GE: ftdp.Ge, ta.EQ: ftdp.Eq, ta.NE: ftdp.Ne}[at.Rel]
	return d.apply(op, d.linear(left), d.linear(right))
}

// formula writes a temporal formula.
func (d dialect) formula(f ltl.Formula) *expr {
	all := func(args []ltl.Formula) []*expr {
		return lists.Map(args, d.formula)
	}
	switch f := f.(type) {
	case ltl.Prop:
		if d.prop != nil {
			return d.prop(f.Cond)
		}
		return d.cond(f.Cond)
	case *ltl.And:
		return d.and(all(f.Args)...)
	case *ltl.Or:
		return d.or(all(f.Args)...)
	case *ltl.Finally:
		return d.apply(ftdp.Finally, d.formula(f.Arg))
	case *ltl.Globally:
		return d.apply(ftdp.Globally, d.formula(f.Arg))
	}
	panic("emit: unknown formula")
}

// invariant returns p if a formula is []p.
func invariant(f ltl.Formula) *ta.Cond {
	if g, ok := f.(*ltl.Globally); ok {
		if p, ok := g.Arg.(ltl.Prop); ok {
			return p.Cond
		}
	}
	return nil
}

// namesIn gives every location, variable and parameter a name that is free in a language, and like its own.
func namesIn(a *ta.Automaton, w vocabulary) (own func(ta.Symbol) string, asked func(spec int) string) {
	taken := map[string]bool{}
	given, specs := map[ta.Symbol]string{}, make([]string, len(a.Specs))
	for _, part := range []struct {
		kind  ta.Kind
		names []ta.Name
	}{{ta.Counter, a.Locations}, {ta.Shared, a.Shared}, {ta.Parameter, a.Parameters}} {
		for i, n := range part.names {
			name := w.free(n.Name, taken)
			taken[name] = true
			given[ta.Symbol{Kind: part.kind, Index: i}] = name
		}
	}
	for i := range a.Specs {
		specs[i] = w.free(a.Specs[i].Name, taken)
		taken[specs[i]] = true
	}
	return func(s ta.Symbol) string { return given[s] }, func(spec int) string { return specs[spec] }
}

// instance is an automaton with values for its parameters.
type instance struct {
	a      *ta.Automaton
	params []*big.Int
	start  []*ta.Config
	most   *big.Int // no counter and no variable gets larger
}

func newInstance(_ context.Context, a *ta.Automaton, params []*big.Int) (*instance, error) {
	if params == nil {
		list := lists.Map(a.Parameters, func(p ta.Name) string { return p.Name + "=..." })
		return nil, fmt.Errorf("this is an instance, and needs values for the parameters: --set %s",
			strings.Join(list, ","))
	}
	if !automata.Admissible(a, params) {
		return nil, errors.New("the parameters do not satisfy the assumptions")
	}
	x := &instance{a: a, params: a.Complete(params), most: new(big.Int)}
	var err error
	if x.start, err = automata.Initial(a, params); err != nil {
		return nil, err
	}
	if len(x.start) == 0 {
		return nil, automata.ErrNoInitial
	}
	for l, grows := range a.GrowingCycles() {
		if grows {
			return nil,
				fmt.Errorf("variables may grow without bound on the cycles through %s, and this language has only "+
					"numbers "+"with bounds: --to tla can be written", a.Locations[l].Name)
		}
	}
	processes := new(big.Int)
	for _, c := range x.start {
		sum := new(big.Int)
		for _, n := range append(c.Counters[:len(c.Counters):len(c.Counters)], c.Shared...) {
			sum.Add(sum, n)
		}
		if sum.Cmp(processes) > 0 {
			processes = sum
		}
	}
	added := big.NewInt(1)
	for i := range a.Rules {
		for _, t := range a.Rules[i].Update.Terms() {
			added.Add(added, t.Coef.Abs().Big())
		}
		for _, s := range a.Rules[i].Resets {
			added.Add(added, s.Value)
		}
	}
	x.most.Mul(processes, added)
	return x, nil
}

// name names a symbol; parameters are their values.
func (x *instance) name(names func(ta.Symbol) string) func(ta.Symbol) string {
	return func(s ta.Symbol) string {
		if s.Kind == ta.Parameter {
			return x.params[s.Index].String()
		}
		return names(s)
	}
}

// parts lists the counters and the shared variables.
func parts(a *ta.Automaton) []ta.Symbol {
	list := lists.Make(len(a.Locations), func(i int) ta.Symbol { return ta.Symbol{Kind: ta.Counter, Index: i} })
	for i := range a.Shared {
		list = append(list, ta.Symbol{Kind: ta.Shared, Index: i})
	}
	return list
}

// effect returns the new values of what a rule changes, as expressions of the old ones.
func effect(r *ta.Rule) map[ta.Symbol]ta.Linear {
	out := map[ta.Symbol]ta.Linear{}
	if !r.SelfLoop() {
		from, to := ta.Symbol{Kind: ta.Counter, Index: r.From}, ta.Symbol{Kind: ta.Counter, Index: r.To}
		out[from], out[to] = ta.Var(from).Sub(ta.Int(1)), ta.Var(to).Add(ta.Int(1))
	}
	for _, t := range r.Update.Terms() {
		out[t.Var] = ta.Var(t.Var).Add(ta.Number(t.Coef))
	}
	for _, s := range r.Resets {
		out[ta.Symbol{Kind: ta.Shared, Index: s.Shared}] = ta.Number(linear.Big(s.Value))
	}
	return out
}

// enabled is when a rule can fire.
func enabled(r *ta.Rule) *ta.Cond {
	atLeast := func(s ta.Symbol, k linear.Int) *ta.Cond {
		return ta.AtomCond(ta.Atom{Linear: ta.Var(s).Sub(ta.Number(k)), Rel: ta.GE})
	}
	list := []*ta.Cond{atLeast(ta.Symbol{Kind: ta.Counter, Index: r.From}, linear.N(1)), r.Guard}
	for _, t := range r.Update.Terms() {
		if t.Coef.Sign() < 0 {
			list = append(list, atLeast(t.Var, t.Coef.Neg()))
		}
	}
	return ta.And(list...)
}

// changed lists what an effect changes, in order.
func changed(e map[ta.Symbol]ta.Linear) []ta.Symbol {
	return slices.SortedFunc(maps.Keys(e), ta.Symbol.Compare)
}
