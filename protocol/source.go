package protocol

import (
	"fmt"
	"maps"
	"slices"

	"tacheck/internal/diag"
	"tacheck/internal/spell"
)

// Source is a protocol for all sizes: one kind of processes, which send messages to
// everybody, count from how many they have heard, and compare that with thresholds over
// parameters. For values of the parameters it is a Model (instance.go); package
// protocol/threshold makes a threshold automaton of it.
type Source struct {
	File    *File
	Name    string
	Params  []string
	Assume  []*Expr
	Faults  FaultModel
	Count   *Expr // of faulty processes
	Kinds   []MessageKind
	Process string
	Size    *Expr
	Vars    []SourceVar
	Rules   []*ProcessRule
	Props   []*Section // invariants and formulas

	consts map[string]int64
	values map[string]Literal // of enumerations
	errs   diag.List
}

// FaultModel says what faulty processes do.
type FaultModel string

// The fault models.
const (
	NoFaults   FaultModel = "none"
	Byzantines FaultModel = "byzantine" // send anything to anybody, at any time
	Symmetric  FaultModel = "symmetric" // send anything, the same to all
	Omission   FaultModel = "omission"  // what they send or receive may get lost
	Crashes    FaultModel = "crash"     // stop, perhaps while they send to all
	CleanCrash FaultModel = "clean"     // stop, but not while they send
)

var faultModels = []string{string(NoFaults), string(Byzantines), string(Symmetric), string(Omission), string(Crashes), string(CleanCrash)}

// MessageKind is a kind of messages: a sender sends one of a kind, with one of some
// values.
type MessageKind struct {
	Name   string
	Valued bool
	Lo, Hi int64
}

// SourceVar is a variable of a process.
type SourceVar struct {
	Name  string
	Type  *TypeExpr
	Lo    int64
	Hi    int64
	Names []string // of the values of enumerations
	Bool  bool
	Input bool
	First int64
	Pos   diag.Pos
}

// Literal is a value of an enumeration.
type Literal struct {
	Value int64
	Var   int // whose type has it
}

// Parameterized reports whether the text is a protocol for all sizes.
func (f *File) Parameterized() bool {
	return slices.ContainsFunc(f.Sections, func(s *Section) bool { return s.Process != nil || s.Parameters != nil })
}

// Named returns the name of a property.
func (s *Section) Named() *Ident {
	if s.Invariant != nil {
		return s.Invariant.Name
	}
	return s.LTL.Name
}

// maxValues bounds the values of a variable of a process.
const maxValues = 16

// Source reads the protocol for all sizes that the text is. Its error is a diag.List.
func (f *File) Source() (*Source, error) {
	s := &Source{File: f, Faults: NoFaults, consts: map[string]int64{}, values: map[string]Literal{}}
	var process *Section
	for _, sec := range f.Sections {
		switch {
		case sec.Protocol != nil:
			s.Name = sec.Protocol.Name
		case sec.Parameters != nil:
			for _, p := range sec.Parameters {
				s.Params = append(s.Params, p.Name)
			}
		case sec.Consts != nil:
			for _, k := range sec.Consts {
				if v, ok := s.number(k.Value, nil); ok {
					s.consts[k.Name.Name] = v
				} else {
					s.errs.Add(k.Value.Pos, k.Value.Width, "the value of a constant has to be a number here")
				}
			}
		case sec.Assume != nil:
			s.Assume = append(s.Assume, sec.Assume...)
		case sec.Faults != nil:
			s.faults(sec.Faults)
		case sec.Messages != nil:
			for _, m := range sec.Messages {
				s.kind(m)
			}
		case sec.Process != nil:
			if process != nil {
				s.at(sec.Process.Name, "there is one kind of processes in a protocol for all sizes")
				continue
			}
			process = sec
		case sec.Invariant != nil, sec.LTL != nil:
			s.Props = append(s.Props, sec)
		default:
			s.errs.Add(place(sec.Pos), 1, "a protocol for all sizes has parameters, assume, faults, messages, process and properties; this belongs to protocols of fixed sizes")
		}
	}
	if process == nil {
		s.errs.Add(diag.Pos{File: f.Pos.Filename, Line: 1, Col: 1}, 1, "a protocol with parameters needs a process: `process node[n] ... end`")
		return nil, s.errs.Err()
	}
	s.process(process.Process)
	s.distinct()
	for _, e := range s.Assume {
		s.check(e, scopeParams)
	}
	for _, p := range s.Props {
		prop := p.Invariant
		if prop == nil {
			prop = p.LTL
		}
		s.check(prop.Formula, scopeFormula)
	}
	if s.errs == nil {
		s.types()
	}
	if err := s.errs.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Source) at(id *Ident, format string, args ...any) {
	s.errs.Add(id.place(), len(id.Name), format, args...)
}

func (s *Source) faults(f *Faults) {
	if !slices.Contains(faultModels, f.Model.Name) {
		s.at(f.Model, "unknown fault model %q%s", f.Model.Name, spell.Hint(f.Model.Name, faultModels))
		return
	}
	s.Faults, s.Count = FaultModel(f.Model.Name), f.Count
	if s.Faults == NoFaults {
		return
	}
	if f.Count == nil {
		s.at(f.Model, "how many? `faults %s f;`", f.Model.Name)
		return
	}
	s.check(f.Count, scopeParams)
}

func (s *Source) kind(m *KindDecl) {
	k := MessageKind{Name: m.Name.Name}
	if slices.ContainsFunc(s.Kinds, func(o MessageKind) bool { return o.Name == k.Name }) {
		s.at(m.Name, "%q is declared already", k.Name)
		return
	}
	if m.Value != nil {
		k.Valued = true
		lo, ok := s.number(&m.Value.From.Expr, nil)
		hi, also := lo, ok
		if m.Value.To != nil {
			hi, also = s.number(&m.Value.To.Expr, nil)
		}
		if !ok || !also || hi < lo || hi-lo >= maxValues {
			s.at(m.Name, "the values of %s have to be a range of at most %d numbers", k.Name, maxValues)
			return
		}
		k.Lo, k.Hi = lo, hi
	}
	s.Kinds = append(s.Kinds, k)
}

func (s *Source) process(p *Process) {
	s.Process, s.Size = p.Name.Name, p.Size
	s.check(p.Size, scopeParams)
	for _, v := range p.Vars {
		for _, id := range v.Names {
			s.variable(id, v)
		}
	}
	for _, r := range p.Rules {
		if slices.ContainsFunc(s.Rules, func(o *ProcessRule) bool { return o.Label.Name == r.Label.Name }) {
			s.at(r.Label, "there is a rule %q already", r.Label.Name)
		}
		s.Rules = append(s.Rules, r)
		body := slices.DeleteFunc(slices.Clone(r.Body), func(st *Statement) bool { return st.Sep != "" })
		if len(body) != 1 || body[0].If == nil || body[0].If.Else != nil {
			s.at(r.Label, "a rule is one `if` without `else`: what it waits for, and what it does then")
			continue
		}
		s.statements(body)
	}
}

func (s *Source) variable(id *Ident, d *ProcessVar) {
	v := SourceVar{Name: id.Name, Type: d.Type, Input: d.Kind == "input", Pos: id.place()}
	if slices.ContainsFunc(s.Vars, func(o SourceVar) bool { return o.Name == v.Name }) || slices.Contains(s.Params, v.Name) || v.Name == "crashed" || v.Name == "crashes" {
		s.at(id, "%q is declared already", v.Name)
		return
	}
	switch t := d.Type; {
	case t.Bool:
		v.Bool, v.Hi = true, 1
	case t.Enum != nil:
		v.Hi = int64(len(t.Enum)) - 1
		for i, e := range t.Enum {
			v.Names = append(v.Names, e.Name)
			if _, old := s.values[e.Name]; old && d.Names[0] == id {
				s.at(e, "%q is a value of another variable already", e.Name)
			}
			s.values[e.Name] = Literal{int64(i), len(s.Vars)}
		}
	case t.Range != nil:
		lo, ok := s.number(&t.Range.From.Expr, nil)
		hi, also := lo, ok
		if t.Range.To != nil {
			hi, also = s.number(&t.Range.To.Expr, nil)
		} else {
			also = false
		}
		if !ok || !also || hi < lo || hi-lo >= maxValues {
			s.at(id, "%s has to be a truth value, an enumeration, or a range of at most %d numbers: processes count with heard(...)", id.Name, maxValues)
			return
		}
		v.Lo, v.Hi = lo, hi
	default:
		s.at(id, "%s has to be a truth value, an enumeration or a range: which processes have sent something is not known, only how many", id.Name)
		return
	}
	v.First = v.Lo
	if d.First != nil {
		n, ok := s.number(d.First, nil)
		if !ok || n < v.Lo || n > v.Hi {
			s.errs.Add(d.First.Pos, d.First.Width, "this is no value of %s", v.Name)
			return
		}
		if v.Input {
			s.errs.Add(d.First.Pos, d.First.Width, "an input begins with any value")
		}
		v.First = n
	}
	s.Vars = append(s.Vars, v)
}

func (s *Source) statements(list []*Statement) {
	for _, st := range list {
		switch {
		case st.Sep != "", st.Skip:
		case st.If != nil:
			blocks := append([]*Block{}, st.If.Thens...)
			guards := append([]*Expr{}, st.If.Guards...)
			for _, e := range st.If.Elsif {
				guards, blocks = append(guards, e.Guard), append(blocks, e.Then)
			}
			if st.If.Else != nil {
				blocks = append(blocks, st.If.Else.Body)
			}
			for _, g := range guards {
				s.check(g, scopeProcess)
			}
			for _, b := range blocks {
				s.statements(b.List)
			}
		case st.Send != nil:
			k := s.Kind(st.Send.Kind.Name)
			switch {
			case k == nil:
				var known []string
				for _, o := range s.Kinds {
					known = append(known, o.Name)
				}
				s.at(st.Send.Kind, "there are no messages %q%s", st.Send.Kind.Name, spell.Hint(st.Send.Kind.Name, known))
			case k.Valued != (st.Send.Value != nil):
				s.at(st.Send.Kind, "%s has %s", k.Name, map[bool]string{true: "a value: `send " + k.Name + "(v)`", false: "no value"}[k.Valued])
			case k.Valued:
				s.check(st.Send.Value, scopeLocal)
			}
		case st.Assign != nil:
			if v := s.Var(st.Assign.Place.Name); st.Assign.Place.Op != Name || v == nil {
				s.errs.Add(st.Assign.Place.Pos, st.Assign.Place.Width, "a process changes its own variables only")
			}
			s.check(st.Assign.Value, scopeLocal)
		default:
			s.errs.Add(place(st.Pos), 1, "a process of a protocol for all sizes does `if`, assignments and `send` only")
		}
	}
}

// Kind returns the kind of messages of a name; nil if there is none.
func (s *Source) Kind(name string) *MessageKind {
	for i := range s.Kinds {
		if s.Kinds[i].Name == name {
			return &s.Kinds[i]
		}
	}
	return nil
}

// Var returns the variable of a name; nil if there is none.
func (s *Source) Var(name string) *SourceVar {
	for i := range s.Vars {
		if s.Vars[i].Name == name {
			return &s.Vars[i]
		}
	}
	return nil
}

// Value returns what a name stands for that is no variable: a constant, a truth
// value, or a value of an enumeration.
func (s *Source) Value(name string) (int64, bool) {
	switch name {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	if v, ok := s.consts[name]; ok {
		return v, true
	}
	v, ok := s.values[name]
	return v.Value, ok
}

// where an expression stands.
type sourceScope uint8

const (
	scopeParams  sourceScope = iota // parameters only
	scopeLocal                      // variables of a process
	scopeProcess                    // and heard(...), parameters
	scopeFormula                    // all(...), some(...), count(...), parameters, temporal operators
)

// check checks names and operators of an expression.
func (s *Source) check(e *Expr, in sourceScope) {
	bad := func(format string, args ...any) { s.errs.Add(e.Pos, max(1, e.Width), format, args...) }
	switch e.Op {
	case Number:
	case Name:
		if _, ok := s.Value(e.Name); ok {
			return
		}
		param := slices.Contains(s.Params, e.Name)
		if e.Name == "crashes" && in == scopeProcess && s.crashing() {
			return // how many have crashed, as a perfect failure detector tells
		}
		local := s.Var(e.Name) != nil || e.Name == "crashed" && (s.Faults == Crashes || s.Faults == CleanCrash)
		var known []string
		if in != scopeLocal {
			known = append(known, s.Params...)
		}
		if in == scopeLocal || in == scopeProcess {
			for _, v := range s.Vars {
				known = append(known, v.Name)
			}
		}
		switch {
		case param && in == scopeLocal:
			bad("the parameter %s is not something of a process: in what a process assigns, and inside all(...), some(...), count(...), there are its variables and numbers", e.Name)
		case param, local && (in == scopeLocal || in == scopeProcess):
		case local && in == scopeFormula:
			bad("whose %s? all(%s), some(%s), count(%s)", e.Name, e.Name, e.Name, e.Name)
		default:
			bad("unknown name %q%s", e.Name, spell.Hint(e.Name, known))
		}
	case Call:
		s.call(e, in, bad)
	case Finally, Globally:
		if in != scopeFormula {
			bad("this is for formulas")
		}
		s.check(e.Args[0], in)
	case And, Or, Not, Implies, Eq, Ne, Lt, Le, Gt, Ge, Plus, Sub, Times, Minus, Chain, Iff:
		for _, a := range e.Args {
			s.check(a, in)
		}
		if e.Op == Times {
			if _, ok := s.number(e.Args[0], nil); !ok {
				if _, ok := s.number(e.Args[1], nil); !ok {
					bad("one of the factors has to be a number")
				}
			}
		}
	default:
		bad("%s has no meaning in a protocol for all sizes", e.Op)
	}
}

func (s *Source) call(e *Expr, in sourceScope, bad func(string, ...any)) {
	switch {
	case e.Name == "heard" && in == scopeProcess:
		if len(e.Args) != 1 {
			bad("heard has one argument: a kind of messages")
			return
		}
		a := e.Args[0]
		k := s.Kind(a.Name)
		switch {
		case k == nil || a.Op != Name && a.Op != Call:
			var known []string
			for _, o := range s.Kinds {
				known = append(known, o.Name)
			}
			s.errs.Add(a.Pos, max(1, a.Width), "there are no messages %q%s", a.Name, spell.Hint(a.Name, known))
		case a.Op == Call && (!k.Valued || len(a.Args) != 1):
			s.errs.Add(a.Pos, max(1, a.Width), "%s has no value", k.Name)
		case a.Op == Call:
			s.check(a.Args[0], scopeLocal)
		}
	case (e.Name == "all" || e.Name == "some" || e.Name == "count") && in == scopeFormula:
		if len(e.Args) != 1 {
			bad("%s has one argument: a condition on a process", e.Name)
			return
		}
		s.check(e.Args[0], scopeLocal)
	case e.Name == "heard":
		bad("heard is for guards of rules")
	default:
		bad("unknown: %s(...)%s", e.Name, spell.Hint(e.Name, []string{"heard", "all", "some", "count"}))
	}
}

// number evaluates an expression of numbers, constants and variables with values.
func (s *Source) number(e *Expr, values map[string]int64) (int64, bool) {
	arg := func(i int) (int64, bool) { return s.number(e.Args[i], values) }
	two := func(f func(a, b int64) int64) (int64, bool) {
		a, ok := arg(0)
		b, also := arg(1)
		return f(a, b), ok && also
	}
	is := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch e.Op {
	case Number:
		return e.Num, true
	case Name:
		if v, ok := values[e.Name]; ok {
			return v, true
		}
		return s.Value(e.Name)
	case Minus:
		a, ok := arg(0)
		return -a, ok
	case Not:
		a, ok := arg(0)
		return 1 - a, ok
	case Plus:
		return two(func(a, b int64) int64 { return a + b })
	case Sub:
		return two(func(a, b int64) int64 { return a - b })
	case Times:
		return two(func(a, b int64) int64 { return a * b })
	case Eq:
		return two(func(a, b int64) int64 { return is(a == b) })
	case Ne:
		return two(func(a, b int64) int64 { return is(a != b) })
	case Lt:
		return two(func(a, b int64) int64 { return is(a < b) })
	case Le:
		return two(func(a, b int64) int64 { return is(a <= b) })
	case Gt:
		return two(func(a, b int64) int64 { return is(a > b) })
	case Ge:
		return two(func(a, b int64) int64 { return is(a >= b) })
	case Implies:
		return two(func(a, b int64) int64 { return is(a == 0 || b != 0) })
	case Iff:
		return two(func(a, b int64) int64 { return is(a == b) })
	case And, Or:
		out := is(e.Op == And)
		for i := range e.Args {
			a, ok := arg(i)
			if !ok {
				return 0, false
			}
			if a != is(e.Op == And) {
				out = is(e.Op == Or)
			}
		}
		return out, true
	case Chain:
		for _, pair := range e.Pairs() {
			if v, ok := s.number(pair, values); !ok || v == 0 {
				return 0, ok
			}
		}
		return 1, true
	}
	return 0, false
}

// Number evaluates an expression with values for parameters or variables; false if
// something in it has none.
func (s *Source) Number(e *Expr, values map[string]int64) (int64, bool) { return s.number(e, values) }

// Admissible reports whether values of the parameters satisfy the assumptions, with
// at least one process; and the first assumption that they do not.
func (s *Source) Admissible(values map[string]int64) (bool, *Expr) {
	for _, e := range s.Assume {
		if v, ok := s.number(e, values); !ok || v == 0 {
			return false, e
		}
	}
	n, ok := s.number(s.Size, values)
	if !ok || n < 1 {
		return false, s.Size
	}
	if s.Count != nil {
		if f, ok := s.number(s.Count, values); !ok || f < 0 {
			return false, s.Count
		} else if f > n && (s.Faults == Byzantines || s.Faults == Symmetric || s.Faults == Omission) {
			return false, s.Count
		}
	}
	return true, nil
}

// largestDefault bounds the search for parameters that nobody has given.
const largestDefault = 12

// Smallest completes values of parameters: the smallest that the assumptions
// admit, but with some faulty process where they admit one.
func (s *Source) Smallest(given map[string]int64) (map[string]int64, error) {
	for _, faulty := range []bool{true, false} {
		for total := range largestDefault*len(s.Params) + 1 {
			values := map[string]int64{}
			var try func(i int, left int64) bool
			try = func(i int, left int64) bool {
				if i == len(s.Params) {
					if left != 0 {
						return false
					}
					ok, _ := s.Admissible(values)
					if ok && faulty && s.Count != nil {
						f, _ := s.number(s.Count, values)
						ok = f > 0
					}
					return ok
				}
				if v, ok := given[s.Params[i]]; ok {
					values[s.Params[i]] = v
					return try(i+1, left)
				}
				for v := min(left, largestDefault); v >= 0; v-- {
					values[s.Params[i]] = v
					if try(i+1, left-v) {
						return true
					}
				}
				return false
			}
			if try(0, int64(total)) {
				return values, nil
			}
		}
	}
	var list diag.List
	_, why := s.Admissible(given)
	pos, width := diag.Pos{File: s.File.Pos.Filename, Line: 1, Col: 1}, 1
	if why != nil {
		pos, width = why.Pos, max(1, why.Width)
	}
	list.Add(pos, width, "the assumptions admit no parameters%s", givenText(given))
	return nil, list.Err()
}

func givenText(given map[string]int64) string {
	if len(given) == 0 {
		return fmt.Sprintf(" of at most %d", largestDefault)
	}
	text := " with "
	for i, name := range slices.Sorted(maps.Keys(given)) {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s = %d", name, given[name])
	}
	return text
}

// Pairs are the comparisons that a chain stands for: of neighbours, but of any two if all have
// to differ.
func (e *Expr) Pairs() (out []*Expr) {
	pair := func(op Op, i, j int) {
		out = append(out, &Expr{Op: op, Pos: e.Pos, Width: e.Width, Args: []*Expr{e.Args[i], e.Args[j]}})
	}
	for i, op := range e.Ops {
		pair(op, i, i+1)
	}
	if !slices.ContainsFunc(e.Ops, func(op Op) bool { return op != Ne }) {
		for j := range e.Args {
			for i := range j - 1 {
				pair(Ne, i, j)
			}
		}
	}
	return out
}
