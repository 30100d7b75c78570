// Package processes runs programs beside this one: it starts them, waits until
// they are ready, kills or stops them and starts them again. It ends only what
// it started, and on Linux what it started ends with it, whatever happens.
package processes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"
)

// A Program says what to run.
type Program struct {
	Name  string // in reports, and of its log
	Path  string
	Args  []string
	Env   []string // NAME=value, over this process's own
	Log   string   // file that standard output and error are added to
	Probe string   // address that answers 200 once it is ready
}

// A Process is a program that is started, perhaps again and again.
type Process struct {
	Program
	mu     sync.Mutex
	cmd    *exec.Cmd
	ended  chan struct{} // closed when the running one has ended
	err    error         // how the last one ended
	meant  bool          // it ended because it was asked to
	starts int
}

// New makes a process that is not started yet.
func New(p Program) *Process { return &Process{Program: p} }

// ErrRunning says that a process was started twice.
var ErrRunning = errors.New("already running")

// Start starts the program and returns at once; see Ready.
func (p *Process) Start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running() {
		return fmt.Errorf("start %s: %w", p.Name, ErrRunning)
	}
	if err := os.MkdirAll(filepath.Dir(p.Log), 0o755); err != nil {
		return fmt.Errorf("log of %s: %w", p.Name, err)
	}
	log, err := os.OpenFile(p.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("log of %s: %w", p.Name, err)
	}
	defer log.Close()
	cmd := exec.Command(p.Path, p.Args...)
	cmd.Env = append(os.Environ(), p.Env...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = attributes()
	started, ended := make(chan error), make(chan struct{})
	go p.run(cmd, started, ended)
	if err := <-started; err != nil {
		return fmt.Errorf("start %s: %w", p.Name, err)
	}
	p.cmd, p.ended, p.meant = cmd, ended, false
	p.starts++
	return nil
}

// run keeps its thread to itself until the program ends: the kernel takes the
// end of the thread that started a program for the end of its parent.
func (p *Process) run(cmd *exec.Cmd, started chan<- error, ended chan<- struct{}) {
	runtime.LockOSThread()
	err := cmd.Start()
	started <- err
	if err != nil {
		return
	}
	err = cmd.Wait()
	p.mu.Lock()
	p.err = err
	p.mu.Unlock()
	close(ended)
}

func (p *Process) running() bool {
	if p.ended == nil {
		return false
	}
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// EndChannel is closed when the program that was started last has ended.
func (p *Process) EndChannel() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

// Failure is how the program ended if nobody asked it to, or nil.
func (p *Process) Failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.running() || p.meant || p.starts == 0:
		return nil
	case p.err != nil:
		return fmt.Errorf("%s: %w (log %s): %s", p.Name, p.err, p.Log, p.finalLine())
	}
	return fmt.Errorf("%s ended by itself (log %s): %s", p.Name, p.Log, p.finalLine())
}

// finalLine is the last line of the log, which may be gone when it is looked for.
func (p *Process) finalLine() string {
	const most = 4096 // bytes
	f, err := os.Open(p.Log)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if _, err := f.Seek(-most, io.SeekEnd); err != nil {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err.Error()
		}
	}
	end, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return err.Error()
	}
	end = bytes.TrimSpace(end)
	return string(end[bytes.LastIndexByte(end, '\n')+1:])
}

// Starts counts how often the program was started.
func (p *Process) Starts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.starts
}

// Kill ends the program as a power cut would, and waits until it is gone.
func (p *Process) Kill() { p.signal(syscall.SIGKILL, -1) }

// Stop asks the program to end, and reports whether it did so within grace.
// Otherwise it is made to write its goroutines to its log, and killed.
func (p *Process) Stop(grace time.Duration) (inTime bool) {
	if p.signal(syscall.SIGTERM, grace) {
		return true
	}
	if !p.signal(syscall.SIGQUIT, dumpTimeout) {
		p.Kill()
	}
	return false
}

// Retire asks a program to end once those whom it serves have left it, as brokers do
// by SIGUSR2, and reports whether it did so within grace.
func (p *Process) Retire(grace time.Duration) (inTime bool) {
	return p.signal(syscall.SIGUSR2, grace)
}

// dumpTimeout is how long a program may take to write its goroutines down.
const dumpTimeout = 2 * time.Second

// Freeze makes the program stand still, as a machine that is out of breath
// does, until Thaw, and returns when it stands. Kill ends it all the same.
func (p *Process) Freeze() {
	if pid, sent := p.send(syscall.SIGSTOP); sent {
		awaitStop(pid)
	}
}

// Thaw lets a frozen program go on.
func (p *Process) Thaw() { _, _ = p.send(syscall.SIGCONT) }

// send sends a signal to the program, if it still runs.
func (p *Process) send(s syscall.Signal) (pid int, sent bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running() {
		return 0, false
	}
	return p.cmd.Process.Pid, p.cmd.Process.Signal(s) == nil
}

// signal waits for the end, for ever if timeout is below zero.
func (p *Process) signal(s syscall.Signal, timeout time.Duration) (ended bool) {
	p.mu.Lock()
	if !p.running() {
		p.mu.Unlock()
		return true
	}
	p.meant = true
	_ = p.cmd.Process.Signal(s) // one that ended meanwhile needs none
	done := p.ended
	p.mu.Unlock()
	var late <-chan time.Time
	if timeout >= 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		late = t.C
	}
	select {
	case <-done:
		return true
	case <-late:
		return false
	}
}

// probes is for looking whether programs are ready: no kept connection stands
// for one that was killed since.
var probes = &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

// Ready waits until the program is ready, or says that it ended.
func (p *Process) Ready(ctx context.Context) error {
	ended := p.EndChannel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		why := Probe(ctx, p.Program.Probe)
		if why == nil {
			return nil
		}
		select {
		case <-ended:
			if err := p.Failure(); err != nil {
				return err
			}
			return fmt.Errorf("%s was ended before it was ready", p.Name)
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready (log %s): %w: %w", p.Name, p.Log, ctx.Err(), why)
		case <-tick.C:
		}
	}
}

// Probe asks an address once whether what serves it is ready.
func Probe(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := probes.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return fmt.Errorf("%s: %s", resp.Status, bytes.TrimSpace(why))
	}
	return nil
}

// StopAll stops processes side by side, and waits for them.
func StopAll(grace time.Duration, all ...*Process) {
	var wg sync.WaitGroup
	for _, p := range slices.Backward(all) {
		wg.Go(func() { p.Stop(grace) })
	}
	wg.Wait()
}
