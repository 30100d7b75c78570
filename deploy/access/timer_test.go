package access

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The timers of an aggregate are set by one program, and what they carry is its own.
func TestTimersAreTheirServicesOwn(t *testing.T) {
	t.Parallel()
	setters := map[contract.Aggregate][]string{}
	for _, p := range Programs() {
		for _, a := range p.Times {
			setters[a] = append(setters[a], p.Name)
			for _, c := range registry.TimerCommands(a) {
				if c.Service != p.Name {
					t.Errorf("%s sets timers of %s, which carry %s", p.Name, a, c)
				}
			}
		}
	}
	for _, a := range contract.Aggregates() {
		if want := min(len(registry.TimerCommands(a)), 1); len(setters[a]) != want {
			t.Errorf("timers of %s are set by %v, want %d program", a, setters[a], want)
		}
	}
}

// A service that was entered reaches no command of another by a timer: not by one of
// its own aggregate, and not by one that the broker moves among another's.
func TestTimersReachNoOtherService(t *testing.T) {
	t.Parallel()
	b := start(t)
	upload, projector, console := b.dial(t, "upload"), b.bus(t, "projector"), b.bus(t, "console")
	for name, forged := range map[string]struct{ subject, target, carries string }{
		"refund":    {"timer.upload.x1.try", "timer.upload.x1.try.due", "payment.refund-order"},
		"key":       {"timer.upload.x2.try", "timer.upload.x2.try.due", "console.create-key"},
		"own":       {"timer.upload.x3.try", "timer.upload.x3.try.due", "upload.add-files"},
		"place":     {"timer.upload.x4.try", "timer.order.x4.place.due", "payment.place-order"},
		"published": {"timer.upload.x5.try.due", "", "payment.place-order"},
	} {
		m := nats.NewMsg(forged.subject)
		m.Data = []byte(`{}`)
		for k, v := range map[string]string{
			"ce-specversion": "1.0", "ce-id": name, "ce-type": "command." + forged.carries + ".v1", "ce-source": "/payment",
			"ce-subject": forged.carries, "ce-time": time.Now().UTC().Format(time.RFC3339Nano), "content-type": "application/json",
		} {
			m.Header[k] = []string{v}
		}
		if forged.target != "" {
			m.Header[jetstream.ScheduleHeader] = []string{"@at " + time.Now().UTC().Format(time.RFC3339)}
			m.Header[jetstream.ScheduleTargetHeader] = []string{forged.target}
		}
		if _, err := upload.js(t).PublishMsg(t.Context(), m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	honest := command(t, "upload", "honest")
	honest.Name = uploads.Expire
	timer := contract.Timer{Aggregate: contract.UploadAggregate, AggregateID: "x0", What: "expire", Due: time.Now(), Command: honest}
	if err := b.bus(t, "upload").Schedule(t.Context(), timer); err != nil {
		t.Fatal(err)
	}
	bustest.Go(t, projector.RunTimers)
	expired := make(chan contract.Command, 10)
	service := b.bus(t, "upload")
	bustest.Go(t, func(ctx context.Context) error {
		return service.Serve(ctx, bus.Work{Service: "upload", Parallel: 1, Handlers: flow.Handlers{
			uploads.Expire: func(_ context.Context, c contract.Command) error { expired <- c; return nil },
		}})
	})
	if c := <-expired; c.ID != honest.ID {
		t.Errorf("the first command is %s, want %s", c.ID, honest.ID)
	}
	var letters []bus.DeadLetter
	bustest.WaitFor(t, "a dead letter of each forged timer", func() bool {
		var err error
		if letters, err = console.DeadLetters(t.Context(), 0, 100); err != nil {
			t.Fatal(err)
		}
		return len(letters) >= 5
	})
	var refused []string
	for _, l := range letters {
		refused = append(refused, l.Command.ID)
		if l.Subject != "dead.timer.forged" {
			t.Errorf("%s of %s became %s: %s, want dead.timer.forged", l.Command.Name, l.Origin, l.Subject, l.Reason)
		}
		if err := console.Replay(t.Context(), l.Seq); err == nil || !strings.Contains(err.Error(), "discarded") {
			t.Errorf("%s of %s is sent again: %v", l.Command.Name, l.Origin, err)
		}
	}
	slices.Sort(refused)
	if got, want := fmt.Sprint(refused), "[key own place published refund]"; got != want {
		t.Errorf("refused: %s, want %s", got, want)
	}
	commands, err := b.dial(t, OperatorUser).js(t).Stream(t.Context(), contract.CommandStream)
	if err != nil {
		t.Fatal(err)
	}
	for _, subject := range []string{"cmd.payment.>", "cmd.console.>", "cmd.upload.*.add-files"} {
		info, err := commands.Info(t.Context(), jetstream.WithSubjectFilter(subject))
		if err != nil || len(info.State.Subjects) > 0 {
			t.Errorf("commands of %s: %v, %v; want none", subject, info.State.Subjects, err)
		}
	}
}
