package rounds

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestGenerate: random texts can be read, and some instance of nearly each can be, too.
func TestGenerate(t *testing.T) {
	none := 0
	for seed := range uint64(200) {
		text, err := Parse(Generate(seed))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, Generate(seed))
		}
		none += truth(len(Parameters(text, 6, 5)) == 0)
	}
	if none > 20 {
		t.Errorf("%d of 200 texts have no small instances", none)
	}
}

// TestSuite: what is expected of published algorithms is so in small instances, as far as they are visited.
func TestSuite(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "benchmarks", "rounds")
	data, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		File   string
		Holds  []string
		Broken []struct{ Edits, Violated []string }
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for i, e := range all {
		if i%need.Every(t, 2) != 0 {
			continue
		}
		source, err := os.ReadFile(filepath.Join(folder, e.File))
		if err != nil {
			t.Fatal(err)
		}
		found := violations(t, string(source))
		for _, name := range found {
			if slices.Contains(e.Holds, name) {
				t.Errorf("%s: %s should hold, and is violated", e.File, name)
			}
		}
		for _, b := range e.Broken {
			text := string(source)
			for i := 0; i+1 < len(b.Edits); i += 2 {
				text = strings.ReplaceAll(text, b.Edits[i], b.Edits[i+1])
			}
			t.Logf("%s: %q violates %v, expected %v", e.File, b.Edits, violations(t, text), b.Violated)
		}
	}
}

// violations are the properties that are violated in an instance, as far as it is visited.
func violations(t *testing.T, source string) []string {
	text, err := Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	sizes := Parameters(text, 6, 5)
	if len(sizes) == 0 {
		return nil
	}
	states := need.Cases(t, 1500)
	var names []string
	random := rand.New(rand.NewPCG(1, 1))
	parameters := sizes[len(sizes)-1] // one with faults
	for i, v := range NewInstance(text, parameters, 2, "", "").Safety(states, 50, random) {
		if v == Violated {
			names = append(names, text.Properties[i].Name)
		}
	}
	for _, p := range text.Properties {
		if p.Class == "" {
			continue
		}
		if strategy, _ := NewInstance(text, parameters, 1, p.Class, "").Adversary(p, states); strategy != "" {
			names = append(names, p.Name)
		}
	}
	return names
}
