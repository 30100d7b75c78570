package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// A Source is a file for a job. Open is called once, when its turn comes.
type Source struct {
	Name string
	Size int64 // in bytes, as far as known: more or less is sent as it comes
	Open func(context.Context) (io.ReadCloser, error)
}

// An Order is a job for a worker.
type Order struct {
	Task    string
	Ask     any           // what the task is asked, sent as JSON
	Files   []Source      // in the order in which the task gets them
	Timeout time.Duration // processor time after which the task should end by itself
	// Put is called with each file that the task makes, one after another.
	Put func(name, mediaType string, r io.Reader) error
	// Step is called with what the task reports on the way, as JSON.
	Step func(json.RawMessage)
	// Result is decoded into; nil if it is of no interest.
	Result any
}

// Patience is how many times its timeout a job may take by the clock. Processor
// time decides; a machine that is busy with other things is not the job's fault.
const Patience = 3

// Overrun is how many times its timeout a job may take in processor time before its
// worker is ended, unless the pool allows less.
const Overrun = 2

// graceTime is how long after that a job is given to answer.
const graceTime = 10 * time.Second

// conversation is the pool's side of one job.
type conversation struct {
	*process
	order Order
	log   *zap.Logger
	lines int // logged so far
	steps int // reported so far

	outcome *outcome // once the worker has sent it
}

// run does one job. Unless it returns nil, or what the task itself came to, the
// process has ended.
func (p *process) run(ctx context.Context, o Order, cpu time.Duration, log *zap.Logger) error {
	hard, cancel := context.WithTimeoutCause(ctx, Patience*o.Timeout+graceTime, ErrTime)
	defer cancel()
	defer context.AfterFunc(hard, func() { p.kill(context.Cause(hard)) })()
	defer watch(hard, p.cmd.Process.Pid, cpu, func() { p.kill(fmt.Errorf("%w: %v of processor time", ErrTime, cpu)) })()
	c := &conversation{process: p, order: o, log: log}
	p.jobs++
	if err := c.talk(hard); err != nil {
		err = p.failure(err)
		if ctx.Err() != nil {
			return context.Cause(ctx) // ended for the caller's reason, whatever was noticed first
		}
		return err
	}
	p.mapped = c.outcome.Mapped
	if c.outcome.Late {
		return fmt.Errorf("%w: task %s: %s", ErrTime, o.Task, c.outcome.Error)
	}
	if c.outcome.Error != "" {
		return fmt.Errorf("task %s: %s", o.Task, c.outcome.Error)
	}
	if o.Result == nil {
		return nil
	}
	if err := json.Unmarshal(c.outcome.Result, o.Result); err != nil {
		return p.failure(fmt.Errorf("result: %w", err))
	}
	return nil
}

// watchEvery is how often the processor time of a job is looked at.
const watchEvery = 100 * time.Millisecond

// watch calls over once a process has used so much more processor time than it has by
// now. stop waits until nothing is watched any more.
func watch(ctx context.Context, pid int, most time.Duration, over func()) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	before, _ := processorTime(pid) // without it the limit of time holds
	go func() {
		defer close(ended)
		t := time.NewTicker(watchEvery)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			if now, err := processorTime(pid); err == nil && now-before > most {
				over()
				return
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// talk sends the job and its files, and takes what comes back.
func (c *conversation) talk(ctx context.Context) error {
	requested, err := json.Marshal(c.order.Ask)
	if err != nil {
		c.kill(fmt.Errorf("encode job: %w", err))
		return err
	}
	r := request{Task: c.order.Task, Ask: requested, Millis: c.order.Timeout.Milliseconds()}
	if err := writeJSON(c.in, ask, r); err != nil {
		return err
	}
	ctx, enough := context.WithCancel(ctx)
	sent := make(chan error, 1)
	go func() { sent <- c.sendFiles(ctx) }()
	err = c.receive()
	enough() // what the task did not wait for is not sent
	if err != nil {
		c.kill(ErrDied) // ends a sender that waits for it
		<-sent
		return err
	}
	return <-sent
}

// sendFiles sends the files, until ctx ends.
func (c *conversation) sendFiles(ctx context.Context) error {
	for _, f := range c.order.Files {
		if err := c.sendFile(ctx, f); err != nil {
			if ctx.Err() == nil {
				return err
			}
			break
		}
	}
	return writeFrame(c.in, endFiles, nil)
}

// sendFile sends one file. That it cannot be read is the error of the job.
func (c *conversation) sendFile(ctx context.Context, f Source) error {
	r, err := f.Open(ctx)
	if err != nil {
		return c.abort(ctx, fmt.Errorf("fetch %s: %w", f.Name, err))
	}
	defer r.Close() //nolint:errcheck // read only
	if err := writeJSON(c.in, file, fileHeader{Name: f.Name, Size: f.Size}); err != nil {
		return err
	}
	buffer := make([]byte, chunk)
	for {
		n, err := io.ReadFull(r, buffer)
		if n > 0 && ctx.Err() == nil {
			if err := writeFrame(c.in, data, buffer[:n]); err != nil {
				return err
			}
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return writeFrame(c.in, endFile, nil)
		case err != nil:
			return c.abort(ctx, fmt.Errorf("fetch %s: %w", f.Name, err))
		}
	}
}

// abort ends the job for a reason of ours, unless it has ended.
func (c *conversation) abort(ctx context.Context, why error) error {
	if ctx.Err() == nil {
		c.kill(why)
	}
	return why
}

// receive takes what the worker sends until the job is done.
func (c *conversation) receive() error {
	for {
		k, content, err := c.receiveFrame()
		switch {
		case err != nil:
			return err
		case k == done:
			return nil
		case k != file:
			return fmt.Errorf("frame of kind %d where a file begins", k)
		}
		var h fileHeader
		if err := json.Unmarshal(content, &h); err != nil {
			return fmt.Errorf("file: %w", err)
		}
		if err := c.put(h); err != nil {
			return err
		}
		if c.outcome != nil {
			return nil
		}
	}
}

// put passes a file on and reads what is left of it.
func (c *conversation) put(h fileHeader) error {
	if c.order.Put == nil {
		return errors.New("a file that nobody asked for")
	}
	r := &content{from: c}
	err := c.order.Put(h.Name, h.Kind, r)
	if r.err == nil && err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	switch {
	case errors.Is(r.err, errUnfinished):
		return nil // the outcome says why
	case r.err != nil && !errors.Is(r.err, io.EOF):
		return r.err
	}
	if err != nil {
		c.kill(err)
	}
	return err
}

// receiveFrame is the next frame that is part of a file or of the outcome.
func (c *conversation) receiveFrame() (kind, []byte, error) {
	for {
		k, content, err := readFrame(c.out, &c.buffer)
		if err != nil {
			return 0, nil, err
		}
		switch k {
		case step:
			if c.steps++; c.steps > maxSteps {
				return 0, nil, errors.New("more steps than any job reports")
			}
			if c.order.Step != nil {
				c.order.Step(json.RawMessage(content))
			}
		case entry:
			c.logLine(content)
		case done:
			c.outcome = &outcome{}
			return k, nil, json.Unmarshal(content, c.outcome)
		default:
			return k, content, nil
		}
	}
}

// maxSteps bounds what one job reports on the way.
const maxSteps = 10_000

// maxLines and maxLine bound what one job adds to the log.
const maxLines, maxLine = 64, 4 << 10

func (c *conversation) logLine(line []byte) {
	if c.lines++; c.lines > maxLines || len(line) > maxLine {
		return
	}
	var fields map[string]any
	if json.Unmarshal(line, &fields) != nil {
		return
	}
	level, message := zapcore.InfoLevel, ""
	if s, ok := fields["level"].(string); ok {
		_ = level.Set(s) // another stays info
	}
	if s, ok := fields["message"].(string); ok {
		message = s
	}
	delete(fields, "level")
	delete(fields, "message")
	if entry := c.log.Check(min(level, zapcore.ErrorLevel), message); entry != nil {
		entry.Write(zap.Any("worker", fields))
	}
}

// content reads a file that the worker sends.
type content struct {
	from *conversation
	rest []byte
	err  error
}

func (r *content) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		k, content, err := r.from.receiveFrame()
		switch {
		case err != nil:
			r.err = err
		case k == endFile:
			r.err = io.EOF
		case k == data:
			r.rest = content
		case k == done:
			r.err = errUnfinished
		default:
			r.err = fmt.Errorf("frame of kind %d in a file", k)
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

var errUnfinished = errors.New("the task ended while it made a file")
