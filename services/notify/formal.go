package notify

import (
	"cmp"
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/money"
	"boardorder/services/notify/internal/email"
)

// formalEnvelope writes an e-mail about a formal order. Of one that is ITAR-controlled it
// tells no more than its number: mail goes through many hands.
func (s *Service) formalEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	o, err := state[formal.Order](ctx, s, contract.FormalAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	about := email.Formal{OrderRef: o.Ref, Controlled: o.ITAR}
	if !o.ITAR {
		about.Name, about.Quantity = o.Name, o.Qty
	}
	switch data.Kind {
	case emails.FormalTeam:
		return s.formalTeam(ctx, o, about)
	case emails.FormalParcel:
		parcel := email.FormalParcel{Formal: about}
		if t := o.Tracking; t != nil && !o.ITAR {
			parcel.Carrier, parcel.Number, parcel.TrackingURL = t.Carrier, t.Number, t.URL
		}
		l, err := s.emails.FormalParcel(parcel)
		return envelope{l, o.Email, "", o.Account}, err
	}
	if o.Quote == nil || o.Quote.Number != data.Item || o.Status != formal.Quoted || !s.now().Before(o.Quote.ValidUntil) {
		return envelope{}, errNotDue // another took its place, or it was accepted
	}
	quote := formalQuote(o, about)
	if !o.ITAR {
		quote.DocumentURL = s.cfg.PublicURL + formal.QuotePath(s.secrets.Link, o)
	}
	l, err := s.emails.FormalQuote(quote)
	return envelope{l, o.Email, "", o.Account}, err
}

func formalQuote(o formal.Order, about email.Formal) email.FormalQuote {
	l := email.FormalQuote{Formal: about, Number: o.Quote.Number, ValidUntil: o.Quote.ValidUntil}
	if o.ITAR {
		return l
	}
	l.Note = o.Quote.Note
	for _, option := range o.Quote.Options {
		l.Options = append(l.Options, email.FormalOption{
			Fabricator: option.Fabricator, Days: option.LeadTimeDays, Total: money.Amount(option.TotalCents, option.Currency),
		})
	}
	return l
}

func (s *Service) formalTeam(ctx context.Context, o formal.Order, about email.Formal) (envelope, error) {
	partner, err := aggregate.At[accounts.Account](s.events, contract.AccountAggregate, contract.AccountOf(o.Account)).Load(ctx)
	if err != nil {
		return envelope{}, err
	}
	l, err := s.emails.FormalTeam(email.FormalTeam{
		Formal: about, Partner: cmp.Or(partner.State.Name, o.Account), Accepted: o.Accepted != nil, ConsoleURL: s.cfg.ConsoleURL + "/central/" + o.Key,
	})
	return envelope{l, s.cfg.Team, "", o.Account}, err
}
