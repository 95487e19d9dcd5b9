package certificate

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/smt/smtlib"
	"github.com/tacheck/tacheck/verify"
)

// makes are the solvers that answer for others, in the order in which they do, and how each begins its own name.
var makes = []struct{ solver, name string }{{"z3-pipe", "z3"}, {"cvc5", "cvc5"}}

// makeOf returns the solver of this name, by its own account; "" if there is none among makes.
func makeOf(said string) string {
	for _, m := range makes {
		if strings.HasPrefix(strings.ToLower(said), m.name) {
			return m.solver
		}
	}
	return ""
}

// second returns a solver of another make.
func second(first string) string {
	if first == "cvc5" {
		return "z3-pipe"
	}
	return "cvc5"
}

// introduction bounds the time in which a solver says its name.
const introduction = 30 * time.Second

// ask has a solver say what it is.
func ask(ctx context.Context, command []string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, introduction,
		&smt.Failure{Err: fmt.Errorf("%s does not say its name in %s", command[0], introduction)})
	defer cancel()
	t, err := smtlib.Run(ctx, command, nil, false)
	if err != nil {
		return "", err
	}
	return t.Solver, nil
}

// installed returns the known solvers that are on the PATH. It is an error if one of them says
// that it is another one: a file's name makes no second solver of the first.
func installed(ctx context.Context) ([]string, error) {
	var list []string
	for _, m := range makes {
		command := smtlib.Known[m.solver]
		if _, err := exec.LookPath(command[0]); err != nil {
			continue
		}
		said, err := ask(ctx, command)
		if err != nil {
			return nil, err
		}
		if of := makeOf(said); of != "" && of != m.solver {
			return nil, &smt.Failure{Err: fmt.Errorf("the program %s on the PATH says that it is %s", command[0],
				record.Printable(said))}
		}
		list = append(list, m.solver)
	}
	return list, nil
}

// solverName names a solver as certificates do: one that was given as a command line, by what it says of itself.
func solverName(ctx context.Context, name string) (string, error) {
	command := strings.Fields(name)
	if slices.Contains(verify.SolverNames, name) || len(command) == 0 {
		return name, nil
	}
	said, err := ask(ctx, command)
	var bad *smt.Failure
	if errors.As(err, &bad) { // it need not know how
		err = nil
	}
	if of := makeOf(said); of != "" {
		return of, err
	}
	return other, err
}

// confirming returns the solvers on the PATH, among which there has to be one of another make than the first.
func confirming(ctx context.Context, first string) ([]string, error) {
	name, err := solverName(ctx, first)
	if err != nil {
		return nil, err
	}
	list, err := installed(ctx)
	if err != nil {
		return nil, err
	}
	if another := second(name); !slices.Contains(list, another) {
		return nil, fmt.Errorf("a certificate needs a second solver, and %s is not on the PATH",
			smtlib.Known[another][0])
	}
	return list, nil
}

// answering returns the solvers that answer again: all that are here.
func answering(ctx context.Context) ([]string, error) {
	list, err := installed(ctx)
	if err == nil && len(list) == 0 {
		err = errors.New("no solver is on the PATH: install z3 or cvc5")
	}
	return list, err
}
