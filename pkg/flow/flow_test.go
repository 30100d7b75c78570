package flow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
)

var policy = flow.Policy{Failures: 3, Unfinished: 2, First: time.Second, MaxDelay: 10 * time.Second}

var errUnreachable = errors.New("store is unreachable")

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		err     error
		kind    flow.Kind
		outcome contract.Code // of the request
	}{
		{"done", nil, flow.Done, ""},
		{"refused", contract.Refuse(contract.NoFiles, "no"), flow.Done, contract.NoFiles},
		{"refused before", aggregate.ErrSettled, flow.Done, ""},
		{"failed", errUnreachable, flow.Retry, ""},
		{"waiting", flow.Snooze(time.Minute, errUnreachable), flow.Wait, ""},
		{"waiting for something", flow.SnoozeUntil(contract.BoardAggregate, "b", time.Minute, errUnreachable), flow.Wait, ""},
		{"hopeless", flow.Permanent(errUnreachable), flow.DeadLetter, ""},
		{"too large for a message", fmt.Errorf("commit: %w", aggregate.ErrTooLarge), flow.DeadLetter, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sim := simbus.New(1, simbus.Faults{})
			c := contract.Command{ID: "c", Request: "req_1"}
			v := flow.Run(t.Context(), sim, func(context.Context, contract.Command) error { return tt.err }, c, sim.Now)
			op, err := aggregate.At[contract.Operation](sim, contract.OperationAggregate, "req_1").Load(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got contract.Code
			if op.Exists() {
				got = op.State.Refusal.Code
			}
			if v.Kind != tt.kind || got != tt.outcome {
				t.Errorf("verdict %s, outcome %q; want %s, %q", v.Kind, got, tt.kind, tt.outcome)
			}
		})
	}
}

// What is decided after the process was asked to stop is no decision: another
// process has the command anew. What was done is done.
func TestInterruptedDecidesNothing(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"failed": errUnreachable, "refused": contract.Refuse(contract.NoFiles, "no"), "hopeless": flow.Permanent(errUnreachable), "done": nil,
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(flow.ErrStopping)
		sim := simbus.New(1, simbus.Faults{})
		v := flow.Run(ctx, sim, func(context.Context, contract.Command) error { return err }, contract.Command{ID: "c", Request: "req_1"}, sim.Now)
		want := flow.Interrupted
		if err == nil {
			want = flow.Done
		}
		if a, _ := policy.End(flow.Attempts{Unfinished: []string{"run"}}, "run", v); v.Kind != want || len(a.Unfinished)+a.Failed+a.Unavailable > 0 {
			t.Errorf("%s: %s, attempts %+v; want %s and none used up", name, v.Kind, a, want)
		}
	}
}

// What is kept of attempts, run by run.
func TestAttempts(t *testing.T) {
	t.Parallel()
	const died = flow.Kind(-1) // the process did
	for name, tt := range map[string]struct {
		risky bool
		runs  []flow.Kind
		want  flow.Attempts
		dead  bool // the next run, or the last one, ends it
	}{
		"waits never count":           {false, []flow.Kind{flow.Wait, flow.Wait, flow.Wait, flow.Wait, flow.Wait}, flow.Attempts{}, false},
		"risky waits neither":         {true, []flow.Kind{flow.Wait, flow.Wait, flow.Wait, flow.Wait}, flow.Attempts{}, false},
		"failures do":                 {false, []flow.Kind{flow.Retry, flow.Wait, flow.Retry}, flow.Attempts{Failed: 2, Error: "unreachable"}, false},
		"the last one":                {false, []flow.Kind{flow.Retry, flow.Retry, flow.Retry}, flow.Attempts{Failed: 3, Error: "unreachable"}, true},
		"one death":                   {true, []flow.Kind{died}, flow.Attempts{Unfinished: []string{"1"}}, false},
		"deaths and failures":         {true, []flow.Kind{died, flow.Retry}, flow.Attempts{Unfinished: []string{"1"}, Failed: 1, Error: "unreachable"}, false},
		"as many deaths as there may": {true, []flow.Kind{died, flow.Wait, died}, flow.Attempts{Unfinished: []string{"1", "3"}}, true},
	} {
		var a flow.Attempts
		dead := false
		for i, kind := range tt.runs {
			var err error
			run := ""
			if tt.risky {
				run = strconv.Itoa(i + 1)
				if a, err = policy.Begin(a, run); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if kind == died {
				continue
			}
			var v flow.Verdict
			a, v = policy.End(a, run, flow.Verdict{Kind: kind, Err: errors.New("unreachable")})
			dead = v.Kind == flow.DeadLetter
		}
		if tt.risky {
			_, err := policy.Begin(a, "next")
			dead = err != nil
		}
		if fmt.Sprint(a) != fmt.Sprint(tt.want) || dead != tt.dead {
			t.Errorf("%s: %+v, dead %t; want %+v, %t", name, a, dead, tt.want, tt.dead)
		}
	}
}

// TestLateRunsAreNotRepeated: what took all of its time is done once more at most,
// whatever else failed; a store that cannot be reached is waited for as before.
func TestLateRunsAreNotRepeated(t *testing.T) {
	t.Parallel()
	patient := flow.Policy{Failures: 12, Late: 2, First: time.Second, MaxDelay: time.Second}
	for name, tt := range map[string]struct {
		runs string // l late, f failed, a the event system was away, late
		want flow.Kind
	}{
		"late":              {"l", flow.Retry},
		"late twice":        {"ll", flow.DeadLetter},
		"failed since":      {"lfl", flow.DeadLetter},
		"failed":            {"ffffff", flow.Retry},
		"late once":         {"fffflf", flow.Retry},
		"nobody to blame":   {"aaaaaa", flow.Retry},
		"late, then it was": {"laaa", flow.Retry},
	} {
		var a flow.Attempts
		var v flow.Verdict
		for _, run := range tt.runs {
			ctx, cancel := context.WithCancel(t.Context())
			err := errUnreachable
			if run != 'f' {
				ctx, cancel = context.WithDeadline(t.Context(), time.Unix(0, 0))
			}
			if run == 'a' {
				err = flow.ErrUnavailable
			}
			sim := simbus.New(1, simbus.Faults{})
			v = flow.Run(ctx, sim, func(context.Context, contract.Command) error { return err }, contract.Command{ID: "c"}, sim.Now)
			cancel()
			a, v = patient.End(a, "", v)
		}
		if v.Kind != tt.want {
			t.Errorf("%s: after runs %q: %s, %+v; want %s", name, tt.runs, v.Kind, a, tt.want)
		}
	}
}

func TestPanicIsAFailedAttempt(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	v := flow.Run(t.Context(), sim, func(context.Context, contract.Command) error { panic("bug") }, contract.Command{ID: "c"}, sim.Now)
	if _, ok := errors.AsType[*flow.PanicError](v.Err); !ok || v.Kind != flow.Retry {
		t.Errorf("verdict %s, %v; want %s, a panic", v.Kind, v.Err, flow.Retry)
	}
}

func TestDelaysGrow(t *testing.T) {
	t.Parallel()
	for failure, want := range []time.Duration{1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 4: 8 * time.Second, 5: 10 * time.Second, 60: 10 * time.Second} {
		if want == 0 {
			continue
		}
		if d := policy.Delay(failure); d < want*9/10 || d > want*11/10 {
			t.Errorf("Delay(%d) = %s, want about %s", failure, d, want)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	c := contract.Command{Name: uploads.AddFiles, Data: []byte(`{"ref":"u"}`)}
	if data, err := flow.Decode[uploads.AddFilesData](c); err != nil || data.Ref != "u" {
		t.Errorf("Decode = %+v, %v", data, err)
	}
	c.Data = []byte(`{"ref":`)
	sim := simbus.New(1, simbus.Faults{})
	h := func(_ context.Context, c contract.Command) error {
		_, err := flow.Decode[uploads.AddFilesData](c)
		return err
	}
	if v := flow.Run(t.Context(), sim, h, c, sim.Now); v.Kind != flow.DeadLetter {
		t.Errorf("half a body: %s, want a dead letter", v.Kind)
	}
}

// A command that was granted and then cannot be brought to its end becomes a
// dead letter, but its client keeps the answer that it has.
func TestAGrantedRequestIsNotRefusedAfterwards(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{errUnreachable, contract.Refuse(contract.NoFiles, "no")} {
		sim := simbus.New(1, simbus.Faults{})
		c := contract.Command{ID: "c", Name: quotes.ChooseDelivery, Request: "req_1", Data: json.RawMessage(`{"quote":"q"}`)}
		grant := func(ctx context.Context, c contract.Command) error {
			_, err := aggregate.At[int](sim, contract.QuoteAggregate, "q").Execute(ctx, c, sim.Now(), func(aggregate.Snapshot[int]) (*aggregate.Change[int], error) {
				return &aggregate.Change[int]{Event: quotes.EventPriced, State: 1}, nil
			})
			return errors.Join(err, failure)
		}
		for range 3 {
			flow.Run(t.Context(), sim, grant, c, sim.Now)
		}
		if err := flow.GiveUp(t.Context(), sim, nil, c, sim.Now); err != nil {
			t.Fatal(err)
		}
		if n := len(sim.Events(contract.QuoteAggregate)) + len(sim.Events(contract.OperationAggregate)); n != 1 {
			t.Errorf("after %v: %d events, want the grant alone", failure, n)
		}
	}
}

// TestGivingUpEndsWhatBegan, and answers the client only once that is done.
func TestGivingUpEndsWhatBegan(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	c := contract.Command{ID: "c", Name: quotes.ChooseDelivery, Request: "req_1", Data: json.RawMessage(`{"quote":"q"}`)}
	var ended []string
	failing := errUnreachable
	own := flow.Handlers{quotes.ChooseDelivery: func(_ context.Context, c contract.Command) error {
		ended = append(ended, c.ID)
		return failing
	}}
	for i, want := range []error{errUnreachable, nil} {
		if err := flow.GiveUp(t.Context(), sim, own, c, sim.Now); !errors.Is(err, want) || len(ended) != i+1 {
			t.Fatalf("try %d: %v, ended %v; want %v, %d", i+1, err, ended, want, i+1)
		}
		if n := len(sim.Events(contract.QuoteAggregate)); n != i {
			t.Errorf("try %d: %d outcomes, want %d", i+1, n, i)
		}
		failing = nil
	}
	c.ID, c.Name = "other", quotes.RequestReview
	if err := flow.GiveUp(t.Context(), sim, own, c, sim.Now); err != nil || len(ended) != 2 {
		t.Errorf("another command: %v, ended %v; want no error, the two of before", err, ended)
	}
}

// An event system that is unavailable uses up no attempt, however long, and is asked
// again soon; what failed before and after counts as ever.
func TestUnavailableUsesUpNoAttempt(t *testing.T) {
	t.Parallel()
	p := flow.DefaultPolicy()
	run := func(a flow.Attempts, err error, times int) (flow.Attempts, flow.Verdict) {
		var v flow.Verdict
		for range times {
			a, v = p.End(a, "", flow.Verdict{Kind: flow.Retry, Err: err})
		}
		return a, v
	}
	fault := errors.New("a fault")
	a, v := run(flow.Attempts{}, fault, 3)
	a, v = run(a, fmt.Errorf("load: %w", flow.ErrUnavailable), 1000)
	if v.Kind != flow.Retry || v.After > 10*time.Second || a.Failed != 3 {
		t.Errorf("after a long outage: %v after %s, %+v; want %v after 10 s at most, 3 failed", v.Kind, v.After, a, flow.Retry)
	}
	if a, v = run(a, fault, 1); v.Kind != flow.Retry || a.Failed != 4 || a.Unavailable != 0 {
		t.Errorf("after the next failure: %v, %+v; want %v, 4 failed, none unavailable", v.Kind, a, flow.Retry)
	}
	if a, v = run(a, fault, 8); v.Kind != flow.DeadLetter || a.Failed != 12 {
		t.Errorf("after the last failure: %v, %+v; want %v, 12 failed", v.Kind, a, flow.DeadLetter)
	}
}
