package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/cluster/work"
	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/terminal"
)

type benchFlags struct {
	searches, encodings, solvers []string
	timeout                      time.Duration
	jobs, runs                   int
	format                       options.Format
	save, compare, plot, table   string
	peers                        bool
	cluster                      clusterFlags
}

func (c *command) bench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench [DIR|FILE...]",
		Short: "Verify a suite of models and print a table",
		Long: `Verify all specifications of the embedded models, or of files and folders, each in a process
of its own, and print a table. Models of fixed size are explored, first-order systems proved
by induction. Embedded folders are suite, broken (with known violations), zoo, rounds, and
field (faults of real programs).

--search, --encoding and --solver may be given several times: all combinations become
columns. With --save, an interrupted run goes on where it was.

Exit code: 0 every verdict is as expected (of a model without expectations: each is decided,
violated or not), 1 not, 2 bad usage or input, 3 interrupted.`,
		Example: `  tacheck bench zoo --timeout 60s
  tacheck bench models/ --save new.json --compare old.json`,
		RunE: func(_ *cobra.Command, args []string) error { return c.runBench(args, f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.searches, "search", nil, "search (several: columns)")
	flags.StringArrayVar(&f.encodings, "encoding", nil, "encoding (several: columns)")
	flags.StringArrayVar(&f.solvers, "solver", nil, "solver (several: columns)")
	flags.DurationVar(&f.timeout, "timeout", 0, giveUpAfter)
	jobsFlag(flags, &f.jobs)
	flags.IntVar(&f.runs, "runs", 1, "verify each so many times, and print medians")
	f.format.Flag(cmd, "text", "json", "csv", "markdown")
	flags.StringVar(&f.table, "table", "", "compare with published figures: "+strings.Join(benchmarks.Tables(), ", "))
	flags.BoolVar(&f.peers, "peers", false, "count states beside Spin, rumur and TLC, of protocols of fixed size")
	flags.StringVar(&f.save, "save", "", "save the run in this `file`, and resume from it")
	flags.StringVar(&f.compare, "compare", "", "compare with the run saved in this `file`")
	flags.StringVar(&f.plot, "plot", "", "write time.svg and shapes.svg into this `folder`")
	f.cluster.addResumed(flags)
	return cmd
}

func (c *command) runBench(args []string, f benchFlags) error {
	var models map[string]model.Model
	read := map[string]time.Duration{}
	tasks, err := c.tableTasks(f, args)
	switch {
	case f.peers:
		f.table = "peers"
		tasks, err = c.peerTasks(f, args)
	case f.table == "":
		tasks, models, err = c.benchTasks(args, f, read)
	}
	if err != nil {
		return err
	}
	var earlier []suite.Row
	if f.compare != "" {
		if _, earlier, err = suite.Load(f.compare); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	config := suite.Config{Command: []string{self}, Timeout: f.timeout, Jobs: f.jobs, Runs: f.runs, Defines: c.defines,
		NoFairness: c.noFairness, Read: read}
	if f.peers {
		c.besidePeers(&config)
	}
	rows, err := c.collect(tasks, models, config, f)
	stopped := c.ctx.Err() != nil && errors.Is(err, context.Canceled)
	if err != nil && !stopped {
		return err
	}
	if stopped {
		fmt.Fprintf(c.stderr, "tacheck: interrupted after %d of %d\n", len(rows), len(tasks))
		c.outcome(verdict.Unknown)
	}
	told := map[string]bool{}
	for i := range rows {
		if err := rows[i].Refused; err != nil && !told[err.Error()] {
			told[err.Error()], c.aside = true, true
			c.complain(err)
		}
		if !rows[i].AsExpected() || rows[i].Expect == "" && rows[i].Verdict == "unknown" {
			c.outcome(verdict.Violated)
		}
	}
	if f.plot != "" {
		if err := savePlots(f.plot, rows); err != nil {
			return err
		}
	}
	if f.format.Name == "json" {
		return nil // printed as it went
	}
	if c.collects() {
		return c.answerRows(rows)
	}
	if f.table != "" {
		c.tableHead(f)
	}
	return suite.Print(c.stdout, rows, suite.Format(f.format.Name), earlier)
}

// answerRows notes rows for other programs.
func (c *command) answerRows(rows []suite.Row) error {
	var m model.Model
	for i := range rows {
		if err := rows[i].Refused; err != nil {
			c.fails(rows[i].File, err)
			continue
		}
		if m == nil || m.File() != rows[i].File {
			var err error
			if m, err = c.openQuietly(rows[i].File); err != nil {
				return err
			}
		}
		spec, _ := model.SpecNamed(m, rows[i].Spec)
		c.answerRow(&rows[i], spec.Pos)
	}
	return nil
}

// collect runs the tasks: saves rows, shows progress, prints JSON as it goes.
func (c *command) collect(tasks []suite.Task, models map[string]model.Model, config suite.Config,
	f benchFlags) (rows []suite.Row, err error) {
	add := func(suite.Row) error { return nil }
	if f.save != "" {
		saver, known, err := suite.Resume(f.save, suite.Header{Release: release, Solver: solverVersion(),
			Machine: suite.Machine(), Timeout: f.timeout.String(), Runs: max(1, f.runs)})
		if err != nil {
			return nil, err
		}
		defer saver.Close()
		config.Known, add = known, saver.Add
	}
	w := c.watch(len(tasks), "specifications")
	defer w.End()
	if f.cluster.url != "" {
		key := []any{"bench", f.timeout, f.runs}
		for _, t := range tasks {
			key = append(key, t.File, t.Digest, t.Spec, t.Method)
		}
		s, failed := c.join(f.cluster, asked{fmt.Sprintf("bench: %s",
			spell.Count(len(tasks), "specification", "specifications")), key, len(tasks)}, f.jobs, w)
		if failed != nil {
			return nil, failed
		}
		defer s.leave(c.ctx)
		config.Jobs = ahead
		config.Measure = func(ctx context.Context, t suite.Task) (suite.Row, error) {
			m := models[t.File]
			return work.Measure(ctx, s.Run, m.Text(), work.Measured{File: filepath.Base(t.File), Spec: t.Spec,
				Method: t.Method, Timeout: f.timeout, Runs: max(1, f.runs),
				Defines: c.defines, NoFairness: c.noFairness}, t, func(text []byte) error {
				return accepts(m, t.Spec, text)
			})
		}
	}
	err = suite.Run(c.ctx, tasks, config, func(r suite.Row) error {
		rows = append(rows, r)
		return w.Next(func() error {
			if f.format.Name == "json" {
				if err := terminal.EncodeJSON(c.stdout, r); err != nil {
					return err
				}
			}
			if r.Refused != nil { // it is not saved: it may be mended
				return nil
			}
			return add(r)
		})
	})
	return rows, err
}

// benchTasks lists what to verify: files in the order given, those of folders sorted by name.
func (c *command) benchTasks(args []string, f benchFlags, read map[string]time.Duration) (tasks []suite.Task,
	models map[string]model.Model, err error) {
	if len(args) == 0 {
		args = []string{"suite", "broken"}
	}
	var files []string
	for _, arg := range args {
		if _, err := os.Stat(arg); variants[arg] != nil && err != nil {
			more, err := c.variantTasks(arg, f)
			if err != nil {
				return nil, nil, err
			}
			tasks = append(tasks, more...)
			continue
		}
		list, err := expandArg(arg)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, list...)
	}
	expected := map[[2]string]verdict.Verdict{}
	for _, e := range benchmarks.Expected() {
		expected[[2]string{e.File, e.Spec}] = e.Verdict
	}
	models = map[string]model.Model{}
	for _, file := range files {
		begin := time.Now()
		m, err := c.measured(file, f)
		read[file] = time.Since(begin)
		if err != nil && c.ctx.Err() != nil {
			return nil, nil, err
		}
		if err != nil {
			tasks = append(tasks, suite.Task{File: file, Refused: err})
			continue
		}
		models[file] = m
		embedded, isEmbedded := benchmarks.Read(file)
		for _, s := range m.Specs() {
			t := suite.Task{File: file, Digest: digest(m.Text()), Spec: s.Name, Command: asksFor(m)}
			if isEmbedded && embedded == m.Text() {
				t.Expect = expected[[2]string{file, s.Name}]
			}
			for _, t.Method = range methods(f) {
				tasks = append(tasks, t)
			}
		}
	}
	return tasks, models, nil
}

// digest tells texts apart.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// measured opens a model.
func (c *command) measured(file string, f benchFlags) (model.Model, error) {
	m, err := c.open(file)
	if err != nil || asksFor(m) == nil {
		return m, err
	}
	if _, err = able[model.Fixed](m, "bench"); err != nil {
		return nil, err
	}
	if len(f.searches)+len(f.encodings)+len(f.solvers) > 0 || f.cluster.url != "" {
		return nil, fmt.Errorf("%s is %s: --search, --encoding, --solver and --cluster are for models that are "+
			"verified for all parameters", m.File(), m.What())
	}
	return m, nil
}

// asksFor is the command that fits a model, and nil for those that are verified.
func asksFor(m model.Model) []string {
	if _, forAll := m.(model.ForAll); forAll {
		return nil
	}
	if _, firstOrder := m.(model.FirstOrder); firstOrder {
		return []string{"induct", "--jobs", "1"}
	}
	return []string{"explore", "--jobs", "1"}
}

func methods(f benchFlags) []suite.Method {
	or := func(list []string) []string {
		if len(list) == 0 {
			return []string{""}
		}
		return list
	}
	var out []suite.Method
	for _, search := range or(f.searches) {
		for _, encoding := range or(f.encodings) {
			for _, solver := range or(f.solvers) {
				out = append(out, suite.Method{Search: search, Encoding: encoding, Solver: solver})
			}
		}
	}
	return out
}

// expandArg returns the model files that an argument names.
func expandArg(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return modelsIn(arg)
	case err == nil:
		return []string{arg}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	var list []string
	for _, name := range benchmarks.Names() {
		broken := strings.HasPrefix(name, "broken/")
		if name == arg || arg == "suite" && !broken || arg == "broken" && broken {
			list = append(list, name)
		}
	}
	if _, embedded := benchmarks.Read(arg); list == nil && embedded { // a Promela model
		return []string{arg}, nil
	}
	if list == nil {
		return nil, fmt.Errorf("%s: no such file, folder or embedded model", arg)
	}
	return list, nil
}

// modelsIn lists the files of a folder that are models, by name.
func modelsIn(folder string) (files []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if _, is := model.KindOf(e.Name()); is && !e.IsDir() {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no models: files that end in %s", folder, strings.Join(model.Endings(), ", "))
	}
	return files, nil
}

func savePlots(folder string, rows []suite.Row) error {
	if err := save.Folder(folder); err != nil {
		return err
	}
	for name, plot := range map[string]func(io.Writer,
		[]suite.Row) error{"time.svg": suite.PlotTime, "shapes.svg": suite.PlotShapes} {
		if err := save.File(filepath.Join(folder, name), func(w io.Writer) error { return plot(w, rows) }); err != nil {
			return err
		}
	}
	return nil
}
