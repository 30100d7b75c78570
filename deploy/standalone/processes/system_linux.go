package processes

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes make a program end when this one does, and keep the terminal's
// Ctrl-C from it: it is stopped in order.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitStop returns when every thread of a program that was asked to stand still
// does so, or when it has ended: the signal alone only asks.
func awaitStop(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
