package pricing_test

import (
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/fabricator"
)

// TestTableWithGaps: where the fabricator does not answer about some cells the others have
// their prices, and the table ends soon, so that whoever asks again gets the rest.
func TestTableWithGaps(t *testing.T) {
	t.Parallel()
	d := setup(t)
	h := openHouse(t, d)
	d.reads(t, boardWithCopper(nil))
	ask := func() (pricetables.PriceTable, *contract.Refusal) {
		d.n++
		request := contract.IDFrom(contract.RequestPrefix, d.Now(), string(rune(d.n)))
		c, err := contract.NewCommand(pricetables.Price, request, d.owner, d.Now(), pricetables.PriceData{Table: request, Upload: "u", Request: quotes.Request{StandardForUnstated: true}, Quantities: []int{10, 25}})
		if err == nil {
			err = d.Send(t.Context(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Run(d.Now().Add(10 * time.Second))
		now, err := aggregate.At[pricetables.PriceTable](d, contract.PriceTableAggregate, request).Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		op, _ := d.Outcome(request)
		return now.State, op.Refusal
	}
	h.away = func(s fabricator.Spec) bool { return s.Quantity == 25 }
	gaps, _ := ask()
	last := gaps.Reply.Cells[len(gaps.Reply.Cells)-1]
	if first := gaps.Reply.Cells[0]; first.Status != pricetables.Priced || last.Status != pricetables.Unavailable || last.Why == "" || last.QuoteRequest != nil {
		t.Fatalf("cells %+v and %+v, want one with a price and one without", first, last)
	}
	if holds := gaps.ExpiresAt.Sub(gaps.CreatedAt); holds > time.Minute || !gaps.Reply.ExpiresAt.Equal(gaps.ExpiresAt) {
		t.Errorf("a table with a gap holds for %s, and says until %s; want a minute at most", holds, gaps.Reply.ExpiresAt)
	}
	h.away = nil
	if whole, _ := ask(); whole.ExpiresAt.Sub(whole.CreatedAt) <= time.Minute || whole.Reply.Cells[len(whole.Reply.Cells)-1].Status != pricetables.Priced {
		t.Errorf("a table without gaps: %+v, want it to hold for longer", whole.Reply)
	}
	d.Advance(14*time.Hour + 54*time.Minute)
	commit(t, d, contract.UploadAggregate, "u", uploads.EventFilesAdded, uploads.Upload{Ref: "u", Status: uploads.Open, Digest: "d", ExpiresAt: d.Now().Add(time.Hour), Files: []uploads.File{{Name: "a.gbr"}}})
	midnight := d.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	if late, _ := ask(); late.ExpiresAt.After(midnight) || late.ExpiresAt.Before(midnight.Add(-time.Minute)) {
		t.Errorf("a table of %s holds until %s; other tables of duty may apply from midnight on", late.CreatedAt, late.ExpiresAt)
	}
	h.away = func(fabricator.Spec) bool { return true }
	if none, refusal := ask(); refusal == nil || refusal.Code != contract.PriceUnavailable {
		t.Errorf("a table without prices: %+v, %+v; want %s", none, refusal, contract.PriceUnavailable)
	}
}
