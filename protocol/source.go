package protocol

import (
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/internal/spell"
)

// Source is a protocol for all sizes: types of processes, which send messages to
// everybody, count from how many they have heard, and compare that with thresholds over
// parameters. For values of the parameters it is a Model (instance.go); package
// protocol/threshold makes a threshold automaton of it.
type Source struct {
	File   *File
	Name   string
	Params []string
	Assume []*Expr
	Faults FaultModel
	Groups []FaultGroup // who may be faulty
	Kinds  []MessageKind
	Types  []ProcessType
	Rules  []SourceRule // of all types
	Starts []*Expr      // conditions on initial states
	Props  []*Section   // invariants and formulas

	consts  map[string]int64
	defines map[string]*definition
	bound   binding            // what parameters stand for, where names are put in
	enums   [][]string         // the enumerations, by their values
	values  map[string]Literal // of enumerations
	here    int                // the type whose process is looked at; -1 in properties
	faulted *Faults            // what was said first of faults
	errs    diag.List
	given   map[*Expr]bool // where an expression is watched: parts that are the instance's already; else nil
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

// FaultGroup says how many processes of some types are faulty.
type FaultGroup struct {
	Count *Expr
	Types []int // of one type but for crashes, where several may share a number
}

// SourceRule is a rule of a type of processes.
type SourceRule struct {
	*ProcessRule
	Type int
}

// Literal is a value of an enumeration.
type Literal struct {
	Value int64
	Enum  int // index in the enumerations of the text
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

// Formula returns what a property says.
func (s *Section) formula() *Expr {
	if s.Invariant != nil {
		return s.Invariant.Formula
	}
	return s.LTL.Formula
}

// maxValues bounds the values of a variable of a process, and those of messages.
const maxValues = 16

// Source reads the protocol for all sizes that the text is. Its error is a diag.List.
func (f *File) Source() (*Source, error) {
	if what, at := f.inRounds(); what != "" {
		return nil, problem(at, 1, "`%s`: a protocol with rounds is read as one", what)
	}
	s := &Source{File: f, Faults: NoFaults, consts: map[string]int64{}, defines: map[string]*definition{}, values: map[string]Literal{}, here: -1}
	sections := s.expanded(f.Sections)
	for _, sec := range sections {
		s.section(sec)
	}
	if len(s.Types) == 0 {
		at := slices.IndexFunc(f.Sections, func(sec *Section) bool { return sec.Parameters != nil })
		s.at(f.Sections[at].Parameters[0], "a protocol with parameters needs a process, `process node[n] ... end`; in one of fixed size, sizes are constants, `const n = 3;`")
		return nil, s.errs.Err()
	}
	s.processes(sections)
	s.distinct()
	for _, sec := range sections {
		s.faults(sec.Faults)
	}
	s.unlisted()
	for _, e := range s.Assume {
		s.check(e, scopeParams)
	}
	for _, e := range s.Starts {
		s.check(e, scopeFormula)
	}
	for _, p := range s.Props {
		s.check(p.formula(), scopeFormula)
		if p.LTL != nil && p.LTL.Fair != nil && p.LTL.Fair.Rules != nil {
			s.at(p.LTL.Fair.Rules[0], "fair is for all rules but those that begin with maybe: mark the others so, in place of naming these")
		}
	}
	s.bodies()
	if s.errs == nil {
		s.types()
	}
	if err := s.errs.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// constants reads numbers with names, which ranges of other sections use.
func (s *Source) constants(sec *Section) {
	for _, k := range sec.Consts {
		if v, ok := s.Number(k.Value, nil); ok {
			s.consts[k.Name.Name] = v
		} else {
			s.errs.Add(k.Value.Pos, k.Value.Width, "the value of a constant has to be a number here%s", s.ratherDefine(k))
		}
	}
}

// section reads a section, of processes their names and variables only.
func (s *Source) section(sec *Section) {
	switch {
	case sec.Protocol != nil:
		s.Name = sec.Protocol.Name
	case sec.Parameters != nil:
		for _, p := range sec.Parameters {
			s.Params = append(s.Params, p.Name)
		}
	case sec.Assume != nil:
		s.Assume = append(s.Assume, sec.Assume...)
	case sec.Starts != nil:
		s.Starts = append(s.Starts, sec.Starts...)
	case sec.Messages != nil:
		for _, m := range sec.Messages {
			s.kind(m)
		}
	case sec.Process != nil:
		s.Types = append(s.Types, ProcessType{Name: sec.Process.Name.Name, Size: sec.Process.Size, Group: -1})
	case sec.Invariant != nil, sec.LTL != nil:
		s.Props = append(s.Props, sec)
	case sec.Faults != nil, sec.Define != nil, sec.Consts != nil, sec.Trace != nil: // later, before, or of nobody's concern
	default:
		s.errs.Add(place(sec.Pos), 1, "a protocol for all sizes has parameters, assume, faults, messages, process and properties; this belongs to protocols of fixed sizes (variables are local or input of a process, kinds of messages are declared by messages)")
	}
}

func (s *Source) at(id *Ident, format string, args ...any) {
	s.errs.Add(id.Place(), len(id.Name), format, args...)
}

// faults reads who may be faulty.
func (s *Source) faults(f *Faults) {
	if f == nil {
		return
	}
	if !slices.Contains(faultModels, f.Model.Name) {
		s.at(f.Model, "unknown fault model %q%s: there are %s", f.Model.Name, spell.Hint(f.Model.Name, faultModels), strings.Join(faultModels, ", "))
		return
	}
	model := FaultModel(f.Model.Name)
	if s.faulted != nil && (s.Faults != model || model == NoFaults) {
		s.at(f.Model, "processes are faulty in one way: %s, as above; of another type, with a number of its own: `faults %s f of TYPE;`", s.Faults, s.Faults)
		return
	}
	s.Faults, s.faulted = model, f
	if s.Faults == NoFaults {
		if f.Count != nil || f.Of != nil {
			s.at(f.Model, "nobody is faulty, so there is no number of them: `faults none;`")
		}
		return
	}
	if f.Count == nil {
		s.at(f.Model, "how many? `faults %s f;`", f.Model.Name)
		return
	}
	s.check(f.Count, scopeParams)
	s.whole(f.Count)
	g := FaultGroup{Count: f.Count}
	for _, id := range f.Of {
		i := slices.IndexFunc(s.Types, func(t ProcessType) bool { return t.Name == id.Name })
		if i < 0 {
			s.at(id, "there are no processes %q%s", id.Name, spell.Hint(id.Name, s.typeNames()))
			continue
		}
		g.Types = append(g.Types, i)
	}
	if f.Of == nil {
		for i := range s.Types {
			g.Types = append(g.Types, i)
		}
	}
	if len(g.Types) > 1 && !s.crashing() {
		name := s.Types[g.Types[0]].Name
		s.at(f.Model, "of which type? `faults %s %s of %s;`, and a number of their own for others", f.Model.Name, f.Count, name)
	}
	for _, i := range g.Types {
		if s.Types[i].Group >= 0 {
			s.at(f.Model, "it is said already how many %s are faulty", s.Types[i].Name)
		}
		s.Types[i].Group = len(s.Groups)
	}
	s.Groups = append(s.Groups, g)
}

func (s *Source) typeNames() (list []string) {
	for _, t := range s.Types {
		list = append(list, t.Name)
	}
	return list
}

// Faulty is how many processes of a type are faulty; nil if none can be.
func (s *Source) Faulty(typ int) *Expr {
	if g := s.Types[typ].Group; g >= 0 {
		return s.Groups[g].Count
	}
	return nil
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

// ratherDefine says how an expression that is no constant gets a name, if it can be one of a definition.
func (s *Source) ratherDefine(k *Const) string {
	if k.Value.Op == SetOf || k.Value.Op == Tuple || k.Value.Op == Div {
		return ""
	}
	return "; `define " + k.Name.Name + " = " + k.Value.String() + ";` gives an expression a name"
}
