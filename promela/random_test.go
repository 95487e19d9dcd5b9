package promela_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"strings"
	"testing"

	"tacheck/explore"
	"tacheck/internal/need"
	"tacheck/internal/ordered"
	"tacheck/internal/random"
	"tacheck/promela"
)

// TestRandom holds the verdicts on random processes against what the interpreter
// finds in all instances with parameters up to 4 (fewer where they are large).
func TestRandom(t *testing.T) {
	cases, seed := need.Cases(t, 20), need.Seed(t, 1)
	type outcome struct {
		what                                               string
		holds, violated, unknown, refused, explored, large int
		why                                                []string
	}
	var sum outcome
	reasons := map[string]int{}
	ordered.Do(cases, runtime.NumCPU(), func() {},
		func(i int) (out outcome) {
			generate := random.Promela
			if i%2 == 1 {
				generate = random.PromelaVaried
			}
			text := generate(rand.New(rand.NewSource(int64(seed + i))))
			fail := func(format string, args ...any) {
				out.what = fmt.Sprintf("seed %d: %s\n%s", seed+i, fmt.Sprintf(format, args...), text)
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
				violated, explored, large, err := smallest(m, f)
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
		},
		func(_ int, o outcome) bool {
			sum.holds, sum.violated, sum.unknown, sum.refused = sum.holds+o.holds, sum.violated+o.violated, sum.unknown+o.unknown, sum.refused+o.refused
			sum.explored, sum.large = sum.explored+o.explored, sum.large+o.large
			for _, v := range o.why {
				v, _, _ = strings.Cut(v, " (")
				v, _, _ = strings.Cut(v, ", and no other run")
				reasons[v]++
			}
			if o.what != "" {
				t.Error(o.what)
			}
			return o.what == ""
		})
	t.Logf("%d cases: %d formulas hold, %d are violated, %d unknown, %d outside the fragment; %d instances explored, %d too large %v",
		cases, sum.holds, sum.violated, sum.unknown, sum.refused, sum.explored, sum.large, reasons)
	if cases >= 20 && (sum.holds == 0 || sum.violated == 0) {
		t.Error("the cases are one-sided")
	}
}

// smallest explores instances and returns the parameters of one that violates
// a formula.
func smallest(m *promela.Model, f *promela.Named) (params []int64, explored, large int, err error) {
	for n := int64(1); n <= 4; n++ {
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
