//go:build !linux

package smtlib

import "os/exec"

func detach(*exec.Cmd) {}
