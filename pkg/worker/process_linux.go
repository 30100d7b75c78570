package worker

import (
	"fmt"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// executable is this program, also when its file has been replaced.
func executable() (string, error) { return "/proc/self/exe", nil }

// processorTime is what a process has used so far. Its clock's number is made
// of its id, as clock_getcpuclockid makes it.
func processorTime(pid int) (time.Duration, error) {
	const schedulerClock = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedulerClock), &t); err != nil {
		return 0, fmt.Errorf("processor time of %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// attach has the kernel kill the worker when the thread that starts it ends, and
// keeps a terminal's signals from it.
func attach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
