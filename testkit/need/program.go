package need

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// WithProgram runs tests that start the program, and ends as they do. The program is the one that TACHECK_PROGRAM
// names, as `make test` does, which builds it once for all packages; or one that is built here.
func WithProgram(m *testing.M, path *string) {
	os.Exit(func() int {
		if *path = os.Getenv("TACHECK_PROGRAM"); *path != "" {
			if _, err := os.Stat(*path); err != nil { // go test then knows what its results depend on
				fmt.Fprintln(os.Stderr, "TACHECK_PROGRAM:", err)
				return 1
			}
			return m.Run()
		}
		folder, err := os.MkdirTemp("", "tacheck")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(folder)
		*path = filepath.Join(folder, "tacheck")
		if out, err := exec.Command("go", "build", "-o", *path, "github.com/tacheck/tacheck/cmd/tacheck").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}
