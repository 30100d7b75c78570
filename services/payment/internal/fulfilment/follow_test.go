package fulfilment_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment/internal/order"
)

// TestFollow: what the fabricator says of an order, and when it is asked next.
func TestFollow(t *testing.T) {
	t.Parallel()
	byHand := makePlacedOrder(0)
	byHand.Fabricator = orders.FabOrder{}
	test := makePlacedOrder(0)
	test.Account, test.Fabricator.Name = contract.TestOwner(account), fabricator.Test
	old := test
	old.PaidAt = now.Add(-5 * time.Minute)
	parcel := &fabricator.Tracking{Carrier: "DHL", Number: "1Z"}
	for name, tt := range map[string]struct {
		order    orders.Order
		progress fabricator.Progress
		err      error
		poll     int
		status   orders.Status
		held     string
		sent     string
	}{
		"nothing new":                  {order: makePlacedOrder(0), status: orders.Placed, sent: "follow in 1m0s"},
		"nothing new, the fourth time": {order: makePlacedOrder(0), poll: 3, status: orders.Placed, sent: "follow in 8m0s"},
		"nothing new for ever":         {order: makePlacedOrder(0), poll: 1000, status: orders.Placed, sent: "follow in 1h0m0s"},
		"in production":                {order: makePlacedOrder(0), progress: fabricator.Progress{Status: fabricator.InProgress}, poll: 5, status: orders.InProduction, sent: "issue-invoices, follow in 1m0s"},
		"shipped":                      {order: makePlacedOrder(0), progress: fabricator.Progress{Status: fabricator.Shipped, Tracking: parcel}, status: orders.Shipped, sent: "issue-invoices"},
		"shipped without a number":     {order: makePlacedOrder(0), progress: fabricator.Progress{Status: fabricator.Shipped}, status: orders.InProduction, sent: "issue-invoices, follow in 1m0s"},
		"cancelled there":              {order: makePlacedOrder(0), progress: fabricator.Progress{Status: fabricator.Cancelled, Why: "no\ncopper"}, status: orders.Held, held: "cancelled the order: no copper", sent: "issue-invoices"},
		"there twice":                  {order: makePlacedOrder(0), progress: fabricator.Progress{Order: fabricator.Placed{Orders: 2}}, status: orders.Held, held: "2 orders", sent: "issue-invoices"},
		"no answer":                    {order: makePlacedOrder(0), err: fails(fabricator.Unavailable), poll: 2, status: orders.Placed, sent: "follow in 4m0s"},
		"not known yet":                {order: makePlacedOrder(time.Hour), err: fails(fabricator.NotFound), status: orders.Placed, sent: "follow in 1m0s"},
		"not known after an hour":      {order: makePlacedOrder(time.Hour + time.Second), err: fails(fabricator.NotFound), status: orders.Held, held: "does not know the order ord_1", sent: "issue-invoices"},
		"placed by hand":               {order: byHand, err: fails(fabricator.NotFound), status: orders.Placed},
		"paid, and nobody placed it":   {order: makePaidOrder(), poll: 2, status: orders.Paid, sent: "place-order, follow in 1h0m0s"},
		"being placed for long":        {order: makeRequestedOrder(orders.Placing), status: orders.Placing, sent: "place-order, follow in 1h0m0s"},
		"a test of just now":           {order: test, status: orders.Placed, sent: "follow in 5s"},
		"a test of 5 minutes ago":      {order: old, status: orders.Placed, sent: "follow in 1m0s"},
	} {
		w := newWorld(t)
		if tt.progress.Status == "" {
			tt.progress.Status = fabricator.Received
		}
		w.fab.progress, w.fab.progressErr = tt.progress, tt.err
		put(w, contract.OrderAggregate, quote, tt.order)
		if err := w.Follow(t.Context(), w.command(orders.Follow, "c1", orders.Data{Quote: quote, Poll: tt.poll})); err != nil {
			t.Errorf("%s: Follow = %v", name, err)
		}
		if got := w.order(); got.Status != tt.status || (got.Held == "") != (tt.held == "") || !strings.Contains(got.Held, tt.held) || w.names() != tt.sent {
			t.Errorf("%s: %s, held %q, sent %q; want %s, %q, %q", name, got.Status, got.Held, w.names(), tt.status, tt.held, tt.sent)
		}
		if len(w.fab.placed) != 0 {
			t.Errorf("%s: following an order had it built %d times, want 0", name, len(w.fab.placed))
		}
	}
}

// TestReport: what an operator says of an order, what follows of it, and what is refused.
func TestReport(t *testing.T) {
	t.Parallel()
	held := makePaidOrder()
	held.Status, held.Held = orders.Held, "why"
	for name, tt := range map[string]struct {
		order  *orders.Order
		says   orders.ReportStatusData
		status orders.Status
		code   contract.Code
		sent   string
	}{
		"no such order":       {nil, orders.ReportStatusData{Status: orders.Placed}, "", contract.NotFound, ""},
		"released":            {&held, orders.ReportStatusData{Status: orders.Paid, Operator: "op"}, orders.Paid, "", "place-order, follow in 1h0m0s"},
		"placed by hand":      {&held, orders.ReportStatusData{Status: orders.Placed, Operator: "op"}, orders.Placed, "", "follow in 1m0s"},
		"shipped":             {&held, orders.ReportStatusData{Status: orders.Shipped, Tracking: &shipments.Tracking{Number: "1Z"}}, orders.Shipped, "", ""},
		"held by an operator": {new(makePlacedOrder(0)), orders.ReportStatusData{Status: orders.Held, Operator: "op", Note: "wait"}, orders.Held, "", ""},
		"back again":          {new(makePlacedOrder(0)), orders.ReportStatusData{Status: orders.Paid}, orders.Placed, contract.Conflict, ""},
		"while it is placed":  {new(makeRequestedOrder(orders.Placing)), orders.ReportStatusData{Status: orders.Placed}, orders.Placing, contract.Conflict, ""},
		"a status of none":    {&held, orders.ReportStatusData{Status: "lost"}, orders.Held, contract.Conflict, ""},
	} {
		w := newWorld(t)
		if tt.order != nil {
			put(w, contract.OrderAggregate, quote, *tt.order)
		}
		tt.says.Quote = quote
		err := w.Report(t.Context(), w.command(orders.ReportStatus, "c1", tt.says))
		code := contract.Code("")
		if r := contract.RefusalIn(err); r != nil {
			code = r.Code
		} else if err != nil && !errors.Is(err, aggregate.ErrSettled) {
			t.Errorf("%s: Report = %v", name, err)
		}
		if got := w.order(); got.Status != tt.status || code != tt.code && tt.code != "" || w.names() != tt.sent {
			t.Errorf("%s: %s, code %q (%v), sent %q; want %s, %q, %q", name, got.Status, code, err, w.names(), tt.status, tt.code, tt.sent)
		}
	}
}

// TestPresence: whether the fabricator has an order, or nobody can say.
func TestPresence(t *testing.T) {
	t.Parallel()
	shipped := makeRequestedOrder(orders.Shipped)
	held := makeRequestedOrder(orders.Held)
	for name, tt := range map[string]struct {
		order   orders.Order
		found   fabricator.Placed
		err     error
		settled bool
		want    order.Presence
		code    contract.Code
		retry   int
	}{
		"never asked":               {order: makePaidOrder(), want: order.NeverAsked},
		"beyond asking":             {order: shipped, found: fabricator.Placed{Orders: 1}, want: order.NeverAsked},
		"there":                     {order: held, found: fabricator.Placed{Orders: 1}, want: order.Present},
		"there, and twice":          {order: held, found: fabricator.Placed{Orders: 2}, want: order.Present},
		"there, and cancelled":      {order: held, want: order.Withdrawn},
		"not there for certain":     {order: held, err: fails(fabricator.NotFound), settled: true, want: order.Absent},
		"not there, but just asked": {order: held, err: fails(fabricator.NotFound), code: contract.Conflict, retry: 601},
		"no answer":                 {order: held, err: fails(fabricator.Unavailable), settled: true, code: contract.Unavailable, retry: 300},
	} {
		w := newWorld(t)
		w.fab.found, w.fab.findErr = tt.found, tt.err
		if tt.settled {
			w.Settling.Began(quote, 1, now.Add(-settle))
		}
		put(w, contract.OrderAggregate, quote, tt.order)
		o, err := w.Order(quote).Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.Presence(t.Context(), o)
		code, retry := contract.Code(""), 0
		if r := contract.RefusalIn(err); r != nil {
			code, retry = r.Code, r.RetryAfterS
		}
		if got != tt.want || code != tt.code || retry != tt.retry {
			t.Errorf("%s: Presence = %d, %v (retry in %d s); want %d, %q, %d", name, got, err, retry, tt.want, tt.code, tt.retry)
		}
	}
}

// TestHoldEqual: a declaration holds the open orders of the same files of others, or of
// the account's own upload; tests hold nothing of live.
func TestHoldEqual(t *testing.T) {
	t.Parallel()
	at := func(status orders.Status) func(*orders.Order) { return func(o *orders.Order) { o.Status = status } }
	for name, tt := range map[string]struct {
		change func(*orders.Order)
		data   duplicates.HoldData
		held   string
		fails  bool
	}{
		"another's, paid":          {at(orders.Paid), duplicates.HoldData{Account: "acc_2", Content: []string{content}}, "another customer declared", false},
		"another's, in production": {at(orders.InProduction), duplicates.HoldData{Account: "acc_2", Content: []string{content}}, "another customer declared", false},
		"another's, of before":     {at(orders.Paid), duplicates.HoldData{Account: "acc_2", Content: []string{"feed", content}}, "another customer declared", false},
		"another's, other files":   {at(orders.Paid), duplicates.HoldData{Account: "acc_2", Content: []string{"feed"}}, "", false},
		"another's, shipped":       {at(orders.Shipped), duplicates.HoldData{Account: "acc_2", Content: []string{content}}, "", false},
		"another's, cancelled":     {at(orders.Cancelled), duplicates.HoldData{Account: "acc_2", Content: []string{content}}, "", false},
		"another's, being placed":  {at(orders.Placing), duplicates.HoldData{Account: "acc_2", Content: []string{content}}, "", true},
		"by a test key":            {at(orders.Paid), duplicates.HoldData{Account: contract.TestOwner("acc_2"), Content: []string{content}}, "", false},
		"their own, not named":     {at(orders.Paid), duplicates.HoldData{Account: account, Content: []string{content}}, "", false},
		"their own upload":         {at(orders.Paid), duplicates.HoldData{Account: account, Upload: upload, Content: []string{content}}, "the account that it was ordered through", false},
		"another upload of theirs": {at(orders.Paid), duplicates.HoldData{Account: account, Upload: "other", Content: []string{content}}, "", false},
		"read with answers":        {func(o *orders.Order) { o.Digest += "-" + "a1" }, duplicates.HoldData{Account: "acc_2", Content: []string{content}}, "another customer declared", false},
	} {
		w := newWorld(t)
		o := makePaidOrder()
		tt.change(&o)
		put(w, contract.OrderAggregate, quote, o)
		if err := w.events.NoteDuplicate(t.Context(), contract.OrderAggregate, duplicates.Key(content), quote); err != nil {
			t.Fatal(err)
		}
		err := w.HoldDuplicate(t.Context(), w.command(orders.HoldDuplicate, "c1", tt.data))
		if got := w.order().Held; (err != nil) != tt.fails || (got == "") != (tt.held == "") || !strings.Contains(got, tt.held) {
			t.Errorf("%s: HoldDuplicate(%+v) = %v, held %q; want an error %t, held %q", name, tt.data, err, got, tt.fails, tt.held)
		}
	}
}

// TestEnsure: a paid checkout becomes one order, however often that is asked for; what
// was not paid as agreed waits for people.
func TestEnsure(t *testing.T) {
	t.Parallel()
	checkout := func() checkouts.Checkout {
		o := makePaidOrder()
		return checkouts.Checkout{
			Quote: quote, Account: account, Request: "req", Status: checkouts.Paid, Attempt: 1, Quantity: 10, Digest: digest, Package: "pkg", Terms: o.Terms,
			Sold: quotes.Quote{Upload: upload}, TotalCents: 5000, Currency: "USD", Payment: &checkouts.Payment{Intent: "pi_1", Cents: 5000, Currency: "usd", At: now},
		}
	}
	for name, tt := range map[string]struct {
		change func(*world, *checkouts.Checkout)
		status orders.Status
		held   string
		sent   string
	}{
		"as agreed":               {func(*world, *checkouts.Checkout) {}, orders.Paid, "", "place-order, follow in 1h0m0s"},
		"a cent less":             {func(_ *world, c *checkouts.Checkout) { c.Payment.Cents = 4999 }, orders.Held, "4999 usd were paid, 5000 USD were agreed", ""},
		"a cent more":             {func(_ *world, c *checkouts.Checkout) { c.Payment.Cents = 5001 }, orders.Held, "5001 usd were paid", ""},
		"other money":             {func(_ *world, c *checkouts.Checkout) { c.Payment.Currency = "eur" }, orders.Held, "5000 eur were paid", ""},
		"given back in part":      {func(_ *world, c *checkouts.Checkout) { c.Payment.Returned = 1 }, orders.Held, "1 of the 5000 cents", ""},
		"of a quote unknown here": {func(_ *world, c *checkouts.Checkout) { c.Attempt = 0 }, orders.Held, "not known here", ""},
		"of files that have gone": {func(w *world, _ *checkouts.Checkout) {
			put(w, contract.BoardAggregate, digest, boards.ReadFiles{Gone: true})
		}, orders.Paid, "", "place-order, follow in 1h0m0s"},
		"of no files, by the team": {func(_ *world, c *checkouts.Checkout) { c.Digest = "" }, orders.Paid, "", "place-order, follow in 1h0m0s"},
	} {
		w := newWorld(t)
		c := checkout()
		tt.change(w, &c)
		command := w.command(checkouts.Settle, "c1", nil)
		if err := w.Ensure(t.Context(), command, c); err != nil {
			t.Errorf("%s: Ensure = %v", name, err)
		}
		first := w.order()
		if first.Status != tt.status || (first.Held == "") != (tt.held == "") || !strings.Contains(first.Held, tt.held) || w.names() != tt.sent {
			t.Errorf("%s: %s, held %q, sent %q; want %s, %q, %q", name, first.Status, first.Held, w.names(), tt.status, tt.held, tt.sent)
		}
		w.now = w.now.Add(time.Minute)
		command.ID = "c2"
		if err := w.Ensure(t.Context(), command, c); err != nil {
			t.Errorf("%s: Ensure, the second time = %v", name, err)
		}
		if second := w.order(); second.ID != first.ID || second.PaidAt != first.PaidAt {
			t.Errorf("%s: order %s of %s, the second time %s of %s; want one order", name, first.ID, first.PaidAt, second.ID, second.PaidAt)
		}
		ids := map[string]bool{}
		for _, sent := range w.events.Sent {
			ids[sent.ID] = true
		}
		if len(ids) > 1 {
			t.Errorf("%s: sent to be placed under %d ids, want one", name, len(ids))
		}
	}
	w := newWorld(t)
	if err := w.Ensure(t.Context(), w.command(checkouts.Settle, "c1", nil), checkout()); err != nil {
		t.Fatalf("Ensure: %v", err)
	}
	read, err := aggregate.At[boards.ReadFiles](w.events, contract.BoardAggregate, digest).Load(t.Context())
	if until := now.Add(400 * contract.Day); err != nil || read.State.NeededUntil.Before(until) {
		t.Errorf("files are needed until %s (%v), want %s at least", read.State.NeededUntil, err, until)
	}
	entered, _, err := w.events.Duplicates(t.Context(), contract.OrderAggregate, duplicates.Key(content))
	if err != nil || len(entered) != 1 || entered[0] != quote {
		t.Errorf("entered under the files' content: %v (%v), want %s", entered, err, quote)
	}
}
