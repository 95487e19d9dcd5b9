package promela_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/counters"
	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// patience bounds the time for a formula that is known to be decided, also on a busy machine.
const patience = 2 * time.Minute

// verdicts translates a model and decides all its formulas; a counterexample of
// the automaton is made one of the model, with more precise intervals if need be.
func verdicts(m *promela.Model) (map[string]string, error) {
	ctx := context.Background()
	out := map[string]string{}
	for _, precise := range []bool{false, true} {
		tr, err := counters.Translate(ctx, m, precise)
		if err != nil {
			return nil, err
		}
		a, err := ta.Resolve(m.File, tr.Tree)
		if err != nil {
			return nil, err
		}
		again := false
		for i := range a.Specs {
			name := tr.Decided[i].Name
			if precise && !strings.HasPrefix(out[name], "unknown") {
				continue
			}
			r, err := verify.Decide(ctx, a, &a.Specs[i], verify.Options{Timeout: patience})
			var outside diag.List
			if errors.As(err, &outside) {
				out[name] = "outside"
				continue
			}
			if err != nil {
				return nil, err
			}
			out[name] = string(r.Verdict)
			if r.Verdict == verify.Unknown {
				out[name] += ": " + r.Reason
			}
			if r.Witness == nil {
				continue
			}
			var none *counter.NoRun
			_, err = tr.Confirm(ctx, tr.Decided[i], r.Witness.Run)
			if errors.As(err, &none) && r.Other != nil {
				_, err = tr.Confirm(ctx, tr.Decided[i], r.Other.Run)
			}
			if errors.As(err, &none) {
				out[name] = "unknown: " + err.Error()
				again = true
			} else if err != nil {
				return nil, err
			}
		}
		for _, o := range tr.Outside {
			if run, err := counters.Smallest(m, ctx, o.Formula); err != nil {
				return nil, err
			} else if run != nil {
				out[o.Formula.Name] = "violated"
			} else {
				out[o.Formula.Name] = "outside"
			}
		}
		if !again {
			break
		}
	}
	return out, nil
}

// read parses a model with definitions such as "N3T".
func read(t testing.TB, file, define string) *promela.Model {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defines := map[string]string{}
	for _, d := range strings.Fields(define) {
		defines[d] = "1"
	}
	m, err := promela.Parse(file, string(text), defines)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Warnings) > 0 {
		t.Error(m.Warnings)
	}
	return m
}

// TestSuite: our own models have the verdicts of the automata that were written
// by hand, and so have their broken variants.
func TestSuite(t *testing.T) {
	for _, c := range []struct{ model, define, automaton string }{
		{"rb", "", "rb.ta"}, {"rb", "N3T", "broken/rb-n3t.ta"}, {"rb", "F1", "broken/rb-f1.ta"},
		{"aba", "", "aba.ta"}, {"aba", "N3T", "broken/aba-n3t.ta"}, {"aba", "READY", "broken/aba-ready.ta"},
		{"frb", "", "frb.ta"}, {"frb", "ACCEPT_FIRST", "broken/frb-accept-first.ta"},
	} {
		t.Run(c.automaton, func(t *testing.T) {
			got, err := verdicts(read(t, "../benchmarks/"+c.model+".pml", c.define))
			if err != nil {
				t.Fatal(err)
			}
			compared := 0
			for _, e := range benchmarks.Expected() {
				if e.File != c.automaton {
					continue
				}
				compared++
				if got[e.Spec] != string(e.Verdict) {
					t.Errorf("%s: %s, the automaton: %s", e.Spec, got[e.Spec], e.Verdict)
				}
			}
			if compared == 0 {
				t.Error("nothing to compare with")
			}
		})
	}
}

// corpus lists what is known of public models: formulas that are violated; the
// others hold. docs/promela.md says where that differs from what was published.
var corpus = []struct{ model, define, violated, unknown string }{
	{"asyn-byzagreement0", "", "", ""},
	{"asyn-byzagreement0", "CASE2", "", ""},
	{"asyn-byzagreement0", "BUG", "unforg", ""},
	{"asyn-byzagreement0", "BUG1", "agreement agreement_all0 agreement_all1 completeness corr unforg", ""},
	{"asyn-byzagreement0", "BUG2", "agreement agreement_all1 completeness corr", ""},
	{"asyn-byzagreement0", "FeqTp1", "agreement agreement_all0 agreement_all1 completeness corr unforg", ""},
	{"asyn-guer01-nbac", "", "abort_unreachable commit_unreachable send_unreachable", ""},
	{"asyn-guer01-nbac", "BUG", "abort_unreachable commit_unreachable send_unreachable abort_validity agreement", ""},
	{"asyn-guer01-nbac", "BUG1", "abort_unreachable commit_unreachable send_unreachable abort_validity agreement", ""},
	{"asyn-guer01-nbac", "BUG2", "abort_unreachable commit_unreachable send_unreachable termination", ""},
	{"asyn-ray97-nbac", "", "abort_unreachable commit_unreachable send_unreachable", ""},
	{"asyn-ray97-nbac", "BUG", "abort_unreachable commit_unreachable send_unreachable validity", ""},
	{"asyn-ray97-nbac", "BUG1", "abort_unreachable commit_unreachable send_unreachable validity", ""},
	{"asyn-ray97-nbac", "BUG2",
		"abort_unreachable commit_unreachable send_unreachable nontriv termination1 termination2", ""},
	{"asyn-ray97-nbac-clean", "", "abort_unreachable commit_unreachable send_unreachable termination1", ""},
	{"asyn-ray97-nbac-clean", "BUG", "abort_unreachable commit_unreachable send_unreachable termination1 validity", ""},
	{"asyn-ray97-nbac-clean", "BUG1", "abort_unreachable commit_unreachable send_unreachable termination1 validity",
		""},
	{"asyn-ray97-nbac-clean", "BUG2",
		"abort_unreachable commit_unreachable send_unreachable nontriv termination1 termination2", ""},
	{"bcast-byz", "", "", ""},
	{"bcast-byz", "BUG", "corr relay unforg", ""},
	{"bcast-byz", "BUG1", "corr relay unforg", ""},
	{"bcast-byz", "BUG2", "relay", ""},
	{"bcast-byz", "NGE3T", "relay", ""},
	{"bcast-folklore-crash", "", "fisman_kupferman_lustig", ""},
	{"bcast-folklore-crash", "BUG", "unforg", "fisman_kupferman_lustig"},
	{"bcast-folklore-crash", "BUG1", "fisman_kupferman_lustig unforg", ""},
	{"bcast-folklore-crash", "BUG2", "fisman_kupferman_lustig corr", ""},
	{"bosco", "", "one_step0 one_step1", ""},
	{"bosco", "CASE2", "fast0 fast1 one_step0 one_step1", ""},
	{"bosco", "CASE3", "one_step0 one_step1", ""},
	{"bosco", "BUG1", "fast0 fast1 lemma4_0 lemma4_1 one_step0 one_step1", ""},
	{"bosco", "BUG2", "one_step0 one_step1", ""},
	{"bosco", "FeqTp1", "fast0 fast1 lemma4_0 lemma4_1 one_step0 one_step1", ""},
	{"bosco", "CASE3 WEAKLY_1S", "", ""},
	{"bosco", "CASE3 STRONGLY_1S", "", ""},
	{"c1cs", "", "one_step_almost0 one_step_almost1", ""},
	{"c1cs", "CASE2", "one_step_almost0 one_step_almost1", ""},
	{"c1cs", "CASE3", "one_step_almost0 one_step_almost1", ""},
	{"c1cs", "BUG1", "one_step_almost0 one_step_almost1", ""},
	{"c1cs", "BUG2", "fast0 fast1 one_step_almost0 one_step_almost1", ""},
	{"c1cs", "BUG1 CASE2", "one_step0 one_step_almost0 one_step_almost1", ""},
	{"c1cs", "BUG1 CASE3", "one_step0 one_step_almost0 one_step_almost1", ""},
	{"c1cs", "FeqTp1", "one_step_almost0 one_step_almost1", ""},
	{"c1cs", "FeqTp1 CASE2", "one_step_almost0 one_step_almost1", ""},
	{"c1cs", "FeqTp1 CASE3", "one_step_almost0 one_step_almost1 fast0 fast1", ""},
	{"cond-consensus2", "", "unreach_p0 unreach_p1 unreach_ac0 unreach_ac1", ""},
	{"cond-consensus2", "CASE2", "unreach_p0 unreach_p1 unreach_ac0 unreach_ac1", ""},
	{"cond-consensus2", "CASE3", "unreach_p0 unreach_p1 unreach_ac0 unreach_ac1 unreach_cr", ""},
	{"cond-consensus2", "CASE4", "unreach_p0 unreach_p1 unreach_ac0 unreach_ac1 unreach_cr", ""},
	{"cond-consensus2", "BUG", "unreach_p0 unreach_p1 unreach_ac0 unreach_ac1 validity0", ""},
	{"cond-consensus2", "BUG1", "unreach_p0 unreach_p1 unreach_ac0 unreach_ac1 agreement", ""},
	{"cond-consensus2", "BUG2", "unreach_p0 unreach_p1 unreach_ac0 unreach_ac1 termination", ""},
	{"consensus-folklore-onestep", "", "", ""},
	{"consensus-folklore-onestep", "CASE2", "fast0 fast1", ""},
	{"consensus-folklore-onestep", "CASE3", "fast0 fast1", ""},
	{"consensus-folklore-onestep", "BUG1", "", ""},
	{"consensus-folklore-onestep", "BUG1 CASE2", "one_step0 fast0 fast1", ""},
	{"consensus-folklore-onestep", "BUG1 CASE3", "one_step0 fast0 fast1", ""},
	{"consensus-folklore-onestep", "BUG2", "fast0 fast1", ""},
	{"consensus-folklore-onestep", "FeqTp1", "", ""},
	{"consensus-folklore-onestep", "FeqTp1 CASE2", "fast0 fast1", ""},
	{"consensus-folklore-onestep", "FeqTp1 CASE3", "fast0 fast1", ""},
}

// TestCorpus decides public models, where they are; by default each eighth one, the short run leaves out variants.
func TestCorpus(t *testing.T) {
	const dir = "../../shared/corpus/promela/"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("there is no corpus") // the project has to work without it; TestDialect has texts of its own
	}
	every := need.Rarely(t, 8)
	for i, c := range corpus {
		if testing.Short() && c.define != "" || i%every > 0 {
			continue
		}
		t.Run(c.model+" "+c.define, func(t *testing.T) {
			m := read(t, dir+c.model+".pml", c.define)
			got, err := verdicts(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range m.Formulas {
				want := "holds"
				switch {
				case slices.Contains(strings.Fields(c.violated), f.Name):
					want = "violated"
				case slices.Contains(strings.Fields(c.unknown), f.Name):
					want = "unknown"
				}
				if !strings.HasPrefix(got[f.Name], want) {
					t.Errorf("%s: %s, want %s", f.Name, got[f.Name], want)
				}
			}
		})
	}
}

// TestTermination decides that processes of the public one-step consensus, which wait for votes of two kinds together,
// do not wait for ever.
func TestTermination(t *testing.T) {
	need.More(t, "what takes long")
	file := "../../shared/corpus/promela/c1cs.pml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip("the public models are not there") // the project has to work without them; TestSums has random ones
	}
	over := "ltl termination { <>(all(Proc:pc != V0 && Proc:pc != V1 && Proc:pc != S0 && Proc:pc != S1)) }\n"
	for _, define := range []string{"CASE1", "CASE2", "CASE3"} {
		m, err := promela.Parse(file, string(text)+over, map[string]string{define: "1"})
		if err != nil {
			t.Fatal(err)
		}
		m.Formulas = m.Formulas[len(m.Formulas)-1:]
		if got, err := verdicts(m); err != nil || got["termination"] != "holds" {
			t.Error(define, got, err)
		}
	}
}
