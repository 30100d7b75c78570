package simulation

import (
	"context"
	"fmt"
	"io"
	"time"

	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/fabricator"
)

// fab is a fabricator without idempotency keys: every Place that arrives is an order.
type fab struct {
	*simbus.Sim
	files  int
	orders map[string][]placed // by our reference
}

type placed struct {
	fabricator.Placed
	request fabricator.PlaceRequest
}

func newFab(s *simbus.Sim) *fab { return &fab{Sim: s, orders: map[string][]placed{}} }

func (f *fab) call(ctx context.Context, name string, do func() error) error {
	done := false
	var failed error
	err := f.Effect(ctx, "fabricator: "+name, func() error { done = true; failed = do(); return nil })
	switch {
	case failed != nil:
		return failed
	case err != nil && done:
		return &fabricator.Error{Kind: fabricator.Unknown, Message: name, Err: err}
	case err != nil:
		return &fabricator.Error{Kind: fabricator.Unavailable, Message: name, Err: err}
	}
	return nil
}

// read is a call that changes nothing: without an answer it is only unavailable.
func (f *fab) read(ctx context.Context, name string, do func() error) error {
	err := f.call(ctx, name, do)
	if fabricator.KindOf(err) == fabricator.Unknown && err != nil {
		return &fabricator.Error{Kind: fabricator.Unavailable, Message: name, Err: err}
	}
	return err
}

func (f *fab) Price(ctx context.Context, s fabricator.Spec) (out fabricator.Price, err error) {
	err = f.read(ctx, "price", func() error {
		boards := 500 + int64(s.Quantity)*70 + int64(s.Layers)*200
		out = fabricator.Price{
			Currency: "USD", Weight: 20 * int64(s.Quantity), PricedAt: f.Now(), ValidUntil: f.Now().Add(time.Minute), Source: "simulated",
			Lines:    []fabricator.Line{{Code: fabricator.CodeBoard, Label: "Boards", Cents: boards}},
			Builds:   []fabricator.Build{{Hours: 72, Name: "standard", Chosen: true}, {Hours: 24, Name: "express", Cents: 3000}},
			Shipping: []fabricator.Shipping{{ID: "slow", Carrier: "Post", Service: "Post", Cents: 900, DaysMin: 8, DaysMax: 12}, {ID: "fast", Carrier: "DHL", Service: "DHL Express", Cents: 2500, DaysMin: 2, DaysMax: 4}},
		}
		return nil
	})
	return out, err
}

func (f *fab) Upload(ctx context.Context, _ string, zip io.Reader) (key string, err error) {
	err = f.call(ctx, "upload", func() error {
		if n, err := io.Copy(io.Discard, zip); err != nil || n == 0 {
			return fmt.Errorf("%d bytes: %w", n, err)
		}
		f.files++
		key = fmt.Sprint("file-", f.files)
		return nil
	})
	return key, err
}

func (f *fab) Place(ctx context.Context, r fabricator.PlaceRequest) (out fabricator.Placed, err error) {
	err = f.call(ctx, "place", func() error {
		out = fabricator.Placed{Reference: r.Reference, OrderID: fmt.Sprint("fo_", r.Reference), OrderNumber: "Y1", Cents: r.AgreedCents, Currency: "USD", Orders: 1, At: f.Now()}
		f.orders[r.Reference] = append(f.orders[r.Reference], placed{out, r})
		return nil
	})
	return out, err
}

func (f *fab) FindOrder(ctx context.Context, reference string) (out fabricator.Placed, err error) {
	err = f.read(ctx, "find order", func() error {
		orders := f.orders[reference]
		if len(orders) == 0 {
			return &fabricator.Error{Kind: fabricator.NotFound, Message: reference}
		}
		out = orders[0].Placed
		out.Orders = len(orders)
		return nil
	})
	return out, err
}

// Progress goes on by the clock: an hour in review, a day in production.
func (f *fab) Progress(ctx context.Context, p fabricator.Placed) (out fabricator.Progress, err error) {
	err = f.read(ctx, "progress", func() error {
		orders := f.orders[p.Reference]
		if len(orders) == 0 {
			return &fabricator.Error{Kind: fabricator.NotFound, Message: p.Reference}
		}
		out.Order = orders[0].Placed
		switch age := f.Now().Sub(orders[0].At); {
		case age < time.Hour:
			out.Status = fabricator.InReview
		case age < 24*time.Hour:
			out.Status = fabricator.InProgress
			out.Steps = []fabricator.Step{{Name: "drilling", At: orders[0].At.Add(time.Hour)}}
			if age > 12*time.Hour {
				out.Steps = append(out.Steps, fabricator.Step{Name: "plating", At: orders[0].At.Add(12 * time.Hour)})
			}
		default:
			out.Status = fabricator.Shipped
			out.Tracking = &fabricator.Tracking{Carrier: "DHL", Number: "123"}
		}
		return nil
	})
	return out, err
}
