package cards

import "time"

// A Session is one hosted checkout: what is sold, to whom, and how it ended.
type Session struct {
	ID            string
	Created       int64  // Unix seconds
	ExpiresAt     int64  // Unix seconds
	Status        string // open, complete, expired
	PaymentStatus string // unpaid, paid
	Currency      string
	AmountTotal   int64 // cents
	Items         []Item
	Reference     string // client_reference_id
	Metadata      map[string]string
	CustomerEmail string
	Customer      string // id, once known
	NewCustomer   string // customer_creation: always or if_required
	SuccessURL    string
	CancelURL     string
	OfferSaving   bool   // the page draws a tick box that saves the card
	Intent        string // id, once the customer has tried to pay
	IntentData    IntentData
	PayerEmail    string
	PayerName     string
}

// An Item is one line of a Session.
type Item struct {
	ID          string
	Name        string
	Description string
	UnitCents   int64
	Quantity    int64
}

// IntentData is what a Session passes on to the payment intent that it makes.
type IntentData struct {
	Description      string
	ReceiptEmail     string
	SetupFutureUsage string // "", on_session or off_session
	Metadata         map[string]string
}

// An Intent is one payment through all of its attempts.
type Intent struct {
	ID               string
	Created          int64
	Status           string // requires_payment_method, requires_confirmation, requires_action, processing, succeeded, canceled
	Amount           int64  // cents
	Received         int64  // cents
	Currency         string
	Customer         string
	Method           string
	Session          string // the checkout that made it, if one did
	Description      string
	ReceiptEmail     string
	SetupFutureUsage string
	ReturnURL        string
	OffSession       bool
	Metadata         map[string]string
	LatestCharge     string
	LastError        *Decline
	CanceledAt       int64
	CancelReason     string
}

// A Charge is one attempt to take money; Paid reports whether it was taken.
type Charge struct {
	ID       string
	Created  int64
	Intent   string
	Customer string
	Method   string
	Card     Method // as it was then
	Amount   int64  // cents
	Refunded int64  // cents given back
	Currency string
	Disputed bool
	Paid     bool
	Pending  bool
	Failure  *Decline
	Metadata map[string]string
}

// A Refund gives back all or part of one Charge.
type Refund struct {
	ID       string
	Created  int64
	Intent   string
	Charge   string
	Amount   int64 // cents
	Currency string
	Reason   string
	Status   string
	Metadata map[string]string
}

// A Dispute is a customer's objection at the bank against one Charge.
type Dispute struct {
	ID       string
	Created  int64
	Intent   string
	Charge   string
	Amount   int64 // cents
	Currency string
	Reason   string
	Status   string // needs_response, under_review, won, lost
	DueBy    int64  // until when evidence is taken
}

// A Customer holds saved payment methods.
type Customer struct {
	ID          string
	Created     int64
	Email       string
	Name        string
	Description string
	Metadata    map[string]string
	Deleted     bool `json:",omitempty"`
}

// A Method is a card without its number.
type Method struct {
	ID       string
	Created  int64
	Customer string // empty while it belongs to nobody
	Test     string // which of the test cards it is
	Last4    string
	ExpMonth int
	ExpYear  int
	SetUp    bool // the bank has agreed to off-session use
	Gone     bool `json:",omitempty"` // its customer was deleted
	Email    string
	Name     string
}

// A Decline says why a charge was refused.
type Decline struct {
	Code        string `json:"code"`
	DeclineCode string `json:"decline_code,omitempty"`
	Message     string `json:"message"`
}

// An Event informs the webhook endpoint what happened.
type Event struct {
	ID      string
	Type    string
	Created int64
	Object  map[string]any // the object as it was then
	Request string         // the idempotency key that caused it
}

// A Delivery is one attempt to hand an Event to the webhook endpoint.
type Delivery struct {
	Event   string    `json:"event"`
	Attempt int       `json:"attempt"`
	At      time.Time `json:"at"`
	Status  int       `json:"status,omitempty"` // HTTP status, 0 without an answer
	Error   string    `json:"error,omitempty"`
	Done    bool      `json:"done,omitempty"`
	GaveUp  bool      `json:"gave_up,omitempty"`
}
