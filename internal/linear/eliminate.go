package linear

import "slices"

// Tidy leaves out of conditions, each that a sum is at least 0, those that say nothing, and those that
// say less than another; false if one is never true, or two are not true together.
func Tidy[V Variable[V]](list []Sum[V]) ([]Sum[V], bool) {
	var out []Sum[V]
	place := map[string]int{}
	for _, s := range list {
		if s.IsConst() {
			if s.number.Sign() < 0 {
				return nil, false
			}
			continue
		}
		key := s.keyOfTerms()
		if i, old := place[key]; old {
			if s.number.Cmp(out[i].number) < 0 {
				out[i].number = s.number
			}
			continue
		}
		place[key] = len(out)
		out = append(out, s)
	}
	for _, s := range out { // s >= 0 and -s - 1 >= 0 together
		if i, old := place[s.Neg().keyOfTerms()]; old && s.number.Add(out[i].number).Sign() < 0 {
			return nil, false
		}
	}
	return out, true
}

// Elimination eliminates variables from conditions, each of which says that a sum is at least 0 (Fourier, Motzkin).
// The zero value does it by Tidy alone.
type Elimination[V Variable[V]] struct {
	// Stronger leaves out conditions that follow from the others, after each variable; nil leaves out none but
	// those that Tidy does.
	Stronger func([]Sum[V]) []Sum[V]
	// Stop is asked again and again, with how many conditions there are: their number can grow with a power of
	// two to the number of variables. If it says true, there is no answer; nil never does.
	Stop func(conditions int) bool
}

// Of returns what conditions say of all other variables: whether there are values of those in gone that satisfy
// them. possible is false if there are none whatever the others are. exact says that the answer is the same for
// integers: of each two conditions that were combined, one has coefficient 1.
func (e Elimination[V]) Of(list []Sum[V], gone []V) (out []Sum[V], possible, exact bool) {
	exact = true
	for _, v := range gone {
		var low, high, rest []Sum[V]
		for _, s := range list {
			switch s.Coef(v).Sign() {
			case 1:
				low = append(low, s)
			case -1:
				high = append(high, s)
			default:
				rest = append(rest, s)
			}
		}
		for _, a := range low {
			if e.Stop != nil && e.Stop(len(rest)+len(high)) {
				return nil, true, false
			}
			for _, b := range high {
				p, q := a.Coef(v), b.Coef(v).Neg()
				exact = exact && (p.Is(1) || q.Is(1))
				rest = append(rest, a.Scale(q).AddScaled(p, b))
			}
		}
		if list, possible = e.tidy(rest); !possible {
			return nil, false, exact
		}
	}
	list, possible = e.tidy(list)
	return list, possible, exact
}

func (e Elimination[V]) tidy(list []Sum[V]) ([]Sum[V], bool) {
	list, possible := Tidy(list)
	if possible && e.Stronger != nil {
		list = e.Stronger(list)
	}
	return list, possible
}

// VarsOf returns the variables of sums that are asked for, each once, in their order.
func VarsOf[V Variable[V]](list []Sum[V], asked func(V) bool) []V {
	var out []V
	for _, s := range list {
		for _, t := range s.terms {
			if asked(t.Var) {
				out = append(out, t.Var)
			}
		}
	}
	slices.SortFunc(out, V.Compare)
	return slices.Compact(out)
}
