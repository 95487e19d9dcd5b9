// Package promela knows models of parametric Promela (docs/promela.md): one kind of processes with receive counters,
// parameters, and temporal formulas. Names are resolved in model.go; interpreter.go runs processes for fixed
// parameters, run.go all of them; told.go and explain.go tell runs. Package pml reads texts, and package counters makes
// automata, which share nothing with the interpreter but the syntax tree.
package promela

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/promela/pml"
)

// Model is a text whose names are resolved.
type Model struct {
	Name      string
	File      string
	Params    []string
	Shared    []Variable
	Assume    []*pml.Expr // about parameters
	Count     *pml.Expr   // of processes
	Process   string      // its name
	Locals    []Variable
	Init      []*pml.Statement // before the loop
	Loop      []*pml.Option    // the steps
	Formulas  []Named          // without fairness
	Fairness  []Named          // that others assume
	Constants []pml.Constant
	Asserts   []Assertion
	// NoFairness has formulas assume nothing.
	NoFairness bool
	Warnings   diag.List
	// Concrete is what only instances can be asked about: Translate refuses it.
	Concrete diag.List

	proc *pml.Proctype

	Atomics map[string]*pml.Expr
	social  bool // steps speak of other processes
	Symbols map[string]symbol

	Where  int            // the variable that says where a process is; -1 if there is none
	spots  []string       // what the locations are called, if there are several
	Labels map[string]int // which locations have them
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
	Formula *pml.Expr
	Pos     diag.Pos
}

// Assertion is a line with assert statements. A variable of the process says whether
// one of them failed in the last step.
type Assertion struct {
	Line  int
	Local int       // index of the variable
	Says  *pml.Expr // what is asserted
}

type NameKind uint8

const (
	ParamName NameKind = iota
	SharedName
	LocalName
	PropositionName
	ArrayName
)

var kindNames = map[NameKind]string{ParamName: "parameter", SharedName: "shared variable",
	LocalName: "variable of the process", PropositionName: "proposition", ArrayName: "array"}

type symbol struct {
	Kind  NameKind
	Index int
	Pos   diag.Pos
}

// Parse reads and checks a model; name is used in messages, and defines are as -D NAME=VALUE. Its error is a diag.List.
func Parse(name, text string, defines map[string]string) (*Model, error) {
	pre, err := pml.Preprocess(name, text, defines)
	if err != nil {
		return nil, err
	}
	file, err := pml.Parse(pre)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(name)
	r := &reader{m: &Model{Name: strings.TrimSuffix(base, filepath.Ext(base)), File: name, Constants: pre.Constants(),
		Atomics: map[string]*pml.Expr{}, Symbols: map[string]symbol{}, Where: -1}}
	r.read(file)
	r.m.proc = r.proc
	for d := range defines {
		if !pre.Used[d] && !pre.Replaced[d] {
			r.m.Warnings.Warn(diag.Pos{File: name}, 1, "-D %s: the text does not ask for %s", d, d)
		}
	}
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.m, nil
}

// reader turns a syntax tree into a model.
type reader struct {
	m    *Model
	errs diag.List
	proc *pml.Proctype
}

func (r *reader) declare(id *pml.Ident, k NameKind, index int) bool {
	pos := scan.Place(id.Pos)
	if old, again := r.m.Symbols[id.Name]; again {
		e := r.errs.Add(pos, len(id.Name), "%q is declared again", id.Name)
		e.Notes = append(e.Notes, diag.Note{Pos: old.Pos, Msg: "first declared here"})
		return false
	}
	r.m.Symbols[id.Name] = symbol{k, index, pos}
	return true
}

func (r *reader) read(file *pml.File) {
	for _, it := range file.Items {
		for _, id := range it.Symbolic {
			if r.declare(id, ParamName, len(r.m.Params)) {
				r.m.Params = append(r.m.Params, id.Name)
			}
		}
		if it.Vars != nil {
			r.vars(it.Vars, SharedName, &r.m.Shared)
		}
		if it.Proctype != nil {
			if r.proc != nil {
				r.errs.Add(scan.Place(it.Proctype.Pos), 6,
					"several proctypes are not supported: write one, with different initial states, or a protocol "+
						"(.ftdp), which may have several types of processes")
				continue
			}
			r.proc = it.Proctype
		}
		r.leftOut(it)
		if it.Atomic != nil && r.declare(it.Atomic.Name, PropositionName, 0) {
			r.m.Atomics[it.Atomic.Name.Name] = &it.Atomic.Value.Expr
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
	for _, name := range slices.Sorted(maps.Keys(r.m.Atomics)) {
		r.check(r.m.Atomics[name], scope{param: true, shared: true, inAtomic: true}, "")
	}
	r.process()
}

func (r *reader) vars(v *pml.Vars, k NameKind, list *[]Variable) {
	for _, d := range v.List {
		if d.Size != nil { // elements are not supported: their use is an error
			r.declare(d.Name, ArrayName, 0)
			continue
		}
		if !r.declare(d.Name, k, len(*list)) {
			continue
		}
		x := Variable{Name: d.Name.Name, Type: v.Type, Pos: scan.Place(d.Name.Pos)}
		if d.Init != nil {
			n, err := d.Init.Constant()
			if err != nil {
				r.errs.Add(d.Init.Pos, d.Init.Width, "%s must start with a number", d.Name.Name)
			}
			if limits, known := ranges[x.Type]; err == nil && known && (n < limits[0] || n > limits[1]) {
				r.errs.Add(d.Init.Pos, d.Init.Width, "%s starts as %d, which a %s cannot be", d.Name.Name, n, x.Type)
			}
			if x.Init = n; n < 0 && k == SharedName {
				r.m.Concrete.Add(d.Init.Pos, d.Init.Width,
					"for all parameters, shared variables start with natural numbers; explore can be asked")
			}
		}
		*list = append(*list, x)
	}
}

func (r *reader) formula(f *pml.LTL) {
	n := Named{f.Name.Name, &f.Formula.Expr, scan.Place(f.Name.Pos)}
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
func (r *reader) leftOut(it *pml.Item) {
	if it.Never != nil {
		r.m.Warnings.Warn(scan.Place(it.Never.Pos), 5, "the never claim is left out: write an ltl formula")
	}
	if it.Init == nil {
		return
	}
	for s := range All(it.Init.Body) {
		if s.Set != nil || s.Havoc != nil || s.Refuse != "" {
			r.errs.Add(scan.Place(s.Pos), 1,
				"init is left out, and this would change something: write the first value into "+
					"the declaration, or the initial block of the proctype")
		}
	}
	r.m.Warnings.Warn(scan.Place(it.Init.Pos), 4, "init is left out: it changes nothing")
}

// process reads the proctype: declarations, an initial block, steps (flow.go).
func (r *reader) process() {
	m, p := r.m, r.proc
	m.Process = p.Name.Name
	if m.Count = p.Count; m.Count == nil {
		m.Count = &pml.Expr{Op: pml.Number, Pos: scan.Place(p.Pos), Width: 6, Num: 1}
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
func (r *reader) names(list []*pml.Statement, first bool) {
	for _, s := range list {
		if s.Vars == nil {
			first = first && s.Sep != ""
			r.names(s.Inside(), false)
			for _, o := range Alternatives(s) {
				r.names(o.Body, false)
				r.names(o.Rest, false)
			}
			continue
		}
		var sets []*pml.Statement
		for _, v := range s.Vars.List {
			if v.Size != nil {
				continue
			}
			value := v.Init
			if value == nil {
				value = numeral(0)
			}
			if _, err := value.Constant(); err != nil || !first {
				sets = append(sets, &pml.Statement{Pos: v.Name.Pos, Set: &pml.Assign{Name: v.Name, Value: value}})
				v.Init = nil
			}
		}
		r.vars(s.Vars, LocalName, &r.m.Locals)
		if len(sets) > 0 {
			*s = pml.Statement{Pos: s.Pos, Block: sets}
		}
	}
}

// statements checks a block.
func (r *reader) statements(list []*pml.Statement, initial bool) {
	in := scope{param: true, shared: true, local: true, inAtomic: !initial}
	why := ""
	for _, s := range list {
		for _, e := range s.Exprs() {
			r.m.social = r.m.social || r.m.Others(e)
			if initial && (s.Set == nil || r.m.Symbols[s.Set.Name.Name].Kind == LocalName) {
				r.reads(e)
			}
		}
		switch {
		case s.Assert != nil:
			r.check(&s.Assert.Expr, in, why)
			r.assertion(s)
		case s.Refuse != "":
			r.errs.Add(scan.Place(s.Pos), len(s.Refuse), "%s", pml.Reasons[s.Refuse])
		case s.If != nil, s.Do != nil:
			for _, o := range Alternatives(s) {
				r.statements(o.Body, initial)
				r.statements(o.Rest, initial)
			}
		case s.Atomic != nil, s.Block != nil:
			r.statements(s.Inside(), initial)
		case s.Havoc != nil:
			if r.isLocal(s.Havoc) && initial {
				r.errs.Add(scan.Place(s.Pos), 5,
					"havoc is not supported in the initial block: list the values in an if")
			}
		case s.Asks() != nil:
			r.check(s.Asks(), in, why)
		case s.Set != nil:
			r.assign(s.Set, in, why)
		}
	}
}

// assertion makes a formula of an assert statement.
func (r *reader) assertion(s *pml.Statement) {
	pos := scan.Place(s.Pos)
	e := &s.Assert.Expr
	if a := r.m.asserted(func(a *Assertion) bool { return a.Line == pos.Line }); a != nil {
		a.Says = e.As(pml.And, a.Says, e)
		return
	}
	name := names.Free(fmt.Sprintf("assert_%d", pos.Line), "_", func(n string) bool {
		return r.m.Symbols[n] != (symbol{}) ||
			slices.ContainsFunc(r.m.Formulas, func(f Named) bool { return f.Name == n })
	})
	index := len(r.m.Locals)
	r.m.Symbols[name] = symbol{LocalName, index, pos}
	r.m.Locals = append(r.m.Locals, Variable{Name: name, Type: "bit", Pos: pos})
	r.m.Asserts = append(r.m.Asserts, Assertion{pos.Line, index, e})
	flag := &pml.Expr{Op: pml.Name, Pos: pos, Width: 6, Process: r.m.Process, Name: name}
	always := flag.As(pml.Globally, flag.As(pml.All, flag.As("==", flag, flag.As(pml.Number))))
	r.m.Formulas = append(r.m.Formulas, Named{name, always, pos})
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
func (r *reader) reads(e *pml.Expr) {
	for e := range e.All() {
		if s, known := r.m.Symbols[e.Name]; e.Op == pml.Name && known && s.Kind == SharedName {
			r.m.Concrete.Add(e.Pos, e.Width, "for all parameters, what a process starts with cannot depend on shared "+
				"variables; explore can be asked")
		}
	}
}

// isLocal reports whether a name is a variable of the process, and complains where it is not.
func (r *reader) isLocal(id *pml.Ident) bool {
	s, known := r.m.Symbols[id.Name]
	switch {
	case !known:
		r.unknown(id.Name, scan.Place(id.Pos))
	case s.Kind != LocalName:
		r.errs.Add(scan.Place(id.Pos), len(id.Name), "expected a %s, got the %s %q", kindNames[LocalName],
			kindNames[s.Kind], id.Name)
	}
	return s.Kind == LocalName && known
}

func (r *reader) unknown(name string, pos diag.Pos) {
	if reason := pml.Reasons[name]; reason != "" {
		r.errs.Add(pos, len(name), "%s", reason)
		return
	}
	var names []string
	for n := range r.m.Symbols {
		names = append(names, n)
	}
	for _, c := range r.m.Constants {
		names = append(names, c.Name)
	}
	r.errs.Add(pos, len(name), "unknown name %q%s", name, spell.Hint(name, append(names, "havoc", "assume", "assert")))
}

// assign checks an assignment: shared variables grow by numbers.
func (r *reader) assign(a *pml.Assign, in scope, why string) {
	pos := scan.Place(a.Name.Pos)
	if a.Value != nil {
		r.check(a.Value, in, why)
	}
	s, known := r.m.Symbols[a.Name.Name]
	switch {
	case a.Index != nil || known && s.Kind == ArrayName:
		r.errs.Add(pos, len(a.Name.Name), pml.NoElements)
	case !known:
		r.unknown(a.Name.Name, pos)
	case s.Kind == LocalName:
	case s.Kind != SharedName:
		r.errs.Add(pos, len(a.Name.Name), "the %s %q cannot be changed", kindNames[s.Kind], a.Name.Name)
	default:
		if n, ok := Increment(a); !ok || n < 0 {
			r.m.Concrete.Add(pos, len(a.Name.Name),
				"shared variables may only grow by numbers, as in %s++ or %s = %s + 2", a.Name.Name, a.Name.Name,
				a.Name.Name)
		}
	}
}

// Increment returns what an assignment adds to its variable.
func Increment(a *pml.Assign) (n int64, ok bool) {
	switch {
	case a.Step == "++":
		return 1, true
	case a.Step == "--":
		return -1, true
	case a.Value.Op == pml.Name && a.Value.Name == a.Name.Name:
		return 0, true
	case a.Value.Op != "+":
		return 0, false
	}
	found := 0
	for _, arg := range a.Value.Args {
		if arg.Op == pml.Name && arg.Name == a.Name.Name {
			found++
			continue
		}
		k, err := arg.Constant()
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
func (r *reader) check(e *pml.Expr, in scope, why string) {
	complain := func(format string, args ...any) {
		msg := fmt.Sprintf(format, args...)
		if why != "" {
			msg = why + ": " + msg
		}
		r.errs.Add(e.Pos, e.Width, "%s", msg)
	}
	switch e.Op {
	case pml.All, pml.Some, pml.Card:
		if !in.inAtomic {
			complain("%s(...) belongs into propositions and formulas", e.Op)
			return
		}
		in.inAtomic, in.temporal, in.inProcess = false, false, true
	case pml.Finally, pml.Globally, pml.Until, pml.Release:
		if !in.temporal {
			complain("temporal operators belong into formulas, outside of all, some and card")
			return
		}
	case pml.And, pml.Or, pml.Not, pml.Implies, pml.Equivalent:
	default:
		in.temporal = false
		if slices.ContainsFunc(e.Args, r.m.IsTemporal) {
			complain("what is true in time is no number for %s: write parentheses, as in [](x <= N)", e.Op)
			return
		}
	}
	switch e.Op {
	case pml.Label:
		if !in.inProcess {
			complain("%s belongs inside of all, some or card", e)
		} else if e.Process != r.proc.Name.Name {
			complain("the process is called %s", r.proc.Name.Name)
		} else if !hasLabel(r.proc.Body, e.Name) {
			complain("the process has no label %q", e.Name)
		}
		return
	case pml.Name:
		r.checkName(e, in, complain)
		return
	case pml.Element:
		complain(pml.NoElements)
		return
	}
	for _, a := range e.Args {
		r.check(a, in, why)
	}
}

func (r *reader) checkName(e *pml.Expr, in scope, complain func(string, ...any)) {
	s, known := r.m.Symbols[e.Name]
	if e.Process != "" {
		switch {
		case !in.inProcess:
			complain("%s belongs inside of all, some or card", e)
		case e.Process != r.proc.Name.Name:
			complain("the process is called %s", r.proc.Name.Name)
		case !known && !r.declared(e.Name):
			r.unknown(e.Name, e.Pos)
		case known && s.Kind != LocalName:
			complain("%q is no variable of the process", e.Name)
		}
		return
	}
	switch {
	case known && s.Kind == ArrayName:
		complain(pml.NoElements)
	case !known && in.local && r.declared(e.Name):
	case !known && r.declared(e.Name):
		where := " inside of all, some or card"
		if in.inProcess {
			where = ""
		}
		complain("%s %q cannot be used here (write %s:%s%s)", kindNames[LocalName], e.Name, r.proc.Name.Name, e.Name,
			where)
	case !known:
		r.unknown(e.Name, e.Pos)
	case s.Kind == PropositionName && !in.inAtomic, s.Kind == ParamName && !in.param,
		s.Kind == SharedName && !in.shared, s.Kind == LocalName && !in.local:
		hint := ""
		if s.Kind == LocalName && in.inProcess {
			hint = fmt.Sprintf(" (write %s:%s)", r.proc.Name.Name, e.Name)
		} else if s.Kind == SharedName && in.param {
			hint = fmt.Sprintf(" (`symbolic int %s;` is a parameter)", e.Name)
		}
		complain("%s %q cannot be used here%s", kindNames[s.Kind], e.Name, hint)
	}
}

// declared reports whether the process declares a variable: formulas may stand before it.
func (r *reader) declared(name string) bool {
	for s := range All(r.proc.Body) {
		if s.Vars != nil &&
			slices.ContainsFunc(s.Vars.List, func(v *pml.Var) bool { return v.Name.Name == name && v.Size == nil }) {
			return true
		}
	}
	return false
}

// hasLabel reports whether a label stands outside of steps.
func hasLabel(list []*pml.Statement, name string) bool {
	return slices.ContainsFunc(list, func(s *pml.Statement) bool {
		return s.Label != nil && s.Label.Name == name || hasLabel(s.Block, name) ||
			hasLabel(Bodies(Alternatives(s)), name)
	})
}

// ranges are the values that types have.
var ranges = map[string][2]int64{"bit": {0, 1}, "bool": {0, 1}, "byte": {0, 255}, "pid": {0, 255},
	"short": {-32768, 32767}, "int": {-1 << 31, 1<<31 - 1}, "unsigned": {0, 1<<31 - 1}}
