package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/chart"
)

// runFiles are the files in which runs that are found are saved, and drawn.
type runFiles struct {
	witness, chart string
	itf            bool // the first is in the Informal Trace Format, whatever its name
}

// add adds --witness and --chart.
func (f *runFiles) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.witness, "witness", "", "save the first counterexample to this `file`")
	flags.StringVar(&f.chart, "chart", "",
		"draw the first counterexample: a `file` ending in .svg, .png, .pdf, .mmd or .puml")
}

// save writes the files for a run; more stands in their names, before the endings.
func (c *command) save(f runFiles, x model.Counterexample, more string) error {
	c.saved = true
	if f.witness != "" {
		if err := c.saveAs(beforeEnding(f.witness, more), f.itf, x); err != nil {
			return err
		}
	}
	if f.chart != "" {
		return c.saveChart(beforeEnding(f.chart, more), x)
	}
	return nil
}

// saveFirst writes the files for a run, if it is the first that is found, and for others that were found with it: the
// second has -2 in the names of its files.
func (c *command) saveFirst(f runFiles, x model.Counterexample, others ...model.Counterexample) error {
	if x == nil || c.saved {
		return nil
	}
	err := c.save(f, x, "")
	for k, other := range others {
		err = errors.Join(err, c.save(f, other, fmt.Sprintf("-%d", k+2)))
	}
	return err
}

// saveFailing writes the files for the run to an error in a model, and returns the error.
func (c *command) saveFailing(err error, f runFiles) error {
	if in := (*model.InputError)(nil); errors.As(err, &in) && in.Run != nil {
		return errors.Join(err, c.save(f, in.Run, ""))
	}
	return err
}

// unsaved says so where a run was to be drawn, and none was found.
func (c *command) unsaved(f runFiles) {
	if f.chart != "" && !c.saved {
		c.notDrawn("chart", f.chart, "counterexample")
	}
}

// saveAs saves a counterexample for replay, or in the Informal Trace Format: if that is asked for, or the file's name
// says so.
func (c *command) saveAs(name string, itf bool, x model.Counterexample) error {
	if itf || strings.HasSuffix(name, ".itf.json") {
		return c.saveITF(name, x)
	}
	return saveRun(name, x)
}

// saveITF saves a counterexample in the Informal Trace Format, or prints it.
func (c *command) saveITF(name string, x model.Counterexample) error {
	data, err := x.Told().ITF()
	if err != nil {
		return err
	}
	return c.put(name, string(data)+"\n")
}

// saveRun writes a counterexample as JSON, for people to look at, too.
func saveRun(name string, x json.Marshaler) error {
	text, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return err
	}
	if err := save.Text(name, string(text)+"\n"); err != nil {
		return fmt.Errorf("saving the witness: %w", err)
	}
	return nil
}

// saveChart draws a run in a file. A verdict does not depend on what cannot be told.
func (c *command) saveChart(file string, x model.Counterexample) error {
	var untold error
	drawn, err := verdict.Tell(func() (drawn *chart.Chart, err error) {
		drawn, untold = model.Chart(x)
		return drawn, nil
	})
	if err := errors.Join(err, untold); err != nil {
		fmt.Fprintf(c.stderr, "tacheck: --chart: %s\n", record.Printable(err.Error()))
	}
	if err != nil {
		return nil
	}
	data, err := drawn.Bytes(file)
	if err != nil {
		return err
	}
	return save.Text(file, string(data))
}

// notDrawn says why there is no picture. That changes no verdict.
func (c *command) notDrawn(flag, file, what string) {
	fmt.Fprintf(c.stderr, "tacheck: --%s: there is no %s to draw, and %s is not written\n", flag, what,
		record.Name(file))
}

// beforeEnding is a file's name with more in front of its ending.
func beforeEnding(name, more string) string {
	ending := filepath.Ext(name)
	if base := strings.TrimSuffix(name, ending); strings.HasSuffix(base, ".itf") {
		ending = ".itf" + ending
	}
	return strings.TrimSuffix(name, ending) + more + ending
}
