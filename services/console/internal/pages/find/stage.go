package find

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"

	"golang.org/x/sync/errgroup"
)

// A stage is how far a quote has come.
type stage struct {
	status string
	order  *orders.Order // that it has become
}

// readStages reads how far quotes have come, several at once.
func (s *Section) readStages(ctx context.Context, found []projection.Document) (map[string]stage, error) {
	out := map[string]stage{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxReads)
	for _, doc := range found {
		group.Go(func() error {
			q, paying, order, err := quotes.Read(ctx, s.Docs, doc.ID)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			out[doc.ID] = stage{string(orders.StatusOf(*q, paying, order, s.Now())), order}
			return nil
		})
	}
	return out, group.Wait()
}

// quotePath leads to what a quote has become: its order, once it is paid.
func (s *Section) quotePath(ctx context.Context, ref string) (string, error) {
	order, err := states.Get[orders.Order](ctx, s.Docs, contract.OrderAggregate, ref)
	if order != nil {
		return "/orders/" + ref, err
	}
	return "/quotes/" + ref, err
}

// caseSubject is what a case is about: an order, a quote, a formal order or a customer.
func (s *Section) caseSubject(ctx context.Context, ref string) (a contract.Aggregate, doc projection.Document, err error) {
	for _, a := range []contract.Aggregate{contract.OrderAggregate, contract.QuoteAggregate, contract.FormalAggregate, contract.CustomerAggregate} {
		doc, err := s.Docs.Get(ctx, string(a), ref)
		if err == nil {
			return a, doc, nil
		}
		if !errors.Is(err, projection.ErrNotFound) {
			return "", doc, fmt.Errorf("find what a case is about: %w", err)
		}
	}
	return "", doc, nil
}
