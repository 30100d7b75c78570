package outcome_test

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
)

func docs(t *testing.T) (*sqlite.Store, func(kind, id string, state any)) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, func(kind, id string, state any) {
		t.Helper()
		body, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put(t.Context(), projection.Document{Kind: kind, ID: id, Seq: 1, At: time.Now(), Body: body}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	s, put := docs(t)
	outcomes := outcome.Outcomes{Docs: s}
	if out, err := outcomes.Find(t.Context(), "req_1"); out != nil || err != nil {
		t.Errorf("unknown request: %+v, %v", out, err)
	}
	put("operation", "req_1", contract.Operation{Account: "a", Aggregate: contract.QuoteAggregate, ID: "q"})
	if out, err := outcomes.Find(t.Context(), "req_1"); out != nil || err != nil {
		t.Errorf("result not there yet: %+v, %v", out, err)
	}
	put("quote", "q", quotes.Quote{Ref: "q"})
	out, err := outcomes.Find(t.Context(), "req_1")
	if err != nil || out == nil || out.Account != "a" {
		t.Fatalf("Find = %+v, %v", out, err)
	}
	if q, err := outcome.Decode[quotes.Quote](out.Doc); q.Ref != "q" || err != nil {
		t.Errorf("Decode = %+v, %v", q, err)
	}
	granted := outcome.Outcomes{Docs: s, Made: func(request string) (contract.Aggregate, string) {
		return contract.QuoteAggregate, "made by " + request
	}}
	if out, err := granted.Find(t.Context(), "req_3"); out != nil || err != nil {
		t.Errorf("Find = %+v, %v of a request without an outcome", out, err)
	}
	put("quote", "made by req_3", quotes.Quote{Account: "b"})
	if out, err := granted.Find(t.Context(), "req_3"); err != nil || out == nil || out.Account != "b" || out.ID != "made by req_3" || out.Doc.ID != out.ID {
		t.Errorf("Find = %+v, %v of a request whose quote is there", out, err)
	}
	put("operation", "req_2", contract.Operation{Refusal: contract.Refuse(contract.NoFiles, "None.")})
	if out, err := outcomes.Find(t.Context(), "req_2"); err != nil || out.Refusal.Code != contract.NoFiles {
		t.Errorf("refusal: %+v, %v", out, err)
	}
}

func TestStoreThatIsDownIsNoOutcome(t *testing.T) {
	t.Parallel()
	s, put := docs(t)
	put("operation", "req_1", contract.Operation{})
	_ = s.Close()
	outcomes := outcome.Outcomes{Docs: s}
	_, err := outcomes.Find(t.Context(), "req_1")
	if err == nil || problem.Find(err).Status != 503 {
		t.Errorf("Find = %v", err)
	}
	w := wait.New(1, none{}).Join(wait.Request("req_1"))
	defer w.Leave()
	if out := outcomes.AwaitNext(t.Context(), w, "req_1", 10*time.Millisecond); out != nil {
		t.Errorf("AwaitNext = %+v, want nothing", out)
	}
}

// none is a broker that reports no changes.
type none struct{}

func (none) WatchChange(contract.Aggregate, string, func(*contract.Event)) (func(), error) {
	return func() {}, nil
}
