package protocol

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// seldom lists mistakes that show in few random texts.
var seldom = []string{
	mistakeStored, mistakeOverflow, mistakePart, mistakeByValue, mistakeAllStay, mistakeNoneStays, mistakeStatus, mistakeQuorum,
	mistakeInQuorum, mistakeBy, mistakeMin, mistakeStrict, mistakeFairRule, mistakeRelease, mistakeToQuorum, mistakeIncrease,
	mistakeDefaultEager, mistakeCrashed, mistakeRemainder, mistakeCeil, mistakeBehind, mistakeByzStatus,
}

// TestNoticed makes each mistake about a construct in the reference, and holds it against the program on random texts
// until one of them notices: so the generator writes texts that depend on each construct.
func TestNoticed(t *testing.T) {
	if need.Rarely(t, 2) > 1 {
		t.Skip("mistakes on random texts are for large runs: TACHECK_CASES=5x") // each on a text of its own is in TestMistakes and TestConstructs, always
	}
	open := map[string]bool{}
	for _, c := range constructs {
		if c.traffic == "" && c.set == nil { // what random texts are asked here is traffic M, with constants as they are
			open[c.mistake] = true
		}
	}
	c := &Campaign{Program: program, Folder: t.TempDir(), Limit: 150}
	n, seed := need.Cases(t, 400), need.Seed(t, 1)
	for i := 0; i < n && len(open) > 0; i++ {
		for _, wrong := range noticed(t, c, uint64(seed+i), open) {
			t.Logf("seed %d notices: %s", seed+i, wrong)
			delete(open, wrong)
		}
	}
	for wrong := range open {
		if slices.Contains(seldom, wrong) {
			t.Logf("%d random texts do not notice that %s", n, wrong)
			continue
		}
		t.Errorf("%d random texts do not notice that %s", n, wrong)
	}
}

// noticed lists the mistakes among some that a random text notices, and that nothing else explains.
func noticed(t *testing.T, c *Campaign, seed uint64, open map[string]bool) []string {
	random, _, err := c.generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	if compared(t, c, random, nil) == nil {
		return nil
	}
	file := filepath.Join(c.Folder, fmt.Sprint("sabotage", seed, ".ftdp"))
	if err := os.WriteFile(file, []byte(random.Text), 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)
	r := &runner{Campaign: c, Outcome: &Outcome{Case: random}, file: file}
	var runs []*Run
	for _, symmetry := range []string{"none", "roles"} {
		run, err := program.run(r.base("--jobs", "1", "--por", "none", "--symmetry", symmetry)...)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	if found := compared(t, c, random, runs); len(found) > 0 {
		return nil
	}
	var list []string
	for wrong := range open {
		if mistaken(wrong, func() bool { return len(compared(t, c, random, runs)) > 0 }) {
			list = append(list, wrong)
		}
	}
	return list
}

// mistaken asks something of a reference that makes a mistake. If that confuses it altogether, it is noticed, too.
func mistaken(wrong string, ask func() bool) (notices bool) {
	mistake = wrong
	defer func() {
		mistake = ""
		if recover() != nil {
			notices = true
		}
	}()
	return ask()
}

// compared holds runs of the program on a random text against the reference. It says nil if there is nothing to
// compare.
func compared(t *testing.T, c *Campaign, random *Case, runs []*Run) []Disagreement {
	text, err := Parse(random.Text)
	if err != nil {
		t.Fatal(err)
	}
	model, err := Load(text, random.Set)
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{model: model, limit: c.Limit, known: map[Options]*expected{}}
	if e := j.expect(Options{Traffic: Direct}); !e.complete || j.unsaid(e) {
		return nil
	}
	found := []Disagreement{}
	for _, run := range runs {
		found = append(found, j.compare(run, Direct, model.Text.Properties)...)
	}
	return found
}
