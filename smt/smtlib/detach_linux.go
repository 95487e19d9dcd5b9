package smtlib

import (
	"os/exec"
	"syscall"
)

// detach keeps a Ctrl-C at the terminal from reaching the solver, which would
// die with half an answer, and has the solver killed should this process die.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
