package dispatch_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
)

// broker takes commands after it failed some times, and then projects an operation.
type broker struct {
	docs  *sqlite.Store
	fails int
	op    *contract.Operation // nil: none comes in time
	sent  []contract.Command
	wake  func(request string)
}

var errLost = errors.New("the answer was lost")

func (b *broker) Send(ctx context.Context, c contract.Command) error {
	b.sent = append(b.sent, c)
	if len(b.sent) <= b.fails {
		return errLost
	}
	if b.op == nil {
		return nil
	}
	body, err := json.Marshal(b.op)
	if err != nil {
		return err
	}
	defer b.wake(c.Request)
	return b.docs.Put(ctx, projection.Document{Kind: string(contract.OperationAggregate), ID: c.Request, Seq: 1, Body: body})
}

func (*broker) WatchChange(contract.Aggregate, string, func(*contract.Event)) (func(), error) {
	return func() {}, nil
}

func newClient(t *testing.T, b *broker) *dispatch.Client {
	t.Helper()
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	b.docs = docs
	waiters := wait.New(10, b)
	b.wake = func(request string) { waiters.Wake(wait.Request(request)) }
	return &dispatch.Client{Send: b, Docs: docs, Waiters: waiters, Now: time.Now}
}

// TestOutcomes: how Do and Submit end by what the broker does.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	granted := &contract.Operation{Account: "a"}
	refused := &contract.Operation{Refusal: contract.Refuse(contract.NoFiles, "None.")}
	do := (*dispatch.Client).Do
	submit := (*dispatch.Client).Submit
	for name, tt := range map[string]struct {
		call    func(*dispatch.Client, context.Context, contract.Command, time.Duration) (*outcome.Outcome, error)
		fails   int
		op      *contract.Operation
		sent    int
		granted bool
		code    contract.Code
		lost    bool // ErrNotSent
	}{
		"do: granted":                {do, 0, granted, 1, true, "", false},
		"do: refused":                {do, 0, refused, 1, false, contract.NoFiles, false},
		"do: nothing in time":        {do, 0, nil, 1, false, contract.Unavailable, false},
		"do: not sent":               {do, 1, granted, 1, false, contract.Unavailable, false},
		"submit: granted":            {submit, 0, granted, 1, true, "", false},
		"submit: refused":            {submit, 0, refused, 1, false, contract.NoFiles, false},
		"submit: nothing in time":    {submit, 0, nil, 1, false, "", false},
		"submit: an answer was lost": {submit, 1, granted, 2, true, "", false},
		"submit: not sent":           {submit, 2, granted, 2, false, "", true},
	} {
		b := &broker{fails: tt.fails, op: tt.op}
		k := newClient(t, b)
		patience := time.Minute
		if tt.op == nil {
			patience = time.Millisecond
		}
		out, err := tt.call(k, t.Context(), contract.Command{ID: "c", Name: uploads.Create, Request: k.NewRequest()}, patience)
		code := contract.Code("")
		if r := contract.RefusalIn(err); r != nil {
			code = r.Code
		} else if p, ok := errors.AsType[*problem.Problem](err); ok {
			code = p.Refusal.Code
		}
		if (out != nil) != tt.granted || code != tt.code || errors.Is(err, dispatch.ErrNotSent) != tt.lost || len(b.sent) != tt.sent || (err == nil) != (tt.code == "" && !tt.lost) {
			t.Errorf("%s: outcome %+v, error %v, sent %d times; want granted %t, code %q, not sent %t, sent %d times",
				name, out, err, len(b.sent), tt.granted, tt.code, tt.lost, tt.sent)
		}
		for _, c := range b.sent {
			if c.ID != "c" {
				t.Errorf("%s: sent as %q, want the same command %q", name, c.ID, "c")
			}
		}
	}
}
