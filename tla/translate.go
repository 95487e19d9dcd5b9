// Package tla reads TLA+ modules of counter systems, and writes them as threshold automata: a variable counts how many
// processes are in each place, others count messages, and every action moves one process.
//
// The parts that choose among values that are the same in all instances (sets of names, EXCEPT, IF, LET, \E over
// such sets, definitions with arguments) are evaluated; what is left are linear comparisons and updates (docs/tla.md).
package tla

import (
	"slices"

	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Translation is a module as an automaton.
type Translation struct {
	Module *Module
	Tree   *syntax.File // the automaton
	Notes  diag.List    // warnings: what was left out, and why
}

// Translate reads a module. Its error is a diag.List: the first thing that does not fit.
func Translate(file, source string) (t *Translation, err error) {
	m, err := parse(file, source)
	if err != nil {
		return nil, err
	}
	defer diag.Caught(func(list diag.List) { err = list })
	ev := &evaluator{m: m, defs: map[string]*Definition{}, vars: map[string]value{}}
	w := &writer{t: &Translation{Module: m, Notes: m.Unread}, ev: ev, file: file, short: map[string]string{}}
	w.declared()
	w.begin()
	w.rules()
	w.build()
	return w.t, nil
}

// writer puts the automaton together.
type writer struct {
	t         *Translation
	b         *syntax.Builder
	ev        *evaluator
	file      string
	constants []string
	inits     []branch
	parts     []part            // the numbers that a state consists of
	short     map[string]string // their names without that of the variable
	counts    map[string]bool   // variables that count processes
	init      *Definition
	next      *Definition
	spec      *specification
	moves     []move
}

// part is a number of the state.
type part struct {
	symbol   string // in expressions
	name     string // in the automaton
	variable string
}

// move is an action that moves a process.
type move struct {
	branch
	from, to string         // parts
	updates  map[string]lin // of other parts that change
}

func (w *writer) fail(pos diag.Pos, format string, args ...any) {
	panic(diag.Wrong(pos, 1, format, args...))
}

func (w *writer) start() diag.Pos { return diag.Pos{File: w.file, Line: 1, Col: 1} }

// declared looks at names.
func (w *writer) declared() {
	seen := map[string]diag.Pos{}
	name := func(n string, pos diag.Pos) {
		if _, twice := seen[n]; twice {
			w.fail(pos, "%s is declared again", n)
		}
		seen[n] = pos
	}
	for _, c := range w.t.Module.Constants {
		name(c.text, c.pos)
		w.constants = append(w.constants, c.text)
		w.ev.vars[c.text] = symbol(c.text)
	}
	for _, v := range w.t.Module.Variables {
		name(v.text, v.pos)
	}
	for _, d := range w.t.Module.Defs {
		name(d.Name, d.Pos)
		w.ev.defs[d.Name] = d
	}
}

// definition returns Init or Next: parts of the specification, or what has that name.
func (w *writer) definition(name string) *Definition {
	if s := w.specification(); s != nil {
		body := s.next
		if name == "Init" {
			body = s.init
		}
		if d := w.named(body); d != nil {
			return d
		}
		return &Definition{Name: name, Body: body, Pos: s.d.Pos}
	}
	if d := w.ev.defs[name]; d != nil && len(d.Params) == 0 {
		return d
	}
	w.fail(w.start(), "the module has no definition %s, and none like Spec == Init /\\ [][Next]_vars", name)
	return nil
}

// begin reads Init, and makes the parts of the state.
func (w *writer) begin() {
	d := w.definition("Init")
	w.init = d
	x := &actions{evaluator: w.ev, initial: true}
	w.inits = x.run(d.Body, nil, branch{next: map[string]value{}, at: d.Body})
	if len(w.inits) == 0 {
		w.fail(d.Pos, "nothing satisfies Init")
	}
	x.begun(branch{})
	for _, v := range w.t.Module.Variables {
		for i, b := range w.inits {
			got, ok := b.next[v.text]
			if !ok {
				w.fail(d.Pos, "Init gives %s no value", v.text)
			}
			shaped := w.shape(v, v.text, "", got)
			if i > 0 && show(w.ev.vars[v.text]) != show(shaped) {
				w.fail(d.Pos, "Init gives %s values of several shapes", v.text)
			}
			w.ev.vars[v.text] = shaped
		}
		w.add(v.text, w.ev.vars[v.text])
	}
}

// shape returns a value like v made of symbols; short is what their names are without that of the variable.
func (w *writer) shape(at token, name, short string, v value) value {
	switch v := v.(type) {
	case lin:
		if v.IsConst() && v.Const().Sign() < 0 {
			w.fail(at.pos, "%s begins with a negative number", at.text)
		}
		w.short[name] = short
		return symbol(name)
	case *fun:
		f := newFun()
		for _, k := range v.keys {
			next := plain(k)
			if short != "" {
				next = short + "_" + next
			}
			f.put(k, w.shape(at, name+"_"+plain(k), next, v.values[show(k)]))
		}
		return f
	}
	w.fail(at.pos, "%s is not made of numbers: a state has to be numbers, and functions to numbers", at.text)
	return nil
}

func (w *writer) add(variable string, v value) {
	for _, leaf := range leaves(v) {
		for _, v := range leaf.Vars() {
			s := string(v)
			if slices.ContainsFunc(w.parts, func(p part) bool { return p.symbol == s }) ||
				slices.Contains(w.constants, s) {
				w.fail(w.start(), "two parts of the state would be called %s", s)
			}
			w.parts = append(w.parts, part{symbol: s, variable: variable})
		}
	}
}

// leaves lists the numbers of a value.
func leaves(v value) (list []lin) {
	both(v, v, func(l, _ lin) { list = append(list, l) })
	return list
}

// both calls f for each number of a value, with the one at the same place of another value of that shape, whose keys
// may be in another order.
func both(v, other value, f func(l, other lin)) {
	switch v := v.(type) {
	case lin:
		f(v, other.(lin))
	case *fun:
		for _, k := range v.keys {
			both(v.values[show(k)], other.(*fun).values[show(k)], f)
		}
	}
}

// rules reads Next.
func (w *writer) rules() {
	d := w.definition("Next")
	w.next = d
	x := &actions{evaluator: w.ev}
	list := x.run(d.Body, nil, branch{next: map[string]value{}, at: d.Body})
	for _, b := range list {
		for _, v := range w.t.Module.Variables {
			next, ok := b.next[v.text]
			if !ok {
				w.fail(b.at.Pos, "%s does not say what happens to %s", b.called(), v.text)
			}
			if show(w.shape(v, v.text, "", next)) != show(w.ev.vars[v.text]) {
				w.fail(b.at.Pos, "%s gives %s a value of another shape", b.called(), v.text)
			}
		}
	}
	w.counter(d, list)
	for _, b := range list {
		w.move(b)
	}
}

// changes returns the next values of parts that change, of some variables or, for nil, all of them.
func (w *writer) changes(b branch, of map[string]bool) map[string]lin {
	out := map[string]lin{}
	for _, v := range w.t.Module.Variables {
		if of != nil && !of[v.text] {
			continue
		}
		both(w.ev.vars[v.text], b.next[v.text], func(was, next lin) {
			if !was.Equal(next) {
				for _, s := range was.Vars() {
					out[string(s)] = next
				}
			}
		})
	}
	return out
}

// movesOne reports whether changes take one process from a part and put it into another one.
func movesOne(changes map[string]lin) (from, to string, ok bool) {
	for s, next := range changes {
		d := next.Sub(symbol(s))
		switch {
		case !d.IsConst() || !d.Const().Abs().Is(1):
			return "", "", false
		case d.Const().Sign() < 0 && from == "":
			from = s
		case d.Const().Sign() > 0 && to == "":
			to = s
		default:
			return "", "", false
		}
	}
	return from, to, from != "" && to != ""
}

// counter finds the variables that count processes, and names places.
func (w *writer) counter(d *Definition, list []branch) {
	if w.counts = w.function(d, list); w.counts == nil {
		w.counts = w.numbers(list)
	}
	if w.counts == nil {
		w.fail(d.Pos,
			"no variable counts the processes in each place: one from which every action takes one process and puts "+
				"it elsewhere")
	}
	taken := map[string]bool{}
	for _, c := range w.constants {
		taken[c] = true
	}
	for i := range w.parts {
		p := &w.parts[i]
		p.name = p.symbol
		if short := w.short[p.symbol]; w.counts[p.variable] && !taken[short] && named(short) {
			p.name = short
		}
		if taken[p.name] {
			p.name = p.symbol
		}
		taken[p.name] = true
	}
}

// named reports whether a text can be the name of a location.
func named(text string) bool {
	return text != "" && (text[0] < '0' || text[0] > '9') && text != "true" && text != "false" && text != "unchanged"
}

// move reads a way to act.
func (w *writer) move(b branch) {
	all := w.changes(b, nil)
	if len(all) == 0 {
		return // it stutters
	}
	m := move{branch: b, updates: map[string]lin{}}
	counted := w.changes(b, w.counts)
	var ok bool
	if m.from, m.to, ok = movesOne(counted); !ok {
		m.from = w.stays(b)
		m.to = m.from
	}
	somebody := false
	var guards []cond
	for _, g := range b.guards {
		for _, c := range g.Conjuncts() {
			isAtom := c.Op == boolean.OpAtom
			if isAtom && c.Atom.op == ">=" && c.Atom.lin.Sub(symbol(m.from)).IsConst() {
				if k := c.Atom.lin.Const(); k.Is(-1) {
					somebody = true
					continue
				} else if k.Sign() >= 0 {
					continue // always true
				}
			}
			if isAtom && c.Atom.op == "!=" && c.Atom.lin.Equal(symbol(m.from)) {
				somebody = true
				continue
			}
			if m.from == m.to && w.asks(c) == m.from {
				somebody = true
				continue
			}
			for _, a := range c.Atoms(nil) {
				w.free(b, a.lin)
			}
			guards = append(guards, c)
		}
	}
	if !somebody {
		w.fail(b.at.Pos, "%s takes a process out of %s without asking that a process is there", b.called(), m.from)
	}
	m.guards = guards
	for s, next := range all {
		if _, counts := counted[s]; counts {
			continue
		}
		d := next.Sub(symbol(s))
		if d.IsConst() && d.Const().Sign() < 0 || next.IsConst() && next.Const().Sign() < 0 {
			w.fail(b.at.Pos, "%s decreases %s, which may become negative: numbers of automata are not", b.called(), s)
		}
		if !d.IsConst() && !next.IsConst() {
			w.fail(b.at.Pos, "%s makes %s something other than itself plus a number, or a number", b.called(), s)
		}
		m.updates[s] = next
	}
	w.moves = append(w.moves, m)
}

// free refuses guards that read how many processes are somewhere.
func (w *writer) free(b branch, l lin) {
	for _, p := range w.parts {
		if !l.Coef(linear.Name(p.symbol)).Is(0) && w.counts[p.variable] {
			w.fail(b.at.Pos,
				"%s reads how many processes are in %s: guards of automata read other variables, and constants",
				b.called(), p.name)
		}
	}
}
