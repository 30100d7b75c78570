package designcheck_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	blobopen "boardorder/pkg/blob/open"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
	designcheck "boardorder/services/design-check"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// hostile are tasks that do to their worker what a file may do that our code
// does not know of yet.
var hostile = worker.Tasks{
	"test.hoard": func(context.Context, *worker.Job) (any, error) {
		var all [][]byte
		for {
			all = append(all, bytes.Repeat([]byte{1}, 16<<20))
			if len(all) == cap(all)+1 { // never
				return all, nil
			}
		}
	},
	"test.spin": func(context.Context, *worker.Job) (any, error) {
		for n := 0; ; n++ {
		}
	},
	"test.late": func(ctx context.Context, _ *worker.Job) (any, error) {
		for ctx.Err() == nil {
		}
		return nil, ctx.Err()
	},
	"test.crash": func(context.Context, *worker.Job) (any, error) {
		var m map[string]int
		//lint:ignore SA5000 it shall crash
		m["x"] = 1
		return nil, nil
	},
	"test.garbage": func(context.Context, *worker.Job) (any, error) {
		_, _ = os.Stdout.Write(bytes.Repeat([]byte("garbage "), 1000))
		select {}
	},
	"test.killed": func(ctx context.Context, j *worker.Job) (any, error) {
		j.Log().Info("here", zap.Int("pid", os.Getpid()))
		<-ctx.Done()
		return nil, ctx.Err()
	},
	"test.forge": func(_ context.Context, j *worker.Job) (any, error) {
		return boards.ReadFiles{
			Digest: "another", Gone: true, Reader: "1", Package: "../../uploads/secret",
			Boards: []boards.Board{{Name: "b", Top: "../x", Layers: []boards.LayerPicture{{Key: "uploads/secret"}}}},
		}, nil
	},
}

// rerouted gives files of a name like "hoard.gbr" to the task "test.hoard" to read.
type rerouted struct {
	pool *worker.Pool

	mu   sync.Mutex
	done []worker.Order
}

func (r *rerouted) Run(ctx context.Context, o worker.Order) error {
	r.mu.Lock()
	r.done = append(r.done, o)
	r.mu.Unlock()
	for _, f := range o.Files {
		task := "test." + strings.TrimSuffix(f.Name, ".gbr")
		if hostile[task] != nil && o.Task == reads {
			o.Task, o.Timeout = task, min(o.Timeout, time.Minute)
		}
	}
	return r.pool.Run(ctx, o)
}

// ordersOf gives the jobs of a task.
func (r *rerouted) ordersOf(task string) (done []worker.Order) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.done {
		if o.Task == task {
			done = append(done, o)
		}
	}
	return done
}

// running is the service over a real broker.
type running struct {
	*bus.Bus
	blobs blob.Store
	logs  *observer.ObservedLogs
	jobs  *rerouted
}

func serve(t *testing.T, cfg designcheck.Config, pool worker.Config) *running {
	t.Helper()
	core, logs := observer.New(zapcore.InfoLevel)
	pool.Log = zap.New(core)
	pool.Unconfined = true
	p, err := worker.Open(pool)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	r := &running{Bus: bustest.Start(t), logs: logs, jobs: &rerouted{pool: p}}
	if r.blobs, err = blobopen.Open(t.Context(), "file:"+t.TempDir()); err != nil {
		t.Fatal(err)
	}
	s, err := designcheck.New(cfg, r.Bus, r.blobs, r.jobs, zap.New(core), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, r.Bus) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

// send has files read that are known by digest.
func (r *running) send(t *testing.T, account, digest string, files map[string]string) {
	t.Helper()
	data := boards.ReadData{Digest: digest, Upload: "u"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		key := "uploads/u/" + contract.DeriveID(digest, name)
		info, err := r.blobs.Put(t.Context(), key, strings.NewReader(files[name]), -1, "")
		if err != nil {
			t.Fatal(err)
		}
		data.Files = append(data.Files, uploads.File{Name: name, Size: info.Size, Key: key})
	}
	c, err := contract.NewCommand(boards.Read, "", account, time.Now(), data)
	if err != nil {
		t.Fatal(err)
	}
	c.ID = contract.DeriveID("read", digest)
	if err := r.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func (r *running) reading(t *testing.T, digest string) (boards.ReadFiles, bool) {
	t.Helper()
	s, err := aggregate.At[boards.ReadFiles](r.Bus, contract.BoardAggregate, digest).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.State, s.Exists()
}

func (r *running) wait(t *testing.T, digest string) boards.ReadFiles {
	t.Helper()
	bustest.WaitFor(t, "a reading of "+digest, func() bool { _, ok := r.reading(t, digest); return ok })
	s, _ := r.reading(t, digest)
	return s
}

// Whatever a file does to the worker that reads it, it gets a finding, and the
// board after it is read.
func TestHostileFilesFailAlone(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"hoard": "too_complex", "spin": "too_complex", "crash": "unreadable", "garbage": "unreadable", "killed": "unreadable",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			r := serve(t, config, worker.Config{Memory: 256 << 20, CPU: time.Second})
			r.send(t, "acc_1", kind, map[string]string{kind + ".gbr": "G04*"})
			if kind == "killed" {
				r.killWorkers(t, 2)
			}
			s := r.wait(t, kind)
			if len(s.Findings) != 1 || s.Findings[0].Check != want || s.Findings[0].Level != "must_fix" || s.Findings[0].What == "" {
				t.Errorf("findings %+v, want %s", s.Findings, want)
			}
			if len(s.Boards) != 0 || len(s.Files) != 1 || s.Reader != designcheck.Version {
				t.Errorf("reading %+v, want no board, one file, by version %v", s, designcheck.Version)
			}
			r.send(t, "acc_1", "honest", square)
			if s := r.wait(t, "honest"); len(s.Boards) != 1 || len(s.Boards[0].Facts) == 0 {
				t.Errorf("the next board: %+v, want one board with its facts", s)
			}
		})
	}
}

// TestWorkIsNotRepeatedAsItWas: what failed its worker or ran out of time is done once
// more, in less time and plainly unless the worker died, and then has an answer that
// names the file.
func TestWorkIsNotRepeatedAsItWas(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]int{"hoard": 2, "spin": 2, "late": 2, "crash": 2, "honest": 1} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			cfg := config
			cfg.ReadTimeout = time.Second
			r := serve(t, cfg, worker.Config{Memory: 256 << 20, CPU: 2 * time.Second})
			files := maps.Clone(square)
			if want > 1 {
				files = map[string]string{kind + ".gbr": "G04 large*", "small.gbr": "G04*"}
			}
			r.send(t, "acc_1", kind, files)
			s := r.wait(t, kind)
			done := r.jobs.ordersOf(reads)
			if len(done) != want {
				t.Fatalf("%d jobs, want %d", len(done), want)
			}
			if want == 1 {
				return
			}
			first, second := done[0], done[1]
			plain := kind != "crash"
			if ask, err := json.Marshal(second.Ask); err != nil || strings.Contains(string(ask), `"Plain":true`) != plain || second.Timeout > first.Timeout/2 {
				t.Errorf("second job: %s within %v after %v; want one within half, plain: %v", ask, second.Timeout, first.Timeout, plain)
			}
			if len(s.Findings) != 1 || s.Findings[0].File != kind+".gbr" {
				t.Errorf("findings %+v, want one that names %s.gbr", s.Findings, kind)
			}
		})
	}
}

// killWorkers kills as many workers as say where they are.
func (r *running) killWorkers(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		bustest.WaitFor(t, "a worker", func() bool { return r.logs.FilterMessage("here").Len() > i })
		fields, _ := r.logs.FilterMessage("here").All()[i].ContextMap()["worker"].(map[string]any)
		pid, _ := fields["pid"].(float64)
		if err := syscall.Kill(int(pid), syscall.SIGKILL); err != nil || pid < 2 {
			t.Fatalf("kill %v: %v", pid, err)
		}
	}
}

// A worker that foreign bytes have taken over names no blob that it did not make.
func TestForgedReading(t *testing.T) {
	t.Parallel()
	r := serve(t, config, worker.Config{})
	r.send(t, "acc_1", "forged", map[string]string{"forge.gbr": "G04*"})
	bustest.WaitFor(t, "a complete reading", func() bool { s, ok := r.reading(t, "forged"); return ok && s.Rest == boards.RestMade })
	s := r.wait(t, "forged")
	if s.Digest != "forged" || s.Gone || s.Reader != designcheck.Version || s.Package != "" || s.Boards[0].Top != "" || s.Boards[0].Layers != nil {
		t.Errorf("reading %+v, want that of forged by version %v, without a package, views and layers", s, designcheck.Version)
	}
}

// While one account or several send the worst that they may, another's board is read.
func TestOthersHoldNobodyUp(t *testing.T) {
	t.Parallel()
	const worst = 12
	for _, accounts := range []int{1, 4, worst} {
		t.Run(fmt.Sprint(accounts), func(t *testing.T) {
			t.Parallel()
			cfg := config
			cfg.Parallel, cfg.InHand, cfg.ShortTimeout = 2, 8, 300*time.Millisecond
			r := serve(t, cfg, worker.Config{Workers: 2, CPU: time.Second})
			for i := range worst {
				r.send(t, fmt.Sprint("acc_hostile", i%accounts), fmt.Sprint("worst", i), map[string]string{"spin.gbr": strings.Repeat("G04*", 1000)})
			}
			bustest.WaitFor(t, "the first of the worst", func() bool { return len(r.readWorst(t, worst)) > 0 })
			r.send(t, "acc_other", "honest", square)
			if s := r.wait(t, "honest"); len(s.Boards) != 1 {
				t.Errorf("reading %+v, want one board", s)
			}
			if done := r.readWorst(t, worst); len(done) > worst/2 {
				t.Errorf("%d of %d were done before it, want half at most", len(done), worst)
			}
		})
	}
}

func (r *running) readWorst(t *testing.T, n int) (done []string) {
	t.Helper()
	for i := range n {
		if _, ok := r.reading(t, fmt.Sprint("worst", i)); ok {
			done = append(done, fmt.Sprint("worst", i))
		}
	}
	return done
}

// always gives every job to one task.
type always struct {
	pool *worker.Pool
	task string
}

func (a always) Run(ctx context.Context, o worker.Order) error {
	o.Task = a.task
	return a.pool.Run(ctx, o)
}

// A check or drawing whose worker ends is refused in plain words, with a finding.
func TestHostileFilesFailTheirCheck(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{"test.hoard": "too_complex", "test.crash": "unreadable"} {
		t.Run(task, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.put(t, "one", "digest", square)
			d.do(t, boards.Read, d.upload(t, square))
			pool, err := worker.Open(worker.Config{Memory: 256 << 20, Unconfined: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(pool.Close)
			s, err := designcheck.New(config, d.Sim, d.blobs, always{pool, task}, zap.NewNop(), d.Now)
			if err != nil {
				t.Fatal(err)
			}
			d.Handle(s.Handlers())
			check := d.checkOf(t, d.ask(t, usual("one")))
			if check.Status != designchecks.Refused || check.Refusal == nil || len(check.Refusal.Findings) != 1 || check.Refusal.Findings[0].Check != want {
				t.Errorf("check %s, %+v; want %s, one finding of %s", check.Status, check.Refusal, designchecks.Refused, want)
			}
			c, err := contract.NewCommand(boards.DrawLayers, "req_1", "acc_1", d.Now(), boards.DrawLayersData{Digest: "digest"})
			if err != nil {
				t.Fatal(err)
			}
			if r := contract.RefusalIn(s.Handlers()[boards.DrawLayers](t.Context(), c)); r == nil || r.Code != contract.DesignFiles {
				t.Errorf("layers: %+v, want %s", r, contract.DesignFiles)
			}
		})
	}
}

// KiCad's own check runs beside a worker's, which asks for it and has the last word.
func TestKiCadsReportReachesTheWorker(t *testing.T) {
	program := t.TempDir() + "/kicad-cli"
	script := `#!/bin/sh
echo '{"kicad_version":"9.0.2","coordinate_units":"mm","unconnected_items":[{"type":"unconnected_items","severity":"error","description":"Missing","items":[]}]}' > "$9"
`
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir()+":"+program[:len(program)-len("/kicad-cli")]+":"+os.Getenv("PATH"))
	d := setup(t)
	files := map[string]string{}
	for _, f := range faulty.Base().KiCad() {
		files[f.Name] = string(f.Data)
	}
	d.put(t, "one", "digest", files)
	check := d.checkOf(t, d.ask(t, usual("one")))
	if !slices.ContainsFunc(check.Assumed, func(a string) bool { return strings.Contains(a, "KiCad 9.0.2") }) {
		t.Errorf("check %s assumes %q, want KiCad 9.0.2 among it", check.Status, check.Assumed)
	}
}
