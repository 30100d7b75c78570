package digikey

import (
	"encoding/json"
	"strconv"
	"strings"

	"boardorder/services/part-sourcing/internal/part"
)

// A product is a part as the API describes it.
type product struct {
	ManufacturerProductNumber string
	Manufacturer              struct{ Name string }
	Description               struct{ ProductDescription string }
	ProductURL                string `json:"ProductUrl"`
	QuantityAvailable         int64
	ProductStatus             struct{ Status string }
	Discontinued              bool
	EndOfLife                 bool
	ManufacturerLeadWeeks     string
	ProductVariations         []variation
	Parameters                []struct {
		ParameterID int `json:"ParameterId"`
		ValueText   string
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
	QuantityAvailableforPackageType int64
	MaxQuantityForDistribution      int64
	MinimumOrderQuantity            int64
	StandardPackage                 int64
	DigiReelFee                     json.Number
}

type pricing struct {
	BreakQuantity int64
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
			Description: p.Description.ProductDescription, Packaging: v.PackageType.Name, Package: p.parameter(1291, 16), Stock: max(v.QuantityAvailableforPackageType, 0),
			At: c.cfg.Now(), Minimum: max(v.MinimumOrderQuantity, 1), Multiple: 1, Breaks: breaksOf(v), LeadDays: weeks(p.ManufacturerLeadWeeks), Lifecycle: p.lifecycle(),
			RoHS: p.Classifications.RohsStatus, ECCN: p.Classifications.ExportControlClassNumber, HTS: p.Classifications.HtsusCode, URL: p.ProductURL, Authorized: true,
		}
		if strings.Contains(v.PackageType.Name, "(TR)") && v.MinimumOrderQuantity > 1 {
			o.Multiple = v.MinimumOrderQuantity // whole reels
		}
		if fee, err := part.ParsePrice(string(v.DigiReelFee)); err == nil {
			o.Fee = int64(fee) / 10_000
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
		out = append(out, part.Break{Quantity: b.BreakQuantity, Price: price})
	}
	return part.Checked(out)
}

// parameter gives the first of some parameters that the product has.
func (p *product) parameter(ids ...int) string {
	for _, id := range ids {
		for _, x := range p.Parameters {
			if x.ParameterID == id && x.ValueText != "-" {
				return x.ValueText
			}
		}
	}
	return ""
}

func (p *product) lifecycle() part.Lifecycle {
	switch s := strings.ToLower(p.ProductStatus.Status); {
	case strings.Contains(s, "obsolete"), strings.Contains(s, "discontinued"), p.Discontinued:
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
