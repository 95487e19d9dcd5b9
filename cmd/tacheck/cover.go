package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/cover"
	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/story"
	"github.com/tacheck/tacheck/show/terminal"
)

// coverFlags are the flags of explore that make tests of programs.
type coverFlags struct {
	runs      string
	cover     string
	runFormat string
}

func (f *coverFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.runs, "runs", "",
		"protocols: write runs that cover the protocol into this `folder`, to be played against a program")
	flags.StringVar(&f.cover, "cover", string(cover.Rules),
		"protocols: what these runs cover: rules, pairs of steps that use each other's work, or conditions")
	flags.StringVar(&f.runFormat, "run-format", "json", "of --witness and --runs: json, or itf (Informal Trace Format)")
}

// coverRuns writes runs that cover a protocol.
func (c *command) coverRuns(m *protocol.Model, states int64, f coverFlags) error {
	if states == 0 {
		states = cover.DefaultStates
	}
	found, _, err := limit.Heed(c.ctx, func(ctx context.Context) (*cover.Cover, error) {
		return cover.Find(ctx, m, cover.What(f.cover), int(states))
	})
	var failed *protocol.Failure
	switch {
	case errors.Is(context.Cause(c.ctx), context.Canceled):
		return errInterrupted
	case c.ctx.Err() != nil && err != nil:
		c.outcome(verdict.Unknown)
		if c.prints() {
			return terminal.EncodeJSON(c.stdout, map[string]any{"file": m.File, "cover": f.cover, "reason": "timeout"})
		}
		return c.say("%s (%s): unknown: timeout; no runs were written\n", m.File, m.Assignments())
	case errors.As(err, &failed):
		return model.Running(interp.Text(m), &machine.ModelError{Failure: failed,
			Run: &interp.Run{Model: m, Loop: -1, Failure: failed}})
	case err != nil:
		return fmt.Errorf("%s: %w", m.File, err)
	}
	if err := os.MkdirAll(f.runs, 0o777); err != nil {
		return err
	}
	if entries, err := os.ReadDir(f.runs); err != nil {
		return err
	} else if len(entries) > 0 {
		return fmt.Errorf("--runs: %s is not empty", f.runs)
	}
	steps := 0
	for i, r := range found.Runs {
		steps += len(r.Steps)
		data, err := json.MarshalIndent(r, "", "  ")
		ending := ".json"
		if f.runFormat == "itf" {
			data, err = story.Told(r.Replay()).ITF()
			ending = ".itf.json"
		}
		if err != nil {
			return err
		}
		if err := save.Text(filepath.Join(f.runs, fmt.Sprintf("run-%03d%s", i+1, ending)),
			string(data)+"\n"); err != nil {
			return err
		}
	}
	if len(found.Missed) > 0 && !found.Whole {
		c.outcome(verdict.Unknown)
	}
	return c.tellCover(m, found, steps)
}

func (c *command) tellCover(m *protocol.Model, found *cover.Cover, steps int) error {
	if c.prints() {
		return terminal.EncodeJSON(c.stdout, struct {
			File      string         `json:"file"`
			Cover     cover.What     `json:"cover"`
			Constants map[string]any `json:"constants"`
			Runs      int            `json:"runs"`
			Steps     int            `json:"steps"`
			States    int            `json:"states"`
			Whole     bool           `json:"all_states"`
			Covered   []string       `json:"covered"`
			Missed    []string       `json:"missed"`
		}{m.File, found.What, m.ConstantValues(), len(found.Runs), steps, found.States, found.Whole, found.Covered,
			append([]string{}, found.Missed...)})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s, %s, cover %d of %d %s; %s visited\n", m.File, m.Assignments(),
		spell.Count(len(found.Runs), "run", "runs"), spell.Count(steps, "step", "steps"),
		len(found.Covered), len(found.Covered)+len(found.Missed), found.What, spell.Count(found.States, "state",
			"states"))
	for i, g := range found.Missed {
		if i == 0 && found.Whole {
			fmt.Fprintln(&b, "  these are impossible:")
		} else if i == 0 {
			fmt.Fprintln(&b, "  not among the states visited (--max-states):")
		}
		fmt.Fprintf(&b, "    %s\n", g)
	}
	return c.say("%s", b.String())
}
