package suite

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// proofs of a text with rounds, and answers to questions about its rounds, each of which is asked once.
type proofs struct {
	a       *ta.Automaton
	d       *rounds.Decider
	of      map[string]*rounds.Proof // of what holds
	answers map[string]answered
}

type answered struct {
	r   *verify.Result
	err error
}

func newProofs(t *testing.T, file, text string) *proofs {
	t.Helper()
	m, err := model.Open(context.Background(), file, text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.(model.ForAll).Automaton(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d, err := rounds.NewDecider(a.Automaton)
	if err != nil {
		t.Fatal(err)
	}
	return &proofs{a.Automaton, d, map[string]*rounds.Proof{}, map[string]answered{}}
}

// prove is the error of a proof, which may be none.
func (x *proofs) prove(spec string, p *rounds.Proof) error {
	err := x.d.Prove(context.Background(), spec, p, func(ctx context.Context, a *ta.Automaton, s *ta.Spec, o verify.Options) (*verify.Result, error) {
		key := syntax.Format(a.Syntax()) + s.Formula.String()
		known, ok := x.answers[key]
		if !ok {
			o.KeepFirst, o.NoCount = true, true
			known.r, known.err = verify.Decide(ctx, a, s, o)
			x.answers[key] = known
		}
		return known.r, known.err
	})
	return err
}

// changed is a proof that was changed at random, in one place or two; from another one, or another fixpoint of the same, if that is not nil.
func changed(r *rand.Rand, p, other *rounds.Proof, borders []string) *rounds.Proof {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	out := &rounds.Proof{}
	if err := json.Unmarshal(text, out); err != nil {
		panic(err)
	}
	for range 1 + r.IntN(2) {
		changeProof(r, out, other, borders)
	}
	return out
}

func changeProof(r *rand.Rand, p, other *rounds.Proof, borders []string) {
	if r.IntN(8) == 0 || len(p.Fixpoints) == 0 {
		switch r.IntN(4) {
		case 0:
			p.Division += 1 - 2*r.IntN(2)
		case 1:
			p.Fixpoints = p.Fixpoints[:len(p.Fixpoints)/2]
		case 2:
			p.Fixpoints = append(p.Fixpoints, other.Fixpoints...)
		case 3:
			*p = *other
		}
		return
	}
	f := &p.Fixpoints[r.IntN(len(p.Fixpoints))]
	if r.IntN(8) == 0 {
		f.Bounds += r.IntN(5) - 2
		return
	}
	if len(f.States) == 0 {
		return
	}
	i := r.IntN(len(f.States))
	switch r.IntN(6) {
	case 0:
		f.States = slices.Delete(f.States, i, i+1)
	case 1:
		g := other.Fixpoints[r.IntN(len(other.Fixpoints))]
		if len(g.States) > 0 {
			f.States[i] = g.States[r.IntN(len(g.States))]
		}
	case 2:
		f.States = append(f.States, f.States[i])
		changeState(r, &f.States[len(f.States)-1], borders)
	default:
		changeState(r, &f.States[i], borders)
	}
}

// changeState changes one thing that a state says.
func changeState(r *rand.Rand, s *rounds.State, borders []string) {
	drop := func(list []int) []int {
		if len(list) == 0 {
			return list
		}
		i := r.IntN(len(list))
		return slices.Concat(list[:i], list[i+1:])
	}
	switch r.IntN(8) {
	case 0, 1:
		if len(s.At) > 0 {
			i := r.IntN(len(s.At))
			s.At = slices.Concat(s.At[:i], s.At[i+1:])
		}
	case 2:
		at := map[string]bool{borders[r.IntN(len(borders))]: true}
		for _, b := range s.At {
			at[b] = true
		}
		s.At = slices.DeleteFunc(slices.Clone(borders), func(b string) bool { return !at[b] })
	case 3:
		s.At = borders
	case 4:
		s.Shown = drop(s.Shown)
	case 5:
		s.Shown = []int{r.IntN(2)}
	case 6:
		s.Many = drop(s.Many)
	case 7:
		s.Early = !s.Early
	}
}

// TestMutatedProofsOfRounds: proofs of what holds in all rounds, of algorithms as they are, prove nothing of the same algorithms with a mistake, as they are and
// changed at random; and of what does not hold nothing is proved by changing what proves something else.
func TestMutatedProofsOfRounds(t *testing.T) {
	cases := need.Cases(t, 40)
	for _, a := range benchmarks.ExpectedRounds() {
		if !all(t) && a.File != "flooding.ftdp" {
			continue
		}
		text, _ := benchmarks.Read("rounds/" + a.File)
		t.Run(a.File, func(t *testing.T) {
			right := newProofs(t, a.File, text)
			var borders []string
			for _, b := range right.a.Rounds.Borders() {
				borders = append(borders, right.a.Locations[b].Name)
			}
			for _, spec := range a.Holds {
				r, err := right.d.Decide(context.Background(), spec, verify.Options{})
				if err != nil || r.Proof == nil {
					t.Fatal(spec, err)
				}
				right.of[spec] = r.Proof
				if err := right.prove(spec, r.Proof); err != nil {
					t.Errorf("%s: %v", spec, err)
				}
			}
			forge(t, right, right, a.Holds, slices.Concat(a.Violated, a.Unknown), borders, cases)
			refuted := 0
			for _, m := range a.Broken {
				wrong := newProofs(t, a.File, mistaken(t, text, m.Edits))
				forge(t, right, wrong, a.Holds, slices.Concat(m.Violated, m.Unknown), borders, cases)
				refuted++
			}
			t.Logf("%d mistakes, %d questions", refuted, len(right.answers))
		})
	}
}

// forge tries to prove what is not so by proofs of what is.
func forge(t *testing.T, right, wrong *proofs, holds, specs, borders []string, cases int) {
	t.Helper()
	for i, spec := range specs {
		r := rand.New(rand.NewPCG(28, uint64(i)))
		original := right.of[holds[0]]
		if p := right.of[spec]; p != nil {
			original = p
		}
		for n := range cases {
			p := original
			if n > 0 {
				p = changed(r, original, right.of[holds[r.IntN(len(holds))]], borders)
			}
			var unproved rounds.Unproved
			switch err := wrong.prove(spec, p); {
			case err == nil:
				text, _ := json.Marshal(p)
				t.Errorf("%s: what does not hold is proved: %s", spec, text)
			case !errors.As(err, &unproved):
				t.Errorf("%s: %v", spec, err)
			}
		}
	}
}
