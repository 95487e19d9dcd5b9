package model

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/verify"
)

// Model is a text that was read, whatever kind of model it is.
type Model interface {
	// File is how the user calls it.
	File() string
	// Text is what was read: all places are in it.
	Text() string
	// What says in a few words what it is: "a protocol of fixed size".
	What() string
	// Specs lists the specifications in the order of the text.
	Specs() []Spec
	// Warnings are about the text.
	Warnings() diag.List
	// Replay reads a saved run and replays it, step by step, without a solver, by code that
	// shares nothing with what finds runs. The error says why it is none of this model.
	Replay(data []byte) (Counterexample, error)
}

// Spec is something that a model is said to satisfy.
type Spec struct {
	Name string
	Pos  diag.Pos // of its name, in the model's text
	Sort Sort
}

// Sort is what a specification is; its values are what is printed.
type Sort string

// The sorts.
const (
	specification Sort = "specification"
	formula       Sort = "formula"
	invariant     Sort = "invariant"
)

// ForAll is a model that is verified for all admissible parameters, by an automaton.
type ForAll interface {
	Model
	// Automaton returns the automaton that decides it: of an automaton itself, else one that the
	// text is translated to, once. The error is an *InputError, or a *NoAutomaton.
	Automaton(ctx context.Context) (*Automaton, error)
	// Ask prepares to verify the specifications with these names, or all; under the assumption of reliable
	// communication if fair is not nil. Errors are those of Automaton, or say that there is no such specification.
	Ask(ctx context.Context, names []string, fair *review.FairnessOptions) (*Question, error)
}

// Fixed is a model whose instances can be explored.
type Fixed interface {
	Model
	// Parameters lists what gives an instance its size.
	Parameters() []Parameter
	// Instance fixes the parameters. Those without a value have their own, if they have one.
	Instance(ctx context.Context, set []Setting) (Instance, error)
	// Instances lists the admissible instances with parameters up to a bound.
	Instances(ctx context.Context, upTo int64) ([]Instance, error)
}

// Parameter is a parameter or a constant of a model.
type Parameter struct {
	Name  string
	Truth bool     // it is true or false
	Value *big.Int // that it has if it is given none; nil if it must be given one
}

// Setting is a value that a user gives to a parameter.
type Setting struct {
	Name  string
	Value int64
	Truth bool // it was given as true or false
}

// Value is a parameter with its value in an instance.
type Value = run.Value

// Instance is a model with fixed parameters.
type Instance interface {
	// Values lists the parameters, and constants, in the order of the text.
	Values() []Value
	// Explore visits every state that can be reached, and decides the specifications with these names, or all. The
	// error is an *InputError if the model goes wrong somewhere, or ErrNoStart.
	Explore(ctx context.Context, specs []string, o Exploring) ([]*Result, error)
	// Walk steps through the instance by hand, and jumps to the runs that were found.
	Walk(ctx context.Context, found []*Result) (hand.Subject, error)
}

// Profiled is an instance that says what its states are many for, as they are counted for some specifications, or all.
type Profiled interface {
	Instance
	Profile(ctx context.Context, specs []string, o Exploring) (*explore.Profile, error)
}

// Exploring says how to explore. What a kind of models has no use for is ignored.
type Exploring struct {
	// Machine says how processes with identities are explored, and has for all kinds bounds (of
	// states of each instance, threads, memory), and which rules runs do not use.
	Machine machine.Options
}

// DefaultStates is how many states of an instance are visited where no bound is given, and all
// instances up to one are asked for.
const DefaultStates = explore.DefaultStates

// Identified is a model whose processes have identities, for fixed sizes: invariants can be proved
// by induction, violations looked for by swarms, runs drawn as charts.
type Identified interface {
	Model
	// Protocol returns the protocol of an instance.
	Protocol(ctx context.Context, set []Setting) (*protocol.Model, error)
}

// Unrolling is a model of rounds: of so many, it is Identified.
type Unrolling interface {
	Model
	// Unrolled returns the model of as many rounds as settings say, and the settings of that.
	Unrolled(set []Setting) (Identified, []Setting, error)
}

// linter is a model that says what is probably not meant; of others, their automaton is asked.
type linter interface {
	lint(ctx context.Context, o verify.Options) (diag.List, error)
}

// inspected is a model that is checked for more than warnings before anything is asked: problems of
// specifications, and hints at what makes deciding slower.
type inspected interface {
	Inspect() diag.List
}

// Inspect lists what is to be said of a text that was read.
func Inspect(m Model) diag.List {
	list := slices.Clone(m.Warnings())
	if x, ok := m.(inspected); ok {
		list = append(list, x.Inspect()...)
	}
	return list
}

// base is what all models have.
type base struct {
	file, text, what string
	warnings         diag.List
	find             string // Options.Find
}

func (b *base) File() string        { return b.file }
func (b *base) Text() string        { return b.text }
func (b *base) What() string        { return b.what }
func (b *base) Warnings() diag.List { return b.warnings }

// wrong is an error with the text that its places are in.
func (b *base) wrong(err error) error {
	if err == nil {
		return nil
	}
	return wrongIn(err, b.text, b.find)
}

// wrongIn is an error with the text that its places are in: that of a model, or of a condition that is looked for.
func wrongIn(err error, text, find string) *InputError {
	if list := (diag.List)(nil); errors.As(err, &list) && len(list) > 0 && list[0].Pos.File == findFlag {
		text = find
	}
	return &InputError{Err: err, Text: text}
}

// Freed is a model that has an automaton which makes no use of what the text assumes of its
// parameters: under other assumptions it is the model's, too.
type Freed interface {
	Free(ctx context.Context) (*Automaton, error)
}
