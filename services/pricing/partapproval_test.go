package pricing_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
)

// quoteWithAlternatives is a quote whose U1 nobody sells, and in whose place two others could be fitted.
func (d *desk) quoteWithAlternatives(t *testing.T) quotes.Quote {
	t.Helper()
	d.reads(t, twoLayers("board"))
	gone := assemblyPart("U1", 0)
	gone.Alternatives = []partchecks.Alternative{{MPN: "NEW-1", Manufacturer: "Maker", Stock: 900, CostUSD: "12.00", Score: 90, NoWorse: true}, {MPN: "NEW-2", Stock: 50, CostUSD: "9.00", Score: 40}}
	d.assembled = []assemblies.Assembly{assemblyWith(false, assemblyPart("R1", 40), gone)}
	d.Handle(flow.Handlers{audits.NoteApproval: func(context.Context, contract.Command) error { return nil }})
	request, refusal := d.do(t, quotes.Price, standard(assembly))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	return d.quote(t, request)
}

// customerSays is the customer's answer to the only approval of a quote.
func customerSays(t *testing.T, q quotes.Quote, mpn string) quotes.AnswerApprovalData {
	t.Helper()
	shown, err := q.DigestOf(q.Approvals[0])
	if err != nil {
		t.Fatal(err)
	}
	return quotes.AnswerApprovalData{Quote: q.Ref, Approval: q.Approvals[0].ID, Shown: shown, OpenedAt: q.CreatedAt, Chosen: []string{mpn}, Name: "Ada", Language: "en"}
}

func (d *desk) ask(t *testing.T, q quotes.Quote) quotes.Quote {
	t.Helper()
	if _, refusal := d.do(t, quotes.AskApproval, quotes.AskApprovalData{Quote: q.Ref, Approval: "pa_1"}); refusal != nil {
		t.Fatalf("asked: %+v, want it granted", refusal)
	}
	return d.loadQuote(t, q.Ref)
}

// requestAgain asks for the price of a quote with the parts of its approval.
func requestAgain(q quotes.Quote) quotes.PriceData {
	return quotes.PriceData{Upload: q.Upload, Digest: q.Digest, From: q.Ref, Approval: "pa_1", Request: q.Request}
}

// TestPartsAreApproved: what the customer approves is fitted in the quote that is asked for with it, which says
// who approved it, and so does every later quote of the same parts.
func TestPartsAreApproved(t *testing.T) {
	t.Parallel()
	d := setup(t)
	q := d.ask(t, d.quoteWithAlternatives(t))
	if _, refusal := d.do(t, quotes.Price, requestAgain(q)); refusal == nil || refusal.Code != contract.ApprovalRequired {
		t.Errorf("priced before the customer answered: %+v, want %s", refusal, contract.ApprovalRequired)
	}
	if _, refusal := d.do(t, quotes.AnswerApproval, customerSays(t, q, "NEW-1")); refusal != nil {
		t.Fatalf("answered: %+v, want it granted", refusal)
	}
	bought := assemblyPart("U1", 1200)
	bought.MPN, bought.Manufacturer, bought.Replaces, bought.Approved = "NEW-1", "Maker", "part of U1", true
	d.assembled = []assemblies.Assembly{assemblyWith(false, assemblyPart("R1", 40), bought)}
	request, refusal := d.do(t, quotes.Price, requestAgain(q))
	if refusal != nil {
		t.Fatalf("priced: %+v, want it granted", refusal)
	}
	next := d.quote(t, request)
	fitted := next.Reply.Parts[1]
	if want := []assemblies.Substitution{{Reference: "U1", ReplacementMPN: "NEW-1", ReplacementManufacturer: "Maker"}}; next.Mode != quotes.ModeInstant || !slices.Equal(next.Request.Substitutions, want) ||
		fitted.Approval == nil || fitted.Approval.By != "Ada" || len(next.Approved) != 1 || next.Approved[0].Quote != q.Ref {
		t.Errorf("priced %s with %+v, U1 %+v, approved %+v; want instant with NEW-1, approved by Ada", next.Mode, next.Request.Substitutions, fitted.Approval, next.Approved)
	}
	later := requestAgain(next)
	later.Approval = ""
	request, refusal = d.do(t, quotes.Price, later)
	if renewed := d.quote(t, request); refusal != nil || len(renewed.Approved) != 1 || renewed.Approved[0].By != "Ada" {
		t.Errorf("refreshed: %+v, approved %+v; want it along", refusal, renewed.Approved)
	}
	own := standard(func(r *quotes.Request) { assembly(r); r.Substitutions = next.Request.Substitutions })
	request, refusal = d.do(t, quotes.Price, own)
	if plain := d.quote(t, request); refusal != nil || len(plain.Approved) != 0 || plain.Reply.Parts[1].Approval != nil {
		t.Errorf("asked for by somebody's word: %+v, approved %+v; want no approval", refusal, plain.Approved)
	}
	d.assembled = []assemblies.Assembly{assemblyWith(false, assemblyPart("R1", 40), func() assemblies.Part { p := bought; p.Bought, p.CostCents = 0, 0; return p }())}
	d.Advance(partchecks.Fresh)
	request, refusal = d.do(t, quotes.Price, requestAgain(q))
	if sold := d.quote(t, request); refusal != nil || sold.Mode != quotes.ModeReview || len(sold.Approved) != 1 {
		t.Errorf("sold out meanwhile: %+v, %s, approved %+v; want a review with what was approved", refusal, sold.Mode, sold.Approved)
	}
}

// TestApprovalsAreRefused: nobody is asked about, and nobody answers, what is no more.
func TestApprovalsAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*testing.T, *desk, quotes.Quote)
		want   contract.Code
	}{
		"as it was": {nil, ""},
		"paid": {func(t *testing.T, d *desk, q quotes.Quote) {
			commit(t, d, contract.OrderAggregate, q.Ref, orders.EventPaid, orders.Order{Quote: q.Ref})
		}, contract.Conflict},
		"more files": {func(t *testing.T, d *desk, _ quotes.Quote) {
			commit(t, d, contract.UploadAggregate, "u", uploads.EventFilesAdded, uploads.Upload{Ref: "u", Status: uploads.Open, Digest: "e", ExpiresAt: d.Now().Add(time.Hour), Files: []uploads.File{{Name: "a.gbr"}}})
		}, contract.Conflict},
		"files deleted": {func(t *testing.T, d *desk, _ quotes.Quote) {
			commit(t, d, contract.UploadAggregate, "u", uploads.EventExpired, uploads.Upload{Ref: "u", Status: uploads.Expired, Digest: "d"})
		}, ""},
		"declared": {func(t *testing.T, d *desk, _ quotes.Quote) {
			commit(t, d, contract.UploadAggregate, "u", uploads.EventITARDeclared, uploads.Upload{Ref: "u", Account: "acc_1", Status: uploads.ITARDeclared, Digest: "d"})
		}, contract.ITARNotSupported},
		"another account": {func(_ *testing.T, d *desk, _ quotes.Quote) { d.owner = "acc_2" }, contract.NotFound},
		"expired":         {func(_ *testing.T, d *desk, _ quotes.Quote) { d.Advance(quotes.ReviewTTL) }, "late"},
	} {
		d := setup(t)
		q := d.ask(t, d.quoteWithAlternatives(t))
		if tt.change != nil {
			tt.change(t, d, q)
		}
		_, asked := d.do(t, quotes.AskApproval, quotes.AskApprovalData{Quote: q.Ref, Approval: "pa_2"})
		_, answered := d.do(t, quotes.AnswerApproval, customerSays(t, q, "NEW-1"))
		wants := [2]contract.Code{tt.want, tt.want}
		if tt.want == "late" {
			wants = [2]contract.Code{contract.QuoteExpired, contract.LinkExpired}
		}
		if got := [2]contract.Code{codeOf(asked), codeOf(answered)}; got != wants {
			t.Errorf("%s: asked %q, answered %q; want %q", name, got[0], got[1], wants)
		}
	}
}

// TestApprovalThroughFaults: whatever crashes, is lost or comes twice, and whoever answers beside, a quote is
// asked about once and has one answer, which the trail is told of.
func TestApprovalThroughFaults(t *testing.T) {
	t.Parallel()
	d := setup(t)
	q := d.quoteWithAlternatives(t)
	crashes := 0
	for seed := range uint64(30) {
		told := map[string]int{}
		sim := d.faulty(t, seed+1, newMarket(), flow.Handlers{audits.NoteApproval: func(_ context.Context, c contract.Command) error { told[c.ID]++; return nil }})
		send := func(name contract.CommandName, request string, data any) {
			c, err := contract.NewCommand(name, request, q.Account, sim.Now(), data)
			if err != nil {
				t.Fatal(err)
			}
			for !survives(func() error { return sim.Send(t.Context(), c) }) {
			}
		}
		for range 2 { // the client sends it again
			send(quotes.AskApproval, "req_ask", quotes.AskApprovalData{Quote: q.Ref, Approval: "pa_1"})
		}
		sim.Run(sim.Now().Add(time.Hour))
		events := sim.Events(contract.QuoteAggregate)
		asked, err := aggregate.Decode[quotes.Quote](events[len(events)-1])
		if err != nil || len(asked.State.Approvals) != 1 {
			t.Fatalf("seed %d: asked for %+v, %v; want one approval", seed+1, asked.State.Approvals, err)
		}
		for _, from := range []string{"one", "two"} { // two tabs
			data := customerSays(t, asked.State, map[string]string{"one": "NEW-1", "two": ""}[from])
			send(quotes.AnswerApproval, "req_"+from, data)
		}
		sim.Run(sim.Now().Add(time.Hour))
		sim.Calm()
		sim.Run(sim.Now().Add(time.Hour))
		now, err := aggregate.At[quotes.Quote](sim, contract.QuoteAggregate, q.Ref).Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		outcomes, answers := 0, 0
		for _, request := range []string{"req_one", "req_two"} {
			if op, ok := sim.Outcome(request); ok && op.Refusal == nil {
				outcomes++
			}
		}
		for _, e := range sim.Events(contract.QuoteAggregate) {
			if e.Name == quotes.EventPartsApproved || e.Name == quotes.EventPartsDeclined {
				answers++
			}
		}
		if answers != 1 || outcomes != 1 || len(told) != 1 || now.State.Approvals[0].Answer == nil || len(sim.Dead) > 0 {
			t.Fatalf("seed %d: %d answers, %d granted, told of %v, %d dead letters; want one answer, granted and told of once", seed+1, answers, outcomes, told, len(sim.Dead))
		}
		crashes += sim.Crashes()
	}
	if crashes == 0 {
		t.Error("nothing crashed: the test tests nothing")
	}
}
