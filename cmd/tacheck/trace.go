package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/show/export"
	"github.com/tacheck/tacheck/show/terminal"
	"github.com/tacheck/tacheck/trace"
	"github.com/tacheck/tacheck/trace/reading"
)

type traceFlags struct {
	reading    string
	set        options.Settings
	properties []string
	follow     bool
	story      int
	states     int
	memory     options.ByteSize
	shrink     bool
	format     options.Format
	witness    string
	chart      string
}

func (c *command) trace() *cobra.Command {
	var f traceFlags
	cmd := &cobra.Command{
		Use:   "trace FILE LOG...",
		Short: "Ask whether a log is a run of a protocol",
		Long: `Ask whether what a program has logged is a run of a protocol (.ftdp). The log has one JSON
object a line; - is standard input. A reading says what its events mean (tacheck explain
traces). Several logs, one for each process, need no common clock.

The verdict, or the first event that no run explains, is printed. The run that explains a log
is replayed, and the protocol's properties are checked along it.

Exit code: 0 the log is explained, 1 it is not, or every run that explains it violates a
property, 2 bad usage or input, 3 unknown.`,
		Example: `  tacheck trace raft.ftdp run.ndjson --reading etcd.reading
  tacheck trace raft.ftdp node1.ndjson node2.ndjson node3.ndjson`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return c.runTrace(args[0], args[1:], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.reading, "reading", "",
		"what events mean: a `file`, or a reading in FILE (default that, or FILE with the ending .reading)")
	flags.Var(&f.set, "set", "values of constants, in place of the text's or the log's: `n=3,L=100`")
	flags.StringArrayVar(&f.properties, "spec", nil, onlySpec)
	options.SameAs(flags, "property", "spec")
	flags.BoolVar(&f.follow, "follow", false, "go on reading as the log is written")
	flags.IntVar(&f.story, "story", -1, "tell so many of the last `steps` (default 0 if the log is explained, else 6)")
	flags.Lookup("story").DefValue = "0"
	flags.BoolVar(&f.shrink, "shrink", false, "of a log that is no run, find the events that are enough for that")
	flags.IntVar(&f.states, "max-states", trace.DefaultStates,
		"give up where more states explain the log so far, or more orders of several logs")
	flags.Var(&f.memory, "memory", memoryText)
	f.format.Flag(cmd, "text", "json")
	flags.StringVar(&f.witness, "witness", "", "save the run to this `file`, as far as it goes, or violates a property")
	flags.StringVar(&f.chart, "chart", "",
		"draw the last steps, or all that violate a property: a `file` ending in .svg, .png, .pdf, .mmd or .puml")
	return cmd
}

func (c *command) runTrace(file string, logs []string, f traceFlags) error {
	set := f.set.Values()
	text, err := c.read(file)
	if err != nil {
		return err
	}
	source, err := model.ParseProtocol(c.called(file), text)
	if err != nil {
		if len(logs) > 0 && filepath.Ext(logs[0]) == ".ftdp" {
			return fmt.Errorf("%w\nthe protocol comes first: tacheck trace %s %s", err, logs[0], file)
		}
		return err
	}
	if i := slices.IndexFunc(logs, func(l string) bool { return filepath.Ext(l) == ".reading" }); i >= 0 &&
		f.reading == "" && len(logs) > 1 { // given as if it were a log
		f.reading, logs = logs[i], slices.Delete(slices.Clone(logs), i, i+1)
	}
	r, err := c.readingOf(file, source, f.reading)
	if err != nil {
		return err
	}
	var list []trace.Source
	for _, l := range logs {
		s, err := c.log(l, r, set, f)
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	out, err := c.traced(source, r, list, set, f)
	if err != nil {
		return c.untraceable(err, text, r.Text, r.File)
	}
	return c.tellTrace(out, strings.Join(logs, ", "), f)
}

// readingOf is what the events of a log are: of the protocol's text, by its name or as the only one there, or of a
// file. One in the text and one beside it are too many to choose from.
func (c *command) readingOf(file string, source *ftdp.File, name string) (*reading.Reading, error) {
	r, err := reading.Block(source, name)
	if err != nil {
		return nil, inText(err, source.Text())
	}
	beside := strings.TrimSuffix(file, filepath.Ext(file)) + ".reading"
	if r != nil && name == "" && file != "-" {
		if _, err := os.Stat(beside); err == nil {
			return nil,
				fmt.Errorf("%s has a reading of its own, and there is %s: --reading %s or --reading %s says which",
					record.Name(file), beside, r.Name, beside)
		}
	}
	if r != nil {
		return r, nil
	}
	if name == "" {
		name = beside
	}
	words, err := c.read(name)
	if errors.Is(err, fs.ErrNotExist) && name == beside {
		return nil,
			fmt.Errorf("there is no %s, which says what the events of the log are: --reading names another file, "+
				"tacheck explain traces says more", name)
	}
	if errors.Is(err, fs.ErrNotExist) && len(source.Traces()) > 0 {
		return nil, fmt.Errorf("there is neither a reading %s in %s nor a file of that name", name, record.Name(file))
	}
	if err != nil {
		return nil, err
	}
	if r, err = reading.Parse(record.Name(name), words); err != nil {
		return nil, &model.InputError{Err: err, Text: words}
	}
	return r, nil
}

// log is a log in a file, or what is on standard input; that is kept if it has to be read twice.
func (c *command) log(name string, r *reading.Reading, set map[string]int64, f traceFlags) (trace.Source, error) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(c.stdin), nil }
	if name != "-" {
		info, err := os.Stat(name)
		if err != nil {
			return trace.Source{}, err
		}
		open = func() (io.ReadCloser, error) { return os.Open(name) }
		if info.Mode().IsRegular() {
			return trace.Source{Name: name, Open: open}, nil
		}
	} else if name = c.stdinName; regular(c.stdin) && !r.Constants(set) {
		return trace.Source{Name: name, Open: open}, nil
	}
	// A pipe: what was read is gone, and where it ends nothing more is written.
	if !r.Constants(set) {
		return trace.Source{Name: name, Open: open, Ends: true}, nil
	}
	if f.follow {
		return trace.Source{},
			errors.New("the reading reads constants off the log: with --follow, give them values (--set)")
	}
	in, err := open()
	if err != nil {
		return trace.Source{}, err
	}
	defer in.Close()
	text, err := readAll(c.ctx, in)
	return trace.Bytes(name, []byte(text)), err
}

// regular reports whether input comes from a file.
func regular(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

func (c *command) traced(source *ftdp.File, r *reading.Reading, logs []trace.Source, set map[string]int64,
	f traceFlags) (*trace.Outcome, error) {
	line, begin := c.line(), time.Now()
	defer line("")
	options := trace.Options{States: f.states, Keep: max(f.story, trace.DefaultKeep), All: f.witness != "",
		Memory: trace.MemoryOver(cmp.Or(uint64(f.memory), memory.Most()))}
	how := trace.How{Options: options, Set: set, Properties: f.properties, Shrink: f.shrink,
		Progress: func(events int64) {
			if s := time.Since(begin).Seconds(); s > terminal.Quiet.Seconds() {
				line(fmt.Sprintf("%d events, %.0f a second, %.0f s", events, float64(events)/s, s))
			}
		}}
	if f.follow {
		how.Follow = 200 * time.Millisecond
	}
	return trace.Check(c.ctx, source, r, logs, how)
}

// untraceable tells what is wrong with the protocol, the reading or the log.
func (c *command) untraceable(err error, text, words, given string) error {
	var failed *trace.Failed
	if errors.As(err, &failed) && failed.Pos.File != given {
		return &model.InputError{Err: err, Text: text}
	}
	if errors.As(err, &failed) {
		return &model.InputError{Err: err, Text: words}
	}
	if trace.InReading(err, given) {
		return &model.InputError{Err: err, Text: words}
	}
	if errors.As(err, new(*reading.LogError)) {
		return err
	}
	return &model.InputError{Err: err, Text: text}
}

func (c *command) tellTrace(out *trace.Outcome, log string, f traceFlags) error {
	switch out.Verdict {
	case trace.NotARun, trace.Violated:
		c.outcome(verdict.Violated)
	case trace.Unknown:
		c.outcome(verdict.Unknown)
	}
	if f.witness != "" && out.Result.Given {
		return errors.New("--witness: the log gives the state in which the run begins, and files have runs from the " +
			"beginning")
	}
	if f.witness != "" {
		if err := saveRun(f.witness, out.Result.Whole(out.Model)); err != nil {
			return err
		}
	}
	if f.chart != "" {
		if err := c.saveChart(f.chart, logged{out, max(f.story, trace.Drawn)}); err != nil {
			return err
		}
	}
	steps := f.story
	if steps < 0 {
		if steps = 0; out.Verdict != trace.Explained {
			steps = 6
		}
	}
	colour := map[string]verdict.Verdict{trace.Explained: verdict.Holds, trace.NotARun: verdict.Violated,
		trace.Violated: verdict.Violated, trace.Unknown: verdict.Unknown}
	s := c.screen()
	a := reply{Outcome: export.Outcome{File: out.Model.File, Spec: log, Verdict: colour[out.Verdict], Said: out.Verdict,
		Reason: out.Reason, Seconds: out.Time.Seconds()}}
	a.object = func() (any, error) { return out, nil }
	a.rest = func(w io.Writer) error {
		err := out.Tell(w, log, steps, func(what, text string) string {
			return s.Paint(terminal.VerdictColour[colour[what]], text)
		})
		return cmp.Or(err, s.Why(w, out.Why, false))
	}
	return c.answer(a)
}

// logged is a log to be drawn: the last steps, or as far as it violates a property.
type logged struct {
	*trace.Outcome
	steps int
}

func (x logged) Rules() []string { return nil }

func (x logged) Told() *run.Run { return x.Drawn(x.steps) }

func (x logged) Why() (run.Explanation, error) {
	if x.Unexplained != nil {
		return x.Unexplained.Why(x.Told().Steps), nil
	}
	return x.Outcome.Why()
}
