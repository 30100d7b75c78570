package pay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/parts"

	"go.uber.org/zap"
)

const (
	// partsFresh is how old suppliers' answers may be when a payment begins.
	partsFresh = time.Hour
	// partsWait is how long a shopper waits for suppliers. When they do not answer
	// the payment goes on: the team looks at every order of assembled boards.
	partsWait = 30 * time.Second
	partsPoll = 2 * time.Second
)

var errAskingSuppliers = errors.New("suppliers are asked about the parts again")

// checkParts refuses a payment for assembled boards when a part left stock or
// doubled in price since the quote. Suppliers are asked again where their answers
// are older than an hour; the command waits for them.
func (s *Checkouts) checkParts(ctx context.Context, c contract.Command, q quotes.Quote) error {
	if q.Assembly == nil || q.Mode != quotes.ModeInstant || s.Now().Sub(q.Assembly.At) < partsFresh {
		return nil
	}
	data := q.Recheck()
	if len(data.Parts) == 0 {
		return nil
	}
	id, err := partchecks.ID(q.Account, data)
	if err != nil {
		return err
	}
	data.Check, data.Since = id, c.At.Add(-partsFresh)
	now, err := aggregate.At[partchecks.PartCheck](s.Events, contract.PartCheckAggregate, id).Load(ctx)
	if err != nil {
		return fmt.Errorf("load check of parts %s: %w", id, err)
	}
	late := s.Now().Sub(c.At) >= partsWait
	if check := now.State; check.Report != nil && !check.StartedAt.Before(data.Since) && (check.Usable(s.Now()) || late) {
		if r := parts.RefuseChanged(q, *check.Report); r != nil {
			return r
		}
		return nil
	}
	if late {
		s.Log.Warn("a payment goes on though suppliers did not answer about its parts", zap.String("quote", q.Ref), trace.ID(ctx))
		return nil
	}
	ask, err := c.Follow(partchecks.Check, id+":"+strconv.Itoa(now.State.Attempt), s.Now(), data)
	if err != nil {
		return err
	}
	ask.Account = q.Account
	if err := s.Events.Send(ctx, ask); err != nil {
		return err
	}
	return flow.SnoozeUntil(contract.PartCheckAggregate, id, partsPoll, errAskingSuppliers)
}
