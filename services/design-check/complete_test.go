package designcheck_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
	designcheck "boardorder/services/design-check"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
)

// counted does jobs but those that fail refuses, before or after they are done, and
// counts them by task.
type counted struct {
	done  map[string]int
	fail  func(o worker.Order, n int) error
	after func(o worker.Order, n int) error
}

func (c *counted) Run(ctx context.Context, o worker.Order) error {
	c.done[o.Task]++
	if c.fail != nil {
		if err := c.fail(o, c.done[o.Task]); err != nil {
			return err
		}
	}
	err := workers.Run(ctx, o)
	if err == nil && c.after != nil {
		err = c.after(o, c.done[o.Task])
	}
	return err
}

const (
	reads     = "design-check.read"
	completes = "design-check.complete"
)

func draws(o worker.Order) bool {
	ask, err := json.Marshal(o.Ask)
	return err == nil && o.Task == completes && strings.Contains(string(ask), `"Draw":true`)
}

// jobsOf fails jobs of a task up to a number.
func jobsOf(task string, most int, why error) func(worker.Order, int) error {
	return func(o worker.Order, n int) error {
		if o.Task == task && n <= most {
			return why
		}
		return nil
	}
}

// replaceJobs has the service do jobs in another way.
func (d *harness) replaceJobs(t *testing.T, jobs *counted) *designcheck.Service {
	t.Helper()
	jobs.done = map[string]int{}
	service, err := designcheck.New(config, d.Sim, d.blobs, jobs, zap.NewNop(), d.Now)
	if err != nil {
		t.Fatal(err)
	}
	d.Handle(service.Handlers())
	d.GiveUp(service.GiveUp())
	return service
}

// send has a command carried out within an hour, and whatever follows it.
func (d *harness) send(t *testing.T, name contract.CommandName, id string, data any) {
	t.Helper()
	c, err := contract.NewCommand(name, "", "acc_1", d.Now(), data)
	if err == nil {
		c.ID = id
		err = d.Send(t.Context(), c)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Run(d.Now().Add(time.Hour))
}

func (d *harness) eventNames() (names []contract.EventName) {
	for _, e := range d.Events(contract.BoardAggregate) {
		names = append(names, e.Name)
	}
	return names
}

// listBlobs lists the blobs of all readings.
func (d *harness) listBlobs(t *testing.T) []string {
	t.Helper()
	kept := []string{}
	for info, err := range d.blobs.List(t.Context(), boards.Prefix+"digest/") {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, info.Key)
	}
	slices.Sort(kept)
	return kept
}

// TestReadingIsCompleted wherever it was stopped; what was done is not done again, and a
// reading names what is kept of it and nothing else.
func TestReadingIsCompleted(t *testing.T) {
	t.Parallel()
	stopped := errors.New("the process was stopped")
	whole := []string{"0-bottom.png", "0-top.png", "package.zip"}
	done := []contract.EventName{"read", "completed"}
	for _, tt := range []struct {
		name   string
		fail   func(o worker.Order, n int) error
		after  func(o worker.Order, n int) error
		events []contract.EventName
		jobs   map[string]int
		blobs  []string
	}{
		{name: "not stopped", events: done, jobs: map[string]int{reads: 1, completes: 1}, blobs: whole},
		{name: "before a price was possible", fail: jobsOf(reads, 1, stopped), events: done, jobs: map[string]int{reads: 2, completes: 1}, blobs: whole},
		{name: "before pictures, twice", fail: jobsOf(completes, 2, stopped), events: done, jobs: map[string]int{reads: 1, completes: 3}, blobs: whole},
		{name: "after pictures", after: jobsOf(completes, 1, stopped), events: done, jobs: map[string]int{reads: 1, completes: 2}, blobs: whole},
		{name: "a picture takes its worker with it", fail: func(o worker.Order, _ int) error {
			if draws(o) {
				return worker.ErrMemory
			}
			return nil
		}, events: done, jobs: map[string]int{reads: 1, completes: 2}, blobs: whole[2:]},
		{name: "the last picture does", after: jobsOf(completes, 9, worker.ErrMemory), events: done, jobs: map[string]int{reads: 1, completes: 2}, blobs: whole},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			jobs := &counted{fail: tt.fail, after: tt.after}
			d.replaceJobs(t, jobs)
			d.send(t, boards.Read, "read", d.upload(t, square))
			if got := d.eventNames(); !slices.Equal(got, tt.events) || len(d.Dead) > 0 {
				t.Fatalf("events %v, want %v; dead letters %d", got, tt.events, len(d.Dead))
			}
			if !maps.Equal(jobs.done, tt.jobs) {
				t.Errorf("jobs %v, want %v", jobs.done, tt.jobs)
			}
			s := d.state(t)
			var want []string
			for _, name := range tt.blobs {
				want = append(want, s.Prefix+name)
			}
			if got := d.listBlobs(t); !slices.Equal(got, want) {
				t.Errorf("kept %v, want %v", got, want)
			}
			for _, key := range []string{s.Package, s.Boards[0].Top, s.Boards[0].Bottom, s.Boards[0].Package} {
				if key != "" && !slices.Contains(want, key) {
					t.Errorf("%s is named and not there", key)
				}
			}
			if s.Rest != boards.RestMade || s.Package == "" {
				t.Errorf("rest %q, package %q; want %q, some", s.Rest, s.Package, boards.RestMade)
			}
		})
	}
}

// TestReadingThatCannotBeCompleted says so, has a dead letter, and is completed when
// that is sent again. What took too much is not tried again and again.
func TestReadingThatCannotBeCompleted(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		why  error
		jobs int
	}{
		"it fails each time": {errors.New("the store is away"), 12}, "it takes too much": {worker.ErrMemory, 2}, "it dies": {worker.ErrDied, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			jobs := &counted{fail: jobsOf(completes, tt.jobs, tt.why)}
			d.replaceJobs(t, jobs)
			d.send(t, boards.Read, "read", d.upload(t, square))
			if got, want := d.eventNames(), []contract.EventName{"read", "incomplete"}; !slices.Equal(got, want) || len(d.Dead) != 1 {
				t.Fatalf("events %v, want %v; dead letters %d", got, want, len(d.Dead))
			}
			if s := d.state(t); s.Rest != boards.RestFailed || s.Package == "" || !s.IsRead() {
				t.Errorf("state %+v, want it read, with a package, the rest %q", s, boards.RestFailed)
			}
			if jobs.done[completes] != tt.jobs {
				t.Errorf("%d jobs, want %d", jobs.done[completes], tt.jobs)
			}
			again := d.Dead[0].Command
			again.ID = "again"
			if err := d.Send(t.Context(), again); err != nil {
				t.Fatal(err)
			}
			d.Run(d.Now().Add(time.Minute))
			if s := d.state(t); s.Rest != boards.RestMade || len(d.listBlobs(t)) != 3 {
				t.Errorf("sent again: rest %q, kept %v; want %q, 3", s.Rest, d.listBlobs(t), boards.RestMade)
			}
		})
	}
}

// TestReadingWhoseFilesWent is forgotten: nothing can be built from it.
func TestReadingWhoseFilesWent(t *testing.T) {
	t.Parallel()
	d := setup(t)
	jobs := &counted{}
	jobs.fail = func(o worker.Order, _ int) error {
		if o.Task != completes {
			return nil
		}
		return blob.DeletePrefix(t.Context(), d.blobs, uploads.Prefix)
	}
	d.replaceJobs(t, jobs)
	files := d.upload(t, square)
	d.send(t, boards.Read, "read", files)
	if got, want := d.eventNames(), []contract.EventName{"read", "forgotten"}; !slices.Equal(got, want) || len(d.Dead) > 0 {
		t.Fatalf("events %v, want %v; dead letters %v", got, want, d.Dead)
	}
	if got := d.listBlobs(t); len(got) > 0 {
		t.Errorf("kept %v, want nothing", got)
	}
	jobs.fail = nil
	d.send(t, boards.Read, "read again", d.upload(t, square))
	if s := d.state(t); !s.IsRead() || s.Rest != boards.RestMade {
		t.Errorf("read again: %+v, want it read, the rest %q", s, boards.RestMade)
	}
}

// TestNothingOfAForgottenReadingIsKept: neither what is made while it is forgotten, nor
// what was made by a process that was stopped before it noticed.
func TestNothingOfAForgottenReadingIsKept(t *testing.T) {
	t.Parallel()
	for name, stopped := range map[string]error{"in time": nil, "stopped": errors.New("the process was stopped")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			var service *designcheck.Service
			jobs := &counted{after: func(o worker.Order, n int) error {
				if o.Task != completes || n > 1 {
					return nil
				}
				forget, err := contract.NewCommand(boards.Forget, "", "acc_1", d.Now(), boards.ForgetData{Digest: "digest", Must: true})
				if err == nil {
					forget.ID = "forget"
					err = service.Handlers()[boards.Forget](t.Context(), forget)
				}
				if err == nil { // made after the decision was carried out
					err = o.Put("late.png", "image/png", strings.NewReader("png"))
				}
				return errors.Join(err, stopped)
			}}
			service = d.replaceJobs(t, jobs)
			d.send(t, boards.Read, "read", d.upload(t, square))
			if s := d.state(t); !s.Gone || len(d.Dead) > 0 {
				t.Errorf("state %+v, dead letters %v; want it gone, none", s, d.Dead)
			}
			if got := d.listBlobs(t); len(got) > 0 {
				t.Errorf("kept %v, want nothing", got)
			}
		})
	}
}

// deaf loses the first command to complete a reading: the process ends before it is sent.
type deaf struct {
	*simbus.Sim
	lost int
}

func (d *deaf) Send(ctx context.Context, c contract.Command) error {
	if d.lost++; c.Name == boards.Complete && d.lost == 1 {
		return errors.New("the process was stopped")
	}
	return d.Sim.Send(ctx, c)
}

// TestCompletingIsAskedForAgain where the process ended right after the reading.
func TestCompletingIsAskedForAgain(t *testing.T) {
	t.Parallel()
	d := setup(t)
	service, err := designcheck.New(config, &deaf{Sim: d.Sim}, d.blobs, workers, zap.NewNop(), d.Now)
	if err != nil {
		t.Fatal(err)
	}
	d.Handle(service.Handlers())
	d.send(t, boards.Read, "read", d.upload(t, square))
	if s := d.state(t); s.Rest != boards.RestMade || len(d.Dead) > 0 {
		t.Errorf("state %+v, dead letters %v; want the rest %q, none", s, d.Dead, boards.RestMade)
	}
}

// TestPricedBeforeItIsDrawn: what a price needs is there as soon as the files are read,
// with the names of what is still to be made, which completing it does not change.
func TestPricedBeforeItIsDrawn(t *testing.T) {
	t.Parallel()
	d := setup(t)
	var early boards.ReadFiles
	d.replaceJobs(t, &counted{fail: func(o worker.Order, _ int) error {
		if o.Task == completes {
			early = d.state(t)
		}
		return nil
	}})
	d.do(t, boards.Read, d.upload(t, square))
	late := d.state(t)
	if early.Rest != boards.RestMaking || late.Rest != boards.RestMade || len(early.Boards) != 1 {
		t.Fatalf("read %+v, completed %+v; want the rest %q, then %q, one board", early, late, boards.RestMaking, boards.RestMade)
	}
	early.Rest = boards.RestMade
	if diff := cmp.Diff(early, late); diff != "" {
		t.Errorf("completing a reading changed it (-read +completed):\n%s", diff)
	}
}

// TestLayersWaitForThePackage that they are drawn from.
func TestLayersWaitForThePackage(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.replaceJobs(t, &counted{fail: func(o worker.Order, n int) error {
		if o.Task == completes && n == 1 {
			draw, err := contract.NewCommand(boards.DrawLayers, "", "acc_1", d.Now(), boards.DrawLayersData{Digest: "digest"})
			if err == nil {
				draw.ID = "draw"
				err = d.Send(t.Context(), draw)
			}
			return errors.Join(errors.New("stopped"), err)
		}
		return nil
	}})
	d.send(t, boards.Read, "read", d.upload(t, square))
	if s := d.state(t); s.Rest != boards.RestMade || len(s.Boards) != 1 || len(s.Boards[0].Layers) == 0 {
		t.Errorf("layers of a reading that was completed late: %+v, want one board with layers, the rest %q", s, boards.RestMade)
	}
	if len(d.Dead) > 0 {
		t.Errorf("dead letter: %v", d.Dead[0].Err)
	}
}

// defaultTime is what a time of the configuration is where it is not set.
func defaultTime(t *testing.T, field string) time.Duration {
	t.Helper()
	f, _ := reflect.TypeFor[designcheck.Config]().FieldByName(field)
	d, err := time.ParseDuration(f.Tag.Get("envDefault"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCostOfAnUploadIsStated: SECURITY.md names the processor time that reading an upload
// takes at most, over all tries, whatever of it fails and however.
func TestCostOfAnUploadIsStated(t *testing.T) {
	t.Parallel()
	cfg := config
	cfg.ReadTimeout, cfg.CPU = defaultTime(t, "ReadTimeout"), defaultTime(t, "CPU")
	for _, first := range []error{nil, worker.ErrMemory, worker.ErrTime, worker.ErrDied} {
		for _, second := range []error{worker.ErrMemory, worker.ErrTime, worker.ErrDied} {
			d, most := setup(t), time.Duration(0)
			service, err := designcheck.New(cfg, d.Sim, d.blobs, &counted{done: map[string]int{}, fail: func(o worker.Order, _ int) error {
				most += min(cfg.CPU, worker.Overrun*o.Timeout)
				if o.Task == reads {
					return first
				}
				return second
			}}, zap.NewNop(), d.Now)
			if err != nil {
				t.Fatal(err)
			}
			d.Handle(service.Handlers())
			d.GiveUp(service.GiveUp())
			d.send(t, boards.Read, "read", d.upload(t, square))
			if most > 7*time.Minute {
				t.Errorf("reading fails by %v, completing by %v: %v, SECURITY.md says seven minutes", first, second, most)
			}
		}
	}
}
