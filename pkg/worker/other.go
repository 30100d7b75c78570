//go:build !linux

package worker

import (
	"os"
	"os/exec"
	"runtime"
	"time"
)

// confine sets the limits that there are on every system: those of the runtime.
func confine(s settings) (confinement, error) {
	limitRuntime(s)
	return confinement{Without: "not available on " + runtime.GOOS}, nil
}

// processorTime is not known here: the limit of time holds.
func processorTime(int) (time.Duration, error) { return 0, nil }

func executable() (string, error) { return os.Executable() }

// attach does nothing here: a worker ends when its pipe is closed.
func attach(*exec.Cmd) {}
