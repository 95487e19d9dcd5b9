package automata

import "math/big"

// Combinations calls do with all combinations of n values from 0 to upTo, in order; the slice is
// used again. It stops at do's first error, and returns it.
func Combinations(n int, upTo int64, do func(values []*big.Int) error) error {
	values := make([]*big.Int, n)
	var assign func(i int) error
	assign = func(i int) error {
		if i == n {
			return do(values)
		}
		for v := range upTo + 1 {
			values[i] = big.NewInt(v)
			if err := assign(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return assign(0)
}
