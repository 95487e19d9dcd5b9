// Package model is the door to models of all kinds: threshold automata, parametric
// Promela, protocols for all sizes and of fixed size, and what is registered beside them.
//
// Open reads a text; the ending of its file's name says its kind. What a model can do is told by the
// interfaces that it implements: ForAll is verified for all parameters, Fixed is explored in instances, Identified has
// processes with identities. Counterexamples and results are of one type each; what makes a verdict sound (a
// counterexample is one of the text, and not only of what was made of it) is inside.
package model

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/run"
)

// Kind is a kind of models.
type Kind struct {
	// Name is what a model of this kind is, with its article: "a threshold automaton".
	Name string
	// Endings are those of files' names, with the dot, the usual one first. A name may
	// have them in small or large letters.
	Endings []string
	// Open reads a text; file is how the user calls it. Errors of the text are an *InputError.
	Finds bool // Open knows Options.Find
	Open  func(ctx context.Context, file, text string, o Options) (Model, error)
	// Format returns a text in canonical form, also one that Open refuses for its meaning; nil
	// if there is no such form. Its error is a diag.List.
	Format func(file, text string) (string, error)
	// Preprocessed kinds have names in Options.Defines mean something; other texts do not look at them.
	Preprocessed bool
	// IsName reports whether a word can be the name of a model.
	IsName func(string) bool
	// Names lists the names of a text, for editors: where they stand and what they mean, and what could
	// be understood of a text with problems, which are the error. Next says what can come after a text.
	// Of kinds without these editors show problems and verdicts only.
	Names func(file, text string) (*index.Index, error)
	Next  func(text string) index.Wanted
}

var registered struct {
	sync.RWMutex
	kinds []*Kind
}

// Register adds a kind of models: every command and every call of the library has it. The
// first kind is that of texts whose names have no known ending.
func Register(k *Kind) {
	registered.Lock()
	defer registered.Unlock()
	registered.kinds = append(registered.kinds, k)
}

// Kinds lists the kinds of models.
func Kinds() []*Kind {
	registered.RLock()
	defer registered.RUnlock()
	return slices.Clone(registered.kinds)
}

// KindOf returns the kind that a file's name tells, and whether it does.
func KindOf(file string) (*Kind, bool) {
	kinds := Kinds()
	ending := strings.ToLower(filepath.Ext(file))
	for _, k := range kinds {
		if slices.Contains(k.Endings, ending) {
			return k, true
		}
	}
	return kinds[0], false
}

// Endings lists those of all kinds.
func Endings() (list []string) {
	for _, k := range Kinds() {
		list = append(list, k.Endings...)
	}
	return list
}

// Options say how a text is read.
type Options struct {
	// Defines are names for the preprocessor, where a kind has one.
	Defines map[string]string
	// NoFairness has formulas assume no other formulas, where a kind has texts in which they do.
	NoFairness bool
	// Set has values of constants in place of those of the text, where they are part of what it means.
	Set []Setting
	// Listed is for texts that are known to be right, and are asked for names only: what takes long is not checked.
	Listed bool
	// Run is a saved run that will be replayed. Where it names values of constants, and Set does not, it
	// is of the instance that these make.
	Run []byte
	// Find is a condition of states that a run is looked for in which it is true: beside its own, the model gets a
	// specification Sought that says that it never is.
	Find string
}

// Sought is the name of the specification that Options.Find makes.
const Sought = run.Sought

// findFlag is what positions in Options.Find have for a file.
const findFlag = "--find"

// InputError is what is wrong with a text: a diag.List, with the text that its places are in.
type InputError struct {
	Err  error
	Text string
	Run  Counterexample // that leads to the error, if it shows when the model runs
}

// Error returns the first line of every problem.
func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns the problems.
func (e *InputError) Unwrap() error { return e.Err }
