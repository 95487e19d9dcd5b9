// Package promela reads parametric Promela: one kind of processes with receive counters, parameters, and temporal
// formulas (docs/promela.md). It translates them to threshold automata, and runs them for fixed parameters; the two
// share nothing but the syntax tree.
//
// The way of a text: preprocess.go, syntax.go and expr.go read it, model.go resolves names; translate.go and what it
// calls make an automaton; interpreter.go runs processes, explore.go all of them, concrete.go makes a run of processes
// of a run of the automaton.
package promela

import (
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/spell"
)

// Constant is a name that #define gives to a number.
type Constant struct {
	Name  string
	Value int64
	Pos   diag.Pos
}

// Model is a text whose names are resolved.
type Model struct {
	Name      string
	File      string
	Params    []string
	Shared    []Variable
	Assume    []*Expr // about parameters
	Count     *Expr   // of processes
	Process   string  // its name
	Locals    []Variable
	Init      []*Statement // before the loop
	Loop      []*Option    // the steps
	Formulas  []Named      // without fairness
	Fairness  []Named      // that others assume
	Constants []Constant
	Asserts   []Assertion
	// NoFairness has formulas assume nothing.
	NoFairness bool
	Warnings   diag.List
	// Concrete is what only instances can be asked about: Translate refuses it.
	Concrete diag.List

	quotients []quotient // of parameters, by numbers
	proc      *Proctype

	atomics map[string]*Expr
	social  bool // steps speak of other processes
	symbols map[string]symbol

	where  int            // the variable that says where a process is; -1 if there is none
	spots  []string       // what the locations are called, if there are several
	labels map[string]int // which locations have them
}

// nowhere is the location of labels that no process is at between steps.
const nowhere = -1

// Variable is a variable with its first value.
type Variable struct {
	Name string
	Type string
	Init int64
	Pos  diag.Pos
}

// Named is a formula with its name.
type Named struct {
	Name    string
	Formula *Expr
	Pos     diag.Pos
}

// Assertion is a line with assert statements. A variable of the process says whether
// one of them failed in the last step.
type Assertion struct {
	Line  int
	Local int // index of the variable
}

type kind uint8

const (
	param kind = iota
	shared
	local
	atomic
	array
)

var kindNames = map[kind]string{param: "parameter", shared: "shared variable", local: "variable of the process",
	atomic: "proposition", array: "array"}

type symbol struct {
	kind  kind
	index int
	pos   diag.Pos
}

// Parse reads and checks a model; name is used in messages, and defines are as -D NAME=VALUE. Its error is a diag.List.
func Parse(name, text string, defines map[string]string) (*Model, error) {
	pre, err := preprocess(name, text, defines)
	if err != nil {
		return nil, err
	}
	file, err := parse(pre)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(name)
	r := &reader{m: &Model{Name: strings.TrimSuffix(base, filepath.Ext(base)), File: name, Constants: pre.constants(),
		atomics: map[string]*Expr{}, symbols: map[string]symbol{}, where: -1}}
	r.read(file)
	r.m.proc = r.proc
	for d := range defines {
		if !pre.used[d] && !pre.mentioned(d) {
			r.m.Warnings.Warn(diag.Pos{File: name}, 1, "-D %s: the text does not ask for %s", d, d)
		}
	}
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.m, nil
}

// mentioned reports whether some token came from a definition on the command line.
func (p *preprocessor) mentioned(name string) bool { return p.replaced[name] }

// reader turns a syntax tree into a model.
type reader struct {
	m    *Model
	errs diag.List
	proc *Proctype
}

func (r *reader) declare(id *Ident, k kind, index int) bool {
	pos := place(id.Pos)
	if old, again := r.m.symbols[id.Name]; again {
		e := r.errs.Add(pos, len(id.Name), "%q is declared again", id.Name)
		e.Notes = append(e.Notes, diag.Note{Pos: old.pos, Msg: "first declared here"})
		return false
	}
	r.m.symbols[id.Name] = symbol{k, index, pos}
	return true
}

func (r *reader) read(file *File) {
	for _, it := range file.Items {
		for _, id := range it.Symbolic {
			if r.declare(id, param, len(r.m.Params)) {
				r.m.Params = append(r.m.Params, id.Name)
			}
		}
		if it.Vars != nil {
			r.vars(it.Vars, shared, &r.m.Shared)
		}
		if it.Proctype != nil {
			if r.proc != nil {
				r.errs.Add(place(it.Proctype.Pos), 6,
					"several proctypes are not supported: write one, with different initial states")
				continue
			}
			r.proc = it.Proctype
		}
		r.leftOut(it)
		if it.Atomic != nil && r.declare(it.Atomic.Name, atomic, 0) {
			r.m.atomics[it.Atomic.Name.Name] = &it.Atomic.Value.Expr
		}
	}
	if r.proc == nil {
		r.errs.Add(diag.Pos{File: r.m.File, Line: 1, Col: 1}, 1, "the model has no `active[N] proctype`")
		return
	}
	for _, it := range file.Items {
		switch {
		case it.Assume != nil:
			r.check(&it.Assume.Expr, scope{param: true}, "an assumption outside the process is about parameters")
			r.m.Assume = append(r.m.Assume, &it.Assume.Expr)
		case it.LTL != nil:
			r.formula(it.LTL)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.m.atomics)) {
		r.check(r.m.atomics[name], scope{param: true, shared: true, inAtomic: true}, "")
	}
	r.process()
}

func (r *reader) vars(v *Vars, k kind, list *[]Variable) {
	for _, d := range v.List {
		if d.Size != nil { // elements are not supported: their use is an error
			r.declare(d.Name, array, 0)
			continue
		}
		if !r.declare(d.Name, k, len(*list)) {
			continue
		}
		x := Variable{Name: d.Name.Name, Type: v.Type, Pos: place(d.Name.Pos)}
		if d.Init != nil {
			n, err := d.Init.constant()
			if err != nil {
				r.errs.Add(d.Init.Pos, d.Init.Width, "%s must start with a number", d.Name.Name)
			}
			if limits, known := ranges[x.Type]; err == nil && known && (n < limits[0] || n > limits[1]) {
				r.errs.Add(d.Init.Pos, d.Init.Width, "%s starts as %d, which a %s cannot be", d.Name.Name, n, x.Type)
			}
			if x.Init = n; n < 0 && k == shared {
				r.m.Concrete.Add(d.Init.Pos, d.Init.Width,
					"for all parameters, shared variables start with natural numbers; explore can be asked")
			}
		}
		*list = append(*list, x)
	}
}

func (r *reader) formula(f *LTL) {
	n := Named{f.Name.Name, &f.Formula.Expr, place(f.Name.Pos)}
	for _, list := range [][]Named{r.m.Formulas, r.m.Fairness} {
		if k := slices.IndexFunc(list, func(o Named) bool { return o.Name == n.Name }); k >= 0 {
			e := r.errs.Add(n.Pos, len(n.Name), "the formula %q is written again", n.Name)
			e.Notes = append(e.Notes, diag.Note{Pos: list[k].Pos, Msg: "first written here"})
			return
		}
	}
	r.check(n.Formula, scope{param: true, shared: true, inAtomic: true, temporal: true}, "")
	if strings.HasPrefix(n.Name, "fairness") {
		r.m.Fairness = append(r.m.Fairness, n)
	} else {
		r.m.Formulas = append(r.m.Formulas, n)
	}
}

// leftOut says what of a text means nothing here: never claims, and an init process that changes nothing.
func (r *reader) leftOut(it *Item) {
	if it.Never != nil {
		r.m.Warnings.Warn(place(it.Never.Pos), 5, "the never claim is left out: write an ltl formula")
	}
	if it.Init == nil {
		return
	}
	for s := range all(it.Init.Body) {
		if s.Set != nil || s.Havoc != nil || s.Refuse != "" {
			r.errs.Add(place(s.Pos), 1,
				"init is left out, and this would change something: write the first value into "+
					"the declaration, or the initial block of the proctype")
		}
	}
	r.m.Warnings.Warn(place(it.Init.Pos), 4, "init is left out: it changes nothing")
}

// process reads the proctype: declarations, an initial block, steps (flow.go).
func (r *reader) process() {
	m, p := r.m, r.proc
	m.Process = p.Name.Name
	if m.Count = p.Count; m.Count == nil {
		m.Count = &Expr{Op: Number, Pos: place(p.Pos), Width: 6, Num: one}
	}
	r.check(m.Count, scope{param: true}, "the number of processes depends on parameters only")
	r.names(p.Body, true)
	begins := (&flow{r: r}).begin(p.Body)
	r.statements(p.Body[:begins], true)
	r.statements(p.Body[begins:], false)
	if r.errs.Err() == nil {
		r.cut(p.Body)
	}
}

// names declares the variables of the process, wherever they stand. Where a declaration stands among statements, or
// gives a value that is no number, it is the assignment of first values.
func (r *reader) names(list []*Statement, first bool) {
	for _, s := range list {
		if s.Vars == nil {
			first = first && s.Sep != ""
			r.names(s.Atomic, false)
			r.names(s.Block, false)
			for _, o := range s.alternatives() {
				r.names(o.Body, false)
				r.names(o.Rest, false)
			}
			continue
		}
		var sets []*Statement
		for _, v := range s.Vars.List {
			if v.Size != nil {
				continue
			}
			value := v.Init
			if value == nil {
				value = numeral(0)
			}
			if _, err := value.constant(); err != nil || !first {
				sets = append(sets, &Statement{Pos: v.Name.Pos, Set: &Assign{Name: v.Name, Value: value}})
				v.Init = nil
			}
		}
		r.vars(s.Vars, local, &r.m.Locals)
		if len(sets) > 0 {
			*s = Statement{Pos: s.Pos, Block: sets}
		}
	}
}

// statements checks a block.
func (r *reader) statements(list []*Statement, initial bool) {
	in := scope{param: true, shared: true, local: true, inAtomic: !initial}
	why := ""
	for _, s := range list {
		if initial {
			for _, e := range s.exprs() {
				if s.Set == nil || r.m.symbols[s.Set.Name.Name].kind == local {
					r.reads(e)
				}
			}
		}
		switch {
		case s.Assert != nil:
			r.check(&s.Assert.Expr, in, why)
			r.m.social = r.m.social || r.m.others(&s.Assert.Expr)
			r.assertion(s)
		case s.Refuse != "":
			r.errs.Add(place(s.Pos), len(s.Refuse), "%s", reasons[s.Refuse])
		case s.If != nil, s.Do != nil:
			for _, o := range s.alternatives() {
				r.statements(o.Body, initial)
				r.statements(o.Rest, initial)
			}
		case s.Atomic != nil:
			r.statements(s.Atomic, initial)
		case s.Block != nil:
			r.statements(s.Block, initial)
		case s.Havoc != nil:
			if _, ok := r.lookup(s.Havoc, local); ok && initial {
				r.errs.Add(place(s.Pos), 5, "havoc is not supported in the initial block: list the values in an if")
			}
		case s.Assume != nil:
			r.check(&s.Assume.Expr, in, why)
			r.m.social = r.m.social || r.m.others(&s.Assume.Expr)
		case s.Cond != nil:
			r.check(s.Cond, in, why)
			r.m.social = r.m.social || r.m.others(s.Cond)
		case s.Set != nil:
			r.m.social = r.m.social || s.Set.Value != nil && r.m.others(s.Set.Value)
			r.assign(s.Set, in, why)
		}
	}
}

// assertion makes a formula of an assert statement.
func (r *reader) assertion(s *Statement) {
	pos := place(s.Pos)
	if slices.ContainsFunc(r.m.Asserts, func(a Assertion) bool { return a.Line == pos.Line }) {
		return
	}
	name := fmt.Sprintf("assert_%d", pos.Line)
	for r.m.symbols[name] != (symbol{}) || slices.ContainsFunc(r.m.Formulas,
		func(f Named) bool { return f.Name == name }) {
		name += "_"
	}
	index := len(r.m.Locals)
	r.m.symbols[name] = symbol{local, index, pos}
	r.m.Locals = append(r.m.Locals, Variable{Name: name, Type: "bit", Pos: pos})
	r.m.Asserts = append(r.m.Asserts, Assertion{pos.Line, index})
	node := func(op Op, args ...*Expr) *Expr { return &Expr{Op: op, Pos: pos, Width: 6, Args: args} }
	flag := node(Name)
	flag.Process, flag.Name = r.m.Process, name
	zero := node(Number)
	zero.Num = new(big.Int)
	r.m.Formulas = append(r.m.Formulas, Named{name, node(Globally, node(All, node("==", flag, zero))), pos})
}

// WithoutAsserts is the text as if it had no assert statements.
func (m *Model) WithoutAsserts() *Model {
	out := *m
	out.Asserts = nil
	out.Formulas = slices.DeleteFunc(slices.Clone(m.Formulas), func(f Named) bool {
		return slices.ContainsFunc(m.Asserts, func(a Assertion) bool { return m.Locals[a.Local].Name == f.Name })
	})
	return &out
}

// reads notes that a statement of the initial block asks for shared variables.
func (r *reader) reads(e *Expr) {
	for e := range e.all() {
		if s, known := r.m.symbols[e.Name]; e.Op == Name && known && s.kind == shared {
			r.m.Concrete.Add(e.Pos, e.Width, "for all parameters, what a process starts with cannot depend on shared "+
				"variables; explore can be asked")
		}
	}
}

func (r *reader) lookup(id *Ident, want kind) (symbol, bool) {
	s, known := r.m.symbols[id.Name]
	switch {
	case !known:
		r.unknown(id.Name, place(id.Pos))
		return s, false
	case s.kind != want:
		r.errs.Add(place(id.Pos), len(id.Name), "expected a %s, got the %s %q", kindNames[want], kindNames[s.kind],
			id.Name)
		return s, false
	}
	return s, true
}

func (r *reader) unknown(name string, pos diag.Pos) {
	var names []string
	for n := range r.m.symbols {
		names = append(names, n)
	}
	for _, c := range r.m.Constants {
		names = append(names, c.Name)
	}
	r.errs.Add(pos, len(name), "unknown name %q%s", name, spell.Hint(name, names))
}

// assign checks an assignment: shared variables grow by numbers.
func (r *reader) assign(a *Assign, in scope, why string) {
	pos := place(a.Name.Pos)
	if a.Value != nil {
		r.check(a.Value, in, why)
	}
	s, known := r.m.symbols[a.Name.Name]
	switch {
	case a.Index != nil || known && s.kind == array:
		r.errs.Add(pos, len(a.Name.Name), noElements)
	case !known:
		r.unknown(a.Name.Name, pos)
	case s.kind == local:
	case s.kind != shared:
		r.errs.Add(pos, len(a.Name.Name), "the %s %q cannot be changed", kindNames[s.kind], a.Name.Name)
	default:
		if n, ok := increment(a); !ok || n < 0 {
			r.m.Concrete.Add(pos, len(a.Name.Name),
				"shared variables may only grow by numbers, as in %s++ or %s = %s + 2", a.Name.Name, a.Name.Name,
				a.Name.Name)
		}
	}
}

// increment returns what an assignment adds to its variable.
func increment(a *Assign) (n int64, ok bool) {
	switch {
	case a.Step == "++":
		return 1, true
	case a.Step == "--":
		return -1, true
	case a.Value.Op == Name && a.Value.Name == a.Name.Name:
		return 0, true
	case a.Value.Op != "+":
		return 0, false
	}
	found := 0
	for _, arg := range a.Value.Args {
		if arg.Op == Name && arg.Name == a.Name.Name {
			found++
			continue
		}
		k, err := arg.constant()
		if err != nil {
			return 0, false
		}
		n += k
	}
	return n, found == 1
}

// scope says what an expression may speak of.
type scope struct {
	param, shared, local bool
	inAtomic             bool // all, some, card; names of propositions
	inProcess            bool // Process:name
	temporal             bool
}

// check checks the names of an expression.
func (r *reader) check(e *Expr, in scope, why string) {
	complain := func(format string, args ...any) {
		msg := fmt.Sprintf(format, args...)
		if why != "" {
			msg = why + ": " + msg
		}
		r.errs.Add(e.Pos, e.Width, "%s", msg)
	}
	switch e.Op {
	case All, Some, Card:
		if !in.inAtomic {
			complain("%s(...) belongs into propositions and formulas", e.Op)
			return
		}
		in.inAtomic, in.temporal, in.inProcess = false, false, true
	case Finally, Globally, Until, Release:
		if !in.temporal {
			complain("temporal operators belong into formulas, outside of all, some and card")
			return
		}
	case And, Or, Not, Implies, Equivalent:
	default:
		in.temporal = false
		if slices.ContainsFunc(e.Args, r.m.isTemporal) {
			complain("what is true in time is no number for %s: write parentheses, as in [](x <= N)", e.Op)
			return
		}
	}
	switch e.Op {
	case Label:
		if !in.inProcess {
			complain("%s belongs inside of all, some or card", e)
		} else if e.Process != r.proc.Name.Name {
			complain("the process is called %s", r.proc.Name.Name)
		} else if !hasLabel(r.proc.Body, e.Name) {
			complain("the process has no label %q", e.Name)
		}
		return
	case Name:
		r.checkName(e, in, complain)
		return
	case Element:
		complain(noElements)
		return
	}
	for _, a := range e.Args {
		r.check(a, in, why)
	}
}

const noElements = "elements of arrays are not supported: write a variable for each"

func (r *reader) checkName(e *Expr, in scope, complain func(string, ...any)) {
	s, known := r.m.symbols[e.Name]
	if e.Process != "" {
		switch {
		case !in.inProcess:
			complain("%s belongs inside of all, some or card", e)
		case e.Process != r.proc.Name.Name:
			complain("the process is called %s", r.proc.Name.Name)
		case !known && !r.declared(e.Name):
			r.unknown(e.Name, e.Pos)
		case known && s.kind != local:
			complain("%q is no variable of the process", e.Name)
		}
		return
	}
	switch {
	case known && s.kind == array:
		complain(noElements)
	case !known && in.local && r.declared(e.Name):
	case !known && r.declared(e.Name):
		complain("%s %q cannot be used here (write %s:%s inside of all, some or card)", kindNames[local], e.Name,
			r.proc.Name.Name, e.Name)
	case !known:
		r.unknown(e.Name, e.Pos)
	case s.kind == atomic && !in.inAtomic, s.kind == param && !in.param, s.kind == shared && !in.shared,
		s.kind == local && !in.local:
		hint := ""
		if s.kind == local && in.inProcess {
			hint = fmt.Sprintf(" (write %s:%s)", r.proc.Name.Name, e.Name)
		}
		complain("%s %q cannot be used here%s", kindNames[s.kind], e.Name, hint)
	}
}

// declared reports whether the process declares a variable: formulas may stand before it.
func (r *reader) declared(name string) bool {
	for s := range all(r.proc.Body) {
		if s.Vars != nil &&
			slices.ContainsFunc(s.Vars.List, func(v *Var) bool { return v.Name.Name == name && v.Size == nil }) {
			return true
		}
	}
	return false
}

// hasLabel reports whether a label stands outside of steps.
func hasLabel(list []*Statement, name string) bool {
	return slices.ContainsFunc(list, func(s *Statement) bool {
		return s.Label != nil && s.Label.Name == name || hasLabel(s.Block, name) ||
			hasLabel(bodies(s.alternatives()), name)
	})
}
