package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection/open"

	"github.com/nats-io/nats.go/jetstream"
)

func stageOf(stored int, rate float64, restart time.Duration) stage {
	return stage{
		stored: stored, figure: figure{rate: rate, p50: 30 * time.Millisecond, p99: 80 * time.Millisecond, cpu: time.Millisecond},
		resident: 200e6, heap: 50e6 + int64(stored)*250, disk: int64(stored) * 2000, stop: time.Second, restart: restart,
	}
}

func stageKilled(again time.Duration) stage {
	s := stageOf(1000, 1000, time.Second)
	s.killed = again
	return s
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last stage
		fine bool
		says string
	}{
		"level, and soon again":     {stageOf(1000, 860, time.Second), true, "-14 % (15 % less at most): holds; ready again after an orderly end within 1.00 s (2.00 s at most): holds"},
		"faster":                    {stageOf(1000, 1100, 2*time.Second), true, "+10 % (15 % less at most): holds"},
		"a sixth slower":            {stageOf(1000, 840, time.Second), false, "-16 % (15 % less at most): DOES NOT HOLD; ready"},
		"late after an orderly end": {stageOf(1000, 1000, 2001*time.Millisecond), false, "within 2.00 s (2.00 s at most): DOES NOT HOLD"},
		"soon after a kill":         {stageKilled(10 * time.Second), true, "after a kill within 10.00 s (10.00 s at most): holds"},
		"late after a kill":         {stageKilled(10001 * time.Millisecond), false, "after a kill within 10.00 s (10.00 s at most): DOES NOT HOLD"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := judge(&out, []stage{stageOf(100, 1000, time.Second), c.last})
			if errors.Is(err, errBounds) == c.fine {
				t.Errorf("judge(%+v) = %v, want within bounds: %t", c.last, err, c.fine)
			}
			if !strings.Contains(out.String(), c.says) || strings.Count(out.String(), "\n") != 1 {
				t.Errorf("verdict %q, want one line with %q", out.String(), c.says)
			}
		})
	}
}

// A restart in the middle that took too long counts as one at the end.
func TestVerdictLooksAtEveryRestart(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := judge(&out, []stage{stageOf(100, 1000, time.Second), stageOf(200, 1000, 3*time.Second), stageOf(300, 1000, time.Second)})
	if !errors.Is(err, errBounds) || !strings.Contains(out.String(), "within 3.00 s") {
		t.Errorf("judge: %v, %s; want %v and the bound of 3.00 s", err, out.String(), errBounds)
	}
}

func TestMemoryOfAQuote(t *testing.T) {
	t.Parallel()
	stages := []stage{stageOf(100_000, 1000, time.Second), stageOf(1_000_000, 1000, time.Second)}
	each, base := heapOfQuote(stages)
	if each != 250 || base != 50e6 {
		t.Errorf("%v bytes a quote over %v, want 250 over 50 MB", each, base)
	}
	if got := memoryOf(stages); !strings.Contains(got, "250 bytes a stored quote, so 0.30 GB at a million and 2.5 GB at ten million") {
		t.Errorf("memory: %s, want 250 bytes a quote, 0.30 GB at a million, 2.5 GB at ten million", got)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	stages, err := table(&out, func(show func(stage)) error {
		show(stageOf(1000, 950, time.Second))
		killed := stageOf(2000, 900, 1500*time.Millisecond)
		killed.killed, killed.heap = 2500*time.Millisecond, 0
		show(killed)
		return nil
	})
	if err != nil || len(stages) != 2 {
		t.Fatalf("%d stages, %v; want 2", len(stages), err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{
		"stored quotes/s p50 p99 CPU resident heap disk a quote stop restart killed",
		"1000 950 30.0 ms 80.0 ms 1.00 ms 200 MB 50 MB 2 MB 2.00 KB 1.00 s 1.00 s –",
		"2000 900 30.0 ms 80.0 ms 1.00 ms 200 MB – 4 MB 2.00 KB 1.00 s 1.50 s 2.50 s",
	} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("line %d:\n%s\nwant\n%s", i, got, want)
		}
	}
}

// The limits that a long run is started with leave room for all of it, beside
// what every other stream has.
func TestRoomForAMillion(t *testing.T) {
	t.Parallel()
	const n = 1_000_000
	total := roomFor(n)
	if total >= 4<<40 {
		t.Errorf("%d bytes for all streams, want less than %d, which the embedded broker keeps", total, int64(4<<40))
	}
	for stream, each := range map[string]int64{contract.RequestStream: requestBytes, contract.EventStream(contract.QuoteAggregate): quoteBytes} {
		if got := limitOf(stream, total); got < n*each {
			t.Errorf("%s has %d bytes, want %d for each of %d quotes", stream, got, each, n)
		}
	}
	if roomFor(1000) > total {
		t.Errorf("1000 quotes get room for %d, want at most the %d of more quotes", roomFor(1000), total)
	}
}

func TestStreamThatWillBeFull(t *testing.T) {
	t.Parallel()
	info := func(bytes uint64, most int64, discard jetstream.DiscardPolicy) *jetstream.StreamInfo {
		return &jetstream.StreamInfo{
			Config: jetstream.StreamConfig{Name: "EVENTS_QUOTE", MaxBytes: most, Discard: discard}, State: jetstream.StreamState{Bytes: bytes},
		}
	}
	for name, c := range map[string]struct {
		info *jetstream.StreamInfo
		fits bool
	}{
		"ten times it is what there is": {info(100, 1000, jetstream.DiscardNew), true},
		"one byte too many":             {info(101, 1000, jetstream.DiscardNew), false},
		"without a limit":               {info(101, -1, jetstream.DiscardNew), true},
		"the oldest go":                 {info(101, 1000, jetstream.DiscardOld), true},
	} {
		if err := fits(c.info, 10); (err == nil) != c.fits {
			t.Errorf("%s: %v, want that it fits: %v", name, err, c.fits)
		}
	}
}

func TestHeapIsRead(t *testing.T) {
	t.Parallel()
	got, err := heapIn([]byte("# TYPE go_gc_heap_live_bytes gauge\ngo_gc_heap_live_bytes 2.68625256e+08\ngo_goroutines 9\n"))
	if err != nil || got != 268625256 {
		t.Errorf("the heap is %d, %v; want 268625256", got, err)
	}
	if _, err := heapIn([]byte("go_goroutines 9\n")); err == nil {
		t.Error("a program that does not say its heap has one")
	}
}

// TestGrowth runs the whole measurement on few quotes: a real program that is
// killed, ended and started again, and keeps what it had.
func TestGrowth(t *testing.T) {
	t.Setenv(asProgram, "1")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const quotes, filled, parts = 80, 300, 2
	var stages []stage
	g := growing{program: program, quotes: quotes, filled: filled, parts: parts, kills: map[int]bool{parts: true}, progress: t.Output()}
	if err := g.run(t.Context(), func(s stage) { stages = append(stages, s) }); err != nil {
		t.Fatal(err)
	}
	if len(stages) != parts {
		t.Fatalf("%d stages, want %d", len(stages), parts)
	}
	for i, s := range stages {
		if s.stored != (i+1)*quotes/parts+i*filled || len(s.took) != quotes/parts {
			t.Errorf("part %d: %d stored, %d asked; want %d, %d", i+1, s.stored, len(s.took), (i+1)*quotes/parts+i*filled, quotes/parts)
		}
		for name, v := range map[string]int64{"resident": s.resident, "heap": s.heap, "disk": s.disk, "stop": int64(s.stop), "restart": int64(s.restart)} {
			if v <= 0 {
				t.Errorf("part %d: %s is %d, want more than 0", i+1, name, v)
			}
		}
		if s.heap > s.resident {
			t.Errorf("part %d: %d bytes of heap, want no more than the %d resident", i+1, s.heap, s.resident)
		}
		if killed := s.killed > 0; killed != g.kills[i+1] {
			t.Errorf("part %d: after a kill %s, want one: %v", i+1, s.killed, g.kills[i+1])
		}
	}
}

// TestFill: what is stored without having been asked for is projected as quotes are.
func TestFill(t *testing.T) {
	t.Setenv(asProgram, "1")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := startSystem(t.Context(), program, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { // before the context ends, which kills it
		if err := s.stop(); err != nil {
			t.Errorf("stop the system: %v", err)
		}
	}()
	const n = 40
	if err := s.fill(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	docs, err := open.Open(t.Context(), "sqlite:"+filepath.Join(s.data(), "projection.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer docs.Close()
	bustest.WaitFor(t, "the documents of what was filled", func() bool {
		got, err := docs.Count(t.Context(), string(contract.QuoteAggregate), "", "")
		if err != nil {
			t.Fatal(err)
		}
		return got == n
	})
}

// TestKilledProgramKeepsItsQuotes: what was answered is there after a kill.
func TestKilledProgramKeepsItsQuotes(t *testing.T) {
	t.Setenv(asProgram, "1")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	s, b, err := openQuotes(ctx, program, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { // before the context ends, which kills it
		if err := s.stop(); err != nil {
			t.Errorf("stop the system: %v", err)
		}
	}()
	ask := b.quotes(newAsker(s, 1))
	for i := range 5 {
		if err := ask(ctx, 0, i); err != nil {
			t.Fatal(err)
		}
	}
	before, err := s.queueLength(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s.kill()
	if err := s.start(ctx, program); err != nil {
		t.Fatal(err)
	}
	after, err := s.queueLength(ctx)
	if err != nil || after != before || before < 6 {
		t.Errorf("%d requests before the kill, %d after it, %v", before, after, err)
	}
}

// A program that ends instead of being ready is reported at once.
func TestProgramThatDoesNotStart(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_, err := startSystem(ctx, "/bin/false", 1)
	if err == nil || !strings.Contains(err.Error(), "ended instead of being ready") {
		t.Errorf("start a system that ends: %v, want that it ended instead of being ready", err)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	g := growing{parts: 10}
	if got := g.progressLine(2, 1000, 400, 150); !strings.Contains(got, "part 3 of 10: 400 of 1000 quotes, 25 a second") {
		t.Errorf("progress: %s, want part 3 of 10, 400 of 1000 quotes, 25 a second", got)
	}
}
