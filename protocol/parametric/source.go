// Package parametric resolves texts for all sizes, those with `process`: parameters, fault models, types of processes,
// kinds of messages, rules (read.go, source*.go), and rounds with coins and coordinators (rounds.go, unroll.go).
package parametric

import (
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Source is a protocol for all sizes: types of processes, which send messages to everybody, count from how many they
// have heard, and compare that with thresholds over parameters. For values of the parameters it is a Model
// (instance.go); package protocol/threshold makes a threshold automaton of it.
type Source struct {
	File   *ftdp.File
	Name   string
	Params []string
	Assume []*ftdp.Expr
	Faults counter.Faults
	Groups []FaultGroup // who may be faulty
	Kinds  []MessageKind
	Types  []ProcessType
	Rules  []SourceRule    // of all types
	Starts []*ftdp.Expr    // conditions on initial states
	Props  []*ftdp.Section // invariants and formulas

	Consts  map[string]int64
	defines map[string]*definition
	bound   binding            // what parameters stand for, where names are put in
	Enums   [][]string         // the enumerations, by their values
	values  map[string]literal // of enumerations
	names   map[string]declaration
	Here    int          // the type whose process is looked at; -1 in properties
	about   int          // the type that a condition in a property speaks of first, from 1; 0 for none
	faulted *ftdp.Faults // what was said first of faults
	problems
	Given map[*ftdp.Expr]bool // where an expression is watched: parts that are the instance's already; else nil
}

// FaultGroup says how many processes of some types are faulty.
type FaultGroup struct {
	Count *ftdp.Expr
	Types []int // of one type but for crashes, where several may share a number
}

// SourceRule is a rule of a type of processes.
type SourceRule struct {
	*ftdp.ProcessRule
	Type int
}

// ProcessType is a type of processes, which are alike.
type ProcessType struct {
	Name  string
	Size  *ftdp.Expr // how many there are
	Vars  []SourceVar
	Group int // in Source.Groups; -1 if none of them is faulty
}

// SourceVar is a variable of a process.
type SourceVar struct {
	ValueType
	Name  string
	Type  *ftdp.TypeExpr
	Input bool
	First int64
	Pos   diag.Pos
}

// Var returns the variable of a name; nil if there is none.
func (t *ProcessType) Var(name string) *SourceVar {
	for i := range t.Vars {
		if t.Vars[i].Name == name {
			return &t.Vars[i]
		}
	}
	return nil
}

// MessageKind is a kind of messages: a sender sends one of a kind, with one of some values.
type MessageKind struct {
	Name   string
	Fields []ValueType
	// Lo and Hi bound the numbers that stand for the values of all fields (Encode): with one field, its own.
	Lo, Hi int64
	From   []int // the types of processes that send it
}

// Valued reports whether messages carry values.
func (k *MessageKind) Valued() bool { return len(k.Fields) > 0 }

// ValueType is the type of a variable, or of a value that messages carry: a range of numbers,
// truth values (0 and 1), or an enumeration (from 0).
type ValueType struct {
	Lo, Hi int64
	Bool   bool
	Names  []string // of the values of enumerations
	Enum   int      // which enumeration it is
}

// same reports whether values are of one type, and from the same range.
func (t *ValueType) same(u *ValueType) bool {
	return t.Lo == u.Lo && t.Hi == u.Hi && t.Bool == u.Bool && slices.Equal(t.Names, u.Names)
}

// size returns how many values there are.
func (t *ValueType) size() int64 { return t.Hi - t.Lo + 1 }

// definition is an expression with a name.
type definition struct {
	*ftdp.Define
	busy, used bool
}

// declaration is where a name is declared, and as what.
type declaration struct {
	at   diag.Pos
	sort byte // 'v' of variables, 'e' of values of enumerations, 'm' of messages, 0 of others
	typ  int  // of processes, of a variable
}

// binding is what the parameters of a rule or of a definition stand for.
type binding map[string]*ftdp.Expr

// problems are what is wrong with a text.
type problems struct{ Errs diag.List }

func (p *problems) at(id *ftdp.Ident, format string, args ...any) {
	p.Errs.Add(id.Place(), len(id.Name), format, args...)
}

// wrong says what is wrong with an expression, which has no type then.
func (p *problems) wrong(e *ftdp.Expr, format string, args ...any) int {
	p.Errs.Add(e.Pos, max(1, e.Width), format, args...)
	return noType
}

// literal is a value of an enumeration.
type literal struct {
	value int64
	enum  int // index in the enumerations of the text
}

// Named returns the name of a property.
func Named(s *ftdp.Section) *ftdp.Ident {
	if s.Invariant != nil {
		return s.Invariant.Name
	}
	return s.LTL.Name
}

// maxValues bounds the values of a variable of a process, and those of messages.
const maxValues = 16

func (s *Source) typeNames() []string {
	return lists.Map(s.Types, func(t ProcessType) string { return t.Name })
}

// Faulty is how many processes of a type are faulty; nil if none can be.
func (s *Source) Faulty(typ int) *ftdp.Expr {
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

// value returns what a name stands for that is no variable: a constant, a truth value, or a value of an enumeration.
func (s *Source) value(name string) (int64, bool) {
	switch name {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	if v, ok := s.Consts[name]; ok {
		return v, true
	}
	v, ok := s.values[name]
	return v.value, ok
}

// Parameters counts the different parameters in an expression.
func Parameters(e *ftdp.Expr, s *Source) int {
	n := 0
	for _, name := range s.Params {
		if e.Mentions(name) {
			n++
		}
	}
	return n
}

func (s *Source) TypeIndex(name string) int {
	return slices.IndexFunc(s.Types, func(t ProcessType) bool { return t.Name == name })
}
