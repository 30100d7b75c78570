package pricing

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/destination"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/services/pricing/internal/duty"
	"boardorder/services/pricing/internal/exchange"
	"boardorder/services/pricing/internal/offer"
	"boardorder/services/pricing/internal/shipping"
	"boardorder/services/pricing/internal/tax"
)

// chooseDelivery prices a quote for the delivery, and the number of boards, that
// the customer chose. The board itself stays; the version of the price moves on.
func (s *Service) chooseDelivery(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.ChooseDeliveryData](c)
	if err != nil {
		return err
	}
	ordered, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	now, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Load(ctx)
	if err != nil || now.Did(c.ID) { // an earlier delivery's choice may have been paid since
		return err
	}
	if ordered.Exists() {
		return contract.Refuse(contract.QuoteNotPayable, "This quote has been paid already.")
	}
	if err := s.payable(now); err != nil {
		return err
	}
	seq, q := now.Seq, now.State
	if data.Estimate {
		q.Estimate, err = s.estimate(ctx, q.ApplyEstimate(), data)
	} else {
		err = s.reprice(ctx, &q, data)
	}
	if err != nil {
		return err
	}
	_, err = aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
			if now.Seq != seq {
				return nil, errQuoteMoved
			}
			return &aggregate.Change[quotes.Quote]{Event: quotes.EventDeliveryChosen, State: q}, nil
		})
	return err
}

// errQuoteMoved makes the command come again: it prices what it has not seen.
var errQuoteMoved = errors.New("the quote changed while it was priced anew")

func (s *Service) payable(now aggregate.Snapshot[quotes.Quote]) error {
	switch q := now.State; {
	case !now.Exists():
		return contract.Refuse(contract.NotFound, "There is no such quote.")
	case q.IsExpired(s.now()):
		return contract.Refuse(contract.QuoteExpired, "This quote has expired. Please ask for a new one.")
	case q.Mode != quotes.ModeInstant:
		return contract.Refuse(contract.QuoteNotPayable, "This quote is priced by our team; its delivery is part of their price.")
	}
	if _, ok := s.builder(now.State); !ok {
		return quotes.RefuseUnbuilt()
	}
	return nil
}

// estimate prices what was entered so far. The address is kept as it was entered.
func (s *Service) estimate(ctx context.Context, q quotes.Quote, data quotes.ChooseDeliveryData) (*quotes.Estimate, error) {
	entered := data.ShipTo
	data.ShipTo = shipments.ShipTo{Country: entered.Country, State: entered.State, PostalCode: entered.PostalCode}
	if _, problems := s.tables.Places.Resolve(&data.ShipTo, s.cfg.DefaultCountry); len(problems) > 0 {
		data.ShipTo = shipments.ShipTo{Country: entered.Country}
	}
	if err := s.reprice(ctx, &q, data); err != nil {
		return nil, err
	}
	q.Delivery.ShipTo = entered
	r := q.Reply
	r.RequestID, r.BoardDetailsFrom, r.BoardImageURL, r.BoardFindings, r.Parts, r.UnlistedRefs = nil, nil, nil, nil, nil, nil
	r.UnpricedParts, r.PickedParts, r.RequestedSubst, r.SavedDetails = nil, nil, nil, nil
	return &quotes.Estimate{Delivery: *q.Delivery, Quantity: q.Request.Quantity, Reply: r, Pricing: q.Pricing, Charge: q.Charge, Terms: q.Terms}, nil
}

func (s *Service) reprice(ctx context.Context, q *quotes.Quote, data quotes.ChooseDeliveryData) error {
	stored, err := s.loadPricing(q)
	if err != nil {
		return err
	}
	another, err := newQuantity(q, data.Quantity)
	if err != nil {
		return err
	}
	place, err := s.placeOf(&data)
	if err != nil {
		return err
	}
	wish, err := s.wishOf(q, data)
	if err != nil {
		return err
	}
	way, err := s.wayWishOf(q, data, place)
	if err != nil {
		return err
	}
	if another {
		q.Wanted = cmp.Or(q.Wanted, q.Request.Quantity)
		q.Request.Quantity = data.Quantity
		stored.basis.Quantity, stored.basis.BuildCount = data.Quantity, s.catalog.BuildQuantity(data.Quantity)
		// The hours are those of the earlier number; all that are offered come with the price.
		stored.spec.Quantity, stored.spec.BuildHours = stored.basis.BuildCount, 0
	}
	if another || place.Country != stored.spec.To.Country {
		fab, ok := s.builder(*q)
		if !ok {
			return quotes.RefuseUnbuilt()
		}
		if err := s.priceTo(ctx, fab, &stored, place); err != nil {
			return err
		}
	}
	stored.spec.To.PostalCode, stored.spec.To.City = data.ShipTo.PostalCode, data.ShipTo.City
	hours := wish.choose(stored.basis.Builds)
	o, unoffered, err := s.priceWay(stored.basis, offer.Choice{Place: place, BuildHours: hours}, way)
	if err != nil {
		return refuseDelivery(classifyOfferError(err))
	}
	q.Version++
	q.Delivery, q.Assumed, q.Estimate = &shipments.Delivery{ShipTo: data.ShipTo, UnofferedWay: unoffered}, "", nil
	if hours != wish.hours {
		q.Delivery.UnofferedHours = wish.hours
	}
	return s.fill(q, stored, o)
}

// chooseAgain gives a reorder the shipping and the build that were chosen at the earlier
// order's checkout. What is no longer offered is said in the notes.
func (s *Service) chooseAgain(q *quotes.Quote, was quotes.Chosen) error {
	stored, err := s.loadPricing(q)
	if err != nil {
		return err
	}
	choice, notes := repeatChoice(q.Reply, was)
	choice.Place, _ = s.tables.Places.Resolve(q.Request.ShipTo, s.cfg.DefaultCountry)
	o, err := s.tables.Price(stored.basis, choice)
	if err != nil {
		return fmt.Errorf("price an earlier choice: %w", err)
	}
	if choice.BuildHours > 0 {
		q.Request.BuildTimeHours = &choice.BuildHours
	}
	if err := s.fill(q, stored, o); err != nil {
		return err
	}
	q.Reply.Notes = append(q.Reply.Notes, notes...)
	return nil
}

// repeatChoice is an earlier choice among what a reply offers, with what to say of what it
// does not offer.
func repeatChoice(r quotes.Reply, was quotes.Chosen) (c offer.Choice, notes []string) {
	for _, w := range r.ShippingOptions {
		if w.ID == was.ShippingID || c.ShippingID == "" && w.Name() == was.Shipping {
			c.ShippingID = w.ID
		}
	}
	for _, b := range r.FasterBuilds {
		if b.BuildTimeHours == was.BuildHours {
			c.BuildHours = was.BuildHours
		}
	}
	if c.ShippingID == "" {
		notes = append(notes, fmt.Sprintf("The earlier order went by %s, which is not offered for this one; shipping_options lists what is.", was.Shipping))
	}
	if was.BuildHours != c.BuildHours {
		notes = append(notes, fmt.Sprintf("The earlier order was built in %d hours, which is not offered for this one; faster_builds lists what is.", was.BuildHours))
	}
	return c, notes
}

// newQuantity reports whether a choice is of another number of boards than the
// quote's. Parts were looked up for the number that is assembled, so that one stays.
func newQuantity(q *quotes.Quote, n int) (bool, error) {
	var problem contract.FieldProblem
	switch {
	case n == 0 || n == q.Request.Quantity:
		return false, nil
	case n < 1 || n > quotes.MaxBoards:
		problem = contract.FieldProblem{Problem: "out_of_range", Message: fmt.Sprintf("A quote is for 1 to %d boards.", quotes.MaxBoards)}
	case q.Request.Assembly:
		problem = contract.FieldProblem{Problem: "fixed", Message: "The parts were priced for this number of boards. For another one, ask for a new quote."}
	default:
		return true, nil
	}
	problem.Field = "quantity"
	return false, contract.RefuseFields([]contract.FieldProblem{problem})
}

// placeOf is where a choice leads. All that the address lacks or has wrong is
// refused at once; an estimate needs only as much as a price follows from.
func (s *Service) placeOf(data *quotes.ChooseDeliveryData) (destination.Place, error) {
	places := s.tables.Places
	place, problems := places.Resolve(&data.ShipTo, s.cfg.DefaultCountry)
	if !data.Estimate {
		problems = places.Unmet(data.ShipTo)
	} else if place.Assumed {
		problems = []contract.FieldProblem{{Field: "ship_to.country", Problem: "missing", Message: "Say which country to deliver to."}}
	}
	if len(problems) > 0 {
		refusal := contract.Refuse(contract.InvalidRequest, "The delivery details are not complete yet.")
		refusal.Fields = problems
		return place, refusal
	}
	data.ShipTo = places.Normal(data.ShipTo)
	return place, nil
}

// priceTo asks the quote's fabricator for the same boards to another country: only it
// knows its ways there.
func (s *Service) priceTo(ctx context.Context, fab Fabricator, stored *pricing, place destination.Place) error {
	stored.spec.To = fabricator.Destination{Country: place.Country, PostalCode: place.PostalCode}
	p, err := s.ask(ctx, fab, stored.basis, stored.spec)
	if reasons := reviewReasons(err); reasons != nil {
		return contract.Refuse(contract.QuoteNotPayable, "Our team has to price this number of boards to this country. Please ask for a quote of it.")
	}
	if err != nil {
		return s.refusalOf(err)
	}
	stored.basis, stored.price = p.basis, p.price
	return nil
}

// refuseDelivery refuses a delivery that people would have to price.
func refuseDelivery(reasons []string, err error) error {
	if err == nil && len(reasons) > 0 {
		return contract.Refuse(contract.QuoteNotPayable, "Our team has to price the delivery to this country. Please ask for a quote with this destination.")
	}
	return err
}

// classifyOfferError distinguishes a choice that does not exist from a destination that people
// must price (reasons) and from rates that are missing just now.
func classifyOfferError(err error) (reasons []string, refusal error) {
	if choice, ok := errors.AsType[*offer.ChoiceError](err); ok {
		r := contract.Refuse(contract.InvalidRequest, "%s", choice.Fields[0].Message)
		r.Fields = choice.Fields
		return nil, r
	}
	switch {
	case errors.Is(err, exchange.ErrNoRate):
		return nil, unavailable(0)
	case errors.Is(err, duty.ErrUnknown), errors.Is(err, tax.ErrUnknown), errors.Is(err, shipping.ErrNoService):
		return []string{"Delivery to this country is quoted by our team."}, nil
	}
	return nil, err
}

func reviewReasons(err error) []string {
	e, ok := errors.AsType[*fabricator.Error](err)
	if !ok || e.Kind != fabricator.Review {
		return nil
	}
	if len(e.Reasons) == 0 {
		return []string{"The fabricator prices this combination of options by hand."}
	}
	return e.Reasons
}
