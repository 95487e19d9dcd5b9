package need

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Answer is what a program has printed. Code is -1 if it took too long.
type Answer struct {
	Out, Err string
	Code     int
}

// Ask runs a program in a folder, and stops it when patience is over. It is no error if the program ends with one.
func Ask(patience time.Duration, folder string, command ...string) (Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.WaitDelay = folder, time.Second
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	a := Answer{Out: out.String(), Err: problems.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		a.Code, err = -1, nil
	case errors.As(err, &exit):
		a.Code, err = exit.ExitCode(), nil
	}
	return a, err
}

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
