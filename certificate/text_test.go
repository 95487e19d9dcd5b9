package certificate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/ta/syntax"
	"github.com/tacheck/tacheck/testkit/need"
)

// certifiedText certifies a text; what has no counterexample holds by few queries.
func certifiedText(t *testing.T, file, text string, o model.Options) string {
	t.Helper()
	need.All(t, "z3", "cvc5")
	m, err := model.Open(context.Background(), file, text, o)
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.(model.ForAll).Ask(context.Background(), []string{"unforgeability", "relay"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "certificate")
	got := ""
	r := Request{Question: q, Read: o, Bound: Bound{UpTo: 3, States: 5000}, Release: "test", NoProofs: true, NoReview: true}
	if err := Make(context.Background(), dir, r, func(r *model.Result, _ string) error { got += string(r.Verdict) + " "; return nil }); err != nil {
		t.Fatal(err)
	}
	if got != "holds violated " {
		t.Fatal(got)
	}
	return dir
}

// rewrite changes a file of a certificate, and the digests with it.
func rewrite(t *testing.T, dir, name, from, to string) {
	t.Helper()
	path := filepath.Join(dir, name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%s has no %q", name, from)
	}
	changed := bytes.Replace(text, []byte(from), []byte(to), 1)
	if err := os.WriteFile(path, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	if name == modelFile {
		rewrite(t, dir, indexFile, digest(text), digest(changed))
	}
	resum(t, dir)
}

// TestTexts: certificates of texts are accepted; whatever a forger changes of text, automaton, how the one
// is made of the other, or counterexamples, is not.
func TestTexts(t *testing.T) {
	sizes, _ := benchmarks.Read("sources/rb.ftdp")
	sizes = strings.Replace(sizes, "n > 3 * t", "n >= 3 * t", 1)
	processes, _ := benchmarks.Read("rb.pml")
	type forgery struct{ file, from, to, want string }
	for _, test := range []struct {
		file, text string
		o          model.Options
		forgeries  []forgery
	}{
		{"mine.ftdp", sizes, model.Options{}, []forgery{
			{"text.ftdp", "n >= 3 * t", "n > 3 * t", "not the automaton that text.ftdp translates to"},
			{"text.ftdp", "protocol rb", "protocol ", "expected"},
			{modelFile, "echo >= t - f + 1", "echo >= t - f + 2", "not the automaton"},
			{modelFile, "echo >= t - f + 1", "echo >= t - f", "do not follow"},
			{indexFile, `"text": "text.ftdp"`, `"text": "text.pml"`, `missing`},
			{indexFile, `"text": "text.ftdp"`, `"text": "../text.ftdp"`, "no text is in a file"},
			{indexFile, `"name": "relay"`, `"name": "correctness"`, "missing"},
			{"specs/relay/witness.json", `"relay"`, `"correctness"`, "relay: "},
			{"specs/relay/witness.json", `"accept`, `"echo`, "relay: "},
			{"specs/relay/witness.json", `"crash": "explicit"`, `"crash": "implicit"`, "with implicit crashes"},
		}},
		{"mine.pml", processes, model.Options{Defines: map[string]string{"N3T": "1"}}, []forgery{
			{"text.pml", "havoc(heard);", "havoc( heard);", ""},
			{"text.pml", "F <= T + 1", "F <= T + 2", ""}, // left out by the preprocessor
			{"text.pml", "N >= 3 * T", "N > 3 * T", "not the automaton"},
			{indexFile, `"N3T": "1"`, `"F1": "1"`, "not the automaton"},
			{indexFile, `"N3T": "1"`, `"N3T": "1", "a b": "1"`, "not written as it should be"},
			{"specs/relay/witness.json", `"relay"`, `"correctness"`, "relay: "},
		}},
	} {
		dir := certifiedText(t, test.file, test.text, test.o)
		if n, err := check(dir, test.text, test.o); err != nil || n != 2 {
			t.Fatalf("%s: %d specifications, %v", test.file, n, err)
		}
		wantRejected(t, dir, test.text+"\n", "another version of the model", test.o)
		if len(test.o.Defines) > 0 {
			wantRejected(t, dir, test.text, "it is about the text read with")
		}
		for _, f := range test.forgeries {
			forged := filepath.Join(t.TempDir(), "forged")
			if err := os.CopyFS(forged, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			rewrite(t, forged, f.file, f.from, f.to)
			if f.want != "" {
				wantRejected(t, forged, "", f.want)
			}
			wantRejected(t, forged, test.text, "", test.o)
		}
	}
}

// TestOtherTraffic: a run in another model of message traffic, in which formulas may fail that hold, is no counterexample
// for a certificate.
func TestOtherTraffic(t *testing.T) {
	need.All(t, "z3", "cvc5")
	text, ok := benchmarks.Read("sources/frb.ftdp")
	if !ok {
		t.Fatal("no such model")
	}
	ctx := context.Background()
	m, err := model.Open(ctx, "frb.ftdp", text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.(model.ForAll).Ask(ctx, []string{"unforgeability", "relay"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "certificate")
	r := Request{Question: q, Bound: Bound{UpTo: 3, States: 5000}, Release: "test", NoProofs: true, NoReview: true}
	if err := Make(ctx, dir, r, func(*model.Result, string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	x, err := m.(model.Fixed).Instance(ctx, []model.Setting{{Name: "n", Value: 2}, {Name: "f", Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Explore(ctx, []string{"relay"}, model.Exploring{Machine: machine.Options{Traffic: interp.Generalized}})
	if err != nil || len(found) != 1 || found[0].Counterexample == nil {
		t.Fatalf("%v, %v", found, err)
	}
	run, err := json.Marshal(found[0].Counterexample)
	if err != nil {
		t.Fatal(err)
	}
	forged := readIndex(t, dir)
	for i, s := range forged.Specs {
		if s.Name == "relay" {
			forged.Specs[i] = spec{Name: s.Name, Verdict: verdict.Violated}
		}
	}
	index, err := json.MarshalIndent(forged, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, indexFile), append(index, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "specs", "relay", "witness.json"), append(run, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"queries.smt2", "recorded.answers", "cvc5.answers", "z3-pipe.answers"} {
		if err := os.Remove(filepath.Join(dir, "specs", "relay", name)); err != nil {
			t.Fatal(err)
		}
	}
	resum(t, dir)
	wantRejected(t, dir, text, "with message traffic GRM")
}

// TestPrinted: what is printed of the automaton of a text reads back to the same automaton, and is printed in the same way then.
func TestPrinted(t *testing.T) {
	files := slices.Concat(benchmarks.Promela(), benchmarks.Sources(), benchmarks.Rounds())
	of := map[string]string{}
	for _, name := range files {
		of[name], _ = benchmarks.Read(name)
	}
	modules, err := filepath.Glob("../tla/testdata/*.tla")
	if err != nil || len(modules) == 0 || len(files) < 30 {
		t.Fatalf("%d files, %d modules, %v", len(files), len(modules), err)
	}
	for _, name := range modules {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files, of[name] = append(files, name), string(text)
	}
	made := 0
	for _, name := range files {
		_, a, err := open(context.Background(), name, of[name], &index{})
		if err != nil {
			var none *model.NoAutomaton
			if errors.As(err, &none) {
				continue
			}
			t.Fatal(err)
		}
		made++
		text := a.Text()
		if same, err := written(context.Background(), a, text+"\n", nil); same == nil {
			t.Errorf("%s is not read back as it was made (%v):\n%s", name, err, text)
		}
		tree, err := syntax.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if again := syntax.Format(tree); again != text {
			t.Errorf("%s is printed in another way when it was read:\n%s\n%s", name, text, again)
		}
	}
	if made < 30 {
		t.Errorf("only %d automata were made", made)
	}
}

// TestGuardsThatSayLess: the automaton of a certificate may have guards that say less than those of the text's, as far
// as the assumptions tell, and none that say more.
func TestGuardsThatSayLess(t *testing.T) {
	need.All(t, "z3", "cvc5")
	source, _ := benchmarks.Read("rounds/phase_king.ftdp")
	_, a, err := open(context.Background(), "text.ftdp", source, &index{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		guard string
		want  bool
	}{
		// as a release before this one wrote it: the assumptions say that coordinator_faulty <= f
		{"value0_node >= coordinator_faulty - f && value1_node >= coordinator_faulty - f", true},
		{"value0_node >= coordinator_faulty - f + 1", false},
	} {
		text := strings.Replace(a.Text(), "when (true)", "when ("+test.guard+")", 1)
		got, err := written(context.Background(), a, text, []string{"z3-pipe", "cvc5"})
		if err != nil || text == a.Text() || (got != nil) != test.want {
			t.Errorf("%s: %v, %v", test.guard, got != nil, err)
		}
	}
	guard := regexp.MustCompile(`when \([^t].*\)`).FindString(a.Text())
	text := strings.Replace(a.Text(), guard, "when (true)", 1)
	if got, err := written(context.Background(), a, text, []string{"z3-pipe", "cvc5"}); got == nil || text == a.Text() {
		t.Error(err)
	}
}
