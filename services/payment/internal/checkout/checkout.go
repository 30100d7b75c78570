// Package checkout decides how one quote gets paid: what to do next for a
// shopper who wants to pay, and what a payment that was found means. It asks
// nobody; the handlers around it do.
package checkout

import (
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

// A View is all that a decision about beginning a checkout looks at.
type View struct {
	Request  checkouts.BeginData
	Quote    *quotes.Quote           // nil: there is none
	Checkout *checkouts.Checkout     // nil: none was begun
	Saved    *checkouts.SavedPayment // the customer confirmed a charge of a saved card; nil: wants a payment page
	Package  string                  // blob key of what the quote's board is built from
	Ordered  bool
	Unbuilt  bool // the quote's fabricator is no longer configured
	ITAR     bool // the upload was declared ITAR-controlled since
	Now      time.Time
}

// A Step is what to do next for a shopper who wants to pay.
type Step int

// The steps. After each of them the state is looked at again, until the
// shopper can be given a page or is refused one.
const (
	Start  Step = iota + 1 // write a new attempt down
	Open                   // have the processor make the page of the attempt that was written down
	Check                  // the open page fits: see that it is still open, and give it out
	Retire                 // the open page does not fit: close it at the processor
	Forget                 // the attempt never got a page and its time is over
	Charge                 // a saved card is being charged: find out how that ends
	Recall                 // the shopper's own page is open beside another browser's: go on with it
)

func (s Step) String() string {
	return [...]string{"none", "start", "open", "check", "retire", "forget", "charge", "recall"}[s]
}

// ChooseStep says what to do next. A *contract.Refusal says why the shopper cannot pay.
func ChooseStep(v View) (Step, error) {
	if v.Checkout != nil && v.Checkout.Status == checkouts.Charging && !v.Ordered {
		return Charge, nil // whatever is wanted, that comes first
	}
	if err := Payable(v); err != nil {
		return 0, err
	}
	switch c := v.Checkout; {
	case c == nil, c.Status == checkouts.Closed:
		return Start, nil
	case c.Status == checkouts.Starting && !v.Now.Before(c.ExpiresAt):
		return Forget, nil
	case c.Status == checkouts.Starting:
		// Also for one that does not fit any more: its page may exist already, and
		// only a page that is known can be closed.
		return Open, nil
	case v.Fits(*c) && v.Now.Add(timeout).Before(c.ExpiresAt):
		return Check, nil
	case v.Saved == nil && c.Browser != v.Request.Browser:
		return v.stepBeside(*c), nil
	default:
		return Retire, nil
	}
}

// stepBeside is what to do while a page of another browser is open: whoever asks for a page, with
// nothing but the quote's address, closes nobody else's.
func (v View) stepBeside(c checkouts.Checkout) Step {
	_, own := PageOf(c, v.Request.Browser)
	switch {
	case own:
		return Recall
	case len(c.Others) < maxOthers:
		return Start
	default:
		return Retire
	}
}

// timeout is how long a page must still be open to be given out.
const timeout = 5 * time.Minute

// Fits reports whether an attempt is what is wanted.
func (v View) Fits(c checkouts.Checkout) bool {
	return v.Saved == nil && c.Saved == nil && Fits(c, v.Request)
}

// Fits reports whether a payment page is what the shopper wants, and the shopper's own: whoever
// paid on a page is told so wherever it is opened.
func Fits(c checkouts.Checkout, request checkouts.BeginData) bool {
	return c.PriceVersion == request.Version && c.SaveDetails == request.SaveDetails && c.Language == request.Language && c.PaymentCurrency() == request.Currency && c.Browser == request.Browser
}

// Payable says why a quote cannot be paid, if so.
func Payable(v View) error {
	if err := Sellable(v); err != nil {
		return err
	}
	if err := checkAcknowledgement(*v.Quote, v.Request); err != nil {
		return err
	}
	return deliverable(*v.Quote)
}

// Sellable says why a quote cannot be paid wherever it goes, if so.
func Sellable(v View) error {
	q := v.Quote
	switch {
	case v.Ordered, v.Checkout != nil && v.Checkout.Status == checkouts.Paid:
		return RefusePaid() // also when the quote has gone since
	case q == nil:
		return contract.Refuse(contract.NotFound, "There is no such quote.")
	case v.ITAR:
		return contract.Refuse(contract.ITARNotSupported, "The design files of this quote were declared ITAR-controlled; it cannot be ordered here.")
	case q.IsExpired(v.Now), v.Checkout != nil && v.Checkout.Withdrawn:
		return contract.Refuse(contract.QuoteExpired, "This quote has expired. Please ask for a new one.")
	case v.Unbuilt:
		return quotes.RefuseUnbuilt()
	case !hasPrice(*q):
		return contract.Refuse(contract.QuoteNotPayable, "This quote has no price to pay yet.")
	case q.Version != v.Request.Version:
		return contract.Refuse(contract.Conflict, "The price of this quote has changed. Please look at it again before you pay.")
	case v.Request.Currency != "" && (q.Charge == nil || q.Charge.Currency != v.Request.Currency || q.Charge.Cents != *q.Reply.TotalCents):
		return contract.Refuse(contract.Conflict, "This quote cannot be paid in %s any more. Please look at its price again before you pay.", v.Request.Currency)
	}
	return nil
}

// checkAcknowledgement refuses a payment for a design of which something doubtful is known that
// the customer has not said to have seen.
func checkAcknowledgement(q quotes.Quote, request checkouts.BeginData) error {
	if request.Acknowledgement == q.AcknowledgementHash() {
		return nil
	}
	const message = "Please look at what was found in the design files, and tick that you have seen it."
	text := message
	if len(q.Substitutes())+len(q.Doubtful()) > 0 {
		text = "Please look at what was found and at the parts that need a look or take the place of others, and tick that you want the boards like this."
	}
	r := contract.Refuse(contract.InvalidRequest, "%s", text)
	r.Fields = []contract.FieldProblem{{Field: "seen", Problem: "missing", Message: text}}
	return r
}

func hasPrice(q quotes.Quote) bool {
	ready := q.Mode == quotes.ModeInstant && q.Status == quotes.Ready ||
		q.Mode == quotes.ModeReview && q.Status == quotes.SourcingQuoted
	return ready && q.Reply.TotalCents != nil && *q.Reply.TotalCents > 0
}

func deliverable(q quotes.Quote) error {
	var to shipments.ShipTo
	if q.Delivery != nil {
		to = q.Delivery.ShipTo
		if q.Delivery.UnofferedWay != nil {
			r := contract.Refuse(contract.InvalidRequest, "The shipping method that was chosen is not offered for these boards. Please choose another one.")
			r.Fields = []contract.FieldProblem{{Field: "shipping_id", Problem: "missing", Message: "Please choose a shipping method."}}
			return r
		}
	}
	refused := append(to.Missing(), address.Check(to.Country, to)...)
	asks := q.Mode == quotes.ModeInstant && q.Reply.DeliverySaved != nil && !*q.Reply.DeliverySaved // such as a tax number for customs
	if len(refused) == 0 && !asks {
		return nil
	}
	r := contract.Refuse(contract.InvalidRequest, "The delivery details are not complete yet.")
	r.Fields = refused
	return r
}

// RefusePaid refuses a second payment.
func RefusePaid() *contract.Refusal {
	return contract.Refuse(contract.QuoteNotPayable, "This quote has been paid already.")
}
