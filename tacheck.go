// Package tacheck verifies fault-tolerant distributed algorithms for every
// number of processes, every bound on faults and every actual number of
// faults. It decides whether a threshold automaton satisfies a temporal
// specification, and gives a counterexample, replayed step by step, if not.
//
//	a, err := tacheck.Parse("rb.ta", text)
//	...
//	result, err := tacheck.Verify(ctx, a, a.SpecNamed("correctness"), tacheck.Options{})
//	fmt.Println(result.Verdict)
//
// This is the face of the library: the calls and types that its users need.
// What they do is in the packages ta (automata), ltl (specifications), verify
// (deciding), witness (counterexamples), review (does the model mean what it
// says?) and explore (one instance, state by state), which may be used as well.
package tacheck

import (
	"context"
	"math/big"

	"tacheck/explore"
	"tacheck/internal/diag"
	"tacheck/review"
	"tacheck/ta"
	"tacheck/verify"
	"tacheck/witness"
)

// What calls take and return.
type (
	Automaton       = ta.Automaton
	Spec            = ta.Spec
	Options         = verify.Options
	Result          = verify.Result
	Verdict         = verify.Verdict
	Witness         = witness.Witness
	Exploration     = explore.Exploration
	Fairness        = review.Fairness
	FairnessOptions = review.FairnessOptions
	Problems        = diag.List // what is wrong with a model, with positions
)

// The verdicts.
const (
	Holds    = verify.Holds    // for all admissible parameters
	Violated = verify.Violated // by Result.Witness, which has been replayed
	Unknown  = verify.Unknown  // for Result.Reason
)

// Parse reads and checks the text of a model; name is used in messages. Its
// error is of type Problems.
func Parse(name, text string) (*Automaton, error) { return ta.Parse(name, text) }

// Verify decides whether a specification of an automaton holds, and if so
// whether it does for a bad reason, such as premises that nothing satisfies
// (Result.Warnings).
//
// Its error is of type Problems if the specification is outside the fragment
// or the automaton admits no run at all; anything else means that the program
// or a solver broke. Running out of time is not an error but a Result with
// verdict Unknown, and so is a cancelled ctx.
func Verify(ctx context.Context, a *Automaton, spec *Spec, o Options) (*Result, error) {
	return review.Verify(ctx, a, spec, o)
}

// VerifyAll verifies specifications, Options.Jobs at a time, and calls report
// with each outcome in their order; it stops if report returns false.
func VerifyAll(ctx context.Context, a *Automaton, specs []*Spec, o Options, report func(*Spec, *Result, error) bool) error {
	return verify.All(ctx, a, specs, o, review.Verify, report)
}

// ReadWitness reads a witness file and checks it: every step, and that the run
// violates the specification. It uses no solver.
func ReadWitness(a *Automaton, text []byte) (*Witness, error) { return witness.Read(a, text) }

// Explore decides a specification for fixed parameters by visiting every
// configuration, up to a limit of states (0: a million). It uses no solver.
func Explore(ctx context.Context, a *Automaton, spec *Spec, params []*big.Int, states int) (*Exploration, error) {
	return explore.Decide(ctx, a, spec, params, states)
}

// Lint looks for what is probably not meant.
func Lint(ctx context.Context, a *Automaton, o Options) (Problems, error) {
	return review.Lint(ctx, a, o)
}

// NewFairness derives the assumption of reliable communication from the rules.
func NewFairness(a *Automaton, o FairnessOptions) (*Fairness, error) {
	return review.NewFairness(a, o)
}
