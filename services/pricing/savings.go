package pricing

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	finder "boardorder/services/pricing/internal/savings"

	"golang.org/x/sync/errgroup"
)

const (
	// partTTL is how long what could not be asked to its end holds.
	partTTL = time.Minute
	// leastSaving is what a change takes off at least, in cents, to be worth reading.
	leastSaving = 50
	// finePitchMM is from which on pins need no flat surface.
	finePitchMM = 0.5
)

// findSavings finds what would make a quote cheaper. Each change is a quote that is not kept,
// so a quote of the changed request costs the same.
func (s *Service) findSavings(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[savings.FindData](c)
	if err != nil {
		return err
	}
	if data.Savings != c.Request {
		return flow.Permanent(fmt.Errorf("%s names savings %q and request %q", c.Name, data.Savings, c.Request))
	}
	q, err := s.payableQuote(ctx, c.Account, data.Quote)
	if err != nil {
		return err
	}
	search, err := s.newSearch(ctx, c, q)
	if err != nil {
		return err
	}
	var found savings.Savings
	err = s.reportProgress(ctx, c, stageSavings, func() (err error) {
		found, err = s.search(ctx, search)
		return err
	})
	if err != nil {
		return err
	}
	found.ID, found.Reply.SavingsID = data.Savings, data.Savings
	return aggregate.At[savings.Savings](s.events, contract.SavingsAggregate, data.Savings).Create(ctx, c, s.now(),
		aggregate.Change[savings.Savings]{Event: savings.EventFound, State: found})
}

// stageSavings is the stage of savings whose prices the fabricator has not given yet.
var stageSavings = stage{"price", "What would make the quote cheaper was asked for. The fabricator is being asked for the price of each change."}

// payableQuote gives an account's quote that can still be paid, as checkout shows it.
func (s *Service) payableQuote(ctx context.Context, account, ref string) (quotes.Quote, error) {
	ordered, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, ref).Load(ctx)
	if err != nil {
		return quotes.Quote{}, err
	}
	now, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, ref).Load(ctx)
	q := now.State
	switch {
	case err != nil:
		return q, err
	case !now.Exists() || q.Account != account:
		return q, contract.Refuse(contract.NotFound, "There is no such quote.")
	case ordered.Exists():
		return q, contract.Refuse(contract.Conflict, "This quote has been paid, so nothing makes it cheaper any more. POST /v1/reorders prices its order again.")
	case q.Mode != quotes.ModeInstant:
		return q, contract.Refuse(contract.QuoteNotPayable, "Our team prices this quote by hand, so no change of it has a price of its own. Say in its review what may be changed, or ask for a quote of the changed board.")
	case q.IsExpired(s.now()):
		return q, contract.Refuse(contract.QuoteExpired, "This quote has expired. POST /v1/quotes/{quote_id}/refresh prices it again, and what would make that one cheaper can be asked for.")
	}
	return q.ApplyEstimate(), nil
}

// A search is for savings of one quote.
type search struct {
	command contract.Command
	quote   quotes.Quote
	request quotes.Request // that prices the quote's board as it is chosen now
	chosen  map[string]any // what of it was chosen since the quote was asked for, as a client sends it
	upload  uploads.Brief
	files   boards.ReadFiles
	gone    bool // the files must be uploaded again
	rule    accounts.FabricatorRule
}

func (s *Service) newSearch(ctx context.Context, c contract.Command, q quotes.Quote) (search, error) {
	out := search{command: c, quote: q}
	var err error
	if out.request, out.chosen, err = s.requestOf(q); err != nil {
		return out, err
	}
	if out.rule, err = s.ruleOf(ctx, c.Account); err != nil {
		return out, err
	}
	up, err := s.usableUpload(ctx, c.Account, q.Upload)
	refusal := contract.RefusalIn(err)
	switch {
	case refusal != nil && (refusal.Code == contract.UploadExpired || refusal.Code == contract.UploadNotFound):
		out.gone = true
	case err != nil:
		return out, err
	case up.Digest != boards.FilesDigest(q.Digest):
		return out, contract.Refuse(contract.Conflict, "Files have come to the upload since this quote was made, so a changed request would be about another board. Ask for a quote of the files as they are now.")
	}
	out.upload, out.files, err = s.files(ctx, c, quotes.PriceData{Upload: q.Upload, Digest: q.Digest, Request: out.request})
	return out, err
}

// requestOf is the request by which a quote costs what was chosen at checkout, as far as a
// request can say it, and what of it a client has not sent itself. Of an address that was
// entered at checkout it has what a price follows from.
func (s *Service) requestOf(q quotes.Quote) (r quotes.Request, chosen map[string]any, err error) {
	stored, err := s.loadPricing(&q)
	if err != nil {
		return r, nil, err
	}
	r, chosen = q.Request, map[string]any{}
	if q.Wanted != 0 && q.Wanted != r.Quantity {
		chosen["quantity"] = r.Quantity
	}
	var hours *int
	if h := stored.spec.BuildHours; h != 0 && h != stored.basis.Builds[0].Hours {
		hours = &h
	}
	if was := q.Request.BuildTimeHours; (was == nil) != (hours == nil) || was != nil && *was != *hours {
		chosen["build_time_hours"] = hours
	}
	r.BuildTimeHours = hours
	if q.Delivery != nil {
		asked, to := s.deliveryOf(q.Request), q.Delivery.ShipTo
		if asked == nil || !samePlace(asked.ShipTo, to) {
			r.ShipTo = &shipments.ShipTo{Country: to.Country, State: to.State, PostalCode: to.PostalCode}
			chosen["ship_to"] = r.ShipTo
		}
	}
	return r, chosen, nil
}

func samePlace(a, b shipments.ShipTo) bool {
	return a.Country == b.Country && a.State == b.State && a.PostalCode == b.PostalCode && a.TaxID == b.TaxID
}

// try prices a request as a quote of it would be. changed has facts in place of what the
// files state.
func (s *Service) try(ctx context.Context, in search, r quotes.Request, changed map[string]any) (*quotes.Quote, *contract.Refusal, error) {
	c, u := in.command, in.upload
	q := &quotes.Quote{Account: c.Account, RequestID: c.Request, Upload: u.Ref, Digest: u.Digest, Request: r, Version: 1, CreatedAt: s.now()}
	err := s.offer(ctx, q, replaceFacts(in.files, in.quote.Board, changed), &inquiry{command: c, upload: u, rule: in.rule, data: quotes.PriceData{Upload: u.Ref, Request: r}})
	if refusal := contract.RefusalIn(err); refusal != nil {
		return nil, refusal, nil
	}
	return q, nil, err
}

// replaceFacts are files of which one board is another in some facts.
func replaceFacts(files boards.ReadFiles, board string, changed map[string]any) boards.ReadFiles {
	if len(changed) == 0 {
		return files
	}
	files.Boards = slices.Clone(files.Boards)
	for i := range files.Boards {
		b := &files.Boards[i]
		if b.Name != board {
			continue
		}
		b.Facts = maps.Clone(b.Facts)
		for name, value := range changed {
			f := b.Facts[name]
			f.Value = value
			b.Facts[name] = f
		}
	}
	return files
}

// search prices a quote's request as it is and with each change, and keeps what is cheaper.
func (s *Service) search(ctx context.Context, in search) (savings.Savings, error) {
	base, refusal, err := s.try(ctx, in, in.request, nil)
	switch {
	case err != nil:
		return savings.Savings{}, err
	case refusal != nil:
		return savings.Savings{}, refusal
	case base.Mode != quotes.ModeInstant:
		return savings.Savings{}, contract.Refuse(contract.QuoteNotPayable, "Our team prices this board by now, so no change of it has a price of its own. The quote holds until it expires.")
	}
	board, err := s.boardOf(ctx, in, base)
	if err != nil {
		return savings.Savings{}, err
	}
	changes := finder.Changes(s.catalog, board, savings.MaxPrices-1)
	prices, missed, err := s.tryAll(ctx, in, changes)
	if err != nil {
		return savings.Savings{}, err
	}
	return s.savingsOf(in, base, changes, prices, missed)
}

// tryAll prices changes. One that is refused, or that people would price, has no quote;
// missed reports whether the fabricator did not answer about some.
func (s *Service) tryAll(ctx context.Context, in search, changes []finder.Change) (priced []*quotes.Quote, missed bool, err error) {
	priced = make([]*quotes.Quote, len(changes))
	refusals, errs := make([]*contract.Refusal, len(changes)), make([]error, len(changes))
	var group errgroup.Group
	group.SetLimit(tableParallel)
	for i, change := range changes {
		group.Go(func() error {
			priced[i], refusals[i], errs[i] = s.try(ctx, in, change.Request, change.Facts)
			return nil
		})
	}
	_ = group.Wait()
	for i, refusal := range refusals {
		if refusal != nil {
			missed = missed || refusal.Code == contract.PriceUnavailable
			priced[i] = nil
		} else if errs[i] == nil && priced[i].Mode != quotes.ModeInstant {
			priced[i] = nil
		}
	}
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return nil, false, errs[i]
	}
	return priced, missed, nil
}

// boardOf is what is known of the board of a quote.
func (s *Service) boardOf(ctx context.Context, in search, base *quotes.Quote) (finder.Board, error) {
	out := finder.Board{Request: in.request, Details: *base.Reply.BoardDetails, From: base.Reply.BoardDetailsFrom}
	board, err := chooseBoard(in.files, in.request)
	if err != nil {
		return out, err
	}
	out.Facts, out.Inspected = factsOf(board, nil), isInspected(board)
	if base.Assembly == nil {
		return out, nil
	}
	now, err := aggregate.At[assemblies.Assembly](s.events, contract.AssemblyAggregate, base.Assembly.ID).Load(ctx)
	if err == nil {
		out.FineParts = now.State.Price == nil || slices.ContainsFunc(now.State.Price.Checks, isFine)
	}
	return out, err
}

// isInspected reports whether the copper of a board was measured to its end.
func isInspected(b boards.Board) bool {
	return len(b.Measures) > 0 && !slices.ContainsFunc(b.Findings, func(f contract.Finding) bool {
		return f.Check == pcb.TooComplexCode || f.Check == "time_out"
	})
}

// isFine reports whether a part needs a flat surface, or may.
func isFine(f assemblies.Fit) bool {
	if f.PitchMM > 0 && f.PitchMM < finePitchMM {
		return true
	}
	words := strings.ToUpper(f.Package + " " + f.Footprint)
	return slices.ContainsFunc([]string{"BGA", "CSP", "LGA"}, func(kind string) bool { return strings.Contains(words, kind) })
}
