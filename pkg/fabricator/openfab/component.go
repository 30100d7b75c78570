package openfab

import (
	"context"
	"fmt"
	"strings"

	"boardorder/pkg/fabricator"
)

// MaxComponents is how many parts of the library one call details.
const MaxComponents = 1000

// componentWire is a part of the library in the API's words.
type componentWire struct {
	Code          string `json:"componentCode"`
	Model         string `json:"componentModel"`
	Manufacturer  string `json:"manufacturer"`
	Specification string `json:"componentSpecification"`
	FirstType     string `json:"firstTypeName"`
	LibraryType   string `json:"libraryType"`
	Description   string `json:"description"`
	Joints        int    `json:"solderJointCount"`
	Prices        []struct {
		From int64   `json:"startQuantity"`
		Unit *amount `json:"unitPrice"`
	} `json:"priceRanges"`
	Stock      int64  `json:"stockCount"`
	Assembly   *bool  `json:"assemblyComponentFlag"`
	ECCN       string `json:"eccnCode"`
	RoHS       bool   `json:"rohsFlag"`
	Datasheet  string `json:"dataManualUrl"`
	Parameters []struct {
		Name  string `json:"parameterName"`
		Value string `json:"parameterValue"`
	} `json:"parameters"`
}

// Components details parts of the fabricator's library by their codes, at most
// MaxComponents of them. Codes that the library lacks are left out of the answer,
// and so is anything that was not asked for. A part whose prices cannot be true
// comes without any, and one with a negative stock with none.
func (c *Client) Components(ctx context.Context, codes []string) ([]fabricator.Component, error) {
	if len(codes) == 0 {
		return nil, nil
	}
	if len(codes) > MaxComponents {
		return nil, &fabricator.Error{Kind: fabricator.Internal, Message: fmt.Sprintf("%d codes in one call", len(codes))}
	}
	var wire []componentWire
	if err := c.post(ctx, "component/getComponentDetailByCode", map[string]any{"componentCodes": codes}, &wire); err != nil {
		return nil, err
	}
	requested := map[string]bool{}
	for _, code := range codes {
		requested[strings.ToUpper(code)] = true
	}
	var out []fabricator.Component
	for i := range wire {
		if !requested[strings.ToUpper(wire[i].Code)] {
			continue
		}
		delete(requested, strings.ToUpper(wire[i].Code))
		out = append(out, wire[i].component())
	}
	return out, nil
}

// lifecycleParameter is the parameter that states a part's lifecycle.
const lifecycleParameter = "Part Status"

func (w *componentWire) component() fabricator.Component {
	parameters := map[string]string{}
	for _, p := range w.Parameters {
		if p.Name != "" && p.Value != "" && p.Value != "-" {
			parameters[p.Name] = p.Value
		}
	}
	return fabricator.Component{
		Code: w.Code, Model: w.Model, Manufacturer: w.Manufacturer, Package: w.Specification, Category: w.FirstType, Description: w.Description,
		Basic: strings.HasPrefix(strings.ToLower(w.LibraryType), "bas"), Stock: max(w.Stock, 0), Joints: max(w.Joints, 0), ECCN: w.ECCN, RoHS: w.RoHS,
		Assembly: w.Assembly == nil || *w.Assembly, Prices: w.prices(),
		Datasheet: w.Datasheet, Lifecycle: parameters[lifecycleParameter], Parameters: parameters,
	}
}

// prices gives the unit prices in order of quantity; nil where they cannot be
// true.
func (w *componentWire) prices() []fabricator.ComponentPrice {
	var out []fabricator.ComponentPrice
	last := int64(0)
	for _, r := range w.Prices {
		from := max(r.From, 1)
		if r.Unit == nil || from <= last {
			return nil
		}
		unit := r.Unit.Shift(6).RoundBank(0).IntPart()
		if unit <= 0 { // what rounds to nothing is nobody's price
			return nil
		}
		last = from
		out = append(out, fabricator.ComponentPrice{From: from, Unit: unit})
	}
	return out
}

// ComponentList lists the fabricator's library, a page at a time: the parts
// behind the key last, "" for the first page, and the key of the next page, ""
// at the end. It is meant for making an index now and then, not for lookups.
func (c *Client) ComponentList(ctx context.Context, last string) (page []fabricator.ComponentStub, next string, err error) {
	var wire struct {
		Infos []struct {
			Code         string `json:"lcscPart"`
			Model        string `json:"mfrPart"`
			Manufacturer string `json:"manufacturer"`
			Stock        int64  `json:"stock"`
		} `json:"componentInfos"`
		LastKey string `json:"lastKey"`
	}
	in := map[string]any{}
	if last != "" {
		in["lastKey"] = last
	}
	if err := c.post(ctx, "component/getComponentInfos", in, &wire); err != nil {
		return nil, "", err
	}
	if wire.LastKey == last && last != "" {
		return nil, "", &fabricator.Error{Kind: fabricator.Unavailable, Message: "the list of its library does not go on"}
	}
	for _, p := range wire.Infos {
		page = append(page, fabricator.ComponentStub{Code: p.Code, Model: p.Model, Manufacturer: p.Manufacturer, Stock: p.Stock})
	}
	return page, wire.LastKey, nil
}
