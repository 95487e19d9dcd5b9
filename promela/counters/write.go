package counters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/ta/syntax"
)

// begin says where processes begin, how many, and what shared variables are then.
func (t *translator) begin() error {
	m := t.Model
	count, err := sum(m.Count, t.parameters())
	if err != nil {
		return err
	}
	all := counter.Group{Count: count, Signed: !t.known.Implies(count)}
	for i, s := range t.states {
		t.form.Locations = append(t.form.Locations, counter.Location{At: loop(m), Start: s.start, When: s.when})
		if s.start {
			all.Locations = append(all.Locations, i)
		}
	}
	t.form.Groups = []counter.Group{all}
	for k, v := range m.Shared {
		x := counter.Shared{Of: counter.Sent.Numbered(k), At: m.Symbols[v.Name].Pos, First: v.Init,
			Added: map[int]int64{}}
		for i, s := range t.states {
			for _, a := range s.adds {
				if a.Of == x.Of {
					x.Added[i] = a.By
				}
			}
		}
		t.form.Shared = append(t.form.Shared, x)
	}
	return nil
}

// name names the locations.
func (t *translator) name() {
	m := t.Model
	varies := make([]bool, len(m.Locals))
	most, main := 0, -1
	for k := range m.Locals {
		values := map[int64]bool{}
		for _, s := range t.states {
			values[s.locals[k]] = true
		}
		varies[k] = len(values) > 1 && !t.counting[k]
		if varies[k] && (len(values) > most || m.Locals[k].Name == "pc") {
			most, main = len(values), k
		}
	}
	used := names.Taken{runs: true, stops: true}
	for _, name := range m.Params {
		used[name] = true
	}
	for _, v := range m.Shared {
		used[v.Name] = true
	}
	for k := range t.form.Differences {
		t.named = append(t.named, used.Fresh(t.form.DifferenceName(k), "_"))
	}
	for class := range t.first {
		s := &t.states[t.first[class]]
		name := "L"
		if main >= 0 {
			name = t.valueName(main, s.locals[main])
		}
		for k := range m.Locals {
			if varies[k] && k != main && s.locals[k] != 0 {
				name += fmt.Sprintf("_%s%d", m.Locals[k].Name, s.locals[k])
			}
		}
		for i := range t.counters {
			if cell := t.cellName(i, s.cells[i]); cell != "" && t.tells(class, i) {
				name += "_" + cell
			}
		}
		t.form.Locations[class].Name = used.Fresh(syntax.Identifier(name), "_")
	}
}

// tells reports whether some other class has the same control state and another cell of the counter.
func (t *translator) tells(class, counter int) bool {
	s := &t.states[t.first[class]]
	for i := range t.states {
		if t.class[i] != class && t.controlKey(t.states[i].locals) == t.controlKey(s.locals) &&
			t.states[i].cells[counter] != s.cells[counter] {
			return true
		}
	}
	return false
}

// valueName is the name that #define gives to a value of the variable that says where in the program a process is.
func (t *translator) valueName(k int, value int64) string {
	for _, c := range t.Model.Constants {
		if c.Value == value {
			return c.Name
		}
	}
	return fmt.Sprintf("%s%d", t.Model.Locals[k].Name, value)
}

// cellName names the highest bounds that a cell has reached; "" if none.
func (t *translator) cellName(i, cell int) string {
	c := &t.counters[i]
	var list []string
	for k, reached := range c.cells[cell] {
		if !reached {
			continue
		}
		highest := true
		for j, also := range c.cells[cell] {
			// Bounds are put in order by the cells that have them alone.
			if also && j != k && !slices.ContainsFunc(c.cells, func(cell []bool) bool { return cell[j] && !cell[k] }) {
				highest = false
			}
		}
		if highest {
			list = append(list, t.text(c.bounds[k]))
		}
	}
	if len(list) == 0 {
		return ""
	}
	text := plain(strings.Join(list, "_"))
	return plain(t.text(c.value)) + "_ge_" + text
}

// plain makes a sum a part of a name.
func plain(text string) string {
	return strings.NewReplacer(" ", "", "+", "", "-", "m", "*", "").Replace(text)
}

// Rule says which steps of processes a rule of the automaton is, from 1, in the words of the text.
func (t *Translation) Rule(n int) string {
	if n < 1 || n > len(t.ways) {
		return fmt.Sprintf("rule %d of the automaton", n)
	}
	m := &t.form.Moves[n-1]
	lines := promela.Lines(t.ways[n-1].taken)
	out := "the step of a process that is " + t.at(m.From)
	if m.To != m.From {
		out += " and becomes " + t.at(m.To)
	}
	switch len(lines) {
	case 0:
		return out
	case 1:
		return out + " (line " + lines[0] + ")"
	}
	return out + " (lines " + strings.Join(lines, " ") + ")"
}
