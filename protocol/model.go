// Package protocol knows protocols of processes with identities that send each other messages: models, in which names
// are resolved and types checked (names.go, resolve.go, check.go), with values for constants; types (types.go), terms
// and the statements of rules, and their values in a state (evaluate.go); parts of values (parts.go); and conditions
// and expressions that stand beside a text (within.go).
//
// The text is in protocol/ftdp, texts for all sizes in protocol/parametric, their instances in protocol/instantiate,
// steps and runs in protocol/interp, stories in protocol/story, editors in protocol/edit, the fast engine in
// protocol/machine.
package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Model is a protocol for fixed sizes.
type Model struct {
	Name      string
	File      string
	Source    *ftdp.File
	Constants []Constant // in the order of the text
	Channels  ChannelModel
	Roles     []Role
	Message   *Type // nil if there are no messages
	Inits     []Transition
	Rules     []Transition
	Props     []Prop
	Lemmas    []Prop  // invariants that are meant for proofs for all sizes; nothing else looks at them
	Assume    []*Term // what the text assumes of its constants
	Names     []Declared
	Asymmetry diag.List // what keeps processes of a role from being interchangeable
	// what does more with the numbers of processes than to compare them, of those of roles of one process too
	Numbering diag.List

	Checker *Checker // that has resolved its names
	// makes a model of a text like Source
	Remodel func(f *ftdp.File, set map[string]int64, followed bool) (*Model, error)
	Origins Origins // of the rules and variables of an instance
}

// Declared is a name with the place where it is declared.
type Declared struct {
	Name string
	Kind string // constant, type, role, variables, definition, initial state, rule, invariant or formula
	Pos  diag.Pos
}

// Constant is a constant with its value.
type Constant struct {
	Name  string
	Value int64
	Bool  bool
	Term  *Term // as it is written
	Size  bool  // an assumption speaks of it: a proof for all sizes is one for all its values
}

// Free reports whether a constant is a size that is not made of others: any number that the text assumes.
func (k Constant) Free() bool {
	return k.Size && !k.Bool && k.Term.Op == ftdp.Number && k.Term.Const == ""
}

// Fixed reports whether a constant is no size, and not made of others.
func (k Constant) Fixed() bool { return !k.Size && k.Term.Op == ftdp.Number && k.Term.Const == "" }

// ChannelModel is the model of channels (paper, table 1).
type ChannelModel struct {
	Synchronous bool // absent messages are noticed
	Lossy       bool // messages may be lost, and are where a channel is full; else senders wait
	Anonymous   bool // receivers do not know who has sent a message
	FIFO        bool // messages are received in the order in which they were sent
	Bound       int  // how many messages a channel holds
	Duplicating bool // what is received may stay where it is
}

// String prints the model as a text has it.
func (c ChannelModel) String() string {
	word := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	text := fmt.Sprintf("%s %s %s %s bounded %d", word(c.Synchronous, "synchronous", "asynchronous"),
		word(c.Lossy, "lossy", "reliable"),
		word(c.Anonymous, "anonymous", "authenticated"), word(c.FIFO, "fifo", "unordered"), c.Bound)
	if c.Duplicating {
		text += " duplicating"
	}
	return text
}

// Role is a kind of processes.
type Role struct {
	Name  string // of the array with their states
	ID    string // of the type of their numbers, 1..Size
	Size  int
	Count *Term    // the size as it is written
	State *Type    // a record
	Named []string // the first of its processes
	decls []*ftdp.Decl
	First int // number of the first of its processes among all of them, from 0
	Pos   diag.Pos
	// Strategy: the role has rules marked byz, and its Byzantine processes send
	// what these say. Otherwise they send anything.
	Strategy bool
	Shared   bool // it is no role: its one process has the global variables
}

// Processes returns how many processes there are.
func (m *Model) Processes() int {
	last := &m.Roles[len(m.Roles)-1]
	return last.First + last.Size
}

// Members returns how many processes there are that are some: what has the global variables is none.
func (m *Model) Members() (n int) {
	for r := range m.Roles {
		if !m.Roles[r].Shared {
			n += m.Roles[r].Size
		}
	}
	return n
}

// RoleOf returns the role of a process and its number there, from 1.
func (m *Model) RoleOf(process int) (role, number int) {
	for r := range m.Roles {
		if process < m.Roles[r].First+m.Roles[r].Size {
			return r, process - m.Roles[r].First + 1
		}
	}
	panic("protocol: no such process")
}

// ParamInfo is a parameter of a transition, at an index of its frame.
type ParamInfo struct {
	Name string
	Type *Type // KindQuorum for quorums
	// For quorums:
	Size    int
	AtLeast bool
	Count   *Term // the size as it is written
}

// Transition is a rule, or an initial state, for all values of its parameters. A frame has a cell for each parameter
// and for each bound variable; quorums are bit sets, bit i-1 for process i.
type Transition struct {
	Label    string
	Pos      diag.Pos
	Params   []ParamInfo
	Executor int // the parameter that is the process that moves; -1 for initial states
	Sender   int // the parameter that is the sender, or the quorum of senders, of what is received; -1 if nothing is
	Strategy bool
	Maybe    bool    // it need not happen
	Restart  bool    // a process forgets what is not stable
	Letters  bool    // it may send two messages to one process
	First    []*Step // of initial states: variables get their first values, before the guard is evaluated
	Guard    *Term   // nil if there is none
	Body     []*Step
	Frame    int // cells
}

// Receives reports whether a message is received.
func (t *Transition) Receives() bool { return t.Sender >= 0 }

// Voluntary reports whether the rule need not happen: those of Byzantine processes, and those that may be left out.
func (t *Transition) Voluntary() bool { return t.Strategy || t.Maybe }

// May reports whether a process of a status executes the rule.
func (t *Transition) May(s Status) bool {
	if t.Strategy {
		return s == Byzantine
	}
	return s == Correct || s == Crash
}

// Quorum reports whether messages of several processes are received at once.
func (t *Transition) Quorum() bool {
	return t.Sender >= 0 && t.Params[t.Sender].Type.Kind == KindQuorum
}

// StepKind says what a Step is.
type StepKind uint8

// The kinds of steps.
const (
	StepAssign StepKind = iota
	StepUndefine
	StepIf   // Conds[i] chooses Blocks[i], the last block if none does
	StepFor  // Var over Range
	StepSend // Blocks[0] writes a message of its own to Target
)

// Step is a resolved statement.
type Step struct {
	Kind   StepKind
	Pos    diag.Pos
	Target *Term // a place
	Value  *Term
	Conds  []*Term
	Blocks [][]*Step
	Var    int
	Range  *Range
	Name   string // of the variable of a StepFor
}

// receiving says who gets what a statement sends: a process of a role, or several.
type receiving struct {
	Role    int
	Several bool
}

// Range is what a bound variable ranges over: a scalar type, a quorum in a cell of the frame, or messages.
type Range struct {
	Type   *Type
	Quorum int // -1 for none
	// Sent are the sender and the receiver of messages, which take as many cells of the
	// frame as a message has; of lemmas only.
	Sent []*Term
}

// Base says where a place is.
type Base uint8

// The bases.
const (
	BaseRole   Base = iota // the state of process Who of Role
	BaseStatus             // its status
	BaseMsg                // the message received: from Who for quorums
	BaseOut                // the message to process Who of Role
	BaseWhole              // the states of all processes of Role
	BaseAbsent             // whether the message received is absent
	BaseOuts               // the messages to all processes of Role
	BaseLet                // what a rule has named, in its frame from Var on
	BaseSent               // the message that the variable Var is
	BaseValue              // Args[0], a value that is put together
)

// Term is a resolved expression.
type Term struct {
	Op    ftdp.Op
	Pos   diag.Pos
	Width int
	Type  *Type  // of its value
	Value int32  // of a Number
	Var   int    // of a Name: cell of the frame
	Const string // of a Number: the constant that is written there, if one is
	Args  []*Term
	Ops   []ftdp.Op
	Range *Range // of a binder
	Name  string // of its variable, as it is written
	Of    *Type  // of a Member
	// A place has Op "place".
	Base    Base
	Role    int
	Who     *Term
	Offset  int
	Indices []Subscript
	element bool // a part of a sequence, which is not written by itself
	Written *Written
}

// variable is a parameter, or bound by a quantifier or for.
type variable struct {
	name string
	typ  *Type
	cell int
	term *Term // what it stands for, if that is a term: of parameters of definitions, and fields
	let  bool  // a rule has named it
	arg  bool  // it is a parameter of a definition
	pos  diag.Pos
}

// OpPlace is the operator of places.
const OpPlace ftdp.Op = "place"

// Subscript is an index into an array inside a place.
type Subscript struct {
	Index  *Term
	Array  *Type
	Stride int
}

// Prop is a property.
type Prop struct {
	Name      string
	Pos       diag.Pos
	Invariant *Term // of states, for invariants
	LTL       *Term // else
	Frame     int
	Fair      []bool     // by rule: weakly fair
	Rounds    *ftdp.Expr // that all have ended where it asks for something; nil if it always does
}

// Lookup returns the property of a name.
func (m *Model) Lookup(name string) *Prop {
	for i := range m.Props {
		if m.Props[i].Name == name {
			return &m.Props[i]
		}
	}
	return nil
}

// Choose returns the properties of these names, each once, or all.
func (m *Model) Choose(names []string) ([]*Prop, error) {
	list, err := spell.Choose(m.File, "property", names, lists.Map(m.Props, func(p Prop) string { return p.Name }))
	return lists.Map(list, m.Lookup), err
}

// Halt is what an enumeration panics with that ends early.
type Halt struct{ Err error }

// Digest names the text of the model.
func (m *Model) Digest() string { return m.Source.Digest() }

// ConstantValues returns the constants by name.
func (m *Model) ConstantValues() map[string]any {
	out := map[string]any{}
	for _, k := range m.Constants {
		if out[k.Name] = any(k.Value); k.Bool {
			out[k.Name] = k.Value != 0
		}
	}
	return out
}

// Differing lists the constants of an instance that are among some, name=value, and of each that is not as in the text
// what it is there. A protocol for all sizes has no values in its text.
func (m *Model) Differing(of func(name string) bool) []string {
	own := map[string]any{}
	if !m.Source.Parameterized() {
		if text, err := m.Remodel(m.Source, nil, false); err == nil {
			own = text.ConstantValues()
		}
	}
	var list []string
	values := m.ConstantValues()
	for _, k := range m.Constants {
		name, v := k.Name, values[k.Name]
		if !of(name) {
			continue
		}
		text := fmt.Sprintf("%s=%v", m.Source.Called(name, ""), v)
		if w, ok := own[name]; ok && w != v {
			text += fmt.Sprintf(" (%v in the text)", w)
		}
		list = append(list, text)
	}
	return list
}

// Param returns where a parameter of a rule is declared; not valid if it is not written.
func (m *Model) Param(rule int, name string) diag.Pos {
	for _, s := range m.Source.Sections {
		for _, r := range s.Rules {
			if r.Label == nil || r.Label.Place() != m.Rules[rule].Pos {
				continue
			}
			for _, p := range r.Params {
				if p.Name.Name == name {
					return p.Name.Place()
				}
			}
			if r.Head != nil && r.Head.From.Name == name {
				return r.Head.From.Place()
			}
		}
	}
	return diag.Pos{}
}

// Declaration returns where a name of one of some kinds is declared; not valid if none is.
func (m *Model) Declaration(name string, kinds ...string) diag.Pos {
	for _, d := range m.Names {
		if d.Name == name && slices.Contains(kinds, d.Kind) {
			return d.Pos
		}
	}
	return diag.Pos{}
}

// Unsupported is a construct that an encoding for solvers cannot say: of an instance, or for every size.
type Unsupported struct {
	Pos   diag.Pos
	Width int
	Msg   string
}

// Error says what it is and where.
func (u *Unsupported) Error() string { return fmt.Sprintf("%s: %s", u.Pos, u.Msg) }

// Problem returns it as a diag.List.
func (u *Unsupported) Problem() error { return diag.Wrong(u.Pos, max(1, u.Width), "%s", u.Msg) }

// With says which instance is spoken of, at the end of a sentence: ", with m=2 n=3", or nothing.
func (m *Model) With() string {
	if a := m.Assignments(); a != "" {
		return ", with " + a
	}
	return ""
}

// Assignments prints the constants: m=2 n=3.
func (m *Model) Assignments() string {
	values := m.ConstantValues()
	return strings.Join(lists.Map(m.Constants,
		func(k Constant) string { return fmt.Sprintf("%s=%v", k.Name, values[k.Name]) }), " ")
}
