package ltl

import (
	"flag"
	"os"
	"testing"
)

// TestMain has random properties checked more often than is usual: they are
// cheap here, and what they check decides verdicts.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f != nil && f.Value.String() == f.DefValue {
		if err := f.Value.Set("20000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
