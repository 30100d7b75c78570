package pricing

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/destination"
	"boardorder/pkg/flow"
	"boardorder/services/pricing/internal/assembled"
	"boardorder/services/pricing/internal/offer"
	"boardorder/services/pricing/internal/options"
)

const (
	// assemblyPoll is how long a quote waits until it looks how far its parts are;
	// a change of the assembly ends the wait.
	assemblyPoll = 2 * time.Second
	// maxAssembly is how long suppliers' answers are waited for.
	maxAssembly = 150 * time.Second
)

// priceAssembled fills a quote of assembled boards: with an instant price when all
// parts have one, else for the team, beside an instant price of the boards alone.
func (s *Service) priceAssembled(ctx context.Context, q *quotes.Quote, b boards.Board, in *inquiry, board *options.Board, place destination.Place, reasons, notes []string) error {
	a, err := s.assembly(ctx, q, in)
	if err != nil {
		return err
	}
	priced, pending := assembled.HasPrice(a)
	boards := len(reasons) == 0 // have a price themselves
	if pending {
		reasons = append(reasons, "Some suppliers have not answered in time about all parts.")
	}
	reasons = append(reasons, assembled.Reasons(a, q.Request)...)
	if priced && len(reasons) == 0 {
		reasons, err = s.instant(ctx, q, in, *board, place, notes, offer.Assembly{
			Boards: a.Boards, Lines: assembled.Lines(*a.Price), Days: a.Price.Days + a.Price.PartsDays, NoParts: a.Price.PartsCents == 0,
		})
		if err != nil {
			return err
		}
		boards = false // the fabricator wants people to look at them
	}
	if len(reasons) > 0 {
		if err := s.review(q, board, reasons, notes); err != nil {
			return err
		}
		if boards {
			if err := s.bare(ctx, q, in, *board, place, notes); err != nil {
				return err
			}
		}
	}
	assembled.Fill(q, a)
	q.Assembly.Bottom = b.Bottom
	return nil
}

// assembly gives what assembling a quote's board takes. While that is being found
// out it says so to the waiting client, and the command waits. What the customer
// has to answer is refused as soon as it is known.
func (s *Service) assembly(ctx context.Context, q *quotes.Quote, in *inquiry) (assemblies.Assembly, error) {
	data := assemblies.AssembleData{Upload: q.Upload, Digest: q.Digest, Board: q.Board, Boards: q.Request.Quantity, Choices: choicesOf(q.Request)}
	id, err := assemblies.ID(q.Account, data)
	if err != nil {
		return assemblies.Assembly{}, err
	}
	data.Assembly = id
	now, err := aggregate.At[assemblies.Assembly](s.events, contract.AssemblyAggregate, id).Load(ctx)
	if err != nil {
		return assemblies.Assembly{}, err
	}
	a := now.State
	late := s.now().Sub(in.command.At) >= maxAssembly
	if recent := a.Usable(s.now(), time.Time{}) || a.Running(s.now()) || late && a.Status == partchecks.Ended; recent {
		if a.Refusal != nil {
			return a, a.Refusal
		}
		if a.Plan != nil {
			if r := assembled.Questions(*a.Plan, q.Request); r != nil {
				return a, r
			}
		}
		if a.Status == partchecks.Ended {
			return a, nil
		}
	}
	if err := s.askForAssembly(ctx, in, data, a); err != nil {
		return a, err
	}
	return a, flow.SnoozeUntil(contract.AssemblyAggregate, id, assemblyPoll, errStillSourcing)
}

var errStillSourcing = errors.New("the parts are still being looked up")

func choicesOf(r quotes.Request) assemblies.Choices {
	return assemblies.Choices{DoNotFitRefs: r.DoNotFitRefs, CustomerSuppliedRefs: r.CustomerSuppliedRefs, Substitutions: r.Substitutions}
}

// askForAssembly has the parts looked up, and records what the client waits for.
// Each attempt is asked for by a command of its own.
func (s *Service) askForAssembly(ctx context.Context, in *inquiry, data assemblies.AssembleData, a assemblies.Assembly) error {
	c := in.command
	err := s.record(ctx, c, sourcing(in.data.Request, a))
	if err != nil || a.Running(s.now()) {
		return err
	}
	ask, err := c.Follow(assemblies.Assemble, data.Assembly+":"+strconv.Itoa(a.Attempt), s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Send(ctx, ask)
}

// bare adds a quote of the boards alone to a review of their assembly, where they
// have an instant price.
func (s *Service) bare(ctx context.Context, q *quotes.Quote, in *inquiry, board options.Board, place destination.Place, notes []string) error {
	request := quotes.BareRequest(q.RequestID)
	one := &quotes.Quote{
		Ref: s.secrets.QuoteRefs(request)[0], Account: q.Account, RequestID: request, Upload: q.Upload, Digest: q.Digest, Board: q.Board, Picture: q.Picture,
		Request: bareRequest(q.Request), Version: 1, CreatedAt: q.CreatedAt,
	}
	before, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, one.Ref).Load(ctx)
	if err != nil {
		return err
	}
	if before.Exists() { // of an earlier delivery of the command: its price stays
		one = &before.State
	} else if reasons, err := s.instant(ctx, one, in, board, place, notes, offer.Assembly{}); err != nil || len(reasons) > 0 {
		return err
	}
	r := one.Reply
	q.Bare = &quotes.BareRef{Ref: one.Ref, Request: request}
	q.Reply.FabricationQuote = &quotes.BareQuote{
		Mode: r.Mode, Fabricator: r.Fabricator, Quantity: r.Quantity, Total: *r.Total, TotalCents: *r.TotalCents, PerBoard: *r.PerBoard, Currency: *r.Currency, Lines: r.Lines,
		LeadTime: *r.LeadTime, Delivery: *r.Delivery, Summary: r.Summary,
	}
	in.bare = one
	return nil
}

// bareRequest is a request for the boards alone.
func bareRequest(r quotes.Request) quotes.Request {
	r.Assembly, r.StaffPicksParts = false, false
	r.DoNotFitRefs, r.CustomerSuppliedRefs, r.Substitutions = nil, nil, nil
	return r
}

// createBare records the quote of the boards alone before the review that names
// it. Done again it finds what is there.
func (s *Service) createBare(ctx context.Context, c contract.Command, q *quotes.Quote) error {
	if q == nil {
		return nil
	}
	_, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, q.Ref).Step(ctx, c, "bare", s.now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
			if now.Exists() {
				return nil, nil
			}
			return &aggregate.Change[quotes.Quote]{Event: quotes.EventPriced, State: *q}, nil
		})
	if err != nil {
		return fmt.Errorf("quote the boards alone: %w", err)
	}
	return nil
}
