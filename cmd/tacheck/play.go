package main

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/pkg/browser"
	"github.com/spf13/cobra"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/cmd/tacheck/options"
	"github.com/tacheck/tacheck/show/play"
)

func (c *command) play() *cobra.Command {
	var o play.Options
	var noBrowser bool
	var bytes options.ByteSize
	cmd := &cobra.Command{
		Use:   "play [FILE|LINK]",
		Short: "Open a page of this machine to write models and watch them fail",
		Long: `Open a page on which you write a model and see at once which property fails, with its run.
Sliders change numbers in assumptions and sizes. A link contains all that the page shows.

This process serves the page on 127.0.0.1, at a secret address. It needs no network.
Interrupt to stop. tacheck explain play says more.`,
		Example: `  tacheck play
  tacheck play rb.ta --no-browser`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Release, o.Memory = release, uint64(bytes)
			o.Examples = examplesToPlay()
			o.Start = o.Examples[0]
			if len(args) == 1 {
				if err := c.playWith(args[0], &o); err != nil {
					return err
				}
			}
			return play.Serve(c.ctx, o, func(address string) {
				fmt.Fprintf(c.stdout, "%s\n", address)
				if noBrowser {
					return
				}
				browser.Stdout = c.stderr
				if err := browser.OpenURL(address); err != nil {
					fmt.Fprintf(c.stderr,
						"tacheck: no browser could be opened (%v): open this address in one on this machine\n", err)
				}
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&noBrowser, "no-browser", false, "print the address, and open no browser")
	flags.IntVar(&o.Port, "port", 0, "listen on this `port` (default any that is free)")
	flags.DurationVar(&o.Timeout, "timeout", 10*time.Second, "give up on a specification after this time")
	flags.Var(&bytes, "memory", "stop when more memory is used, such as 2GiB (default half of what is free)")
	flags.StringVar(&o.Solver, "solver", "", solverText)
	return cmd
}

// playWith has the page begin with a file, an embedded model, or what a link says.
func (c *command) playWith(arg string, o *play.Options) error {
	if _, link, found := strings.Cut(arg, "#1."); found {
		if _, err := url.Parse(arg); err != nil {
			return err
		}
		o.Link = "1." + link
		return nil
	}
	text, err := c.read(arg)
	if err != nil {
		return err
	}
	o.Start = play.Example{Name: path.Base(c.called(arg)), Text: text}
	return nil
}

// examplesToPlay are the embedded models, what is right first.
func examplesToPlay() (list []play.Example) {
	add := func(group string, names []string) {
		for _, name := range names {
			text, _ := benchmarks.Read(name)
			list = append(list, play.Example{Name: name, Group: group, About: about(text), Text: text})
		}
	}
	var right, broken []string
	for _, name := range benchmarks.Names() {
		if strings.HasPrefix(name, "broken/") {
			broken = append(broken, name)
		} else {
			right = append(right, name)
		}
	}
	for i, name := range benchmarks.Sources() { // the one to begin with
		if strings.HasSuffix(name, "/rb.ftdp") {
			add("Pseudo-code, for all sizes",
				append([]string{name}, append(benchmarks.Sources()[:i:i], benchmarks.Sources()[i+1:]...)...))
		}
	}
	list = append(list, play.Broken()...)
	add("Threshold automata", right)
	add("Threshold automata, broken", broken)
	add("Promela", benchmarks.Promela())
	add("Protocols of fixed size", benchmarks.Protocols())
	return list
}
