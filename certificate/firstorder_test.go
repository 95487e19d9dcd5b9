package certificate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/testkit/need"
)

// lockText is a lock whose proof needs one lemma.
const lockText = `sort node
mutable relation holds(node)
mutable relation free
init !holds(N)
init free
transition take(n: node)
  modifies holds, free
  & free & !new(free)
  & (forall N. new(holds(N)) <-> holds(N) | N = n)
transition give(n: node)
  modifies holds, free
  & holds(n) & new(free)
  & (forall N. new(holds(N)) <-> holds(N) & N != n)
safety [mutex] holds(N1) & holds(N2) -> N1 = N2
safety [idle] holds(N) -> !free
safety [never] !holds(N)
`

// certifiedLock writes a certificate of the lock.
func certifiedLock(t *testing.T) (dir string, s *fol.System) {
	t.Helper()
	need.All(t, "z3", "cvc5")
	s, lemmas, err := pyv.ReadWith("lock.pyv", lockText, []string{"forall A:node. !holds(A) | !free"})
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "proof")
	if _, err := MakeFirstOrder(context.Background(), dir, "test", "", s, []string{"mutex"}, append([]*fol.Term{s.Safety[0].Formula}, lemmas...)); err != nil {
		t.Fatal(err)
	}
	return dir, s
}

// TestFirstOrder: a certificate is accepted, and none is made of what is no proof.
func TestFirstOrder(t *testing.T) {
	dir, s := certifiedLock(t)
	ctx := context.Background()
	var told []string
	sum, err := Check(ctx, dir, Demand{}, func(x Checked) error {
		told = append(told, x.Spec+": "+x.How)
		return nil
	})
	if err != nil || sum != (Summary{1, 3}) || len(told) != 1 || !strings.Contains(told[0], "mutex: for every size: 6 questions with 1 lemma") {
		t.Errorf("%v %v %v", sum, err, told)
	}
	other := lockText + "\n"
	var bad *RejectedError
	if _, err := Check(ctx, dir, Demand{Model: &other}, func(Checked) error { return nil }); !errors.As(err, &bad) {
		t.Errorf("of another text: %v", err)
	}
	for name, claim := range map[string][]string{"no lemma": {"mutex"}, "what is false": {"mutex", "never"}, "nothing": {}} {
		if _, err := MakeFirstOrder(ctx, filepath.Join(t.TempDir(), "proof"), "test", "", s, claim, nil); !errors.Is(err, ErrNotCertified) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestForgedFirstOrder: what was changed in a certificate is noticed, though its sums are right.
func TestForgedFirstOrder(t *testing.T) {
	dir, _ := certifiedLock(t)
	for name, c := range map[string]struct{ file, old, new string }{
		"a lemma dropped":           {indexFile, `"forall A:node. !holds(A) | !free"`, ``},
		"another lemma":             {indexFile, "!holds(A) | !free", "!holds(A) | free"},
		"more than a lemma":         {indexFile, "!holds(A) | !free", "!holds(A) | !free axiom false"},
		"a lemma that is false":     {indexFile, "!holds(A) | !free", "false & !holds(A)"},
		"another property":          {indexFile, `"mutex"`, `"never"`},
		"a property twice":          {indexFile, `"mutex"`, "\"mutex\",\n    \"mutex\""},
		"an equality forgotten":     {systemFile, "holds(N) | N = n", "holds(N)"},
		"old for new":               {systemFile, "!new(free)", "!free"},
		"an axiom more":             {systemFile, "init free", "init free\naxiom X:node = Y"},
		"a question dropped":        {questionsFile, "(check-sat)\n(pop 1)\n(push 1)", "(push 1)"},
		"a question about nothing":  {questionsFile, "(check-sat)", "(assert false)\n(check-sat)"},
		"a transition that is left": {questionsFile, "n.holds", "r.holds"},
	} {
		forged := filepath.Join(t.TempDir(), "forged")
		if err := os.CopyFS(forged, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(forged, c.file)
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), c.old) {
			t.Fatal(name, err)
		}
		changed := strings.Replace(string(text), c.old, c.new, 1)
		if c.new == "" {
			changed = strings.Replace(changed, "[\n    \n  ]", "[]", 1)
		}
		if err := os.WriteFile(file, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if c.file == systemFile { // with its own digest, and the questions as they were
			index := filepath.Join(forged, indexFile)
			data, err := os.ReadFile(index)
			if err != nil {
				t.Fatal(err)
			}
			data = []byte(strings.Replace(string(data), digest(text), digest([]byte(changed)), 1))
			if err := os.WriteFile(index, data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		resum(t, forged)
		var bad *RejectedError
		if _, err := Check(context.Background(), forged, Demand{}, func(Checked) error { return nil }); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
