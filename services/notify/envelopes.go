package notify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/orders"
	pricescontract "boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/dated"
	"boardorder/pkg/flow"
	"boardorder/pkg/language"
	"boardorder/pkg/money"
	"boardorder/services/notify/internal/email"
)

// state loads what an e-mail is about.
func state[S any](ctx context.Context, s *Service, a contract.Aggregate, id string) (S, error) {
	now, err := aggregate.At[S](s.events, a, id).Load(ctx)
	switch {
	case err != nil || now.Exists():
	case now.Seq > 0:
		err = errNotDue // it was erased
	default:
		err = flow.Permanent(fmt.Errorf("there is no %s %s", a, id))
	}
	return now.State, err
}

func (s *Service) orderEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	o, err := state[orders.Order](ctx, s, contract.OrderAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	switch data.Kind {
	case emails.OrderHeld, emails.OrderWaiting, emails.OrderMoney:
		why := attention(o, s.cfg.ConsoleURL+"/orders/"+o.Quote)
		if data.Kind == emails.OrderMoney {
			why.Held, why.Money, why.Why = false, true, moneyWords(o)
		}
		if why.Why == "" {
			return envelope{}, errNotDue // somebody has seen to it
		}
		l, err := s.emails.OrderAttention(why)
		return envelope{l, s.cfg.Team, "", o.Account}, err
	}
	later := ""
	if data.Kind == emails.Receipt {
		q, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, o.Quote).Load(ctx)
		if err != nil {
			return envelope{}, err
		}
		later = o.ChoiceAfterPayment(q.State)
	}
	l, err := s.orderMessage(o, data, later)
	return envelope{l, cmp.Or(o.ShipTo.Email, o.Payment.Email), o.ShipTo.Name, o.Account}, err
}

// orderMessage writes an e-mail about an order to its customer; later is what was chosen
// after the payment began.
func (s *Service) orderMessage(o orders.Order, data emails.SendData, later string) (email.Message, error) {
	url, w := s.orderURL(o), s.emails.Translate(o.Language)
	switch data.Kind {
	case emails.Receipt:
		l := s.receipt(o, url)
		l.Later = later
		return w.Receipt(l)
	case emails.Shipped:
		return w.WriteShipped(shipmentEmail(o, url))
	case emails.Cancelled:
		return w.WriteCancelled(cancellationEmail(o, url))
	case emails.SentBack:
		i := slices.IndexFunc(o.Refunds, func(r orders.Refund) bool { return r.ID == data.Item })
		if i < 0 {
			return email.Message{}, errNotDue
		}
		r := o.Refunds[i]
		return w.WriteSentBack(email.SentBack{OrderRef: o.Ref, Name: o.ShipTo.Name, Cents: r.Cents, Currency: o.Currency, Charged: r.Charged, StatusURL: url})
	case emails.GivenBack:
		i := slices.IndexFunc(o.Refunds, func(r orders.Refund) bool { return r.ID == data.Item })
		if i < 0 || o.Refunds[i].Status == orders.RefundFailed {
			return email.Message{}, errNotDue
		}
		return w.WriteGivenBack(email.GivenBack{
			OrderRef: o.Ref, Name: o.ShipTo.Name, Cents: o.Refunds[i].Cents, Currency: o.Currency, Charged: o.Refunds[i].Charged, Why: o.Refunds[i].Why,
			Whole: o.Refunds[i].Cents == o.Payment.Cents, Rest: exhaustsPayment(o, i), StatusURL: url,
		})
	}
	if o.Status != orders.Held {
		return email.Message{}, errNotDue // it goes on, or is over
	}
	bank := o.Dispute != nil && o.Dispute.Status != "won"
	return w.WriteOnHold(email.OnHold{OrderRef: o.Ref, Name: o.ShipTo.Name, Board: o.Board, Quantity: o.Quantity, Bank: bank, Controlled: o.Withdrawn, StatusURL: url, PictureURL: picture(o.Sold, url)})
}

// exhaustsPayment tells whether nothing of an order's payment is left after a refund.
func exhaustsPayment(o orders.Order, refund int) bool {
	left := o.Payment.Cents
	for i, r := range o.Refunds[:refund+1] {
		if r.Status != orders.RefundFailed || i == refund {
			left -= r.Cents
		}
	}
	return left <= 0
}

func cancellationEmail(o orders.Order, url string) email.Cancelled {
	l := email.Cancelled{
		OrderRef: o.Ref, Name: o.ShipTo.Name, Board: o.Board, Quantity: o.Quantity, Currency: o.Currency, StatusURL: url,
		PictureURL: picture(o.Sold, url),
	}
	if o.Cancelled == nil {
		return l
	}
	l.Why = o.Cancelled.Why
	for _, r := range o.Refunds {
		if r.ID == o.Cancelled.Refund {
			l.Cents, l.Charged = r.Cents, r.Charged
		}
	}
	return l
}

// moneyWords says to the team what is wrong with an order's payment.
func moneyWords(o orders.Order) string {
	var words []string
	if d := o.Dispute; d != nil {
		words = append(words, fmt.Sprintf("The customer's bank disputes the payment (%s). How that stands: %s.", d.Reason, d.Status))
		switch {
		case d.Status != orders.DisputeOpen:
		case d.Answered:
			words = append(words, "The bank has our evidence.")
		case d.Due != nil:
			words = append(words, "The bank takes evidence until "+d.Due.UTC().Format("2006-01-02 15:04")+" UTC. Do not refund the payment meanwhile: the bank has taken the money already.")
		}
	}
	for _, r := range o.Refunds {
		if r.Status == orders.RefundFailed {
			amount := money.Amount(r.Cents, o.Currency)
			if r.Charged != nil {
				amount = r.Charged.Words() + ", for " + amount
			}
			words = append(words, "A refund failed: "+amount+". "+r.Why)
		}
	}
	if o.Held != "" {
		words = append(words, "The order is held: "+o.Held)
	}
	return strings.Join(words, "\n")
}

func (s *Service) receipt(o orders.Order, url string) email.Receipt {
	return email.Receipt{
		OrderRef: o.Ref, Name: o.ShipTo.Name, Board: o.Board, Quantity: o.Quantity, Lines: prices(o.Lines), TotalCents: o.TotalCents,
		Currency: o.Currency, PaidAt: o.PaidAt, Card: o.Payment.CardWords(), Charged: o.Payment.Charged, Address: addressLines(o.ShipTo, o.Language), Delivery: o.Delivery, StatusURL: url,
		PictureURL: picture(o.Sold, url), InvoiceURL: strings.Replace(url, "?", "/invoice.pdf?", 1), Paper: s.paper(o.Sold),
	}
}

// addressLines is an address for a customer who reads a language.
func addressLines(to shipments.ShipTo, code string) []string {
	return address.Lines(to, language.Find(code).Country)
}

// paper is what the papers about a quote say of it, its options in the catalogue's words.
func (s *Service) paper(q quotes.Quote) email.Paper {
	p := q.Paper()
	for _, e := range s.catalog.Extras(q) {
		p.Extras = append(p.Extras, e.Name+": "+e.Value)
	}
	return p
}

func shipmentEmail(o orders.Order, url string) email.Shipped {
	l := email.Shipped{
		OrderRef: o.Ref, Name: o.ShipTo.Name, Board: o.Board, Quantity: o.Quantity, Address: addressLines(o.ShipTo, o.Language), StatusURL: url,
		PictureURL: picture(o.Sold, url),
	}
	if t := o.Tracking; t != nil {
		l.Carrier, l.Number, l.TrackingURL = t.Carrier, t.Number, t.URL
	}
	return l
}

func attention(o orders.Order, url string) email.OrderAttention {
	return email.OrderAttention{
		OrderRef: o.Ref, Held: o.Held != "", ByHand: o.ByHand, Why: cmp.Or(o.Held, o.Waiting), Name: o.ShipTo.Name, Email: cmp.Or(o.ShipTo.Email, o.Payment.Email),
		Board: o.Board, Quantity: o.Quantity, TotalCents: o.Payment.Cents, Currency: o.Payment.Currency,
		Reference: o.Fabricator.Reference, ConsoleURL: url, PaidAt: o.PaidAt,
	}
}

func prices(in []pricescontract.Line) []email.Line {
	out := make([]email.Line, len(in))
	for i, l := range in {
		out[i] = email.Line{Label: l.Label, Cents: l.Cents}
	}
	return out
}

func (s *Service) reviewEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	q, err := state[quotes.Quote](ctx, s, contract.QuoteAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	if q.Delivery == nil {
		return envelope{}, flow.Permanent(fmt.Errorf("quote %s: nobody asked for a review", q.Ref))
	}
	switch data.Kind {
	case emails.ReviewPriced:
		if q.Reply.TotalCents == nil || q.IsExpired(s.now()) {
			return envelope{}, errNotDue
		}
		l, err := s.emails.Translate(q.Language).ReviewPriced(s.reviewPriceEmail(q))
		return envelope{l, q.Delivery.ShipTo.Email, q.Delivery.ShipTo.Name, q.Account}, err
	case emails.ReviewQuestion, emails.ReviewAnswered, emails.ReviewRefused:
		return s.conversation(q, data)
	case emails.ReviewReceived:
		if q.Status != quotes.SourcingRequested || q.TeamRefusal() != nil {
			return envelope{}, errNotDue // it was answered
		}
		l, err := s.emails.Translate(q.Language).ReviewReceived(s.reviewReceipt(q))
		return envelope{l, q.Delivery.ShipTo.Email, q.Delivery.ShipTo.Name, q.Account}, err
	}
	partner, err := aggregate.At[accounts.Account](s.events, contract.AccountAggregate, contract.AccountOf(q.Account)).Load(ctx)
	if err != nil {
		return envelope{}, err
	}
	l, err := s.emails.ReviewRequest(reviewRequestEmail(q, cmp.Or(partner.State.Name, q.Account), s.cfg.ConsoleURL+"/reviews/"+q.Ref))
	return envelope{l, s.cfg.Team, "", q.Account}, err
}

func reviewRequestEmail(q quotes.Quote, partner, url string) email.ReviewRequest {
	to := q.Delivery.ShipTo
	l := email.ReviewRequest{
		QuoteRef: quotes.CustomerRef(q.Ref), Partner: partner, Name: to.Name, Email: to.Email, Company: to.Company, Board: board(q),
		Quantity: q.Reply.Quantity, Reasons: q.Reply.CustomQuoteReasons, ConsoleURL: url, AskedAt: requestTime(q),
	}
	if q.Request.SpecialNotes != nil {
		l.Notes = *q.Request.SpecialNotes
	}
	return l
}

// reviewReceipt is what a customer is told whose request the team has.
func (s *Service) reviewReceipt(q quotes.Quote) email.ReviewReceived {
	url := s.checkoutURL(q.RequestID, q.Ref)
	l := email.ReviewReceived{
		QuoteRef: quotes.CustomerRef(q.Ref), Name: q.Delivery.ShipTo.Name, Board: board(q), Quantity: quantity(q), PictureURL: picture(q, url),
		Address: addressLines(q.Delivery.ShipTo, q.Language), AnswerBy: dated.AddWorkingDays(requestTime(q), s.cfg.AnswerDays), CheckoutURL: url,
	}
	if q.Request.SpecialNotes != nil {
		l.Notes = *q.Request.SpecialNotes
	}
	return l
}

// requestTime is when a customer asked for a review.
func requestTime(q quotes.Quote) time.Time {
	if q.RequestedAt != nil {
		return *q.RequestedAt
	}
	return q.CreatedAt
}

// conversation writes what the team and a customer say to each other about a review.
func (s *Service) conversation(q quotes.Quote, data emails.SendData) (envelope, error) {
	to, ref := q.Delivery.ShipTo, quotes.CustomerRef(q.Ref)
	if data.Kind == emails.ReviewRefused {
		if q.TeamRefusal() == nil || q.TeamRefusal().Why == "" {
			return envelope{}, errNotDue
		}
		l, err := s.emails.Translate(q.Language).ReviewRefused(email.ReviewRefused{QuoteRef: ref, Name: to.Name, Board: board(q), Quantity: quantity(q), Why: q.TeamRefusal().Why})
		return envelope{l, to.Email, to.Name, q.Account}, err
	}
	var question quotes.ReviewQuestion
	if q.Review != nil {
		for _, a := range q.Review.Questions {
			if a.ID == data.Item {
				question = a
			}
		}
	}
	answered := question.AnsweredAt != nil
	if question.Text == "" || data.Kind == emails.ReviewQuestion && (answered || q.OpenQuestion() == nil) {
		return envelope{}, errNotDue
	}
	if data.Kind == emails.ReviewAnswered {
		l, err := s.emails.ReviewAnswered(email.ReviewAnswered{
			QuoteRef: ref, Name: to.Name, Email: to.Email, Question: question.Text, Answer: question.Answer, ConsoleURL: s.cfg.ConsoleURL + "/reviews/" + q.Ref,
		})
		return envelope{l, s.cfg.Team, "", q.Account}, err
	}
	l, err := s.emails.Translate(q.Language).ReviewQuestion(email.ReviewQuestion{
		QuoteRef: ref, Name: to.Name, Board: board(q), Quantity: quantity(q), Question: question.Text, CheckoutURL: s.checkoutURL(q.RequestID, q.Ref),
	})
	return envelope{l, to.Email, to.Name, q.Account}, err
}

// quantity is how many boards a quote is for.
func quantity(q quotes.Quote) int { return cmp.Or(q.Reply.Quantity, q.Request.Quantity) }

func (s *Service) reviewPriceEmail(q quotes.Quote) email.ReviewPriced {
	url := s.checkoutURL(q.RequestID, q.Ref)
	l := email.ReviewPriced{
		QuoteRef: quotes.CustomerRef(q.Ref), PictureURL: picture(q, url), Name: q.Delivery.ShipTo.Name, Board: board(q), Quantity: q.Reply.Quantity, Lines: prices(q.Reply.Lines),
		TotalCents: *q.Reply.TotalCents, Currency: "USD", ValidUntil: q.ExpiresAt, CheckoutURL: url,
	}
	if q.Reply.Currency != nil {
		l.Currency = *q.Reply.Currency
	}
	if q.Reply.LeadTime != nil {
		l.Built = *q.Reply.LeadTime
	}
	if q.Reply.Delivery != nil {
		l.Delivery = *q.Reply.Delivery
	}
	l.Paper = s.paper(q)
	return l
}

func board(q quotes.Quote) string {
	if q.Reply.Board == nil {
		return "printed circuit boards"
	}
	return *q.Reply.Board
}

func (s *Service) refundEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	c, err := state[checkouts.Checkout](ctx, s, contract.CheckoutAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	o, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, data.About).Load(ctx)
	if err != nil {
		return envelope{}, err
	}
	if len(c.Refunds) == 0 {
		return envelope{}, errNotDue
	}
	last := c.Refunds[len(c.Refunds)-1]
	l, err := s.emails.Translate(c.Language).WriteRefunded(email.Refunded{
		OrderRef: o.State.Ref, Name: c.ShipTo.Name, Cents: last.Cents, Currency: c.Currency, Charged: last.Charged, StatusURL: s.checkoutURL(c.Request, c.Quote),
	})
	return envelope{l, c.ShipTo.Email, c.ShipTo.Name, c.Account}, err
}
