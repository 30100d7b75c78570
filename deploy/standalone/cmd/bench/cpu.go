package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"boardorder/pkg/board/testkit/processor"
)

// cpuTime is the processor time that this process has taken.
func cpuTime() (time.Duration, error) { return processor.Time(), nil }

// tick is the unit of times in /proc/<pid>/stat, the same on every Linux.
const tick = 10 * time.Millisecond

// timeOf is the processor time that another process has taken.
func timeOf(pid int) func() (time.Duration, error) {
	return func() (time.Duration, error) {
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
		return time.Duration(user+system) * tick, nil
	}
}
