package sizes

import "testing"

// TestCoverage: in 3000 random texts all pairs of constructs occur that are possible.
func TestCoverage(t *testing.T) {
	coverage := NewCoverage()
	for seed := range uint64(3000) {
		text, err := Parse(Generate(seed))
		if err != nil {
			t.Fatal(err)
		}
		tags := map[string]bool{}
		for _, f := range Features(text) {
			tags[f] = true
		}
		for _, in := range Instances(text, 2) {
			for _, f := range in.features() {
				tags[f] = true
			}
		}
		coverage.Add(tags)
	}
	t.Logf("coverage: %v", coverage)
	for _, pair := range coverage.Missing(6) {
		t.Errorf("%s and %s never occur together", pair[0], pair[1])
	}
}
