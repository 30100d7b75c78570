package worker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// A process is one worker, as the pool sees it.
type process struct {
	cmd    *exec.Cmd
	in     *os.File // what it reads
	out    *bufio.Reader
	pipe   *os.File // what out reads
	errors tail
	exited chan struct{}
	exit   error // valid once exited is closed

	confined confinement
	buffer   []byte
	jobs     int
	mapped   int64 // bytes of memory it held after its last job

	mu  sync.Mutex
	why error // why the pool killed it
}

// startTime is how long a worker may take until it is ready.
const startTime = time.Minute

// start starts a worker and waits until it is ready.
func start(s settings) (*process, error) {
	p := &process{exited: make(chan struct{})}
	if err := p.launch(); err != nil {
		return nil, fmt.Errorf("start a worker: %w", err)
	}
	late := time.AfterFunc(startTime, func() { p.kill(ErrTime) })
	defer late.Stop()
	if err := p.greet(s); err != nil {
		// No job is to blame, so this is no failure that Failed reports.
		return nil, fmt.Errorf("start a worker: %v", p.failure(err)) //nolint:errorlint // as said
	}
	return p, nil
}

func (p *process) launch() error {
	program, err := executable()
	if err != nil {
		return err
	}
	theirIn, ours, err := os.Pipe()
	if err != nil {
		return err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirIn.Close(), ours.Close())
	}
	p.in, p.pipe, p.out = ours, out, bufio.NewReaderSize(out, chunk)
	p.cmd = &exec.Cmd{
		Path: program, Args: []string{programName}, Env: []string{}, Dir: string(os.PathSeparator),
		Stdin: theirIn, Stdout: theirOut, Stderr: &p.errors, WaitDelay: time.Second,
	}
	attach(p.cmd)
	started := make(chan error, 1)
	go p.live(started)
	err = <-started
	// The worker has its own ends: with these open its death would not end the pipes.
	closing := errors.Join(theirIn.Close(), theirOut.Close())
	if err != nil {
		return errors.Join(err, closing, ours.Close(), out.Close())
	}
	return closing
}

// live starts the process and waits for its end, in one thread: the kernel
// takes the end of that thread for the parent's.
func (p *process) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err == nil {
		p.exit = p.cmd.Wait()
		close(p.exited)
	}
}

func (p *process) greet(s settings) error {
	if err := writeJSON(p.in, hello, s); err != nil {
		return err
	}
	k, content, err := readFrame(p.out, &p.buffer)
	if err != nil {
		return err
	}
	if k != ready {
		return fmt.Errorf("frame of kind %d where a worker begins", k)
	}
	return json.Unmarshal(content, &p.confined)
}

// kill ends the process. The first reason stays.
func (p *process) kill(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why == nil {
		p.why = why
	}
	_ = p.cmd.Process.Kill() // it may have ended by itself
}

// stop ends a process and waits for its end.
func (p *process) stop() {
	_ = p.failure(errStopped) // nobody waits for it
}

var errStopped = errors.New("stopped")

// failure ends the process and reports why a conversation with it failed with err.
func (p *process) failure(err error) error {
	p.kill(ErrDied)
	<-p.exited
	_ = errors.Join(p.in.Close(), p.pipe.Close())
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.why != ErrDied: //nolint:errorlint // no reason of its own
		return p.why
	case p.errors.isOutOfMemory():
		return ErrMemory
	}
	return fmt.Errorf("%w: %v (%v)%s", ErrDied, p.exit, err, p.errors.trace())
}

// tail keeps the beginning of what a worker writes to its standard error: a
// runtime that gives up says there why.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const maxTail = 16 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, b[:min(len(b), maxTail-len(t.data))]...)
	return len(b), nil
}

// isOutOfMemory reports whether the runtime could not get memory, for the heap or
// for a thread.
func (t *tail) isOutOfMemory() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, words := range []string{
		"out of memory", "cannot allocate memory", "failed to allocate", "stack exceeds",
		"failed to create new OS thread", "pthread_create failed", // whose stack finds no place
	} {
		if bytes.Contains(t.data, []byte(words)) {
			return true
		}
	}
	return false
}

// trace is where the program was when it gave up: places in our source. What
// was said there may hold what the files hold.
func (t *tail) trace() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	const most = 10
	var out []byte
	n := 0
	for line := range bytes.Lines(t.data) {
		if place, ok := bytes.CutPrefix(line, []byte("\t")); ok && n < most {
			out = append(append(out, "; "...), bytes.TrimSpace(place)...)
			n++
		}
	}
	return string(out)
}

// isGone reports whether the process has ended or was killed.
func (p *process) isGone() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.exited:
		return true
	default:
		return p.why != nil
	}
}
