package explore

import (
	"fmt"
	"testing"
)

// TestFingerprint: fingerprints of states that differ little differ, and spread over the table.
func TestFingerprint(t *testing.T) {
	prints, states := map[uint64]bool{}, map[string]bool{}
	var top [256]int
	for length := range uint32(5) {
		for k := range 40 * 40 * length * length {
			a, b, at := k%40, k/40%40, k/1600
			state := make([]uint32, length)
			state[at/length] = a << (at % 8)
			state[at%length] += b << (at % 3)
			states[fmt.Sprint(state)] = true
			if h := fingerprint(state); !prints[h] {
				prints[h] = true
				top[h>>56]++
			}
		}
	}
	if len(prints) != len(states) {
		t.Errorf("%d fingerprints of %d states", len(prints), len(states))
	}
	for i, k := range top {
		if mean := len(prints) / 256; k < mean/2 || k > mean*2 {
			t.Errorf("%d of %d fingerprints begin with %x", k, len(prints), i)
		}
	}
}
