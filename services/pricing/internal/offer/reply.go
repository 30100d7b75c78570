package offer

import (
	"fmt"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/money"
	"boardorder/services/pricing/internal/tax"
)

// Fill writes the offer into the fields of a quote reply that are about the
// price of an instant quote. Ids, links and times are not its business. Notes
// are added behind those that are there.
func (o Offer) Fill(r *quotes.Reply) {
	b := o.basis
	assembled := b.Assembly.Boards > 0
	board := b.Board
	r.OK, r.Mode, r.Quantity, r.Assembled = true, quotes.ModeInstant, b.Quantity, &assembled
	r.TotalCents, r.PerBoardCents, r.TaxCents = &o.TotalCents, &o.PerBoardCents, &o.TaxCents
	r.Total, r.PerBoard, r.Tax = dollars(o.TotalCents), dollars(o.PerBoardCents), dollars(o.TaxCents)
	r.Currency, r.Lines, r.Includes = text("USD"), o.Lines, o.includes()
	r.BoardDetails, r.Board, r.HSCode = &board, text(b.BoardWords), b.HSCode
	r.LeadTime, r.Delivery = text(o.leadTime()), text(o.delivery())
	r.FasterBuilds, r.ShippingOptions, r.Shipping = o.fasterBuilds(), o.shippingOptions(), o.shippingWords()
	r.InYourCurrency = o.currencyPrice()
	r.RunningPrice = o.runningPrice()
	r.Summary = o.summary()
	r.Next = text(o.advice())
	r.PriceBasis = o.basisWords()
	r.Notes = append(r.Notes, o.Notes...)
}

func text(s string) *string { return &s }

func dollars(cents int64) *string { return text(money.Dollars(cents)) }

func (o Offer) includes() []string {
	words := make([]string, len(o.Lines))
	for i, l := range o.Lines {
		words[i] = l.Label + ": " + money.Dollars(l.Cents)
	}
	return words
}

func (o Offer) delivery() string { return delivery(o.hours(o.build), o.way.DaysMin, o.way.DaysMax) }

// hours is how long making the goods takes: a build, and assembling it.
func (o Offer) hours(b Build) int { return b.Hours + 24*o.basis.Assembly.Days }

// Days are working days from payment: until the goods are made, and until they should be
// at the door, from and to.
func (o Offer) Days() (made, from, to int) {
	made = buildDays(o.hours(o.build))
	return made, made + o.way.DaysMin, made + o.way.DaysMax
}

func (o Offer) leadTime() string {
	if o.basis.Assembly.Boards == 0 {
		return buildTime(o.build.Hours)
	}
	return plural(buildDays(o.hours(o.build)), "working day") + ", assembly included"
}

// fasterBuilds lists the builds that are quicker than the one in the price.
func (o Offer) fasterBuilds() []quotes.FasterBuild {
	faster := []quotes.FasterBuild{}
	for _, b := range o.Builds {
		if b.Hours < o.build.Hours {
			faster = append(faster, quotes.FasterBuild{
				BuildTimeHours: b.Hours, Build: buildTime(b.Hours), Adds: money.Dollars(b.AddsCents), AddsCents: b.AddsCents,
				TotalCents: o.TotalCents + b.AddsCents,
				Delivery:   delivery(o.hours(b.Build), o.way.DaysMin, o.way.DaysMax),
			})
		}
	}
	return faster
}

func (o Offer) shippingOptions() []quotes.ShippingOption {
	options := make([]quotes.ShippingOption, len(o.Ways))
	for i, w := range o.Ways {
		options[i] = quotes.ShippingOption{
			ID: w.ID, Carrier: clean(w.Carrier), Service: clean(w.Service), Cents: w.Cents, DaysMin: w.DaysMin, DaysMax: w.DaysMax,
			Delivery: delivery(o.hours(o.build), w.DaysMin, w.DaysMax), Chosen: w.Chosen, TotalCents: w.TotalCents,
			AddsCents: w.TotalCents - o.TotalCents, Adds: money.Dollars(w.TotalCents - o.TotalCents),
		}
	}
	return options
}

func (o Offer) shippingWords() string {
	words := fmt.Sprintf("To %s, %s in transit", o.country.TheName, span(o.way.DaysMin, o.way.DaysMax, "working day"))
	if len(o.Duty) > 0 {
		words += ", " + prepaid(tax.Assessment{Charges: o.Tax}) + " paid in advance"
	}
	return words + "."
}

// prepaid is what the carrier advances to customs: import tax only where there is any.
func prepaid(a tax.Assessment) string {
	if a.ImportTotal() == 0 {
		return "duty"
	}
	return "duty and import tax"
}

func (o Offer) currencyPrice() *prices.CurrencyPrice {
	if o.Local == nil {
		return nil
	}
	return &prices.CurrencyPrice{
		Currency: o.Local.Currency, Total: o.Local.Text, TotalMinor: o.Local.Minor, Rate: o.Local.Rate,
		RateDate: o.Local.Date, Source: o.Local.Source, Indicative: true,
	}
}

func (o Offer) summary() string {
	where := o.country.TheName
	if o.region != "" {
		where = o.region + ", " + where
	}
	if o.Choice.Place.Assumed {
		where += ", as an example, since no destination was given"
	}
	covers := "shipping, duty and tax included"
	if o.TaxCents == 0 && len(o.Duty) > 0 {
		covers = "shipping and duty included"
	} else if len(o.Duty) == 0 {
		covers = "shipping and tax included"
	}
	return fmt.Sprintf("%s (%s): %s delivered to %s, %s; %s.",
		o.amount(), o.basis.BoardWords, money.Dollars(o.TotalCents), where, covers, o.delivery())
}

// runningPrice is the price in a few words. Where more boards come than were asked for,
// what each costs depends on which are counted, so nothing is said of it.
func (o Offer) runningPrice() string {
	words := fmt.Sprintf("%s delivered for %s", money.Dollars(o.TotalCents), o.amount())
	if o.basis.BuildCount == o.basis.Quantity {
		words += ", " + money.Dollars(o.PerBoardCents) + " each"
	}
	return words
}

// amount is how many are delivered, and why where more are than were asked for.
func (o Offer) amount() string {
	unit, b := unitOf(o.basis.Board), o.basis
	switch assembled := b.Assembly.Boards; {
	case b.BuildCount == b.Quantity && assembled > 0:
		return plural(b.Quantity, unit) + ", assembled"
	case b.BuildCount == b.Quantity:
		return plural(b.Quantity, unit)
	case assembled > 0:
		return fmt.Sprintf("%s, the smallest lot that is built, of which %d assembled", plural(b.BuildCount, unit), assembled)
	}
	return fmt.Sprintf("%s, the smallest lot that is built, for the %d asked for", plural(b.BuildCount, unit), b.Quantity)
}

func (o Offer) advice() string {
	if len(o.fasterBuilds()) > 0 {
		return "Tell the customer the total and the delivery, offer the faster builds, then send them to checkout_url to choose the shipping and pay."
	}
	return "Tell the customer the total and the delivery, then send them to checkout_url to choose the shipping and pay."
}
