package emit

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// TLA writes a module, and with params a configuration for TLC beside it. All steps of the module that change something
// are steps of the automaton; those of rules that change nothing are stuttering steps.
//
// Where all counterexamples to a specification are infinite runs, in which rules fire for ever, the property says so:
// `Infinite` is true of a behaviour that changes again and again, or ends where a rule that changes nothing can be
// fired.
func TLA(a *ta.Automaton, params []*big.Int) (Files, error) {
	reserved := []string{"Idle", "Infinite"}
	for i := range a.Rules {
		reserved = append(reserved, ruleTLA(a, i))
	}
	for i := range a.Specs {
		reserved = append(reserved, specTLA(a, i))
	}
	own, _ := namesIn(a, wordsTLA.with(reserved))
	d := dialect{grammar: grammarTLA, sums: true}
	d.name = func(s ta.Symbol) string {
		if i := s.Index - len(a.Parameters); s.Kind == ta.Parameter && i >= 0 {
			return bracketed(d.apply(ftdp.Div, d.linear(a.Quotients[i].Numerator),
				ident(a.Quotients[i].Divisor.String()))).String()
		}
		return own(s)
	}
	w := &tlaWriter{a: a, d: d}
	w.head()
	w.begin()
	w.rules()
	invariants, properties, err := w.specs()
	if err != nil {
		return nil, err
	}
	w.line("%s", strings.Repeat("=", 77))
	out := Files{".tla": w.b.String()}
	if params != nil {
		var b strings.Builder
		b.WriteString("\\* To be run with -deadlock: that no process can move is no error.\nSPECIFICATION Spec\n")
		for i := range a.Parameters {
			fmt.Fprintf(&b, "CONSTANT %s = %s\n", own(ta.Symbol{Kind: ta.Parameter, Index: i}), params[i])
		}
		for _, name := range invariants {
			fmt.Fprintf(&b, "INVARIANT %s\n", name)
		}
		for _, name := range properties {
			fmt.Fprintf(&b, "PROPERTY %s\n", name)
		}
		out[".cfg"] = b.String()
	}
	return out, nil
}

func ruleTLA(a *ta.Automaton, i int) string {
	return "Rule_" + strings.ReplaceAll(a.RuleName(&a.Rules[i]), "@", "_")
}

func specTLA(a *ta.Automaton, i int) string { return "Spec_" + a.Specs[i].Name }

type tlaWriter struct {
	a *ta.Automaton
	d dialect
	b strings.Builder
}

func (w *tlaWriter) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// moduleName is the name of the module that an automaton becomes.
func moduleName(a *ta.Automaton) string {
	return cmp.Or(a.Name, "Automaton")
}

func (w *tlaWriter) head() {
	a := w.a
	w.line("---------------------------- MODULE %s ----------------------------", moduleName(a))
	w.line("EXTENDS Integers\n")
	list := func(kind ta.Kind, n int) string {
		names := lists.Make(n, func(i int) string { return w.d.name(ta.Symbol{Kind: kind, Index: i}) })
		return strings.Join(names, ", ")
	}
	if len(a.Parameters) > 0 {
		w.line("CONSTANTS %s\n", list(ta.Parameter, len(a.Parameters)))
		for i := range a.Parameters {
			w.line("ASSUME %s \\in Nat", w.d.name(ta.Symbol{Kind: ta.Parameter, Index: i}))
		}
	}
	w.line("ASSUME %s\n", w.d.cond(a.Resilience))
	w.line("VARIABLES")
	w.line("  \\* how many processes are in each location")
	sep := ""
	if len(a.Shared) > 0 {
		sep = ","
	}
	w.line("  %s%s", list(ta.Counter, len(a.Locations)), sep)
	all := list(ta.Counter, len(a.Locations))
	if len(a.Shared) > 0 {
		w.line("  \\* shared variables")
		w.line("  %s", list(ta.Shared, len(a.Shared)))
		all += ", " + list(ta.Shared, len(a.Shared))
	}
	w.line("\nvars == <<%s>>\n", all)
}

// begin writes the initial condition such that TLC can enumerate it: each variable is given a value or a range first.
func (w *tlaWriter) begin() {
	conjuncts := w.a.Inits.Conjuncts()
	w.line("Init ==")
	for _, s := range parts(w.a) {
		w.line("  /\\ %s %s", w.d.name(s), w.values(s, conjuncts))
	}
	for _, c := range conjuncts {
		w.line("  /\\ %s", w.d.cond(c))
	}
	w.line("")
}

// values says which values a variable may begin with: one, up to a bound, or any.
func (w *tlaWriter) values(s ta.Symbol, conjuncts []*ta.Cond) string {
	bound := ""
	for _, c := range conjuncts {
		if c.Op != boolean.OpAtom || c.Atom.Rel == ta.NE {
			continue
		}
		e := c.Atom.Linear
		state := ta.Part(e, ta.Counter, ta.Shared)
		if c.Atom.Rel == ta.EQ && state.Coef(s).Sign() > 0 {
			e, state = e.Neg(), state.Neg()
		}
		// e >= 0, or e == 0: rest >= sum of others
		if state.Coef(s).Sign() >= 0 || slices.ContainsFunc(state.Terms(),
			func(t ta.Term) bool { return t.Coef.Sign() > 0 }) {
			continue
		}
		if !state.Coef(s).Is(-1) {
			continue
		}
		rest := w.d.linear(e.Sub(state))
		if c.Atom.Rel == ta.EQ && len(state.Terms()) == 1 {
			return "= " + rest.String()
		}
		bound = "\\in 0.." + bracketed(rest).String()
	}
	if bound == "" {
		return "\\in Nat"
	}
	return bound
}

func (w *tlaWriter) rules() {
	var all []string
	var idle []*expr
	for i := range w.a.Rules {
		r := &w.a.Rules[i]
		if r.Idle() {
			idle = append(idle, w.d.cond(enabled(r)))
		}
		name := ruleTLA(w.a, i)
		all = append(all, name)
		w.line("%s == \\* %s", name, w.a.FormatMove(r))
		for _, c := range enabled(r).Conjuncts() {
			w.line("  /\\ %s", w.d.cond(c))
		}
		e := effect(r)
		for _, s := range changed(e) {
			w.line("  /\\ %s' = %s", w.d.name(s), w.d.linear(e[s]))
		}
		var same []string
		for _, s := range parts(w.a) {
			if _, changes := e[s]; !changes {
				same = append(same, w.d.name(s))
			}
		}
		if len(same) > 0 {
			w.line("  /\\ UNCHANGED <<%s>>", strings.Join(same, ", "))
		}
		w.line("")
	}
	w.line("Next ==")
	for _, name := range all {
		w.line("  \\/ %s", name)
	}
	if len(all) == 0 {
		w.line("  FALSE")
	}
	w.line("\nSpec == Init /\\ [][Next]_vars\n")
	w.line("\\* Rules that change nothing can be fired.")
	w.line("Idle == %s\n", w.d.or(idle...))
	w.line("\\* Rules fire for ever.")
	w.line("Infinite == []<><<Next>>_vars \\/ <>[]Idle\n")
}

// temporal writes a formula whose propositions have names of their own: TLC takes some of them apart otherwise, where
// there is no state.
func (w *tlaWriter) temporal(name string, f ltl.Formula) *expr {
	n := 0
	d := w.d
	d.prop = func(c *ta.Cond) *expr {
		n++
		part, text := fmt.Sprintf("%s_%d", name, n), w.d.cond(c)
		if len(c.Atoms(nil)) == 0 {
			text = aboutStates(text)
		}
		w.line("%s == %s", part, text)
		return ident(part)
	}
	return d.formula(f)
}

func (w *tlaWriter) specs() (invariants, properties []string, err error) {
	for i := range w.a.Specs {
		spec := &w.a.Specs[i]
		f, err := ltl.Parse(w.a, spec)
		if err != nil {
			return nil, nil, err
		}
		name := specTLA(w.a, i)
		if c := invariant(f); c != nil {
			w.line("%s == %s\n", name, w.d.cond(c))
			invariants = append(invariants, name)
			continue
		}
		text := w.temporal(name, f)
		infinite, outside := verify.Inspect(w.a, spec)
		if outside == nil && infinite {
			text = w.d.apply(ftdp.Implies, closed("Infinite"), text)
		}
		w.line("%s == %s\n", name, text)
		properties = append(properties, name)
	}
	return invariants, properties, nil
}
