package quotes

import (
	"encoding/json"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/prices"
)

// FasterBuild is a quicker build of the same board. What it adds, and the total
// that it leads to, hold duty and tax.
type FasterBuild struct {
	BuildTimeHours int    `json:"build_time_hours"`
	Build          string `json:"build"`
	Adds           string `json:"adds"`
	AddsCents      int64  `json:"adds_cents"`
	TotalCents     int64  `json:"total_cents"`
	Delivery       string `json:"delivery"`
}

// ShippingOption is one way to the door. Cents is the freight alone; what it adds
// to the total of the quote, and the total that it leads to, hold duty and tax.
type ShippingOption struct {
	ID         string `json:"id"`
	Carrier    string `json:"carrier"`
	Service    string `json:"service"`
	Cents      int64  `json:"cents"`
	Adds       string `json:"adds"`
	AddsCents  int64  `json:"adds_cents"` // less than zero for a cheaper way than the chosen one
	TotalCents int64  `json:"total_cents"`
	DaysMin    int    `json:"days_min"`
	DaysMax    int    `json:"days_max"`
	Delivery   string `json:"delivery"`
	Chosen     bool   `json:"chosen"`
}

// Name is the way in words; many a service carries its carrier's name already.
func (o ShippingOption) Name() string {
	if strings.HasPrefix(o.Service, o.Carrier) {
		return o.Service
	}
	return o.Carrier + " " + o.Service
}

// BoardDetails is the board as priced; of a review, what is known of it. What is
// not known is null.
type BoardDetails struct {
	Layers        int      `json:"layers"`
	WidthMM       float64  `json:"width_mm"`
	HeightMM      float64  `json:"height_mm"`
	ThicknessMM   float64  `json:"thickness_mm"`
	CopperOz      float64  `json:"copper_oz"`
	InnerCopperOz *float64 `json:"inner_copper_oz"` // null for one or two layers
	SurfaceFinish string   `json:"surface_finish"`
	SolderMask    string   `json:"solder_mask"`
	Material      string   `json:"material"`
	ViaProcess    string   `json:"via_process,omitempty"`
	// What costs extra beside these.
	ImpedanceControlled bool           `json:"impedance_controlled,omitempty"`
	FabStackup          string         `json:"fab_stackup,omitempty"`
	FabOptions          map[string]any `json:"fab_options,omitempty"`
}

// MarshalJSON writes null for what is not known, so that nobody takes zero for a
// value.
func (b BoardDetails) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Layers              *int           `json:"layers"`
		WidthMM             *float64       `json:"width_mm"`
		HeightMM            *float64       `json:"height_mm"`
		ThicknessMM         *float64       `json:"thickness_mm"`
		CopperOz            *float64       `json:"copper_oz"`
		InnerCopperOz       *float64       `json:"inner_copper_oz"`
		SurfaceFinish       *string        `json:"surface_finish"`
		SolderMask          *string        `json:"solder_mask"`
		Material            *string        `json:"material"`
		ViaProcess          string         `json:"via_process,omitempty"`
		ImpedanceControlled bool           `json:"impedance_controlled,omitempty"`
		FabStackup          string         `json:"fab_stackup,omitempty"`
		FabOptions          map[string]any `json:"fab_options,omitempty"`
	}{
		nilIfZero(b.Layers), nilIfZero(b.WidthMM), nilIfZero(b.HeightMM), nilIfZero(b.ThicknessMM), nilIfZero(b.CopperOz), b.InnerCopperOz,
		nilIfZero(b.SurfaceFinish), nilIfZero(b.SolderMask), nilIfZero(b.Material), b.ViaProcess, b.ImpedanceControlled, b.FabStackup, b.FabOptions,
	})
}

// nilIfZero is nil for the zero value.
func nilIfZero[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// Reply is the Quote reply of the interface specification. The edge fills
// what only it knows: ids, links, the request.
type Reply struct {
	OK                 bool                      `json:"ok"`
	Mode               string                    `json:"mode"`
	QuoteID            string                    `json:"quote_id"`
	CheckoutURL        string                    `json:"checkout_url"`
	Quantity           int                       `json:"quantity"`
	RequestID          *string                   `json:"request_id"`
	Total              *string                   `json:"total"`
	PerBoard           *string                   `json:"per_board"`
	Tax                *string                   `json:"tax"`
	Currency           *string                   `json:"currency"`
	TotalCents         *int64                    `json:"total_cents"`
	PerBoardCents      *int64                    `json:"per_board_cents"`
	TaxCents           *int64                    `json:"tax_cents"`
	Lines              []prices.Line             `json:"lines"`
	BoardDetails       *BoardDetails             `json:"board_details"`
	BoardDetailsFrom   map[string]string         `json:"board_details_from,omitempty"`
	Assembled          *bool                     `json:"assembled"`
	Fabricator         string                    `json:"fabricator,omitempty"` // instant: the public name of whoever builds the boards
	LeadTime           *string                   `json:"lead_time"`
	Delivery           *string                   `json:"delivery"`
	FasterBuilds       []FasterBuild             `json:"faster_builds"`
	Shipping           string                    `json:"shipping,omitempty"`
	Summary            string                    `json:"summary,omitempty"`
	HSCode             string                    `json:"hs_code,omitempty"`
	ShippingOptions    []ShippingOption          `json:"shipping_options,omitempty"`
	Includes           []string                  `json:"includes"`
	NotIncluded        []string                  `json:"not_included,omitempty"` // of a team's price: what was left out, as the customer reads it
	InYourCurrency     *prices.CurrencyPrice     `json:"in_your_currency,omitempty"`
	RunningPrice       string                    `json:"running_price,omitempty"`
	Board              *string                   `json:"board"`
	BoardImageURL      *string                   `json:"board_image_url"`
	DeliverySaved      *bool                     `json:"delivery_saved"`
	SavedDetails       *bool                     `json:"saved_details"`
	UnpricedParts      []assemblies.Part         `json:"unpriced_parts"`
	PickedParts        []assemblies.Part         `json:"picked_parts"`
	RequestedSubst     []assemblies.RequestedSub `json:"requested_substitutions"`
	Parts              []assemblies.Part         `json:"parts,omitempty"`         // of an assembly: every line as it is built
	UnlistedRefs       []string                  `json:"unlisted_refs,omitempty"` // of an assembly: placed, on no line, and not fitted
	CustomQuoteReasons []string                  `json:"custom_quote_reasons"`
	FabricationQuote   *BareQuote                `json:"fabrication_quote"`
	Notes              []string                  `json:"notes"`
	ExpiresAt          *time.Time                `json:"expires_at"` // the edge fills it with the quote's
	Next               *string                   `json:"next"`
	PriceBasis         map[string]string         `json:"price_basis,omitempty"` // duty and tax: legal basis and date
	BoardFindings      []contract.Finding        `json:"board_findings,omitempty"`
}

// BareQuote is an instant price for the boards alone, beside a review of their
// assembly. It is a quote of its own; the edge fills its id and its link.
type BareQuote struct {
	Mode        string        `json:"mode"`
	Fabricator  string        `json:"fabricator,omitempty"`
	QuoteID     string        `json:"quote_id"`
	CheckoutURL string        `json:"checkout_url"`
	Quantity    int           `json:"quantity"`
	Total       string        `json:"total"`
	TotalCents  int64         `json:"total_cents"`
	PerBoard    string        `json:"per_board"`
	Currency    string        `json:"currency"`
	Lines       []prices.Line `json:"lines"`
	LeadTime    string        `json:"lead_time,omitempty"`
	Delivery    string        `json:"delivery,omitempty"`
	Summary     string        `json:"summary,omitempty"`
}
