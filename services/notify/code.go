package notify

import (
	"context"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/services/notify/internal/email"
)

// codeEnvelope writes the e-mail with a code. The code follows from what is stored
// and the master key; one that was replaced or is too old goes to nobody.
func (s *Service) codeEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	c, err := state[confirmations.Confirmation](ctx, s, contract.ConfirmationAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	if c.Nonce != data.Item || !c.Live(s.now()) || !c.IsKnown() {
		return envelope{}, errNotDue
	}
	code, ok := s.secrets.CodeOf(c.Hash, c.ID, c.Nonce)
	if !ok {
		return envelope{}, flow.Permanent(fmt.Errorf("confirmation %s: the master key of its code is gone", c.ID))
	}
	if c.Charge == nil {
		l, err := s.emails.Translate(c.Language).HistoryCode(email.HistoryCode{Code: code, Minutes: int(confirmations.CodeTTL.Minutes())})
		return envelope{l, c.Email, "", c.Account}, err
	}
	quote, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, c.About).Load(ctx)
	if err != nil {
		return envelope{}, err
	}
	l, err := s.emails.Translate(c.Language).PaymentCode(email.PaymentCode{
		Code: code, Minutes: int(confirmations.CodeTTL.Minutes()), Name: c.Charge.ShipTo.Name, Board: c.Charge.Board, Quantity: c.Charge.Quantity,
		Cents: c.Charge.Cents, Currency: c.Charge.Currency, Brand: c.Charge.Card.Brand, Last4: c.Charge.Card.Last4, Address: addressLines(c.Charge.ShipTo, c.Language), Found: sentences(c.Charge.Findings), Paper: s.paper(quote.State),
	})
	return envelope{l, c.Email, c.Charge.ShipTo.Name, c.Account}, err
}

// sentences makes whole sentences of what was found.
func sentences(found []string) []string {
	out := make([]string, len(found))
	for i, f := range found {
		out[i] = contract.Sentence(f)
	}
	return out
}
