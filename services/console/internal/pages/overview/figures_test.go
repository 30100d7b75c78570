package overview

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
)

// TestSalesAreAddedUpOnce: each order of a day is counted with what it was paid with, also
// those that are stored while others are read, and those of other days and of test are not.
func TestSalesAreAddedUpOnce(t *testing.T) {
	t.Parallel()
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	store := &countingStore{Store: docs}
	put := func(first, n int, day string, cents int, currency string, at time.Time) {
		t.Helper()
		var all []projection.Document
		for i := range n {
			all = append(all, projection.Document{
				Kind: string(contract.OrderAggregate), ID: fmt.Sprintf("%s-%d", day, first+i), Seq: 1, At: at.Add(time.Duration(first+i) * time.Second),
				Keys: map[string]string{figures.DayKey: day}, Body: fmt.Appendf(nil, `{"payment":{"cents":%d,"currency":%q}}`, cents, currency),
			})
		}
		if err := docs.Put(t.Context(), all...); err != nil {
			t.Fatal(err)
		}
	}
	sales := new(Sales)
	read := func(n int, usd, eur int64, whole bool) {
		t.Helper()
		got, err := sales.Read(t.Context(), store, "2026-11-21")
		cents := map[string]int64{}
		for _, sum := range got.Sums {
			cents[sum.Currency] = sum.Gross
		}
		if err != nil || got.Orders != n || cents["USD"] != usd || cents["EUR"] != eur || got.Whole != whole {
			t.Errorf("Read = %+v, %v; want %d orders, %d cents USD, %d EUR, whole %v", got, err, n, usd, eur, whole)
		}
	}
	read(0, 0, 0, true)
	put(0, 2, "2026-11-21", 5000, "USD", at)
	put(0, 7, "2026-11-20", 100, "USD", at)
	put(0, 7, "2026-11-21~test", 100, "USD", at)
	put(2, 1, "2026-11-21", 700, "EUR", at)
	read(3, 10_000, 700, true)
	pages := store.lists
	read(3, 10_000, 700, true)
	if store.lists != pages {
		t.Errorf("a look at a day without new orders read %d pages, want none", store.lists-pages)
	}
	put(10, 1, "2026-11-21", 1, "USD", at)                        // newest
	put(20, 1, "2026-11-21", 2, "USD", at.Add(-time.Hour))        // projected late
	put(3000, salesPage*salesLook+50, "2026-11-21", 1, "USD", at) // more than one look reads
	got, err := sales.Read(t.Context(), store, "2026-11-21")
	if err != nil || got.Whole || got.Orders != 5+salesPage*salesLook+50 {
		t.Errorf("a first look at many orders = %+v, %v; want all counted, and not yet whole", got, err)
	}
	read(5+salesPage*salesLook+50, 10_003+salesPage*salesLook+50, 700, true)
}

type countingStore struct {
	*sqlite.Store
	lists int
}

// List counts the pages of days that are read.
func (s *countingStore) List(ctx context.Context, kind, key, value string, p projection.Page) ([]projection.Document, string, error) {
	if key == figures.DayKey {
		s.lists++
	}
	return s.Store.List(ctx, kind, key, value, p)
}

// TestSpeedIsOfWholeRequests: from the arrival of the request to the stored quote, of live
// requests that were priced.
func TestSpeedIsOfWholeRequests(t *testing.T) {
	t.Parallel()
	event := func(name contract.EventName, account string, took time.Duration) bus.Headline {
		return bus.Headline{Event: contract.Event{Name: name, Account: account, Operation: contract.NewID(contract.RequestPrefix, at), StoredAt: at.Add(took)}}
	}
	events := []bus.Headline{
		event(quotes.EventDeliveryChosen, "acc", time.Hour), event(quotes.EventPriced, contract.TestOwner("acc"), time.Hour), {Event: contract.Event{Name: quotes.EventPriced, Operation: "req_1", StoredAt: at}},
	}
	if got := measureSpeed(events); got != (speed{}) {
		t.Errorf("measureSpeed of nothing that counts = %+v, want zero", got)
	}
	for i := range 100 {
		events = append(events, event(quotes.EventPriced, "acc", time.Duration(100-i)*time.Second))
	}
	if got, want := measureSpeed(events), (speed{100, 50 * time.Second, 95 * time.Second}); got != want {
		t.Errorf("measureSpeed = %+v, want %+v", got, want)
	}
	for percent, want := range map[int]time.Duration{1: 1, 50: 2, 95: 3, 100: 3} {
		if got := percentile([]time.Duration{1, 2, 3}, percent); got != want {
			t.Errorf("percentile(1 2 3, %d) = %d, want %d", percent, got, want)
		}
	}
	if got := (Conversion{}).Percent(); got != "–" {
		t.Errorf("Percent of no quotes = %q, want –", got)
	}
	if got := (Conversion{Quotes: 8, Paid: 1}).Percent(); got != "12.5 %" {
		t.Errorf("Percent of 1 in 8 = %q, want 12.5 %%", got)
	}
}

// TestMoneyOfADayIsNet: what went back, is going back or is disputed of a day's orders is taken from what
// was paid, in the currency that cards were charged in; what failed, or was won, is not.
func TestMoneyOfADayIsNet(t *testing.T) {
	t.Parallel()
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	euro := func(minor int64) *prices.Charged { return &prices.Charged{Currency: "EUR", Minor: minor, Digits: 2} }
	paidInEuro := checkouts.Payment{Cents: 10_000, Currency: "USD", Charged: &prices.Charge{Charged: *euro(9000), Cents: 10_000}}
	paid := checkouts.Payment{Cents: 10_000, Currency: "USD"}
	for i, o := range []orders.Order{
		{Payment: paid}, {Payment: paidInEuro},
		{Payment: paid, Refunds: []orders.Refund{{Cents: 1000, Status: orders.RefundDone}, {Cents: 200, Status: orders.RefundBegun}, {Cents: 5000, Status: orders.RefundFailed}}},
		{Payment: paidInEuro, Refunds: []orders.Refund{{Cents: 1000, Charged: euro(900), Status: orders.RefundPending}}, Dispute: &orders.Dispute{Status: orders.DisputeOpen, Cents: 9000, Charged: euro(8100)}},
		{Payment: paid, Dispute: &orders.Dispute{Status: orders.DisputeLost, Cents: 10_000}}, {Payment: paid, Dispute: &orders.Dispute{Status: orders.DisputeWon, Cents: 10_000}},
	} {
		o.PaidAt = at
		body, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		doc := projection.Document{Kind: string(contract.OrderAggregate), ID: fmt.Sprint("o", i), Seq: 1, At: at, Body: body, Keys: figures.Keys(contract.OrderAggregate, "acc_1", body)}
		if err := docs.Put(t.Context(), doc); err != nil {
			t.Fatal(err)
		}
	}
	got, err := new(Sales).Read(t.Context(), docs, "2026-11-21")
	want := []Sum{{Currency: "USD", Gross: 40_000, Refunded: 1200, Disputed: 10_000}, {Currency: "EUR", Gross: 18_000, Refunded: 900, Disputed: 8100}}
	if err != nil || !slices.Equal(got.Sums, want) || got.Orders != 6 {
		t.Fatalf("Read = %+v, %v; want %+v of 6 orders", got, err, want)
	}
	if net := got.Sums[1].Net(); net != 9000 || got.Sums[1].Words(net) != "EUR 90.00" {
		t.Errorf("net = %d, %s; want 9000, EUR 90.00", net, got.Sums[1].Words(net))
	}
}
