package reading

import (
	"maps"
	"math"
	"slices"

	"github.com/tacheck/tacheck/internal/diag"
)

// Measure reads constants off a log: it is given every event before the model is made. Those
// that set has already are left alone.
type Measure struct {
	r     *Reading
	set   map[string]int64
	rules []constantRule
	names []map[string]bool
	best  []int64
	seen  []bool
}

// Constants reports whether the reading reads constants off the log that set does not have.
func (r *Reading) Constants(set map[string]int64) bool {
	return slices.ContainsFunc(r.Measure(set).rules, func(c constantRule) bool { return c.how != "" })
}

func (r *Reading) Measure(set map[string]int64) *Measure {
	m := &Measure{r: r, set: set}
	for _, c := range r.Measured {
		if _, given := set[c.Name.Text]; given {
			continue
		}
		m.rules = append(m.rules, c)
		m.names = append(m.names, map[string]bool{})
		best := int64(math.MinInt64)
		if c.how == "min" {
			best = math.MaxInt64
		}
		m.best, m.seen = append(m.best, best), append(m.seen, false)
		for _, n := range c.numbers {
			m.note(len(m.best)-1, n)
		}
	}
	return m
}

func (m *Measure) Add(e *Event) error {
	v, ok := m.r.Under(e)
	if !ok {
		return nil
	}
	if ignored, err := m.r.ignores(e, v); err != nil || ignored {
		return err
	}
	for i := range m.rules {
		for _, p := range m.rules[i].paths {
			got, ok := p.at(v)
			if !ok || got == nil {
				continue
			}
			if m.rules[i].how == "count" {
				if name := Plain(got); !m.r.isNone(name) {
					m.names[i][name], m.seen[i] = true, true
				}
				continue
			}
			n, isInt := Integer(got)
			if !isInt {
				return e.WrongAt(p, "%s is %s, which is no number: constant %s is read off it", p.Text, Plain(got),
					m.rules[i].Name.Text)
			}
			m.note(i, n)
		}
	}
	return nil
}

// note takes a number as one of those whose greatest or least a constant is.
func (m *Measure) note(i int, n int64) {
	if m.seen[i] = true; n > m.best[i] == (m.rules[i].how == "max") {
		m.best[i] = n
	}
}

// ignores reports whether the reading ignores an event.
func (r *Reading) ignores(e *Event, v any) (bool, error) {
	for i := range r.Cases {
		if c := &r.Cases[i]; c.Ignore {
			if is, err := c.When.Holds(e, v); err != nil || is {
				return is, err
			}
		}
	}
	return false, nil
}

// isNone reports whether a name stands for no process.
func (r *Reading) isNone(name string) bool {
	return slices.ContainsFunc(r.Processes, func(p processNames) bool { return slices.Contains(p.None, name) })
}

func (m *Measure) Constants() (map[string]int64, error) {
	out := map[string]int64{}
	maps.Copy(out, m.set)
	var list diag.List
	for i := range m.rules {
		c := &m.rules[i]
		if c.how != "" && !m.seen[i] {
			list.Add(c.Name.Pos, len(c.Name.Text), "nothing in the log says what %s is", c.Name.Text)
			continue
		}
		switch c.how {
		case "":
			out[c.Name.Text] = c.add
		case "count":
			out[c.Name.Text] = int64(len(m.names[i])) + c.add
		default:
			out[c.Name.Text] = m.best[i] + c.add
		}
	}
	return out, list.Err()
}
