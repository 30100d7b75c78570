package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// own is the processor time that this process has taken.
func own() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

// tick is the unit of times in /proc/<pid>/stat, the same on every Linux.
const tick = 10 * time.Millisecond

// with adds the processor time of another process to our own.
func with(pid int) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		mine, err := own()
		if err != nil {
			return 0, err
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return 0, fmt.Errorf("processor time: %w", err)
		}
		// The second field is the program's name, which may hold anything.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 13 {
			return 0, fmt.Errorf("processor time: process %d reports %q", pid, stat)
		}
		user, err := strconv.ParseInt(string(fields[11]), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("processor time: %w", err)
		}
		system, err := strconv.ParseInt(string(fields[12]), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("processor time: %w", err)
		}
		return mine + time.Duration(user+system)*tick, nil
	}
}
