package promela

import (
	"sort"

	"tacheck/internal/fourier"
)

// eliminate returns what the constraints (each at least 0) say about the other
// variables: whether there are values of those that gone accepts, natural
// numbers unless a counter may be negative, that satisfy them (Fourier and Motzkin). exact says that
// this is so for integers, too: of each two constraints that are combined, one
// has coefficient 1.
func (t *translator) eliminate(list []linear, gone func(variable) bool) (out []linear, exact bool) {
	var vars []variable
	seen := map[variable]bool{}
	for _, l := range list {
		for v := range l.coef {
			if gone(v) && !seen[v] {
				seen[v] = true
				vars = append(vars, v)
			}
		}
	}
	sort.Slice(vars, func(i, j int) bool {
		return vars[i].kind < vars[j].kind || vars[i].kind == vars[j].kind && vars[i].index < vars[j].index
	})
	for _, v := range vars {
		if t.natural(v) {
			list = append(list, of(v)) // v >= 0
		}
	}
	sums := fourier.Sums[variable, linear]{
		Coef:    func(l linear, v variable) int64 { return l.coef[v] },
		Combine: func(a linear, p int64, b linear, q int64) linear { return number(0).plus(p, a).plus(q, b) },
		Tidy:    func(list []linear) ([]linear, bool) { return unique(list), true },
	}
	out, _, exact = sums.Eliminate(list, vars)
	return out, exact
}

// unique drops constraints that are said twice, or that others say more
// strictly; constants that are at least 0 say nothing.
func unique(list []linear) []linear {
	best := map[string]int{}
	var out []linear
	for _, l := range list {
		if l.constant() && l.konst >= 0 {
			continue
		}
		terms := linear{coef: l.coef}
		key := terms.key()
		if i, seen := best[key]; seen {
			out[i].konst = min(out[i].konst, l.konst)
			continue
		}
		best[key] = len(out)
		out = append(out, l)
	}
	return out
}
