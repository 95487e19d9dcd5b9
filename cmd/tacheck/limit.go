package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/internal/limit"
	"github.com/tacheck/tacheck/protocol/machine"
)

// limit adds --timeout to a command: the deadline of its context.
// What is known by then is printed. Where something does not heed it, the process ends as after an interrupt.
func (c *command) limit(cmd *cobra.Command) *cobra.Command {
	timeout := cmd.Flags().Duration("timeout", 0, stopAfter)
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		over := soon
		if cmd.Name() == "trace" {
			over = overtime
		}
		defer c.within(*timeout, over)()
		return run(cmd, args)
	}
	return cmd
}

// within has the context of the command end after some time; 0 is no limit. The process ends so much later.
func (c *command) within(timeout, over time.Duration) (stop func()) {
	if timeout == 0 {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(c.ctx, timeout)
	c.ctx = ctx
	if !c.process {
		return cancel
	}
	late := time.AfterFunc(timeout+over, func() {
		if !unhurried.Load() {
			giveUp("timeout")
		}
	})
	return func() {
		late.Stop()
		cancel()
	}
}

// How long after the deadline the process ends: soon, where nothing is made ready then; else longer than a run takes
// that leads to what was found.
const (
	soon     = limit.Ending + 100*time.Millisecond
	overtime = machine.More + soon
)

// stopAfter is what --timeout of such a command means.
const stopAfter = "stop after this time, such as 5m (default no limit)"

// giveUp ends the process; what was found out before counts.
func giveUp(why string) {
	during, _ := doing.Load().(string)
	fmt.Fprintln(os.Stderr, "\ntacheck: "+why+during)
	if say, _ := last.Load().(func(string)); say != nil {
		say(why + during)
	}
	code := exitUnknown
	if violated.Load() {
		code = exitViolated
	}
	os.Exit(code)
}
