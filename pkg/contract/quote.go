package contract

import (
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/money"
)

// PriceQuote asks for a quote.
var PriceQuote = CommandName{"pricing", "quote"}

// Commands of the pricing service on quotes that exist.
var (
	ChooseDelivery = CommandName{"pricing", "choose-delivery"} // price the same board for another delivery
	RequestReview  = CommandName{"pricing", "request-review"}  // the customer asks the team to price it
	PriceReview    = CommandName{"pricing", "price-review"}    // the team's price
)

// Events of the quote and quote-request aggregates.
const (
	QuotePriced          EventName = "priced"           // instant
	QuoteReviewNeeded    EventName = "review_needed"    // the team must look at it
	QuoteReviewRequested EventName = "review_requested" // the customer asked for it
	QuoteReviewPriced    EventName = "review_priced"
	QuoteDeliveryChosen  EventName = "delivery_chosen"
	QuoteRequestWaiting  EventName = "waiting"
)

// Modes of a quote.
const (
	ModeInstant = "instant"
	ModeReview  = "review"
)

// QuoteStatus is where a quote stands, as clients see it.
type QuoteStatus string

// The statuses of decision Q6. Only forward.
const (
	StatusQuoteReady        QuoteStatus = "quote_ready"
	StatusSourcingReady     QuoteStatus = "sourcing_ready"
	StatusSourcingRequested QuoteStatus = "sourcing_requested"
	StatusSourcingQuoted    QuoteStatus = "sourcing_quoted"
	StatusAwaitingPayment   QuoteStatus = "awaiting_payment"
	StatusExpired           QuoteStatus = "expired"
	StatusOrdered           QuoteStatus = "ordered"
	StatusInProduction      QuoteStatus = "in_production"
	StatusShipped           QuoteStatus = "shipped"
)

// How long quotes hold.
const (
	InstantQuoteLife = 7 * 24 * time.Hour
	ReviewQuoteLife  = 30 * 24 * time.Hour
	MaxValidDays     = 30 // of a team's price: a quote is not kept for much longer than that
	// QuoteKept is how long a quote can be looked up after its last change. What
	// was paid is in its order, which is kept for ever.
	QuoteKept = 45 * 24 * time.Hour
)

// ShipTo is where a board goes and whom it is for.
type ShipTo struct {
	Name       string `json:"name,omitempty"`
	Email      string `json:"email,omitempty"`
	Phone      string `json:"phone,omitempty"`
	Company    string `json:"company,omitempty"`
	Line1      string `json:"line1,omitempty"`
	Line2      string `json:"line2,omitempty"`
	City       string `json:"city,omitempty"`
	State      string `json:"state,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country,omitempty"` // ISO 3166-1 alpha-2
	TaxID      string `json:"tax_id,omitempty"`
}

// Substitution is a component change that the customer approved.
type Substitution struct {
	Reference               string `json:"reference"`
	OriginalMPN             string `json:"original_mpn"`
	ReplacementMPN          string `json:"replacement_mpn"`
	Reason                  string `json:"reason,omitempty"`
	ReplacementManufacturer string `json:"replacement_manufacturer,omitempty"`
}

// QuoteRequest is the body of POST /v1/quotes once validated. Pointers are
// nil where the client said nothing.
type QuoteRequest struct {
	UploadID            string          `json:"upload_id"` // emptied once the upload is known by its ref: a secret
	Quantity            int             `json:"quantity"`
	ShipTo              *ShipTo         `json:"ship_to,omitempty"`
	Assembly            bool            `json:"assembly,omitempty"`
	Layers              *int            `json:"layers,omitempty"`
	ThicknessMM         *float64        `json:"thickness_mm,omitempty"`
	CopperOz            *float64        `json:"copper_oz,omitempty"`
	InnerCopperOz       *float64        `json:"inner_copper_oz,omitempty"`
	SurfaceFinish       *string         `json:"surface_finish,omitempty"`
	SolderMask          *string         `json:"solder_mask,omitempty"`
	Material            *string         `json:"material,omitempty"`
	ViaProcess          *string         `json:"via_process,omitempty"`
	FabOptions          map[string]any  `json:"fab_options,omitempty"`
	ImpedanceControlled *bool           `json:"impedance_controlled,omitempty"`
	FabStackup          *string         `json:"fab_stackup,omitempty"`
	FileStackup         json.RawMessage `json:"file_stackup,omitempty"`
	SeparateBoards      json.RawMessage `json:"separate_boards,omitempty"`
	SpecialRequirements bool            `json:"special_requirements,omitempty"`
	SpecialNotes        *string         `json:"special_notes,omitempty"`
	StandardForUnstated bool            `json:"standard_for_unstated,omitempty"`
	Board               *string         `json:"board,omitempty"`
	SkipBoardChecks     bool            `json:"skip_board_checks,omitempty"`
	// FileAnswers are part of what is read of the files.
	FileAnswers          *answers.FileAnswers `json:"file_answers,omitempty"`
	ProjectName          *string              `json:"project_name,omitempty"`
	BoardContext         *string              `json:"board_context,omitempty"`
	CustomerSuppliedRefs []string             `json:"customer_supplied_refs,omitempty"`
	DoNotFitRefs         []string             `json:"do_not_fit_refs,omitempty"`
	Substitutions        []Substitution       `json:"substitutions,omitempty"`
	StaffPicksParts      bool                 `json:"staff_picks_parts,omitempty"`
	ITAR                 bool                 `json:"itar,omitempty"` // decided by the edge; never true in a command
}

// MaxBoards is the most boards of one quote.
const MaxBoards = 100_000

// PriceQuoteData is the command to price a quote. The quote's id is derived
// from the command's request id.
type PriceQuoteData struct {
	Quote   string       `json:"quote,omitempty"`  // ref
	Key     string       `json:"key,omitempty"`    // id of the API key that asked, which vouches for what the request says the customer approved
	Upload  string       `json:"upload"`           // ref
	Digest  string       `json:"digest,omitempty"` // of an earlier order's files, priced again as they were read then
	From    string       `json:"from,omitempty"`   // ref of that order's quote
	Request QuoteRequest `json:"request"`
	Unknown []string     `json:"unknown,omitempty"` // properties that the service does not know
	Chosen  *Chosen      `json:"chosen,omitempty"`  // at checkout, of that order
}

// Chosen is what was chosen at an earlier order's checkout, to be chosen again.
type Chosen struct {
	ShippingID string `json:"shipping_id"`
	Shipping   string `json:"shipping"`              // the way in words, as ShippingOption.Name
	BuildHours int    `json:"build_hours,omitempty"` // of a faster build; 0 = the standard one
}

// Describe says in a sentence what a request asks for: "10 bare boards were asked for."
func (r QuoteRequest) Describe() string {
	kind := "bare board"
	if r.Assembly {
		kind = "assembled board"
	}
	was := "were"
	if r.Quantity == 1 {
		was = "was"
	}
	return fmt.Sprintf("%s %s asked for.", Count(r.Quantity, kind), was)
}

// Count writes how many there are of something: "1 board", "10 boards".
func Count(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// QuoteWait is a slow quote request: what it waits for. Aggregate id = request id.
type QuoteWait struct {
	Request  string    `json:"request"`
	Account  string    `json:"account"`
	Progress string    `json:"progress"`
	Since    time.Time `json:"since"`
}

// Quote is a price or a review. Aggregate id = SecretRef(quote_id); the quote_id
// itself is derived from the request id by whoever holds the master secret.
type Quote struct {
	Ref      string          `json:"ref"`
	Account  string          `json:"account"`
	Request  string          `json:"request"`        // request id
	Key      string          `json:"key,omitempty"`  // id of the API key that asked, and said what the customer approved
	From     string          `json:"from,omitempty"` // ref of the quote of which this is a reorder
	Upload   string          `json:"upload"`         // ref
	Digest   string          `json:"digest"`         // of the files that were priced
	Board    string          `json:"board,omitempty"`
	Mode     string          `json:"mode"`
	Status   QuoteStatus     `json:"status"`            // quote_ready, sourcing_…; the rest follows from checkout, order and clock
	Asked    QuoteRequest    `json:"asked"`             // less the upload_id
	Reply    QuoteReply      `json:"reply"`             // less the ids and links that are secrets
	Pricing  json.RawMessage `json:"pricing,omitempty"` // the pricing service's own
	Terms    *Terms          `json:"terms,omitempty"`   // instant: what to order from the fabricator
	Version  int             `json:"version"`           // of the price; what a payment is bound to
	Delivery *Delivery       `json:"delivery,omitempty"`
	Assumed  string          `json:"assumed,omitempty"`   // instant: the country (ISO 3166-1 alpha-2) that the price is an example for, since nobody named one
	PricedBy string          `json:"priced_by,omitempty"` // review: the operator
	TeamNote string          `json:"team_note,omitempty"` // review: what the operator wrote to the customer; the last of the reply's notes
	Review   *Review         `json:"review,omitempty"`    // review: questions, answers, a refusal
	Known    *KnownPrice     `json:"known,omitempty"`     // review: what of its price is known
	Estimate *Estimate       `json:"estimate,omitempty"`  // instant: what was entered at checkout and is not complete yet
	Team     *TeamPrice      `json:"team,omitempty"`      // review: the price as it was set
	// RequestedAt is when the customer asked the team for a price.
	RequestedAt *time.Time `json:"requested_at,omitempty"`
	// Wanted is how many boards were asked for, where the customer chose another number since.
	Wanted    int             `json:"wanted,omitempty"`
	Picture   string          `json:"picture,omitempty"`
	Assembly  *QuotedAssembly `json:"assembly,omitempty"`
	Bare      *BareRef        `json:"bare,omitempty"` // the quote of the boards alone
	CreatedAt time.Time       `json:"created_at"`
	ExpiresAt time.Time       `json:"expires_at"`
}

// QuotedAssembly is what a quote was priced with. Its parts are in the reply.
type QuotedAssembly struct {
	ID        string    `json:"id"`
	Boards    int       `json:"boards"` // that are assembled
	Service   string    `json:"service,omitempty"`
	Work      []Line    `json:"work,omitempty"`
	PartCents int64     `json:"parts_cents"`
	Days      int       `json:"days,omitempty"`       // working days that parts and work add to the boards' own
	Package   string    `json:"package,omitempty"`    // blob key: list, placements and choices, for the fabricator
	TopSVG    string    `json:"top_svg,omitempty"`    // blob keys: outlines of the parts
	BottomSVG string    `json:"bottom_svg,omitempty"` //
	Bottom    string    `json:"bottom,omitempty"`     // blob key: picture of the bottom side
	At        time.Time `json:"at"`                   // when suppliers were asked
	Notes     []string  `json:"notes,omitempty"`      // of the reply, about parts: they hold for every choice
}

// BareRef names the quote of the boards alone that goes with a review.
type BareRef struct {
	Ref     string `json:"ref"`
	Request string `json:"request"` // that its quote_id is derived from
}

// BareRequest is what the quote_id of the boards alone is derived from. It is no
// request that anybody can poll.
func BareRequest(request string) string { return request + ".bare" }

// Terms are what the fabricator offered and shall be asked for once the quote is paid.
type Terms struct {
	Spec     json.RawMessage `json:"spec"` // fabricator.Spec
	Shipping string          `json:"shipping"`
	Cents    int64           `json:"cents"` // boards and shipping; 0 = no price was agreed
	Currency string          `json:"currency"`
}

// Delivery is what the customer chose at checkout; the reply's price is for it.
type Delivery struct {
	ShipTo     ShipTo `json:"ship_to"`
	ShippingID string `json:"shipping_id"`
	BuildHours int    `json:"build_hours"`
}

// Missing lists the fields that a parcel cannot do without.
func (s ShipTo) Missing() []FieldProblem {
	var problems []FieldProblem
	for _, f := range []struct{ name, value string }{
		{"name", s.Name}, {"email", s.Email}, {"phone", s.Phone}, {"line1", s.Line1}, {"city", s.City},
		{"postal_code", s.PostalCode}, {"country", s.Country},
	} {
		if f.value == "" && !(f.name == "postal_code" && LacksPostalCodes(s.Country)) {
			problems = append(problems, FieldProblem{Field: "ship_to." + f.name, Problem: "missing", Message: "This is needed for delivery."})
		}
	}
	return problems
}

// LacksPostalCodes reports whether addresses of a country (ISO 3166-1 alpha-2)
// have none, as the Universal Postal Union lists it.
func LacksPostalCodes(country string) bool {
	switch country {
	case "AE", "AG", "AO", "AW", "BF", "BI", "BJ", "BO", "BS", "BW", "BZ", "CD", "CF", "CG", "CI", "CK", "CM", "DJ", "DM", "ER", "FJ",
		"GA", "GD", "GM", "GQ", "GY", "HK", "JM", "KI", "KM", "KN", "LY", "ML", "MO", "MR", "MW", "NR", "NU", "QA", "RW", "SB", "SC", "SL",
		"SR", "SS", "ST", "SY", "TD", "TG", "TK", "TL", "TO", "TV", "UG", "VU", "YE", "ZW":
		return true
	}
	return false
}

// IsExpired reports whether the quote can still be paid.
func (q Quote) IsExpired(now time.Time) bool { return !now.Before(q.ExpiresAt) }

// StandingOf is where a quote stands, from what is recorded of it and the clock.
// It only goes forward: a payment page that was closed leaves it awaiting
// payment, and what was paid never expires.
func StandingOf(q Quote, paying *Checkout, order *Order, now time.Time) QuoteStatus {
	switch {
	case order != nil && order.Status == OrderStatusShipped:
		return StatusShipped
	case order != nil && order.Status == OrderStatusInProduction:
		return StatusInProduction
	case order != nil, paying != nil && paying.Status == CheckoutComplete:
		return StatusOrdered
	case q.IsExpired(now):
		return StatusExpired
	case paying != nil:
		return StatusAwaitingPayment
	}
	return q.Status
}

// QuoteAsSold gives the quote as it was sold, once it was, otherwise the quote: what was
// paid is what counts, and the quote itself goes when its time is over.
func QuoteAsSold(q *Quote, paying *Checkout, order *Order) *Quote {
	switch {
	case order != nil && order.Sold.Ref != "":
		return &order.Sold
	case paying != nil && paying.Sold.Ref != "" && (q == nil || paying.Status == CheckoutComplete):
		return &paying.Sold
	}
	return q
}

// ChoiceAfterPayment says what was chosen of a quote after the payment of it began, and is
// not ordered: how many boards for how much. Of the same choice it is "".
func ChoiceAfterPayment(sold, now Quote) string {
	if now.Version <= sold.Version || now.Reply.TotalCents == nil || now.Delivery == nil || sold.Delivery == nil {
		return ""
	}
	if now.Reply.Quantity == sold.Reply.Quantity && *now.Delivery == *sold.Delivery {
		return ""
	}
	return Count(now.Reply.Quantity, "board") + " for " + money.Dollars(*now.Reply.TotalCents)
}

// ChooseDeliveryData is what the customer chose at checkout. Zero values take
// what the quote has, or the usual.
type ChooseDeliveryData struct {
	Quote      string `json:"quote"` // ref
	ShipTo     ShipTo `json:"ship_to"`
	ShippingID string `json:"shipping_id,omitempty"`
	BuildHours int    `json:"build_hours,omitempty"`
	Quantity   int    `json:"quantity,omitempty"` // boards; of assembled ones it cannot be changed
	// Estimate prices an address that is not complete yet, for as much of its country,
	// state and postal code as is right. It is kept beside the quote, which stays as it
	// is: only what was chosen as a whole can be paid.
	Estimate bool `json:"estimate,omitempty"`
}

// Estimate is a price for what was entered at checkout before it was complete. It is
// for looking at: the delivery that is saved and the price that can be paid are the
// quote's own.
type Estimate struct {
	Delivery Delivery        `json:"delivery"` // the address as it was entered
	Quantity int             `json:"quantity"`
	Reply    QuoteReply      `json:"reply"` // what is about the price
	Pricing  json.RawMessage `json:"pricing,omitempty"`
	Terms    *Terms          `json:"terms,omitempty"`
}

// ApplyEstimate is the quote as checkout shows it: with the estimate in place of the
// delivery and the price, where there is one.
func (q Quote) ApplyEstimate() Quote {
	if q.Estimate == nil {
		return q
	}
	r, own := q.Estimate.Reply, q.Reply
	r.RequestID, r.BoardDetailsFrom, r.BoardImageURL, r.BoardFindings = own.RequestID, own.BoardDetailsFrom, own.BoardImageURL, own.BoardFindings
	r.Parts, r.UnlistedRefs, r.UnpricedParts, r.PickedParts, r.RequestedSubst = own.Parts, own.UnlistedRefs, own.UnpricedParts, own.PickedParts, own.RequestedSubst
	r.SavedDetails = own.SavedDetails
	to := q.Estimate.Delivery
	q.Reply, q.Delivery, q.Assumed, q.Asked.Quantity = r, &to, "", q.Estimate.Quantity
	q.Pricing, q.Terms = q.Estimate.Pricing, q.Estimate.Terms
	return q
}

// RequestReviewData is a customer's request that the team prices a quote.
type RequestReviewData struct {
	Quote  string `json:"quote"` // ref
	ShipTo ShipTo `json:"ship_to"`
	Note   string `json:"note,omitempty"`
}
