package problem_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"

	"github.com/google/go-cmp/cmp"
)

func TestEveryCodeHasAStatusOfItsOwn(t *testing.T) {
	t.Parallel()
	for _, code := range contract.Codes() {
		if !problem.HasStatus(code) {
			t.Errorf("code %s has no status", code)
		}
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err    error
		status int
		body   string
		header map[string]string
	}{
		"refusal": {
			contract.Refuse(contract.NeedsDetails, "Say more."), 422,
			`{"ok":false,"error":"needs_details","message":"Say more."}`, map[string]string{},
		},
		"wrapped refusal with a time": {
			fmt.Errorf("x: %w", contract.Refuse(contract.PriceUnavailable, "Later.")), 503,
			`{"ok":false,"error":"price_unavailable","message":"Later.","retry_after_s":120}`,
			map[string]string{"Retry-After": "120"},
		},
		"unauthorized": {
			problem.New(contract.Unauthorized, "Key."), 401,
			`{"ok":false,"error":"unauthorized","message":"Key."}`,
			map[string]string{"WWW-Authenticate": `Bearer realm="boardorder"`},
		},
		"fields": {
			problem.Fields([]contract.FieldProblem{{Field: "a", Problem: "missing", Message: "m"}}), 422,
			`{"ok":false,"error":"invalid_request","message":"One field was refused; see fields.","fields":[{"field":"a","problem":"missing","message":"m"}]}`,
			map[string]string{},
		},
		"detail": {
			&problem.Problem{Status: 422, Detail: []problem.Detail{{Loc: []any{"query", "x"}, Msg: "m", Type: "missing"}}}, 422,
			`{"detail":[{"loc":["query","x"],"msg":"m","type":"missing","input":null,"ctx":{}}]}`, map[string]string{},
		},
	}
	for name, tt := range tests {
		p := problem.Find(tt.err)
		body, err := json.Marshal(p.Body())
		if err != nil {
			t.Fatal(err)
		}
		if p.Status != tt.status || string(body) != tt.body || !cmp.Equal(p.Headers(), tt.header) {
			t.Errorf("%s: Of = %d %s %v; want %d %s %v", name, p.Status, body, p.Headers(), tt.status, tt.body, tt.header)
		}
	}
}

// What is unavailable for a known cause keeps it, however often it is said.
func TestUnavailableKeepsItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("no leader")
	for name, err := range map[string]error{
		"once": cause, "twice": problem.Unavailable(cause), "wrapped": fmt.Errorf("load: %w", problem.Unavailable(cause)),
	} {
		if p := problem.Unavailable(err); p.Status != 503 || p.Cause != cause {
			t.Errorf("%s: status %d, cause %v, want 503 and %v", name, p.Status, p.Cause, cause)
		}
	}
	refusal := problem.New(contract.UploadNotReady, "Not yet.")
	if p := problem.Unavailable(refusal); p != refusal {
		t.Errorf("a refusal became %v, want it unchanged", p)
	}
}

func TestOfHidesOurOwnErrors(t *testing.T) {
	t.Parallel()
	secret := errors.New("dial mongodb://user:password@host")
	p := problem.Find(secret)
	body, _ := json.Marshal(p.Body())
	if p.Status != 500 || !errors.Is(p, secret) || string(body) == "" || strings.Contains(string(body), "password") {
		t.Errorf("Find = %d %s, cause %v; want 500, the cause kept and not shown", p.Status, body, p.Cause)
	}
}
