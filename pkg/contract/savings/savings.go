package savings

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/uploads"
)

// Find asks what would make a quote cheaper. Its outcome is an event of the savings.
var Find = contract.CommandName{Service: "pricing", Verb: "find-savings"}

// EventFound is the one event of the aggregate.
const EventFound contract.EventName = "found"

// Events are all of the aggregate.
var Events = []contract.EventName{EventFound}

// Retention is how long savings can be read. Their prices hold for less.
const Retention = contract.Day

// Bounds of a search.
const (
	Max       = 5  // that are listed
	MaxPrices = 12 // that are asked for: one of the board as it is, one for each change
)

// FindData is the command. The id of the savings is the request's.
type FindData struct {
	Savings string `json:"savings,omitempty"`
	Quote   string `json:"quote"`   // ref
	Upload  string `json:"upload"`  // ref, of the quote
	Version int    `json:"version"` // of the quote's price: another one is another request
}

// A Kind is what a saving changes.
type Kind string

// The kinds of savings. The last two are changes of the design, which no request can make.
const (
	BuildTime     Kind = "build_time"
	SurfaceFinish Kind = "surface_finish"
	GoldThickness Kind = "gold_thickness"
	SolderMask    Kind = "solder_mask"
	Material      Kind = "material"
	Quantity      Kind = "quantity"
	FabOption     Kind = "fab_option" // something extra that is left out
	DrillSize     Kind = "drill_size"
	BoardSize     Kind = "board_size"
)

// Kinds lists them all.
func Kinds() []Kind {
	return []Kind{BuildTime, SurfaceFinish, GoldThickness, SolderMask, Material, Quantity, FabOption, DrillSize, BoardSize}
}

// Savings is what was found. Aggregate id = the request that asked for it.
type Savings struct {
	ID        string    `json:"id"`
	Account   string    `json:"account"`
	Quote     string    `json:"quote"`  // ref
	Upload    string    `json:"upload"` // ref
	Digest    string    `json:"digest"` // of the files
	Reply     Reply     `json:"reply"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"` // when a price in it ends
}

// Labels of savings: what design they are about. They name no person.
func (s Savings) Labels() contract.Labels {
	return contract.NewLabels(uploads.Label(s.Upload), boards.Label(s.Digest))
}

// Reply is the reply of POST /v1/quotes/{quote_id}/savings. The edge fills the quote's id.
type Reply struct {
	OK              bool      `json:"ok"`
	SavingsID       string    `json:"savings_id"`
	QuoteID         string    `json:"quote_id"`
	Currency        string    `json:"currency"`          // of all amounts in cents
	QuoteTotalCents int64     `json:"quote_total_cents"` // of the quote, as it can be paid
	Total           string    `json:"total"`             // of the same request, as it is priced now
	TotalCents      int64     `json:"total_cents"`
	Savings         []Saving  `json:"savings"` // by amount, the largest first
	Notes           []string  `json:"notes"`
	AsOf            time.Time `json:"as_of"`
	ExpiresAt       time.Time `json:"expires_at"`
	Next            string    `json:"next"`
}

// Saving is one change with the price that it leads to, delivered, with duty and tax.
type Saving struct {
	Kind           Kind                  `json:"kind"`
	Change         map[string]any        `json:"change"` // what to send; nil of a change of the design
	Changes        []Changed             `json:"changes"`
	Amount         string                `json:"amount"`
	AmountCents    int64                 `json:"amount_cents"` // what the change takes off the reply's total
	Total          string                `json:"total"`        // afterwards
	TotalCents     int64                 `json:"total_cents"`
	PerBoard       string                `json:"per_board"`
	PerBoardCents  int64                 `json:"per_board_cents"`
	TaxCents       int64                 `json:"tax_cents"`
	Quantity       int                   `json:"quantity"`
	Fabricator     string                `json:"fabricator,omitempty"`
	LeadTime       string                `json:"lead_time"`
	Delivery       string                `json:"delivery"`
	InYourCurrency *prices.CurrencyPrice `json:"in_your_currency,omitempty"`
	Means          string                `json:"means"` // for the board, in a sentence or two
}

// Changed is one property of the board or the request.
type Changed struct {
	Field string `json:"field"`
	From  any    `json:"from"`
	To    any    `json:"to"`
}
