package prices

import (
	"slices"
	"strings"
)

// Line is one line of a price, with where its amount comes from; lines of before that was kept
// say nothing of it.
type Line struct {
	Label  string `json:"label"`
	Cents  int64  `json:"cents"`
	Kind   Part   `json:"kind,omitempty"`
	Basis  string `json:"basis,omitempty"`  // what it follows from: an offer, a line of a tariff, a rate of a table
	Source string `json:"source,omitempty"` // whose that is, or where it stands, and as of which day
}

// ShippingLine begins the price line of the way that a parcel goes; goods stand before it, duty and taxes after it.
const ShippingLine = "Shipping: "

// FasterLine begins the price line of a build that is quicker than the standard one.
const FasterLine = "Faster build: "

// HasFasterBuild reports whether a price holds a faster build.
func HasFasterBuild(lines []Line) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return strings.HasPrefix(l.Label, FasterLine) })
}

// CurrencyPrice is the total in the customer's currency, for information.
type CurrencyPrice struct {
	Currency   string `json:"currency"`
	Total      string `json:"total"`
	TotalMinor int64  `json:"total_minor"`
	Rate       string `json:"rate"`
	RateDate   string `json:"rate_date"`
	Source     string `json:"source"`
	Indicative bool   `json:"indicative"`
}
