package tacheck_test

import (
	"context"
	"strings"
	"testing"

	"tacheck"
	"tacheck/benchmarks"
	"tacheck/ta"
	"tacheck/verify"
)

// BenchmarkSuite verifies every specification of the ten algorithms with the
// default options: what a user waits for, without the start of processes, and
// the verdicts alone. `go test . -run '^$' -bench Suite -cpuprofile cpu.out`
// shows where time goes.
func BenchmarkSuite(b *testing.B) {
	var models []*ta.Automaton
	for _, name := range benchmarks.Names() {
		if !strings.HasPrefix(name, "broken/") {
			models = append(models, read(name))
		}
	}
	for name, decide := range map[string]verify.Func{"reviewed": tacheck.Verify, "verdicts": verify.Decide} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for _, a := range models {
					for i := range a.Specs {
						if _, err := decide(context.Background(), a, &a.Specs[i], tacheck.Options{}); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		})
	}
}
