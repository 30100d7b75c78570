package parts

import "strings"

// A LibraryPart is a part of the fabricator's library as its API details it.
type LibraryPart struct {
	Code          string          `json:"componentCode"`
	Model         string          `json:"componentModel"`
	Specification string          `json:"componentSpecification"`
	FirstType     string          `json:"firstTypeName"`
	LibraryType   string          `json:"libraryType"`
	Description   string          `json:"description"`
	Joints        int             `json:"solderJointCount"`
	Prices        []LibraryPrice  `json:"priceRanges"`
	Stock         int64           `json:"stockCount"`
	Assembly      bool            `json:"assemblyComponentFlag"`
	ECCN          string          `json:"eccnCode"`
	RoHS          bool            `json:"rohsFlag"`
	Parameters    []LibraryOption `json:"parameters"`
	Datasheet     string          `json:"dataManualUrl"`
}

// A LibraryPrice is a unit price for a range of quantities.
type LibraryPrice struct {
	From int64   `json:"startQuantity"`
	To   int64   `json:"endQuantity"` // −1 for the last
	Unit float64 `json:"unitPrice"`
}

// A LibraryOption is one parameter of a part.
type LibraryOption struct {
	Name  string `json:"parameterName"`
	Value string `json:"parameterValue"`
}

// LibraryDetail is what the fabricator says of a code; ok is false for a code
// that it does not know.
func (c *Catalogue) LibraryDetail(code string) (LibraryPart, bool) {
	p := c.PartByCode(code)
	if p == nil {
		return LibraryPart{}, false
	}
	out := LibraryPart{
		Code: strings.ToUpper(code), Model: p.MPN, Specification: p.Package, FirstType: p.Category, LibraryType: libraryType(p), Description: p.Description,
		Joints: p.Pins, Stock: p.Stock(Library), Assembly: true, ECCN: "EAR99", RoHS: true,
		Parameters: p.options(), Datasheet: p.Datasheet(),
	}
	breaks := p.Breaks(Library, 1)
	for i, b := range breaks {
		to := int64(-1)
		if i+1 < len(breaks) {
			to = breaks[i+1].From - 1
		}
		out.Prices = append(out.Prices, LibraryPrice{b.From, to, float64(b.Price) / 1e6})
	}
	return out, true
}

func libraryType(p *Part) string {
	if p.Basic() {
		return "base"
	}
	return "expand"
}

// A LibraryStub is a part of the fabricator's library as its list gives it.
type LibraryStub struct {
	Code         string `json:"lcscPart"`
	Model        string `json:"mfrPart"`
	Manufacturer string `json:"manufacturer"`
	Package      string `json:"packageInfo"`
	Category     string `json:"firstCategory"`
	LibraryType  string `json:"libraryType"`
	Description  string `json:"description"`
	Stock        int64  `json:"stock"`
}

// LibraryList gives up to n parts of the fabricator's library behind the one that
// last names, and the key to go on with; "" at the end.
func (c *Catalogue) LibraryList(last string, n int) (list []LibraryStub, next string) {
	start := 0
	if i, ok := c.codes[last]; ok {
		start = i + 1
	}
	for i := start; i < len(c.Parts); i++ {
		p := &c.Parts[i]
		if !p.IsSoldBy(Library) {
			continue
		}
		if len(list) == n {
			return list, list[n-1].Code
		}
		list = append(list, LibraryStub{c.code(p), p.MPN, p.Manufacturer, p.Package, p.Category, libraryType(p), p.Description, p.Stock(Library)})
	}
	return list, ""
}
