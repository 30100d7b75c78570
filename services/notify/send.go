package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/pkg/trace"
	"boardorder/services/notify/internal/email"
	"boardorder/services/notify/internal/smtp"

	"go.uber.org/zap"
)

// errNotDue says that an e-mail has lost its reason since it was ordered.
var errNotDue = errors.New("the e-mail is not due any more")

// An envelope is an e-mail, whom it goes to, and the owner of what it is about.
type envelope struct {
	email.Message
	to, name string
	owner    string
}

// send sends one e-mail, unless it was sent before.
func (s *Service) send(ctx context.Context, c contract.Command) error {
	var data emails.SendData
	if err := json.Unmarshal(c.Data, &data); err != nil || data.ID == "" {
		return flow.Permanent(fmt.Errorf("decode %s: %w", c.Name, errors.Join(err, errors.New("no e-mail"))))
	}
	before, _, err := s.sent.Get(ctx, data.ID)
	if err == nil {
		return s.recordAgain(ctx, data, before)
	}
	if !errors.Is(err, bus.ErrNoKey) {
		return fmt.Errorf("was e-mail %s sent: %w", data.ID, err)
	}
	p, err := s.write(ctx, data)
	to := data.Kind.Recipient()
	if err == nil && (contract.IsTest(p.owner) || contract.IsTest(c.Account)) {
		to = emails.ToAccount
		p, err = s.redirectTest(ctx, p)
	}
	if errors.Is(err, errNotDue) || err == nil && p.to == "" { // the customer's data was erased
		return nil
	}
	if err != nil {
		return err
	}
	err = s.mail.Send(ctx, Mail{ID: data.ID, To: p.to, Name: p.name, At: c.At, Subject: p.Subject, Text: p.Text, HTML: p.HTML, Mark: email.Mark})
	letter := emails.Letter{ID: data.ID, Kind: data.Kind, To: to, At: s.now().UTC(), Subject: p.Subject, Outcome: emails.Taken}
	if smtp.KindOf(err) == smtp.Refused {
		letter.Outcome = emails.Rejected
		s.recordLetter(ctx, data.About, letter)
		return flow.Permanent(fmt.Errorf("e-mail %s about %s: %w", data.Kind, data.About, err))
	}
	if err != nil {
		return fmt.Errorf("e-mail %s about %s: %w", data.Kind, data.About, err)
	}
	record, err := json.Marshal(letter)
	if err == nil {
		err = s.sent.Put(ctx, data.ID, record)
	}
	if err != nil {
		// The mail is out. Trying again would send it again for certain.
		s.log.Warn("an e-mail was sent but not recorded as sent", zap.String("email", data.ID), zap.Error(err), trace.ID(ctx))
	}
	s.recordLetter(ctx, data.About, letter)
	return nil
}

// redirectTest sends an e-mail about what a test key made to the account's own address, and
// says what it is: nobody else hears of tests, whatever they typed, and neither does our
// team. Without an address it goes nowhere.
func (s *Service) redirectTest(ctx context.Context, p envelope) (envelope, error) {
	if p.to == s.cfg.Team {
		return envelope{}, errNotDue
	}
	account, err := aggregate.At[accounts.Account](s.events, contract.AccountAggregate, contract.AccountOf(p.owner)).Load(ctx)
	if err != nil {
		return envelope{}, err
	}
	if account.State.Email == "" {
		return envelope{}, errNotDue
	}
	p.to, p.name = account.State.Email, account.State.Name
	p.Message = p.Message.MarkAsTest()
	return p, nil
}

// write writes an e-mail from what is known now.
func (s *Service) write(ctx context.Context, data emails.SendData) (envelope, error) {
	switch data.Kind {
	case emails.Receipt, emails.Shipped, emails.OrderHeld, emails.OrderWaiting,
		emails.OrderMoney, emails.OnHold, emails.GivenBack, emails.SentBack, emails.Cancelled:
		return s.orderEnvelope(ctx, data)
	case emails.ReviewRequest, emails.ReviewReceived, emails.ReviewPriced, emails.ReviewQuestion, emails.ReviewAnswered, emails.ReviewRefused:
		return s.reviewEnvelope(ctx, data)
	case emails.Code:
		return s.codeEnvelope(ctx, data)
	case emails.MemberAdded:
		return s.memberEnvelope(ctx, data)
	case emails.KeyMade:
		return s.keyMadeEnvelope(ctx, data)
	case emails.DetailsSet:
		return s.detailsEnvelope(ctx, data)
	case emails.SignInCode:
		return s.signInEnvelope(ctx, data)
	case emails.KeyRevoked:
		return s.keyEnvelope(ctx, data)
	case emails.EndpointOff:
		return s.endpointEnvelope(ctx, data)
	case emails.Declared:
		return s.uploadEnvelope(ctx, data)
	case emails.FormalQuote, emails.FormalParcel, emails.FormalTeam, emails.FormalReceived, emails.FormalQuestion, emails.FormalAnswered:
		return s.formalEnvelope(ctx, data)
	case emails.Refunded:
		return s.refundEnvelope(ctx, data)
	}
	return envelope{}, flow.Permanent(fmt.Errorf("there is no e-mail %q", data.Kind))
}

// checkoutURL is the quote's own page, where an order is followed as well. Its
// address is a secret of the customer's.
func (s *Service) checkoutURL(request, ref string) string {
	return s.cfg.PublicURL + "/checkout/" + s.secrets.QuoteIDOf(request, ref)
}

// ownerTTL is how long the link in an e-mail shows all of an order.
const ownerTTL = 400 * 24 * time.Hour

// orderURL is the page of an order for whoever has our e-mail: it shows what it
// keeps from those who only hold the link.
func (s *Service) orderURL(o orders.Order) string {
	return s.checkoutURL(o.Request, o.Quote) + "?k=" + s.secrets.Link(secret.OrderOwner, o.Quote, s.now().Add(ownerTTL))
}

// picture is the address of a small picture of the board, or "".
func picture(q quotes.Quote, page string) string {
	if q.Picture == "" {
		return ""
	}
	page, _, _ = strings.Cut(page, "?")
	return page + "/board.png?small=1"
}
