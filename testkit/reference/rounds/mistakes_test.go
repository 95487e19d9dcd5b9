package rounds

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestMistakes: the comparison notices deliberate mistakes, in the reference or in what the program is asked, and finds nothing
// without them (in short tests, for one in five).
func TestMistakes(t *testing.T) {
	p := Program{Path: program, Folder: t.TempDir(), Patience: 20 * time.Second}
	limits := Limits{States: 20000, Walks: 100, Instances: 4, Explore: 1}
	for i, mistake := range slices.Sorted(maps.Keys(shown)) {
		source := shown[mistake]
		for _, made := range []string{mistake, ""}[:1+truth(i%need.Every(t, 1) == 0)] {
			c := compare(p, 1, source, limits, made)
			if noticed := len(c.Disagreements) > 0; noticed != (made != "") {
				t.Errorf("%q: with %q: %v, %v", mistake, made, c.Disagreements, c.Notes)
			}
		}
	}
}

// TestAdversaries: what adversaries can do depends on what they see.
func TestAdversaries(t *testing.T) {
	text, err := Parse(shown[bindingLeftOut])
	if err != nil {
		t.Fatal(err)
	}
	for class, want := range map[string]Strategy{unseen: "", inOrder: Forever, seen: Forever} {
		in := NewInstance(text, []int{5, 1, 1}, 1, class, "")
		strategy, complete := in.Adversary(text.Properties[0], 100000)
		t.Logf("%s: %v %v", class, strategy, complete)
		if strategy != want || !complete {
			t.Errorf("%s: %q, complete: %v, want %q", class, strategy, complete, want)
		}
	}
}

// TestOwnMistakes: each mistake changes a verdict of the reference.
func TestOwnMistakes(t *testing.T) {
	for _, mistake := range Mistakes {
		text, err := Parse(shown[mistake])
		if err != nil {
			t.Fatal(err)
		}
		parameters := []int{2}
		if len(text.Parameters) == 2 {
			parameters = []int{3, 1}
		}
		var verdicts []Verdict
		for _, made := range []string{"", mistake} {
			if p := text.Properties[0]; p.Class == good {
				strategy, _ := NewInstance(text, parameters, 1, good, made).Adversary(p, 50000)
				verdicts = append(verdicts, "none, or "+Verdict(strategy))
				continue
			}
			in := NewInstance(text, parameters, 2, "", made)
			verdicts = append(verdicts, in.Safety(50000, 100, rand.New(rand.NewPCG(1, 1)))[0])
		}
		if verdicts[0] == "" || verdicts[1] == "" || verdicts[0] == verdicts[1] {
			t.Errorf("%s: %v", mistake, verdicts)
		}
	}
}
