// Package fulfilment has orders that were paid built: it places them at the
// fabricator, follows them until they are shipped, and holds those that people must
// look at.
package fulfilment

import (
	"context"
	"io"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/destination"
	"boardorder/services/payment/internal/duplicates"
	"boardorder/services/payment/internal/invoicing"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"
)

// Files gives what was stored of the design files.
type Files interface {
	Get(ctx context.Context, key string) (io.ReadCloser, blob.Info, error)
}

// Orders are the orders at the fabricator.
type Orders struct {
	*saga.Env
	Files      Files
	Screener   Screener // nil: recipients are not screened
	Places     *destination.Book
	Rates      Rates // nil: none are published
	Duplicates *duplicates.Duplicates
	Invoices   *invoicing.Invoices
	Settling   order.Settling // knows which requests may be under way still
	Poll       saga.Backoff   // between looks at an order
	Retention  time.Duration  // of an order's files, since it was paid
}
