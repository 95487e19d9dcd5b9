package induct

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// outcome is what is known of an invariant: a verdict, or fails for a model that goes
// wrong when it runs.
const fails = "fails"

func byExploring(t *testing.T, m *protocol.Model, p *protocol.Prop, crash string) verdict.Verdict {
	t.Helper()
	r, err := machine.Check(context.Background(), m, []*protocol.Prop{p}, machine.Options{Crash: crash, Bounds: explore.Bounds{Jobs: 1, States: 100_000}})
	var bad *machine.ModelError
	if errors.As(err, &bad) {
		return fails
	}
	if err != nil {
		t.Fatal(err)
	}
	return r[0].Verdict
}

func byInduction(t *testing.T, m *protocol.Model, p *protocol.Prop, o Options, limit time.Duration) (verdict.Verdict, *Result) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	o.Solver = z3.New
	r, err := Prove(ctx, m, p, o)
	var bad *machine.ModelError
	if errors.As(err, &bad) {
		if len(bad.Run.Events) > 0 {
			if err := bad.Run.Check(); err != nil {
				t.Fatalf("the run to an error does not replay: %v", err)
			}
		}
		return fails, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.Verdict, r
}

// TestRandom holds proofs and counterexamples for random protocols against
// exploration, and has each proof checked again without what found it.
func TestRandom(t *testing.T) {
	cases, first := need.Cases(t, 10), need.Seed(t, 0)
	tally := map[verdict.Verdict]int{}
	proofs, every := 0, 0
	for seed := first; seed < first+cases; seed++ {
		text := random.Protocol(rand.New(rand.NewPCG(uint64(seed), 21)))
		m, err := instantiate.Read("random.ftdp", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Props {
			p := &m.Props[i]
			if p.Invariant == nil {
				continue
			}
			crash := []string{"", "explicit"}[seed%2]
			got, r := byInduction(t, m, p, Options{K: 2, Plain: seed%7 == 0, Crash: crash, apart: seed%3 == 0}, 3*time.Second)
			want := byExploring(t, m, p, crash)
			tally[want+", "+got]++
			// A model that goes wrong somewhere may violate the invariant
			// elsewhere, and either may be found first; but nothing holds of it.
			sure := want == machine.Holds || want == machine.Violated || want == fails
			if got == machine.Holds && sure && want != got || got == fails && want == machine.Holds || got == machine.Violated && want == machine.Holds {
				t.Fatalf("seed %d: %s is %s by exploration, %s by induction\n%s", seed, p.Name, want, got, text)
			}
			if got == machine.Violated {
				if err := r.Run.Check(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			switch {
			case got == machine.Holds && r.Every != nil:
				every++
				visit := func(question string, cases [][]*smt.Formula) error { return nil }
				if err := r.Every.File(m).Ask(context.Background(), m, p, r.Options.Implicit, z3.New, visit); err != nil {
					t.Fatalf("seed %d: %s: the proof is not one: %v\n%s", seed, p.Name, err, text)
				}
			case got == machine.Holds:
				proofs++
				if _, err := r.Proof.File().proof().Check(context.Background(), m, p, r.Options, z3.New); err != nil {
					t.Fatalf("seed %d: %s: the proof is not one: %v\n%s", seed, p.Name, err, text)
				}
			}
		}
	}
	if cases >= 10 && proofs == 0 {
		t.Error("nothing was proved")
	}
	t.Logf("exploration, induction: %v; %d proofs tell processes apart, %d do not", tally, proofs, every)
}

// TestSabotage makes mistakes: in encodings, in what refutes candidates, in proofs. Each has
// to be noticed.
func TestSabotage(t *testing.T) {
	read := func(set map[string]int64) (*protocol.Model, *protocol.Prop) {
		text, err := os.ReadFile("../benchmarks/protocols/rb.ftdp")
		if err != nil {
			t.Fatal(err)
		}
		m, err := instantiate.Read("rb.ftdp", string(text), set)
		if err != nil {
			t.Fatal(err)
		}
		return m, m.Lookup("unforgeability")
	}
	m, p := read(nil)
	verdict, r := byInduction(t, m, p, Options{apart: true}, time.Minute)
	if verdict != machine.Holds {
		t.Fatal(verdict, r.Reason)
	}
	check := func(f File) error {
		_, err := f.proof().Check(context.Background(), m, p, r.Options, z3.New)
		return err
	}
	if err := check(r.Proof.File()); err != nil {
		t.Fatal(err)
	}
	t.Run("a lemma too few", func(t *testing.T) {
		for i := range r.Proof.Lemmas {
			f := r.Proof.File()
			f.Lemmas = append(f.Lemmas[:i:i], f.Lemmas[i+1:]...)
			if check(f) == nil {
				t.Errorf("the proof needs no %s, and has it", r.Proof.Lemmas[i].Text())
			}
		}
	})
	t.Run("a literal turned round", func(t *testing.T) {
		for i := range r.Proof.Lemmas {
			f := r.Proof.File()
			literals := append([]Literal(nil), f.Lemmas[i].Literals...)
			literals[0].Not = !literals[0].Not
			f.Lemmas[i].Literals = literals
			if check(f) == nil {
				t.Errorf("%s", f.proof().Lemmas[i].Text())
			}
		}
	})
	t.Run("another instance", func(t *testing.T) {
		// With t = 0 believed and a liar nevertheless, it is violated.
		m, p := read(map[string]int64{"t": 0})
		if _, err := r.Proof.File().proof().Check(context.Background(), m, p, r.Options, z3.New); err == nil {
			t.Error("a proof for one traitor was accepted for t = 0")
		}
		if got, _ := byInduction(t, m, p, Options{apart: true}, time.Minute); got != machine.Violated {
			t.Errorf("with a liar too many: %s", got)
		}
	})
	t.Run("no samples", func(t *testing.T) {
		// Candidates that are not refuted are tried by the solver: it takes longer, and
		// nothing false is proved.
		defer func(n int) { sampleKept = n }(sampleKept)
		sampleKept = 1
		for seed := range need.Cases(t, 4) {
			text := random.Protocol(rand.New(rand.NewPCG(uint64(seed), 22)))
			m, err := instantiate.Read("random.ftdp", text, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.Props {
				p := &m.Props[i]
				if p.Invariant == nil {
					continue
				}
				if got, _ := byInduction(t, m, p, Options{K: 1}, time.Second); got == machine.Holds && byExploring(t, m, p, "") != machine.Holds {
					t.Errorf("seed %d: %s was proved\n%s", seed, p.Name, text)
				}
			}
		}
	})
	t.Run("a step forgotten", func(t *testing.T) {
		text, err := os.ReadFile("../benchmarks/protocols/bakery.ftdp")
		if err != nil {
			t.Fatal(err)
		}
		m, err := instantiate.Read("bakery.ftdp", string(text)+"invariant asleep: forall (i: procID) proc[i].pc = SLEEPING;\n", nil)
		if err != nil {
			t.Fatal(err)
		}
		p := m.Lookup("asleep")
		x, err := encode.New(m, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x.Steps = slices.DeleteFunc(x.Steps, func(s *encode.Step) bool { return m.Rules[s.Rule].Label == "take" })
		r := &Result{Verdict: machine.Unknown}
		o := Options{Solver: z3.New, K: 1, Plain: true, Progress: func(string) {}}
		if err := prove(context.Background(), x, p, o, r); err != nil {
			t.Fatal(err)
		}
		if r.Verdict != machine.Holds {
			t.Fatalf("without the rule that wakes processes, they sleep: %s", r.Verdict)
		}
		if _, err := r.Proof.Check(context.Background(), m, p, r.Options, z3.New); err == nil {
			t.Error("a proof that forgets a rule was accepted")
		}
	})
}
