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
	// the payment goes on, unless a part was sold out: the team looks at every order of
	// assembled boards.
	partsWait = 30 * time.Second
	partsPoll = 2 * time.Second
)

var errAskingSuppliers = errors.New("suppliers are asked about the parts again")

// checkParts refuses a payment for assembled boards when a part left stock or
// doubled in price since the quote. Suppliers are asked again where their answers
// are older than an hour, or where the watch of the quote found a part sold out; the
// command waits for them.
func (s *Checkouts) checkParts(ctx context.Context, c contract.Command, q quotes.Quote) error {
	if q.Assembly == nil {
		return nil
	}
	short := q.Watched.FindShort()
	if len(short) == 0 && (q.Mode != quotes.ModeInstant || s.Now().Sub(q.Assembly.At) < partsFresh) {
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
	for _, l := range short { // an answer from before it sold out says nothing
		if l.At.After(data.Since) && !l.At.After(c.At) {
			data.Since = l.At
		}
	}
	now, err := aggregate.At[partchecks.PartCheck](s.Events, contract.PartCheckAggregate, id).Load(ctx)
	if err != nil {
		return fmt.Errorf("load check of parts %s: %w", id, err)
	}
	late := s.Now().Sub(c.At) >= partsWait
	if check := now.State; check.Report != nil && !check.StartedAt.Before(data.Since) && (check.Usable(s.Now()) || late) {
		return parts.RefuseChanged(q, *check.Report)
	}
	if late {
		s.Log.Warn("suppliers did not answer about the parts of a payment", zap.String("quote", q.Ref), trace.ID(ctx))
		return parts.RefuseChanged(q, partchecks.Report{})
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
