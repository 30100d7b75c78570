package processes

import "syscall"

// attributes make a program end when this one does, and keep the terminal's
// Ctrl-C from it: it is stopped in order.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
