// Package child starts processes that do not outlive this one.
package child

import (
	"os/exec"
	"syscall"
)

// Detach keeps a Ctrl-C at the terminal from reaching a process that is going to
// be started, which would die with half an answer, and has it killed should this
// process die (on Linux).
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
