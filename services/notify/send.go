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
	"boardorder/pkg/contract/letters"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/pkg/trace"
	"boardorder/services/notify/internal/letter"
	"boardorder/services/notify/internal/smtp"

	"go.uber.org/zap"
)

// errNotDue says that a letter has lost its reason since it was ordered.
var errNotDue = errors.New("the letter is not due any more")

// A page is a letter, whom it goes to, and the owner of what it is about.
type page struct {
	letter.Letter
	to, name string
	owner    string
}

// send sends one letter, unless it was sent before.
func (s *Service) send(ctx context.Context, c contract.Command) error {
	var data letters.SendData
	if err := json.Unmarshal(c.Data, &data); err != nil || data.ID == "" {
		return flow.Permanent(fmt.Errorf("decode %s: %w", c.Name, errors.Join(err, errors.New("no letter"))))
	}
	_, _, err := s.sent.Get(ctx, data.ID)
	if err == nil {
		return nil
	}
	if !errors.Is(err, bus.ErrNoKey) {
		return fmt.Errorf("was letter %s sent: %w", data.ID, err)
	}
	p, err := s.write(ctx, data)
	if err == nil && (contract.IsTest(p.owner) || contract.IsTest(c.Account)) {
		p, err = s.redirectTest(ctx, p)
	}
	if errors.Is(err, errNotDue) || err == nil && p.to == "" { // the customer's data was erased
		return nil
	}
	if err != nil {
		return err
	}
	err = s.mail.Send(ctx, Mail{ID: data.ID, To: p.to, Name: p.name, At: c.At, Subject: p.Subject, Text: p.Text, HTML: p.HTML})
	if smtp.KindOf(err) == smtp.Refused {
		return flow.Permanent(fmt.Errorf("letter %s about %s: %w", data.Letter, data.About, err))
	}
	if err != nil {
		return fmt.Errorf("letter %s about %s: %w", data.Letter, data.About, err)
	}
	if err := s.sent.Put(ctx, data.ID, []byte(s.now().UTC().Format(time.RFC3339))); err != nil {
		// The mail is out. Trying again would send it again for certain.
		s.log.Warn("an e-mail was sent but not recorded as sent", zap.String("letter", data.ID), zap.Error(err), trace.ID(ctx))
	}
	return nil
}

// redirectTest sends a letter about what a test key made to the account's own address, and
// says what it is: nobody else hears of tests, whatever they typed, and neither does our
// team. Without an address it goes nowhere.
func (s *Service) redirectTest(ctx context.Context, p page) (page, error) {
	if p.to == s.cfg.Team {
		return page{}, errNotDue
	}
	account, err := aggregate.At[accounts.Account](s.events, contract.AccountAggregate, contract.AccountOf(p.owner)).Load(ctx)
	if err != nil {
		return page{}, err
	}
	if account.State.Email == "" {
		return page{}, errNotDue
	}
	p.to, p.name = account.State.Email, account.State.Name
	p.Letter = p.Letter.MarkAsTest()
	return p, nil
}

// write writes a letter from what is known now.
func (s *Service) write(ctx context.Context, data letters.SendData) (page, error) {
	switch data.Letter {
	case letters.Receipt, letters.Shipped, letters.OrderHeld, letters.OrderWaiting,
		letters.OrderMoney, letters.OnHold, letters.GivenBack, letters.Cancelled:
		return s.orderPage(ctx, data)
	case letters.ReviewRequest, letters.ReviewPriced, letters.ReviewQuestion, letters.ReviewAnswered, letters.ReviewRefused:
		return s.reviewPage(ctx, data)
	case letters.Code:
		return s.codePage(ctx, data)
	case letters.KeyRevoked:
		return s.keyPage(ctx, data)
	case letters.Declared:
		return s.uploadPage(ctx, data)
	case letters.FormalQuote, letters.FormalParcel, letters.FormalTeam:
		return s.centralPage(ctx, data)
	case letters.Refunded:
		return s.refundPage(ctx, data)
	}
	return page{}, flow.Permanent(fmt.Errorf("there is no letter %q", data.Letter))
}

// checkoutURL is the quote's own page, where an order is followed as well. Its
// address is a secret of the customer's.
func (s *Service) checkoutURL(request, ref string) string {
	return s.cfg.PublicURL + "/checkout/" + s.secrets.QuoteIDOf(request, ref)
}

// ownerTTL is how long the link in a letter shows all of an order.
const ownerTTL = 400 * 24 * time.Hour

// orderURL is the page of an order for whoever has our letter: it shows what it
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
