package automata

import (
	"math/big"

	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta"
)

// caps returns, for each shared variable that may grow without bound in an instance, a value from which on no atom can
// tell how large it is; nil for others, and for variables that some atom holds against another one. What is as large as
// its cap counts as equal (theory 10).
//
// For an atom a*x + rest >= 0 (or == 0, or != 0) that is |rest| / a + 1, at most: the other variables have the same
// sign, or the variable has no cap; counters are at most the number of processes. Variables that some rule decreases
// have no cap: it matters how large they are. Those that are reset have one that they are not set beyond.
func caps(a *ta.Automaton, start []*ta.Config, atoms []ta.Atom) []*big.Int {
	grows := make([]bool, len(a.Shared))
	onCycle := a.GrowingCycles()
	_, component := a.Components()
	for i := range a.Rules {
		r := &a.Rules[i]
		if onCycle[r.From] && component[r.From] == component[r.To] {
			for _, t := range r.Update.Terms() {
				grows[t.Var.Index] = true
			}
		}
	}
	out := make([]*big.Int, len(a.Shared))
	if len(start) == 0 {
		return out
	}
	most := new(big.Int) // processes
	for _, c := range start {
		sum := new(big.Int)
		for _, n := range c.Counters {
			sum.Add(sum, n)
		}
		if sum.Cmp(most) > 0 {
			most = sum
		}
	}
	for i := range a.Rules {
		atoms = a.Rules[i].Guard.Atoms(atoms)
	}
	for i := range out {
		if grows[i] {
			out[i] = capOf(ta.Symbol{Kind: ta.Shared, Index: i}, atoms, start[0], most)
		}
	}
	for i := range a.Rules {
		for _, t := range a.Rules[i].Update.Terms() {
			if t.Coef.Sign() < 0 {
				out[t.Var.Index] = nil
			}
		}
		for _, s := range a.Rules[i].Resets {
			if c := out[s.Shared]; c != nil && c.Cmp(s.Value) < 0 {
				out[s.Shared] = s.Value
			}
		}
	}
	return out
}

// capOf returns the cap of one variable, or nil if it has none.
func capOf(x ta.Symbol, atoms []ta.Atom, c *ta.Config, processes *big.Int) *big.Int {
	var limit linear.Int
	for _, at := range atoms {
		mine := at.Linear.Coef(x)
		if mine.Sign() == 0 {
			continue
		}
		rest := at.Linear.Const().Abs()
		for _, t := range at.Linear.Terms() {
			size := t.Coef.Abs()
			switch t.Var.Kind {
			case ta.Parameter:
				rest = rest.Add(size.Mul(linear.Big(c.Value(t.Var))))
			case ta.Counter:
				rest = rest.Add(size.Mul(linear.Big(processes)))
			case ta.Shared:
				if t.Coef.Sign() != mine.Sign() {
					return nil
				}
			}
		}
		rest = rest.Floor(mine.Abs()).Add(linear.N(1))
		if rest.Cmp(limit) > 0 {
			limit = rest
		}
	}
	return limit.Big()
}
