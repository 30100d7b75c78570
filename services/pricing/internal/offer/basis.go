package offer

import (
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/services/pricing/internal/exchange"
	"boardorder/services/pricing/internal/shipping"
)

// A Basis is what an offer was made from. It is plain data, kept with the
// quote as JSON.
type Basis struct {
	Day         dated.Day           `json:"day"`        // whose rates and tables apply
	Quantity    int                 `json:"quantity"`   // boards asked for
	BuildCount  int                 `json:"build"`      // boards built and delivered: the fabricator's least, or Quantity
	Board       quotes.BoardDetails `json:"board"`      //
	BoardWords  string              `json:"board_line"` // the board in one line, in our words
	HSCode      string              `json:"hs_code"`
	Origin      string              `json:"origin"`   // country of the fabricator, ISO 3166-1 alpha-2
	Maker       string              `json:"maker"`    // the fabricator's public name
	Assembly    Assembly            `json:"assembly"` // zero for bare boards
	Boards      []prices.Line       `json:"boards"`   // the fabricator's lines without express, US cents
	Builds      []Build             `json:"builds"`   // standard first
	Shipping    []shipping.Option   `json:"shipping"` // the fabricator's ways to ShippingTo; may be none
	ShippingTo  string              `json:"shipping_to"`
	WeightGrams int64               `json:"weight_grams"`
	Rates       exchange.Rates      `json:"rates"`
}

// An Assembly is what assembling the boards adds, in US cents.
type Assembly struct {
	Boards int           `json:"boards"` // that are assembled: those asked for
	Lines  []prices.Line `json:"lines"`  // work and parts
	Days   int           `json:"days"`   // working days that it adds to the boards' own
	// NoParts says that suppliers sell none: the customer brings them all.
	NoParts bool `json:"no_parts,omitempty"`
}

// A Build is one build time. Cents is its surcharge over the standard build.
type Build struct {
	Hours int    `json:"hours"`
	Name  string `json:"name"`
	Cents int64  `json:"cents"`
}

// A Choice is what the customer may still change.
type Choice struct {
	Place      destination.Place `json:"place"`
	ShippingID string            `json:"shipping_id,omitempty"` // "" takes the usual one
	BuildHours int               `json:"build_hours,omitempty"` // 0 takes the standard build
}

// ChoiceError refuses a choice; Fields says why. It is safe to show.
type ChoiceError struct{ Fields []contract.FieldProblem }

func (e *ChoiceError) Error() string {
	return "refused choice: " + e.Fields[0].Field + ": " + e.Fields[0].Message
}

func refuse(field, problem, message string, allowed any) error {
	return &ChoiceError{[]contract.FieldProblem{{Field: field, Problem: problem, Message: message, Allowed: allowed}}}
}

// source names the fabricator and the day of its price.
func (b Basis) source() string { return dateSource(b.Maker, b.Day) }

// HasBuild reports whether a build of so many hours is offered.
func (b Basis) HasBuild(hours int) bool {
	return slices.ContainsFunc(b.Builds, func(build Build) bool { return build.Hours == hours })
}

// build finds the chosen build.
func (b Basis) build(hours int) (Build, error) {
	allowed := []int{}
	for i, build := range b.Builds {
		if build.Hours == hours || hours == 0 && i == 0 {
			return build, nil
		}
		allowed = append(allowed, build.Hours)
	}
	return Build{}, refuse("build_hours", "not_offered", "This build time is not offered for this board.", allowed)
}

// ways lists how the boards can get to a country: the fabricator's own ways
// where it named them, the operator's table otherwise.
func (t *Tables) ways(b Basis, country string) ([]shipping.Option, error) {
	if len(b.Shipping) > 0 && b.ShippingTo == country {
		return b.Shipping, nil
	}
	return t.Shipping.Options(country, b.WeightGrams, b.Day)
}

// UsualWay is the id of the way to a country that is taken unless another is chosen; "" if
// there is none.
func (t *Tables) UsualWay(b Basis, country string) string {
	ways, err := t.ways(b, country)
	if err != nil {
		return ""
	}
	usual, _ := chooseWay(ways, "")
	return usual.ID
}

// FindWay is the id of the way to a country that has an id, or else a name in words; "" if
// there is none.
func (t *Tables) FindWay(b Basis, country, id, name string) string {
	ways, _ := t.ways(b, country)
	named := ""
	for _, w := range ways {
		if w.ID == id {
			return id
		}
		if (quotes.ShippingOption{Carrier: w.Carrier, Service: w.Service}).Name() == name {
			named = w.ID
		}
	}
	return named
}

func chooseWay(ways []shipping.Option, id string) (shipping.Option, error) {
	allowed := []string{}
	for _, w := range ways {
		if w.ID == id || id == "" && w.Usual {
			return w, nil
		}
		allowed = append(allowed, w.ID)
	}
	if id == "" {
		return ways[0], nil // the cheapest, where no way is marked as the usual one
	}
	return shipping.Option{}, refuse("shipping_id", "not_offered", "This way of shipping is not offered to this country.", allowed)
}
