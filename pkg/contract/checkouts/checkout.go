package checkouts

import (
	"cmp"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

// Commands of the payment service.
var (
	Begin     = contract.CommandName{Service: "payment", Verb: "begin-checkout"} // the shopper chose delivery and wants to pay
	CardEvent = contract.CommandName{Service: "payment", Verb: "card-event"}     // the card processor says that something happened
	Settle    = contract.CommandName{Service: "payment", Verb: "settle"}         // ask the processor how a payment stands
	Reconcile = contract.CommandName{Service: "payment", Verb: "reconcile"}      // reconcile with the processor's ledger
)

// Events of the checkout aggregate.
const (
	EventBegun   contract.EventName = "begun"   // choices fixed, a payment page is about to be made
	EventOpened  contract.EventName = "opened"  // the processor's page exists
	EventPaid    contract.EventName = "paid"    // the processor confirmed the charge
	EventClosed  contract.EventName = "closed"  // the page expired or was given up
	EventPending contract.EventName = "pending" // the bank decides about a saved card later
	EventDoubled contract.EventName = "doubled" // a second payment for the same quote: refunded

	EventDeclined contract.EventName = "declined" // a card was refused at the processor's page, which stays open
)

// Events are all of the aggregate.
var Events = []contract.EventName{
	EventBegun, EventOpened, EventPaid, EventClosed, EventDoubled,
	EventPending, EventDeclined,
}

// Status is where paying stands.
type Status string

// The statuses of a checkout.
const (
	Starting Status = "starting"
	Open     Status = "open"
	Charging Status = "charging" // a saved card is being charged
	Closed   Status = "closed"
	Paid     Status = "paid"
)

// Checkout is how one quote is paid. Aggregate id = the quote's ref.
type Checkout struct {
	Quote        string           `json:"quote"` // ref
	Account      string           `json:"account"`
	Request      string           `json:"request"` // of the quote
	Status       Status           `json:"status"`
	Attempt      int              `json:"attempt"`
	Quantity     int              `json:"quantity"`
	Board        string           `json:"board"`              // one line
	Delivery     string           `json:"delivery,omitempty"` // from payment to the door, in words
	Digest       string           `json:"digest"`             // of the files that were priced
	Package      string           `json:"package"`            // blob key of what to build from
	Terms        *quotes.Terms    `json:"terms,omitempty"`    // those of PriceVersion; none of a team's price
	PriceVersion int              `json:"price_version"`
	Sold         quotes.Quote     `json:"sold"` // the quote at PriceVersion, less Terms, addresses and what was not chosen: it may go, what was paid stays
	ShipTo       shipments.ShipTo `json:"ship_to"`
	Language     string           `json:"language,omitempty"` // that the customer read the checkout in, as pkg/language has it; "" is English
	ShippingID   string           `json:"shipping_id"`
	BuildHours   int              `json:"build_hours"`
	Lines        []prices.Line    `json:"lines"`
	TotalCents   int64            `json:"total_cents"`
	Currency     string           `json:"currency"`
	Charge       *prices.Charge   `json:"charge,omitempty"` // this attempt is paid in another currency; the amounts above stay what they are
	SaveDetails  bool             `json:"save_details"`
	// Browser is that of whoever began the attempt, by a hash; "" of one that keeps
	// no cookies. It alone is taken for the customer's once it has paid.
	Browser string `json:"browser,omitempty"`
	// Others are open attempts of other browsers: whoever asks for a page closes nobody else's.
	// The first payment of all counts, with what stood on its page.
	Others   []Checkout `json:"others,omitempty"`
	Attempts int        `json:"attempts,omitempty"` // the highest Attempt so far, where that is not this one's
	// Acknowledged is what the customer said to have seen of the design's findings.
	Acknowledged *quotes.Acknowledgement `json:"acknowledged,omitempty"`
	Saved        *SavedPayment           `json:"saved,omitempty"` // this attempt charges a saved card
	SessionID    string                  `json:"session_id,omitempty"`
	SessionURL   string                  `json:"session_url,omitempty"`
	Payment      *Payment                `json:"payment,omitempty"`
	Refunds      []Refund                `json:"refunds,omitempty"`
	Declines     []Decline               `json:"declines,omitempty"`  // of all attempts, oldest first, at most MaxDeclines
	Withdrawn    bool                    `json:"withdrawn,omitempty"` // what is paid from now on is given back
	StartedAt    time.Time               `json:"started_at"`
	ExpiresAt    time.Time               `json:"expires_at"`
}

// PaymentCurrency is the currency that the attempt is paid in, where that is another one; else "".
func (c Checkout) PaymentCurrency() string {
	if c.Charge == nil {
		return ""
	}
	return c.Charge.Currency
}

// Payment is a charge that succeeded. Where another currency was charged as agreed, Cents
// and Currency are what it stands for.
type Payment struct {
	Session  string             `json:"session"`
	Intent   string             `json:"intent"`
	Cents    int64              `json:"cents"`
	Currency string             `json:"currency"`
	Charged  *prices.Charge     `json:"charged,omitempty"` // what the card was charged, in another currency
	Email    string             `json:"email,omitempty"`
	Card     *customers.CardRef `json:"card,omitempty"`           // that paid
	Keep     bool               `json:"keep,omitempty"`           // the processor keeps Card for later charges, as agreed
	Nonce    string             `json:"nonce,omitempty"`          // of the code that confirmed it
	Returned int64              `json:"returned_cents,omitempty"` // had been given back when we learned of it
	At       time.Time          `json:"at"`
}

// CardWords names the card that paid, as its holder knows it: "Visa ending in 4242".
// "" where that is not known.
func (p Payment) CardWords() string {
	if p.Card == nil || p.Card.Last4 == "" {
		return ""
	}
	return CardWords(p.Card.Brand, p.Card.Last4)
}

// CardWords names a card as its holder knows it.
func CardWords(brand, last4 string) string {
	brand = cmp.Or(brand, "card")
	return strings.ToUpper(brand[:1]) + brand[1:] + " ending in " + last4
}

// Refund is money given back.
type Refund struct {
	Intent  string          `json:"intent"`
	Cents   int64           `json:"cents"`
	Charged *prices.Charged `json:"charged,omitempty"` // what went back, of a payment in another currency
	Why     string          `json:"why"`
	At      time.Time       `json:"at"`
}

// MaxDeclines bounds how many declines a checkout remembers: the newest.
const MaxDeclines = 20

// Decline is a card that the processor refused on its page.
type Decline struct {
	Charge string    `json:"charge"`         // the processor's id of the try
	Reason string    `json:"reason"`         // the processor's word, such as insufficient_funds
	Card   string    `json:"card,omitempty"` // "Visa ending in 0002"
	At     time.Time `json:"at"`
}

// LatestDecline is the newest of Declines; nil for none.
func (c Checkout) LatestDecline() *Decline {
	if len(c.Declines) == 0 {
		return nil
	}
	return &c.Declines[len(c.Declines)-1]
}

// BeginData is the shopper's request to pay a quote at the price that the
// page showed. The delivery is the quote's.
type BeginData struct {
	Quote           string `json:"quote"`   // ref
	Version         int    `json:"version"` // of the price; another one is refused
	SaveDetails     bool   `json:"save_details,omitempty"`
	Currency        string `json:"currency,omitempty"`        // to pay in, by the quote's Charge; empty: the quote's own
	Language        string `json:"language,omitempty"`        // of the page
	Browser         string `json:"browser,omitempty"`         // that asks; each has a page of its own
	Acknowledgement string `json:"acknowledgement,omitempty"` // AcknowledgementHash of the findings that the customer says to have seen
}

// CardEventData is a verified notice of the card processor: ids only.
type CardEventData struct {
	EventID string `json:"event_id"`
	Type    string `json:"type"`
	Session string `json:"session,omitempty"`
	Intent  string `json:"intent,omitempty"`
	Quote   string `json:"quote,omitempty"` // ref, from the session's own reference
}

// SettleData asks how a payment stands. Without Session and Intent it is
// about the checkout's own session.
type SettleData struct {
	Quote   string `json:"quote"` // ref
	Session string `json:"session,omitempty"`
	Intent  string `json:"intent,omitempty"`
	Poll    int    `json:"poll,omitempty"` // by the service's own timer: how often it asked
}

// ReconcileData says which of the processor's payments to compare with ours.
type ReconcileData struct {
	Since time.Time `json:"since"` // begun at or after
}

// Labels of a checkout: who pays, and for what.
func (c Checkout) Labels() contract.Labels {
	labels := contract.NewLabels(contract.PersonLabel(c.ShipTo.Email), boards.Label(c.Digest)).Union(c.Sold.Labels())
	if c.Payment != nil {
		labels = labels.Union(contract.Labels{contract.PersonLabel(c.Payment.Email)})
	}
	for _, other := range c.Others {
		labels = labels.Union(other.Labels())
	}
	return labels
}
