package sizes

import (
	"testing"
	"time"

	"tacheck/testkit/need"
)

// mistakes are what a reference may do wrong, one for each construct at least, with the seed of a random text that shows it.
var mistakes = []struct {
	mistake string
	seed    int64
}{
	{"liars are silent", 0},
	{"crashes are clean", 0},
	{"clean crashes are not", 0},
	{"omissions are mended", 0},
	{"messages may stay away", 0},
	{"lies to all may stay away", 0},
	{"omitting processes are fair", 0},
	{"maybe is must", 0},
	{"runs go on", 0},
	{"elsif is if", 0},
	{"elsif makes nothing possible", 0},
	{"types are alike", 0},
	{"all types send", 0},
	{"anybody may crash", 0},
	{"anybody may lie", 0},
	{"crashes are not shared", 0},
	{"crashes are of one type", 0},
	{"a distinguished process is correct", 0},
	{"somebody is correct", 0},
	{"conditions are of the first type", 0},
	{"a crashing step changes nothing", 0},
	{"the crashed forget", 0},
	{"the crashed count", 0},
	{"every is all", 0},
	{"heard and crashed are two", 0},
	{"the crashed of all types are heard", 0},
	{"one message in a step", 0},
	{"any is the first", 0},
	{"only the first value counts", 0},
	{"a value that there is not is any", 0},
	{"first values are the least", 0},
	{"inputs are locals", 0},
	{"inputs are alike", 0},
	{"inputs stay", 0},
	{"init is ignored", 0},
	{"init asks the faulty", 0},
	{"quotients are rounded up", 0},
	{"quotients are rounded down", 0},
	{"quotients are cut", 0},
	{"assumptions have no quotients", 0},
	{"definitions have no parentheses", 0},
	{"neighbours differ", 0},
	{"not binds strongly", 0},
	{"-= is +=", 0},
}

// TestNoticed: the comparison of random texts notices each mistake.
func TestNoticed(t *testing.T) {
	if testing.Short() { // for the race detector (make race), which sees nothing of other processes
		t.Skip("runs the program often")
	}
	p := Program{Path: program, Folder: t.TempDir(), Patience: 20 * time.Second}
	every := need.Every(t, 1)
	for i, m := range mistakes {
		if i%every > 0 {
			continue
		}
		noticed := false
		for seed := range need.First(m.seed, 200) {
			if c := compareInstances(p, uint64(seed), Generate(uint64(seed)), 3000, m.mistake); len(withoutKnown(c.Disagreements)) > 0 {
				noticed = true
				if seed != m.seed {
					t.Logf("%s: noticed with seed %d, not with %d", m.mistake, seed, m.seed)
				}
				break
			}
		}
		if !noticed {
			t.Errorf("%s: nobody notices", m.mistake)
		}
	}
}
