package orders

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

// Commands of the payment service.
var (
	Place        = contract.CommandName{Service: "payment", Verb: "place-order"}  // place a paid order with the fabricator
	Follow       = contract.CommandName{Service: "payment", Verb: "follow-order"} // ask the fabricator how an order stands
	ReportStatus = contract.CommandName{Service: "payment", Verb: "report-order"} // the operator says how an order stands
	Sweep        = contract.CommandName{Service: "payment", Verb: "sweep"}        // look for orders and checkouts that lost their timer
)

// SweepData says what to look for: one page of the aggregates that the projection
// lists by a value of a key.
type SweepData struct {
	Aggregate contract.Aggregate `json:"aggregate"`
	Key       string             `json:"key"` // status or money
	Value     string             `json:"value"`
	Test      bool               `json:"test,omitempty"`   // of what test keys made, not of live
	Cursor    string             `json:"cursor,omitempty"` // of the projection's list; empty for the first page
}

// Commands that remove what tells of a person or a design.
var (
	Erase         = contract.CommandName{Service: "payment", Verb: "erase"}          // checkouts and orders
	HoldDuplicate = contract.CommandName{Service: "payment", Verb: "hold-duplicate"} // other accounts' orders of the same files
)

// Labels of an order: who paid, and what is built.
func (o Order) Labels() contract.Labels {
	return contract.NewLabels(contract.PersonLabel(o.ShipTo.Email), contract.PersonLabel(o.Payment.Email), boards.Label(o.Digest)).Union(o.Sold.Labels())
}

// Events of the order aggregate.
const (
	EventPaid         contract.EventName = "paid"          // it must be built
	EventScreened     contract.EventName = "screened"      // its recipient was looked up on sanctions lists, or nobody answered
	EventPlacing      contract.EventName = "placing"       // written down before the fabricator is asked
	EventPostponed    contract.EventName = "postponed"     // the fabricator could not be asked yet
	EventPlaced       contract.EventName = "placed"        // the fabricator has it
	EventHeld         contract.EventName = "held"          // the operator's team must look
	EventInProduction contract.EventName = "in_production" // the fabricator builds it
	EventProgressed   contract.EventName = "progressed"    // a step of the build
	EventShipped      contract.EventName = "shipped"
	EventInvoiced     contract.EventName = "invoiced" // it got an invoice or a credit note

	// Of what goes wrong after a payment. Each may hold the order: its status says so.
	EventRefundBegun  contract.EventName = "refund_begun"  // written down before the processor is asked
	EventRefunded     contract.EventName = "refunded"      // the processor has given money back
	EventRefundFailed contract.EventName = "refund_failed" // money that was to go back did not
	EventCancelled    contract.EventName = "cancelled"     // it is not built; what was paid goes back
	EventDisputed     contract.EventName = "disputed"      // the customer's bank disputes the payment, or has decided
)

// Events are all of the aggregate.
var Events = []contract.EventName{
	EventPaid, EventScreened, EventPlacing, EventPostponed, EventPlaced, EventHeld,
	EventInProduction, EventProgressed, EventShipped, EventRefundBegun, EventRefunded,
	EventRefundFailed, EventCancelled, EventDisputed, EventInvoiced,
}

// Status is where an order stands.
type Status string

// The statuses of an order. Only forward, but held goes back to paid.
const (
	Paid         Status = "paid"
	Placing      Status = "placing"
	Placed       Status = "placed"
	Held         Status = "held"
	InProduction Status = "in_production"
	Shipped      Status = "shipped"
	Cancelled    Status = "cancelled"
)

// Order is a paid quote. Aggregate id = the quote's ref: one quote, one order.
type Order struct {
	ID         string              `json:"id"`  // ord_…
	Ref        string              `json:"ref"` // what people say: BO-….
	Quote      string              `json:"quote"`
	Account    string              `json:"account"`
	Request    string              `json:"request"` // of the quote
	Status     Status              `json:"status"`
	Quantity   int                 `json:"quantity"`
	Board      string              `json:"board"`              // one line
	Delivery   string              `json:"delivery,omitempty"` // from payment to the door, in words
	Digest     string              `json:"digest"`             // of the files to build from
	Package    string              `json:"package"`            // blob key of what to build from
	Sold       quotes.Quote        `json:"sold"`               // as in the checkout
	Terms      *quotes.Terms       `json:"terms,omitempty"`    // what to ask the fabricator for; none of a team's price
	Payment    checkouts.Payment   `json:"payment"`
	ShipTo     shipments.ShipTo    `json:"ship_to"`
	Language   string              `json:"language,omitempty"` // that the customer read the checkout in; "" is English
	ShippingID string              `json:"shipping_id"`
	BuildHours int                 `json:"build_hours"`
	Lines      []prices.Line       `json:"lines"`
	TotalCents int64               `json:"total_cents"`
	Currency   string              `json:"currency"`
	Fabricator FabOrder            `json:"fabricator"`
	Tracking   *shipments.Tracking `json:"tracking,omitempty"`
	Steps      []Step              `json:"steps,omitempty"`
	Held       string              `json:"held,omitempty"`    // why
	ByHand     bool                `json:"by_hand,omitempty"` // held for the team to place it with the fabricator, as such orders are
	Waiting    string              `json:"waiting,omitempty"` // what the fabricator wants to know from us
	Postponed  *Postponement       `json:"postponed,omitempty"`
	Report     *Report             `json:"report,omitempty"`  // an operator's last word
	Refunds    []Refund            `json:"refunds,omitempty"` // of Payment, oldest first
	Dispute    *Dispute            `json:"dispute,omitempty"` // the last one
	Money      MoneyStatus         `json:"money,omitempty"`   // open: the processor is to be asked about Payment from time to time
	Cancelled  *Cancellation       `json:"cancelled,omitempty"`
	Invoices   []invoices.Invoice  `json:"invoices,omitempty"` // oldest first: the invoice, then credit notes and their reversals
	TaxRate    *prices.Rate        `json:"tax_rate,omitempty"` // of a sale in the EU: the last one that was published when it was paid
	// Withdrawn: its design was declared ITAR-controlled, and what bookkeeping needs is left.
	Withdrawn bool       `json:"withdrawn,omitempty"`
	PaidAt    time.Time  `json:"paid_at"`
	PlacedAt  *time.Time `json:"placed_at,omitempty"`
	ShippedAt *time.Time `json:"shipped_at,omitempty"`
	// Acknowledged is what the customer said to have seen of the design's findings.
	Acknowledged *quotes.Acknowledgement `json:"acknowledged,omitempty"`
	Screened     *Screening              `json:"screened,omitempty"`
}

// HasEnded tells whether nothing is to be built, shipped or held any more.
func (o Order) HasEnded() bool {
	return o.Status == Shipped || o.Status == Cancelled
}

// Screening is what came of looking an order's recipient up on sanctions lists. It
// names nobody, and stays when the order's personal data go.
type Screening struct {
	At        time.Time `json:"at"`                  // of the answer; of the first question while it is waited for; of giving up
	Reference string    `json:"reference,omitempty"` // of whoever answered
	Hit       bool      `json:"hit"`
	Waiting   bool      `json:"waiting,omitempty"` // nobody answered yet: to be asked again
	Failed    bool      `json:"failed,omitempty"`  // nobody answered: people decide
}

// FabOrder is the order at the fabricator.
type FabOrder struct {
	Name      string     `json:"name"`               // its public name, for ever: nobody else builds the order; empty where a team's price leaves it open
	Reference string     `json:"reference"`          // ours, given to the fabricator before it is asked
	OrderID   string     `json:"order_id,omitempty"` // theirs, for asking about steps
	Number    string     `json:"number,omitempty"`   // theirs, for people
	Cents     int64      `json:"cents,omitempty"`    // what they charge us
	Attempt   int        `json:"attempt"`            // how often it was asked to build it
	AskedAt   *time.Time `json:"asked_at,omitempty"`
}

// Postponement is why an order that is to be placed is not placed yet: nobody has to do
// anything, the fabricator is asked again.
type Postponement struct {
	Since  time.Time `json:"since"` // the first try that failed
	Next   time.Time `json:"next"`  // the next try
	EveryS int       `json:"every_s"`
	Why    string    `json:"why"` // for the team
}

// Step is one step of the build, as the fabricator reports it.
type Step struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

// Data names an order by its quote's ref.
type Data struct {
	Quote string `json:"quote"`
	Poll  int    `json:"poll,omitempty"` // how often the fabricator was asked
}

// ReportStatusData is an operator's word on an order.
type ReportStatusData struct {
	Quote    string              `json:"quote"`
	Operator string              `json:"operator"`
	Status   Status              `json:"status"`
	Tracking *shipments.Tracking `json:"tracking,omitempty"`
	Note     string              `json:"note,omitempty"`
}

// Report is what an operator said about an order.
type Report struct {
	Operator string    `json:"operator"`
	Note     string    `json:"note,omitempty"`
	At       time.Time `json:"at"`
}
