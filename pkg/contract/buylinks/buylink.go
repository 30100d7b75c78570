package buylinks

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// Commands of the pricing service for buy links.
var (
	Create = contract.CommandName{Service: "pricing", Verb: "create-buy-link"}
	Close  = contract.CommandName{Service: "pricing", Verb: "close-buy-link"} // its account revokes it
	Keep   = contract.CommandName{Service: "pricing", Verb: "keep-buy-link"}  // its files are needed on
)

// Events of the buy-link aggregate.
const (
	EventCreated contract.EventName = "created"
	EventClosed  contract.EventName = "closed"
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventCreated, EventClosed}

// Prefix starts the id of a buy link.
const Prefix = "bl_"

// Retention is until when the files of a buy link are recorded as needed;
// Renewed is how often that is put off, as long as the link is open.
const (
	Retention = 180 * contract.Day
	Renewed   = 90 * contract.Day
)

// BuyLink is a permanent offer of a board on a partner's page. Aggregate id = ID.
type BuyLink struct {
	ID        string         `json:"id"`
	Account   string         `json:"account"`
	Key       string         `json:"key"` // id of the API key that made it
	Upload    string         `json:"upload"`
	Digest    string         `json:"digest"`  // of the files, which the link keeps
	Request   quotes.Request `json:"request"` // its quantity and country are those of the price that is shown elsewhere; shoppers choose theirs
	Assembly  bool           `json:"assembly,omitempty"`
	SourceURL string         `json:"source_url,omitempty"`
	CreatedAt time.Time      `json:"created_at"`
	ClosedAt  *time.Time     `json:"closed_at,omitempty"`
}

// Labels of a buy link: what design it offers.
func (b BuyLink) Labels() contract.Labels {
	return contract.NewLabels(uploads.Label(b.Upload), boards.Label(b.Digest))
}

// CreateData asks for a buy link of an upload.
type CreateData struct {
	Link      string         `json:"link"`   // its id
	Upload    string         `json:"upload"` // ref
	Key       string         `json:"key"`
	Request   quotes.Request `json:"request"`
	Assembly  bool           `json:"assembly,omitempty"`
	SourceURL string         `json:"source_url,omitempty"`
}

// Data names a buy link.
type Data struct {
	Link string `json:"link"`
}
