package quotes

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/wording"
)

// Commands that remove what tells of a person or a design.
var (
	Erase = contract.CommandName{Service: "pricing", Verb: "erase"} // quotes, what was asked for, and dead letters
)

// Labels of a quote: whom it is for, and what design it is about.
func (q Quote) Labels() contract.Labels {
	labels := []contract.Label{uploads.Label(q.Upload), boards.Label(q.Digest)}
	if q.Request.ShipTo != nil {
		labels = append(labels, contract.PersonLabel(q.Request.ShipTo.Email))
	}
	if q.Delivery != nil {
		labels = append(labels, contract.PersonLabel(q.Delivery.ShipTo.Email))
	}
	if q.Estimate != nil {
		labels = append(labels, contract.PersonLabel(q.Estimate.Delivery.ShipTo.Email))
	}
	for _, a := range q.Approvals {
		if a.Answer != nil {
			labels = append(labels, contract.PersonLabel(a.Answer.Email))
		}
	}
	return contract.NewLabels(labels...)
}

// refLetters leave out what is easily taken for something else.
const refLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// CustomerRef is what people call a quote, and the order that becomes of it: BO- and
// eight characters that follow from the quote's ref.
func CustomerRef(quote string) string {
	sum := sha256.Sum256([]byte("order-ref\x00" + quote))
	var b strings.Builder
	b.WriteString("BO-")
	for _, x := range sum[:8] {
		b.WriteByte(refLetters[int(x)%len(refLetters)])
	}
	return b.String()
}

// Price asks for a quote.
var Price = contract.CommandName{Service: "pricing", Verb: "quote"}

// Commands of the pricing service on quotes that exist.
var (
	ChooseDelivery = contract.CommandName{Service: "pricing", Verb: "choose-delivery"} // price the same board for another delivery
	RequestReview  = contract.CommandName{Service: "pricing", Verb: "request-review"}  // the customer asks the team to price it
	PriceReview    = contract.CommandName{Service: "pricing", Verb: "price-review"}    // the team's price
)

// Events of the quote and quote-request aggregates.
const (
	EventPriced          contract.EventName = "priced"           // instant
	EventReviewNeeded    contract.EventName = "review_needed"    // the team must look at it
	EventReviewRequested contract.EventName = "review_requested" // the customer asked for it
	EventReviewPriced    contract.EventName = "review_priced"
	EventDeliveryChosen  contract.EventName = "delivery_chosen"
	EventPartPicked      contract.EventName = "part_picked"
	EventReviewQuestion  contract.EventName = "review_question"
	EventReviewAnswered  contract.EventName = "review_answered"
	EventReviewRefused   contract.EventName = "review_refused" // the quote ends with it

	EventWaiting contract.EventName = "waiting" // of a quote request
)

// Events are all of the aggregate.
var Events = []contract.EventName{
	EventPriced, EventReviewNeeded, EventReviewRequested, EventReviewPriced, EventPartPicked,
	EventDeliveryChosen, EventReviewQuestion, EventReviewAnswered, EventReviewRefused, EventStockLow, EventPriceMoved, EventWatched,
	EventApprovalAsked, EventPartsApproved, EventPartsDeclined,
}

// Modes of a quote.
const (
	ModeInstant = "instant"
	ModeReview  = "review"
)

// Status is where a quote stands, as clients see it.
type Status string

// The statuses of decision Q6. Only forward.
const (
	Ready             Status = "quote_ready"
	SourcingReady     Status = "sourcing_ready"
	SourcingRequested Status = "sourcing_requested"
	SourcingQuoted    Status = "sourcing_quoted"
	AwaitingPayment   Status = "awaiting_payment"
	Expired           Status = "expired"
	Ordered           Status = "ordered"
	InProduction      Status = "in_production"
	Shipped           Status = "shipped"
)

// How long quotes hold.
const (
	InstantTTL   = 7 * 24 * time.Hour
	ReviewTTL    = 30 * 24 * time.Hour
	MaxValidDays = 30 // of a team's price: a quote is not kept for much longer than that
	// Retention is how long a quote can be looked up after its last change. What
	// was paid is in its order, which is kept for ever.
	Retention = 45 * 24 * time.Hour
)

// Request is the body of POST /v1/quotes once validated. Pointers are
// nil where the client said nothing.
type Request struct {
	UploadID            string            `json:"upload_id"` // emptied once the upload is known by its ref: a secret
	Quantity            int               `json:"quantity"`
	ShipTo              *shipments.ShipTo `json:"ship_to,omitempty"`
	Assembly            bool              `json:"assembly,omitempty"`
	Layers              *int              `json:"layers,omitempty"`
	ThicknessMM         *float64          `json:"thickness_mm,omitempty"`
	CopperOz            *float64          `json:"copper_oz,omitempty"`
	InnerCopperOz       *float64          `json:"inner_copper_oz,omitempty"`
	SurfaceFinish       *string           `json:"surface_finish,omitempty"`
	SolderMask          *string           `json:"solder_mask,omitempty"`
	Material            *string           `json:"material,omitempty"`
	ViaProcess          *string           `json:"via_process,omitempty"`
	FabOptions          map[string]any    `json:"fab_options,omitempty"`
	ImpedanceControlled *bool             `json:"impedance_controlled,omitempty"`
	FabStackup          *string           `json:"fab_stackup,omitempty"`
	FileStackup         json.RawMessage   `json:"file_stackup,omitempty"`
	SeparateBoards      json.RawMessage   `json:"separate_boards,omitempty"`
	SpecialRequirements bool              `json:"special_requirements,omitempty"`
	SpecialNotes        *string           `json:"special_notes,omitempty"`
	StandardForUnstated bool              `json:"standard_for_unstated,omitempty"`
	Board               *string           `json:"board,omitempty"`
	SkipBoardChecks     bool              `json:"skip_board_checks,omitempty"`
	// boards.FileAnswers are part of what is read of the files.
	FileAnswers          *answers.FileAnswers      `json:"file_answers,omitempty"`
	ProjectName          *string                   `json:"project_name,omitempty"`
	BoardContext         *string                   `json:"board_context,omitempty"`
	CustomerSuppliedRefs []string                  `json:"customer_supplied_refs,omitempty"`
	DoNotFitRefs         []string                  `json:"do_not_fit_refs,omitempty"`
	Substitutions        []assemblies.Substitution `json:"substitutions,omitempty"`
	StaffPicksParts      bool                      `json:"staff_picks_parts,omitempty"`
	BuildTimeHours       *int                      `json:"build_time_hours,omitempty"` // of a faster build; nil = the standard one
	OrderFile            *OrderSource              `json:"order_file,omitempty"`       // what of this is a file's word
	ITAR                 bool                      `json:"itar,omitempty"`             // decided by the edge; never true in a command
}

// MaxBoards is the most boards of one quote.
const MaxBoards = 100_000

// PriceData is the command to price a quote. The quote's id is derived
// from the command's request id.
type PriceData struct {
	Quote   string   `json:"quote,omitempty"`    // ref
	Key     string   `json:"key,omitempty"`      // id of the API key that asked, which vouches for what the request says the customer approved
	Upload  string   `json:"upload"`             // ref
	Digest  string   `json:"digest,omitempty"`   // of an earlier order's files, priced again as they were read then
	From    string   `json:"from,omitempty"`     // ref of that order's quote
	BuyLink string   `json:"buy_link,omitempty"` // id of the buy link that the board was asked for by
	Request Request  `json:"request"`
	Unknown []string `json:"unknown,omitempty"` // properties that the service does not know
	Chosen  *Chosen  `json:"chosen,omitempty"`  // at checkout, of that order
	// Approval is the id of an approval of the quote From, whose parts it is priced with.
	Approval string `json:"approval,omitempty"`
}

// Chosen is what was chosen at an earlier order's checkout, to be chosen again.
type Chosen struct {
	ShippingID string `json:"shipping_id"`
	Shipping   string `json:"shipping"`              // the way in words, as ShippingOption.Name
	BuildHours int    `json:"build_hours,omitempty"` // of a faster build; 0 = the standard one
}

// Describe says in a sentence what a request asks for: "10 bare boards were asked for."
func (r Request) Describe() string {
	kind := "bare board"
	if r.Assembly {
		kind = "assembled board"
	}
	was := "were"
	if r.Quantity == 1 {
		was = "was"
	}
	return fmt.Sprintf("%s %s asked for.", wording.Count(r.Quantity, kind), was)
}

// Wait is a slow quote request: what it waits for. Aggregate id = request id.
type Wait struct {
	Request  string    `json:"request"`
	Account  string    `json:"account"`
	Progress string    `json:"progress"`
	Since    time.Time `json:"since"`
}

// Quote is a price or a review. Aggregate id = contract.SecretRef(quote_id); the quote_id
// itself is derived from the request id by whoever holds the master secret.
type Quote struct {
	Ref       string          `json:"ref"`
	Account   string          `json:"account"`
	RequestID string          `json:"request_id"`
	Key       string          `json:"key,omitempty"`      // id of the API key that asked, and said what the customer approved
	From      string          `json:"from,omitempty"`     // ref of the quote of which this is a reorder
	BuyLink   string          `json:"buy_link,omitempty"` // id of the buy link it was made by
	Upload    string          `json:"upload"`             // ref
	Digest    string          `json:"digest"`             // of the files that were priced
	Board     string          `json:"board,omitempty"`
	Mode      string          `json:"mode"`
	Status    Status          `json:"status"`            // quote_ready, sourcing_…; the rest follows from checkout, order and clock
	Request   Request         `json:"request"`           // less the upload_id
	Reply     Reply           `json:"reply"`             // less the ids and links that are secrets
	Pricing   json.RawMessage `json:"pricing,omitempty"` // the pricing service's own
	Charge    *prices.Charge  `json:"charge,omitempty"`  // instant: what it costs in the shopper's currency, if it is paid in it
	Terms     *Terms          `json:"terms,omitempty"`   // instant: what to order from the fabricator
	// FabricatorChoice is why these build the boards; nil where there was nothing to choose.
	FabricatorChoice *FabricatorChoice   `json:"fabricator_choice,omitempty"`
	Version          int                 `json:"version"` // of the price; what a payment is bound to
	Delivery         *shipments.Delivery `json:"delivery,omitempty"`
	Language         string              `json:"language,omitempty"`  // review: that the customer asked the team in, as pkg/language has it; "" is English
	Assumed          string              `json:"assumed,omitempty"`   // instant: the country (ISO 3166-1 alpha-2) that the price is an example for, since nobody named one
	PricedBy         string              `json:"priced_by,omitempty"` // review: the operator
	TeamNote         string              `json:"team_note,omitempty"` // review: what the operator wrote to the customer; the last of the reply's notes
	Review           *Review             `json:"review,omitempty"`    // review: questions, answers, a refusal
	Known            *KnownPrice         `json:"known,omitempty"`     // review: what of its price is known
	Estimate         *Estimate           `json:"estimate,omitempty"`  // instant: what was entered at checkout and is not complete yet
	Team             *TeamPrice          `json:"team,omitempty"`      // review: the price as it was set
	// RequestedAt is when the customer asked the team for a price.
	RequestedAt *time.Time `json:"requested_at,omitempty"`
	// Wanted is how many boards were asked for, where the customer chose another number since.
	Wanted    int             `json:"wanted,omitempty"`
	Picture   string          `json:"picture,omitempty"`
	Assembly  *QuotedAssembly `json:"assembly,omitempty"`
	Watched   *WatchedParts   `json:"watched,omitempty"`   // of an assembly: what became of its parts since
	Approvals []PartApproval  `json:"approvals,omitempty"` // of an assembly: which other parts the customer was asked about, oldest first
	Approved  []ApprovedPart  `json:"approved,omitempty"`  // of an assembly: parts that it is priced with, and who approved them
	Bare      *BareRef        `json:"bare,omitempty"`      // the quote of the boards alone
	CreatedAt time.Time       `json:"created_at"`
	ExpiresAt time.Time       `json:"expires_at"`
}

// QuotedAssembly is what a quote was priced with. Its parts are in the reply.
type QuotedAssembly struct {
	ID        string        `json:"id"`
	Boards    int           `json:"boards"` // that are assembled
	Service   string        `json:"service,omitempty"`
	Work      []prices.Line `json:"work,omitempty"`
	PartCents int64         `json:"parts_cents"`
	Days      int           `json:"days,omitempty"`       // working days that parts and work add to the boards' own
	Package   string        `json:"package,omitempty"`    // blob key: list, placements and choices, for the fabricator
	TopSVG    string        `json:"top_svg,omitempty"`    // blob keys: outlines of the parts
	BottomSVG string        `json:"bottom_svg,omitempty"` //
	Bottom    string        `json:"bottom,omitempty"`     // blob key: picture of the bottom side
	At        time.Time     `json:"at"`                   // when suppliers were asked
	Notes     []string      `json:"notes,omitempty"`      // of the reply, about parts: they hold for every choice
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
	Fabricator string          `json:"fabricator"` // its public name: whoever offered it builds it
	Spec       json.RawMessage `json:"spec"`       // fabricator.Spec
	Shipping   string          `json:"shipping"`
	Cents      int64           `json:"cents"` // boards and shipping; 0 = no price was agreed
	Currency   string          `json:"currency"`
}

// RefuseUnbuilt refuses to sell a quote of a fabricator that the configuration has no more:
// nobody else may build it at its price.
func RefuseUnbuilt() *contract.Refusal {
	return contract.Refuse(contract.QuoteNotPayable, "The fabricator that this quote is of takes no orders from us any more. Please ask for a new quote.")
}

// IsExpired reports whether the quote can still be paid.
func (q Quote) IsExpired(now time.Time) bool { return !now.Before(q.ExpiresAt) }

// ChooseDeliveryData is what the customer chose at checkout. Zero values take
// what the quote has, or the usual.
type ChooseDeliveryData struct {
	Quote      string           `json:"quote"` // ref
	ShipTo     shipments.ShipTo `json:"ship_to"`
	ShippingID string           `json:"shipping_id,omitempty"`
	BuildHours int              `json:"build_hours,omitempty"`
	Quantity   int              `json:"quantity,omitempty"` // boards; of assembled ones it cannot be changed
	// Estimate prices an address that is not complete yet, for as much of its country,
	// state and postal code as is right. It is kept beside the quote, which stays as it
	// is: only what was chosen as a whole can be paid.
	Estimate bool `json:"estimate,omitempty"`
}

// Estimate is a price for what was entered at checkout before it was complete. It is
// for looking at: the delivery that is saved and the price that can be paid are the
// quote's own.
type Estimate struct {
	Delivery shipments.Delivery `json:"delivery"` // the address as it was entered
	Quantity int                `json:"quantity"`
	Reply    Reply              `json:"reply"` // what is about the price
	Pricing  json.RawMessage    `json:"pricing,omitempty"`
	Charge   *prices.Charge     `json:"charge,omitempty"` // what it will cost in the shopper's currency
	Terms    *Terms             `json:"terms,omitempty"`
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
	q.Reply, q.Delivery, q.Assumed, q.Request.Quantity = r, &to, "", q.Estimate.Quantity
	q.Pricing, q.Terms, q.Charge = q.Estimate.Pricing, q.Estimate.Terms, q.Estimate.Charge
	return q
}

// RequestReviewData is a customer's request that the team prices a quote.
type RequestReviewData struct {
	Quote    string           `json:"quote"` // ref
	ShipTo   shipments.ShipTo `json:"ship_to"`
	Note     string           `json:"note,omitempty"`
	Language string           `json:"language,omitempty"` // of the page
}
