package smtlib

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/smt"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/smttest"
)

// TestConformance runs every known solver that is installed. They are programs
// outside the module: `make test`, and so CI, installs them, and a plain `go test`
// without any has nothing to run.
func TestConformance(t *testing.T) {
	need.Any(t, "z3", "cvc5")
	for name, command := range Known {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Logf("%s is not installed", command[0])
			continue
		}
		t.Run(name, func(t *testing.T) {
			smttest.Conformance(t, func() (smt.Solver, error) { return New(command) })
		})
	}
}

// TestBroken starts programs that are no solvers.
func TestBroken(t *testing.T) {
	for _, test := range []struct {
		name    string
		command []string
		want    string
	}{
		{"none", []string{"/no/such/solver"}, "starting the solver"},
		{"absent", []string{"no-such-solver"}, "no-such-solver is not on the PATH: install"},
		{"empty", nil, "empty"},
		{"silent", []string{"true"}, "the solver ended"},
		{"fails", []string{"sh", "-c", "echo sorry >&2; exit 3"}, "sorry"},
		{"babbles", []string{"sh", "-c", "echo hello; cat >/dev/null"}, `answered "hello"`},
		{"errs", []string{"sh", "-c", `echo '(error "line 3: no")'; cat >/dev/null`}, "line 3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := New(test.command)
			if err == nil {
				defer s.Close()
				s.Assert(smt.GE(smt.V(&smt.Var{Name: "x"}), smt.N(1)))
				_, err = s.Check(context.Background())
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

func TestParseValues(t *testing.T) {
	good, err := parseValues("((x 1) (y (- 2))\n (b true) (c false))")
	if err != nil || good["x"].Int64() != 1 || good["y"].Int64() != -2 || good["b"].Int64() != 1 || good["c"].Int64() != 0 {
		t.Errorf("%v, %v", good, err)
	}
	for _, bad := range []string{"", "(", "()x", "((x))", "((x 1)", "((x (+ 1)))", "((x (- 1))", "((x 1.5))", "((x 1) y)"} {
		if v, err := parseValues(bad); err == nil {
			t.Errorf("parseValues(%q) = %v", bad, v)
		}
	}
}

type buffer struct{ bytes.Buffer }

func (*buffer) Close() error { return nil }

// fake answers what it is told to.
type fake struct{ smt.Solver }

func (fake) Push()               {}
func (fake) Pop()                {}
func (fake) Assert(*smt.Formula) {}
func (fake) Close() error        { return nil }
func (fake) Name() string        { return "fake" }
func (fake) Check(context.Context) (smt.Answer, error) {
	return smt.Answer{Status: smt.Unsat}, nil
}

func TestRecord(t *testing.T) {
	var b buffer
	s := Record(fake{}, &b)
	x, p := &smt.Var{Name: "x"}, &smt.Var{Name: "p", Sort: smt.Bool}
	s.Push()
	s.Assert(smt.Or(smt.Lit(p), smt.LE(smt.V(x), smt.N(-3))))
	if _, err := s.Check(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.Pop()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	const want = `; fake
(set-logic QF_LIA)
(push 1)
(declare-fun p () Bool)
(declare-fun x () Int)
(assert (or p (>= (* (- 1) x) 3)))
(check-sat)
; unsat
(pop 1)
`
	if b.String() != want {
		t.Errorf("recorded:\n%s", b.String())
	}
}

// TestWrapped: a solver may be a script that goes on while the solver runs, such as those of version managers. Both are killed.
func TestWrapped(t *testing.T) {
	for name, ask := range map[string]func(ctx context.Context, command []string) error{
		"asked": func(ctx context.Context, command []string) error {
			s, err := New(command)
			if err != nil {
				return err
			}
			answer, err := s.Check(ctx)
			if err == nil && answer.Reason != "timeout" {
				t.Errorf("the answer is %v", answer)
			}
			return s.Close()
		},
		"run": func(ctx context.Context, command []string) error {
			if _, err := Run(ctx, command, []byte("(check-sat)\n"), false); !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			return nil
		},
	} {
		ctx, stop := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer stop()
		begin := time.Now()
		if err := ask(ctx, []string{"sh", "-c", "sleep 1000; true"}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if spent := time.Since(begin); spent > 4*time.Second {
			t.Errorf("%s: it ends after %s", name, spent)
		}
	}
}
