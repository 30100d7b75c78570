package pricing

import (
	"context"
	"errors"
	"strings"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/services/pricing/internal/offer"
	"boardorder/services/pricing/internal/options"
)

type (
	linkNow    = aggregate.Snapshot[buylinks.BuyLink]
	linkChange = aggregate.Change[buylinks.BuyLink]
)

// createLink makes a buy link of a board that can be told and built. From then on
// its files are needed, whatever becomes of the upload.
func (s *Service) createLink(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[buylinks.CreateData](c)
	if err != nil {
		return err
	}
	u, files, err := s.readUpload(ctx, c, data.Upload, data.Request, "A buy link was asked for.")
	if err != nil {
		return err
	}
	board, err := chooseBoard(files, data.Request)
	if err == nil {
		_, err = s.checkSoundness(files, &board, data.Request, nil) // a link names no stackup
	}
	if err == nil {
		err = s.sells(ctx, c.Account, data.Assembly, board, data.Request)
	}
	if refusal := contract.RefusalIn(err); refusal != nil {
		return addReport(refusal, u, data.Request, board, files)
	}
	if err != nil {
		return err
	}
	if err := s.keepFiles(ctx, c, data.Link, u.Digest); err != nil {
		return err
	}
	_, err = aggregate.At[buylinks.BuyLink](s.events, contract.BuyLinkAggregate, data.Link).Execute(ctx, c, s.now(), func(now linkNow) (*linkChange, error) {
		if now.Exists() {
			return nil, contract.Refuse(contract.Conflict, "This buy link already exists.")
		}
		return &linkChange{Event: buylinks.EventCreated, State: buylinks.BuyLink{
			ID: data.Link, Account: c.Account, Key: data.Key, Upload: u.Ref, Digest: u.Digest, Request: data.Request,
			Assembly: data.Assembly, SourceURL: data.SourceURL, CreatedAt: s.now(),
		}}, nil
	})
	return err
}

// sells refuses a board that no shopper could buy: one that cannot be built as it
// was asked for, or that has no instant price in any number. A fabricator that does
// not answer just now has not said so.
func (s *Service) sells(ctx context.Context, owner string, assembled bool, b boards.Board, r quotes.Request) error {
	out := s.resolver.Resolve(r, options.FactsOf(b.Facts))
	if out.Refusal != nil {
		return out.Refusal
	}
	reasons := out.Reasons
	if len(reasons) == 0 {
		spec := out.Board.Spec
		spec.To.Country, spec.Quantity = s.cfg.DefaultCountry, s.catalog.BuildQuantity(1)
		err := s.findSeller(ctx, owner, assembled, offer.Basis{Rates: s.rates.Rates(ctx)}, spec)
		if reasons = reviewReasons(err); reasons == nil && err != nil {
			if refusal := s.refusalOf(err); refusal.Code != contract.PriceUnavailable {
				return refusal
			}
		}
	}
	if len(reasons) > 0 {
		return contract.Refuse(contract.DesignFiles, "This board has no instant price, so nobody could buy it by a link: %s Ask for a quote of it instead.", strings.Join(reasons, " "))
	}
	return nil
}

// keepFiles records that a link needs its files, and sets the timer that does so
// again in time.
func (s *Service) keepFiles(ctx context.Context, c contract.Command, link, digest string) error {
	_, err := retention.Need(ctx, s.events, digest, c, "buy-link", s.now().Add(buylinks.Retention), s.now())
	if errors.Is(err, retention.ErrGone) {
		s.read.forget(digest)
		return flow.Snooze(readingPoll, err)
	}
	if err != nil {
		return err
	}
	due := s.now().Add(buylinks.Renewed)
	again, err := c.Follow(buylinks.Keep, "keep", due, buylinks.Data{Link: link})
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{Aggregate: contract.BuyLinkAggregate, AggregateID: link, What: "keep", Due: due, Command: again})
}

// keepLink goes on keeping the files of a link that is open. Should they have
// gone, its page says so.
func (s *Service) keepLink(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[buylinks.Data](c)
	if err != nil {
		return err
	}
	now, err := aggregate.At[buylinks.BuyLink](s.events, contract.BuyLinkAggregate, data.Link).Load(ctx)
	if err != nil || !now.Exists() || now.State.ClosedAt != nil {
		return err
	}
	read, ok, err := s.loadReading(ctx, now.State.Digest)
	if err != nil || !ok || read.Gone {
		return err
	}
	return s.keepFiles(ctx, c, data.Link, now.State.Digest)
}

// closeLink revokes a link. Its files go when nothing else needs them.
func (s *Service) closeLink(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[buylinks.Data](c)
	if err != nil {
		return err
	}
	_, err = aggregate.At[buylinks.BuyLink](s.events, contract.BuyLinkAggregate, data.Link).Execute(ctx, c, s.now(), func(now linkNow) (*linkChange, error) {
		if !now.Exists() || now.State.Account != c.Account {
			return nil, contract.Refuse(contract.NotFound, "There is no such buy link.")
		}
		next := now.State
		if next.ClosedAt == nil {
			at := s.now()
			next.ClosedAt = &at
		}
		return &linkChange{Event: buylinks.EventClosed, State: next}, nil
	})
	return err
}
