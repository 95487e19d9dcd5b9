package rounds

import (
	"errors"
	"slices"

	"tacheck/ta"
	"tacheck/verify"
)

// mostAfter is up to how many rounds a violation is looked for of what has to hold after some.
const mostAfter = 3

// after returns what holds after some rounds, by its name; nil if nothing of that name does.
func (m *machine) after(name string) *ta.After {
	i := slices.IndexFunc(m.rs.After, func(s ta.After) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &m.rs.After[i]
}

// bad is how many rounds at most are not good: in each of them a variable that counts throughout is raised. False if there is no
// bound.
func (m *machine) bad() (ta.Linear, bool) {
	total := ta.Int(0)
	for _, x := range m.rs.Throughout {
		bound, ok := m.bound(x)
		if !ok {
			return total, false
		}
		for _, t := range bound.Part(ta.Shared).Terms() { // it begins with 0
			if t.Symbol.Index != x {
				return total, false
			}
		}
		total = total.Add(bound.Sub(bound.Part(ta.Shared)))
	}
	return total, true
}

// surelyGood reports whether one of so many rounds is good, whatever the parameters are.
func (m *machine) surelyGood(k *asker, s *ta.After) (bool, error) {
	bad, ok := m.bad()
	if !ok {
		return false, nil
	}
	few := expr("%s <= %s", m.a.FormatLinear(s.Rounds), m.a.FormatLinear(bad))
	a, err := m.one(start{at: m.first()}, few)
	if err != nil {
		return false, err
	}
	_, err = k.ask(a, expr("!(<>%s)", m.some(m.first(), "")))
	var none *verify.NoRuns
	if errors.As(err, &none) {
		return true, nil
	}
	return false, err
}

