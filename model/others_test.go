package model_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
)

// TestOthers: the kinds of counterexamples that are found are the least sets of rules that suffice for one, by trying all.
func TestOthers(t *testing.T) {
	for _, x := range []struct {
		file, spec string
		set        map[string]int64
		kinds      int
	}{
		{"broken/bosco-early.ta", "lemma4_0", map[string]int64{"n": 4, "t": 1, "f": 1}, 4},
		{"broken/nbacg-late.ta", "agreement", map[string]int64{"n": 3}, 3},
		{"broken/aba-n3t.ta", "correctness", map[string]int64{"n": 3, "t": 1, "f": 1}, 1},
		{"protocols/two_phase_commit.ftdp", "nonblocking", map[string]int64{"n": 2}, 2},
		{"protocols/peterson.ftdp", "mutex", map[string]int64{"late": 1}, 1},
		{"rb.pml", "relay", map[string]int64{"N": 3, "T": 1, "F": 1}, 1},
	} {
		t.Run(x.file, func(t *testing.T) {
			data, err := os.ReadFile("../benchmarks/" + x.file)
			if err != nil {
				t.Fatal(err)
			}
			ctx := context.Background()
			m, err := model.Open(ctx, x.file, string(data), model.Options{Defines: map[string]string{"N3T": ""}})
			if err != nil {
				t.Fatal(err)
			}
			var set []model.Setting
			for name, v := range x.set {
				set = append(set, model.Setting{Name: name, Value: v, Truth: name == "late"})
			}
			in, err := m.(model.Fixed).Instance(ctx, set)
			if err != nil {
				t.Fatal(err)
			}
			explored := func(without []string) *model.Result {
				var o model.Exploring
				o.Machine.Without = without
				list, err := in.Explore(ctx, []string{x.spec}, o)
				if err != nil {
					t.Fatal(err)
				}
				return list[0]
			}
			r := explored(nil)
			if err := model.Others(ctx, in, r, 100, model.Exploring{}); err != nil {
				t.Fatal(err)
			}
			found := append([]model.Counterexample{r.Counterexample}, r.Others...)
			if len(found) != x.kinds || !r.Every {
				t.Errorf("%d kinds, all of them: %v", len(found), r.Every)
			}
			var rules []string
			for i, c := range found {
				if i > 0 && len(c.Rules()) < len(found[i-1].Rules()) {
					t.Error("a longer one comes first")
				}
				rules = append(rules, model.Used(c)...)
			}
			slices.Sort(rules)
			rules = slices.Compact(rules)
			// Of the rules that any kind uses, all sets are tried; with others, there is nothing without those of a kind.
			for set := range 1 << len(rules) {
				var without []string
				for i, name := range rules {
					if set>>i&1 == 0 {
						without = append(without, name)
					}
				}
				want := slices.ContainsFunc(found, func(c model.Counterexample) bool {
					return !slices.ContainsFunc(model.Used(c), func(name string) bool { return slices.Contains(without, name) })
				})
				r := explored(without)
				if (r.Verdict == verdict.Violated) != want {
					t.Errorf("without %s: %s, want a counterexample: %v", strings.Join(without, ", "), r.Verdict, want)
				}
				if r.Counterexample != nil && slices.ContainsFunc(without, func(name string) bool { return slices.Contains(r.Counterexample.Rules(), name) }) {
					t.Errorf("without %s: it uses %s", without, r.Counterexample.Rules())
				}
			}
		})
	}
}
