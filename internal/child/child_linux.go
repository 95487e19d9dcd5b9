// Package child starts processes that do not outlive this one.
package child

import (
	"os"
	"os/exec"
	"syscall"
)

// Detach keeps a Ctrl-C at the terminal from reaching a process that is going to be started, which would die with half
// an answer, and has it killed should this process die (on Linux).
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// Kill kills a process that was detached, and those that it has started: a solver may be a script that starts it.
func Kill(p *os.Process) {
	if syscall.Kill(-p.Pid, syscall.SIGKILL) != nil {
		_ = p.Kill() // fails only if it has ended
	}
}
