package contract

import (
	"cmp"
	"strings"
	"time"
)

// Commands of the payment service.
var (
	BeginCheckout = CommandName{"payment", "begin-checkout"} // the shopper chose delivery and wants to pay
	CardEvent     = CommandName{"payment", "card-event"}     // the card processor says that something happened
	SettlePayment = CommandName{"payment", "settle"}         // ask the processor how a payment stands
	PlaceOrder    = CommandName{"payment", "place-order"}    // place a paid order with the fabricator
	FollowOrder   = CommandName{"payment", "follow-order"}   // ask the fabricator how an order stands
	Reconcile     = CommandName{"payment", "reconcile"}      // compare the processor's books with ours
	ReportOrder   = CommandName{"payment", "report-order"}   // the operator says how an order stands
	Sweep         = CommandName{"payment", "sweep"}          // look for orders and checkouts that lost their timer
)

// Events of the checkout aggregate.
const (
	CheckoutBegun   EventName = "begun"   // choices fixed, a payment page is about to be made
	CheckoutOpened  EventName = "opened"  // the processor's page exists
	CheckoutPaid    EventName = "paid"    // the processor confirmed the charge
	CheckoutClosed  EventName = "closed"  // the page expired or was given up
	CheckoutPending EventName = "pending" // the bank decides about a saved card later
	CheckoutDoubled EventName = "doubled" // a second payment for the same quote: refunded
)

// CheckoutStatus is where paying stands.
type CheckoutStatus string

// The statuses of a checkout.
const (
	CheckoutStarting  CheckoutStatus = "starting"
	CheckoutOpen      CheckoutStatus = "open"
	CheckoutCharging  CheckoutStatus = "charging" // a saved card is being charged
	CheckoutClosedNow CheckoutStatus = "closed"
	CheckoutComplete  CheckoutStatus = "paid"
)

// Checkout is how one quote is paid. Aggregate id = the quote's ref.
type Checkout struct {
	Quote        string         `json:"quote"` // ref
	Account      string         `json:"account"`
	Request      string         `json:"request"` // of the quote
	Status       CheckoutStatus `json:"status"`
	Attempt      int            `json:"attempt"`
	Quantity     int            `json:"quantity"`
	Board        string         `json:"board"`              // one line
	Delivery     string         `json:"delivery,omitempty"` // from payment to the door, in words
	Digest       string         `json:"digest"`             // of the files that were priced
	Package      string         `json:"package"`            // blob key of what to build from
	Terms        *Terms         `json:"terms,omitempty"`    // those of PriceVersion; none of a team's price
	PriceVersion int            `json:"price_version"`
	Sold         Quote          `json:"sold"` // the quote at PriceVersion, less Terms, addresses and what was not chosen: it may go, what was paid stays
	ShipTo       ShipTo         `json:"ship_to"`
	ShippingID   string         `json:"shipping_id"`
	BuildHours   int            `json:"build_hours"`
	Lines        []Line         `json:"lines"`
	TotalCents   int64          `json:"total_cents"`
	Currency     string         `json:"currency"`
	SaveDetails  bool           `json:"save_details"`
	// Acknowledged is what the customer said to have seen of the design's findings.
	Acknowledged *Acknowledgement `json:"acknowledged,omitempty"`
	Saved        *SavedPayment    `json:"saved,omitempty"` // this attempt charges a saved card
	SessionID    string           `json:"session_id,omitempty"`
	SessionURL   string           `json:"session_url,omitempty"`
	Payment      *Payment         `json:"payment,omitempty"`
	Refunds      []Refund         `json:"refunds,omitempty"`
	Withdrawn    bool             `json:"withdrawn,omitempty"` // what is paid from now on is given back
	StartedAt    time.Time        `json:"started_at"`
	ExpiresAt    time.Time        `json:"expires_at"`
}

// Payment is a charge that succeeded.
type Payment struct {
	Session  string    `json:"session"`
	Intent   string    `json:"intent"`
	Cents    int64     `json:"cents"`
	Currency string    `json:"currency"`
	Email    string    `json:"email,omitempty"`
	Card     *CardRef  `json:"card,omitempty"`           // that paid
	Keep     bool      `json:"keep,omitempty"`           // the processor keeps Card for later charges, as agreed
	Nonce    string    `json:"nonce,omitempty"`          // of the code that confirmed it
	Returned int64     `json:"returned_cents,omitempty"` // had been given back when we learned of it
	At       time.Time `json:"at"`
}

// CardWords names the card that paid, as its holder knows it: "Visa ending in 4242".
// "" where that is not known.
func (p Payment) CardWords() string {
	if p.Card == nil || p.Card.Last4 == "" {
		return ""
	}
	brand := cmp.Or(p.Card.Brand, "card")
	return strings.ToUpper(brand[:1]) + brand[1:] + " ending in " + p.Card.Last4
}

// Refund is money given back.
type Refund struct {
	Intent string    `json:"intent"`
	Cents  int64     `json:"cents"`
	Why    string    `json:"why"`
	At     time.Time `json:"at"`
}

// BeginCheckoutData is the shopper's request to pay a quote at the price that the
// page showed. The delivery is the quote's.
type BeginCheckoutData struct {
	Quote       string `json:"quote"`   // ref
	Version     int    `json:"version"` // of the price; another one is refused
	SaveDetails bool   `json:"save_details,omitempty"`
	Seen        string `json:"seen,omitempty"` // AcknowledgementHash of the findings that the customer says to have seen
}

// CardEventData is a verified notice of the card processor: ids only.
type CardEventData struct {
	EventID string `json:"event_id"`
	Type    string `json:"type"`
	Session string `json:"session,omitempty"`
	Intent  string `json:"intent,omitempty"`
	Quote   string `json:"quote,omitempty"` // ref, from the session's own reference
}

// SettlePaymentData asks how a payment stands. Without Session and Intent it is
// about the checkout's own session.
type SettlePaymentData struct {
	Quote   string `json:"quote"` // ref
	Session string `json:"session,omitempty"`
	Intent  string `json:"intent,omitempty"`
	Poll    int    `json:"poll,omitempty"` // by the service's own timer: how often it asked
}

// ReconcileData says which of the processor's payments to compare with ours.
type ReconcileData struct {
	Since time.Time `json:"since"` // begun at or after
}

// SweepData says what to look for: one page of the aggregates that the projection
// lists by a value of a key.
type SweepData struct {
	Aggregate Aggregate `json:"aggregate"`
	Key       string    `json:"key"` // status or money
	Value     string    `json:"value"`
	Test      bool      `json:"test,omitempty"`   // of what test keys made, not of live
	Cursor    string    `json:"cursor,omitempty"` // of the projection's list; empty for the first page
}
