//go:build !linux

// Package child starts processes that do not outlive this one.
package child

import (
	"os"
	"os/exec"
)

// Detach keeps a Ctrl-C at the terminal from reaching a process that is going to
// be started, and has it killed should this process die (on Linux).
func Detach(*exec.Cmd) {}

// Kill kills a process.
func Kill(p *os.Process) { _ = p.Kill() } // fails only if it has ended
