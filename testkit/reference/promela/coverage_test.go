package promela

import (
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// Log prints the table, and complains about pairs that never occurred although there were enough cases.
func (t *Table) Log(log testing.TB, enough bool) {
	for _, f := range t.Features() {
		log.Logf("%6d %s", t.Single[f], f)
	}
	log.Logf("%d features, %d pairs in %d cases", len(t.Single), len(t.Pairs), t.Cases)
	for _, p := range t.Missing(24) {
		if enough {
			log.Errorf("never together: %s, %s", p[0], p[1])
		} else {
			log.Logf("not yet together: %s, %s", p[0], p[1])
		}
	}
}

// TestPairs has texts generated, without running them: every pair of features occurs that can.
func TestPairs(t *testing.T) {
	t.Parallel()
	need.More(t, "what no program is run for")
	table := NewTable()
	parsed := 0
	for seed := int64(0); seed < int64(need.Cases(t, 6000)); seed++ {
		c := Generate(seed)
		table.Add(c.Features())
		if seed%10 != 0 {
			continue
		}
		_, err := Parse(c.Text, c.Defines)
		if err == nil {
			parsed++
		}
		if (err != nil) != c.Wrong {
			t.Errorf("seed %d, mistake %v: %v\n%s", seed, c.Wrong, err, c.Text)
		}
	}
	t.Logf("%d texts read", parsed)
	table.Log(t, true)
}
