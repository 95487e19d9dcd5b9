package ta

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// large returns a model of about the given size in bytes.
func large(size int) string {
	var b strings.Builder
	b.WriteString("ta Large { shared x; parameters n, t; assumptions { n > t; } locations { a; b; } inits { a == n; b == 0; x == 0; } rules {\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "    %d: a -> b when (x >= n - t && (x >= 2 || x < n)) do { x' == x + 1; };\n", i)
	}
	b.WriteString("} specifications { s: <>(b != 0); } }\n")
	return b.String()
}

// TestLinear: four times the text takes about four times the memory.
func TestLinear(t *testing.T) {
	allocated := func(size int) uint64 {
		text := large(size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Parse("large.ta", text); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(10_000) // builds the parser
	small, big := allocated(250_000), allocated(1_000_000)
	if big > 5*small {
		t.Errorf("250 kB take %d bytes, 1 MB takes %d", small, big)
	}
}

// BenchmarkLarge reads models of several sizes: time a byte must not grow.
func BenchmarkLarge(b *testing.B) {
	for _, size := range []int{150_000, 5_000_000, 50_000_000} {
		text := large(size)
		b.Run(fmt.Sprintf("%dkB", size/1000), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse("large.ta", text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
