package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/model"
)

// variants are the suites of algorithms that are right, and broken in known ways.
var variants = map[string]func() ([]benchmarks.Variant, error){
	"zoo": benchmarks.Variants, "rounds": benchmarks.RoundVariants, "field": benchmarks.FieldVariants,
}

// variantTasks lists what is expected of the algorithms of such a suite as tasks.
func (c *command) variantTasks(name string, f benchFlags) (tasks []suite.Task, err error) {
	if len(f.searches)+len(f.encodings)+len(f.solvers) > 0 || f.cluster.url != "" {
		return nil,
			fmt.Errorf("much of the suite %s is explored, or decided by many questions: --search, --encoding, "+
				"--solver and --cluster are for models that are verified by one automaton", name)
	}
	if _, collected := f.format.Exported(); collected {
		return nil, fmt.Errorf("--format %s is for files: the suite %s has variants of them", f.format.Name, name)
	}
	list, err := variants[name]()
	if err != nil {
		return nil, err
	}
	opened := map[string]model.Model{}
	for _, v := range list {
		m := opened[v.File]
		if m == nil {
			if m, err = c.openQuietly(v.File); err != nil {
				return nil, err
			}
			opened[v.File] = m
		}
		t := suite.Task{File: v.File, Digest: digest(m.Text()), Spec: v.Spec, Expect: v.Expect,
			Command: asksFor(m), Variant: v.Name}
		if v.Command != nil {
			t.Command = v.Command
		}
		if v.Text != "" {
			t.Text, t.Digest = []byte(v.Text), digest(v.Text)
		}
		if t.Set, err = c.settings(m, v.Set); err != nil {
			return nil, err
		}
		if t.Set != "" {
			t.Variant = strings.ReplaceAll(t.Set, ",", " ")
		}
		if v.Command != nil {
			t.Variant += ", every size"
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// tableTasks lists the files of a table of published figures.
func (c *command) tableTasks(f benchFlags, folders []string) (tasks []suite.Task, err error) {
	name := f.table
	table, ok := benchmarks.TableNamed(name)
	switch _, collected := f.format.Exported(); {
	case name == "":
		return nil, nil
	case len(f.searches)+len(f.encodings)+len(f.solvers) > 0 || f.cluster.url != "" || collected:
		return nil, errors.New("--table decides every file in one way, here, and prints text, json, csv or markdown")
	case !ok:
		return nil, fmt.Errorf("there is no table %q%s", name, spell.Hint(name, benchmarks.Tables()))
	case len(folders) > 1:
		return nil, fmt.Errorf("the files of the table %s are in one folder", name)
	}
	for _, p := range table.Rows {
		file := p.File
		if len(folders) == 1 {
			file = filepath.Join(folders[0], filepath.FromSlash(file))
		} else if _, embedded := benchmarks.Read(file); !embedded {
			return nil, fmt.Errorf("where are the files of the table %s, such as %s? bench --table %s FOLDER", name,
				file, name)
		}
		m, err := c.openQuietly(file)
		if err != nil {
			return nil, err
		}
		t := suite.Task{File: file, Digest: digest(m.Text()), Spec: p.Spec, Expect: p.Verdict,
			Of: p.Of, States: p.States}
		if t.Set, err = c.settings(m, p.Set); err != nil {
			return nil, err
		}
		t.Variant = t.Set
		for i, column := range table.Columns {
			f := suite.Figure{Column: column}
			if i < len(p.Figures) {
				f.Value = p.Figures[i]
			}
			t.Published = append(t.Published, f)
		}
		ways := table.Ways
		if ways == nil {
			ways = []benchmarks.Way{{}}
		}
		for _, way := range ways {
			t.Method.Way, t.Command = way.Name, slices.Concat(table.Command, way.Flags)
			tasks = append(tasks, t)
		}
	}
	return tasks, nil
}

// tableHead says what a table has, and what it was made on.
func (c *command) tableHead(f benchFlags) {
	table, _ := benchmarks.TableNamed(f.table)
	limit, between := "", "\n"
	if f.timeout > 0 {
		limit = ", limit " + f.timeout.String()
	}
	if f.format.Name == string(suite.Markdown) {
		between = "\n\n"
	}
	if f.format.Name != string(suite.CSV) {
		fmt.Fprintf(c.stdout, "%s\n%sours: tacheck %s on %s%s%stheirs: %s\n\n", table.Title, between[1:], release,
			suite.Machine(), limit, between, table.Source)
	}
}

// settings writes values of constants as --set has them.
func (c *command) settings(m model.Model, set map[string]int64) (string, error) {
	if len(set) == 0 {
		return "", nil
	}
	fixed, err := able[model.Fixed](m, "bench")
	if err != nil {
		return "", err
	}
	x, err := fixed.Instance(c.ctx, nil)
	if err != nil {
		return "", err
	}
	truth := map[string]bool{}
	for _, v := range x.Values() {
		truth[v.Name] = v.Truth
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		text := fmt.Sprint(set[name])
		if truth[name] {
			text = fmt.Sprint(set[name] != 0)
		}
		parts = append(parts, name+"="+text)
	}
	return strings.Join(parts, ","), nil
}
