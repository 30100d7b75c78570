package pricetables

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
)

// Price asks for a table. Its outcome is an event of the table.
var Price = contract.CommandName{Service: "pricing", Verb: "price-table"}

// EventPriced is the one event of the aggregate.
const EventPriced contract.EventName = "priced"

// Events are all of the aggregate.
var Events = []contract.EventName{EventPriced}

// Retention is how long a table can be read. Its prices hold for less.
const Retention = contract.Day

// Bounds of a table.
const (
	MaxQuantities   = 10
	MaxDestinations = 3
)

// PriceData is the command to price a table. Its id is the request's.
type PriceData struct {
	Table        string             `json:"table,omitempty"`
	Upload       string             `json:"upload"` // ref
	Request      quotes.Request     `json:"request"`
	Quantities   []int              `json:"quantities"`             // ascending
	Destinations []shipments.ShipTo `json:"destinations,omitempty"` // less names and streets; none: the usual destination, as an example
	Unknown      []string           `json:"unknown,omitempty"`      // properties that the service does not know
}

// Quotes is how many quotes a table stands for.
func (d PriceData) Quotes() int { return len(d.Quantities) * max(len(d.Destinations), 1) }

// Status is what a cell holds.
type Status string

// The statuses of a cell.
const (
	Priced      Status = "priced"
	Review      Status = "review"      // the team prices it
	Unavailable Status = "unavailable" // there is no such price; Why says why
)

// PriceTable is a table as it was priced. Aggregate id = the request that asked for it.
type PriceTable struct {
	ID        string    `json:"id"`
	Account   string    `json:"account"`
	Upload    string    `json:"upload"` // ref
	Digest    string    `json:"digest"` // of the files
	Reply     Reply     `json:"reply"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"` // when a price of the fabricator's in it ends
}

// Labels of a table: what design it is about. It names no person.
func (t PriceTable) Labels() contract.Labels {
	return contract.NewLabels(uploads.Label(t.Upload), boards.Label(t.Digest))
}

// Reply is the reply of POST /v1/price-tables. The edge fills the id.
type Reply struct {
	OK               bool                 `json:"ok"`
	PriceTableID     string               `json:"price_table_id"`
	Board            *string              `json:"board"`
	BoardDetails     *quotes.BoardDetails `json:"board_details"`
	BoardDetailsFrom map[string]string    `json:"board_details_from,omitempty"`
	Assembled        bool                 `json:"assembled"`
	Currency         string               `json:"currency"` // of all amounts in cents
	Quantities       []int                `json:"quantities"`
	Destinations     []Destination        `json:"destinations"`
	Cells            []Cell               `json:"cells"`  // by destination, quantity and build, the slowest first
	Breaks           []Break              `json:"breaks"` // of standard builds
	Notes            []string             `json:"notes"`
	AsOf             time.Time            `json:"as_of"`
	ExpiresAt        time.Time            `json:"expires_at"`
	Next             string               `json:"next"`
}

// Destination is a place that a table is for.
type Destination struct {
	Country    string `json:"country"`
	State      string `json:"state,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Assumed    bool   `json:"assumed"` // nobody named it: the prices are an example
	Rate       *Rate  `json:"rate"`    // nil where the dollar is the currency there, or no rate is known
}

// Rate is what a dollar is worth in the currency of a destination.
type Rate struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Value  string `json:"value"`
	Date   string `json:"date"`
	Source string `json:"source"`
}

// Cell is one price, delivered, with duty and tax. Of one that is not priced the amounts
// are missing.
type Cell struct {
	Quantity       int                   `json:"quantity"`
	Destination    int                   `json:"destination"` // index
	Status         Status                `json:"status"`
	Why            string                `json:"why,omitempty"`
	Standard       bool                  `json:"standard"` // the build that a quote has where none is named
	BuildTimeHours *int                  `json:"build_time_hours"`
	Build          string                `json:"build,omitempty"`
	Fabricator     string                `json:"fabricator,omitempty"`
	Total          *string               `json:"total"`
	TotalCents     *int64                `json:"total_cents"`
	PerBoard       *string               `json:"per_board"`
	PerBoardCents  *int64                `json:"per_board_cents"`
	TaxCents       *int64                `json:"tax_cents"`
	Lines          []prices.Line         `json:"lines"`
	Notes          []string              `json:"notes,omitempty"` // those that are not of the whole table
	InYourCurrency *prices.CurrencyPrice `json:"in_your_currency,omitempty"`
	Shipping       string                `json:"shipping,omitempty"`
	Delivery       string                `json:"delivery,omitempty"`
	ProductionDays int                   `json:"production_days,omitempty"` // working days
	ReadyOn        string                `json:"ready_on,omitempty"`        // paid on the day of the table; YYYY-MM-DD
	ArrivesFrom    string                `json:"arrives_from,omitempty"`
	ArrivesTo      string                `json:"arrives_to,omitempty"`
	QuoteRequest   *QuoteRequest         `json:"quote_request"` // nil of what has no quote
}

// QuoteRequest is what POST /v1/quotes takes beside the rest of the table's body to make a
// cell a quote.
type QuoteRequest struct {
	Quantity       int               `json:"quantity"`
	BuildTimeHours *int              `json:"build_time_hours"` // nil is the standard time, also where an order file states another
	ShipTo         *shipments.ShipTo `json:"ship_to,omitempty"`
}

// Break is a quantity at which a board costs less than at the one before.
type Break struct {
	Destination         int   `json:"destination"`
	Quantity            int   `json:"quantity"`
	PerBoardCents       int64 `json:"per_board_cents"`
	BeforeQuantity      int   `json:"before_quantity"`
	BeforePerBoardCents int64 `json:"before_per_board_cents"`
	// TotalNotHigher: so many boards cost no more in all than the fewer.
	TotalNotHigher bool `json:"total_not_higher"`
}

// FindBreaks gives the breaks among cells that lie by destination and quantity.
func FindBreaks(cells []Cell) []Break {
	out := []Break{}
	var before *Cell
	for i := range cells {
		c := &cells[i]
		if !c.Standard || c.Status != Priced {
			continue
		}
		if before != nil && before.Destination == c.Destination && *c.PerBoardCents < *before.PerBoardCents {
			out = append(out, Break{
				Destination: c.Destination, Quantity: c.Quantity, PerBoardCents: *c.PerBoardCents, BeforeQuantity: before.Quantity,
				BeforePerBoardCents: *before.PerBoardCents, TotalNotHigher: *c.TotalCents <= *before.TotalCents,
			})
		}
		before = c
	}
	return out
}
