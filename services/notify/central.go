package notify

import (
	"cmp"
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/letters"
	"boardorder/pkg/money"
	"boardorder/services/notify/internal/letter"
)

// centralPage writes a letter about a formal order. Of one that is ITAR-controlled it
// tells no more than its number: mail goes through many hands.
func (s *Service) centralPage(ctx context.Context, data letters.SendData) (page, error) {
	o, err := state[formal.Order](ctx, s, contract.CentralAggregate, data.About)
	if err != nil {
		return page{}, err
	}
	about := letter.Formal{OrderRef: o.Ref, Controlled: o.ITAR}
	if !o.ITAR {
		about.Name, about.Quantity = o.Name, o.Qty
	}
	switch data.Letter {
	case letters.FormalTeam:
		return s.centralTeam(ctx, o, about)
	case letters.FormalParcel:
		parcel := letter.FormalParcel{Formal: about}
		if t := o.Tracking; t != nil && !o.ITAR {
			parcel.Carrier, parcel.Number, parcel.TrackingURL = t.Carrier, t.Number, t.URL
		}
		l, err := s.letters.FormalParcel(parcel)
		return page{l, o.Email, "", o.Account}, err
	}
	if o.Quote == nil || o.Quote.Number != data.Item || o.Status != formal.Quoted || !s.now().Before(o.Quote.ValidUntil) {
		return page{}, errNotDue // another took its place, or it was accepted
	}
	quote := formalQuote(o, about)
	if !o.ITAR {
		quote.DocumentURL = s.cfg.PublicURL + formal.QuotePath(s.secrets.Link, o)
	}
	l, err := s.letters.FormalQuote(quote)
	return page{l, o.Email, "", o.Account}, err
}

func formalQuote(o formal.Order, about letter.Formal) letter.FormalQuote {
	l := letter.FormalQuote{Formal: about, Number: o.Quote.Number, ValidUntil: o.Quote.ValidUntil}
	if o.ITAR {
		return l
	}
	l.Note = o.Quote.Note
	for _, option := range o.Quote.Options {
		l.Options = append(l.Options, letter.FormalOption{
			Fabricator: option.Fabricator, Days: option.LeadTimeDays, Total: money.Amount(option.TotalCents, option.Currency),
		})
	}
	return l
}

func (s *Service) centralTeam(ctx context.Context, o formal.Order, about letter.Formal) (page, error) {
	partner, err := aggregate.At[accounts.Account](s.events, contract.AccountAggregate, contract.AccountOf(o.Account)).Load(ctx)
	if err != nil {
		return page{}, err
	}
	l, err := s.letters.FormalTeam(letter.FormalTeam{
		Formal: about, Partner: cmp.Or(partner.State.Name, o.Account), Accepted: o.Accepted != nil, ConsoleURL: s.cfg.ConsoleURL + "/central/" + o.Key,
	})
	return page{l, s.cfg.Team, "", o.Account}, err
}
