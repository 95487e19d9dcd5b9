package main

import "github.com/tacheck/tacheck/show/terminal"

// screen is where text for people goes; what is collected is as text in a file.
func (c *command) screen() terminal.Screen {
	if c.collects() {
		return terminal.Screen{Width: terminal.PipeWidth, Finding: c.find != ""}
	}
	return terminal.NewScreen(c.stdout, c.find != "")
}

// line shows a line of text on standard error in place of the one before.
func (c *command) line() func(text string) { return terminal.Line(c.stderr) }

// watch shows how far so many things are.
func (c *command) watch(total int, noun string) *terminal.Watch {
	return terminal.NewWatch(c.stderr, total, noun)
}
