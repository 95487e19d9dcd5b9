//go:build !cgo

// Package z3 is the solver Z3 in process, through libz3. This build was made
// without cgo and does not hold it.
package z3

import (
	"errors"

	"github.com/tacheck/tacheck/smt"
)

// Available says whether this build holds the solver.
const Available = false

// New fails: use a solver over a pipe instead.
func New() (smt.Solver, error) {
	return nil, errors.New("this build has no solver of its own: use --solver z3-pipe or cvc5")
}

// Version returns "": there is no library.
func Version() string { return "" }
