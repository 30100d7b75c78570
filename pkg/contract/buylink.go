package contract

import "time"

// Commands of the pricing service for buy links.
var (
	CreateBuyLink = CommandName{"pricing", "create-buy-link"}
	CloseBuyLink  = CommandName{"pricing", "close-buy-link"} // its account revokes it
	KeepBuyLink   = CommandName{"pricing", "keep-buy-link"}  // its files are needed on
)

// Events of the buy-link aggregate.
const (
	BuyLinkCreated EventName = "created"
	BuyLinkClosed  EventName = "closed"
)

// BuyLinkPrefix starts the id of a buy link.
const BuyLinkPrefix = "bl_"

// BuyLinkKept is until when the files of a buy link are recorded as needed;
// BuyLinkRenewed is how often that is put off, as long as the link is open.
const (
	BuyLinkKept    = 180 * day
	BuyLinkRenewed = 90 * day
)

// BuyLink is a permanent offer of a board on a partner's page. Aggregate id = ID.
type BuyLink struct {
	ID        string       `json:"id"`
	Account   string       `json:"account"`
	Key       string       `json:"key"` // id of the API key that made it
	Upload    string       `json:"upload"`
	Digest    string       `json:"digest"` // of the files, which the link keeps
	Asked     QuoteRequest `json:"asked"`  // less quantity and delivery, which shoppers choose
	Assembly  bool         `json:"assembly,omitempty"`
	SourceURL string       `json:"source_url,omitempty"`
	CreatedAt time.Time    `json:"created_at"`
	ClosedAt  *time.Time   `json:"closed_at,omitempty"`
}

// Marks of a buy link: what design it offers.
func (b BuyLink) Marks() Marks { return MarksFrom(UploadMark(b.Upload), BoardMark(b.Digest)) }

// CreateBuyLinkData asks for a buy link of an upload.
type CreateBuyLinkData struct {
	Link      string       `json:"link"`   // its id
	Upload    string       `json:"upload"` // ref
	Key       string       `json:"key"`
	Asked     QuoteRequest `json:"asked"`
	Assembly  bool         `json:"assembly,omitempty"`
	SourceURL string       `json:"source_url,omitempty"`
}

// BuyLinkData names a buy link.
type BuyLinkData struct {
	Link string `json:"link"`
}
