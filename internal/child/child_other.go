//go:build !linux

// Package child starts processes that do not outlive this one.
package child

import "os/exec"

// Detach keeps a Ctrl-C at the terminal from reaching a process that is going to
// be started, and has it killed should this process die (on Linux).
func Detach(*exec.Cmd) {}
