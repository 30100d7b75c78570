package checkout

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
)

// The processor keeps a page open between half an hour and a day, by its own
// clock; five minutes are left for the difference and the way.
const (
	minOpen = 35 * time.Minute
	maxOpen = 24*time.Hour - 5*time.Minute
	// openAssembled is how long the page of a quote with parts is open.
	openAssembled = time.Hour
)

// Begin is the next attempt to pay a quote that Next said can be paid. All that
// the processor will be asked for is in it.
func Begin(v View) (checkouts.Checkout, error) {
	q := *v.Quote
	c := checkouts.Checkout{
		Quote: q.Ref, Account: q.Account, Request: q.RequestID, Status: checkouts.Starting, Attempt: 1,
		Quantity: q.Reply.Quantity, Board: words(q.Reply.Board, "Printed circuit boards"), Delivery: words(q.Reply.Delivery, ""),
		Digest: q.Digest, Package: v.Package, Terms: q.Terms, PriceVersion: q.Version, Sold: trimQuote(q),
		ShipTo: q.Delivery.ShipTo, Language: v.Request.Language, Browser: v.Request.Browser, ShippingID: q.Delivery.ShippingID, BuildHours: q.Delivery.BuildHours,
		Lines: slices.Clone(q.Reply.Lines), TotalCents: *q.Reply.TotalCents, Currency: words(q.Reply.Currency, "USD"),
		SaveDetails: v.Request.SaveDetails, StartedAt: v.Now, ExpiresAt: expiry(q, v.Now),
	}
	if v.Request.Currency != "" {
		c.Charge = q.Charge
	}
	if found := q.FindingsToAcknowledge(); len(found) > 0 {
		c.Acknowledged = &quotes.Acknowledgement{Findings: found, At: v.Now}
	}
	if v.Saved != nil {
		c.Status, c.Saved, c.SaveDetails, c.ExpiresAt = checkouts.Charging, v.Saved, false, v.Now.Add(ChargeRepeats).UTC().Truncate(time.Second)
	}
	if v.Checkout != nil {
		c.Attempt, c.Refunds, c.Declines = attempts(*v.Checkout)+1, v.Checkout.Refunds, v.Checkout.Declines
		if v.Checkout.Status == checkouts.Open { // of another browser
			c.Others = append(slices.Clone(v.Checkout.Others), single(*v.Checkout))
		}
	}
	sum := int64(0)
	for _, l := range c.Lines {
		sum += l.Cents
	}
	if sum != c.TotalCents {
		return c, fmt.Errorf("quote %s: its lines add up to %d cents, not to %d", q.Ref, sum, c.TotalCents)
	}
	return c, nil
}

// trimQuote is the quote as the order keeps it for ever: what was agreed, without what
// the order says itself, what only pricing reads, and what was not chosen.
func trimQuote(q quotes.Quote) quotes.Quote {
	chosen := func(o quotes.ShippingOption) bool { return o.ID == q.Delivery.ShippingID }
	if i := slices.IndexFunc(q.Reply.ShippingOptions, chosen); i >= 0 {
		q.Reply.ShippingOptions = q.Reply.ShippingOptions[i : i+1]
	} else {
		q.Reply.ShippingOptions = nil
	}
	q.Reply.FasterBuilds, q.Pricing, q.Terms, q.Delivery, q.Request.ShipTo, q.Estimate = nil, nil, nil, nil, nil, nil
	return q
}

func expiry(q quotes.Quote, now time.Time) time.Time {
	at := now.Add(maxOpen)
	if q.Assembly != nil { // parts leave stock
		at = now.Add(openAssembled)
	}
	if q.ExpiresAt.Before(at) {
		at = q.ExpiresAt
	}
	if least := now.Add(minOpen); at.Before(least) {
		at = least
	}
	return at.UTC().Truncate(time.Second)
}

func words(s *string, otherwise string) string {
	if s == nil || *s == "" {
		return otherwise
	}
	return *s
}

// Request is what the processor is asked for an attempt. It is made of what was
// written down and nothing else: the same key must never come with another
// request. page is the quote's own checkout page; returned is a token that only the browser
// that has paid is given.
func Request(c checkouts.Checkout, page, returned string) card.CheckoutRequest {
	r := card.CheckoutRequest{
		Reference: c.Quote,
		Metadata: map[string]string{
			"quote": c.Quote, "price_version": strconv.Itoa(c.PriceVersion), "attempt": strconv.Itoa(c.Attempt), "account": c.Account,
		},
		Description: fmt.Sprintf("%d × %s", c.Quantity, c.Board), Currency: c.Currency, CustomerEmail: c.ShipTo.Email,
		SuccessURL: page + "?paid=" + returned, CancelURL: page + "?cancelled=1", ExpiresAt: c.ExpiresAt, SaveCard: c.SaveDetails, Language: c.Language,
		IdempotencyKey: fmt.Sprintf("cs:%s:%d:%d", c.Quote, c.PriceVersion, c.Attempt),
	}
	if c.Charge != nil {
		r.Currency, r.Lines = c.Charge.Currency, []card.Line{{Label: r.Description, Cents: c.Charge.Minor}}
		r.Metadata["total"], r.Metadata["rate"] = strconv.FormatInt(c.TotalCents, 10)+" "+c.Currency, c.Charge.Rate
		return r
	}
	for _, l := range c.Lines {
		r.Lines = append(r.Lines, card.Line{Label: l.Label, Cents: l.Cents})
	}
	return r
}

// MarkOpen is the attempt once it has a page.
func MarkOpen(c checkouts.Checkout, s card.Session) checkouts.Checkout {
	c.Status, c.SessionID, c.SessionURL = checkouts.Open, s.ID, s.URL
	if !s.ExpiresAt.IsZero() {
		c.ExpiresAt = s.ExpiresAt
	}
	return c
}

// MarkClosed is the attempt once nobody can pay it any more, or the page of another browser that
// is still open.
func MarkClosed(c checkouts.Checkout) checkouts.Checkout {
	c.Status, c.SessionURL = checkouts.Closed, ""
	if n := len(c.Others); n > 0 {
		return Promote(c, c.Others[n-1].Attempt)
	}
	return c
}

// Pending reports whether the attempt's payment may still come.
func Pending(c checkouts.Checkout) bool {
	return c.Status == checkouts.Starting || c.Status == checkouts.Open || c.Status == checkouts.Charging
}
