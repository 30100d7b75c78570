package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
)

// home is where the boards go.
var home = shipments.ShipTo{
	Name: "Ada Lovelace", Email: "ada@example.com", Phone: "+1 555 0100", Line1: "1 Main St", City: "San Francisco",
	State: "CA", PostalCode: "94107", Country: "US",
}

// buy does what the checkout pages do for a shopper, and then pays as one.
func (r *rig) buy(ctx context.Context, quoteID string) error {
	ref := contract.SecretRef(quoteID)
	h := fnv.New32a()
	h.Write([]byte(ref))
	whim := h.Sum32()
	for {
		if err := r.insist(ctx, quotes.ChooseDelivery, whim%4 == 0, quotes.ChooseDeliveryData{Quote: ref, ShipTo: home}); err != nil {
			return fmt.Errorf("choose delivery: %w", err)
		}
		var q quotes.Quote
		if err := r.read(ctx, contract.QuoteAggregate, ref, &q); err != nil {
			return err
		}
		wish := checkouts.BeginData{Quote: ref, Version: q.Version, Acknowledgement: q.AcknowledgementHash()}
		if err := r.insist(ctx, checkouts.Begin, whim%5 == 0, wish); err != nil {
			return fmt.Errorf("begin checkout: %w", err)
		}
		if whim%7 == 0 { // another tab, with another tick
			wish.SaveDetails = true
			if err := r.insist(ctx, checkouts.Begin, false, wish); err != nil {
				return fmt.Errorf("begin checkout again: %w", err)
			}
		}
		var c checkouts.Checkout
		if err := r.read(ctx, contract.CheckoutAggregate, ref, &c); err != nil {
			return err
		}
		if c.SessionURL == "" || c.Status != checkouts.Open {
			continue // it was closed meanwhile, as when a page was made twice
		}
		paid, err := r.pay(ctx, c.SessionURL, whim%6 == 0)
		if err != nil {
			return fmt.Errorf("pay: %w", err)
		}
		if paid {
			r.ledger.do(func() { r.ledger.paid[ref] = true })
			return nil
		}
	}
}

// pay pays at the card processor's page, perhaps after a card that is declined.
func (r *rig) pay(ctx context.Context, page string, declinedFirst bool) (bool, error) {
	card := shopper.Card{Email: home.Email, Name: home.Name}
	if declinedFirst {
		card.Number = shopper.Declined
	}
	for {
		short, cancel := context.WithTimeout(ctx, 10*time.Second)
		got, err := shopper.Pay(short, page, card)
		cancel()
		switch {
		case err == nil && got.Status == "paid":
			return true, nil
		case err == nil && got.Status == "expired":
			return false, nil
		case err == nil && got.Status == "declined":
			r.ledger.do(func() { r.ledger.declined++ })
			card.Number = shopper.Pays
		case err == nil:
			return false, fmt.Errorf("the card page says %+v", got)
		}
		if wait(ctx, timeout); ctx.Err() != nil {
			return false, errors.Join(ctx.Err(), err)
		}
	}
}

// insist has a command carried out. One that is refused for a reason that
// passes is wished for again.
func (r *rig) insist(ctx context.Context, name contract.CommandName, twice bool, data any) error {
	for {
		refusal, err := r.command(ctx, name, twice, data)
		if err != nil || refusal == nil {
			return err
		}
		r.ledger.do(func() { r.ledger.refused[name.String()+": "+string(refusal.Code)]++ })
		switch refusal.Code {
		case contract.PriceUnavailable, contract.PaymentUnavailable, contract.Internal:
		default:
			return refusal
		}
		if wait(ctx, timeout); ctx.Err() != nil {
			return errors.Join(ctx.Err(), refusal)
		}
	}
}

// command sends a command until the broker has it, and waits for its outcome.
func (r *rig) command(ctx context.Context, name contract.CommandName, twice bool, data any) (*contract.Refusal, error) {
	request := contract.NewID(contract.RequestPrefix, time.Now())
	c, err := contract.NewCommand(name, request, "acc_demo", time.Now(), data)
	if err != nil {
		return nil, err
	}
	for sent := false; !sent || twice; {
		if err := r.bus.Send(ctx, c); err == nil {
			twice = twice && !sent
			sent = true
		} else if wait(ctx, timeout); ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), err)
		}
		if sent && !twice {
			break
		}
	}
	r.ledger.took(request, request)
	var op contract.Operation
	err = r.read(ctx, contract.OperationAggregate, request, &op)
	return op.Refusal, err
}

// read waits for a document of the projection.
func (r *rig) read(ctx context.Context, kind contract.Aggregate, id string, into any) error {
	for {
		doc, err := r.docs.Get(ctx, string(kind), id)
		if err == nil {
			return json.Unmarshal(doc.Body, into)
		}
		if !errors.Is(err, projection.ErrNotFound) && !errors.Is(err, projection.ErrUnavailable) && ctx.Err() == nil {
			return fmt.Errorf("read %s %s: %w", kind, id, err)
		}
		if wait(ctx, 20*time.Millisecond); ctx.Err() != nil {
			return fmt.Errorf("%s %s did not come: %w", kind, id, ctx.Err())
		}
	}
}
