package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/mutate"
	"github.com/tacheck/tacheck/testkit/need"
)

// failing has a step that goes wrong at the end of a counter, and an idle process.
const failing = `protocol failing;

const
  n = 2;

channels asynchronous reliable authenticated unordered bounded 1;

type
  procID: role[n];

var
  proc: array[procID] of record
    x: 0..2;
  end;

init
  start:
    for k: procID do
      proc[k].x := 0;
    endfor

rules
  [](i: procID) up:
    if proc[i].x <= LAST then
      proc[i].x := proc[i].x + 1;
    endif
  []
  [](i: procID) down:
    if proc[i].x > 0 then
      proc[i].x := proc[i].x - 1;
    endif

invariant ok:
  forall (i: procID) proc[i].x <= 2;

ltl ahead fair(up):
  F (forall (i: procID) proc[i].x > 0);
`

// failed returns the witness of a run of a model that ends in an error.
func failed(t *testing.T, text string) []byte {
	t.Helper()
	m, err := instantiate.Read("failing.ftdp", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &interp.Run{Model: m, Loop: -1}
	for range 3 {
		if _, err := r.Extend(func(s interp.Successor) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	_, err = r.Extend(func(interp.Successor) bool { return true })
	if !errors.As(err, &r.Failure) {
		t.Fatalf("%v, and not a failure", err)
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// answer runs a command.
func answer(args ...string) (code int, out string) {
	var b, e bytes.Buffer
	code = execute(context.Background(), args, strings.NewReader(""), &b, &e)
	return code, b.String() + e.String()
}

// unharmed reports whether a text does nothing to a terminal.
func unharmed(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) < 0
}

// TestMutatedWitnesses changes witnesses of all kinds in every field: each mutant is
// refused, or what is printed is what was printed of the one that it was made of.
// Nothing in them gets at the terminal.
func TestMutatedWitnesses(t *testing.T) {
	dir := t.TempDir()
	lasso, wrong := filepath.Join(dir, "lasso.ftdp"), filepath.Join(dir, "failing.ftdp")
	for name, last := range map[string]string{lasso: "1", wrong: "2"} {
		if err := os.WriteFile(name, []byte(strings.Replace(failing, "LAST", last, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name  string
		model string
		make  []string // the command that writes w.json
		with  []string // more options of replay
	}{
		{"finite", "broken/rb-f1.ta", []string{"verify", "--spec", "correctness"}, nil},
		{"lasso", "broken/nbac-unfair.ta", []string{"verify", "--spec", "termination"}, nil},
		{"explored", "broken/rb-n3t.ta", []string{"explore", "--params", "n=3,t=1,f=1", "--spec", "relay"}, nil},
		{"promela", "rb.pml", []string{"verify", "-D", "N3T", "--spec", "relay"}, []string{"-D", "N3T"}},
		{"protocol", "paxos.ftdp", []string{"explore", "--property", "acceptedIsChosen"}, nil},
		{"protocol lasso", lasso, []string{"explore", "--property", "ahead"}, nil},
		{"protocol error", wrong, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "w.json")
			if test.make == nil {
				if err := os.WriteFile(file, failed(t, strings.Replace(failing, "LAST", "2", 1)), 0o666); err != nil {
					t.Fatal(err)
				}
				mutated(t, test.model, file, test.with)
				return
			}
			args := append([]string{test.make[0], test.model, "--witness", file}, test.make[1:]...)
			if code, out := answer(args...); code != exitViolated {
				t.Fatalf("exit code %d: %s", code, out)
			}
			mutated(t, test.model, file, test.with)
		})
	}
}

// mutated replays mutants of a witness.
func mutated(t *testing.T, model, file string, with []string) {
	t.Helper()
	replay := append([]string{"replay", model, file}, with...)
	code, want := answer(replay...)
	if code != exitHolds {
		t.Fatalf("exit code %d: %s", code, want)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list := mutate.JSON(text)
	stride := max(1, len(list)/need.Cases(t, 100))
	for i := 0; i < len(list); i += stride {
		m := list[i]
		if err := os.WriteFile(file, signed(m.Text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, got := answer(replay...)
		switch {
		case code == exitHolds && saysConstant(m, got):
			t.Logf("%s %s: it is accepted, as a run with that constant", m.Where, m.What)
		case code == exitHolds && got != want && !strings.Contains(m.Where, "error"):
			t.Errorf("%s %s: it is accepted, and said is\n%s", m.Where, m.What, got)
		case code == exitHolds:
			t.Logf("%s %s: it is accepted", m.Where, m.What)
		case !unharmed(got):
			t.Errorf("%s %s: %q is printed", m.Where, m.What, got)
		}
	}
	t.Logf("%d mutants", (len(list)+stride-1)/stride)
}

// saysConstant is whether a mutant has another value of a constant, and what is said of it says so.
func saysConstant(m mutate.Mutant, said string) bool {
	name, constant := strings.CutPrefix(m.Where, "constants.")
	value, becomes := strings.CutPrefix(m.What, "becomes ")
	return constant && becomes && strings.Contains(said, fmt.Sprintf(" %s=%s (", name, value))
}

var digests = regexp.MustCompile(`"digest":"sha256:[0-9a-f]{64}"`)

// signed gives a witness that has a digest the one of its other fields, as a
// forger would.
func signed(text []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil || !digests.Match(b.Bytes()) {
		return text
	}
	without := digests.ReplaceAll(b.Bytes(), []byte(`"digest":""`))
	return digests.ReplaceAll(b.Bytes(), fmt.Appendf(nil, `"digest":"sha256:%x"`, sha256.Sum256(without)))
}
