package verify

import (
	"context"
	"math/big"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/ltl"
	"github.com/tacheck/tacheck/schedule"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/witness"
)

// The suite's smallest and largest members.
var sizes = []struct{ file, spec string }{{"rb.ta", "relay"}, {"cbc.ta", "termination"}, {"cf1s.ta", "fast0"}}

func load(b *testing.B, file string) *ta.Automaton {
	a, err := benchmarks.Parse(file)
	if err != nil {
		b.Fatal(err)
	}
	return a
}

// problem prepares the search for a counterexample.
func problem(b *testing.B, s smt.Solver, a *ta.Automaton, spec string) *schedule.Problem {
	f, err := ltl.Parse(a, a.SpecNamed(spec))
	if err != nil {
		b.Fatal(err)
	}
	trees, err := ltl.Canonical(ltl.Negate(f))
	if err != nil {
		b.Fatal(err)
	}
	p, err := schedule.NewProblem(context.Background(), s, a, trees[0], false)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func BenchmarkParse(b *testing.B) {
	for _, size := range sizes {
		text, _ := benchmarks.Read(size.file)
		b.Run(size.file, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := ta.Parse(size.file, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCount counts lasso shapes.
func BenchmarkCount(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.file, func(b *testing.B) {
			s := start(b)
			p := problem(b, s, load(b, size.file), size.spec)
			var n *big.Int
			for b.Loop() {
				n = p.Paper.Count(context.Background())
			}
			b.ReportMetric(float64(len(n.String())), "digits")
		})
	}
}

// start starts a solver for the length of a benchmark.
func start(b *testing.B) smt.Solver {
	s, err := z3.New()
	if err != nil {
		b.Skip(err) // the public corpus is not beside the project
	}
	b.Cleanup(func() { s.Close() })
	return s
}

// BenchmarkThresholds orders the thresholds.
func BenchmarkThresholds(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.file, func(b *testing.B) {
			s, a := start(b), load(b, size.file)
			for b.Loop() {
				problem(b, s, a, size.spec)
			}
		})
	}
}

// silent is a solver that takes everything and knows nothing.
type silent struct{}

func (silent) Push()                                      {}
func (silent) Pop()                                       {}
func (silent) Assert(*smt.Formula)                        {}
func (silent) Check(context.Context) (smt.Answer, error)  { return smt.Answer{}, nil }
func (silent) Values(vars []*smt.Var) ([]*big.Int, error) { return make([]*big.Int, len(vars)), nil }
func (silent) Close() error                               { return nil }
func (silent) Name() string                               { return "silent" }

// BenchmarkEncode builds the query of the symbolic search, and BenchmarkSolve
// has it solved, too.
func BenchmarkEncode(b *testing.B) {
	query(b, func(*testing.B, smt.Solver) smt.Solver { return silent{} })
}

func BenchmarkSolve(b *testing.B) {
	query(b, func(_ *testing.B, s smt.Solver) smt.Solver { return s })
}

func query(b *testing.B, with func(*testing.B, smt.Solver) smt.Solver) {
	for _, size := range sizes {
		for _, encoding := range schedule.Encodings {
			b.Run(size.file+"/"+encoding.Name(), func(b *testing.B) {
				s := start(b)
				p := problem(b, s, load(b, size.file), size.spec)
				for b.Loop() {
					if _, err := schedule.Symbolic.Run(context.Background(), schedule.Workers{Main: with(b, s)}, p, encoding); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkWalk goes through the first shapes.
func BenchmarkWalk(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.file, func(b *testing.B) {
			p := problem(b, start(b), load(b, size.file), size.spec)
			for b.Loop() {
				n := 0
				for range p.Paper.Shapes() {
					if n++; n == 1000 {
						break
					}
				}
			}
		})
	}
}

// BenchmarkReplay replays counterexamples.
func BenchmarkReplay(b *testing.B) {
	for _, size := range []struct{ file, spec string }{{"broken/rb-n3t.ta", "relay"}, {"broken/cbc-n2t.ta", "termination"}} {
		b.Run(size.file, func(b *testing.B) {
			a := load(b, size.file)
			spec := a.SpecNamed(size.spec)
			r, err := Decide(context.Background(), a, spec, Options{})
			if err != nil || r.Verdict != Violated {
				b.Fatal(r, err)
			}
			for b.Loop() {
				if _, err := witness.Check(a, spec, r.Witness.Run); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
