package promela_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/testkit/need"
)

// meanings are models on which it shows what a text means: formulas that are
// violated, with parameters with which they are; the others hold.
var meanings = []struct {
	model, violated string
	params          []int64
}{
	{"init_value", "never_high", []int64{2}},
	{"negative_counter", "never_bad", []int64{2, 2}},
	{"stop", "all_d", []int64{3, 1, 0}},
	{"stop_silent", "some_ok", []int64{2, 2}},
	{"zero", "some_b some_a inv notboth", []int64{1, 1, 1}},
	{"assoc", "chain left", []int64{2}},
	{"label", "x1", []int64{1}},
	{"neg_count", "x1 x2 x3", []int64{2, 3}},
	{"large", "x1", []int64{4}},
	{"nested", "n01 n02 n09 n18", []int64{3, 1, 1}},
	{"skipped_bound", "never low", []int64{1}},
	{"arith", "all_c some_d all_d", []int64{4, 1, 1}},
}

// TestMeaning: verifying and exploring agree on what texts mean.
func TestMeaning(t *testing.T) {
	for _, c := range meanings {
		t.Run(c.model, func(t *testing.T) {
			if c.model == "arith" {
				need.Usual(t, "arithmetic")
			}
			m := read(t, "testdata/"+c.model+".pml", "")
			got, err := verdicts(m)
			if err != nil {
				t.Fatal(err)
			}
			in, err := m.NewInstance(c.params)
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.Formulas {
				f := &m.Formulas[i]
				want := "holds"
				if slices.Contains(strings.Fields(c.violated), f.Name) {
					want = "violated"
				} else if c.model == "arith" && f.Name == "three" {
					continue // violated by other parameters
				}
				if got[f.Name] != want {
					t.Errorf("%s: %s, want %s", f.Name, got[f.Name], want)
				}
				e, err := m.Explore(context.Background(), f, in, 0)
				if err != nil {
					t.Fatal(err)
				}
				if (e.Run != nil) != (want == "violated") {
					t.Errorf("%s with %s: exploring finds a run: %v", f.Name, in, e.Run != nil)
				}
			}
		})
	}
}

// TestCut: where nothing bounds what havoc chooses, exploring does not say that
// there is no violation, and verifying does not ask for a bound.
func TestCut(t *testing.T) {
	need.Usual(t, "a search up to its limit")
	m := read(t, "testdata/unbounded.pml", "")
	got, err := verdicts(m)
	if err != nil {
		t.Fatal(err)
	}
	if got["natural"] != "holds" || got["low"] == "holds" {
		t.Error(got)
	}
	in, err := m.NewInstance([]int64{1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Formulas {
		if _, err := m.Explore(context.Background(), &m.Formulas[i], in, 0); !errors.Is(err, promela.ErrCut) {
			t.Errorf("%s: %v", m.Formulas[i].Name, err)
		}
	}
}

// TestNames: locations whose names would be the same get different ones.
func TestNames(t *testing.T) {
	got, err := verdicts(read(t, "testdata/names.pml", ""))
	if err != nil || got["f0"] != "holds" || got["f1"] != "holds" {
		t.Error(got, err)
	}
}
