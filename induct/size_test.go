package induct

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"tacheck/protocol"
	"tacheck/protocol/encode"
)

func TestSizes(t *testing.T) {
	files, _ := filepath.Glob("../benchmarks/protocols/*.ftdp")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		m, err := protocol.Read(f, string(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		x, err := encode.New(m, protocol.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %v", f, time.Since(start))
		for size := 1; size <= 2; size++ {
			for _, r := range choices(m, size) {
				start := time.Now()
				a, err := x.Atoms(r)
				if err != nil || a == nil {
					continue
				}
				t.Logf("   %v: %d atoms %d tuples %v", r, len(a.List), len(a.Tuples), time.Since(start))
			}
		}
	}
}
