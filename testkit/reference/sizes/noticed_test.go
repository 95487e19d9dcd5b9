package sizes

import (
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// mistakes are what a reference may do wrong, one for each construct at least, with the seed of a random text that shows it.
var mistakes = []struct {
	mistake string
	seed    int64
}{
	{"liars are silent", 9},
	{"messages may stay away", 2},
	{"maybe is must", 16},
	{"runs go on", 6},
	{"elsif is if", 2},
	{"elsif makes nothing possible", 16},
	{"types are alike", 138},
	{"anybody may crash", 154},
	{"crashes are not shared", 141},
	{"crashes are of one type", 154},
	{"a distinguished process is correct", 16},
	{"somebody is correct", 9},
	{"conditions are of the first type", 9},
	{"the crashed forget", 135},
	{"the crashed count", 24},
	{"every is all", 39},
	{"one message in a step", 47},
	{"first values are the least", 1},
	{"inputs are locals", 2},
	{"inputs are alike", 2},
	{"inputs stay", 468},
	{"init is ignored", 21},
	{"init asks the faulty", 402},
	{"quotients are rounded up", 9},
	{"quotients are rounded down", 3},
	{"assumptions have no quotients", 14},
	{"not binds strongly", 40},
}

// rareMistakes are those that few random texts show, with the number of a text of typed that does.
var rareMistakes = []struct {
	mistake string
	text    int
}{
	{"crashes are clean", 4},
	{"clean crashes are not", 18},
	{"omissions are mended", 5},
	{"omitting processes are fair", 5},
	{"all types send", 21},
	{"a crashing step changes nothing", 10},
	{"heard and crashed are two", 20},
	{"the crashed of all types are heard", 20},
	{"any is the first", 22},
	{"only the first value counts", 22},
	{"a value that there is not is any", 15},
	{"neighbours differ", 23},
	{"-= is +=", 23},
	{"definitions have no parentheses", 24},
	{"anybody may lie", 1},
	{"quotients are cut", 23},
	{"lies to all may stay away", 6},
	{"labels count values", 25},
	{"values of a parameter begin at 0", 25},
	{"the last value of a parameter is left out", 26},
	{"arguments are bound in the wrong order", 26},
}

// TestNoticed: the comparison notices each mistake, on random texts or on those written for it.
func TestNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program often") // which the race detector (make race) sees nothing of
	}
	p := Program{Path: program, Folder: t.TempDir(), Patience: 50 * time.Second}
	every := need.Every(t, 2)
	for i, m := range mistakes {
		if i%every > 0 {
			continue
		}
		noticed := false
		for seed := range need.First(m.seed, 40) {
			if noticed = notices(p, seed, Generate(uint64(seed)), m.mistake); noticed {
				t.Logf("%s: noticed with seed %d", m.mistake, seed)
				break
			}
		}
		if !noticed {
			t.Errorf("%s: nobody notices", m.mistake)
		}
	}
	for i, m := range rareMistakes {
		if i%every == 0 && !notices(p, int64(m.text), typedSource(m.text), m.mistake) {
			t.Errorf("%s: nobody notices", m.mistake)
		}
	}
}

// noticing bounds how many states an instance has.
const noticing = 12_000

// notices tells whether the program disagrees with a mistaken reference: exploring, on an instance of which the mistake changes what the
// reference says, or else the parameters of a counterexample.
func notices(p Program, seed int64, source, mistake string) bool {
	right, wrong := newCase(p, uint64(seed), source, noticing, ""), newCase(p, uint64(seed), source, noticing, mistake)
	if right.Text == nil || wrong.Text == nil {
		return false
	}
	looked := 0
	for _, in := range instancesOf(wrong.Text, largestParameter, mistake) {
		if in.size > 4 || looked > 12 {
			continue
		}
		looked++
		without := newInstance(right.Text, in.Parameters, "")
		for i, property := range wrong.Text.Properties {
			if v := wrong.verdict(in, property); v != "" && (without == nil || v != right.verdict(without, right.Text.Properties[i])) {
				wrong.exploreWith(in, nil)
				if len(withoutKnown(wrong.Disagreements)) > 0 || without == nil && len(wrong.Notes) > 0 {
					return true
				}
			}
		}
	}
	wrong.verify()
	return len(withoutKnown(wrong.Disagreements)) > 0
}
