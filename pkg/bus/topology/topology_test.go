package topology_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

func broker(t *testing.T) *server.Server {
	t.Helper()
	s, err := embedded.Start(embedded.Config{Dir: t.TempDir(), Port: -1, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s
}

func open(t *testing.T, s *server.Server, cfg topology.Config) *topology.Owner {
	t.Helper()
	o, err := topology.Open(t.Context(), bus.Config{InProcess: s, Log: zap.NewNop()}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	return o
}

func plan(t *testing.T, o *topology.Owner) []topology.Change {
	t.Helper()
	p, err := o.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(p []topology.Change) string {
	lines := make([]string, len(p))
	for i, c := range p {
		lines[i] = c.String()
	}
	return strings.Join(lines, "\n")
}

func apply(t *testing.T, o *topology.Owner) {
	t.Helper()
	if err := o.Apply(t.Context(), plan(t, o), false); err != nil {
		t.Fatal(err)
	}
}

// A plan changes nothing; once it is applied nothing differs.
func TestPlanAndApply(t *testing.T) {
	t.Parallel()
	s := broker(t)
	o := open(t, s, topology.Config{})
	first := plan(t, o)
	if again := plan(t, o); len(first) == 0 || text(again) != text(first) {
		t.Errorf("planning again gives\n%s\nwant, as before\n%s", text(again), text(first))
	}
	if b, err := bus.Connect(t.Context(), bus.Config{InProcess: s, Log: zap.NewNop()}); err != nil {
		t.Fatal(err)
	} else {
		defer b.Close()
	}
	apply(t, o)
	if p := plan(t, o); len(p) > 0 {
		t.Errorf("the plan after it was applied, want none:\n%s", text(p))
	}
	bustest.Connect(t, s)
}

// A start that finds no streams says what is missing and what to do.
func TestVerifySaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	b, err := bus.Connect(t.Context(), bus.Config{InProcess: broker(t), Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	ctx, cancel := contextWithTimeout(t)
	defer cancel()
	if err := b.Verify(ctx); !errors.Is(err, bus.ErrTopology) || !strings.Contains(err.Error(), "COMMANDS") {
		t.Errorf("Verify = %v", err)
	}
}

// What deletes data, or refuses new data, is shown and not done unless allowed.
func TestLossIsRefused(t *testing.T) {
	t.Parallel()
	s := broker(t)
	apply(t, open(t, s, topology.Config{}))
	b := bustest.Connect(t, s)
	for i := range 20 {
		c := contract.Command{ID: fmt.Sprint("c", i), Name: uploads.AddFiles, At: time.Now(), Data: json.RawMessage(`{}`)}
		if err := b.Send(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	for name, cfg := range map[string]topology.Config{
		"commands that wait are split": {Parts: map[string]int{"COMMANDS": 4}},
	} {
		o := open(t, s, cfg)
		p := plan(t, o)
		if err := o.Apply(t.Context(), p, false); !errors.Is(err, topology.ErrLoss) {
			t.Errorf("%s: %v, want %v; plan:\n%s", name, err, topology.ErrLoss, text(p))
		}
		if err := b.Verify(t.Context()); err != nil {
			t.Errorf("%s: something was changed: %v", name, err)
		}
	}
}

// Streams are kept in parts by configuration; services find out where.
func TestSplitStreams(t *testing.T) {
	t.Parallel()
	s := broker(t)
	o := open(t, s, topology.Config{Parts: map[string]int{"EVENTS_QUOTE": 3, "COMMANDS": 2, "REQUESTS": 2}})
	apply(t, o)
	if p := plan(t, o); len(p) > 0 {
		t.Errorf("the plan after it was applied, want none:\n%s", text(p))
	}
	b := bustest.Connect(t, s)
	for i := range 60 {
		commit(t, b, fmt.Sprint("q", i))
	}
	got := map[string]bool{}
	if _, err := b.ReplayEvents(t.Context(), contract.QuoteAggregate, collect(got)); err != nil || len(got) != 60 {
		t.Errorf("%d quotes of 60 in all parts, %v", len(got), err)
	}
	latest, err := b.Latest(t.Context(), contract.QuoteAggregate, nil, 10)
	if err != nil || len(latest) != 10 {
		t.Fatalf("Latest = %d, %v", len(latest), err)
	}
	if e, err := b.EventAt(t.Context(), contract.QuoteAggregate, latest[9].Position); err != nil || e.ID != latest[9].ID {
		t.Errorf("EventAt(%s) = %s, %v; want %s", latest[9].Position, e.ID, err, latest[9].ID)
	}
	states, err := b.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, st := range states {
		if st.Stream == "EVENTS_QUOTE" {
			parts++
			if st.Messages == 0 || st.Messages == 60 {
				t.Errorf("%s holds %d of 60 quotes, want some, not all", st.Name, st.Messages)
			}
		}
	}
	if parts != 3 {
		t.Errorf("%d parts, want 3", parts)
	}
	if _, err := open(t, s, topology.Config{}).Plan(t.Context()); err == nil {
		t.Error("parts were planned to be joined")
	}
}

// A consumer is changed in place, while those who use it go on.
func TestConsumersChangeInPlace(t *testing.T) {
	t.Parallel()
	s := broker(t)
	apply(t, open(t, s, topology.Config{AckWait: 10 * time.Second}))
	o := open(t, s, topology.Config{AckWait: 20 * time.Second})
	p := plan(t, o)
	if want := "ack wait 10s → 20s"; !strings.Contains(text(p), want) {
		t.Fatalf("the plan lacks %q:\n%s", want, text(p))
	}
	apply(t, o)
	if p := plan(t, o); len(p) > 0 {
		t.Errorf("the plan after it was applied, want none:\n%s", text(p))
	}
}

func TestFromEnvironment(t *testing.T) {
	t.Parallel()
	cfg, err := topology.ParseEnvironment(map[string]string{"STREAM_REPLICAS": "3", "STREAM_PARTS": "EVENTS_QUOTE=4, REQUESTS=2", "ACK_WAIT": "5s"})
	if err != nil || cfg.Replicas != 3 || cfg.Parts["EVENTS_QUOTE"] != 4 || cfg.Parts["REQUESTS"] != 2 || cfg.AckWait != 5*time.Second || cfg.MaxBytes != topology.DefaultMaxBytes {
		t.Errorf("ParseEnvironment = %+v, %v; want 3 replicas, 4 parts of EVENTS_QUOTE, 2 of REQUESTS, 5 s, and the usual bytes", cfg, err)
	}
	for _, wrong := range []string{"EVENTS_QUOTE", "EVENTS_QUOTE=x", "EVENTS_QUOTE=0", "EVENTS_QUOTE=17", "TIMERS=2", "NONE=2"} {
		if _, err := topology.ParseEnvironment(map[string]string{"STREAM_PARTS": wrong}); err == nil {
			t.Errorf("STREAM_PARTS=%s was taken", wrong)
		}
	}
}

// A full stream refuses new events and keeps what it has; once it is given more
// it takes them again.
func TestFullStream(t *testing.T) {
	t.Parallel()
	s := broker(t)
	apply(t, open(t, s, topology.Config{}))
	resize(t, s, 200_000)
	b := bustest.Connect(t, s)
	big := json.RawMessage(`{"state":"` + strings.Repeat("x", 8000) + `"}`)
	n := 0
	for ; n < 1000; n++ {
		if err := commitData(t, b, fmt.Sprint("q", n), big); err != nil {
			break
		}
	}
	if n == 0 || n == 1000 {
		t.Fatalf("%d events fit, want some, not all 1000", n)
	}
	if _, err := b.Last(t.Context(), contract.QuoteAggregate, "q0"); err != nil {
		t.Errorf("the first one is lost: %v", err)
	}
	o := open(t, s, topology.Config{})
	const want = "bytes 200000 →"
	if p := plan(t, o); !strings.Contains(text(p), want) {
		t.Fatalf("the plan lacks %q:\n%s", want, text(p))
	}
	apply(t, o)
	if err := commitData(t, b, "after", big); err != nil {
		t.Errorf("with more room: %v", err)
	}
}

func resize(t *testing.T, s *server.Server, bytes int64) {
	t.Helper()
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "EVENTS_QUOTE")
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	cfg.MaxBytes = bytes
	if _, err := js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
}

// A broker that starts reads all messages of a stream's duplicate window again:
// there is one only where ids are published.
func TestOnlyCommandsAreRememberedByID(t *testing.T) {
	t.Parallel()
	s := broker(t)
	apply(t, open(t, s, topology.Config{}))
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	for _, declared := range registry.Streams() {
		stream, err := js.Stream(t.Context(), declared.Name)
		if err != nil {
			t.Fatal(err)
		}
		window := stream.CachedInfo().Config.Duplicates
		if remembers := window >= time.Minute; remembers != (declared.Name == contract.CommandStream) || !remembers && window > time.Second {
			t.Errorf("%s remembers ids for %s, want a minute at least for commands, a second at most for others", declared.Name, window)
		}
	}
}
