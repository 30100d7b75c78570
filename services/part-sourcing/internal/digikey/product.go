package digikey

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// A product is a part as the API describes it.
type product struct {
	ManufacturerProductNumber string
	Manufacturer              struct{ Name string }
	Description               struct{ ProductDescription, DetailedDescription string }
	ProductURL                string `json:"ProductUrl"`
	DatasheetURL              string `json:"DatasheetUrl"`
	ProductStatus             struct{ Status string }
	EndOfLife                 bool
	ManufacturerLeadWeeks     outside.Text
	ProductVariations         []variation
	Parameters                []struct {
		ParameterID   outside.Count `json:"ParameterId"`
		ParameterText string
		ValueText     string
	}
	Classifications struct{ RohsStatus, ExportControlClassNumber, HtsusCode string }
}

// A variation is one packaging of it.
type variation struct {
	DigiKeyProductNumber            string
	PackageType                     struct{ Name string }
	StandardPricing                 []pricing
	MyPricing                       []pricing
	MarketPlace                     bool
	QuantityAvailableforPackageType outside.Count
	MaxQuantityForDistribution      outside.Count // that one customer may buy; 0 for any
	MinimumOrderQuantity            outside.Count
	DigiReelFee                     json.Number
}

// stock is what can be bought of the packaging.
func (v *variation) stock() int64 {
	n := max(int64(v.QuantityAvailableforPackageType), 0)
	if most := int64(v.MaxQuantityForDistribution); most > 0 {
		return min(n, most)
	}
	return n
}

type pricing struct {
	BreakQuantity outside.Count
	UnitPrice     json.Number
}

// offers makes an offer of each packaging; one whose prices cannot be true comes
// without any.
func (c *Client) offers(p product) []part.Offer {
	var out []part.Offer
	for _, v := range p.ProductVariations[:min(len(p.ProductVariations), 20)] {
		if v.MarketPlace {
			continue
		}
		o := part.Offer{
			Source: c.cfg.Name, Supplier: "DigiKey", SKU: v.DigiKeyProductNumber, MPN: p.ManufacturerProductNumber, Manufacturer: p.Manufacturer.Name,
			Description: cmp.Or(p.Description.ProductDescription, p.Description.DetailedDescription), Packaging: v.PackageType.Name, Package: p.parameter(1291, 16), Stock: v.stock(),
			At: c.cfg.Now(), Minimum: max(int64(v.MinimumOrderQuantity), 1), Multiple: 1, Breaks: breaksOf(v), LeadDays: weeks(string(p.ManufacturerLeadWeeks)), Lifecycle: p.lifecycle(),
			RoHS: p.Classifications.RohsStatus, ECCN: p.Classifications.ExportControlClassNumber, HTS: p.Classifications.HtsusCode, URL: p.ProductURL, Authorized: true,
			Datasheet: part.Address(p.DatasheetURL), Data: part.Data(p.parameter(16, 1291), p.values()),
		}
		if strings.Contains(v.PackageType.Name, "(TR)") {
			o.Multiple = o.Minimum // whole reels
		}
		if fee, err := part.ParsePrice(string(v.DigiReelFee)); err == nil {
			o.Fee, _ = fee.Times(1) // no price is out of range
		}
		out = append(out, o)
	}
	return out
}

func breaksOf(v variation) []part.Break {
	list := v.StandardPricing
	if len(v.MyPricing) > 0 {
		list = v.MyPricing
	}
	var out []part.Break
	for _, b := range list {
		price, err := part.ParsePrice(string(b.UnitPrice))
		if err != nil {
			return nil
		}
		out = append(out, part.Break{Quantity: int64(b.BreakQuantity), Price: price})
	}
	return part.ValidBreaks(out)
}

// parameter gives the first of some parameters that the product has.
func (p *product) parameter(ids ...int) string {
	for _, id := range ids {
		for _, x := range p.Parameters {
			if int(x.ParameterID) == id && x.ValueText != "-" && x.ValueText != "" {
				return x.ValueText
			}
		}
	}
	return ""
}

// values are the parameters by their names.
func (p *product) values() map[string]string {
	out := map[string]string{}
	for _, x := range p.Parameters {
		out[x.ParameterText] = x.ValueText
	}
	return out
}

// lifecycle reads the part's status. "Discontinued at DigiKey" says of the
// distributor that it gives the part up, and nothing of the manufacturer.
func (p *product) lifecycle() part.Lifecycle {
	switch s := strings.ToLower(p.ProductStatus.Status); {
	case strings.Contains(s, "obsolete"):
		return part.Obsolete
	case strings.Contains(s, "last time buy"):
		return part.LastTimeBuy
	case p.EndOfLife:
		return part.EOL
	case strings.Contains(s, "not for new designs"):
		return part.NRND
	case s == "active", s == "preliminary":
		return part.Active
	}
	return part.Unstated
}

// weeks gives days of "12" or "12 Weeks"; −1 for anything else.
func weeks(text string) int {
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	n, err := strconv.Atoi(first)
	if err != nil || n < 0 || n > 300 {
		return -1
	}
	return 7 * n
}
