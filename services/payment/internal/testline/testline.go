// Package testline stands where the fabricator stands, for orders of test keys. It
// tells nobody and keeps nothing: when an order was placed, and how far it shall
// go, is in the order id that it gives, and how far it is follows from the clock.
package testline

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
)

// How long after it was placed an order is in production, and shipped.
const (
	untilProduction = 10 * time.Second
	untilShipped    = 30 * time.Second
)

// A Line pretends to build boards.
type Line struct{ now func() time.Time }

// New makes a line by a clock.
func New(now func() time.Time) Line { return Line{now} }

// Upload reads the files to their end: what cannot be read cannot be built either.
func (Line) Upload(_ context.Context, _ string, zip io.Reader) (string, error) {
	n, err := io.Copy(io.Discard, zip)
	if err == nil && n == 0 {
		err = &fabricator.Error{Kind: fabricator.Files, Message: "there are no design files"}
	}
	return fabricator.Test, err
}

// Place takes an order. Its remark may be a test scenario that says how it shall go.
func (l Line) Place(_ context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error) {
	word := quotes.TestScenario(r.Remark)
	if word == quotes.TestHeld {
		return fabricator.Placed{}, &fabricator.Error{Kind: fabricator.Review, Reasons: []string{"the test scenario " + string(word) + " asks for it"}}
	}
	at := l.now().UTC()
	id := strconv.FormatInt(at.UnixMilli(), 10)
	if word != "" {
		id += "." + string(word)
	}
	return fabricator.Placed{
		Reference: r.Reference, OrderID: id, OrderNumber: "TEST-" + r.Reference, Cents: r.AgreedCents, Currency: r.Currency, Orders: 1, At: at,
	}, nil
}

// FindOrder finds none: what is not in our own record was never placed.
func (Line) FindOrder(context.Context, string) (fabricator.Placed, error) {
	return fabricator.Placed{}, &fabricator.Error{Kind: fabricator.NotFound, Message: "test orders are nowhere else"}
}

// Progress says how far an order is by now.
func (l Line) Progress(_ context.Context, p fabricator.Placed) (fabricator.Progress, error) {
	ms, word, _ := strings.Cut(p.OrderID, ".")
	placed, err := strconv.ParseInt(ms, 10, 64)
	if err != nil {
		return fabricator.Progress{}, &fabricator.Error{Kind: fabricator.Internal, Message: "this is no order id of a test order", Err: err}
	}
	p.Orders = 1
	out := fabricator.Progress{Status: fabricator.Received, Order: p}
	at := time.UnixMilli(placed).UTC()
	begun, done := at.Add(untilProduction), at.Add(untilShipped)
	if l.now().Before(begun) || quotes.TestScenario(word) == quotes.TestOrdered {
		return out, nil
	}
	out.Status, out.Steps = fabricator.InProgress, []fabricator.Step{{Name: "Test build", At: begun}}
	if l.now().Before(done) || quotes.TestScenario(word) == quotes.TestInProduction {
		return out, nil
	}
	out.Status, out.Tracking = fabricator.Shipped, &fabricator.Tracking{Carrier: "Test carrier", Number: "TEST" + ms}
	return out, nil
}
