package payment_test

import (
	"context"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
)

// withoutQuotes is the log of a service whose quotes have left their stream, with
// all that was only kept for them.
type withoutQuotes struct{ *world }

func (w withoutQuotes) Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	switch a {
	case contract.QuoteAggregate, contract.UploadAggregate, contract.BoardAggregate:
		return contract.Event{}, aggregate.ErrNone
	}
	return w.world.Last(ctx, a, id)
}

// TestOrderOutlivesItsQuote: once the money is there, nothing needs the quote.
func TestOrderOutlivesItsQuote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote(func(q *quotes.Quote) {
		q.Board = "blinker"
		q.Reply.BoardFindings = []contract.Finding{{Level: "warning", Check: "ring"}}
		q.Reply.ShippingOptions = []quotes.ShippingOption{{ID: "slow"}, {ID: q.Delivery.ShippingID, Carrier: "DHL"}}
		q.Reply.FasterBuilds = []quotes.FasterBuild{{BuildTimeHours: 24}}
	})
	s.begin()
	s.pay(s.checkout().SessionID)
	w.svc = w.serviceOver(withoutQuotes{w})
	s.tell(s.checkout().SessionID, "completed")
	w.waitUntil("the parcel", s.isShipped)
	if code := s.begin(); code != contract.QuoteNotPayable {
		t.Errorf("pay again: %q, want %q", code, contract.QuoteNotPayable)
	}
	o := s.order()
	sold := o.Sold
	if a := o.Acknowledged; a == nil || len(a.Findings) != 1 || a.Findings[0].Check != "ring" || a.At.IsZero() {
		t.Errorf("acknowledged = %+v, want one finding of ring, and when", o.Acknowledged)
	}
	if sold.Ref != s.ref || sold.Board != "blinker" || sold.Account != "acc_1" || sold.Mode != quotes.ModeInstant || sold.Version != 1 ||
		len(sold.Reply.Lines) != 3 || *sold.Reply.TotalCents != o.TotalCents || len(sold.Reply.BoardFindings) != 1 {
		t.Errorf("sold = %+v, want version 1 of %s on blinker for acc_1, 3 lines of %d cents, one finding", sold, s.ref, o.TotalCents)
	}
	if ways := sold.Reply.ShippingOptions; len(ways) != 1 || ways[0].Carrier != "DHL" || sold.Reply.FasterBuilds != nil {
		t.Errorf("ways kept %+v, faster builds %+v; want the chosen one of DHL alone", ways, sold.Reply.FasterBuilds)
	}
	if sold.Delivery != nil || sold.Request.ShipTo != nil || sold.Terms != nil || o.ShipTo.Name == "" || o.Terms == nil {
		t.Errorf("the address or the terms stand twice, or nowhere: %+v, want both once, with the order", o)
	}
	if o.Package == "" || len(s.fabOrders()) != 1 {
		t.Errorf("package %q, %d orders; want one, 1", o.Package, len(s.fabOrders()))
	}
}

// TestOrderWaitsForItsPackage, which may still be made when a quick customer has paid.
func TestOrderWaitsForItsPackage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	read := boards.ReadFiles{Digest: "digest", Reader: "test", Package: "boards/digest/package.zip", Rest: boards.RestMaking}
	commit(w, contract.BoardAggregate, "digest", boards.EventRead, read)
	if err := w.blobs.Delete(t.Context(), read.Package); err != nil {
		t.Fatal(err)
	}
	s.begin()
	s.pay(s.checkout().SessionID)
	s.tell(s.checkout().SessionID, "completed")
	w.work()
	w.pass()
	if o := s.order(); o.ByHand || len(s.fabOrders()) != 0 || s.isShipped() {
		t.Fatalf("without its files the order is %+v, want it not by hand, not ordered, not shipped", o)
	}
	w.files()
	w.waitUntil("the parcel", s.isShipped)
	if n := len(s.fabOrders()); n != 1 {
		t.Errorf("%d orders were built, want 1", n)
	}
}

// TestWhatWasSoldStays: a price that came after the payment page changes nothing
// of what was paid there.
func TestWhatWasSoldStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.quote()
	s.begin()
	page := s.checkout().SessionID
	s.q.Version, s.q.ExpiresAt = 2, s.q.ExpiresAt.Add(time.Hour)
	s.save()
	s.pay(page)
	s.tell(page, "completed")
	if sold := s.order().Sold; sold.Version != 1 || !sold.ExpiresAt.Before(s.q.ExpiresAt) {
		t.Errorf("sold version %d, holding until %s; want 1, until before %s", sold.Version, sold.ExpiresAt, s.q.ExpiresAt)
	}
}
