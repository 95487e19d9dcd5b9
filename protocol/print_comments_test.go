package protocol_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestFormatComments puts comments between any two tokens of protocols: formatting keeps each, and formatting again
// changes nothing.
func TestFormatComments(t *testing.T) {
	var files []string
	for _, folder := range []string{"protocols", "zoo", "rounds", "sources", "field"} {
		list, err := filepath.Glob("../benchmarks/" + folder + "/*.ftdp")
		if err != nil || list == nil {
			t.Fatal(folder, err)
		}
		files = append(files, list...)
	}
	r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 0))
	failures := 0
	for range need.Cases(t, 300) {
		name := files[r.IntN(len(files))]
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := ftdp.Parse(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		commented := string(text)
		for range 1 + r.IntN(2) {
			at := f.Tokens[r.IntN(len(f.Tokens))]
			remark := []string{" // c1\n", "\n// c2\n", " /* c3 */ ", "\n/* c4\n c5 */\n"}[r.IntN(4)]
			commented = string(text[:at.Pos.Offset]) + remark + string(text[at.Pos.Offset:])
		}
		g, err := ftdp.Parse(name, commented)
		if err != nil {
			continue // in the midst of a comment, or of a symbol
		}
		once := ftdp.Format(g)
		h, err := ftdp.Parse(name, once)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, once)
		}
		if twice := ftdp.Format(h); twice != once {
			t.Errorf("%s: formatting again changes it:\n%s", name, difference(once, twice))
			failures++
		}
		for _, mark := range []string{"c1", "c2", "c3", "c4", "//", "/*"} {
			if a, b := strings.Count(commented, mark), strings.Count(once, mark); a != b {
				t.Errorf("%s: %d times %s became %d:\n%s", name, a, mark, b, once)
				failures++
			}
		}
		if failures > 3 {
			t.FailNow()
		}
	}
}

// difference is the first line in which texts differ, with the one before it.
func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := 1; i < min(len(x), len(y)); i++ {
		if x[i] != y[i] {
			return x[i-1] + "\n- " + x[i] + "\n+ " + y[i]
		}
	}
	return "only its length"
}
