package pricing_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/flow"
)

// checkPart stands for part sourcing: it sells what has a price in sells, by number.
func (d *desk) checkPart(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[partchecks.CheckData](c)
	if err != nil {
		return err
	}
	if d.silent {
		return nil
	}
	requested := data.Parts[0]
	found := partchecks.Found{Reference: requested.Reference, Part: requested.MPN, QuantityPerBoard: int64(requested.Quantity), Verdict: "problem", Why: "not found at fab", Searched: []string{"fab"}}
	if usd := d.sells[requested.MPN]; usd != "" {
		found.Verdict, found.Why, found.MPN, found.Supplier, found.CostUSD, found.Bought = "ok", "", requested.MPN, "Distributor A", usd, int64(data.Boards*requested.Quantity)
	}
	check := partchecks.PartCheck{ID: data.Check, Account: c.Account, Status: partchecks.Ended, Attempt: 1, StartedAt: d.Now(), EndedAt: d.Now(), Report: &partchecks.Report{Parts: []partchecks.Found{found}}}
	d.checked++
	_, err = aggregate.At[partchecks.PartCheck](d, contract.PartCheckAggregate, data.Check).Execute(ctx, c, d.Now(), func(aggregate.Snapshot[partchecks.PartCheck]) (*aggregate.Change[partchecks.PartCheck], error) {
		return &aggregate.Change[partchecks.PartCheck]{Event: partchecks.EventChecked, State: check}, nil
	})
	return err
}

// assemblyWithoutNumber is an assembly with a connector that names no part.
func assemblyWithoutNumber() assemblies.Assembly {
	connector := assemblyPart("J1", 0)
	connector.Picked, connector.QuantityPerBoard, connector.Footprint = true, 2, "PH-2"
	a := assemblyWith(false, assemblyPart("R1", 40), connector)
	a.Plan.Unnamed = []contract.PartQuestion{{Reference: "J1", Why: "no number"}}
	return a
}

// makeReview is a review with that connector, which the customer asked for.
func (d *desk) makeReview(t *testing.T, leaves bool, ask bool) string {
	t.Helper()
	d.reads(t, twoLayers("board"))
	a := assemblyWithoutNumber()
	if !leaves {
		a.Plan.Unnamed = nil // a value that nobody sells
	}
	d.assembled = []assemblies.Assembly{a}
	request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) {
		assembly(r)
		r.StaffPicksParts = leaves
	}))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	ref := d.quote(t, request).Ref
	if ask {
		to := shipments.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+1 512 555 0100", Line1: "1 Main St", City: "Austin", State: "TX", PostalCode: "78701", Country: "US"}
		if _, refusal := d.do(t, quotes.RequestReview, quotes.RequestReviewData{Quote: ref, ShipTo: to}); refusal != nil {
			t.Fatalf("refused: %+v, want it granted", refusal)
		}
	}
	return ref
}

func (d *desk) loadQuote(t *testing.T, ref string) quotes.Quote {
	t.Helper()
	now, err := aggregate.At[quotes.Quote](d, contract.QuoteAggregate, ref).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return now.State
}

// TestPickPart: a part of the team's takes the place of a line that names none,
// can be replaced until the price is set, and stays in the reply with its price.
func TestPickPart(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.sells = map[string]string{"B2B-PH-K-S": "12.34", "S2B-PH-K-S": "10.00"}
	ref := d.makeReview(t, true, true)
	pick := quotes.PickPartData{Quote: ref, Operator: "eve", Reference: "J1", MPN: "B2B-PH-K-S"}
	if _, refusal := d.do(t, quotes.PickPart, pick); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	q := d.loadQuote(t, ref)
	if p := q.Reply.Parts[1]; p.MPN != pick.MPN || p.PickedBy != "eve" || p.CostCents != 1234 || p.Bought != 20 || p.Reference != "J1" || p.QuantityPerBoard != 2 || p.Footprint != "PH-2" {
		t.Errorf("picked: %+v; want 20 of %s at J1, PH-2, by eve for 1234 cents", p, pick.MPN)
	}
	if len(q.Reply.UnpricedParts) != 0 || len(q.Reply.PickedParts) != 1 || q.Assembly.PartCents != 40+1234 || q.Status != quotes.SourcingRequested || q.Reply.TotalCents != nil {
		t.Errorf("unpriced %+v, picked %+v, parts %d cents, %s, total %v; want none, one, %d, %s, none", q.Reply.UnpricedParts, q.Reply.PickedParts, q.Assembly.PartCents, q.Status, q.Reply.TotalCents, 40+1234, quotes.SourcingRequested)
	}
	pick.MPN = "S2B-PH-K-S"
	if _, refusal := d.do(t, quotes.PickPart, pick); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if q := d.loadQuote(t, ref); q.Reply.Parts[1].MPN != pick.MPN || q.Assembly.PartCents != 40+1000 || len(q.Reply.PickedParts) != 1 {
		t.Errorf("%+v, parts %d cents; want %s, %d, picked once", q.Reply.Parts[1], q.Assembly.PartCents, pick.MPN, 40+1000)
	}
	pick.MPN = "no-such-part"
	if _, refusal := d.do(t, quotes.PickPart, pick); refusal == nil || refusal.Code != contract.InvalidRequest || !strings.Contains(refusal.Message, "not found at fab") {
		t.Errorf("a part that nobody sells: %+v, want %s, that it was not found at fab", refusal, contract.InvalidRequest)
	}
	if q := d.loadQuote(t, ref); q.Reply.Parts[1].MPN != "S2B-PH-K-S" || d.checked != 3 {
		t.Errorf("%+v after %d checks; want S2B-PH-K-S after 3", q.Reply.Parts[1], d.checked)
	}
	price := quotes.PriceReviewData{Quote: ref, Operator: "eve", Lines: boardsAndShipping(9000), TaxCents: 1, BuildDays: 7, TransitMin: 3, TransitMax: 5, Below: true, LeftOut: []prices.LeftOut{{Part: prices.Duty, Words: "Import duty."}, {Part: prices.Assembly, Words: "in the boards"}, {Part: prices.Components, Words: "in the boards"}}}
	if _, refusal := d.do(t, quotes.PriceReview, price); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if q := d.loadQuote(t, ref); q.Reply.TotalCents == nil || *q.Reply.TotalCents != 9001 || len(q.Reply.PickedParts) != 1 || q.Reply.PickedParts[0].PickedBy != "eve" {
		t.Errorf("priced after the pick: %+v; want 9001 cents with one part picked by eve", q.Reply)
	}
	pick.MPN = "B2B-PH-K-S"
	if _, refusal := d.do(t, quotes.PickPart, pick); refusal == nil || refusal.Code != contract.Conflict {
		t.Errorf("after the price: %+v, want %s", refusal, contract.Conflict)
	}
}

// TestPickPartRefused: what the team may not choose is refused before any supplier is asked.
func TestPickPartRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		leaves, requested bool
		reference, mpn    string
		want              contract.Code
	}{
		"not left to the team":      {false, true, "J1", "B2B-PH-K-S", contract.Conflict},
		"not asked for yet":         {true, false, "J1", "B2B-PH-K-S", contract.Conflict},
		"named by number":           {true, true, "R1", "B2B-PH-K-S", contract.Conflict},
		"no such line":              {true, true, "J9", "B2B-PH-K-S", contract.NotFound},
		"no number":                 {true, true, "J1", "", contract.InvalidRequest},
		"a number that is too long": {true, true, "J1", strings.Repeat("1", 121), contract.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.sells = map[string]string{"B2B-PH-K-S": "12.34"}
			ref := d.makeReview(t, tt.leaves, tt.requested)
			before := d.loadQuote(t, ref)
			_, refusal := d.do(t, quotes.PickPart, quotes.PickPartData{Quote: ref, Operator: "eve", Reference: tt.reference, MPN: tt.mpn})
			if refusal == nil || refusal.Code != tt.want || d.checked != 0 {
				t.Errorf("%+v after %d checks; want %s after none", refusal, d.checked, tt.want)
			}
			if now := d.loadQuote(t, ref); now.Assembly.PartCents != before.Assembly.PartCents || now.Reply.Parts[1].PickedBy != "" {
				t.Errorf("after a refused pick: parts %+v for %d cents; want none picked, %d cents", now.Reply.Parts, now.Assembly.PartCents, before.Assembly.PartCents)
			}
		})
	}
}

// TestPickPartSlow: suppliers that never answer end in a refusal that says so.
func TestPickPartSlow(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.silent = true
	ref := d.makeReview(t, true, true)
	request, _ := d.do(t, quotes.PickPart, quotes.PickPartData{Quote: ref, Operator: "eve", Reference: "J1", MPN: "B2B-PH-K-S"})
	if _, settled := d.Outcome(request); settled {
		t.Fatal("suppliers were not waited for")
	}
	d.Run(d.Now().Add(2 * time.Minute))
	op, settled := d.Outcome(request)
	if !settled || op.Refusal == nil || !strings.Contains(op.Refusal.Message, "not answered in time") {
		t.Errorf("a pick without an answer of suppliers: %+v, settled %t; want it refused as not answered in time", op, settled)
	}
}
