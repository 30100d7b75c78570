package quotes

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
)

// WatchConsumer is the consumer by which pricing gets each quote's last event again, when its
// parts are to be asked about.
const WatchConsumer = "quote-watch"

// Watch has suppliers asked again about the parts of an open quote, and what changed recorded.
var Watch = contract.CommandName{Service: "pricing", Verb: "watch"}

// Events of the watch of a quote's parts.
const (
	EventStockLow   contract.EventName = "stock_low"   // lines that Watch.Told has
	EventPriceMoved contract.EventName = "price_moved" // to Watch.Price
	EventWatched    contract.EventName = "watched"     // parts recovered, or how they stood was first noted
)

// WatchData is the command [Watch].
type WatchData struct {
	Quote string    `json:"quote"` // ref
	Since time.Time `json:"since"` // suppliers' answers from before are too old
}

// MaxTold is how many lines one event tells of: it has to stay small.
const MaxTold = 5

// WatchedParts is what became of a quote's parts since it was priced. Its price stays.
type WatchedParts struct {
	At    time.Time   `json:"at"` // when suppliers were asked
	Low   []LowPart   `json:"low,omitempty"`
	Told  []int       `json:"told,omitempty"`  // lines of Low that the last event tells of
	Price *MovedPrice `json:"price,omitempty"` // the last that was told
}

// LowPart is a line of a quote whose part is scarce. It stays until there is enough again.
type LowPart struct {
	Line      int       `json:"line"` // of the reply's parts, from 1
	Reference string    `json:"reference"`
	MPN       string    `json:"mpn"`
	Stock     int64     `json:"stock"`  // at all suppliers that were asked
	Needed    int64     `json:"needed"` // for the build
	Source    string    `json:"source"` // the supplier with the most
	At        time.Time `json:"at"`     // when it said so
	Short     bool      `json:"short"`  // it cannot be bought as it was quoted; else less than a risk's bound is left
}

// MovedPrice is what a quote would cost with its parts at later prices.
type MovedPrice struct {
	PartsCents int64 `json:"parts_cents"`
	TotalCents int64 `json:"total_cents"`
	WasCents   int64 `json:"was_cents"` // the total that was told before, at first the quote's own
}

// PartsToBuy are the indexes of the reply's parts that are bought by number.
func (q Quote) PartsToBuy() []int {
	var out []int
	for i, p := range q.Reply.Parts {
		if p.Fitting == assemblies.Fitted && p.Bought > 0 && p.MPN != "" {
			out = append(out, i)
		}
	}
	return out
}

// Recheck is the list of what an assembled quote would buy, each part by its number, for
// suppliers to be asked about again.
func (q Quote) Recheck() partchecks.CheckData {
	data := partchecks.CheckData{Boards: q.Assembly.Boards}
	for _, i := range q.PartsToBuy() {
		p := q.Reply.Parts[i]
		data.Parts = append(data.Parts, partchecks.Line{
			Reference: p.Reference, Quantity: int(p.QuantityPerBoard), MPN: p.MPN, Manufacturer: p.Manufacturer, FabPartCode: p.FabCode, Footprint: p.Footprint,
		})
	}
	return data
}

// IsWatched reports whether suppliers are asked again about the parts of a quote, as far as it
// says itself: it may be paid.
func (q Quote) IsWatched(now time.Time) bool {
	return q.Assembly != nil && !q.IsExpired(now) && slices.Contains([]Status{Ready, SourcingQuoted}, q.Status) && len(q.PartsToBuy()) > 0
}

// FindShort gives the lines whose parts the build was last found not to get.
func (w *WatchedParts) FindShort() []LowPart {
	var out []LowPart
	if w != nil {
		for _, l := range w.Low {
			if l.Short {
				out = append(out, l)
			}
		}
	}
	return out
}

// FindTold gives the lines that the last event tells of.
func (w *WatchedParts) FindTold() []LowPart {
	var out []LowPart
	for _, l := range w.Low {
		if slices.Contains(w.Told, l.Line) {
			out = append(out, l)
		}
	}
	return out
}
