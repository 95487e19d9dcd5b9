package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
)

func open(t *testing.T, name string) (model.Model, error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../cmd/tacheck/testdata/kinds", name))
	if err != nil {
		t.Fatal(err)
	}
	return model.Open(context.Background(), name, string(text), model.Options{})
}

// TestKindOf: endings tell kinds, in small letters and large ones.
func TestKindOf(t *testing.T) {
	for name, want := range map[string]*model.Kind{"a.ta": model.Automata, "a/b.PML": model.Processes, "x.promela": model.Processes, "p.Ftdp": model.Protocols} {
		if got, known := model.KindOf(name); got != want || !known {
			t.Errorf("%s is %s", name, got.Name)
		}
	}
	if got, known := model.KindOf("-"); got != model.Automata || known {
		t.Errorf("without an ending, it is %s", got.Name)
	}
}

// TestPlaces: what is wrong with a text has its place there, whatever is made of it.
func TestPlaces(t *testing.T) {
	for _, name := range []string{"broken.ta", "broken.pml", "sizes-broken.ftdp", "fixed-broken.ftdp"} {
		_, err := open(t, name)
		var in *model.InputError
		var list diag.List
		if !errors.As(err, &in) || !errors.As(err, &list) || list[0].Pos.File != name || in.Text == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRuns: each kind accepts a run that exploring finds, for the specification that it violates,
// and no kind accepts that of another, or one that was changed.
func TestRuns(t *testing.T) {
	ctx := context.Background()
	runs := map[string][]byte{}
	models := map[string]model.Model{}
	for name, size := range map[string]string{"valid.ta": "n", "valid.pml": "N", "sizes.ftdp": "n", "fixed.ftdp": "n"} {
		m, err := open(t, name)
		if err != nil {
			t.Fatal(err)
		}
		x, err := m.(model.Fixed).Instance(ctx, []model.Setting{{Name: size, Value: 2}})
		if err != nil {
			t.Fatal(err)
		}
		list, err := x.Explore(ctx, []string{"all", "none"}, model.Exploring{})
		if err != nil || list[0].Verdict != verdict.Holds || list[1].Verdict != verdict.Violated {
			t.Fatalf("%s: %v %v", name, list, err)
		}
		if runs[name], err = json.Marshal(list[1].Counterexample); err != nil {
			t.Fatal(err)
		}
		models[name] = m
	}
	for name, m := range models {
		for of, run := range runs {
			x, err := m.Replay(run)
			if (err == nil) != (of == name) || err == nil && (x.Told().Spec != "none" || x.Told().Steps == 0) {
				t.Errorf("%s, run of %s: %v", name, of, err)
			}
		}
		if _, err := m.Replay([]byte(strings.Replace(string(runs[name]), `"none"`, `"all"`, 1))); err == nil {
			t.Errorf("%s: a run of another specification is accepted", name)
		}
	}
}
