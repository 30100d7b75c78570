package worker

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// maxDescriptors is enough for the pipes and for what the runtime polls with.
const maxDescriptors = 16

// confine drops what this process could do beyond computing. An error
// says that a limit could not be set.
func confine(s settings) (confinement, error) {
	if err := closeInherited(); err != nil {
		return confinement{}, err
	}
	limitRuntime(s)
	inUse, err := writable()
	if err != nil {
		return confinement{}, err
	}
	for resource, most := range map[int]uint64{
		unix.RLIMIT_CORE:   0,
		unix.RLIMIT_FSIZE:  0,
		unix.RLIMIT_NOFILE: maxDescriptors,
		unix.RLIMIT_CPU:    uint64(s.CPUSeconds),
		unix.RLIMIT_DATA:   inUse + uint64(s.Memory),
	} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return confinement{}, fmt.Errorf("limit %d of resource %d: %w", most, resource, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return confinement{}, fmt.Errorf("forbid dumps: %w", err)
	}
	if err := filterCalls(); err != nil {
		return confinement{Without: err.Error()}, nil
	}
	return confinement{}, nil
}

// closeInherited closes the descriptors that the parent left open, but those
// that the runtime polls with.
func closeInherited() error {
	const dir = "/proc/self/fd/"
	open, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("list descriptors: %w", err)
	}
	for _, e := range open {
		n, err := strconv.Atoi(e.Name())
		if err != nil || n <= 2 {
			continue
		}
		if target, err := os.Readlink(dir + e.Name()); err != nil || strings.HasPrefix(target, "anon_inode:") {
			continue // the folder itself is closed by now
		}
		if err := unix.Close(n); err != nil && !errors.Is(err, unix.EBADF) {
			return fmt.Errorf("close descriptor %d: %w", n, err)
		}
	}
	return nil
}

// writable is how much private writable memory this process has mapped, in
// bytes: what RLIMIT_DATA counts. A race detector maps much of it at start.
func writable() (uint64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("memory in use: %w", err)
	}
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmData:")); ok {
			kilobytes, err := strconv.ParseUint(string(bytes.Fields(rest)[0]), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, errors.New("memory in use: not stated")
}

// calls are the system calls that a Go program computes with, on any
// architecture. No file, socket or program can be opened with them.
var calls = []string{
	"read", "write", "readv", "writev", "pread64", "close", "fcntl", "fstat",
	"mmap", "munmap", "mremap", "mprotect", "madvise", "mincore", "brk",
	"futex", "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "restart_syscall",
	"sched_yield", "sched_getaffinity", "getpid", "gettid", "getrandom",
	"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "set_robust_list", "rseq", "arch_prctl",
	"epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_wait", "eventfd2",
	"exit", "exit_group",
}

// filterCalls refuses all other system calls from now on, in every thread.
// Threads may be started, processes not; signals go to this process only.
func filterCalls() error {
	info, err := arch.GetInfo("")
	if err != nil {
		return err
	}
	var known []string
	for _, name := range calls {
		if _, ok := info.SyscallNames[name]; ok {
			known = append(known, name)
		}
	}
	return seccomp.LoadFilter(seccomp.Filter{
		NoNewPrivs: true,
		Flag:       seccomp.FilterFlagTSync,
		Policy: seccomp.Policy{
			DefaultAction: seccomp.ActionErrno,
			Syscalls: []seccomp.SyscallGroup{
				{Action: seccomp.ActionAllow, Names: known, NamesWithCondtions: []seccomp.NameWithConditions{
					{Name: "clone", Conditions: seccomp.ArgumentConditions{
						{Argument: 0, Operation: seccomp.BitsSet, Value: unix.CLONE_THREAD},
					}},
					{Name: "tgkill", Conditions: seccomp.ArgumentConditions{
						{Argument: 0, Operation: seccomp.Equal, Value: uint64(unix.Getpid())},
					}},
				}},
				// The C library starts threads with clone where there is no clone3.
				{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: []string{"clone3"}},
			},
		},
	})
}
