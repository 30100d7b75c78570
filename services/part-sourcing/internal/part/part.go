// Package part is the vocabulary of part sourcing: what is asked of suppliers,
// and what they offer.
package part

import (
	"strings"
	"time"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/mpn"
)

// A Scheme is whose number a number is.
type Scheme string

// The schemes of part numbers.
const (
	MPN     Scheme = "mpn"
	FabCode Scheme = "fab"
)

// Aggregator is the source that searches other suppliers; it has no numbers of its own.
const Aggregator = "aggregator"

// SourceWords is a source as people call it; a distributor by its public name.
func SourceWords(source string) string {
	switch source {
	case string(FabCode):
		return "the fabricator"
	case Aggregator:
		return "the parts search"
	}
	words := strings.Split(source, "_")
	if last := &words[len(words)-1]; len(*last) == 1 { // one of several: "distributor A"
		*last = strings.ToUpper(*last)
	}
	return strings.Join(words, " ")
}

// A Query names one part by one number.
type Query struct {
	Scheme       Scheme
	Number       string
	Manufacturer string // of an MPN, where it is known; it narrows what is believed, not what is asked
}

// Key is equal for queries that ask the same of a supplier.
func (q Query) Key() string { return string(q.Scheme) + ":" + mpn.Key(q.Number) }

// A Lifecycle is where a part is between its launch and its end.
type Lifecycle string

// The lifecycles.
const (
	Active      Lifecycle = "active"
	NRND        Lifecycle = "nrnd" // not recommended for new designs
	LastTimeBuy Lifecycle = "last_time_buy"
	EOL         Lifecycle = "eol"
	Obsolete    Lifecycle = "obsolete"
	Unstated    Lifecycle = "unknown"
)

// Ending reports whether the part will not be made for long, if it still is.
func (l Lifecycle) Ending() bool { return l == LastTimeBuy || l == EOL || l == Obsolete }

// An Offer is one part in one packaging from one supplier.
type Offer struct {
	Source       string `json:"source"` // "fab", a distributor's public name, "aggregator"
	Supplier     string `json:"supplier"`
	SKU          string `json:"sku"`
	MPN          string `json:"mpn"`
	Manufacturer string `json:"manufacturer,omitempty"`
	Description  string `json:"description,omitempty"`
	Packaging    string `json:"packaging,omitempty"`
	Package      string `json:"package,omitempty"` // case: "SOT-23-3"

	Stock     int64     `json:"stock"`
	At        time.Time `json:"at"` // when the supplier said so
	Minimum   int64     `json:"minimum"`
	Multiple  int64     `json:"multiple"`
	Breaks    []Break   `json:"breaks"`    // ascending; none means that no price is known
	Fee       int64     `json:"fee"`       // cents for the order line, such as for reeling
	Handling  int64     `json:"handling"`  // cents that the part costs elsewhere, such as for a feeder: counted in choosing, not in its cost
	LeadDays  int       `json:"lead_days"` // of the factory; −1 unknown
	Lifecycle Lifecycle `json:"lifecycle"`

	RoHS       string `json:"rohs,omitempty"`
	ECCN       string `json:"eccn,omitempty"`
	HTS        string `json:"hts,omitempty"`
	URL        string `json:"url,omitempty"`
	Authorized bool   `json:"authorized"`

	Datasheet string       `json:"datasheet,omitempty"` // address
	Data      passive.Spec `json:"data,omitzero"`       // what the supplier's parameters say of a passive part; its number and description are read besides

	Library string `json:"library,omitempty"` // in the fabricator's library: "basic", "extended"
	Joints  int    `json:"joints,omitempty"`  // solder joints, where known
}

// A Break is a unit price from a quantity on.
type Break struct {
	Quantity int64 `json:"quantity"`
	Price    Price `json:"price"`
}

// An Answer is what one supplier knows of one query.
type Answer struct {
	Offers  []Offer // none: the supplier does not have the part
	Similar []Similar
}

// Near is the relation of a part whose number is nearly the one that was asked for:
// longer or shorter by an ending, or one character apart.
const Near = "near"

// A Similar is another part that a supplier names in place of one.
type Similar struct {
	MPN          string `json:"mpn"`
	Manufacturer string `json:"manufacturer,omitempty"`
	Relation     string `json:"relation"` // in the supplier's words: "Direct", "Parametric Equivalent", "suggested replacement"
}

// ValidBreaks gives a list of prices if it can be true: quantities ascend from one,
// and no price is zero, negative or absurd. It gives nil otherwise. That more
// pieces cost more each happens, and is let through.
func ValidBreaks(list []Break) []Break {
	last := int64(0)
	for _, b := range list {
		if b.Quantity <= last || b.Price <= 0 || b.Price > MaxPrice {
			return nil
		}
		last = b.Quantity
	}
	return list
}
