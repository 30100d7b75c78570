package central_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
)

// TestOrdersOfTestKeysGoOnByThemselves: through every status, with nobody of the team,
// waiting for the acceptance only; a live order stays where it is.
func TestOrdersOfTestKeysGoOnByThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	live := w.submitOrder("po-live")
	w.owner = account + "~test"
	key := w.submitOrder("po-1")
	step := func(want formal.Status) formal.Order {
		t.Helper()
		w.pass(5 * time.Second)
		o := w.order(key)
		if o.Status != want {
			t.Fatalf("%s, want %s", o.Status, want)
		}
		return o
	}
	o := step(formal.Quoted)
	if len(o.Quote.Options) != 2 || o.Quote.Options[0].TotalCents == o.Quote.Options[1].TotalCents || o.Quote.Note == "" {
		t.Errorf("quote %+v, want two options of different totals, and a note", o.Quote)
	}
	for range 3 {
		step(formal.Quoted) // it waits for the customer
	}
	data := acceptOf(o)
	other := data
	other.TotalCents--
	if code := w.do(formal.AcceptQuote, other); code != contract.QuoteNotAccepted {
		t.Errorf("another total: %q, want %q", code, contract.QuoteNotAccepted)
	}
	if code := w.do(formal.AcceptQuote, data); code != "" {
		t.Fatalf("accept %+v: %s, want it granted", data, code)
	}
	if o := step(formal.InProduction); o.Dates.EstimatedShip == "" {
		t.Errorf("no date: %+v", o.Dates)
	}
	if o := step(formal.Shipped); o.Tracking == nil || o.Tracking.Number == "" {
		t.Errorf("no parcel: %+v", o)
	}
	if o := step(formal.Delivered); len(o.Timeline) != 6 {
		t.Errorf("timeline %+v, want 6 steps", o.Timeline)
	}
	w.pass(time.Minute)
	if o := w.order(live); o.Status != formal.Submitted {
		t.Errorf("a live order is %s with nobody at work on it, want %s", o.Status, formal.Submitted)
	}
}

// TestNamesOfTestOrders ask for the other ends.
func TestNamesOfTestOrders(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		status formal.Status
		issued int
	}{
		"Motor controller": {formal.Quoted, 1}, "test_unquoted": {formal.Submitted, 0},
		"test_requoted": {formal.Quoted, 2}, "test_cancelled": {formal.Cancelled, 0},
	} {
		w := newWorld(t)
		w.owner = account + "~test"
		data := w.form("po-1")
		data.Name = name
		if code := w.do(formal.Submit, data); code != "" {
			t.Fatalf("submit a test order called %q: %s, want it granted", name, code)
		}
		var first formal.AcceptQuoteData
		for range 6 {
			w.pass(5 * time.Second)
			if o := w.order(data.Order); first.OptionID == "" && o.Quote != nil {
				first = acceptOf(o)
			}
		}
		o := w.order(data.Order)
		if o.Status != want.status || o.Issued != want.issued {
			t.Errorf("%s: %s after %d quotes, want %s after %d", name, o.Status, o.Issued, want.status, want.issued)
		}
		if want.issued == 2 {
			if code := w.do(formal.AcceptQuote, first); code != contract.QuoteNotAccepted {
				t.Errorf("the quote that was replaced: %q, want %q", code, contract.QuoteNotAccepted)
			}
		}
	}
}

// TestTestOrderDiesAnywhere: its next step comes whatever the process died of.
func TestTestOrderDiesAnywhere(t *testing.T) {
	t.Parallel()
	for fuse := range 12 {
		w := newWorld(t)
		w.owner = account + "~test"
		data := w.form("po-1")
		c := w.command(formal.Submit, data)
		w.fuse = fuse
		err := w.try(c)
		w.fuse = -1
		if err != nil {
			if err := w.try(c); err != nil {
				t.Fatalf("fuse %d: %v", fuse, err)
			}
		}
		w.pass(5 * time.Second)
		if o := w.order(data.Order); o.Status != formal.Quoted {
			t.Errorf("fuse %d: %s, want %s", fuse, o.Status, formal.Quoted)
		}
	}
}
