package promela

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/ta/syntax"
)

// write prints the automaton.
func (t *translator) write() error {
	t.name()
	m := t.Model
	var b strings.Builder
	fmt.Fprintf(&b, "// Translated from %s: %d locations and %d rules, merged to %d and %d.\n", m.File, t.Before[0], t.Before[1], t.After[0], t.After[1])
	for i := range t.counters {
		c := &t.counters[i]
		var list []string
		for _, l := range c.bounds {
			list = append(list, t.text(l))
		}
		fmt.Fprintf(&b, "// %s is known by whether it is at least: %s\n", t.text(c.value), strings.Join(list, ", "))
	}
	fmt.Fprintf(&b, "ta %s {\n", identifier(m.Name))
	names := variableNames(m.Shared)
	for _, d := range t.differences {
		names = append(names, d.name)
	}
	if len(names) > 0 {
		fmt.Fprintf(&b, "  shared %s;\n", strings.Join(names, ", "))
	}
	if len(m.Params) > 0 {
		fmt.Fprintf(&b, "  parameters %s;\n", strings.Join(m.Params, ", "))
	}
	b.WriteString("\n  assumptions {\n")
	for _, e := range m.Assume {
		c, err := truth(e, paramsOnly{m})
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "    %s;\n", t.condition(c))
	}
	b.WriteString("  }\n\n  locations {\n")
	for _, name := range t.Names {
		fmt.Fprintf(&b, "    %s;\n", name)
	}
	if t.Stops {
		fmt.Fprintf(&b, "    %s;\n    %s;\n", runs, stops)
	}
	b.WriteString("  }\n\n  inits {\n")
	count, err := sum(m.Count, paramsOnly{m})
	if err != nil {
		return err
	}
	var start []string
	for i, name := range t.Names {
		if t.states[t.first[i]].start {
			start = append(start, name)
		}
	}
	everybody := fmt.Sprintf("%s == %s", strings.Join(start, " + "), t.text(count))
	if some, err := t.o.implied(count); err != nil {
		return err
	} else if !some {
		everybody = fmt.Sprintf("%s || (%s < 0 && %s == 0)", everybody, t.text(count), strings.Join(start, " + "))
	}
	fmt.Fprintf(&b, "    %s;\n", everybody)
	for i, name := range t.Names {
		s := &t.states[t.first[i]]
		switch {
		case !s.start:
			fmt.Fprintf(&b, "    %s == 0;\n", name)
		case len(s.when) > 0: // with other parameters, nobody starts there
			var when []string
			for _, l := range s.when {
				when = append(when, t.compare(l))
			}
			fmt.Fprintf(&b, "    (%s) || %s == 0;\n", strings.Join(when, " && "), name)
		}
	}
	for k, v := range m.Shared {
		first := number(v.Init)
		text := t.text(first)
		for i, name := range t.Names {
			if s := &t.states[t.first[i]]; s.start && s.added != nil && s.added[k] != 0 {
				text += fmt.Sprintf(" + %d * %s", s.added[k], name)
			}
		}
		fmt.Fprintf(&b, "    %s == %s;\n", v.Name, text)
	}
	for _, d := range t.differences {
		first := t.changes(d.part, nil)
		text := fmt.Sprint(first)
		for i, name := range t.Names {
			if s := &t.states[t.first[i]]; s.start && s.added != nil && t.changes(d.part, s.added) != first {
				text += fmt.Sprintf(" + %d * %s", t.changes(d.part, s.added)-first, name)
			}
		}
		fmt.Fprintf(&b, "    %s == %s;\n", d.name, text)
	}
	if t.Stops {
		fmt.Fprintf(&b, "    %s == 1;\n    %s == 0;\n", runs, stops)
	}
	b.WriteString("  }\n\n  rules {\n")
	for i, r := range t.moves {
		t.rule(&b, i, r)
	}
	if t.Stops {
		n := len(t.moves)
		fmt.Fprintf(&b, "    %d: %s -> %s // nobody can move any more\n      when (true)\n      do { };\n", n+1, runs, stops)
		fmt.Fprintf(&b, "    %d: %s -> %s\n      when (true)\n      do { };\n", n+2, stops, stops)
	}
	b.WriteString("  }\n\n  specifications {\n")
	t.head = b.String()
	lines, err := t.specifications()
	if err != nil {
		return err
	}
	t.Text = t.head + strings.Join(lines, "") + "  }\n}\n"
	return nil
}

// Outline is an automaton with the model's parameters, and the names and places
// of its formulas, which say nothing.
func (m *Model) Outline() string {
	text := fmt.Sprintf("ta %s {\n", identifier(m.Name))
	if len(m.Params) > 0 {
		text += fmt.Sprintf("  parameters %s;\n", strings.Join(m.Params, ", "))
	}
	text += "  locations { L_; }\n  inits { L_ == 0; }\n  rules { }\n  specifications {\n"
	for _, f := range m.Formulas {
		text += fmt.Sprintf("    %s: true;\n", identifier(f.Name))
	}
	return text + "  }\n}\n"
}

func variableNames(list []Variable) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.Name)
	}
	return out
}

func (t *translator) rule(b *strings.Builder, i int, r move) {
	var guard, updates, lines []string
	for _, l := range r.guard {
		guard = append(guard, t.compare(l))
	}
	if len(guard) == 0 {
		guard = []string{"true"}
	}
	for k, n := range r.adds {
		if n > 0 {
			name := t.Model.Shared[k].Name
			updates = append(updates, fmt.Sprintf(" %s' == %s + %d;", name, name, n))
		}
	}
	for _, d := range t.differences {
		if n := t.changes(d.part, r.adds) - t.changes(d.part, nil); n > 0 {
			updates = append(updates, fmt.Sprintf(" %s' == %s + %d;", d.name, d.name, n))
		}
	}
	for _, p := range r.taken {
		if line := fmt.Sprint(p.Line); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	fmt.Fprintf(b, "    %d: %s -> %s // lines %s\n      when (%s)\n      do {%s };\n", i+1, t.Names[r.from], t.Names[r.to],
		strings.Join(lines, ", "), strings.Join(guard, " && "), strings.Join(updates, ""))
}

// compare prints l >= 0: shared variables to the left.
func (t *translator) compare(l amount) string {
	left := termsOf(l, ofShared)
	if len(left.Terms()) == 0 {
		return t.text(l) + " >= 0"
	}
	right := left.Sub(l)
	if left.Rises() {
		return t.text(left) + " >= " + t.text(right)
	}
	if left.Neg().Rises() {
		return t.text(left.Neg()) + " <= " + t.text(right.Neg())
	}
	return t.text(l) + " >= 0"
}

// text prints a sum: what is added first.
func (t *translator) text(l amount) string {
	name := func(v variable) string {
		if v.kind == ofParam && v.index >= len(t.Model.Params) {
			q := t.Model.quotients[v.index-len(t.Model.Params)]
			return fmt.Sprintf("((%s) / %d)", t.text(q.of), q.by)
		}
		switch v.kind {
		case ofParam:
			return t.Model.Params[v.index]
		case ofOld:
			return t.Model.Locals[v.index].Name
		}
		if k := v.index - len(t.Model.Shared); k >= 0 {
			return t.differences[k].name
		}
		return t.Model.Shared[v.index].Name
	}
	return l.Text(name)
}

func (t *translator) condition(c *condition) string { return c.Text(t.inequality) }

func (t *translator) inequality(q inequality) string { return t.compare(q.lin) }

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
	used := map[string]bool{runs: true, stops: true}
	for _, p := range m.Params {
		used[p] = true
	}
	for _, v := range m.Shared {
		used[v.Name] = true
	}
	for _, d := range t.differences {
		used[d.name] = true
	}
	for class := range t.classes {
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
		name = identifier(name)
		for n, base := 2, name; used[name]; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		used[name] = true
		t.Names = append(t.Names, name)
	}
}

// tells reports whether some other class has the same control state and another
// cell of the counter.
func (t *translator) tells(class, counter int) bool {
	s := &t.states[t.first[class]]
	for i := range t.states {
		if t.class[i] != class && t.controlKey(t.states[i].locals) == t.controlKey(s.locals) && t.states[i].cells[counter] != s.cells[counter] {
			return true
		}
	}
	return false
}

// valueName is the name that #define gives to a value of the variable that says
// where in the program a process is.
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
			if also && j != k && t.above(c, j, k) {
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

// above reports that bound j is reached only where bound k is.
func (t *translator) above(c *counter, j, k int) bool {
	for _, cell := range c.cells {
		if cell[j] && !cell[k] {
			return false
		}
	}
	return true
}

// identifier makes a name that automata accept.
func identifier(name string) string {
	out := strings.Map(func(r rune) rune {
		if r == '_' || r < 128 && (letter(byte(r)) || digit(byte(r))) {
			return r
		}
		return '_'
	}, name)
	if out == "" || digit(out[0]) {
		out = "_" + out
	}
	if !syntax.IsName(out) {
		out += "_"
	}
	return out
}
