package offer

import (
	"errors"
	"fmt"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/pkg/money"
	"boardorder/services/pricing/internal/duty"
	"boardorder/services/pricing/internal/exchange"
	"boardorder/services/pricing/internal/shipping"
	"boardorder/services/pricing/internal/tax"
)

// An Offer is a delivered price for one choice, with every other choice beside
// it. Amounts are US cents; TotalCents is the sum of Lines.
type Offer struct {
	Choice        Choice          `json:"choice"` // with the usual values filled in
	Lines         []prices.Line   `json:"lines"`
	TotalCents    int64           `json:"total_cents"`
	PerBoardCents int64           `json:"per_board_cents"` // half to even
	TaxCents      int64           `json:"tax_cents"`
	DutyCents     int64           `json:"duty_cents"`
	Duty          []duty.Charge   `json:"duty"`
	Tax           []tax.Charge    `json:"tax"`
	Relief        *tax.Relief     `json:"relief,omitempty"` // why no import tax is collected
	Day           dated.Day       `json:"day"`              // of the rates
	Ways          []Way           `json:"ways"`
	Builds        []BuildOffer    `json:"builds"`
	Local         *exchange.Shown `json:"local,omitempty"` // in the customer's currency
	Notes         []string        `json:"notes,omitempty"`

	basis   Basis
	usd     converter
	country destination.Country
	region  string
	way     shipping.Option
	build   Build
}

// A Way is one way of shipping and the total that it leads to.
type Way struct {
	shipping.Option
	TotalCents int64 `json:"total_cents"`
	Chosen     bool  `json:"chosen"`
}

// A BuildOffer is one build time and what it adds to the total that is
// offered, duty and tax on it included; less than zero for a slower build.
type BuildOffer struct {
	Build
	AddsCents int64 `json:"adds_cents"`
	Chosen    bool  `json:"chosen"`
}

// Price makes the offer for a choice.
//
// A choice that does not exist is a *ChoiceError. duty.ErrUnknown,
// tax.ErrUnknown and shipping.ErrNoService mean that people must quote this
// destination; exchange.ErrNoRate that the rates lack a currency that the law
// there counts in, so that there is no price just now.
func (t *Tables) Price(b Basis, c Choice) (Offer, error) {
	o := Offer{Choice: c, Day: b.Day, basis: b, usd: t.dollars(b.Rates)}
	var ways []shipping.Option
	var err error
	if o.country, ways, err = t.settle(b, &o); err != nil {
		return Offer{}, err
	}
	l, err := t.land(&o, o.build, o.way)
	if err != nil {
		return Offer{}, fmt.Errorf("price for %s: %w", o.Choice.Place.Country, err)
	}
	o.Lines, o.TotalCents, o.TaxCents, o.Duty, o.Tax = l.lines, l.total, l.taxes, l.duty, l.tax.Charges
	o.Relief = l.tax.Relief
	o.DutyCents = duty.Total(l.duty)
	o.PerBoardCents = money.Divide(l.total, int64(b.Quantity))
	if err := errors.Join(t.addWays(&o, ways), t.addBuilds(&o)); err != nil {
		return Offer{}, err
	}
	if shown, err := t.Currencies.Show(b.Rates, o.country.Currency, l.total); err == nil && o.country.Currency != "USD" {
		o.Local = &shown
	}
	o.region = t.Places.RegionName(c.Place.Country, c.Place.Region)
	o.Notes = o.notes(l)
	return o, nil
}

// settle fills in the usual values of a choice and finds what they name.
func (t *Tables) settle(b Basis, o *Offer) (destination.Country, []shipping.Option, error) {
	country, ok := t.Places.Country(o.Choice.Place.Country)
	if !ok {
		return country, nil, refuse("ship_to.country", "not_served", "We do not deliver to this country.", t.Places.Codes())
	}
	if b.Quantity < 1 {
		return country, nil, refuse("quantity", "out_of_range", "There must be at least one board.", nil)
	}
	ways, err := t.ways(b, country.Code)
	if err != nil {
		return country, nil, fmt.Errorf("ship to %s: %w", country.Code, err)
	}
	if o.way, err = chooseWay(ways, o.Choice.ShippingID); err != nil {
		return country, nil, err
	}
	if o.build, err = b.build(o.Choice.BuildHours); err != nil {
		return country, nil, err
	}
	o.Choice.ShippingID, o.Choice.BuildHours = o.way.ID, o.build.Hours
	return country, ways, nil
}

func (t *Tables) addWays(o *Offer, ways []shipping.Option) error {
	for _, w := range ways {
		total, chosen := o.TotalCents, w.ID == o.way.ID
		if !chosen {
			l, err := t.land(o, o.build, w)
			if err != nil {
				return fmt.Errorf("price %s: %w", w.ID, err)
			}
			total = l.total
		}
		o.Ways = append(o.Ways, Way{Option: w, TotalCents: total, Chosen: chosen})
	}
	return nil
}

func (t *Tables) addBuilds(o *Offer) error {
	for _, b := range o.basis.Builds {
		total, chosen := o.TotalCents, b.Hours == o.build.Hours
		if !chosen {
			l, err := t.land(o, b, o.way)
			if err != nil {
				return fmt.Errorf("price a build of %d hours: %w", b.Hours, err)
			}
			total = l.total
		}
		o.Builds = append(o.Builds, BuildOffer{Build: b, AddsCents: total - o.TotalCents, Chosen: chosen})
	}
	return nil
}

// CostCents is what the fabricator asks of this offer: the boards in the chosen
// build and their freight, without what the operator, customs and the tax
// authority add.
func (o Offer) CostCents() int64 {
	return sum(o.basis.Boards) + sum(o.basis.Assembly.Lines) + o.build.Cents + o.way.Cents
}
