package tacheck_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/review"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// BenchmarkSuite verifies every specification of the ten algorithms with the
// default options: what a user waits for, without the start of processes, and
// the verdicts alone. `go test . -run '^$' -bench Suite -cpuprofile cpu.out`
// shows where time goes.
func BenchmarkSuite(b *testing.B) {
	var models []*ta.Automaton
	for _, name := range benchmarks.Names() {
		if !strings.HasPrefix(name, "broken/") {
			models = append(models, mustParse(b, name))
		}
	}
	for name, decide := range map[string]verify.Func{"reviewed": review.Verify, "verdicts": verify.Decide} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, a := range models {
					for i := range a.Specs {
						if _, err := decide(context.Background(), a, &a.Specs[i], verify.Options{}); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		})
	}
}

func mustParse(b *testing.B, name string) *ta.Automaton {
	a, err := benchmarks.Parse(name)
	if err != nil {
		b.Fatal(err)
	}
	return a
}
