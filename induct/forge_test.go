package induct

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/mutate"
	"github.com/tacheck/tacheck/testkit/need"
)

func fromFile(t *testing.T, file string) *protocol.Model {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := instantiate.Read(filepath.Base(file), string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// checks checks a proof from another source, with texts that fit.
func checks(m *protocol.Model, name string, f File) error {
	for i, l := range f.proof().Lemmas {
		f.Lemmas[i].Text = l.Text()
	}
	_, err := f.Check(context.Background(), m, m.Lookup(name), interp.Options{}, z3.New)
	return err
}

// TestForgedProofs: whatever a proof says, no invariant is proved that is violated.
func TestForgedProofs(t *testing.T) {
	m := fromFile(t, "testdata/race.ftdp")
	by := func(rule string, guard []string, and string) []StrengthenedFile {
		return []StrengthenedFile{{rule, guard, and}}
	}
	for name, f := range map[string]File{
		"contradicts the guard":          {K: 1, Strengthened: by("enter", []string{"proc[i].pc = TRYING"}, "proc[i].pc = CRITICAL")},
		"of a rule without a guard":      {K: 1, Strengthened: by("rest", nil, "proc[i].pc = CRITICAL")},
		"of a guard that is not there":   {K: 1, Strengthened: by("rest", []string{"proc[i].pc = TRYING"}, "proc[i].pc = CRITICAL")},
		"with lemmas that rest on it":    {K: 1, Rests: [][]int{{0}}, Strengthened: by("try", []string{"proc[i].pc = SLEEPING"}, "proc[i].pc = CRITICAL")},
		"a lemma that is false at first": {K: 1, Lemmas: []LemmaFile{{Class: Definition, Roles: []string{"procID"}, Names: []string{"i"}, Literals: []Literal{{Atom: "proc[i].pc = TRYING"}}}}},
		"a lemma by hand":                {K: 1, Lemmas: []LemmaFile{{Class: ByHand, Formula: "false"}}},
		"two formulas":                   {K: 1, Lemmas: []LemmaFile{{Class: ByHand, Formula: "true; invariant more: false"}}},
		"nothing":                        {K: 1},
		"nothing, but deep":              {K: 12},
		"too many names":                 {K: 1, Lemmas: []LemmaFile{{Class: Definition, Roles: []string{"procID"}, Names: []string{"i", "j"}, Literals: []Literal{{Atom: "proc[i].pc = TRYING", Not: true}}}}},
	} {
		for _, p := range m.Props {
			if err := checks(m, p.Name, f); err == nil {
				t.Errorf("%s: a proof of %s is accepted", name, p.Name)
			}
		}
	}
	// At random: conditions of the vocabulary, true or not.
	x, err := encode.New(m, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	role := m.Roles[0].ID
	atoms := [][]encode.Atom{nil, nil, nil}
	for n := 1; n <= 2; n++ {
		a, err := x.Atoms(make([]int, n))
		if err != nil {
			t.Fatal(err)
		}
		atoms[n] = a.List
	}
	tried := 0
	for range need.Cases(t, 40) {
		f := File{K: 1 + r.IntN(3)}
		for range r.IntN(4) {
			n := 1 + r.IntN(2)
			l := LemmaFile{Class: []Class{Definition, Validity}[n-1], Names: []string{"i", "j"}[:n], Roles: []string{role, role}[:n]}
			for range 1 + r.IntN(3) {
				l.Literals = append(l.Literals, Literal{atoms[n][r.IntN(len(atoms[n]))].Text, r.IntN(2) == 0})
			}
			f.Lemmas = append(f.Lemmas, l)
		}
		for range r.IntN(3) {
			g := StrengthenedFile{Rule: []string{"try", "enter", "rest"}[r.IntN(3)], And: []string{"", "not "}[r.IntN(2)] + atoms[1][r.IntN(len(atoms[1]))].Text}
			g.Guard = [][]string{nil, {"proc[i].pc = SLEEPING"}, {"proc[i].pc = TRYING"}}[r.IntN(3)]
			f.Strengthened = append(f.Strengthened, g)
		}
		for range r.IntN(2) * (len(f.Lemmas) + 1) {
			list := []int{}
			for k := range len(f.Lemmas) + 1 {
				if r.IntN(2) == 0 {
					list = append(list, k)
				}
			}
			f.Rests = append(f.Rests, list)
		}
		for _, p := range m.Props {
			tried++
			if err := checks(m, p.Name, f); err == nil {
				text, _ := json.Marshal(f)
				t.Errorf("a proof of %s is accepted: %s", p.Name, text)
			}
		}
	}
	t.Logf("%d forged proofs", tried)
}

// TestMutatedProofs changes proofs in every field: none makes the program panic, and each
// that is accepted is one of what it says.
func TestMutatedProofs(t *testing.T) {
	m := fromFile(t, "../benchmarks/protocols/bakery.ftdp")
	for _, o := range []Options{{}, {K: 1, apart: true}} { // with a strengthened guard, with lemmas
		const name = "mutex"
		_, r := byInduction(t, m, m.Lookup(name), o, time.Minute)
		if r == nil || r.Proof == nil {
			t.Fatalf("%+v: no proof", o)
		}
		text, err := json.Marshal(r.Proof.File())
		if err != nil {
			t.Fatal(err)
		}
		if f := r.Proof.File(); len(f.Strengthened) > 0 {
			f.Strengthened = append(f.Strengthened, f.Strengthened[0])
			if checks(m, name, f) == nil {
				t.Error("a guard that is strengthened twice is accepted")
			}
		}
		accepted, refused := 0, 0
		for i, mutant := range mutate.JSON(text) {
			if mutant.Where == "k" || i%need.Every(t, 1) > 0 {
				continue // of great depth it takes long
			}
			var f File
			if record.Read(mutant.Text, &f) != nil {
				continue
			}
			if _, err := f.Check(context.Background(), m, m.Lookup(name), interp.Options{}, z3.New); err != nil {
				refused++
				continue
			}
			accepted++
			t.Logf("%s %s: accepted", mutant.Where, mutant.What)
		}
		t.Logf("%s: %d mutants are refused, %d are proofs, too", name, refused, accepted)
		if refused < 5 {
			t.Errorf("%s: only %d are refused", name, refused)
		}
	}
}
