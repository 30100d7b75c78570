package contract

import "time"

// Events of the order aggregate.
const (
	OrderPaid         EventName = "paid"          // it must be built
	OrderScreened     EventName = "screened"      // its recipient was looked up on sanctions lists, or nobody answered
	OrderPlacing      EventName = "placing"       // written down before the fabricator is asked
	OrderPlaced       EventName = "placed"        // the fabricator has it
	OrderHeld         EventName = "held"          // the operator's team must look
	OrderInProduction EventName = "in_production" // the fabricator builds it
	OrderProgressed   EventName = "progressed"    // a step of the build
	OrderShipped      EventName = "shipped"
)

// OrderStatus is where an order stands.
type OrderStatus string

// The statuses of an order. Only forward, but held goes back to paid.
const (
	OrderStatusPaid         OrderStatus = "paid"
	OrderStatusPlacing      OrderStatus = "placing"
	OrderStatusPlaced       OrderStatus = "placed"
	OrderStatusHeld         OrderStatus = "held"
	OrderStatusInProduction OrderStatus = "in_production"
	OrderStatusShipped      OrderStatus = "shipped"
	OrderStatusCancelled    OrderStatus = "cancelled"
)

// Order is a paid quote. Aggregate id = the quote's ref: one quote, one order.
type Order struct {
	ID         string        `json:"id"`  // ord_…
	Ref        string        `json:"ref"` // what people say: BO-….
	Quote      string        `json:"quote"`
	Account    string        `json:"account"`
	Request    string        `json:"request"` // of the quote
	Status     OrderStatus   `json:"status"`
	Quantity   int           `json:"quantity"`
	Board      string        `json:"board"`              // one line
	Delivery   string        `json:"delivery,omitempty"` // from payment to the door, in words
	Digest     string        `json:"digest"`             // of the files to build from
	Package    string        `json:"package"`            // blob key of what to build from
	Sold       Quote         `json:"sold"`               // as in the checkout
	Terms      *Terms        `json:"terms,omitempty"`    // what to ask the fabricator for; none of a team's price
	Payment    Payment       `json:"payment"`
	ShipTo     ShipTo        `json:"ship_to"`
	ShippingID string        `json:"shipping_id"`
	BuildHours int           `json:"build_hours"`
	Lines      []Line        `json:"lines"`
	TotalCents int64         `json:"total_cents"`
	Currency   string        `json:"currency"`
	Fabricator FabOrder      `json:"fabricator"`
	Tracking   *Tracking     `json:"tracking,omitempty"`
	Steps      []Step        `json:"steps,omitempty"`
	Held       string        `json:"held,omitempty"`    // why
	ByHand     bool          `json:"by_hand,omitempty"` // held for the team to place it with the fabricator, as such orders are
	Waiting    string        `json:"waiting,omitempty"` // what the fabricator wants to know from us
	Report     *OrderReport  `json:"report,omitempty"`  // an operator's last word
	Refunds    []OrderRefund `json:"refunds,omitempty"` // of Payment, oldest first
	Dispute    *OrderDispute `json:"dispute,omitempty"` // the last one
	Money      MoneyStatus   `json:"money,omitempty"`   // open: the processor is to be asked about Payment from time to time
	Cancelled  *Cancellation `json:"cancelled,omitempty"`
	Invoices   []Invoice     `json:"invoices,omitempty"` // oldest first: the invoice, then credit notes
	// Withdrawn: its design was declared ITAR-controlled, and what the books need is left.
	Withdrawn bool       `json:"withdrawn,omitempty"`
	PaidAt    time.Time  `json:"paid_at"`
	PlacedAt  *time.Time `json:"placed_at,omitempty"`
	ShippedAt *time.Time `json:"shipped_at,omitempty"`
	// Acknowledged is what the customer said to have seen of the design's findings.
	Acknowledged *Acknowledgement `json:"acknowledged,omitempty"`
	Screened     *Screening       `json:"screened,omitempty"`
}

// HasEnded tells whether nothing is to be built, shipped or held any more.
func (o Order) HasEnded() bool {
	return o.Status == OrderStatusShipped || o.Status == OrderStatusCancelled
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
	Adapter   string     `json:"adapter"`
	Reference string     `json:"reference"`          // ours, given to the fabricator before it is asked
	OrderID   string     `json:"order_id,omitempty"` // theirs, for asking about steps
	Number    string     `json:"number,omitempty"`   // theirs, for people
	Cents     int64      `json:"cents,omitempty"`    // what they charge us
	Attempt   int        `json:"attempt"`            // how often it was asked to build it
	AskedAt   *time.Time `json:"asked_at,omitempty"`
}

// Tracking is where the parcel can be followed.
type Tracking struct {
	Carrier string `json:"carrier"`
	Number  string `json:"number"`
	URL     string `json:"url,omitempty"`
}

// Step is one step of the build, as the fabricator reports it.
type Step struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

// OrderData names an order by its quote's ref.
type OrderData struct {
	Quote string `json:"quote"`
	Poll  int    `json:"poll,omitempty"` // how often the fabricator was asked
}

// ReportOrderData is an operator's word on an order.
type ReportOrderData struct {
	Quote    string      `json:"quote"`
	Operator string      `json:"operator"`
	Status   OrderStatus `json:"status"`
	Tracking *Tracking   `json:"tracking,omitempty"`
	Note     string      `json:"note,omitempty"`
}

// OrderReport is what an operator said about an order.
type OrderReport struct {
	Operator string    `json:"operator"`
	Note     string    `json:"note,omitempty"`
	At       time.Time `json:"at"`
}
