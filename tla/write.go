package tla

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tacheck/internal/diag"
)

// line adds a line of the automaton's text, and where it comes from.
func (w *writer) line(pos diag.Pos, format string, args ...any) {
	w.t.Text += fmt.Sprintf(format, args...) + "\n"
	w.t.places = append(w.t.places, pos)
}

// lin writes an expression with the automaton's names.
func (w *writer) lin(l lin) string { return w.renamed(l).String() }

func (w *writer) renamed(l lin) lin {
	out := lin{konst: l.konst}
	for s, k := range l.terms {
		name := s
		for _, p := range w.parts {
			if p.symbol == s {
				name = p.name
			}
		}
		out = out.plus(1, symbol(name).times(k))
	}
	return out
}

func (w *writer) cond(c cond) cond {
	out := cond{op: c.op, lin: w.renamed(c.lin0())}
	for _, a := range c.args {
		out.args = append(out.args, w.cond(a))
	}
	return out
}

// lin0 is the expression of a comparison; of other conditions, 0.
func (c cond) lin0() lin {
	if c.lin.konst == nil {
		return constant(zero)
	}
	return c.lin
}

func (w *writer) write() {
	m := w.t.Module
	at := w.start()
	w.line(at, "// Made from the TLA+ module %s.", m.Name)
	w.line(at, "ta %s {", identifier(m.Name))
	var shared, locations []string
	for _, p := range w.parts {
		if p.variable == w.counts {
			locations = append(locations, p.name)
		} else {
			shared = append(shared, p.name)
		}
	}
	if len(shared) > 0 {
		w.line(m.Variables[0].pos, "  shared %s;", strings.Join(shared, ", "))
	}
	if len(w.constants) > 0 {
		w.line(m.Constants[0].pos, "  parameters %s;", strings.Join(w.constants, ", "))
	}
	w.line(at, "  assumptions {")
	for _, e := range m.Assumes {
		for _, c := range conjuncts(w.ev.cond(e, nil)) {
			w.line(e.Pos, "    %s;", w.cond(c))
		}
	}
	w.line(at, "  }")
	w.line(at, "  locations { %s; }", strings.Join(locations, "; "))
	w.writeInits()
	w.line(at, "  rules {")
	for i, mv := range w.moves {
		w.rule(i, mv)
	}
	w.line(at, "  }")
	w.writeSpecs()
	w.line(at, "}")
}

func conjuncts(c cond) []cond {
	if c.op == "&&" {
		return c.args
	}
	return []cond{c}
}

func (w *writer) writeInits() {
	d := w.ev.defs["Init"]
	w.line(d.Pos, "  inits {")
	var ways []cond
	for _, b := range w.inits {
		list := slices.Clone(b.guards)
		for _, v := range w.t.Module.Variables {
			was, got := leaves(w.ev.vars[v.text]), leaves(b.next[v.text])
			for i := range was {
				list = append(list, compare(was[i].plus(-1, got[i]), "=="))
			}
		}
		ways = append(ways, and(list...))
	}
	for _, c := range conjuncts(or(ways...)) {
		w.line(d.Pos, "    %s;", w.cond(c))
	}
	w.line(d.Pos, "  }")
}

func (w *writer) rule(i int, m move) {
	name := func(s string) string { return w.lin(symbol(s)) }
	label := identifier(m.name)
	if m.name == "" {
		label = "Next"
	}
	w.line(m.at.Pos, "    %s_%d: %s -> %s", label, i+1, name(m.from), name(m.to))
	guard := and(m.guards...)
	w.line(m.at.Pos, "      when (%s)", w.cond(guard))
	var updates []string
	for _, s := range slices.Sorted(maps.Keys(m.updates)) {
		updates = append(updates, fmt.Sprintf(" %s' == %s;", name(s), w.lin(m.updates[s])))
	}
	w.line(m.at.Pos, "      do {%s };", strings.Join(updates, ""))
}

// writeSpecs writes the definitions that say something about states and that neither Init nor Next need: they are invariants.
func (w *writer) writeSpecs() {
	used := map[string]bool{}
	var visit func(e *Expr)
	visit = func(e *Expr) {
		if e.Op == "name" && !used[e.Name] {
			if d := w.ev.defs[e.Name]; d != nil {
				used[e.Name] = true
				visit(d.Body)
			}
		}
		for _, a := range e.Args {
			visit(a)
		}
		for _, d := range e.Defs {
			visit(d.Body)
		}
		for _, b := range e.Bound {
			visit(b.Set)
		}
		for _, keys := range e.Keys {
			for _, k := range keys {
				visit(k)
			}
		}
	}
	for _, name := range []string{"Init", "Next"} {
		used[name] = true
		visit(w.ev.defs[name].Body)
	}
	w.line(w.start(), "  specifications {")
	for _, d := range w.t.Module.Defs {
		if used[d.Name] || len(d.Params) > 0 {
			continue
		}
		if c, is := w.invariant(d); is {
			w.line(d.Pos, "    %s: [](%s);", identifier(d.Name), w.cond(c))
		}
	}
	w.line(w.start(), "  }")
}

// invariant returns what a definition says about states; is is false if it says nothing about them. What is outside of what is
// read is noted.
func (w *writer) invariant(d *Definition) (c cond, is bool) {
	body := d.Body
	for body.Op == "()" || body.Op == "[]" && body.Args[0].Op != "square" {
		body = body.Args[0]
	}
	if acts(body) {
		return c, false
	}
	v, err := w.try(body)
	var list diag.List
	if errors.As(err, &list) {
		w.t.Notes.Warn(list[0].Pos, list[0].Width, "%s is not asked about: %s", d.Name, list[0].Msg)
		return c, false
	}
	c, is = v.(cond)
	reads := false
	c.visit(func(lin) { reads = true })
	return c, is && reads
}

// acts reports whether a definition is about steps, and not about states: Spec, and parts of it.
func acts(e *Expr) bool {
	return e.Op == "square" || e.Op == "prime" || e.Op == "UNCHANGED" || slices.ContainsFunc(e.Args, acts)
}

// try evaluates an expression that may be outside of what is read.
func (w *writer) try(e *Expr) (v value, err error) {
	defer caught(&err)
	w.ev.depth = 0
	return w.ev.eval(e, nil), nil
}
