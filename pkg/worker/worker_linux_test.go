package worker_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardorder/pkg/worker"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

func TestMain(m *testing.M) {
	worker.Main(worker.Tasks{
		"echo": echo, "crash": crash, "hoard": hoard, "spin": spin, "sleep": sleep, "nap": nap, "burn": burn, "garbage": garbage, "fail": fail,
		"report": report, "half": half, "recurse": recurse, "surroundings": surroundings, "pid": pid,
		"first": readFirstFile, "chatter": chatter,
	}, platformTasks)
	os.Exit(m.Run())
}

type text struct{ Text string }

// echo sends back what it was sent.
func echo(_ context.Context, j *worker.Job) (any, error) {
	var requested text
	if err := j.Ask(&requested); err != nil {
		return nil, err
	}
	for {
		f, err := j.Next()
		if errors.Is(err, io.EOF) {
			return requested, nil
		}
		if err != nil {
			return nil, err
		}
		if err := j.Put(f.Name, "text/plain", func(w io.Writer) error { _, err := w.Write(f.Data); return err }); err != nil {
			return nil, err
		}
	}
}

func crash(context.Context, *worker.Job) (any, error) {
	var m map[string]int
	//lint:ignore SA5000 it shall crash
	m["x"] = 1
	return nil, nil
}

func hoard(context.Context, *worker.Job) (any, error) {
	var all [][]byte
	for {
		all = append(all, bytes.Repeat([]byte{1}, 16<<20))
		if len(all) == cap(all)+1 { // never
			return all, nil
		}
	}
}

func spin(ctx context.Context, _ *worker.Job) (any, error) {
	n := 0
	for { // whatever ctx says
		n++
	}
}

func sleep(context.Context, *worker.Job) (any, error) {
	select {}
}

// nap takes its time, and nothing of the processor's.
func nap(context.Context, *worker.Job) (any, error) {
	<-time.After(200 * time.Millisecond)
	return os.Getpid(), nil
}

// burn computes until its time is over.
func burn(ctx context.Context, _ *worker.Job) (any, error) {
	for ctx.Err() == nil {
	}
	return nil, ctx.Err()
}

func fail(context.Context, *worker.Job) (any, error) { return nil, errors.New("not today") }

// garbage writes past the package, as a worker does that foreign bytes have taken over.
func garbage(context.Context, *worker.Job) (any, error) {
	_, _ = os.Stdout.Write(bytes.Repeat([]byte("garbage "), 1000))
	select {}
}

func report(_ context.Context, j *worker.Job) (any, error) {
	j.Log().Warn("a rule broke down", zap.String("board", "b"))
	return nil, j.Step(text{"half way"})
}

// half fails in the middle of a file.
func half(_ context.Context, j *worker.Job) (any, error) {
	return nil, j.Put("a", "", func(w io.Writer) error {
		_, _ = w.Write(make([]byte, 1<<20))
		return errors.New("not the rest")
	})
}

func recurse(context.Context, *worker.Job) (any, error) { return deeper(0), nil }

func deeper(n int) int {
	var stack [1000]byte
	//lint:ignore SA5007 it shall take all of the stack
	return deeper(n+1) + int(stack[n%1000])
}

type found struct {
	Environment []string
	Arguments   []string
	Descriptors []int
}

func surroundings(context.Context, *worker.Job) (any, error) {
	return found{os.Environ(), os.Args, descriptors()}, nil
}

func pid(context.Context, *worker.Job) (any, error) { return os.Getpid(), nil }

// readFirstFile looks at the first file only.
func readFirstFile(_ context.Context, j *worker.Job) (any, error) {
	f, err := j.Next()
	return len(f.Data), err
}

func chatter(_ context.Context, j *worker.Job) (any, error) {
	for {
		if err := j.Step(text{"still here"}); err != nil {
			return nil, err
		}
	}
}

func open(t *testing.T, cfg worker.Config) *worker.Pool {
	t.Helper()
	cfg.Unconfined = true // some of the tests run where nothing can be filtered
	p, err := worker.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func content(name, data string) worker.Source {
	return worker.Source{Name: name, Size: int64(len(data)), Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(data)), nil
	}}
}

func ask(t *testing.T, p *worker.Pool, task string, result any) error {
	t.Helper()
	return p.Run(t.Context(), worker.Order{Task: task, Timeout: time.Minute, Result: result})
}

// TestProcessorTimeDecides: what waits is not late, what computes is, and leaves its
// worker fit for the next job.
func TestProcessorTimeDecides(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	var one, other int
	nap := worker.Order{Task: "nap", Timeout: 100 * time.Millisecond, Result: &one}
	if err := p.Run(t.Context(), nap); err != nil {
		t.Errorf("a task that waits for longer than its time: %v, want none", err)
	}
	if err := p.Run(t.Context(), worker.Order{Task: "burn", Timeout: 100 * time.Millisecond}); !errors.Is(err, worker.ErrTime) || !worker.IsFailure(err) {
		t.Errorf("a task that computes until its time is over: %v, want %v", err, worker.ErrTime)
	}
	if err := ask(t, p, "fail", nil); err == nil || worker.IsFailure(err) {
		t.Errorf("a task that fails: %v, want its own error", err)
	}
	nap.Result = &other
	if err := p.Run(t.Context(), nap); err != nil || one != other {
		t.Errorf("afterwards: %v, worker %d; want the same as before, %d", err, other, one)
	}
}

func TestFilesGoThereAndBack(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	want := map[string]string{"a": "", "b": "x", "c": strings.Repeat("0123456789abcdef", 100_000)}
	for range 3 { // by the same worker
		got := map[string]string{}
		var result text
		err := p.Run(t.Context(), worker.Order{
			Task: "echo", Ask: text{"hello"}, Timeout: time.Minute, Result: &result,
			Files: []worker.Source{content("a", want["a"]), content("b", want["b"]), content("c", want["c"])},
			Put: func(name, mediaType string, r io.Reader) error {
				data, err := io.ReadAll(r)
				got[name] = string(data)
				return err
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s comes back with %d bytes, want %d", name, len(got[name]), len(want[name]))
			}
		}
		if result.Text != "hello" {
			t.Errorf("result %+v, want hello", result)
		}
	}
}

// Whatever a worker does, its job fails, says why, and the next job is done.
func TestFailureIsOfOneJob(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]error{
		"crash": worker.ErrDied, "hoard": worker.ErrMemory, "recurse": worker.ErrMemory,
		"spin": worker.ErrTime, "garbage": worker.ErrDied,
	} {
		t.Run(task, func(t *testing.T) {
			t.Parallel()
			p := open(t, worker.Config{Memory: 256 << 20, CPU: time.Second})
			if err := ask(t, p, task, nil); !errors.Is(err, want) || !worker.IsFailure(err) {
				t.Errorf("%s: %v, want %v", task, err, want)
			}
			var n int
			if err := ask(t, p, "pid", &n); err != nil || n == os.Getpid() {
				t.Errorf("the next job: %v, in process %d; want no error, another than %d", err, n, os.Getpid())
			}
		})
	}
}

// A crash is explained by places in the source, not by what was being read.
func TestCrashNamesPlaces(t *testing.T) {
	t.Parallel()
	err := ask(t, open(t, worker.Config{}), "crash", nil)
	if err == nil || !strings.Contains(err.Error(), "worker_linux_test.go") || strings.Contains(err.Error(), "nil map") {
		t.Errorf("crash: %v", err)
	}
}

func TestKilledWorkerFailsItsJob(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	var n int
	if err := ask(t, p, "pid", &n); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.Run(t.Context(), worker.Order{Task: "sleep", Timeout: time.Minute}) }()
	worker.WaitBusy(p)
	if err := syscall.Kill(n, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, worker.ErrDied) {
		t.Errorf("killed: %v", err)
	}
}

// An idle worker that was killed costs no job.
func TestDeadIdleWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	var before, after int
	if err := ask(t, p, "pid", &before); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	worker.WaitGone(p)
	if err := ask(t, p, "pid", &after); err != nil || before == after {
		t.Errorf("process %d after %d: %v", after, before, err)
	}
}

func TestCancelledJobEnds(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("not wanted any more")
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx, worker.Order{Task: "sleep", Timeout: time.Minute}) }()
	worker.WaitBusy(p)
	cancel(why)
	if err := <-ended; !errors.Is(err, why) || worker.IsFailure(err) {
		t.Errorf("cancelled: %v, want %v", err, why)
	}
}

func TestErrorsOfOthersStay(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	gone, full := errors.New("gone"), errors.New("full")
	missing := worker.Source{Name: "a", Open: func(context.Context) (io.ReadCloser, error) { return nil, gone }}
	err := p.Run(t.Context(), worker.Order{Task: "echo", Ask: text{}, Timeout: time.Minute, Files: []worker.Source{missing}})
	if !errors.Is(err, gone) || worker.IsFailure(err) {
		t.Errorf("a file that is not there: %v", err)
	}
	err = p.Run(t.Context(), worker.Order{Task: "echo", Ask: text{}, Timeout: time.Minute, Files: []worker.Source{content("a", "x")},
		Put: func(string, string, io.Reader) error { return full }})
	if !errors.Is(err, full) || worker.IsFailure(err) {
		t.Errorf("a store that is full: %v", err)
	}
	if err := ask(t, p, "fail", nil); err == nil || worker.IsFailure(err) || !strings.Contains(err.Error(), "not today") {
		t.Errorf("an error of the task: %v", err)
	}
	if err := ask(t, p, "unknown", nil); err == nil || worker.IsFailure(err) {
		t.Errorf("an unknown task: %v", err)
	}
}

// A callback that panics takes nothing of the pool with it.
func TestPanicOfCallback(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is gone")
			}
		}()
		_ = p.Run(t.Context(), worker.Order{Task: "half", Timeout: time.Minute, Put: func(string, string, io.Reader) error { panic("no store") }})
	}()
	if err := ask(t, p, "pid", nil); err != nil {
		t.Errorf("the next job: %v", err)
	}
}

func TestUnfinishedFileIsNone(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	var stored error
	err := p.Run(t.Context(), worker.Order{Task: "half", Timeout: time.Minute, Put: func(_, _ string, r io.Reader) error {
		_, stored = io.Copy(io.Discard, r)
		return stored
	}})
	if err == nil || stored == nil || worker.IsFailure(err) {
		t.Errorf("job: %v, file: %v; want errors, of the task", err, stored)
	}
}

// A task that has seen enough does not wait for the rest.
func TestRestOfFilesIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	never := worker.Source{Name: "never", Open: func(ctx context.Context) (io.ReadCloser, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	for range 2 {
		var n int
		err := p.Run(t.Context(), worker.Order{Task: "first", Timeout: time.Minute, Result: &n,
			Files: []worker.Source{content("a", "abc"), content("b", strings.Repeat("x", 1<<20)), never}})
		if err != nil || n != 3 {
			t.Fatalf("%d bytes, %v", n, err)
		}
	}
}

func TestStepsAndLogArrive(t *testing.T) {
	t.Parallel()
	core, logged := observer.New(zapcore.InfoLevel)
	p := open(t, worker.Config{Log: zap.New(core)})
	var steps []string
	err := p.Run(t.Context(), worker.Order{Task: "report", Timeout: time.Minute, Step: func(v json.RawMessage) { steps = append(steps, string(v)) }})
	if err != nil || !slices.Equal(steps, []string{`{"Text":"half way"}`}) {
		t.Errorf("steps %v, %v", steps, err)
	}
	entries := logged.FilterMessage("a rule broke down").All()
	if len(entries) != 1 || entries[0].Level != zapcore.WarnLevel {
		t.Errorf("log: %+v, want one warning that a rule broke down", logged.All())
	}
}

// Jobs that end their worker leave no more workers than there shall be.
func TestPoolDoesNotGrow(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{Workers: 2})
	for range 20 {
		if err := ask(t, p, "crash", nil); !errors.Is(err, worker.ErrDied) {
			t.Fatal(err)
		}
	}
	if n := worker.WaitQuiet(p); n > 2 {
		t.Errorf("%d workers, want 2", n)
	}
}

// Signals to the program are not passed to its workers.
func TestWorkersOutliveSignalsToEnd(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{})
	var before, after int
	if err := ask(t, p, "pid", &before); err != nil {
		t.Fatal(err)
	}
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		if err := syscall.Kill(before, s); err != nil {
			t.Fatal(err)
		}
	}
	if err := ask(t, p, "pid", &after); err != nil || before != after {
		t.Errorf("process %d after %d: %v", after, before, err)
	}
}

// A worker that talks without end is ended.
func TestStepsAreBounded(t *testing.T) {
	t.Parallel()
	if err := ask(t, open(t, worker.Config{}), "chatter", nil); !errors.Is(err, worker.ErrDied) {
		t.Errorf("steps without end: %v", err)
	}
}

func TestWorkersAreReplacedAfterSomeJobs(t *testing.T) {
	t.Parallel()
	p := open(t, worker.Config{Jobs: 2})
	seen := map[int]bool{}
	for range 6 {
		var n int
		if err := ask(t, p, "pid", &n); err != nil {
			t.Fatal(err)
		}
		seen[n] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d processes for six jobs of two each, want 3", len(seen))
	}
}

func TestWorkerHasNothingOfItsParent(t *testing.T) {
	var got found
	t.Setenv("MASTER_KEY", "secret")
	leaked := inheritable(t)
	p := open(t, worker.Config{})
	if err := ask(t, p, "surroundings", &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Environment) != 0 || len(got.Arguments) != 1 {
		t.Errorf("environment %v, arguments %v; want none", got.Environment, got.Arguments)
	}
	if !slices.Equal(got.Descriptors, []int{0, 1, 2}) {
		t.Errorf("descriptors %v (%d was left open); want the three pipes", got.Descriptors, leaked)
	}
}

func TestClosedPoolDoesNothing(t *testing.T) {
	t.Parallel()
	p, err := worker.Open(worker.Config{Workers: 2, Unconfined: true})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- p.Run(context.Background(), worker.Order{Task: "sleep", Timeout: time.Minute}) }()
	worker.WaitBusy(p)
	p.Close()
	if err := <-ended; err == nil {
		t.Error("a job outlived its pool")
	}
	if err := ask(t, p, "pid", nil); err == nil {
		t.Error("a closed pool takes jobs")
	}
}

// BenchmarkEcho is what a job costs beside its work.
func BenchmarkEcho(b *testing.B) {
	p, err := worker.Open(worker.Config{Unconfined: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.Close)
	data := strings.Repeat("x", 100<<10)
	for b.Loop() {
		err := p.Run(b.Context(), worker.Order{Task: "echo", Ask: text{}, Timeout: time.Minute, Files: []worker.Source{content("a", data)},
			Put: func(_, _ string, r io.Reader) error { _, err := io.Copy(io.Discard, r); return err }})
		if err != nil {
			b.Fatal(err)
		}
	}
}
