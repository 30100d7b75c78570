package checkout

import (
	"strconv"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

// priceView is a price that adds up, and how it came to be.
type priceView struct {
	Lines    []priceLine
	Total    string
	Cents    int64
	PerBoard string
	Local    string // about what it is in the shopper's currency
	Delivery string // to the door
	Built    string // until it leaves the factory, where the time to the door is not known
	Shipping string
	Basis    []string
	AsOf     string
	Without  []string // what the price does not hold, in our team's words

	Delivered bool   // the way there is in the price
	Due       string // of duty and tax, as far as they are known to be in the price
}

type priceLine struct{ Label, Amount string }

func priceOf(s record) priceView {
	r, currency := s.quote.Reply, s.currency()
	v := priceView{
		Lines: linesOf(r.Lines, currency), Total: amount(s.total(), currency), Cents: s.total(),
		Delivery: text(r.Delivery), Shipping: r.Shipping, Without: r.NotIncluded,
		Delivered: s.quote.Holds(prices.Shipping), Due: dueWords(s.quote),
	}
	v.Basis, v.AsOf = basis(r.PriceBasis)
	if r.PerBoardCents != nil && quantity(s.quote) > 1 {
		v.PerBoard = amount(*r.PerBoardCents, currency) + " a board"
	}
	if l := r.InYourCurrency; l != nil {
		v.Local = "About " + l.Total + " at the rate of " + l.RateDate + " (" + l.Source + "), for your information: you are charged in " + currencyName(currency) + "."
	}
	if v.Delivery == "" && r.LeadTime != nil {
		v.Built = *r.LeadTime + " from payment"
	}
	return v
}

// dueWords says which of duty and tax a price holds.
func dueWords(q quotes.Quote) string {
	switch duty, tax := q.Holds(prices.Duty), q.Holds(prices.Tax); {
	case duty && tax:
		return "Duty and tax are in the price where they are due."
	case duty:
		return "Duty is in the price where it is due."
	case tax:
		return "Tax is in the price where it is due."
	}
	return ""
}

func currencyName(code string) string {
	if code == "USD" {
		return "US dollars"
	}
	return code
}

func linesOf(lines []prices.Line, currency string) []priceLine {
	out := make([]priceLine, len(lines))
	for i, l := range lines {
		out[i] = priceLine{l.Label, amount(l.Cents, currency)}
	}
	return out
}

// A choice is one of several that exclude each other.
type choice struct {
	Name, ID, Value string
	Label, Detail   string
	Price           string
	Chosen          bool
}

func shippingChoices(s record, e entry) []choice {
	var out []choice
	known := false
	for i, o := range s.quote.Reply.ShippingOptions {
		out = append(out, choice{
			Name: "shipping_id", ID: "ship-" + strconv.Itoa(i), Value: o.ID, Label: o.Name(), Chosen: o.ID == e.shipping,
			Detail: span(o.DaysMin, o.DaysMax, "working day") + " in transit; " + o.Delivery, Price: adds(o, s.currency()),
		})
		known = known || o.ID == e.shipping
	}
	for i, o := range s.quote.Reply.ShippingOptions {
		if !known {
			out[i].Chosen = o.Chosen
		}
	}
	return out
}

// adds is what a way costs more or less than the chosen one, with duty and tax, as
// everything that can be chosen is priced here.
func adds(o quotes.ShippingOption, currency string) string {
	switch {
	case o.Chosen:
		return "in the price"
	case o.TotalCents == 0: // of a quote made before totals were kept
		return amount(o.Cents, currency)
	case o.AddsCents >= 0:
		return "+" + amount(o.AddsCents, currency)
	}
	return amount(o.AddsCents, currency)
}

// buildChoices lists the build in the price, the quicker ones, and the standard
// one where it is not the one in the price.
func buildChoices(s record, e entry) []choice {
	_, now := s.selection()
	r := s.quote.Reply
	if len(r.FasterBuilds) == 0 && !s.isHurried() || s.hasTeamPrice() {
		return nil
	}
	current := choice{Name: "build_hours", ID: "build-now", Value: strconv.Itoa(now), Label: "Built in " + text(r.LeadTime), Detail: text(r.Delivery), Price: "in the price", Chosen: e.hours == now}
	out := []choice{current}
	if s.isHurried() {
		out = []choice{{Name: "build_hours", ID: "build-standard", Value: "0", Label: "Standard build", Detail: "Slower, without the surcharge.", Price: "less", Chosen: e.hours == 0 && now != 0}, current}
	}
	for _, b := range r.FasterBuilds {
		hours := strconv.Itoa(b.BuildTimeHours)
		out = append(out, choice{
			Name: "build_hours", ID: "build-" + hours, Value: hours, Label: "Built in " + buildTime(b.BuildTimeHours), Detail: b.Delivery,
			Price: "+" + amount(b.AddsCents, s.currency()), Chosen: e.hours == b.BuildTimeHours && b.BuildTimeHours != now,
		})
	}
	for _, c := range out {
		if c.Chosen {
			return out
		}
	}
	for i := range out {
		out[i].Chosen = out[i].ID == current.ID
	}
	return out
}
