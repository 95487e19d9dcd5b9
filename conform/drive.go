package conform

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/tacheck/tacheck/cover"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
)

// System is a program that runs of a protocol are played against.
type System interface {
	// Begin starts the program anew, in the run's initial state.
	Begin(run *cover.Run) error
	// Step makes the program do a step: it delivers what the step receives, and returns what the program sends then. A
	// program that plays some of the processes only returns ErrElsewhere for steps of others.
	Step(step *cover.Step) (sends []cover.Message, err error)
	// State returns variables of a process that can be observed, by name; nil if there are none.
	// They are compared with those that are expected, as JSON.
	State(process string) (map[string]any, error)
}

// ErrElsewhere is what System.Step returns for steps of processes that the program does not play.
var ErrElsewhere = errors.New("a step of another process")

// Runs returns short runs of the model that together cover its rules, pairs of rules, or conditions
// (cover.Find), as `tacheck explore --runs` writes them.
func Runs(t testing.TB, m *Model, what cover.What) []*cover.Run {
	t.Helper()
	p := m.with(t, m.Set)
	states := m.States
	if states == 0 {
		states = cover.DefaultStates
	}
	found, err := cover.Find(t.Context(), p, what, states)
	if err != nil {
		t.Fatal(err)
	}
	return found.Runs
}

// Saved returns a run that `--witness` has saved: so a counterexample, or a run that was looked for, becomes a test.
func Saved(t testing.TB, m *Model, file string) *cover.Run {
	t.Helper()
	data, err := os.ReadFile(file)
	set, wrong := interp.RunConstants(data)
	if err = cmp.Or(err, wrong); err != nil {
		t.Fatal(err)
	}
	r, err := interp.ReadRun(m.with(t, set), data)
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	run, err := cover.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// with is the protocol with values of constants.
func (m *Model) with(t testing.TB, set map[string]int64) *protocol.Model {
	t.Helper()
	if m.err != nil {
		t.Fatal(m.err)
	}
	p, err := instantiate.Read(m.protocol, m.text, set)
	if err != nil {
		t.Fatal(rendered(err, m.text))
	}
	return p
}

// Drive plays runs against a program, each as a test of its own, and fails where the program sends
// something else than the protocol, or is in another state.
func Drive(t *testing.T, runs []*cover.Run, s System) {
	t.Helper()
	if len(runs) == 0 {
		t.Error("there are no runs: nothing was tested")
	}
	for i, run := range runs {
		t.Run(fmt.Sprintf("run %d", i+1), func(t *testing.T) {
			if err := Play(run, s); err != nil {
				t.Error(err)
			}
		})
	}
}

// Play plays a run; its error says at which step the program differs, and tells the run up to there.
func Play(run *cover.Run, s System) error {
	if err := s.Begin(run); err != nil {
		return err
	}
	now := map[string]map[string]any{}
	for _, p := range run.Initial {
		now[p.Name] = p.State
	}
	for k := range run.Steps {
		step := &run.Steps[k]
		if step.Rule == "" { // before anything has happened
			continue
		}
		told := func(format string, args ...any) error {
			text := fmt.Sprintf("step %d: %s", k+1, fmt.Sprintf(format, args...))
			for i := range run.Steps[:k+1] {
				text += fmt.Sprintf("\n  %3d  %s", i+1, run.Steps[i].Text)
			}
			return errors.New(text)
		}
		sends, err := s.Step(step)
		if err != nil && !errors.Is(err, ErrElsewhere) {
			return told("%v", err)
		}
		for _, p := range step.Changed {
			now[p.Name] = p.State
		}
		if err == nil && !sameMessages(sends, step.Sends) {
			return told("the program sends %s, and the protocol %s", text(sends), text(step.Sends))
		}
		for name, want := range now {
			if err := observed(s, name, want); err != nil {
				return told("%v", err)
			}
		}
	}
	return nil
}

// observed compares the variables of a process that can be observed.
func observed(s System, name string, want map[string]any) error {
	got, err := s.State(name)
	if err != nil {
		return err
	}
	for v, value := range got {
		expected, ok := want[v]
		if !ok {
			return fmt.Errorf("%s has no variable %s in the protocol", name, v)
		}
		if !equal(value, expected) {
			return fmt.Errorf("%s: %s is %s, and in the protocol %s", name, v, text(value), text(expected))
		}
	}
	return nil
}

// sameMessages compares messages, in any order.
func sameMessages(a, b []cover.Message) bool {
	left := slices.Clone(b)
	for _, m := range a {
		i := slices.IndexFunc(left, func(n cover.Message) bool { return equal(m, n) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}

// equal compares values as JSON.
func equal(a, b any) bool { return reflect.DeepEqual(plain(a), plain(b)) }

func plain(v any) (out any) {
	d := json.NewDecoder(bytes.NewReader([]byte(text(v))))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return v
	}
	return out
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
