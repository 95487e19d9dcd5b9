package certificate

import (
	"context"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// liar is a solver that a forger of a certificate can pretend to have had: other solvers
// repeat what it says of satisfiability, but not that it knows no answer, nor its models.
type liar struct {
	smt.Solver
	r     *rand.Rand
	knows float64 // how often it says what it knows
	trust float64 // and how often values are those of a model
}

func (l *liar) Check(ctx context.Context) (smt.Answer, error) {
	a, err := l.Solver.Check(ctx)
	if err == nil && l.r.Float64() > l.knows {
		return smt.Answer{Reason: "unknown"}, nil
	}
	return a, err
}

func (l *liar) Values(vars []*smt.Var) ([]*big.Int, error) {
	list, err := l.Solver.Values(vars)
	if err != nil {
		list = make([]*big.Int, len(vars))
	}
	for i := range list {
		if list[i] == nil || l.r.Float64() > l.trust {
			list[i] = big.NewInt(int64(l.r.IntN(7)) - 2)
			if l.r.IntN(20) == 0 {
				list[i] = new(big.Int).Lsh(big.NewInt(int64(1-2*l.r.IntN(2))), 70)
			}
		}
	}
	return list, nil
}

// TestLiar: with unknown answers and wrong models wherever a forger likes, no
// specification holds that is violated, whatever the search.
func TestLiar(t *testing.T) {
	wrong := map[verify.Verdict]int{}
	for name, spec := range map[string]string{"broken/rb-n3t.ta": "relay", "broken/rb-f1.ta": "correctness", "broken/nbac-unfair.ta": "termination"} {
		a, err := benchmarks.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, search := range verify.SearchNames {
			for k, encoding := range verify.EncodingNames {
				for n := range need.Cases(t, 3) {
					seed := uint64(n + 2*i + 3*k) // of all kinds of liars, whatever the number
					r := rand.New(rand.NewPCG(seed, 1))
					o := verify.Options{Search: search, Encoding: encoding, OneSolver: true, NoSimplify: seed%2 == 0, Timeout: 3 * time.Second,
						Start: func() (smt.Solver, error) {
							s, err := z3.New()
							return &liar{s, r, []float64{1, 0.9, 0.5}[seed%3], []float64{0, 0.9}[seed%2]}, err
						}}
					got, err := verify.Decide(context.Background(), a, a.SpecNamed(spec), o)
					if err != nil {
						if strings.Contains(err.Error(), "goroutine") || strings.Contains(err.Error(), "runtime error") {
							t.Errorf("%s, %s, %s, seed %d: %v", name, search, encoding, seed, err)
						}
						wrong["error"]++
						continue
					}
					wrong[got.Verdict]++
					if got.Verdict == verify.Holds {
						t.Errorf("%s, %s, %s, seed %d: %s holds", name, search, encoding, seed, spec)
					}
				}
			}
		}
	}
	t.Log(wrong)
}
