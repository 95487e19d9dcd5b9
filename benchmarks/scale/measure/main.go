// Measure runs the models of package scale with several searches, each in a
// process of its own, and writes a table and plots of time and memory:
//
//	go run ./benchmarks/scale/measure -tacheck bin/tacheck -limit 30s -out benchmarks
//
// A search that has run into the time limit is not tried on larger models of the family.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tacheck/tacheck/benchmarks/scale"
	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/verdict"
)

func main() {
	tacheck := flag.String("tacheck", "bin/tacheck", "the program to measure")
	limit := flag.Duration("limit", 30*time.Second, "time limit of a run")
	out := flag.String("out", "benchmarks", "folder for SCALE.md and plots")
	runs := flag.Int("runs", 3, "runs of each model; medians are shown")
	flag.Parse()
	if err := measure(*tacheck, *limit, *out, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// searches that are measured.
var searches = []string{"lazy", "symbolic", "incremental"}

// point is a measured model.
type point struct {
	size int
	row  suite.Row
}

// series is one search on one half of a family.
type series struct {
	search   string
	violated bool
	points   []point
}

func (s *series) name() string {
	if s.violated {
		return s.search + ", violated"
	}
	return s.search + ", holds"
}

func measure(tacheck string, limit time.Duration, out string, runs int) error {
	var report strings.Builder
	fmt.Fprintf(&report,
		"# How verification scales\n\nWritten by `make scale` on %s, time limit %s, medians of %d runs, whole "+
			"processes.\n"+
			"`-`: over the limit, here or at a smaller size.\n", suite.Machine(), limit, runs)
	for _, f := range scale.Families {
		var list []*series
		for _, search := range searches {
			for _, violated := range []bool{false, true} {
				s := &series{search: search, violated: violated}
				if err := s.run(tacheck, f, limit, runs); err != nil {
					return err
				}
				list = append(list, s)
			}
		}
		write(&report, f, list)
		for kind, value := range map[string]func(point) float64{
			"time":   func(p point) float64 { return p.row.WholeSeconds },
			"memory": func(p point) float64 { return p.row.PeakMiB },
		} {
			if err := draw(filepath.Join(out, "scale", f.Name+"-"+kind+".svg"), f, kind, list, value); err != nil {
				return err
			}
		}
	}
	return save.Text(filepath.Join(out, "SCALE.md"), report.String())
}

// run measures a series until the time limit is hit.
func (s *series) run(tacheck string, f scale.Family, limit time.Duration, runs int) error {
	dir, err := os.MkdirTemp("", "tacheck-scale-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, size := range f.Sizes {
		name := filepath.Join(dir, fmt.Sprintf("%s-%d.ta", f.Name, size))
		if err := os.WriteFile(name, []byte(f.Model(size, s.violated)), 0o666); err != nil {
			return err
		}
		task := suite.Task{File: name, Spec: "s", Method: suite.Method{Search: s.search}, Expect: verdict.Holds}
		if s.violated {
			task.Expect = verdict.Violated
		}
		var row suite.Row
		config := suite.Config{Command: []string{tacheck}, Timeout: limit, Runs: runs}
		err := suite.Run(context.Background(), []suite.Task{task}, config,
			func(r suite.Row) error { row = r; return nil })
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s %d %s: %s %.2f s\n", f.Name, size, s.name(), row.Verdict, row.WholeSeconds)
		if row.Verdict == verdict.Unknown {
			return nil
		}
		if !row.AsExpected() {
			return fmt.Errorf("%s of %d, %s: %s", f.Name, size, s.name(), row.Verdict)
		}
		s.points = append(s.points, point{size, row})
	}
	return nil
}

func (s *series) at(size int) *suite.Row {
	for i := range s.points {
		if s.points[i].size == size {
			return &s.points[i].row
		}
	}
	return nil
}

// write adds a family's table to the report.
func write(w io.Writer, f scale.Family, list []*series) {
	fmt.Fprintf(w, "\n## %s: %s\n\n| %s |", f.Name, f.Knob, strings.Trim(strings.Fields(f.Knob)[0], ","))
	for _, s := range list {
		fmt.Fprintf(w, " %s |", s.name())
	}
	fmt.Fprintf(w, "\n|---:|%s\n", strings.Repeat("---:|", len(list)))
	for _, size := range f.Sizes {
		fmt.Fprintf(w, "| %d |", size)
		for _, s := range list {
			if r := s.at(size); r != nil {
				fmt.Fprintf(w, " %.2f s, %.0f MiB |", r.WholeSeconds, r.PeakMiB)
			} else {
				fmt.Fprint(w, " - |")
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\n![time](scale/%s-time.svg) ![memory](scale/%s-memory.svg)\n", f.Name, f.Name)
}

func draw(name string, f scale.Family, kind string, list []*series, value func(point) float64) error {
	unit := map[string]string{"time": "seconds", "memory": "MiB"}[kind]
	c := suite.Curves{Title: f.Name + ": " + kind, X: f.Knob, Y: unit}
	for _, s := range list {
		line := suite.Curve{Name: s.name(), Dashed: s.violated}
		for _, p := range s.points {
			line.Points = append(line.Points, [2]float64{float64(p.size), value(p)})
		}
		c.Lines = append(c.Lines, line)
	}
	return save.File(name, c.Plot)
}
