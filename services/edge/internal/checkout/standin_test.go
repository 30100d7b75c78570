package checkout_test

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

func (s *harness) chooseDelivery(_ context.Context, c contract.Command) error {
	var d quotes.ChooseDeliveryData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	q, err := fetch[quotes.Quote](s, contract.QuoteAggregate)
	if err != nil {
		return err
	}
	problems := d.ShipTo.Missing()
	saved := q
	if d.Estimate {
		problems, q = nil, q.ApplyEstimate()
		if d.ShipTo.Country == "" || d.ShipTo.Country == "XX" {
			problems = []contract.FieldProblem{{Field: "ship_to.country", Problem: "not_served", Message: "No."}}
		}
	} else if d.ShipTo.PostalCode == "999" {
		problems = append(problems, contract.FieldProblem{Field: "ship_to.postal_code", Problem: "malformed", Message: "This is no postal code of there."})
	} else if d.ShipTo.Country == "BR" && d.ShipTo.TaxID == "" {
		problems = append(problems, contract.FieldProblem{Field: "ship_to.tax_id", Problem: "missing", Message: "Customs in Brazil ask for the recipient's CPF or CNPJ."})
	}
	if len(problems) > 0 {
		r := contract.Refuse(contract.InvalidRequest, "The delivery details are not complete yet.")
		r.Fields = problems
		return r
	}
	if d.Quantity == unpriced {
		return contract.Refuse(contract.QuoteNotPayable, "Our team has to price this number of boards.")
	}
	from := q.Assumed
	if q.Delivery != nil {
		from = q.Delivery.ShipTo.Country
	}
	unoffered, moved := 0, from != d.ShipTo.Country || d.Quantity != 0 && d.Quantity != q.Request.Quantity
	if d.Quantity != 0 {
		if d.Quantity >= 1000 && d.Quantity != q.Request.Quantity {
			unoffered, d.BuildHours = d.BuildHours, 0
		}
		q.Request.Quantity, q.Reply.Quantity = d.Quantity, d.Quantity
	}
	ways := options(d.ShipTo.Country)
	if q.Request.Quantity >= tooHeavy {
		ways = ways[1:]
	}
	var way *shipments.Way
	if q.Delivery != nil && d.ShippingID == "" {
		way = q.Delivery.UnofferedWay
	}
	switch err := pick(ways, d.ShippingID); {
	case err != nil && moved && strings.HasSuffix(d.ShippingID, "-eco"):
		way = &shipments.Way{ID: d.ShippingID, Name: "Post Economy"}
		_ = pick(ways, "")
	case err != nil && moved:
		_ = pick(ways, "")
	case err != nil:
		return err
	}
	s.mu.Lock()
	extra := s.dearer
	s.dearer = 0
	s.mu.Unlock()
	q.Delivery, q.Assumed = &shipments.Delivery{ShipTo: d.ShipTo, BuildHours: d.BuildHours, UnofferedHours: unoffered, UnofferedWay: way}, ""
	for _, w := range ways {
		if w.Chosen {
			q.Delivery.ShippingID = w.ID
		}
	}
	q.Version++
	price(&q, ways, d.BuildHours, extra)
	if d.Estimate {
		saved.Estimate = &quotes.Estimate{Delivery: *q.Delivery, Quantity: q.Request.Quantity, Reply: q.Reply}
		q = saved
	} else {
		q.Estimate = nil
	}
	if err := s.write(contract.QuoteAggregate, s.ref, q); err != nil {
		return err
	}
	return s.finish(c, contract.Operation{Aggregate: contract.QuoteAggregate, ID: s.ref})
}

// tooHeavy is a number of boards that the post does not take.
const tooHeavy = 5000

// unpriced is a number of boards that has no instant price.
const unpriced = 77_777

func options(country string) []quotes.ShippingOption {
	prefix := strings.ToLower(country)
	return []quotes.ShippingOption{
		{ID: prefix + "-eco", Carrier: "Post", Service: "Economy", Cents: 1250, DaysMin: 8, DaysMax: 14, Delivery: "13 to 19 working days from payment, build included"},
		{ID: prefix + "-exp", Carrier: "DHL", Service: "Express", Cents: 2890, DaysMin: 2, DaysMax: 4, Delivery: "7 to 9 working days from payment, build included"},
	}
}

// pick marks the way that was chosen; without one it is the express.
func pick(ways []quotes.ShippingOption, id string) error {
	for i := range ways {
		if ways[i].ID == id || id == "" && i == len(ways)-1 {
			ways[i].Chosen = true
			return nil
		}
	}
	r := contract.Refuse(contract.InvalidRequest, "This way of shipping is not offered to this country.")
	r.Fields = []contract.FieldProblem{{Field: "shipping_id", Problem: "not_offered", Message: r.Message}}
	return r
}

// price fills in a price whose lines add up.
func price(q *quotes.Quote, ways []quotes.ShippingOption, hours int, extra int64) {
	lines := []prices.Line{{Label: "Boards", Cents: 840*int64(q.Request.Quantity) + extra}, {Label: "Engineering and tooling", Cents: 2500}}
	lead := "5 working days"
	q.Reply.FasterBuilds = []quotes.FasterBuild{
		{BuildTimeHours: 48, Build: "48 hours", Adds: "$31.00", AddsCents: 3100, Delivery: "4 to 6 working days from payment, build included"},
		{BuildTimeHours: 24, Build: "24 hours", Adds: "$75.50", AddsCents: 7550, Delivery: "3 to 5 working days from payment, build included"},
	}
	if hours == 48 {
		lead = "48 hours"
		lines = append(lines, prices.Line{Label: "Faster build: 48 hours", Cents: 3100})
		q.Reply.FasterBuilds = q.Reply.FasterBuilds[1:]
	}
	delivery := "7 to 9 working days from payment, build included"
	for _, w := range ways {
		if w.Chosen {
			lines = append(lines, prices.Line{Label: "Shipping: " + w.Carrier + " " + w.Service, Cents: w.Cents})
			delivery = w.Delivery
		}
	}
	lines = append(lines, prices.Line{Label: "Import duty, HS 8534.00: free", Cents: 0}, prices.Line{Label: "Sales tax, California, 8.25%", Cents: 1137})
	var total int64
	for _, l := range lines {
		total += l.Cents
	}
	each, usd := total/int64(q.Request.Quantity), "USD"
	q.Reply.Lines, q.Reply.TotalCents, q.Reply.PerBoardCents, q.Reply.Currency = lines, &total, &each, &usd
	q.Reply.ShippingOptions, q.Reply.LeadTime, q.Reply.Delivery = ways, &lead, &delivery
}

func (s *harness) requestReview(_ context.Context, c contract.Command) error {
	var d quotes.RequestReviewData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	if problems := d.ShipTo.Missing(); len(problems) > 0 {
		r := contract.Refuse(contract.InvalidRequest, "The contact and delivery details are not complete yet.")
		r.Fields = problems
		return r
	}
	q, err := fetch[quotes.Quote](s, contract.QuoteAggregate)
	if err != nil {
		return err
	}
	q.Status, q.Delivery = quotes.SourcingRequested, &shipments.Delivery{ShipTo: d.ShipTo}
	if err := s.write(contract.QuoteAggregate, s.ref, q); err != nil {
		return err
	}
	return s.finish(c, contract.Operation{Aggregate: contract.QuoteAggregate, ID: s.ref})
}

func (s *harness) answerReview(_ context.Context, c contract.Command) error {
	var d quotes.AnswerReviewData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	q, err := fetch[quotes.Quote](s, contract.QuoteAggregate)
	if err != nil {
		return err
	}
	if open := q.OpenQuestion(); open == nil || open.ID != d.Question {
		return contract.Refuse(contract.Conflict, "This question has been answered already.")
	}
	if d.Text == "" {
		return contract.Refuse(contract.InvalidRequest, "Please write the answer.")
	}
	at := s.now()
	last := &q.Review.Questions[len(q.Review.Questions)-1]
	last.Answer, last.AnsweredAt = d.Text, &at
	if err := s.write(contract.QuoteAggregate, s.ref, q); err != nil {
		return err
	}
	return s.finish(c, contract.Operation{Aggregate: contract.QuoteAggregate, ID: s.ref})
}

func (s *harness) beginCheckout(_ context.Context, c contract.Command) error {
	var d checkouts.BeginData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	q, err := fetch[quotes.Quote](s, contract.QuoteAggregate)
	if err != nil {
		return err
	}
	if d.Version != q.Version {
		return contract.Refuse(contract.Conflict, "The price of this quote has changed.")
	}
	begun := checkoutOf(q, s.card.URL+"/pay/cs_test_1", s.now())
	begun.SaveDetails, begun.Language, begun.Browser = d.SaveDetails, d.Language, d.Browser
	if d.Currency != "" {
		begun.Charge = q.Charge
	}
	if err := s.write(contract.CheckoutAggregate, s.ref, begun); err != nil {
		return err
	}
	return s.finish(c, contract.Operation{Aggregate: contract.CheckoutAggregate, ID: s.ref})
}

func checkoutOf(q quotes.Quote, page string, now time.Time) checkouts.Checkout {
	return checkouts.Checkout{
		Quote: q.Ref, Account: q.Account, Request: q.RequestID, Status: checkouts.Open, Attempt: 1, Quantity: 10,
		PriceVersion: q.Version, ShipTo: q.Delivery.ShipTo, Lines: q.Reply.Lines, TotalCents: *q.Reply.TotalCents, Currency: "USD",
		SessionID: "cs_test_1", SessionURL: page, StartedAt: now, ExpiresAt: now.Add(12 * time.Hour),
	}
}

func (s *harness) cancelOrder(_ context.Context, c contract.Command) error {
	o, err := fetch[orders.Order](s, contract.OrderAggregate)
	if err != nil {
		return err
	}
	if o.Status != orders.Paid {
		return contract.Refuse(contract.Conflict, "This order is at the factory already.")
	}
	o.Status, o.Cancelled = orders.Cancelled, &orders.Cancellation{Operator: "customer", At: s.now()}
	if err := s.write(contract.OrderAggregate, s.ref, o); err != nil {
		return err
	}
	return s.finish(c, contract.Operation{Aggregate: contract.OrderAggregate, ID: s.ref})
}

func (s *harness) settle(_ context.Context, c contract.Command) error {
	s.mu.Lock()
	place := s.place
	s.mu.Unlock()
	if !place {
		return nil
	}
	paid, err := fetch[checkouts.Checkout](s, contract.CheckoutAggregate)
	if err != nil {
		return err
	}
	return s.write(contract.OrderAggregate, s.ref, orderOf(paid, s.now()))
}

func orderOf(c checkouts.Checkout, now time.Time) orders.Order {
	return orders.Order{
		ID: "ord_1", Ref: "BO-7K3Q-2M", Quote: c.Quote, Account: c.Account, Status: orders.Paid, Quantity: 10,
		Board: "2 layers, 50 x 40 mm, 1.6 mm FR-4", Delivery: "7 to 9 working days from payment, build included",
		ShipTo: c.ShipTo, Language: c.Language, Lines: c.Lines, TotalCents: c.TotalCents, Currency: "USD", PaidAt: now,
	}
}

// priceAgain makes a quote of a request, five dollars dearer than a quote of before.
func (s *harness) priceAgain(_ context.Context, c contract.Command) error {
	var d quotes.PriceData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	q := quotes.Quote{
		Ref: d.Quote, Account: c.Account, RequestID: c.Request, Mode: quotes.ModeInstant, Status: quotes.Ready, Version: 1, From: d.From,
		CreatedAt: s.now(), ExpiresAt: s.now().Add(quotes.InstantTTL), Request: d.Request, Reply: quotes.Reply{Quantity: d.Request.Quantity},
	}
	ways := options(d.Request.ShipTo.Country)
	if err := pick(ways, d.Chosen.ShippingID); err != nil {
		return err
	}
	price(&q, ways, d.Chosen.BuildHours, 500)
	if err := s.write(contract.QuoteAggregate, d.Quote, q); err != nil {
		return err
	}
	return s.finish(c, contract.Operation{Aggregate: contract.QuoteAggregate, ID: d.Quote})
}
