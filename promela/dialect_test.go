package promela_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/counters"
	"github.com/tacheck/tacheck/testkit/need"
)

// dialect says of the texts of testdata/dialect, which have what ByMC's input
// language has, which formulas are violated, and which are unknown; the others hold.
var dialect = map[string]struct{ violated, unknown string }{
	"agreement_halves":   {"agreement", ""},
	"bosco_quotients":    {"one_step0 fast0", ""},
	"byz_counting":       {},
	"clean_crash":        {"corr", ""},
	"condition_counts":   {"termination", ""},
	"deciders":           {},
	"declared_inside":    {"never", ""},
	"fixed_goto":         {},
	"fixed_counts":       {"relay", ""},
	"macros_of_sends":    {},
	"spaced_out":         {"relay", ""},
	"folklore_spin":      {},
	"goto_loop":          {},
	"hybrid_faults":      {"corr", ""},
	"init_never":         {"reach", ""},
	"inner_exact":        {"never", ""},
	"inner_loop":         {"never", ""},
	"macros":             {"prop_f3", ""},
	"more_of_one":        {"leave fewer", ""},
	"nbac_clean_labels":  {},
	"nbac_suspect":       {"aborts", ""},
	"odds_and_ends":      {"f3", ""},
	"omission_responses": {},
	"one_step_c1cs":      {"fast0 fast1 termination", ""},
	"one_step_folklore":  {"fast0 fast1 termination", ""},
	"one_at_a_time":      {"start", ""},
	"pairs_difference":   {"reach", ""},
	"reads_shared_start": {"first", "one"},
	"rounds":             {},
	"strb_thresholds":    {},
	"strong_fairness":    {"agree", ""},
	"symmetric_giveup":   {"unforg", ""},
	"two_loops":          {},
	"two_kinds_together": {"reach", ""},
	"unguarded_steps":    {"same", ""},
	"words":              {"w7", "w1 w2 w6"},
}

// slow are those that take more than some seconds: larger runs have them.
var slow = []string{"bosco_quotients", "one_step_c1cs", "one_step_folklore", "condition_counts", "agreement_halves"}

// TestDialect decides texts of every spelling, and holds the verdicts against exploring.
func TestDialect(t *testing.T) {
	files, err := filepath.Glob("testdata/dialect/*.pml")
	if err != nil || len(files) != len(dialect) {
		t.Fatal("texts and verdicts differ in number", len(files), len(dialect), err)
	}
	every := need.Every(t, 1)
	for i, file := range files {
		if i%every > 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".pml")
		t.Run(name, func(t *testing.T) {
			if slices.Contains(slow, name) {
				need.More(t, "what takes long")
			}
			m := dialectModel(t, file)
			got, err := verdicts(m)
			if errors.As(err, new(diag.List)) && !errors.As(err, new(counters.Meaningless)) {
				got, err = asked(m), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.Formulas {
				f := &m.Formulas[i]
				want := []string{"holds"}
				switch {
				case slices.Contains(strings.Fields(dialect[name].violated), f.Name):
					want = []string{"violated"}
				case slices.Contains(strings.Fields(dialect[name].unknown), f.Name):
					want = []string{"unknown", "outside"}
				}
				if !slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(got[f.Name], w) }) {
					t.Errorf("%s: %s, want %s", f.Name, got[f.Name], want)
				}
				if run := explored(t, m, f, 12); run != nil && got[f.Name] == "holds" {
					t.Errorf("%s holds, but not with %s", f.Name, run.Instance)
				}
			}
		})
	}
}

// dialectModel reads a text that may have warnings.
func dialectModel(t testing.TB, file string) *promela.Model {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := promela.Parse(file, string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// asked gives verdicts of a model that has no automaton.
func asked(m *promela.Model) map[string]string {
	out := map[string]string{}
	for i := range m.Formulas {
		out[m.Formulas[i].Name] = "unknown"
		if run, err := counters.Smallest(m, context.Background(), &m.Formulas[i]); err == nil && run != nil {
			out[m.Formulas[i].Name] = "violated"
		}
	}
	return out
}

// explored explores a formula in some small instances, and returns the first run that violates it.
func explored(t *testing.T, m *promela.Model, f *promela.Named, most int) *promela.Run {
	params := make([]int64, len(m.Params))
	done := 0
	var found *promela.Run
	var fill func(i int, left int64)
	fill = func(i int, left int64) {
		if done >= most || found != nil || i == len(params) && left > 0 {
			return
		}
		if i < len(params) {
			for v := range left + 1 {
				params[i] = v
				fill(i+1, left-v)
			}
			return
		}
		in, err := m.NewInstance(slices.Clone(params))
		if err != nil || in.Processes > 4 {
			return
		}
		done++
		e, err := m.Explore(context.Background(), f, in, 3000)
		if err != nil && !errors.Is(err, explore.ErrTooLarge) && !errors.Is(err, promela.ErrCut) {
			t.Fatal(err)
		}
		if err == nil && e.Run != nil {
			found = e.Run
		}
	}
	for sum := range int64(14) {
		fill(0, sum)
	}
	return found
}
