// Package due decides which e-mails an event calls for. Each e-mail has an id
// that is the same whenever and however often the event is seen, so that it is
// sent once.
package due

import (
	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	emailscontract "boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"
)

// Emails says which e-mails an event calls for: none unless the registry says that this
// service acts on its name, since others make way for later ones or come without a state.
func Emails(e contract.Event) ([]emailscontract.SendData, error) {
	if !registry.ActsOn(emailscontract.Send.Service, e.Aggregate, e.Name) {
		return nil, nil
	}
	switch e.Aggregate {
	case contract.OrderAggregate:
		o, err := state[orders.Order](e)
		return orderEmails(e, o), err
	case contract.QuoteAggregate:
		return quoteEmails(e)
	case contract.ConfirmationAggregate:
		c, err := state[confirmations.Confirmation](e)
		return confirmationEmails(e, c), err
	case contract.FormalAggregate:
		return formalEmails(e)
	case contract.CheckoutAggregate:
		c, err := state[checkouts.Checkout](e)
		return checkoutEmails(e, c), err
	case contract.UploadAggregate:
		u, err := state[uploads.Upload](e)
		return uploadEmails(e, u), err
	case contract.WebhookEndpointAggregate: // once each time that it is given up
		return email(emailscontract.EndpointOff, e.AggregateID, e.ID), nil
	}
	return nil, nil
}

func state[S any](e contract.Event) (S, error) {
	now, err := aggregate.Decode[S](e)
	return now.State, err
}

func email(kind emailscontract.Kind, about string, parts ...string) []emailscontract.SendData {
	id := contract.DeriveID(append([]string{"email", string(kind), about}, parts...)...)
	return []emailscontract.SendData{{Kind: kind, About: about, ID: id}}
}

func orderEmails(e contract.Event, o orders.Order) []emailscontract.SendData {
	switch e.Name {
	case orders.EventPaid: // one receipt, also when the order was held and goes on
		return email(emailscontract.Receipt, e.AggregateID)
	case orders.EventShipped: // another number is worth another e-mail
		number := ""
		if o.Tracking != nil {
			number = o.Tracking.Number
		}
		return email(emailscontract.Shipped, e.AggregateID, number)
	case orders.EventHeld:
		if o.ByHand { // it goes on as such orders do: only the team has to do something
			return email(emailscontract.OrderHeld, e.AggregateID, e.ID)
		}
		return append(email(emailscontract.OrderHeld, e.AggregateID, e.ID), email(emailscontract.OnHold, e.AggregateID, e.ID)...)
	case orders.EventProgressed, orders.EventInProduction:
		if o.Waiting != "" { // once for each question
			return email(emailscontract.OrderWaiting, e.AggregateID, o.Waiting)
		}
	case orders.EventCancelled:
		return email(emailscontract.Cancelled, e.AggregateID)
	case orders.EventRefunded, orders.EventRefundFailed, orders.EventDisputed:
		return moneyEmails(e, o)
	}
	return nil
}

// moneyEmails are the e-mails about a payment that went back, or may have to.
func moneyEmails(e contract.Event, o orders.Order) []emailscontract.SendData {
	emails := refundEmails(e, o)
	if e.Name != orders.EventRefunded || o.Held != "" {
		emails = append(emails, email(emailscontract.OrderMoney, e.AggregateID, e.ID)...)
	}
	if e.Name == orders.EventDisputed && o.Held != "" && o.Dispute != nil { // once for each dispute
		emails = append(emails, email(emailscontract.OnHold, e.AggregateID, o.Dispute.ID)...)
	}
	return emails
}

// refundEmails are the e-mails about the refunds so far, one for each; that of a
// cancelled order is in the e-mail about that. Another one says that a refund which the
// processor had did not arrive.
func refundEmails(e contract.Event, o orders.Order) []emailscontract.SendData {
	var emails []emailscontract.SendData
	for _, r := range o.Refunds {
		if r.Status == orders.RefundFailed && r.Processor != "" {
			l := email(emailscontract.SentBack, e.AggregateID, r.ID)
			l[0].Item = r.ID
			emails = append(emails, l...)
		}
		given := r.Status == orders.RefundDone || r.Status == orders.RefundPending
		if !given || o.Cancelled != nil && o.Cancelled.Refund == r.ID {
			continue
		}
		l := email(emailscontract.GivenBack, e.AggregateID, r.ID)
		l[0].Item = r.ID
		emails = append(emails, l...)
	}
	return emails
}

func quoteEmails(e contract.Event) ([]emailscontract.SendData, error) {
	switch e.Name {
	case quotes.EventReviewRequested:
		return append(email(emailscontract.ReviewRequest, e.AggregateID), email(emailscontract.ReviewReceived, e.AggregateID)...), nil
	case quotes.EventReviewPriced: // each price of the team's
		return email(emailscontract.ReviewPriced, e.AggregateID, e.ID), nil
	case quotes.EventReviewRefused:
		return email(emailscontract.ReviewRefused, e.AggregateID), nil
	case quotes.EventReviewQuestion, quotes.EventReviewAnswered:
		q, err := state[quotes.Quote](e)
		return conversationEmails(e, q), err
	}
	return nil, nil
}

// FollowsState tells whether the e-mails about an event follow from its aggregate's
// state, which events of quotes and uploads come without.
func FollowsState(e contract.Event) bool {
	return e.Aggregate == contract.QuoteAggregate && (e.Name == quotes.EventReviewQuestion || e.Name == quotes.EventReviewAnswered) ||
		e.Aggregate == contract.UploadAggregate && e.Name == uploads.EventClosedTo
}

// uploadEmails are the e-mails to whose files others declared, one for each account that
// did.
func uploadEmails(e contract.Event, u uploads.Upload) []emailscontract.SendData {
	var emails []emailscontract.SendData
	for _, by := range u.DeclaredBy {
		l := email(emailscontract.Declared, e.AggregateID, by)
		l[0].Item = by
		emails = append(emails, l...)
	}
	return emails
}

// conversationEmails are the e-mails about the questions so far, or the answers: the
// state may be a later one than the event's. Each e-mail has one id for ever, so
// those that went before do not go again.
func conversationEmails(e contract.Event, q quotes.Quote) []emailscontract.SendData {
	if q.Review == nil {
		return nil
	}
	kind := emailscontract.ReviewQuestion
	if e.Name == quotes.EventReviewAnswered {
		kind = emailscontract.ReviewAnswered
	}
	var emails []emailscontract.SendData
	for _, question := range q.Review.Questions {
		if kind == emailscontract.ReviewAnswered && question.AnsweredAt == nil {
			continue
		}
		l := email(kind, e.AggregateID, question.ID)
		l[0].Item = question.ID
		emails = append(emails, l...)
	}
	return emails
}

// confirmationEmails is the e-mail with a code; none for who is no customer.
func confirmationEmails(e contract.Event, c confirmations.Confirmation) []emailscontract.SendData {
	if !c.IsKnown() {
		return nil
	}
	l := email(emailscontract.Code, e.AggregateID, c.Nonce)
	l[0].Item = c.Nonce
	return l
}

func checkoutEmails(e contract.Event, c checkouts.Checkout) []emailscontract.SendData {
	if len(c.Refunds) == 0 {
		return nil
	}
	return email(emailscontract.Refunded, e.AggregateID, c.Refunds[len(c.Refunds)-1].Intent)
}

// formalEmails are the e-mails about a formal order.
func formalEmails(e contract.Event) ([]emailscontract.SendData, error) {
	switch e.Name {
	case formal.EventSubmitted:
		return append(email(emailscontract.FormalTeam, e.AggregateID, string(e.Name)), email(emailscontract.FormalReceived, e.AggregateID)...), nil
	case formal.EventAccepted:
		return email(emailscontract.FormalTeam, e.AggregateID, string(e.Name)), nil
	case formal.EventQuoted: // each quote
		o, err := state[formal.Order](e)
		if err != nil || o.Quote == nil {
			return nil, err
		}
		l := email(emailscontract.FormalQuote, e.AggregateID, o.Quote.Number)
		l[0].Item = o.Quote.Number
		return l, nil
	case formal.EventAsked, formal.EventAnswered:
		o, err := state[formal.Order](e)
		return formalTalkEmails(e, o), err
	case formal.EventShipped:
		return email(emailscontract.FormalParcel, e.AggregateID), nil
	}
	return nil, nil
}

// formalTalkEmails is the e-mail about the question that was just asked, or answered. What an
// operator wrote down the team knows.
func formalTalkEmails(e contract.Event, o formal.Order) []emailscontract.SendData {
	if len(o.Questions) == 0 {
		return nil
	}
	last, kind := o.Questions[len(o.Questions)-1], emailscontract.FormalQuestion
	if e.Name == formal.EventAnswered {
		if last.WrittenBy != "" {
			return nil
		}
		kind = emailscontract.FormalAnswered
	}
	l := email(kind, e.AggregateID, last.ID)
	l[0].Item = last.ID
	return l
}
