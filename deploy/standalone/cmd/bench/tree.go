package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// treeTime is the processor time that a process and those that it started have taken.
func treeTime(pid int) (time.Duration, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	children, times := map[int][]int{}, map[int]time.Duration{}
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// The second field is the program's name, which may hold anything.
		var numbers [15]int // of the fields after the name; from the second on
		for i, f := range bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])[1:] {
			if i < len(numbers) {
				numbers[i], _ = strconv.Atoi(string(f))
			}
		}
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parent := numbers[0]
		children[parent] = append(children[parent], id)
		times[id] = time.Duration(numbers[10]+numbers[11]+numbers[12]+numbers[13]) * tick // its own and that of children that have ended
	}
	if _, ok := times[pid]; !ok {
		return 0, fmt.Errorf("processor time: there is no process %d", pid)
	}
	var sum time.Duration
	for all := []int{pid}; len(all) > 0; all = all[1:] {
		sum += times[all[0]]
		all = append(all, children[all[0]]...)
	}
	return sum, nil
}

// quiet waits until the program and its workers do nothing, and gives the processor
// time that they have taken by then.
func (s *system) quiet(ctx context.Context) (time.Duration, error) {
	const look, still = 60 * time.Millisecond, 4
	last, unchanged := time.Duration(-1), 0
	for {
		now, err := treeTime(s.PID)
		if err != nil {
			return 0, err
		}
		if now > last+tick {
			last, unchanged = now, 0
		} else if unchanged++; unchanged >= still {
			return now, nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(look):
		}
	}
}
