package fulfilment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/exportcontrol"
	"boardorder/pkg/flow"
	"boardorder/services/payment/internal/saga"
)

// holdDoubted holds an order until an operator has looked at it: of files that its own or
// another account declared ITAR-controlled before it was paid, or that speak of such control.
func (s *Orders) holdDoubted(ctx context.Context, c contract.Command, o saga.OrderSnapshot) (held bool, err error) {
	if o.State.Sold.Upload == "" || o.State.Report != nil {
		return false, nil
	}
	if slices.ContainsFunc(o.State.Sold.Reply.BoardFindings, func(f contract.Finding) bool { return f.Check == exportcontrol.Check }) {
		return true, s.Hold(ctx, c, o, "the design's files, or the customer's words, speak of ITAR export control: to be looked at before it goes on")
	}
	u, err := aggregate.At[uploads.Upload](s.Events, contract.UploadAggregate, o.State.Sold.Upload).Load(ctx)
	switch {
	case err != nil:
		return false, err
	case u.State.IsDeclaredFor(o.State.Account):
		return true, s.Hold(ctx, c, o, accountDeclared)
	case u.State.Doubted != nil:
		return true, s.Hold(ctx, c, o, duplicateDeclared)
	}
	return false, nil
}

// Why an order of files is held that another account declared, or its own did without
// having them deleted.
const (
	duplicateDeclared = "another customer declared the same files ITAR-controlled: to be looked at before it goes on"
	accountDeclared   = "the account that it was ordered through declared its files ITAR-controlled: to be looked at before it goes on"
)

// HoldDuplicate holds orders of files that an account declared ITAR-controlled, for
// people to look at: those that the command concerns. Nothing is taken from them. What
// is declared with a test key holds nothing of live.
func (s *Orders) HoldDuplicate(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[duplicates.HoldData](c)
	if err != nil {
		return err
	}
	quotes, err := s.Duplicates.Find(ctx, data)
	if err != nil {
		return err
	}
	for _, quote := range quotes {
		o, err := s.Order(quote).Load(ctx)
		if err != nil {
			return err
		}
		if !data.Concerns(o.State.Account, o.State.Sold.Upload) {
			continue
		}
		equal := slices.ContainsFunc(data.Content, func(content string) bool {
			return boards.FilesDigest(o.State.Digest) == boards.Digest(o.State.Sold.Upload, content)
		})
		if !equal || o.State.HasEnded() || o.State.Status == orders.Held {
			continue
		}
		if o.State.Status == orders.Placing {
			return flow.Snooze(time.Minute, fmt.Errorf("order %s is being placed just now", o.State.ID))
		}
		why := duplicateDeclared
		if data.Upload != "" {
			why = accountDeclared
		}
		if err := s.Hold(ctx, c, o, why); err != nil {
			return err
		}
	}
	return nil
}
