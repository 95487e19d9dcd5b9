// Package suite runs specifications with one or more methods, measures each in
// a process of its own, and saves, resumes, compares, prints and plots runs.
package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sort"
	"strings"
	"syscall"
	"time"

	"github.com/tacheck/tacheck/internal/child"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/ordered"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
)

// Method is how to verify; "" means the default.
type Method struct {
	Search   string `json:"search,omitempty"`
	Encoding string `json:"encoding,omitempty"`
	Solver   string `json:"solver,omitempty"`
	Way      string `json:"way,omitempty"` // of a table
}

// String names a method: "symbolic flow z3", without what is default.
func (m Method) String() string {
	name := ""
	for _, part := range []string{m.Search, m.Encoding, m.Solver, m.Way} {
		if part != "" {
			name += " " + part
		}
	}
	if name == "" {
		return "default"
	}
	return name[1:]
}

// Task is a specification to verify with a method.
type Task struct {
	File   string // as it is shown, and given to tacheck
	Digest string // of the model's text
	Spec   string // "" for all, in one process
	Method Method
	Expect verdict.Verdict // "" if nothing is expected
	// Command is what tacheck is asked to do; nil for `verify`, which alone has methods.
	Command []string
	// Of all specifications: those that a verdict of the file is of, or all.
	Of        []string
	States    int64 // expected; 0 if nothing is
	Published []Figure
	// Variant says what is different from the file: the mistake in Text, or the constants of Set.
	Variant string
	Text    []byte // in place of the file; nil if there is no mistake
	Set     string // values of constants, as for --set
	Refused error  // why there is nothing to do
}

// Figure is what others have published in a column of a table.
type Figure struct {
	Column string `json:"column"`
	Value  string `json:"value"`
}

// Row is what a task came to: the medians of all its runs.
type Row struct {
	File          string          `json:"file"`
	Digest        string          `json:"digest"`
	Variant       string          `json:"variant,omitempty"`
	Spec          string          `json:"spec"`
	Method        Method          `json:"method"`
	Verdict       verdict.Verdict `json:"verdict"`
	Reason        string          `json:"reason,omitempty"`
	Expect        verdict.Verdict `json:"expect,omitempty"`
	Parameters    string          `json:"parameters,omitempty"` // of the counterexample
	Shapes        string          `json:"shapes,omitempty"`
	Reduced       string          `json:"reduced,omitempty"`
	Checked       string          `json:"checked,omitempty"`
	Pruned        string          `json:"pruned,omitempty"`
	Rounds        int             `json:"rounds,omitempty"` // of the lazy search
	Lemmas        int             `json:"lemmas,omitempty"`
	Fallbacks     int             `json:"fallbacks,omitempty"`
	Queries       int             `json:"queries"`
	Transitions   int             `json:"transitions"`
	States        int64           `json:"states,omitempty"` // of a model of fixed size
	Runs          int             `json:"runs"`
	Seconds       float64         `json:"seconds"`
	SolverSeconds float64         `json:"solver_seconds"`
	WholeSeconds  float64         `json:"whole_seconds"`         // of the process, from start to end
	CPUSeconds    float64         `json:"cpu_seconds,omitempty"` // of the process, from start to end
	PeakMiB       float64         `json:"peak_mib"`
	Decided       string          `json:"decided,omitempty"` // specifications of the file that are decided
	ExpectStates  int64           `json:"expect_states,omitempty"`
	Published     []Figure        `json:"published,omitempty"`
	Refused       error           `json:"-"` // why there is no answer: the file, or what is asked of it, is wrong
}

// AsExpected reports whether the verdict is the one expected, if any.
func (r *Row) AsExpected() bool {
	return (r.Expect == "" || r.Expect == r.Verdict) && (r.ExpectStates == 0 || r.ExpectStates == r.States)
}

func (r *Row) key() string {
	return fmt.Sprintln(r.File, r.Digest, r.Variant, r.Spec, r.Method)
}

func (t *Task) key() string {
	return fmt.Sprintln(t.File, t.Digest, t.Variant, t.Spec, t.Method)
}

// Config says how to run tasks.
type Config struct {
	Command []string      // tacheck, to be called with `verify ...`
	Timeout time.Duration // for a run of a task; 0 means none
	// Read is how long it has taken to read a file: so much less has a run, which reads it, too.
	Read map[string]time.Duration
	Jobs int // tasks at once; 0 means 1
	Runs int // of each task; 0 means 1
	// Defines, NAME or NAME=VALUE, and NoFairness are for the models that have a preprocessor.
	Defines    []string
	NoFairness bool
	Env        []string // variables of the environment, besides those that there are
	Known      []Row    // of an earlier run: not run again
	// Measure runs a task in place of Command. It may be nil.
	Measure func(context.Context, Task) (Row, error)
}

// Run runs tasks and calls report with each row in the order of tasks, as soon as those before it are done. If ctx is
// cancelled, tasks that were not finished have no row.
func Run(ctx context.Context, tasks []Task, c Config, report func(Row) error) error {
	known := map[string]Row{}
	for _, r := range c.Known {
		known[r.key()] = r
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		row Row
		err error
	}
	var failed error
	ordered.Do(len(tasks), c.Jobs, cancel,
		func(i int) outcome {
			if row, ok := known[tasks[i].key()]; ok {
				return outcome{row, nil}
			}
			if err := tasks[i].Refused; err != nil {
				return outcome{tasks[i].refused(err), nil}
			}
			measure := c.Measure
			if measure == nil {
				measure = func(ctx context.Context, t Task) (Row, error) {
					row, _, err := c.Time(ctx, t, t.Text)
					return row, err
				}
			}
			row, err := measure(ctx, tasks[i])
			if wrong := (*wrongInput)(nil); errors.As(err, &wrong) {
				return outcome{tasks[i].refused(wrong), nil}
			}
			return outcome{row, err}
		},
		func(_ int, out outcome) bool {
			if failed = out.err; failed == nil {
				failed = report(out.row)
			}
			return failed == nil
		})
	return failed
}

// refused is the row of a task that cannot be done.
func (t *Task) refused(why error) Row {
	said, _, _ := strings.Cut(why.Error(), "\n")
	return Row{File: t.File, Digest: t.Digest, Variant: t.Variant, Spec: t.Spec, Method: t.Method, Expect: t.Expect,
		Verdict: verdict.Unknown, Reason: strings.TrimPrefix(said, t.File+":"), Refused: why}
}

// wrongInput is what a process says that cannot use its input.
type wrongInput struct{ said string }

func (e *wrongInput) Error() string { return e.said }

// answer is the JSON object that `tacheck verify --json` prints, or `tacheck explore --json`.
type answer struct {
	Spec     string
	Property string
	Verdict  verdict.Verdict
	Reason   string
	Search   string
	Encoding string
	Solver   string
	Shapes   struct {
		Total, Reduced  string
		Checked, Pruned json.Number
	}
	Lazy          struct{ Rounds, Lemmas, Fallbacks int }
	Lemmas        []json.RawMessage // of a proof by induction
	Queries       int
	Transitions   int
	Seconds       float64
	whole, cpu    float64
	decided       string
	SolverSeconds float64 `json:"solver_seconds"`
	Parameters    map[string]json.Number
	Constants     map[string]any
	States        int64
	Witness       json.RawMessage
}

// Time runs a task Runs times and returns the medians, and the counterexample if
// there is one. If there is a text it is given to the command in place of the file.
func (c Config) Time(ctx context.Context, t Task, text []byte) (row Row, witness json.RawMessage, err error) {
	row = Row{File: t.File, Digest: t.Digest, Variant: t.Variant, Spec: t.Spec, Method: t.Method, Expect: t.Expect,
		ExpectStates: t.States, Published: t.Published, Runs: max(1, c.Runs)}
	var seconds, solving, whole, cpu, memory []float64
	for range row.Runs {
		a, peak, err := c.once(ctx, t, text)
		if err != nil {
			return row, nil, fmt.Errorf("%s %s (%s): %w", t.File, t.Spec, t.Method, err)
		}
		witness = a.Witness
		row.Verdict, row.Reason = a.Verdict, a.Reason
		row.Shapes, row.Reduced = a.Shapes.Total, a.Shapes.Reduced
		row.Checked, row.Pruned = a.Shapes.Checked.String(), a.Shapes.Pruned.String()
		row.Rounds, row.Lemmas, row.Fallbacks = a.Lazy.Rounds, a.Lazy.Lemmas+len(a.Lemmas), a.Lazy.Fallbacks
		row.Queries, row.Transitions = a.Queries, a.Transitions
		row.Parameters, row.States = parameters(a.Parameters), a.States
		if a.Verdict == verdict.Violated && len(a.Constants) > 0 {
			row.Parameters = parameters(a.Constants)
		}
		seconds, solving = append(seconds, a.Seconds), append(solving, a.SolverSeconds)
		whole, cpu, memory = append(whole, a.whole), append(cpu, a.cpu), append(memory, peak)
		row.Decided = a.decided
	}
	row.Seconds, row.SolverSeconds = median(seconds), median(solving)
	row.WholeSeconds, row.CPUSeconds, row.PeakMiB = median(whole), median(cpu), median(memory)
	return row, witness, nil
}

func parameters[V any](m map[string]V) string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	out := ""
	for i, name := range names {
		if i > 0 {
			out += " "
		}
		out += fmt.Sprintf("%s=%v", name, m[name])
	}
	return out
}

func median(list []float64) float64 {
	sort.Float64s(list)
	n := len(list)
	if n%2 == 1 {
		return list[n/2]
	}
	return (list[n/2-1] + list[n/2]) / 2
}

// once runs a task in a process of its own and returns its answer and its peak memory in MiB.
func (c Config) once(ctx context.Context, t Task, text []byte) (answer, float64, error) {
	file := t.File
	if text != nil {
		file = "-"
	}
	how := t.Command
	if how == nil {
		how = []string{"verify", "--jobs", "1"}
	}
	args := slices.Concat(c.Command[1:], how, []string{file, "--json"})
	if t.Spec != "" {
		args = append(args, "--spec", t.Spec)
	}
	if text != nil {
		args = append(args, "--stdin-name="+t.File)
	}
	if t.Set != "" {
		args = append(args, "--set", t.Set)
	}
	if kind, _ := model.KindOf(t.File); kind.Preprocessed {
		for _, d := range c.Defines {
			args = append(args, "--define="+d)
		}
		if c.NoFairness {
			args = append(args, "--no-fairness")
		}
	}
	for flag, value := range map[string]string{"--search": t.Method.Search, "--encoding": t.Method.Encoding,
		"--solver": t.Method.Solver} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	if c.Timeout > 0 {
		read := c.Read[t.File]
		left := max(c.Timeout-read, c.Timeout/4, 1)
		if left+limit.Ending < read { // the process would not have read it in time
			return answer{Verdict: verdict.Unknown, Reason: limit.ErrReading.Error()}, 0, nil
		}
		args = append(args, "--timeout", left.String())
	}
	cmd := exec.CommandContext(ctx, c.Command[0], args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	if text != nil {
		in, err := nameless(text)
		if err != nil {
			return answer{}, 0, err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	child.Detach(cmd)
	cmd.Env = append(cmd.Environ(), c.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begin := time.Now()
	err := cmd.Run()
	spent := time.Since(begin).Seconds()
	var a answer
	switch {
	case ctx.Err() != nil:
		return a, 0, ctx.Err()
	case cmd.ProcessState != nil && cmd.ProcessState.ExitCode() < 0:
		return a, 0, &Killed{strings.TrimSuffix(fmt.Sprintf("the process ended (%v): %s", err,
			strings.TrimSpace(stderr.String())), ": ")}
	case cmd.ProcessState == nil:
		return a, 0, err
	case cmd.ProcessState.ExitCode() == 2:
		return a, 0, &wrongInput{strings.TrimPrefix(strings.TrimSpace(stderr.String()), "tacheck: ")}
	case stdout.Len() == 0 && cmd.ProcessState.ExitCode() == 3: // time was up before there was anything to say
		a.Verdict, a.Reason = verdict.Unknown, strings.TrimPrefix(strings.TrimSpace(stderr.String()), "tacheck: ")
		return a, peakMiB(cmd.ProcessState), nil
	}
	if a, err = together(&stdout, t); err != nil {
		return a, 0, fmt.Errorf("reading the answer: %w", err)
	}
	a.whole, a.cpu = spent, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return a, peakMiB(cmd.ProcessState), nil
}

// together reads the answer to a task; where that is of all specifications, the answers, which are one: violated if one
// is of those that count, and unknown if one is unknown. Warnings may follow.
func together(r io.Reader, t Task) (a answer, err error) {
	d := json.NewDecoder(r)
	if err := d.Decode(&a); err != nil || t.Spec != "" {
		return a, err
	}
	list := []answer{a}
	for {
		var next answer
		if err := d.Decode(&next); err == io.EOF {
			break
		} else if err != nil {
			return a, err
		}
		if next.Verdict != "" {
			list = append(list, next)
		}
	}
	var all, counts verdict.Tally
	a.Lemmas = nil
	for _, b := range list {
		all.Add(b.Verdict)
		for _, l := range b.Lemmas { // those of several are there once
			if !slices.ContainsFunc(a.Lemmas, func(m json.RawMessage) bool { return string(m) == string(l) }) {
				a.Lemmas = append(a.Lemmas, l)
			}
		}
		if t.Of == nil || slices.Contains(t.Of, b.Spec+b.Property) {
			counts.Add(b.Verdict)
		}
	}
	if t.Of != nil && counts.Holds+counts.Violated+counts.Unknown != len(t.Of) {
		return a, fmt.Errorf("the file has not all of the specifications %s", strings.Join(t.Of, ", "))
	}
	switch {
	case counts.Violated > 0:
		a.Verdict = verdict.Violated
	case counts.Unknown > 0:
		a.Verdict = verdict.Unknown
	default:
		a.Verdict = verdict.Holds
	}
	a.decided = fmt.Sprintf("%d of %d", all.Holds+all.Violated, len(list))
	return a, nil
}

// nameless returns a file with a text that no other process can see, and that is gone
// when it is closed. A process reads it faster than a pipe.
func nameless(text []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "tacheck-*")
	if err != nil {
		return nil, err
	}
	err = os.Remove(f.Name())
	if err == nil {
		_, err = f.Write(text)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Killed is the error for processes that something has killed.
type Killed struct{ How string }

func (e *Killed) Error() string { return e.How }

// peakMiB returns the peak memory of a process, or of the largest one that it waited for, where the system tells.
func peakMiB(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return math.NaN()
	}
	unit := 1024.0 // Linux counts in KiB
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / (1 << 20)
}
