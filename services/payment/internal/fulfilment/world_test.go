package fulfilment_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment/internal/duplicates"
	"boardorder/services/payment/internal/fulfilment"
	"boardorder/services/payment/internal/invoicing"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"
	"boardorder/services/payment/internal/saga/sagatest"
	"boardorder/services/payment/internal/screening"

	"go.uber.org/zap"
)

var now = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// factory is a fabricator that answers as a test says, and keeps what it was asked.
type factory struct {
	uploadErr, placeErr, findErr, progressErr error

	found    fabricator.Placed
	progress fabricator.Progress

	names  []string // of the files that it was given
	placed []fabricator.PlaceRequest
}

func (f *factory) Upload(_ context.Context, name string, zip io.Reader) (string, error) {
	content, err := io.ReadAll(zip)
	f.names = append(f.names, name+": "+string(content))
	return "file_1", errors.Join(err, f.uploadErr)
}

func (f *factory) Place(_ context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error) {
	f.placed = append(f.placed, r)
	return fabricator.Placed{Reference: r.Reference, OrderID: "fab_1", OrderNumber: "W1", Cents: 4200, Orders: 1}, f.placeErr
}

func (f *factory) FindOrder(context.Context, string) (fabricator.Placed, error) {
	return f.found, f.findErr
}

func (f *factory) Progress(context.Context, fabricator.Placed) (fabricator.Progress, error) {
	return f.progress, f.progressErr
}

// files are those that lie in the store.
type files map[string]string

var errStore = errors.New("the store is away")

func (f files) Get(_ context.Context, key string) (io.ReadCloser, blob.Info, error) {
	switch content, ok := f[key]; {
	case content == "away":
		return nil, blob.Info{}, errStore
	case !ok:
		return nil, blob.Info{}, blob.ErrNotFound
	default:
		return io.NopCloser(strings.NewReader(content)), blob.Info{Size: int64(len(content))}, nil
	}
}

// lists is a screener that gives one answer.
type lists struct {
	result   screening.Result
	err      error
	requests []screening.Request
}

func (l *lists) Screen(_ context.Context, r screening.Request) (screening.Result, error) {
	l.requests = append(l.requests, r)
	return l.result, l.err
}

// world is the orders at one fabricator.
type world struct {
	*fulfilment.Orders
	t      *testing.T
	events *sagatest.Events
	fab    *factory
	files  files
	now    time.Time
}

const settle = 10 * time.Minute

func newWorld(t *testing.T) *world {
	w := &world{t: t, events: sagatest.NewEvents(), fab: &factory{}, files: files{"pkg": "zip"}, now: now}
	env := &saga.Env{
		Events: w.events, Live: saga.Mode{Fabricators: fabricator.List[saga.Fabricator]{{Name: "far_east", Adapter: w.fab}}}, Log: zap.NewNop(), Now: func() time.Time { return w.now },
		Retry: saga.Backoff{First: 10 * time.Second, Max: time.Hour},
	}
	env.Test = saga.TestMode(nil, env.Now)
	w.Orders = &fulfilment.Orders{
		Env: env, Files: w.files, Duplicates: &duplicates.Duplicates{Events: w.events}, Invoices: &invoicing.Invoices{Env: env, Seller: "We"},
		Settling: order.Settling{Time: settle}, Poll: saga.Backoff{First: time.Minute, Max: time.Hour}, Retention: 400 * contract.Day,
	}
	put(w, contract.BoardAggregate, digest, boards.ReadFiles{Digest: digest, Package: "pkg", Boards: []boards.Board{{Name: "b"}}, Files: []boards.FileClass{{Name: "b.gbr"}}, Reader: "1", ReadAt: now})
	put(w, contract.UploadAggregate, upload, uploads.Upload{Ref: upload, Account: account, Content: content, Status: uploads.Open})
	return w
}

const (
	account = "acc_1"
	upload  = "upref"
	content = "c0ffee"
	quote   = "q1"
)

var digest = boards.Digest(upload, content)

// put commits a state.
func put[S any](w *world, kind contract.Aggregate, id string, state S) {
	w.t.Helper()
	sagatest.Put(w.t, w.events, kind, id, orders.Place, account, w.now, state)
}

// order gives the order as it is committed now.
func (w *world) order() orders.Order {
	w.t.Helper()
	now, err := w.Order(quote).Load(w.t.Context())
	if err != nil {
		w.t.Fatalf("load order %s: %v", quote, err)
	}
	return now.State
}

// command is one about the order.
func (w *world) command(name contract.CommandName, id string, data any) contract.Command {
	w.t.Helper()
	text, err := json.Marshal(data)
	if err != nil {
		w.t.Fatal(err)
	}
	return contract.Command{ID: id, Name: name, Request: id, Account: account, At: w.now, Data: text}
}

// names gives what was sent and set since the world began.
func (w *world) names() string {
	var out []string
	for _, c := range w.events.Sent {
		out = append(out, c.Name.Verb)
	}
	for _, t := range w.events.Timers {
		out = append(out, t.What+" in "+t.Due.Sub(w.now).String())
	}
	return strings.Join(out, ", ")
}

// makePaidOrder is an order of bare boards that nobody was asked for yet.
func makePaidOrder() orders.Order {
	return orders.Order{
		ID: "ord_1", Ref: "BO-1", Quote: quote, Account: account, Request: "req", Status: orders.Paid, Quantity: 10, Digest: digest, Package: "pkg",
		Sold:    quotes.Quote{Upload: upload},
		Terms:   &quotes.Terms{Fabricator: "far_east", Spec: json.RawMessage(`{"layers": 2, "quantity": 10}`), Shipping: "dhl", Cents: 4200, Currency: "USD"},
		Payment: checkouts.Payment{Intent: "pi_1", Cents: 5000, Currency: "usd", At: now}, Lines: []prices.Line{{Label: "Boards", Cents: 5000}},
		TotalCents: 5000, Currency: "USD", BuildHours: 72, PaidAt: now, Fabricator: orders.FabOrder{Name: "far_east"},
		ShipTo: shipments.ShipTo{Name: "Ada", Line1: "Hof 3", City: "Berlin", PostalCode: "10115", Country: "DE", Email: "ada@example.com"},
	}
}

// makeRequestedOrder is one that the fabricator was asked for before.
func makeRequestedOrder(status orders.Status) orders.Order {
	o := makePaidOrder()
	at := now.Add(-time.Minute)
	o.Status, o.Fabricator = status, orders.FabOrder{Name: "far_east", Reference: "ord_1", Attempt: 1, AskedAt: &at}
	return o
}

// makePlacedOrder is one that the fabricator has since a time.
func makePlacedOrder(since time.Duration) orders.Order {
	o := makeRequestedOrder(orders.Placed)
	at := now.Add(-since)
	o.PlacedAt, o.Fabricator.OrderID = &at, "fab_1"
	return o
}

func fails(kind fabricator.Kind) error { return &fabricator.Error{Kind: kind, Message: "so it says"} }
