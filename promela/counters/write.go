package counters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
	"github.com/tacheck/tacheck/ta/syntax"
)

// build makes the automaton.
func (t *translator) build() error {
	t.name()
	m := t.Model
	b := &syntax.Builder{Name: identifier(m.Name), At: loop(m),
		Remarks: []string{fmt.Sprintf("Translated from %s: %d locations and %d rules, merged to %d and %d.", m.File,
			t.Before[0], t.Before[1], t.After[0], t.After[1])}}
	t.automaton = b
	for i := range t.counters {
		c := &t.counters[i]
		list := lists.Map(c.bounds, t.text)
		b.Remarks = append(b.Remarks, fmt.Sprintf("%s is known by whether it is at least: %s", t.text(c.value),
			strings.Join(list, ", ")))
	}
	for _, p := range m.Params {
		b.Parameters = append(b.Parameters, syntax.Origin{At: m.Symbols[p].Pos, Width: len(p)}.Ident(p))
	}
	for _, e := range m.Assume {
		c, err := truth(e, t.parameters())
		if err != nil {
			return err
		}
		b.Assumptions = append(b.Assumptions, t.condition(loop(m), c))
	}
	if t.Stops {
		t.form.Groups = append(t.form.Groups, counter.Group{Locations: []int{len(t.first)}, Count: number(1)})
		t.form.Locations = append(t.form.Locations, counter.Location{Name: runs, At: loop(m), Start: true},
			counter.Location{Name: stops, At: loop(m)})
	}
	t.form.Build(b)
	if t.Stops {
		b.Move(loop(m), runs, stops).Remark = "nobody can move any more"
		b.Move(loop(m), stops, stops)
	}
	return t.specifications()
}

// loop is the place of the process, for what nothing else of the text is the reason of.
func loop(m *promela.Model) syntax.Origin {
	return syntax.Origin{At: pml.Place(m.Loop[0].Pos), Width: 2}
}

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

// added is what a step adds to shared variables.
func added(list []int64) (out []counter.Add) {
	for k, n := range list {
		if n > 0 {
			out = append(out, counter.Add{Of: counter.Sent.Numbered(k), By: n})
		}
	}
	return out
}

// placed is the place of a step.
func placed(m *promela.Model, taken []diag.Pos) syntax.Origin {
	if len(taken) == 0 {
		return loop(m)
	}
	return syntax.Origin{At: taken[len(taken)-1], Width: 2}
}

// origin is the place of a formula.
func origin(f *promela.Named) syntax.Origin { return syntax.Origin{At: f.Pos, Width: len(f.Name)} }

// of is what a variable is in the automaton.
func (t *translator) of(o syntax.Origin, v counter.Quantity) *syntax.Expr {
	if v.Kind == counter.Quotient {
		f := t.known.Floors[v.Index]
		return o.Op(syntax.Div, t.form.Expr(o, f.Of), o.Int(f.By))
	}
	return o.Name(t.called(v))
}

// text prints a sum: what is added first.
func (t *translator) text(l amount) string {
	return l.Text(func(v counter.Quantity) string {
		if v.Kind == counter.Quotient {
			f := t.known.Floors[v.Index]
			return fmt.Sprintf("((%s) / %d)", t.text(f.Of), f.By)
		}
		return t.called(v)
	})
}

// called is the name of a variable.
func (t *translator) called(v counter.Quantity) string {
	switch v.Kind {
	case counter.At:
		return t.at(v.Index)
	case counter.Parameter:
		return t.Model.Params[v.Index]
	case counter.Received:
		return t.Model.Locals[v.Index].Name
	}
	if v.Kind == counter.Difference {
		return t.named[v.Index]
	}
	return t.Model.Shared[v.Index].Name
}

func (t *translator) condition(o syntax.Origin, c *condition) *syntax.Expr {
	return boolean.Fold(c, func(q inequality) *syntax.Expr { return t.form.AtLeast0(o, q.lin) },
		func(op boolean.Op, list []*syntax.Expr) *syntax.Expr {
			if op == boolean.OpAnd {
				return counter.And(o, list)
			}
			return o.Or(list...)
		})
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
		t.form.Locations[class].Name = used.Fresh(identifier(name), "_")
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

// identifier makes a name that automata accept.
func identifier(name string) string {
	out := strings.Map(func(r rune) rune {
		if r < 128 && (scan.IsLetter(byte(r)) || scan.IsDigit(byte(r))) {
			return r
		}
		return '_'
	}, name)
	if out == "" || scan.IsDigit(out[0]) {
		out = "_" + out
	}
	if !syntax.IsName(out) {
		out += "_"
	}
	return out
}

// at is the name of a location.
func (t *Translation) at(l int) string { return t.form.Locations[l].Name }

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
