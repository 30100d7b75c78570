package console_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/services/console"
	"boardorder/services/console/internal/audit"
)

// team carries out the console's own commands, without pages.
type team struct {
	t        *testing.T
	bus      *bus.Bus
	handlers map[contract.CommandName]func(context.Context, contract.Command) error
	n        int
}

func newTeam(t *testing.T) *team {
	t.Helper()
	b := bustest.Start(t)
	x := &team{t: t, bus: b, handlers: map[contract.CommandName]func(context.Context, contract.Command) error{}}
	for name, h := range console.NewAccounts(b, time.Now).Handlers() {
		x.handlers[name] = h
	}
	return x
}

func (x *team) command(name contract.CommandName, data any) contract.Command {
	x.t.Helper()
	x.n++
	c, err := contract.NewCommand(name, fmt.Sprintf("req_%03d", x.n), "acc_1", time.Now(), data)
	if err != nil {
		x.t.Fatal(err)
	}
	return c
}

func (x *team) do(name contract.CommandName, data any) (contract.Command, error) {
	x.t.Helper()
	c := x.command(name, data)
	return c, x.handlers[name](x.t.Context(), c)
}

func (x *team) state(ref string) cases.Case {
	x.t.Helper()
	now, err := aggregate.At[cases.Case](x.bus, contract.CaseAggregate, ref).Load(x.t.Context())
	if err != nil {
		x.t.Fatal(err)
	}
	return now.State
}

func wantRefusal(t *testing.T, err error, code contract.Code) {
	t.Helper()
	if r := contract.RefusalIn(err); r == nil || r.Code != code {
		t.Errorf("error %v, want a refusal %s", err, code)
	}
}

func refund(t *testing.T, cents int64) cases.RequestApprovalData {
	t.Helper()
	data, err := json.Marshal(orders.IssueRefundData{Quote: "q", Operator: "fin", Cents: cents, Why: "Grace, a scratch"})
	if err != nil {
		t.Fatal(err)
	}
	return cases.RequestApprovalData{Case: "q", Person: contract.PersonRef("grace@example.com"), Operator: "fin", Kind: cases.ApproveRefund, Cents: cents, Currency: "USD", Command: data}
}

// TestFourEyes: what one operator wants another approves, and only then it is
// sent, once, however often the decision is delivered.
func TestFourEyes(t *testing.T) {
	t.Parallel()
	x := newTeam(t)
	sent := make(chan contract.Command, 10)
	bustest.Go(t, func(ctx context.Context) error {
		return x.bus.Serve(ctx, bus.Work{Service: "payment", Parallel: 1, Handlers: flow.Handlers{
			orders.IssueRefund: func(_ context.Context, c contract.Command) error { sent <- c; return nil },
		}})
	})
	request, err := x.do(cases.RequestApproval, refund(t, 1250))
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.do(cases.RequestApproval, refund(t, 99))
	wantRefusal(t, err, contract.Conflict)
	decision := cases.DecideData{Case: "q", Approval: request.ID, Operator: "fin", Approve: true}
	_, err = x.do(cases.Decide, decision)
	wantRefusal(t, err, contract.Conflict)
	decision.Operator = "ann"
	_, err = x.do(cases.Decide, cases.DecideData{Case: "q", Approval: "req_none", Operator: "ann", Approve: true})
	wantRefusal(t, err, contract.NotFound)
	if c := x.state("q"); c.Waiting != cases.Waits || len(c.Open()) != 1 {
		t.Fatalf("before the decision: %+v, want it to wait for one approval", c)
	}
	c := x.command(cases.Decide, decision)
	for range 2 { // delivered again
		if err := x.handlers[cases.Decide](t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	got := <-sent
	var data orders.IssueRefundData
	if err := json.Unmarshal(got.Data, &data); err != nil || data.Cents != 1250 || data.Operator != "fin, approved by ann" || got.Account != "acc_1" {
		t.Errorf("sent %+v: %+v, %v", got, data, err)
	}
	state := x.state("q")
	if a := state.Approvals[0]; state.Waiting != "" || a.Status != cases.ApprovalApproved || a.DecidedBy != "ann" || a.Request != got.Request || got.Request == "" {
		t.Errorf("after the decision: %+v, want it approved by ann for the request %q, waiting for nothing", state, got.Request)
	}
	_, err = x.do(cases.Decide, decision)
	wantRefusal(t, err, contract.Conflict)
	select {
	case again := <-sent:
		t.Errorf("sent twice: %+v", again)
	default:
	}
}

func TestDeclinedIsNotDone(t *testing.T) {
	t.Parallel()
	x := newTeam(t)
	request, err := x.do(cases.RequestApproval, refund(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	// Whoever asked may take it back.
	if _, err := x.do(cases.Decide, cases.DecideData{Case: "q", Approval: request.ID, Operator: "fin"}); err != nil {
		t.Fatal(err)
	}
	if c := x.state("q"); c.Approvals[0].Status != cases.ApprovalRefused || c.Waiting != "" || c.Approvals[0].Request != "" {
		t.Errorf("declined: %+v, want it refused, waiting for nothing, without a request", c)
	}
	states, err := x.bus.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		if s.Stream == contract.CommandStream && s.Messages != 0 {
			t.Errorf("%d commands were sent, want none", s.Messages)
		}
	}
	for _, wrong := range []cases.RequestApprovalData{{Case: "q", Operator: "fin", Kind: "party", Cents: 1}, {Case: "q", Kind: cases.ApproveRefund, Cents: 1}, {Case: "q", Operator: "fin", Kind: cases.ApproveRefund}} {
		_, err := x.do(cases.RequestApproval, wrong)
		wantRefusal(t, err, contract.InvalidRequest)
	}
}

func TestTakeCase(t *testing.T) {
	t.Parallel()
	x := newTeam(t)
	for i, tt := range []struct {
		operator string
		leave    bool
		want     string
	}{{"ann", false, "ann"}, {"ann", false, "ann"}, {"ben", false, "ben"}, {"ben", true, ""}, {"ben", true, ""}} {
		if _, err := x.do(cases.Take, cases.TakeData{Case: "q", Operator: tt.operator, Leave: tt.leave}); err != nil {
			t.Fatalf("step %d, %+v: %v, want it granted", i, tt, err)
		}
		if c := x.state("q"); c.Assignee != tt.want || (c.TakenAt != nil) != (tt.want != "") {
			t.Errorf("%d: %+v, want %q", i, c, tt.want)
		}
	}
	_, err := x.do(cases.Take, cases.TakeData{Case: "q"})
	wantRefusal(t, err, contract.InvalidRequest)
}

// TestCasesAreErased: what was written to a customer leaves with the rest of the
// customer's data; who did what stays.
func TestCasesAreErased(t *testing.T) {
	t.Parallel()
	x := newTeam(t)
	if _, err := x.do(cases.RequestApproval, refund(t, 1250)); err != nil {
		t.Fatal(err)
	}
	other := refund(t, 1)
	other.Case, other.Person = "r", contract.PersonRef("ada@example.com")
	if _, err := x.do(cases.RequestApproval, other); err != nil {
		t.Fatal(err)
	}
	if _, err := x.do(erasures.EraseCustomer, erasures.EraseCustomerData{Person: contract.PersonRef("grace@example.com"), Operator: "ann"}); err != nil {
		t.Fatal(err)
	}
	events, err := x.bus.History(t.Context(), contract.CaseAggregate, "q", 0, 10)
	if err != nil || len(events) != 1 || events[0].Event.Name != contract.Erased {
		t.Fatalf("left of the case: %+v, %v", events, err)
	}
	if c := x.state("q"); c.Person != "" || len(c.Approvals) != 1 || c.Approvals[0].Command != nil || c.Approvals[0].AskedBy != "fin" {
		t.Errorf("the case after: %+v, want no person and no command, and who asked", c)
	}
	if c := x.state("r"); len(c.Approvals[0].Command) == 0 {
		t.Error("another customer's case was erased")
	}
}

// TestTrail: entries of several consoles are one chain, and what is changed or
// taken out of it is found.
func TestTrail(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			trail := console.NewTrail(b, time.Now)
			for j := range 5 {
				err := trail.Record(t.Context(), audits.Record{Operator: fmt.Sprint("op", i), Action: "look", ID: fmt.Sprint(j), Outcome: "done"})
				if err != nil {
					t.Errorf("record look %d of op%d: %v", j, i, err)
				}
			}
		})
	}
	all.Wait()
	report, err := audit.Verify(t.Context(), b)
	if err != nil || report.Entries != 20 || report.Head == "" || len(report.Problems) != 0 {
		t.Fatalf("VerifyTrail = %+v, %v", report, err)
	}
	entries := entriesOf(t, b)
	forged := func(change func([]audits.Entry) []audits.Entry) int {
		v := audit.NewVerifier()
		for _, e := range change(append([]audits.Entry(nil), entries...)) {
			v.Add(e)
		}
		return len(v.Report().Problems)
	}
	for name, change := range map[string]func([]audits.Entry) []audits.Entry{
		"removed":       func(e []audits.Entry) []audits.Entry { return append(e[:7:7], e[8:]...) },
		"first removed": func(e []audits.Entry) []audits.Entry { return e[1:] },
		"changed": func(e []audits.Entry) []audits.Entry {
			e[3].Record = json.RawMessage(`{"at":"2026-11-22T10:00:00Z","operator":"nobody","action":"look","outcome":"done"}`)
			return e
		},
		"changed, and hashed anew": func(e []audits.Entry) []audits.Entry {
			e[3], _ = audits.NewEntry(e[2], audits.Record{Operator: "nobody"})
			return e
		},
		"in another order": func(e []audits.Entry) []audits.Entry { e[4], e[5] = e[5], e[4]; return e },
	} {
		if forged(change) == 0 {
			t.Errorf("%s: no problems found, want some", name)
		}
	}
	if n := forged(func(e []audits.Entry) []audits.Entry { return e }); n != 0 {
		t.Errorf("the chain as it is has %d problems, want none", n)
	}
}

func entriesOf(t *testing.T, b *bus.Bus) (all []audits.Entry) {
	t.Helper()
	err := audit.Read(t.Context(), b, func(e audits.Entry) { all = append(all, e) })
	if err != nil {
		t.Fatal(err)
	}
	return all
}
