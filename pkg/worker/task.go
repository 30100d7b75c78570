package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// A Task is one kind of work, as it runs in a worker. Its result is encoded as
// JSON. It should end when ctx does; an error is one of ours, not of the files,
// unless ctx has ended, which makes it [ErrTime].
type Task func(ctx context.Context, j *Job) (result any, err error)

// Tasks are what a program's workers can do, by name.
type Tasks map[string]Task

// programName is the zeroth argument of a worker, by which it knows itself.
const programName = "boardorder-worker"

// taken reports whether the program has called Main. A program that has not
// would start itself as an ordinary program instead of a worker.
var taken atomic.Bool

// Main does the work of a worker, when a pool has started this process as one,
// and then ends the process. Otherwise it returns at once. It comes first in
// main, and in TestMain.
func Main(tasks ...Tasks) {
	taken.Store(true)
	if len(os.Args) != 1 || os.Args[0] != programName {
		return
	}
	all := Tasks{}
	for _, some := range tasks {
		for name, t := range some {
			all[name] = t
		}
	}
	if err := work(os.Stdin, os.Stdout, all); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// work does jobs until in ends.
func work(in io.Reader, out io.Writer, tasks Tasks) error {
	j := &Job{in: bufio.NewReaderSize(in, chunk), out: out}
	content, err := j.expect(hello)
	if err != nil {
		return ignoreEOF(err)
	}
	var s settings
	if err := json.Unmarshal(content, &s); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	c, err := confine(s)
	if err != nil {
		return fmt.Errorf("confine: %w", err)
	}
	if err := j.send(ready, c); err != nil {
		return err
	}
	for {
		content, err := j.expect(ask)
		if err != nil {
			return ignoreEOF(err)
		}
		var r request
		if err := json.Unmarshal(content, &r); err != nil {
			return fmt.Errorf("request: %w", err)
		}
		if err := j.do(tasks[r.Task], r); err != nil {
			return err
		}
	}
}

// ignoreEOF is no error where the pool has closed the pipe.
func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// A Job is one piece of work, as a worker sees it.
type Job struct {
	in     *bufio.Reader
	buffer []byte
	ask    json.RawMessage
	last   bool // no more files come

	mu  sync.Mutex // of out
	out io.Writer
}

func (j *Job) do(t Task, r request) error {
	timeout := time.Duration(r.Millis) * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), Patience*timeout)
	defer cancel()
	defer watch(ctx, os.Getpid(), timeout, cancel)()
	j.ask, j.last = r.Ask, false
	if err := j.send(done, j.outcome(ctx, t, r)); err != nil {
		return err
	}
	for !j.last { // what the task did not want to see
		if _, err := j.readFile(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}

func (j *Job) outcome(ctx context.Context, t Task, r request) outcome {
	if t == nil {
		return outcome{Error: "this program has no task " + r.Task, Mapped: runtimeMemory()}
	}
	result, err := t(ctx, j)
	if err != nil {
		return outcome{Error: err.Error(), Late: ctx.Err() != nil, Mapped: runtimeMemory()}
	}
	encoded, err := json.Marshal(result)
	if err != nil {
		return outcome{Error: err.Error(), Mapped: runtimeMemory()}
	}
	return outcome{Result: encoded, Mapped: runtimeMemory()}
}

// Ask decodes what the job was asked.
func (j *Job) Ask(v any) error { return json.Unmarshal(j.ask, v) }

// A File is sent to a task. Data is the whole of it.
type File struct {
	Name string
	Data []byte
}

// Next returns the next file that was sent, waiting until it is complete, or
// io.EOF.
func (j *Job) Next() (File, error) {
	if j.last {
		return File{}, io.EOF
	}
	return j.readFile()
}

func (j *Job) readFile() (File, error) {
	k, content, err := readFrame(j.in, &j.buffer)
	switch {
	case err != nil:
		return File{}, err
	case k == endFiles:
		j.last = true
		return File{}, io.EOF
	case k != file:
		return File{}, fmt.Errorf("frame of kind %d where a file begins", k)
	}
	var h fileHeader
	if err := json.Unmarshal(content, &h); err != nil {
		return File{}, fmt.Errorf("file: %w", err)
	}
	f := File{Name: h.Name, Data: make([]byte, 0, max(h.Size, 0))}
	for {
		k, content, err := readFrame(j.in, &j.buffer)
		switch {
		case err != nil:
			return File{}, err
		case k == data:
			f.Data = append(f.Data, content...)
		case k == endFile:
			return f, nil
		case k == endFiles: // the pool has given up
			j.last = true
			return File{}, io.EOF
		default:
			return File{}, fmt.Errorf("frame of kind %d in a file", k)
		}
	}
}

// Put sends a file that the task has made: what write writes.
func (j *Job) Put(name, mediaType string, write func(io.Writer) error) error {
	if err := j.send(file, fileHeader{Name: name, Kind: mediaType}); err != nil {
		return err
	}
	w := bufio.NewWriterSize(&parts{j}, chunk)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return j.frame(endFile, nil)
}

// parts writes a file in frames.
type parts struct{ job *Job }

func (p *parts) Write(b []byte) (int, error) {
	for done := 0; done < len(b); {
		part := b[done:min(done+chunk, len(b))]
		if err := p.job.frame(data, part); err != nil {
			return done, err
		}
		done += len(part)
	}
	return len(b), nil
}

// Step reports how far the job is. It may be called by another goroutine than
// the task's.
func (j *Job) Step(v any) error { return j.send(step, v) }

func (j *Job) send(k kind, v any) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return writeJSON(j.out, k, v)
}

func (j *Job) frame(k kind, content []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return writeFrame(j.out, k, content)
}

func (j *Job) expect(want kind) ([]byte, error) {
	k, content, err := readFrame(j.in, &j.buffer)
	if err == nil && k != want {
		err = fmt.Errorf("frame of kind %d, want %d", k, want)
	}
	return content, err
}

// Log returns a logger whose entries appear in the log of whoever asked.
func (j *Job) Log() *zap.Logger {
	encoder := zapcore.NewJSONEncoder(zapcore.EncoderConfig{
		LevelKey: "level", MessageKey: "message",
		EncodeLevel: zapcore.LowercaseLevelEncoder, EncodeDuration: zapcore.StringDurationEncoder,
	})
	return zap.New(zapcore.NewCore(encoder, zapcore.AddSync(entries{j}), zap.InfoLevel))
}

type entries struct{ job *Job }

func (e entries) Write(line []byte) (int, error) {
	return len(line), e.job.frame(entry, line)
}
