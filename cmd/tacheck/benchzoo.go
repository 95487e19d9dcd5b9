package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tacheck/benchmarks"
	"tacheck/benchmarks/suite"
	"tacheck/model"
)

// variants are the suites of algorithms that are right, and broken in known ways.
var variants = map[string]func() ([]benchmarks.Variant, error){
	"zoo": benchmarks.Variants, "rounds": benchmarks.RoundVariants, "field": benchmarks.FieldVariants,
}

// variantTasks lists what is expected of the algorithms of such a suite as tasks.
func (c *command) variantTasks(name string, f benchFlags) (tasks []suite.Task, err error) {
	if len(f.searches)+len(f.encodings)+len(f.solvers) > 0 || f.cluster.url != "" {
		return nil, fmt.Errorf("much of the suite %s is explored, or decided by many questions: --search, --encoding, --solver and --cluster are for models that are verified by one automaton", name)
	}
	if _, collected := f.format.exported(); collected {
		return nil, fmt.Errorf("--format %s is for files: the suite %s has variants of them", f.format.name, name)
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
		_, forAll := m.(model.ForAll)
		t := suite.Task{File: v.File, Digest: digest(m.Text()), Spec: v.Spec, Expect: v.Expect, Explore: !forAll, Variant: v.Name}
		if v.Text != "" {
			t.Text, t.Digest = []byte(v.Text), digest(v.Text)
		}
		if t.Set, err = c.settings(m, v.Set); err != nil {
			return nil, err
		}
		if t.Set != "" {
			t.Variant = strings.ReplaceAll(t.Set, ",", " ")
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
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
