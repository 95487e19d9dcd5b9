package certificate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/induct"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/mutate"
	"github.com/tacheck/tacheck/testkit/need"
)

// said checks a certificate and returns all that is reported of it.
func said(dir string) (string, error) { return saidOf(dir, DefaultBound) }

func saidOf(dir string, bound Bound) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	return saidOfText(ctx, dir, Demand{Bound: bound})
}

func saidOfText(ctx context.Context, dir string, d Demand) (string, error) {
	var list []string
	sum, err := Check(ctx, dir, d, func(x Checked) error {
		text, err := json.Marshal(x)
		list = append(list, string(text))
		return err
	})
	slices.Sort(list) // in which order does not matter
	text, _ := json.Marshal(sum)
	return strings.Join(list, "") + string(text), err
}

// mutated changes every file of a certificate in every field, and the digests with it: each
// mutant is rejected, or all that is said is what was said before, and what was changed
// is for people. A mutant of the digest of the model is that of a certificate of nothing.
// What is a proof for other constants, or of another depth, says so, and is true.
func mutated(t *testing.T, dir string, stride int, forPeople ...string) {
	t.Helper()
	mutatedOf(t, dir, DefaultBound, stride, forPeople...)
}

// mutatedOf is mutated for a certificate for which instances are explored within a bound.
func mutatedOf(t *testing.T, dir string, bound Bound, stride int, forPeople ...string) {
	t.Helper()
	said := func(dir string) (string, error) { return saidOf(dir, bound) }
	want, err := said(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, _, err := folderAt(t, dir).list()
	if err != nil {
		t.Fatal(err)
	}
	tried, accepted, late := 0, 0, 0
	for _, name := range append(files, sumsFile) {
		path := filepath.Join(dir, name)
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list := mutate.Whole(old)
		if strings.HasSuffix(name, ".json") {
			list = mutate.JSON(old)
		}
		step := max(1, len(list)/stride)
		for i := 0; i < len(list); i += step {
			m := list[i]
			if strings.HasSuffix(m.Where, "up_to") && (m.What == "becomes 15" || m.What == "becomes 50") {
				continue // that explores for minutes
			}
			if name == indexFile && json.Valid(m.Text) {
				var b bytes.Buffer // written as it should be
				if err := json.Indent(&b, bytes.TrimSpace(m.Text), "", "  "); err != nil {
					t.Fatal(err)
				}
				m.Text = append(b.Bytes(), '\n')
			}
			if bytes.Equal(m.Text, old) {
				continue
			}
			tried++
			if err := os.WriteFile(path, m.Text, 0o666); err != nil {
				t.Fatal(err)
			}
			if name != sumsFile {
				resum(t, dir)
			}
			got, err := said(dir)
			var bad *RejectedError
			people := strings.HasSuffix(name, ".proof.gz") || name == indexFile && strings.HasPrefix(m.What, "changes places") // no claim is in an order
			for _, field := range forPeople {
				people = people || name == indexFile && strings.HasSuffix(m.Where, field)
			}
			switch {
			case errors.Is(err, context.DeadlineExceeded): // a size that takes too long to check
				late++
			case err != nil && !errors.As(err, &bad):
				t.Errorf("%s: %s %s: %v", name, m.Where, m.What, err)
			case err != nil && strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }):
				t.Errorf("%s: %s %s: the reason has control characters: %q", name, m.Where, m.What, err)
			case err != nil:
			case got != want && queries.ReplaceAllString(got, "${1}N quer") == claimed(t, dir, want):
				accepted++
				holdsOf(t, dir, m.Where+" "+m.What)
			case got != want || !people:
				t.Errorf("%s: %s %s: accepted, and said is %s", name, m.Where, m.What, got)
			default:
				accepted++
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if name != sumsFile {
			resum(t, dir)
		}
		wantRejected(t, dir, "", "")
		if err := os.WriteFile(path, old, 0o666); err != nil {
			t.Fatal(err)
		}
		resum(t, dir)
	}
	for _, name := range []string{"more", "specs/more", ".hidden", "model.ta~", "specs/relay/z3.answers"} {
		if err := folderAt(t, dir).write(name, nil); err != nil {
			t.Fatal(err)
		}
		resum(t, dir)
		wantRejected(t, dir, "", "does not belong")
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		for at := filepath.Dir(name); at != "."; at = filepath.Dir(at) {
			_ = os.Remove(filepath.Join(dir, at)) // unless something else is in it
		}
	}
	resum(t, dir)
	if got, err := said(dir); err != nil || got != want {
		t.Errorf("as it was: %s, %v", got, err)
	}
	t.Logf("%d mutants, %d accepted that say what they claim, or differ in what is for people; %d take too long", tried, accepted, late)
}

// claimed returns what is to be said of a mutant of what proves an invariant: the values of constants, and those of the text
// where they differ, and its depth. "" if that is what was said before.
func claimed(t *testing.T, dir, said string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, indexFile))
	if err != nil {
		t.Fatal(err)
	}
	var x struct {
		Version   int
		Format    string
		Constants map[string]int64
		Implicit  bool `json:"implicit_crashes"`
		Proof     struct{ K int }
	}
	if json.Unmarshal(text, &x) != nil || x.Format != inductionName && x.Format != everySizeName {
		return ""
	}
	source, err := os.ReadFile(filepath.Join(dir, protocolFile))
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read(protocolFile, string(source), nil)
	if err != nil {
		return ""
	}
	var values []string
	for _, k := range m.Constants {
		v, given := x.Constants[k.Name]
		switch {
		case given && v != k.Value:
			values = append(values, fmt.Sprintf("%s=%d (%d in the text)", k.Name, v, k.Value))
		case given:
			values = append(values, fmt.Sprintf("%s=%d", k.Name, v))
		}
	}
	with := ""
	if len(values) > 0 {
		with = "; with " + strings.Join(values, ", ")
	}
	if x.Implicit {
		with += "; implicit crashes"
	}
	if x.Format == everySizeName && x.Version == everySizeUncompared {
		with += "; what is in " + questionsFile + " was not compared, as the certificate is of version 1"
	}
	how := regexp.MustCompile(`(; with [^"]*)?(; implicit crashes)?"}\{"Certified"`)
	out := how.ReplaceAllString(said, strings.ReplaceAll(with, "$", "$$")+`"}{"Certified"`)
	if x.Format == inductionName {
		out = regexp.MustCompile(`depth \d+: \d+ quer`).ReplaceAllString(out, fmt.Sprintf("depth %d: N quer", x.Proof.K))
	}
	return out
}

// queries is how many are said to be asked, which depends on the depth.
var queries = regexp.MustCompile(`(depth \d+: )\d+ quer`)

func folderAt(t *testing.T, dir string) folder {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return folder{root}
}

// people lists fields that are for people, or that may be greater.
var people = []string{"release", "model", "solver", "version", "no_proof", "states", "confirmed.1", "confirmed.2"}

func TestMutated(t *testing.T) {
	dir, _ := certified(t, "broken/rb-n3t.ta", "unforgeability", "relay")
	mutated(t, dir, need.Cases(t, 50), people...)
}

func TestMutatedInduction(t *testing.T) {
	need.Usual(t, "a long proof") // TestWrittenOtherwise forges one
	mutated(t, certifiedBakery(t), need.Cases(t, 20), "release", "model", "confirmed.1", "confirmed.2")
}

// certifiedBakery writes a proof of the bakery for other constants than those of its text.
func certifiedBakery(t *testing.T) (dir string) {
	t.Helper()
	need.All(t, "z3", "cvc5")
	text, _ := benchmarks.Read("bakery.ftdp")
	m, err := instantiate.Read("bakery.ftdp", text, map[string]int64{"m": 7})
	if err != nil {
		t.Fatal(err)
	}
	r, err := induct.Prove(context.Background(), m, m.Lookup("mutex"), induct.Options{Solver: z3.New})
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "proof")
	if _, err := MakeInduction(context.Background(), dir, "test", "", m, r); err != nil {
		t.Fatal(err)
	}
	got, err := said(dir)
	if err != nil || !strings.Contains(got, "m=7 (1000 in the text)") {
		t.Fatalf("%s, %v", got, err)
	}
	return dir
}

// TestMutatedEverySize changes a proof for every size: voting by majorities, with the lemmas of its text, and without one of
// them.
func TestMutatedEverySize(t *testing.T) {
	dir, m, r := certifiedVote(t)
	mutated(t, dir, need.Cases(t, 8), "release", "model", "confirmed.1", "confirmed.2")
	less := *r
	less.Lemmas = r.Lemmas[1:]
	if _, err := MakeEverySize(context.Background(), filepath.Join(t.TempDir(), "less"), "test", "", m, &less); !errors.Is(err, ErrNotCertified) {
		t.Errorf("without a lemma: %v", err)
	}
}

func certifiedVote(t *testing.T) (dir string, m *protocol.Model, r *induct.ForSizes) {
	t.Helper()
	need.All(t, "z3", "cvc5")
	file := "../protocol/everysize/testdata/vote.ftdp"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err = instantiate.Read("vote.ftdp", string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err = induct.EverySize(context.Background(), m, m.Lookup("agreement"), induct.Options{Solver: z3.New})
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "proof")
	if _, err := MakeEverySize(context.Background(), dir, "test", "", m, r); err != nil {
		t.Fatal(err)
	}
	if got, err := said(dir); err != nil || !strings.Contains(got, "for every n, l") {
		t.Fatalf("%s, %v", got, err)
	}
	return dir, m, r
}

// TestForgedAssumptions: a proof of a text that assumes more than what is added to one that assumes nothing is none of that.
func TestForgedAssumptions(t *testing.T) {
	need.All(t, "z3", "cvc5")
	const given = `protocol count;
const n = 2; l = 1;
type P: role[n]; L: role[l]; V: 0..1;
var p: array[P] of record done: bool = false; end; q: array[L] of record v: V = 0; end;
rules
  [](i: P) go: if not p[i].done and n <= 2 then p[i].done := true; endif
  []
  [](i: L) one: q[i].v := 1;
invariant few: count (k: P) (p[k].done) <= 2;
`
	for _, test := range []struct {
		added string
		set   map[string]int64
		want  bool
	}{
		{"assume n >= 1, l >= 1;", nil, true},
		{"assume n >= 2, l >= 1;", nil, true},
		{"assume n >= 1;", map[string]int64{"l": 3}, true},
		{"assume l >= 1;", map[string]int64{"n": 5}, true},
		{"assume n = 2, l >= 1;", nil, false},
		{"assume n >= 2, n < 3, l >= 1;", nil, false},
		{"assume n >= 1, n >= 2, l >= 1;", nil, false},
		{"assume n >= 1, l >= 1, 2 * n <= 5;", nil, false},
		{"assume n >= 3, l >= 1;", map[string]int64{"n": 3}, false},
		{"assume l >= 1, n >= 1;", nil, false},
		{"assume n >= 1, l >= n;", map[string]int64{"n": 1}, false},
		{"assume n >= 1; assume l >= 1;", nil, false},
		{"assume n >= 1, l >= 1; // as it should be", nil, false},
		{"lemma x: forall (k: P) p[k].done or not p[k].done; assume n >= 1, l >= 1;", nil, false},
	} {
		m, err := instantiate.Read("count.ftdp", given+"\n"+test.added+"\n", test.set)
		if err != nil {
			t.Fatal(err)
		}
		r, err := induct.EverySize(context.Background(), m, m.Lookup("few"), induct.Options{Solver: z3.New})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "proof")
		if _, err := MakeEverySize(context.Background(), dir, "test", "", m, r); err != nil {
			t.Fatalf("%s: %v", test.added, err)
		}
		if !test.want {
			wantRejected(t, dir, given, "about another version of the protocol")
		} else if _, err := check(dir, given); err != nil {
			t.Errorf("%s: %v", test.added, err)
		}
		wantRejected(t, dir, strings.Replace(given, "<= 2;", "<= 3;", 1), "about another version of the protocol")
	}
}

// TestInjected: names with line breaks do not get to a solver.
func TestInjected(t *testing.T) {
	dir, _ := certified(t, "rb.ta", "relay")
	queries := filepath.Join(dir, queriesFile("relay"))
	script, err := os.ReadFile(queries)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, indexFile))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(script), "\n")
	for _, name := range []string{"z3 4.8.12\n(set-logic QF_LIA)\n(check-sat)\n(exit)", "z3\r(exit)", "z3\u2028(exit)", "z3", "", "; unsat", "asked by tacheck\n; unsat"} {
		var x map[string]any
		if err := json.Unmarshal(before, &x); err != nil {
			t.Fatal(err)
		}
		x["specs"].([]any)[0].(map[string]any)["solver"] = name
		var forged index
		text, _ := json.Marshal(x)
		if err := json.Unmarshal(text, &forged); err != nil {
			t.Fatal(err)
		}
		text, _ = json.MarshalIndent(forged, "", "  ")
		for file, text := range map[string]string{queries: "; " + name + "\n" + rest, filepath.Join(dir, indexFile): string(text) + "\n"} {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		resum(t, dir)
		wantRejected(t, dir, "", "")
	}
}
