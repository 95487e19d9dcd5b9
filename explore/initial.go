package explore

import (
	"fmt"
	"math/big"

	"tacheck/ta"
)

// Initial enumerates the initial configurations for the given parameters. Its
// error is ErrTooLarge if there are too many candidates.
func Initial(a *ta.Automaton, params []*big.Int) ([]*ta.Config, error) {
	return initial(a, params, 0, DefaultStates)
}

// initial enumerates the initial configurations for the given parameters.
// Symbols that the initial conditions leave open range from 0 to free, or to
// the sum of the parameters if that is more. The error is ErrTooLarge if there
// are more than limit candidates.
func initial(a *ta.Automaton, params []*big.Int, free int64, limit int) ([]*ta.Config, error) {
	sum := free
	for _, p := range params[:len(a.Parameters)] {
		sum += p.Int64()
	}
	params = a.Complete(params)
	c := &ta.Config{Params: params}
	for range a.Locations {
		c.Counters = append(c.Counters, new(big.Int))
	}
	for range a.Shared {
		c.Shared = append(c.Shared, new(big.Int))
	}
	if !a.Resilience.Eval(c.Value) {
		return nil, nil
	}
	zero := map[ta.Symbol]bool{}
	zeroSymbols(a.Inits, zero)
	var open []*(*big.Int)
	for i := range c.Counters {
		if !zero[ta.Symbol{Kind: ta.Counter, Index: i}] {
			open = append(open, &c.Counters[i])
		}
	}
	for i := range c.Shared {
		if !zero[ta.Symbol{Kind: ta.Shared, Index: i}] {
			open = append(open, &c.Shared[i])
		}
	}
	if candidates := new(big.Int).Exp(big.NewInt(sum+1), big.NewInt(int64(len(open))), nil); candidates.Cmp(big.NewInt(int64(limit))) > 0 {
		return nil, fmt.Errorf("%w: %s candidates for initial configurations", ErrTooLarge, candidates)
	}
	var out []*ta.Config
	var assign func(i int)
	assign = func(i int) {
		if i == len(open) {
			if a.Inits.Eval(c.Value) {
				out = append(out, &ta.Config{
					Counters: append([]*big.Int(nil), c.Counters...), Shared: append([]*big.Int(nil), c.Shared...), Params: params})
			}
			return
		}
		for v := int64(0); v <= sum; v++ {
			*open[i] = big.NewInt(v)
			assign(i + 1)
		}
	}
	assign(0)
	return out, nil
}

// zeroSymbols collects the symbols that a conjunction sets to 0.
func zeroSymbols(c *ta.Cond, zero map[ta.Symbol]bool) {
	if c.Op == ta.CondAnd {
		for _, arg := range c.Args {
			zeroSymbols(arg, zero)
		}
	}
	if c.Op == ta.CondAtom && c.Atom.Rel == ta.EQ && len(c.Atom.Linear.Terms()) == 1 && c.Atom.Linear.Const().Sign() == 0 {
		zero[c.Atom.Linear.Terms()[0].Symbol] = true
	}
}
