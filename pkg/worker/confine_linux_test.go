package worker_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"boardorder/pkg/worker"

	"github.com/elastic/go-seccomp-bpf"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
	"golang.org/x/sys/unix"
)

var platformTasks = worker.Tasks{"attempt": attempt}

// descriptors are those that are open, but for what the runtime polls with.
func descriptors() []int {
	var open []int
	for fd := range 1024 {
		var s unix.Stat_t
		if unix.Fstat(fd, &s) != nil {
			continue
		}
		if kind := s.Mode & unix.S_IFMT; kind != 0 { // polling has no kind
			open = append(open, fd)
		}
	}
	return open
}

// inheritable opens a descriptor that programs inherit unless they are kept from it.
func inheritable(t *testing.T) int {
	t.Helper()
	fd, err := unix.Open(os.DevNull, unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}

// attempt tries what a worker may not, and names what it could.
func attempt(_ context.Context, j *worker.Job) (any, error) {
	var address text
	if err := j.Ask(&address); err != nil {
		return nil, err
	}
	var could []string
	try := func(name string, do func() error) {
		if do() == nil {
			could = append(could, name)
		}
	}
	try("connect", func() error { _, err := net.Dial("tcp", address.Text); return err })
	try("listen", func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err })
	try("read a file", func() error { _, err := os.ReadFile("/etc/passwd"); return err })
	try("make a file", func() error { _, err := os.CreateTemp("", "worker"); return err })
	try("start a program", func() error { return exec.Command("/bin/true").Run() })
	try("signal its parent", func() error { return syscall.Kill(os.Getppid(), 0) })
	try("signal a thread of its parent", func() error { return unix.Tgkill(os.Getppid(), os.Getppid(), 0) })
	try("trace its parent", func() error { return syscall.PtraceAttach(os.Getppid()) })
	try("raise a limit", func() error {
		return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20})
	})
	return could, nil
}

func TestWorkerCanOnlyCompute(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // only a listener
	p := open(t, worker.Config{})
	if why := worker.ReasonUnfiltered(p); why != "" {
		t.Skip("system calls are not filtered here:", why)
	}
	var could []string
	if err := p.Run(t.Context(), worker.Order{Task: "attempt", Ask: text{l.Addr().String()}, Timeout: 60e9, Result: &could}); err != nil {
		t.Fatal(err)
	}
	if len(could) > 0 {
		t.Errorf("a worker can %q, want nothing", could)
	}
}

// A worker ends with the program that has started it, also when that is killed.
func TestWorkersEndWithTheirParent(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(program, "-test.run", "^TestParent$")
	parent.Env = append(os.Environ(), "WORKER_TEST_PARENT=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 4)
	if _, err := out.Read(line); err != nil {
		t.Fatal(err)
	}
	child := 0
	for _, b := range line {
		child = child<<8 | int(b)
	}
	fd, err := unix.PidfdOpen(child, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd) //nolint:errcheck // only waited for
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 30_000)
		if err == unix.EINTR {
			continue
		}
		if n != 1 {
			t.Errorf("worker %d outlives its parent", child)
		}
		return
	}
}

// TestParent is the program of the test above.
func TestParent(t *testing.T) {
	if os.Getenv("WORKER_TEST_PARENT") == "" {
		t.Skip("run by TestWorkersEndWithTheirParent")
	}
	p := open(t, worker.Config{})
	var n int
	if err := ask(t, p, "pid", &n); err != nil {
		t.Fatal(err)
	}
	_, _ = os.Stdout.Write([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	_ = ask(t, p, "sleep", nil)
}

// TestUnconfinedTakesNoWork: where a worker's system calls cannot be filtered a
// pool opens only for development, and says so.
func TestUnconfinedTakesNoWork(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), program, "-test.run", "^TestWithoutFilters$", "-test.v")
	child.Env = append(os.Environ(), "WORKER_TEST_WITHOUT_FILTERS=1")
	if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestWithoutFilters") {
		t.Errorf("%s without filters: %v, want a pass; it says\n%s", child, err, out)
	}
}

// TestWithoutFilters is the program of the test above: neither it nor its
// children can filter system calls.
func TestWithoutFilters(t *testing.T) {
	if os.Getenv("WORKER_TEST_WITHOUT_FILTERS") == "" {
		t.Skip("run by TestUnconfinedTakesNoWork")
	}
	err := seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionAllow,
		Syscalls:      []seccomp.SyscallGroup{{Action: seccomp.ActionErrno, Names: []string{"seccomp"}}},
	}})
	t.Log("kept from filtering:", err) // where it is, it cannot be forbidden again
	if p, err := worker.Open(worker.Config{}); !errors.Is(err, worker.ErrUnconfined) {
		if err == nil {
			p.Close()
		}
		t.Errorf("a pool opens without filters: %v", err)
	}
	core, logs := observer.New(zap.WarnLevel)
	p, err := worker.Open(worker.Config{Unconfined: true, Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var n int
	if err := ask(t, p, "pid", &n); err != nil || n == 0 {
		t.Errorf("in development: %d, %v", n, err)
	}
	if logs.FilterMessageSnippet("development only").Len() != 1 {
		t.Errorf("the log says %v, want \"development only\" once", logs.All())
	}
}
