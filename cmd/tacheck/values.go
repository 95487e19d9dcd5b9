package main

import (
	"fmt"

	"github.com/tacheck/tacheck/internal/record"
)

// notDrawn says why there is no picture. That changes no verdict.
func (c *command) notDrawn(flag, file, what string) {
	fmt.Fprintf(c.stderr, "tacheck: --%s: there is no %s to draw, and %s is not written\n", flag, what,
		record.Name(file))
}
