package flow_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

var policy = flow.Policy{Attempts: 3, First: time.Second, Most: 10 * time.Second}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	broken := errors.New("store is away")
	for _, tt := range []struct {
		name    string
		err     error
		attempt int
		kind    flow.Kind
		outcome contract.Code // of the request
	}{
		{"done", nil, 1, flow.Done, ""},
		{"refused", contract.Refuse(contract.NoFiles, "no"), 1, flow.Done, contract.NoFiles},
		{"failed", broken, 1, flow.Retry, ""},
		{"failed for the last time", broken, 3, flow.DeadLetter, contract.Internal},
		{"waiting", flow.Snooze(time.Minute, broken), 3, flow.Retry, ""},
		{"hopeless", flow.Permanent(broken), 1, flow.DeadLetter, contract.Internal},
		{"came too often", nil, 4, flow.DeadLetter, contract.Internal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sim := simbus.New(1, simbus.Faults{})
			c := contract.Command{ID: "c", Request: "req_1"}
			h := func(context.Context, contract.Command) error { return tt.err }
			v := policy.Run(t.Context(), sim, h, c, tt.attempt, sim.Now)
			op, err := aggregate.Load[contract.Operation](t.Context(), sim, contract.OperationAggregate, "req_1")
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

func TestPanicIsAFailedAttempt(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	v := policy.Run(t.Context(), sim, func(context.Context, contract.Command) error { panic("bug") }, contract.Command{ID: "c"}, 1, sim.Now)
	if _, ok := errors.AsType[*flow.PanicError](v.Err); !ok || v.Kind != flow.Retry {
		t.Errorf("verdict %s, %v", v.Kind, v.Err)
	}
}

// A request has one outcome, whatever a second copy of its command would do.
func TestOneOutcome(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	c := contract.Command{ID: "c", Request: "req_1"}
	refuse := func(context.Context, contract.Command) error { return contract.Refuse(contract.NoFiles, "no") }
	ran := false
	other := func(context.Context, contract.Command) error { ran = true; return nil }
	policy.Run(t.Context(), sim, refuse, c, 1, sim.Now)
	if v := policy.Run(t.Context(), sim, other, c, 1, sim.Now); v.Kind != flow.Done || ran {
		t.Errorf("a refused request ran again: %s", v.Kind)
	}
}

func TestDelaysGrow(t *testing.T) {
	t.Parallel()
	p := flow.Policy{First: time.Second, Most: 10 * time.Second}
	for attempt, want := range []time.Duration{1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 4: 8 * time.Second, 5: 10 * time.Second, 60: 10 * time.Second} {
		if want == 0 {
			continue
		}
		if d := p.Delay(attempt); d < want*9/10 || d > want*11/10 {
			t.Errorf("Delay(%d) = %s, want about %s", attempt, d, want)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	c := contract.Command{Name: contract.AddFiles, Data: []byte(`{"ref":"u"}`)}
	if data, err := flow.Decode[contract.AddFilesData](c); err != nil || data.Ref != "u" {
		t.Errorf("Decode = %+v, %v", data, err)
	}
	c.Data = []byte(`{"ref":`)
	sim := simbus.New(1, simbus.Faults{})
	h := func(_ context.Context, c contract.Command) error {
		_, err := flow.Decode[contract.AddFilesData](c)
		return err
	}
	if v := policy.Run(t.Context(), sim, h, c, 1, sim.Now); v.Kind != flow.DeadLetter {
		t.Errorf("half a body: %s, want it buried", v.Kind)
	}
}

// A command that was granted and then cannot be brought to its end is buried,
// but its client keeps the answer that it has.
func TestAGrantedRequestIsNotRefusedLater(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{errors.New("store is away"), contract.Refuse(contract.NoFiles, "no")} {
		sim := simbus.New(1, simbus.Faults{})
		grant := func(ctx context.Context, c contract.Command) error {
			_, err := aggregate.Execute(ctx, sim, contract.QuoteAggregate, "q", c, sim.Now(), func(aggregate.Snapshot[int]) (*aggregate.Change[int], error) {
				return &aggregate.Change[int]{Event: contract.QuotePriced, State: 1}, nil
			})
			return errors.Join(err, failure)
		}
		for attempt := range policy.Attempts {
			policy.Run(t.Context(), sim, grant, contract.Command{ID: "c", Request: "req_1"}, attempt+1, sim.Now)
		}
		op, err := aggregate.Load[contract.Operation](t.Context(), sim, contract.OperationAggregate, "req_1")
		if err != nil || op.Exists() {
			t.Errorf("after %v: a second outcome %+v, %v", failure, op.State, err)
		}
	}
}
