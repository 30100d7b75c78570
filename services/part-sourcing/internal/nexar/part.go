package nexar

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// A wirePart is a part as the API describes it.
type wirePart struct {
	MPN          string `json:"mpn"`
	Manufacturer named  `json:"manufacturer"`
	Description  string `json:"shortDescription"`
	LeadDays     *int   `json:"estimatedFactoryLeadDays"`
	Datasheet    struct {
		URL string `json:"url"`
	} `json:"bestDatasheet"`
	SimilarParts []struct {
		MPN          string `json:"mpn"`
		Manufacturer named  `json:"manufacturer"`
	} `json:"similarParts"`
	Specs []struct {
		Attribute struct {
			Short string `json:"shortname"`
		} `json:"attribute"`
		Value string `json:"displayValue"`
	} `json:"specs"`
	Sellers []struct {
		Company    named       `json:"company"`
		Authorized bool        `json:"isAuthorized"`
		Offers     []wireOffer `json:"offers"`
	} `json:"sellers"`
}

type named struct {
	Name string `json:"name"`
}

type wireOffer struct {
	SKU       string        `json:"sku"`
	Stock     outside.Count `json:"inventoryLevel"`
	Minimum   outside.Count `json:"moq"`
	Multiple  outside.Count `json:"orderMultiple"`
	Packaging string        `json:"packaging"`
	LeadDays  *int          `json:"factoryLeadDays"`
	Updated   string        `json:"updated"`
	URL       string        `json:"clickUrl"`
	Prices    []struct {
		Quantity outside.Count `json:"quantity"`
		Price    json.Number   `json:"convertedPrice"`
		Currency string        `json:"convertedCurrency"`
	} `json:"prices"`
}

func (p *wirePart) spec(short string) string {
	for _, s := range p.Specs {
		if s.Attribute.Short == short {
			return s.Value
		}
	}
	return ""
}

// values are the specifications by their short names.
func (p *wirePart) values() map[string]string {
	out := map[string]string{}
	for _, s := range p.Specs {
		out[s.Attribute.Short] = s.Value
	}
	return out
}

func (p *wirePart) similar() []part.Similar {
	var out []part.Similar
	for _, s := range p.SimilarParts[:min(len(p.SimilarParts), 10)] {
		if mpn.Key(s.MPN) != "" {
			out = append(out, part.Similar{MPN: s.MPN, Manufacturer: s.Manufacturer.Name, Relation: "similar part"})
		}
	}
	return out
}

// offers makes the offers of all sellers. A stock below zero is how the engine
// says that a seller has some and does not tell how many: nothing to count on.
func (c *Client) offers(p *wirePart) ([]part.Offer, error) {
	var out []part.Offer
	for _, s := range p.Sellers {
		for _, w := range s.Offers {
			o := part.Offer{
				Source: c.cfg.Name, Supplier: s.Company.Name, SKU: w.SKU, MPN: p.MPN, Manufacturer: p.Manufacturer.Name, Description: p.Description, Packaging: w.Packaging,
				Package: p.spec("case_package"), Stock: max(int64(w.Stock), 0), At: c.statementTime(w.Updated), Minimum: max(int64(w.Minimum), 1), Multiple: max(int64(w.Multiple), 1),
				LeadDays: days(w.LeadDays, p.LeadDays), Lifecycle: lifecycle(p.spec("lifecyclestatus")), URL: w.URL, Authorized: s.Authorized,
				Datasheet: part.Address(p.Datasheet.URL), Data: part.Data(p.spec("case_package"), p.values()),
			}
			for _, b := range w.Prices {
				if b.Currency != "USD" {
					return nil, c.http.Fail(outside.InvalidAnswer, fmt.Sprintf("prices in %.5q instead of USD", b.Currency), nil)
				}
			}
			o.Breaks = w.breaks()
			out = append(out, o)
		}
	}
	return out, nil
}

// breaks reads the prices; nil where they cannot be true.
func (w *wireOffer) breaks() []part.Break {
	var out []part.Break
	for _, b := range w.Prices {
		price, err := part.ParsePrice(string(b.Price))
		if err != nil {
			return nil
		}
		out = append(out, part.Break{Quantity: int64(b.Quantity), Price: price})
	}
	return part.ValidBreaks(out)
}

// statementTime reads when a seller said so; now where the answer does not tell.
func (c *Client) statementTime(text string) time.Time {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t
	}
	return c.cfg.Now()
}

func days(list ...*int) int {
	for _, n := range list {
		if n != nil && *n >= 0 && *n < 2000 {
			return *n
		}
	}
	return -1
}

func lifecycle(text string) part.Lifecycle {
	switch s := strings.ToLower(text); {
	case strings.HasPrefix(s, "production"), strings.HasPrefix(s, "new"), strings.HasPrefix(s, "active"):
		return part.Active
	case strings.HasPrefix(s, "nrnd"), strings.HasPrefix(s, "not rec"):
		return part.NRND
	case strings.HasPrefix(s, "eol"), strings.HasPrefix(s, "end of"):
		return part.EOL
	case strings.HasPrefix(s, "obsolete"):
		return part.Obsolete
	case strings.HasPrefix(s, "ltb"), strings.HasPrefix(s, "last time"):
		return part.LastTimeBuy
	}
	return part.Unstated
}
