package tacheck

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"testing"

	"tacheck/benchmarks"
	"tacheck/internal/diag"
	"tacheck/internal/explore"
	"tacheck/ltl"
	"tacheck/ta"
)

// TestMutants changes models of the suite a little, and holds the verdict on
// every specification against exploration of all instances with parameters up
// to 4, as far as these are small. TACHECK_MUTANTS sets the number of mutants,
// TACHECK_SEED the seed.
func TestMutants(t *testing.T) {
	n, seed := env(t, "TACHECK_MUTANTS", 25), env(t, "TACHECK_SEED", 1)
	if testing.Short() {
		n = min(n, 10)
	}
	r := rand.New(rand.NewSource(int64(seed)))
	names := benchmarks.Names()
	var count mutantTally
	for range n {
		name := names[r.Intn(len(names))]
		text, _ := benchmarks.Read(name)
		a := parse(t, name, text)
		what := mutate(r, a)
		if what == "" {
			continue
		}
		count.Mutants++
		for i := range a.Specs {
			o := Options{}
			if r.Intn(4) == 0 {
				o = Options{Search: "incremental", Encoding: EncodingNames[r.Intn(2)], Timeout: 5e9}
			}
			judgeMutant(t, a, &a.Specs[i], o, name+": "+what, &count)
		}
	}
	t.Logf("%+v", count)
}

type mutantTally struct{ Mutants, Holds, Violated, Unknown, Refused, Instances, TooLarge int }

func judgeMutant(t *testing.T, a *ta.Automaton, spec *ta.Spec, o Options, what string, count *mutantTally) {
	r, err := Verify(context.Background(), a, spec, o)
	var refused diag.List
	switch {
	case errors.As(err, &refused): // no admissible parameters, or outside the fragment
		count.Refused++
		return
	case err != nil:
		t.Errorf("%s: %s: %v", what, spec.Name, err)
		return
	case r.Verdict == Unknown:
		count.Unknown++
		return
	case r.Verdict == Violated: // replayed already
		count.Violated++
		return
	}
	count.Holds++
	formula, err := ltl.Parse(a, spec)
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(5) {
		eachInstance(a, n, func(params []*big.Int) {
			for _, p := range params {
				if p.Int64() > 4 {
					return
				}
			}
			found, err := explore.Find(context.Background(), a, ltl.Negate(formula), params, explore.Limits{States: 5000})
			switch {
			case errors.Is(err, explore.ErrTooLarge):
				count.TooLarge++
			case err != nil:
				t.Fatal(err)
			case found.Run != nil:
				t.Errorf("%s: %s %s holds by %v, but is violated with %s", what, spec.Name, r.Verdict, o, assignment(a, params))
			default:
				count.Instances++
			}
		})
	}
}

// mutate changes an automaton in place and says how; "" if the change that was
// drawn is not possible.
func mutate(r *rand.Rand, a *ta.Automaton) string {
	i := r.Intn(len(a.Rules))
	rule := &a.Rules[i]
	name := a.RuleName(rule)
	switch r.Intn(6) {
	case 0: // the guard off by one
		atoms := rule.Guard.Atoms(nil)
		if len(atoms) == 0 {
			return ""
		}
		k, by := r.Intn(len(atoms)), int64(1-2*r.Intn(2))
		rule.Guard = shift(rule.Guard, &k, by)
		return fmt.Sprintf("guard of rule %s off by %d", name, by)
	case 1: // the rule dropped
		a.Rules = append(a.Rules[:i:i], a.Rules[i+1:]...)
		for k := range a.Rules {
			a.Rules[k].Index = k
		}
		return "rule " + name + " dropped"
	case 2: // the rule redirected
		old := rule.To
		if rule.SelfLoop() {
			return ""
		}
		if rule.To = r.Intn(len(a.Locations)); rule.To == old || !canonical(a) {
			rule.To = old
			return ""
		}
		return fmt.Sprintf("rule %s redirected to %s", name, a.Locations[rule.To].Name)
	case 3: // an update added
		old := rule.Update
		if len(a.Shared) == 0 {
			return ""
		}
		x := ta.Symbol{Kind: ta.Shared, Index: r.Intn(len(a.Shared))}
		if rule.Update = old.Add(ta.Var(x)); !canonical(a) {
			rule.Update = old
			return ""
		}
		return fmt.Sprintf("rule %s increments %s once more", name, a.SymbolName(x))
	case 4: // an update removed
		if rule.Update.IsConst() {
			return ""
		}
		rule.Update = ta.Linear{}
		return "rule " + name + " updates nothing"
	}
	// The resilience condition weakened.
	if a.Resilience.Op != ta.CondAnd || len(a.Resilience.Args) < 2 {
		return ""
	}
	k := r.Intn(len(a.Resilience.Args))
	args := append([]*ta.Cond(nil), a.Resilience.Args...)
	what := a.FormatCond(args[k])
	a.Resilience = ta.And(append(args[:k:k], args[k+1:]...)...)
	return "without " + what
}

// shift adds by to the k-th atom of a condition.
func shift(c *ta.Cond, k *int, by int64) *ta.Cond {
	if c.Op == ta.CondAtom {
		if *k--; *k == -1 {
			at := c.Atom
			at.Linear = at.Linear.Add(ta.Int(by))
			return ta.AtomCond(at)
		}
		return c
	}
	args := make([]*ta.Cond, len(c.Args))
	for i, arg := range c.Args {
		args[i] = shift(arg, k, by)
	}
	if c.Op == ta.CondAnd {
		return ta.And(args...)
	}
	return ta.Or(args...)
}

// canonical reports whether no rule on a cycle updates anything.
func canonical(a *ta.Automaton) bool {
	_, of := a.Components()
	for i := range a.Rules {
		if r := &a.Rules[i]; of[r.From] == of[r.To] && !r.Update.IsConst() {
			return false
		}
	}
	return true
}

// TestExplored explores all instances with parameters up to 4 of everything
// that holds in the suite, and of the corpus.
func TestExplored(t *testing.T) {
	var count mutantTally
	for _, e := range benchmarks.Expected() {
		if e.Verdict == string(Holds) {
			text, _ := benchmarks.Read(e.File)
			a := parse(t, e.File, text)
			judgeMutant(t, a, a.SpecNamed(e.Spec), Options{}, e.File, &count)
		}
	}
	t.Logf("%+v", count)
}
