package promela_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/counters"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	"github.com/tacheck/tacheck/verify"
)

// slowSeed makes a text of TestRandom that takes as long as all others of `make test`: it is for `make more`.
const slowSeed = 3

// TestRandom holds the verdicts on random processes against what the interpreter
// finds in all instances with parameters up to 4 (fewer where they are large).
func TestRandom(t *testing.T) {
	cases := need.Cases(t, 20)
	sum := randomly(t, cases, func(seed int) outcome {
		if seed == slowSeed && cases < 20 {
			return outcome{}
		}
		generate := random.Promela
		if seed%2 == 0 {
			generate = random.PromelaVaried
		}
		return decided(seed, generate(rand.New(rand.NewSource(int64(seed)))))
	})
	if cases >= 20 && (sum.holds == 0 || sum.violated == 0) {
		t.Error("the cases are one-sided")
	}
}

// TestMixed explores what is said to hold of processes that compare shared variables
// with both signs, up to N = 5 where that is possible. Only the first automaton is
// asked, and counterexamples are not made runs: what holds is what matters here.
func TestMixed(t *testing.T) { automata(t, need.Cases(t, 20), random.PromelaMixed, false, 5) }

// TestBits explores what is said to hold of processes that take quotients, rests and bits of numbers.
func TestBits(t *testing.T) { automata(t, need.Cases(t, 20), random.PromelaBits, false, 3) }

// TestSums explores what is said to hold of processes that compare sums of what they have received, by automata
// with cells of such sums.
func TestSums(t *testing.T) { automata(t, need.Cases(t, 12), random.PromelaSums, true, 4) }

// automata asks automata of so many random texts.
func automata(t *testing.T, cases int, generate func(*rand.Rand) string, precise bool, most int64) {
	sum := randomly(t, cases, func(seed int) (out outcome) {
		text := generate(rand.New(rand.NewSource(int64(seed))))
		m, err := promela.Parse("random.pml", text, nil)
		if err == nil {
			err = out.oneAutomaton(m, precise, most)
		}
		if err != nil {
			out.what = fmt.Sprintf("seed %d: %v\n%s", seed, err, text)
		}
		return out
	})
	if cases >= 12 && (sum.holds == 0 || sum.violated == 0) {
		t.Error("the cases are one-sided")
	}
}

// oneAutomaton decides the formulas of a model without asking whether
// counterexamples are runs, and explores instances with N up to most if they hold.
func (o *outcome) oneAutomaton(m *promela.Model, precise bool, most int64) error {
	ctx := context.Background()
	tr, err := counters.Translate(ctx, m, precise)
	if err != nil {
		return err
	}
	a, err := ta.Resolve(m.File, tr.Tree)
	if err != nil {
		return err
	}
	if o.refused = len(tr.Outside); len(tr.Inexact) == 0 {
		o.why = append(o.why, "exact")
	}
	if slices.ContainsFunc(a.Shared, func(x ta.Name) bool { return strings.Contains(x.Name, "_minus_") }) {
		o.why = append(o.why, "differences")
	}
	for i := range a.Specs {
		r, err := verify.Decide(ctx, a, &a.Specs[i], verify.Options{Timeout: 2500 * time.Millisecond})
		if err != nil {
			return err
		}
		switch r.Verdict {
		case verify.Violated:
			o.violated++
		case verify.Unknown:
			o.unknown++
		case verify.Holds:
			o.holds++
			violated, explored, large, err := smallest(m, tr.Decided[i], most)
			o.explored, o.large = o.explored+explored, o.large+large
			if err == nil && violated != nil {
				err = fmt.Errorf("%s holds, but is violated with %v", tr.Decided[i].Name, violated)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// outcome is what became of formulas, and how many instances were explored for them.
type outcome struct {
	what                                               string
	holds, violated, unknown, refused, explored, large int
	why                                                []string
}

// randomly adds up what becomes of random cases.
func randomly(t *testing.T, cases int, try func(seed int) outcome) (sum outcome) {
	seed := need.Seed(t, 1)
	reasons := map[string]int{}
	ordered.Do(cases, runtime.NumCPU(), func() {},
		func(i int) outcome { return try(seed + i) },
		func(_ int, o outcome) bool {
			sum.holds, sum.violated, sum.unknown, sum.refused = sum.holds+o.holds, sum.violated+o.violated,
				sum.unknown+o.unknown, sum.refused+o.refused
			sum.explored, sum.large = sum.explored+o.explored, sum.large+o.large
			for _, v := range o.why {
				v, _, _ = strings.Cut(v, ", and no other run")
				if before, place, cut := strings.Cut(v, " (random.pml"); cut {
					_, place, _ = strings.Cut(place, ": ")
					v = before + ": " + place
				}
				reasons[v]++
			}
			if o.what != "" {
				t.Error(o.what)
			}
			return o.what == ""
		})
	t.Logf("%d cases: %d formulas hold, %d are violated, %d unknown, %d outside the fragment; %d instances explored, "+
		"%d too large %v",
		cases, sum.holds, sum.violated, sum.unknown, sum.refused, sum.explored, sum.large, reasons)
	return sum
}

// decided decides the formulas of a text, and explores its instances.
func decided(seed int, text string) (out outcome) {
	fail := func(format string, args ...any) {
		out.what = fmt.Sprintf("seed %d: %s\n%s", seed, fmt.Sprintf(format, args...), text)
	}
	m, err := promela.Parse("random.pml", text, nil)
	if err != nil {
		fail("%v", err)
		return out
	}
	verdicts, err := verdicts(m)
	if err != nil {
		fail("%v", err)
		return out
	}
	for k := range m.Formulas {
		f := &m.Formulas[k]
		violated, explored, large, err := smallest(m, f, 4)
		out.explored, out.large = out.explored+explored, out.large+large
		switch v := verdicts[f.Name]; {
		case err != nil:
			fail("%v", err)
		case v == "holds" && violated != nil:
			fail("%s holds, but is violated with %v", f.Name, violated)
		case v == "holds":
			out.holds++
		case v == "violated":
			out.violated++
		case v == "outside":
			out.refused++
		default:
			out.unknown++
			out.why = append(out.why, v)
		}
	}
	return out
}

// smallest explores instances with N up to most and returns the parameters of one that violates a formula.
func smallest(m *promela.Model, f *promela.Named, most int64) (params []int64, explored, large int, err error) {
	for n := int64(1); n <= most; n++ {
		for tt := range n + 2 {
			for ff := range tt + 1 {
				in, bad := m.NewInstance([]int64{n, tt, ff})
				if bad != nil {
					continue
				}
				e, err := m.Explore(context.Background(), f, in, 5_000)
				switch {
				case errors.Is(err, explore.ErrTooLarge), errors.Is(err, promela.ErrCut):
					large++
				case err != nil:
					return nil, explored, large, err
				case e.Run != nil:
					return []int64{n, tt, ff}, explored, large, nil
				default:
					explored++
				}
			}
		}
	}
	return nil, explored, large, nil
}
