package fulfilment_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/exportcontrol"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment/internal/screening"

	"github.com/google/go-cmp/cmp"
)

// TestPlace: an order goes to the fabricator once, or waits for people with a reason,
// by what was known of it and what the fabricator says.
func TestPlace(t *testing.T) {
	t.Parallel()
	with := func(o orders.Order, change func(*orders.Order)) orders.Order { change(&o); return o }
	gone := boards.ReadFiles{Digest: digest, Gone: true}
	unpacked := boards.ReadFiles{Digest: digest, Rest: "pending"}
	for name, tt := range map[string]struct {
		order    orders.Order
		world    func(*world)
		poll     int
		status   orders.Status
		held     string // in the reason; "" not held
		requests int    // how often the fabricator was asked to build it
		sent     string // commands and timers
		fails    string // in the error of a command that comes again
	}{
		"never asked":           {order: makePaidOrder(), status: orders.Placed, requests: 1, sent: "issue-invoices, follow in 1m0s"},
		"priced by the team":    {order: with(makePaidOrder(), func(o *orders.Order) { o.Terms = nil }), status: orders.Held, held: "our team priced it", sent: "issue-invoices"},
		"assembled":             {order: with(makePaidOrder(), func(o *orders.Order) { o.Sold.Assembly = &quotes.QuotedAssembly{Boards: 5} }), status: orders.Held, held: "the boards are assembled", sent: "issue-invoices"},
		"a price of no terms":   {order: with(makePaidOrder(), func(o *orders.Order) { o.Terms.Spec = []byte(`{"layers": "two"}`) }), status: orders.Held, held: "decode what order ord_1 is made of", sent: "issue-invoices"},
		"files are forgotten":   {order: makePaidOrder(), world: func(w *world) { put(w, contract.BoardAggregate, digest, gone) }, status: orders.Held, held: "no longer kept", sent: "issue-invoices"},
		"files were never read": {order: with(makePaidOrder(), func(o *orders.Order) { o.Package = "" }), status: orders.Held, held: "no longer kept", sent: "issue-invoices"},
		"files lie nowhere":     {order: makePaidOrder(), world: func(w *world) { delete(w.files, "pkg") }, status: orders.Held, held: "no longer kept", sent: "issue-invoices"},
		"files are not packed": {order: makePaidOrder(), world: func(w *world) { delete(w.files, "pkg"); put(w, contract.BoardAggregate, digest, unpacked) },
			status: orders.Paid, sent: "place in 10s"},
		"the store is away": {order: makePaidOrder(), world: func(w *world) { w.files["pkg"] = "away" }, status: orders.Paid, sent: "place in 10s"},

		"no answer to the files":      {order: makePaidOrder(), world: func(w *world) { w.fab.uploadErr = fails(fabricator.Unavailable) }, poll: 3, status: orders.Paid, sent: "place in 1m20s"},
		"an answer that files failed": {order: makePaidOrder(), world: func(w *world) { w.fab.uploadErr = fails(fabricator.Files) }, status: orders.Held, held: "cannot use the files", sent: "issue-invoices"},
		"refused":                     {order: makePaidOrder(), world: func(w *world) { w.fab.placeErr = fails(fabricator.Refused) }, status: orders.Held, held: "refuses it", requests: 1, sent: "issue-invoices"},
		"to be reviewed":              {order: makePaidOrder(), world: func(w *world) { w.fab.placeErr = fails(fabricator.Review) }, status: orders.Held, held: "by hand", requests: 1, sent: "issue-invoices"},
		"not to be shipped":           {order: makePaidOrder(), world: func(w *world) { w.fab.placeErr = fails(fabricator.Shipment) }, status: orders.Held, held: "cannot ship", requests: 1, sent: "issue-invoices"},
		"dearer than agreed":          {order: makePaidOrder(), world: func(w *world) { w.fab.placeErr = fails(fabricator.PriceMoved) }, status: orders.Held, held: "price has risen", requests: 1, sent: "issue-invoices"},
		"an outcome that is unknown":  {order: makePaidOrder(), world: func(w *world) { w.fab.placeErr = fails(fabricator.Unknown) }, status: orders.Placing, requests: 1, sent: "place in 10s"},
		"away, tried 500 times":       {order: makePaidOrder(), world: func(w *world) { w.fab.placeErr = fails(fabricator.Unavailable) }, poll: 500, status: orders.Placing, requests: 1, sent: "place in 1h0m0s"},
		"our mistake, tried 19 times": {order: makePaidOrder(), world: func(w *world) { w.fab.placeErr = fails(fabricator.Internal) }, poll: 19, status: orders.Placing, requests: 1, sent: "place in 1h0m0s"},
		"our mistake, tried 20 times": {order: makePaidOrder(), world: func(w *world) { w.fab.placeErr = fails(fabricator.Internal) }, poll: 20, status: orders.Held, held: "tried 20 times", requests: 1, sent: "issue-invoices"},

		"asked before, found":          {order: makeRequestedOrder(orders.Placing), world: func(w *world) { w.fab.found = fabricator.Placed{Reference: "ord_1", Orders: 1} }, status: orders.Placed, sent: "issue-invoices, follow in 1m0s"},
		"asked before, found twice":    {order: makeRequestedOrder(orders.Placing), world: func(w *world) { w.fab.found = fabricator.Placed{Reference: "ord_1", Orders: 2} }, status: orders.Held, held: "2 orders under ord_1", sent: "issue-invoices"},
		"asked before, cancelled":      {order: makeRequestedOrder(orders.Placing), world: func(w *world) { w.fab.found = fabricator.Placed{Reference: "ord_1"} }, status: orders.Held, held: "cancelled at the fabricator", sent: "issue-invoices"},
		"asked before, no answer":      {order: makeRequestedOrder(orders.Placing), world: func(w *world) { w.fab.findErr = fails(fabricator.Unavailable) }, poll: 1, status: orders.Placing, sent: "place in 20s"},
		"asked just now, not found":    {order: makeRequestedOrder(orders.Placing), world: func(w *world) { w.fab.findErr = fails(fabricator.NotFound) }, status: orders.Placing, fails: "may be under way"},
		"asked a while ago, not found": {order: makeRequestedOrder(orders.Placing), world: settleOrder, status: orders.Placed, requests: 1, sent: "issue-invoices, follow in 1m0s"},
		"released, not asked of now":   {order: makeRequestedOrder(orders.Paid), world: settleOrder, status: orders.Placed, requests: 1, sent: "issue-invoices, follow in 1m0s"},
		"released, cancelled there":    {order: makeRequestedOrder(orders.Paid), world: func(w *world) { w.fab.found = fabricator.Placed{Reference: "ord_1"} }, status: orders.Placed, requests: 1, sent: "issue-invoices, follow in 1m0s"},

		"placed, the timer does not know": {order: makePlacedOrder(time.Minute), status: orders.Placed, sent: "follow in 1m0s"},
		"shipped":                         {order: with(makePaidOrder(), func(o *orders.Order) { o.Status = orders.Shipped }), status: orders.Shipped},
		"held":                            {order: with(makePaidOrder(), func(o *orders.Order) { o.Status, o.Held = orders.Held, "why" }), status: orders.Held, held: "why"},
		"cancelled":                       {order: with(makePaidOrder(), func(o *orders.Order) { o.Status = orders.Cancelled }), status: orders.Cancelled},
	} {
		w := newWorld(t)
		put(w, contract.OrderAggregate, quote, tt.order)
		if tt.world != nil {
			tt.world(w)
		}
		err := w.Place(t.Context(), w.command(orders.Place, "c1", orders.Data{Quote: quote, Poll: tt.poll}))
		got := w.order()
		if (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: Place = %v, want an error with %q", name, err, tt.fails)
		}
		if got.Status != tt.status || (got.Held != "") != (tt.held != "") || !strings.Contains(got.Held, tt.held) || len(w.fab.placed) != tt.requests || w.names() != tt.sent {
			t.Errorf("%s: %s, held %q, asked %d times, sent %q; want %s, %q, %d, %q", name, got.Status, got.Held, len(w.fab.placed), w.names(), tt.status, tt.held, tt.requests, tt.sent)
		}
	}
}

// TestAwayFabricator: an order that waits for its fabricator says since when, why, and when it is
// tried again.
func TestAwayFabricator(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]orders.Status{"never asked": orders.Paid, "asked": orders.Placing} {
		w := newWorld(t)
		w.fab.uploadErr, w.fab.findErr = fails(fabricator.Unavailable), fails(fabricator.Unavailable)
		o := makePaidOrder()
		if status == orders.Placing {
			o = makeRequestedOrder(status)
		}
		put(w, contract.OrderAggregate, quote, o)
		for poll := range 2 {
			if err := w.Place(t.Context(), w.command(orders.Place, fmt.Sprint("c", poll), orders.Data{Quote: quote, Poll: poll})); err != nil {
				t.Fatalf("%s: Place: %v", name, err)
			}
			w.now = w.now.Add(10 * time.Second)
		}
		got := w.order()
		if p := got.Postponed; p == nil || !p.Since.Equal(now) || !p.Next.Equal(now.Add(30*time.Second)) || p.EveryS != 20 || p.Why == "" || got.Status != status {
			t.Errorf("%s: %s, postponed %+v; want %s, since %s, the next at %s", name, got.Status, got.Postponed, status, now, now.Add(30*time.Second))
		}
	}
}

// settleOrder has the fabricator not know the order, long enough after it was asked.
func settleOrder(w *world) {
	w.fab.findErr = fails(fabricator.NotFound)
	w.Settling.Began(quote, 1, now.Add(-settle))
}

// TestWhatIsPlaced: the fabricator gets the files under the order's number and the price
// that was agreed; after a cancelled order another reference than before.
func TestWhatIsPlaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	put(w, contract.OrderAggregate, quote, makeRequestedOrder(orders.Paid))
	w.fab.found = fabricator.Placed{Reference: "ord_1"} // one that was cancelled
	if err := w.Place(t.Context(), w.command(orders.Place, "c1", orders.Data{Quote: quote})); err != nil {
		t.Fatalf("Place of a released order: %v", err)
	}
	if diff := cmp.Diff([]string{"BO-1.zip: zip"}, w.fab.names); diff != "" {
		t.Errorf("files of the order (-want +got):\n%s", diff)
	}
	want := []fabricator.PlaceRequest{{
		Reference: "ord_1-2", Shipping: "dhl", AgreedCents: 4200, Currency: "USD",
		Spec:   fabricator.Spec{Layers: 2, Quantity: 10, BuildHours: 72, FileKey: "file_1", To: fabricator.Destination{Country: "DE", PostalCode: "10115", City: "Berlin"}},
		ShipTo: fabricator.Address{Name: "Ada", Line1: "Hof 3", City: "Berlin", PostalCode: "10115", Country: "DE"},
	}}
	if diff := cmp.Diff(want, w.fab.placed); diff != "" {
		t.Errorf("asked to build (-want +got):\n%s", diff)
	}
	got := w.order().Fabricator
	got.AskedAt = nil
	if want := (orders.FabOrder{Name: "far_east", Reference: "ord_1-2", OrderID: "fab_1", Number: "W1", Cents: 4200, Attempt: 2}); got != want {
		t.Errorf("kept of the order at the fabricator: %+v, want %+v", got, want)
	}
}

// TestDoubtedOrders: files of which somebody declared, or which themselves say, that
// they are controlled go to nobody before people have looked.
func TestDoubtedOrders(t *testing.T) {
	t.Parallel()
	at := now
	open := uploads.Upload{Ref: upload, Account: account, Content: content, Status: uploads.Open}
	declared, elsewhere, doubted := open, open, open
	declared.Status, elsewhere.DeclaredBy, doubted.Doubted = uploads.ITARDeclared, []string{account}, &at
	words := []contract.Finding{{Check: exportcontrol.Check}}
	for name, tt := range map[string]struct {
		upload   uploads.Upload
		findings []contract.Finding
		report   *orders.Report
		without  bool // an order of no upload
		held     string
	}{
		"nobody doubts":            {open, nil, nil, false, ""},
		"the files speak of it":    {open, words, nil, false, "speak of ITAR export control"},
		"the upload is declared":   {declared, nil, nil, false, "the account that it was ordered through"},
		"declared and kept":        {elsewhere, nil, nil, false, "the account that it was ordered through"},
		"declared by another":      {doubted, nil, nil, false, "another customer declared"},
		"released by an operator":  {doubted, words, &orders.Report{Operator: "op", At: at}, false, ""},
		"an order of no upload":    {doubted, words, nil, true, ""},
		"other findings of theirs": {open, []contract.Finding{{Check: "drill"}}, nil, false, ""},
	} {
		w := newWorld(t)
		put(w, contract.UploadAggregate, upload, tt.upload)
		o := makePaidOrder()
		o.Sold.Reply.BoardFindings, o.Report = tt.findings, tt.report
		if tt.without {
			o.Sold.Upload = ""
		}
		put(w, contract.OrderAggregate, quote, o)
		if err := w.Place(t.Context(), w.command(orders.Place, "c1", orders.Data{Quote: quote})); err != nil {
			t.Errorf("%s: Place = %v", name, err)
		}
		if got := w.order(); !strings.Contains(got.Held, tt.held) || (len(w.fab.placed) == 0) != (tt.held != "") {
			t.Errorf("%s: held %q, asked %d times; want %q", name, got.Held, len(w.fab.placed), tt.held)
		}
	}
}

// TestScreening: a recipient is looked up before the fabricator is asked, and who may be
// on a list, or of whom nobody knows, waits for people.
func TestScreening(t *testing.T) {
	t.Parallel()
	unavailable := errors.New("no answer")
	waiting := &orders.Screening{At: now.Add(-30 * time.Second), Waiting: true}
	late := &orders.Screening{At: now.Add(-5 * time.Minute), Waiting: true}
	hit := &orders.Screening{At: now.Add(-time.Hour), Reference: "case-1", Hit: true}
	clear := &orders.Screening{At: now.Add(-time.Hour), Reference: "case-1"}
	for name, tt := range map[string]struct {
		before   *orders.Screening
		report   *orders.Report
		account  string
		list     lists
		requests int
		placed   bool
		held     string
		sent     string
	}{
		"on no list":                    {list: lists{result: screening.Result{Reference: "case-1"}}, requests: 1, placed: true},
		"on a list":                     {list: lists{result: screening.Result{Reference: "case-1", Hit: true}}, requests: 1, held: "screening case-1"},
		"nobody answers":                {list: lists{err: unavailable}, requests: 1, sent: "place in 10s"},
		"nobody answers for 30 seconds": {before: waiting, list: lists{err: unavailable}, requests: 1, sent: "place in 30s"},
		"nobody answers for 5 minutes":  {before: late, list: lists{err: unavailable}, requests: 1, held: "could not be screened"},
		"answered after a while":        {before: waiting, list: lists{result: screening.Result{Reference: "case-2"}}, requests: 1, placed: true},
		"looked up before":              {before: clear, placed: true},
		"a hit before":                  {before: hit, held: "screening case-1"},
		"a hit that was released":       {before: hit, report: &orders.Report{Operator: "op", At: now}, placed: true},
		"released before it was a hit":  {before: hit, report: &orders.Report{Operator: "op", At: now.Add(-2 * time.Hour)}, held: "screening case-1"},
		"a test":                        {account: contract.TestOwner(account), list: lists{result: screening.Result{Hit: true}}},
	} {
		w := newWorld(t)
		w.Screener = &tt.list
		o := makePaidOrder()
		o.Screened, o.Report = tt.before, tt.report
		if tt.account != "" {
			o.Account, o.Fabricator.Name = tt.account, fabricator.Test // only test keys have another
		}
		put(w, contract.OrderAggregate, quote, o)
		if err := w.Place(t.Context(), w.command(orders.Place, "c1", orders.Data{Quote: quote})); err != nil {
			t.Errorf("%s: Place = %v", name, err)
		}
		got := w.order()
		if len(tt.list.requests) != tt.requests || (len(w.fab.placed) == 1) != tt.placed || (got.Held == "") != (tt.held == "") || !strings.Contains(got.Held, tt.held) {
			t.Errorf("%s: screener asked %d times, fabricator %d times, held %q; want %d, placed %t, %q", name, len(tt.list.requests), len(w.fab.placed), got.Held, tt.requests, tt.placed, tt.held)
		}
		if tt.sent != "" && w.names() != tt.sent {
			t.Errorf("%s: sent %q, want %q", name, w.names(), tt.sent)
		}
	}
	w := newWorld(t)
	list := &lists{}
	w.Screener = list
	put(w, contract.OrderAggregate, quote, makePaidOrder())
	if err := w.Place(t.Context(), w.command(orders.Place, "c1", orders.Data{Quote: quote})); err != nil {
		t.Fatalf("Place: %v", err)
	}
	want := []screening.Request{{Reference: "ord_1", Name: "Ada", Email: "ada@example.com", AddressLines: []string{"Hof 3"}, City: "Berlin", PostalCode: "10115", Country: "DE"}}
	if diff := cmp.Diff(want, list.requests); diff != "" {
		t.Errorf("asked about the recipient (-want +got):\n%s", diff)
	}
}

// TestPlacingNothing: a command about an order that is not there is nobody's to repeat.
func TestPlacingNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, data := range map[string]any{"no order": orders.Data{Quote: "q2"}, "no data": []int{1}} {
		for verb, handle := range map[string]func() error{
			"Place":  func() error { return w.Place(t.Context(), w.command(orders.Place, "c", data)) },
			"Follow": func() error { return w.Follow(t.Context(), w.command(orders.Follow, "c", data)) },
			"Report": func() error { return w.Report(t.Context(), w.command(orders.ReportStatus, "c", data)) },
		} {
			if err := handle(); err == nil {
				t.Errorf("%s of %s (%v): no error, want one", verb, name, data)
			}
		}
	}
	if len(w.fab.placed)+len(w.events.Sent) != 0 {
		t.Errorf("asked %d times and sent %s, want nothing", len(w.fab.placed), fmt.Sprint(w.events.Sent))
	}
}
