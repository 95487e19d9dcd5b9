package threshold

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A condition such as a >= b + 1, of messages that were sent, can become true and false again, which guards of automata
// cannot. It is weakened (monotone). Of one instance, in which no sum exceeds a number, it is a disjunction of cases that
// guards can say: for some j, a >= j + 1 and b <= j. So the automaton of an instance says what the text does, and a counterexample
// to it can be played more often.

// mostCases bounds the cases of a guard, and what follows from its conditions.
const mostCases = 40

// mixed reports whether a condition can become true and false again.
func (l linear) mixed() bool {
	up, down := false, false
	for n, c := range l.terms {
		up, down = up || shared(n) && c > 0, down || shared(n) && c < 0
	}
	return up && down
}

// sums are what mixed conditions say together with others that give the least of what counts against them: from a + f >= b and a + b >= n - f
// it follows that 2 * a + 2 * f >= n, which does not become false again. What counts against them is replaced in the order of names.
func sums(guard all) (out all) {
	var replaced func(l linear, after string)
	replaced = func(l linear, after string) {
		for _, n := range l.names() {
			c := l.terms[n]
			if n <= after || c >= 0 || !shared(n) {
				continue
			}
			for _, m := range guard {
				if len(out) == mostCases || m.terms[n] <= 0 || m.mixed() || !m.helps(l) {
					continue
				}
				if sum := l.times(m.terms[n]).plus(m, -c); sum.mixed() {
					replaced(sum, n)
				} else {
					out = append(out, sum)
				}
			}
			return
		}
	}
	for _, l := range guard {
		if l.mixed() {
			replaced(l, "")
		}
	}
	return out
}

// helps reports whether a condition asks for messages that count for another one.
func (l linear) helps(m linear) bool {
	for n, c := range l.terms {
		if shared(n) && c > 0 && m.terms[n] > 0 {
			return true
		}
	}
	return false
}

// mixed says, of an instance, the conditions of a guard that were weakened: simple ones first, as many as there may be cases of.
func (t *Translation) mixed(guard all) (conditions []string) {
	list := slices.DeleteFunc(slices.Clone(guard), func(l linear) bool { return !l.mixed() || t.always(l) })
	t.weakened = t.weakened || len(list) > 0
	if t.processes == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b linear) int { return cmp.Compare(len(a.terms), len(b.terms)) })
	total := 1
	for _, l := range list {
		cases := t.cases(l)
		if total *= max(1, len(cases)); total > mostCases {
			break
		}
		conditions = append(conditions, "("+strings.Join(cases, " || ")+")")
	}
	return conditions
}

// cases says a mixed condition of an instance by guards.
func (t *Translation) cases(l linear) (list []string) {
	up, down, most := l, number(0), int64(0)
	for _, n := range l.names() {
		if c := l.terms[n]; shared(n) && c < 0 {
			up, down = up.plus(quantity(n), -c), down.plus(quantity(n), -c)
			most -= c * t.processes
		}
	}
	for j := range most + 1 {
		list = append(list, fmt.Sprintf("(%s && %s)", up.plus(number(-j), 1).compare(shared, t.called), number(j).plus(down, -1).compare(shared, t.called)))
	}
	return list
}
