package main

import (
	"context"
	"errors"
	"os"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/benchmarks/suite"
	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
)

// peerTasks lists the texts whose states are counted beside other explorers: files and folders, or those of the table.
func (c *command) peerTasks(f benchFlags, args []string) (tasks []suite.Task, err error) {
	_, collected := f.format.Exported()
	switch {
	case len(f.searches)+len(f.encodings)+len(f.solvers) > 0 || f.cluster.url != "" || collected:
		return nil, errors.New("--peers counts states in one way, here, and prints text, json, csv or markdown")
	case len(args) == 0:
		return c.tableTasks(f, nil)
	}
	table, _ := benchmarks.TableNamed(f.table)
	for _, arg := range args {
		files, err := expandArg(arg)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			m, err := c.openQuietly(file)
			if err != nil {
				return nil, err
			}
			if _, err := able[model.Identified](m, "bench --peers"); err != nil {
				return nil, err
			}
			tasks = append(tasks, suite.Task{File: file, Digest: digest(m.Text()), Command: table.Command})
		}
	}
	return tasks, nil
}

// besidePeers has tasks measured beside other explorers.
func (c *command) besidePeers(config *suite.Config) {
	config.Env = []string{"GOMAXPROCS=1"}
	p := suite.Peers{Config: *config, TLC: os.Getenv("TACHECK_TLC"),
		Protocol: func(ctx context.Context, t suite.Task) (*protocol.Model, error) {
			m, err := c.openQuietly(t.File)
			if err != nil {
				return nil, err
			}
			identified, err := able[model.Identified](m, "bench --peers")
			if err != nil {
				return nil, err
			}
			var set options.Settings
			if t.Set != "" {
				if err := set.Set(t.Set); err != nil {
					return nil, err
				}
			}
			return identified.Protocol(ctx, set)
		}}
	config.Measure = p.Measure
}
