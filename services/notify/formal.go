package notify

import (
	"cmp"
	"context"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/dated"
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
	case emails.FormalQuestion, emails.FormalAnswered:
		return s.formalTalk(data, o, about)
	case emails.FormalReceived:
		if o.Status != formal.Submitted && o.Status != formal.InReview {
			return envelope{}, errNotDue // it was answered
		}
		l, err := s.emails.Translate(o.Language).FormalReceived(s.formalReceipt(o, about))
		return envelope{l, o.Email, "", o.Account}, err
	case emails.FormalParcel:
		parcel := email.FormalParcel{Formal: about}
		if t := o.Tracking; t != nil && !o.ITAR {
			parcel.Carrier, parcel.Number, parcel.TrackingURL = t.Carrier, t.Number, t.URL
		}
		l, err := s.emails.Translate(o.Language).FormalParcel(parcel)
		return envelope{l, o.Email, "", o.Account}, err
	}
	if o.Quote == nil || o.Quote.Number != data.Item || o.Status != formal.Quoted || !s.now().Before(o.Quote.ValidUntil) {
		return envelope{}, errNotDue // another took its place, or it was accepted
	}
	quote := formalQuote(o, about)
	if !o.ITAR {
		quote.DocumentURL = s.cfg.PublicURL + formal.QuotePath(s.secrets.Link, o)
	}
	l, err := s.emails.Translate(o.Language).FormalQuote(quote)
	return envelope{l, o.Email, "", o.Account}, err
}

// formalReceipt is what a customer is told whose formal order the team has.
func (s *Service) formalReceipt(o formal.Order, about email.Formal) email.FormalReceived {
	l := email.FormalReceived{Formal: about, AnswerBy: dated.AddWorkingDays(o.Dates.Submitted, s.cfg.AnswerDays)}
	if o.ITAR {
		return l
	}
	l.Notes, l.CustomerPO, l.TargetDate = o.Notes, o.CustomerPO, o.TargetDate
	return l
}

func formalQuote(o formal.Order, about email.Formal) email.FormalQuote {
	l := email.FormalQuote{Formal: about, Number: o.Quote.Number, ValidUntil: o.Quote.ValidUntil}
	if o.ITAR {
		return l
	}
	l.Note = o.Quote.Note
	for _, option := range o.Quote.Options {
		l.Options = append(l.Options, email.FormalOption{
			Fabricator: option.Fabricator, Days: option.LeadTimeDays, Cents: option.TotalCents, Currency: option.Currency,
		})
	}
	return l
}

// formalTalk writes a question to the customer, or its answer to the team.
func (s *Service) formalTalk(data emails.SendData, o formal.Order, about email.Formal) (envelope, error) {
	i := slices.IndexFunc(o.Questions, func(q formal.Question) bool { return q.ID == data.Item })
	if i < 0 || o.Questions[i].Text == "" {
		return envelope{}, errNotDue // erased
	}
	question := o.Questions[i]
	talk := email.FormalTalk{Formal: about, ConsoleURL: s.cfg.ConsoleURL + "/central/" + o.Key}
	if !o.ITAR {
		talk.Question, talk.Answer = question.Text, question.Answer
	}
	if data.Kind == emails.FormalAnswered {
		l, err := s.emails.FormalAnswered(talk)
		return envelope{l, s.cfg.Team, "", o.Account}, err
	}
	if o.OpenQuestion() == nil || question.AnsweredAt != nil {
		return envelope{}, errNotDue
	}
	l, err := s.emails.Translate(o.Language).FormalQuestion(talk)
	return envelope{l, o.Email, "", o.Account}, err
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
