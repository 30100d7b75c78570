package fabricator

import "time"

// A PlaceRequest orders boards. Place sends it once and never again by itself:
// a caller records its intent first and, whenever an outcome is unknown, asks
// FindOrder for the Reference before it sends anything a second time.
type PlaceRequest struct {
	// Reference is our own number of the order, unique for ever. The
	// fabricator keeps it as its batch number; FindOrder looks for it.
	Reference string `json:"reference"`

	Spec     Spec    `json:"spec"`     // FileKey and BuildHours included
	Shipping string  `json:"shipping"` // Shipping.ID
	ShipTo   Address `json:"ship_to"`

	// AgreedCents is what the boards and their shipping cost when they were
	// quoted, in Currency. Place refuses with PriceMoved when the price is
	// now beyond the adapter's tolerance above it. Zero agrees to any price.
	AgreedCents int64  `json:"agreed_cents"`
	Currency    string `json:"currency"`

	Remark string `json:"remark,omitempty"` // words for the fabricator's engineers
}

// An Address is where the parcel goes.
type Address struct {
	Name       string `json:"name"`
	Company    string `json:"company,omitempty"`
	Line1      string `json:"line1"`
	Line2      string `json:"line2,omitempty"`
	City       string `json:"city"`
	State      string `json:"state,omitempty"`
	PostalCode string `json:"postal_code"`
	Country    string `json:"country"` // ISO 3166-1 alpha-2
	Phone      string `json:"phone"`
	TaxID      string `json:"tax_id,omitempty"`
}

// Placed is an order that the fabricator has.
type Placed struct {
	Reference string `json:"reference"`

	// OrderID is the fabricator's internal id, which its production progress
	// is asked for with. An order found again by reference may lack it.
	OrderID string `json:"order_id,omitempty"`

	// OrderNumber is the number that people at the fabricator use. It can be
	// empty until they have looked at the order.
	OrderNumber string `json:"order_number,omitempty"`

	// Cents is the order's total, shipping included; zero means not known yet.
	Cents    int64  `json:"cents,omitempty"`
	Currency string `json:"currency,omitempty"`

	// Orders counts the orders that the fabricator holds under Reference. More
	// than one means it was sent twice and a person must cancel the surplus.
	Orders int `json:"orders"`

	// Manual says that nobody outside was told: the operator builds the boards,
	// or orders them by hand, and reports how they come along.
	Manual bool `json:"manual,omitempty"`

	At time.Time `json:"at,omitzero"`
}

// A Status is how far an order has come. Only Cancelled can follow any other.
type Status string

// The statuses of an order, in their order.
const (
	Received   Status = "received"    // the fabricator has it, nobody looked yet
	InReview   Status = "in_review"   // its engineers check the files
	NeedsReply Status = "needs_reply" // it waits for an answer or a confirmation from us
	Confirmed  Status = "confirmed"   // checked, waiting for the line
	InProgress Status = "in_production"
	Shipped    Status = "shipped"
	Cancelled  Status = "cancelled"
)

// Progress is how an order comes along.
type Progress struct {
	Status   Status    `json:"status"`
	Why      string    `json:"why,omitempty"` // with Cancelled and NeedsReply, the fabricator's words
	Steps    []Step    `json:"steps,omitempty"`
	Tracking *Tracking `json:"tracking,omitempty"` // once shipped and known
	Order    Placed    `json:"order"`
}

// Tracking is where to follow the parcel.
type Tracking struct {
	Carrier string `json:"carrier"`
	Number  string `json:"number"`
	URL     string `json:"url,omitempty"`
}
