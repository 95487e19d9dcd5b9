package witness

import (
	"math/big"
	"slices"

	"github.com/tacheck/tacheck/internal/shorten"
	"github.com/tacheck/tacheck/ta"
)

// Shorten returns a witness with fewer steps, or smaller factors, if it finds one: it leaves steps out, puts two of one
// rule together, and makes factors 1, and keeps what is still accepted as a counterexample. No solver is asked.
func Shorten(w *Witness, spec *ta.Spec) *Witness {
	try := func(run *ta.Run) bool {
		shorter, err := Check(w.Automaton, spec, run)
		if err == nil {
			w = shorter
		}
		return err == nil
	}
	for improved := len(w.Run.Steps) <= shorten.Most; improved; {
		shorten.Run(w.Run.Steps, w.Run.Loop, func(steps []ta.Transition, loop int) bool {
			return try(&ta.Run{Start: w.Run.Start, Steps: steps, Loop: loop})
		})
		improved = false
		for run := range candidates(w.Run) {
			if improved = try(run); improved {
				break
			}
		}
	}
	return w
}

// candidates yields runs that are smaller than run: with two steps of the same rule made one, or with a factor of 1.
func candidates(run *ta.Run) func(yield func(*ta.Run) bool) {
	return func(yield func(*ta.Run) bool) {
		n := len(run.Steps)
		for i := range n {
			for j := i + 1; j < n; j++ {
				if run.Steps[i].Rule != run.Steps[j].Rule || run.Loop != ta.Finite && i < run.Loop && j >= run.Loop {
					continue
				}
				sum := new(big.Int).Add(run.Steps[i].Factor, run.Steps[j].Factor)
				if !yield(without(withFactor(run, i, sum), j)) || !yield(without(withFactor(run, j, sum), i)) {
					return
				}
			}
		}
		one := big.NewInt(1)
		for i, s := range run.Steps {
			if s.Factor.Cmp(one) > 0 && !yield(withFactor(run, i, one)) {
				return
			}
		}
	}
}

// without returns run without its i-th step.
func without(run *ta.Run, i int) *ta.Run {
	out := &ta.Run{Start: run.Start, Loop: run.Loop, Steps: slices.Delete(slices.Clone(run.Steps), i, i+1)}
	if i < run.Loop {
		out.Loop--
	}
	return out
}

// withFactor returns run with another factor at its i-th step.
func withFactor(run *ta.Run, i int, k *big.Int) *ta.Run {
	out := &ta.Run{Start: run.Start, Loop: run.Loop, Steps: append([]ta.Transition(nil), run.Steps...)}
	out.Steps[i].Factor = k
	return out
}
