package certificate

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/rounds"
	"github.com/tacheck/tacheck/testkit/need"
)

// certifiedRounds certifies what holds, and what does not, of an automaton that is one round of many.
func certifiedRounds(t *testing.T, specs ...string) (dir, text string) {
	t.Helper()
	need.All(t, "z3", "cvc5")
	source, err := os.ReadFile("../rounds/testdata/benor.ta")
	if err != nil {
		t.Fatal(err)
	}
	q := question(t, "benor.ta", string(source), specs...)
	dir = filepath.Join(t.TempDir(), "certificate")
	r := Request{Question: q, Bound: Bound{UpTo: 2, States: 100}, Release: "test", NoProofs: true}
	if err := Make(context.Background(), dir, r, func(*model.Result, string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return dir, string(source)
}

// TestRounds: what holds in all rounds, and with probability one, is certified by what rounds begin with, and questions about one of them. Whatever a forger
// changes of it, and of the digests, is rejected.
func TestRounds(t *testing.T) {
	need.Usual(t, "forging what holds in all rounds") // TestMutatedRounds forges some
	dir, text := certifiedRounds(t, "agreement", "agreement0", "unseen")
	if n, err := check(dir, text); err != nil || n != 3 {
		t.Fatalf("%d specifications, %v", n, err)
	}
	for what, forgery := range roundForgeries {
		t.Run(what, func(t *testing.T) {
			forged := filepath.Join(t.TempDir(), "forged")
			if err := os.CopyFS(forged, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			forgeIndex(t, forged, forgery.change)
			wantRejected(t, forged, "", forgery.want)
		})
	}
	for _, f := range []struct{ what, file, from, to, want string }{
		{"another guard", modelFile, ">= T + 1", ">= T", ""},
		{"another goal", modelFile, "almost_surely_unseen locD0", "almost_surely_unseen locSP", ""},
		{"a counterexample to something else", "specs/agreement0/witness.json", `"agreement0"`, `"agreement"`, "agreement0: "},
	} {
		forged := filepath.Join(t.TempDir(), "forged")
		if err := os.CopyFS(forged, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		rewrite(t, forged, f.file, f.from, f.to)
		wantRejected(t, forged, "", f.want)
		wantRejected(t, forged, text, "")
	}
	for _, name := range []string{"queries.smt2", "recorded.answers", "cvc5.answers"} {
		forged := filepath.Join(t.TempDir(), "forged")
		if err := os.CopyFS(forged, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		rewrite(t, forged, filepath.Join("specs", readIndex(t, dir).Questions[0].Name, name), "unsat", "sat")
		wantRejected(t, forged, "", "")
	}
}

// TestOtherNames: an earlier version gave questions about rounds other names; one with the name of another is none.
func TestOtherNames(t *testing.T) {
	dir, text := certifiedRounds(t, "validity0")
	first, second := readIndex(t, dir).Questions[0].Name, readIndex(t, dir).Questions[1].Name
	at := func(name string) string { return filepath.Join(dir, "specs", name) }
	if err := os.Rename(at(first), at("round_of_old")); err != nil {
		t.Fatal(err)
	}
	forgeIndex(t, dir, func(x *index) { x.Questions[0].Name = "round_of_old" })
	if n, err := check(dir, text); err != nil || n != 1 {
		t.Errorf("%d specifications, %v", n, err)
	}
	if err := errors.Join(os.Rename(at(second), at("other")), os.Rename(at("round_of_old"), at(second)),
		os.Rename(at("other"), at(first))); err != nil {
		t.Fatal(err)
	}
	forgeIndex(t, dir, func(x *index) { x.Questions[0].Name, x.Questions[1].Name = second, first })
	wantRejected(t, dir, text, "do not follow")
}

// TestMutatedRounds changes a certificate of what holds in all rounds in every file and field.
func TestMutatedRounds(t *testing.T) {
	dir, _ := certifiedRounds(t, "validity0")
	mutatedOf(t, dir, Bound{UpTo: 2, States: 100}, need.Cases(t, 10), people...)
}

// roundForgeries change what a certificate says of agreement, agreement0 and unseen, in this order.
var roundForgeries = map[string]struct {
	change func(x *index)
	want   string
}{
	"a state less":   {func(x *index) { f := &x.Specs[0].Rounds.Fixpoints[0]; f.States = f.States[:len(f.States)-1] }, "the proof is none"},
	"no first state": {func(x *index) { f := &x.Specs[0].Rounds.Fixpoints[0]; f.States = f.States[1:] }, "begins with none of the states"},
	"a smaller state": {func(x *index) {
		s := &x.Specs[0].Rounds.Fixpoints[0].States[1]
		s.At = s.At[1:]
	}, "the proof is none"},
	"a larger state": {func(x *index) {
		f := &x.Specs[0].Rounds.Fixpoints[0]
		f.States[1].At = allBorders(f)
	}, "the proof is none"},
	"who stays is forgotten": {func(x *index) {
		for i := range x.Specs[0].Rounds.Fixpoints[0].States {
			x.Specs[0].Rounds.Fixpoints[0].States[i].Shown = []int{}
		}
	}, "the proof is none"},
	"all is shown": {func(x *index) {
		for i := range x.Specs[0].Rounds.Fixpoints[0].States {
			x.Specs[0].Rounds.Fixpoints[0].States[i].Shown = []int{0, 1}
		}
	}, "shows all that the claim asks for"},
	"early states": {func(x *index) {
		for i := range x.Specs[0].Rounds.Fixpoints[0].States {
			x.Specs[0].Rounds.Fixpoints[0].States[i].Early = true
		}
	}, "asked from the first round"},
	"a location where no round begins": {func(x *index) { x.Specs[0].Rounds.Fixpoints[0].States[0].At[0] = "n" }, "no round begins in"},
	"no fixpoint":                      {func(x *index) { x.Specs[0].Rounds.Fixpoints = nil }, "fewer fixpoints"},
	"a fixpoint too many": {func(x *index) {
		p := x.Specs[0].Rounds
		p.Fixpoints = append(p.Fixpoints, p.Fixpoints[0])
	}, "more fixpoints"},
	"the proof of something else": {func(x *index) { x.Specs[0].Rounds, x.Specs[2].Rounds = x.Specs[2].Rounds, x.Specs[0].Rounds }, "the proof is none"},
	"holds what does not": {func(x *index) {
		x.Specs[1] = spec{Name: x.Specs[1].Name, Verdict: verdict.Holds, Rounds: x.Specs[0].Rounds}
	}, ""},
	"no proof":                {func(x *index) { x.Specs[0].Rounds = nil }, ""},
	"bounds that are not":     {func(x *index) { x.Specs[0].Rounds.Fixpoints[0].Bounds = 60 }, "not so many bounds"},
	"fewer than no bounds":    {func(x *index) { x.Specs[0].Rounds.Fixpoints[0].Bounds = -1 }, "not so many bounds"},
	"a division of safety":    {func(x *index) { x.Specs[0].Rounds.Division = 1 }, "nothing asks for that"},
	"a division that is none": {func(x *index) { x.Specs[2].Rounds.Division = -1 }, "not so many ways"},
	// Against adversaries that see coins binding is asked, too, which the certificate does not say.
	"another adversary":         {func(x *index) { x.Specs[2].Name = "in_order" }, "in_order: the proof is none: not shown: binding"},
	"a question less":           {func(x *index) { x.Questions = x.Questions[1:] }, ""},
	"another number of queries": {func(x *index) { x.Questions[0].Queries++ }, "do not follow"},
	"a question twice":          {func(x *index) { x.Questions = append(x.Questions, x.Questions[0]) }, "twice"},
	"not confirmed":             {func(x *index) { x.Questions[0].Confirmed = nil }, "not confirmed"},
	"nothing explored":          {func(x *index) { x.Questions[0].Instances = nil }, "instances can be explored"},
}

// allBorders lists the borders of all states.
func allBorders(f *rounds.Fixpoint) (list []string) {
	for _, s := range f.States {
		list = append(list, s.At...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func readIndex(t *testing.T, dir string) (x index) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, indexFile))
	if err == nil {
		err = json.Unmarshal(text, &x)
	}
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// forgeIndex changes the index, and the digests with it. Files that are of no question any more are removed.
func forgeIndex(t *testing.T, dir string, change func(*index)) {
	t.Helper()
	x := readIndex(t, dir)
	change(&x)
	text, err := json.MarshalIndent(x, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, indexFile), append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	list, err := filepath.Glob(filepath.Join(dir, "specs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range list {
		named := func(s spec) bool { return s.Name == filepath.Base(at) }
		violated := func(s spec) bool { return named(s) && s.Verdict == verdict.Violated }
		if !slices.ContainsFunc(x.Specs, violated) && !slices.ContainsFunc(x.Questions, named) {
			if err := os.RemoveAll(at); err != nil {
				t.Fatal(err)
			}
		}
	}
	resum(t, dir)
}
