package traces

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// program is the program under test.
var program string

func TestMain(m *testing.M) { need.WithProgram(m, &program) }

// sufficient is how many compared cases have all pairs of features.
const sufficient = 20000

// TestCampaign holds the program against the reference on random logs (need.Cases).
func TestCampaign(t *testing.T) {
	coverage := campaign(t, need.Cases(t, 300), Generate)
	t.Log(coverage.Table())
	if missing := coverage.Missing(); len(missing) > 0 && coverage.Cases >= sufficient {
		t.Errorf("never occurred: %q", missing)
	} else if len(missing) > 0 {
		t.Logf("not yet: %d of features and pairs, such as %q", len(missing), missing[:min(len(missing), 20)])
	}
}

// TestIntervals does so with logs whose events have intervals: half as many as there are seeds, or fewer.
func TestIntervals(t *testing.T) { campaign(t, need.Cases(t, 100), Intervals) }

// TestMiddle does so with logs that begin in the middle of a run.
func TestMiddle(t *testing.T) { campaign(t, need.Cases(t, 60), Middle) }

// campaign compares so many cases, of seeds from one on.
func campaign(t *testing.T, n int, generate func(uint64) (*Case, error)) *Coverage {
	seed := need.Seed(t, 1)
	kinds := map[string]int{}
	counts := map[string]int{}
	coverage := NewCoverage()
	for i := range n {
		c, answer := decide(t, uint64(seed+i), generate)
		if c == nil {
			counts["no case"]++
			continue
		}
		if answer != nil && answer.Skipped != "" {
			counts["skipped: "+answer.Skipped]++
			continue
		}
		folder := t.TempDir()
		args, err := c.Write(folder)
		if err != nil {
			t.Fatal(err)
		}
		said, err := Ask(program, args)
		if err != nil {
			t.Errorf("case %d: %v", c.Seed, err)
			continue
		}
		report := func(d *Difference) {
			kinds[d.Kind]++
			if kinds[d.Kind] <= 3 {
				t.Errorf("case %d: %s: %s\n%s", c.Seed, d.Kind, d.Text, c)
			}
			if dir := os.Getenv("TACHECK_SAVE"); dir != "" {
				save(t, filepath.Join(dir, fmt.Sprint(c.Seed)), c, d, said)
			}
		}
		if answer == nil {
			counts["refused"]++
			// What is refused may stand behind what is no run, or takes too many states.
			if said.Code != 2 && said.Verdict != "not a run" && !strings.HasPrefix(said.Reason, "too many states") {
				report(&Difference{"not refused", said.Verdict})
			}
			continue
		}
		counts["compared"]++
		coverage.Add(c.Features, answer.Verdict())
		counts["verdict "+said.Verdict]++
		q, err := c.Question()
		if err != nil {
			t.Fatal(err)
		}
		d := answer.compare(said)
		if d == nil {
			d = c.compareEvents(q, answer, said)
		}
		if d == nil {
			continue
		}
		report(d)
	}
	for _, k := range sortedKeys(kinds) {
		t.Logf("%5d differences: %s", kinds[k], k)
	}
	for _, k := range sortedKeys(counts) {
		t.Logf("%5d %s", counts[k], k)
	}
	return coverage
}

func sortedKeys(m map[string]int) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// decide makes a case and answers it.
func decide(t *testing.T, seed uint64, generate func(uint64) (*Case, error)) (*Case, *Answer) {
	c, err := generate(seed)
	if err != nil {
		t.Fatalf("case %d: %v", seed, err)
	}
	if c == nil {
		return nil, nil
	}
	q, err := c.Question()
	if err != nil {
		t.Fatalf("case %d: %v", seed, err)
	}
	a, err := q.Answer()
	if err != nil {
		return c, nil
	}
	return c, a
}

// save writes a case that went wrong where a developer finds it.
func save(t *testing.T, folder string, c *Case, d *Difference, said *Said) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write(folder); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%s: %s\nThe program says %s (exit code %d) %s%s\n", d.Kind, d.Text, said.Verdict, said.Code, said.Reason, said.Message)
	if err := os.WriteFile(filepath.Join(folder, "README"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
