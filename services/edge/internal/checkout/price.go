package checkout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
)

// priceView is a price that adds up, and how it came to be.
type priceView struct {
	Lines    []priceLine
	Sums     []priceLine // the goods as one, and each of shipping, duty and tax; none of a price that is short anyway
	Total    string
	Cents    int64
	PerBoard string
	Local    string      // what it is in the shopper's currency: payable, or about
	Charge   *chargeView // what it is if it is paid in that; nil: it cannot
	Delivery string      // to the door
	Arrival  string      // when they should be there, paid now
	Leaves   string      // when they should be ready to ship, paid now, where the time to the door is not known
	Built    string      // until it leaves the factory: of a team's price from before Delivery said so
	Shipping string
	Basis    []string
	AsOf     string
	Without  []string // what the price does not hold, in our team's words

	Delivered bool   // the way there is in the price
	Due       string // of duty and tax, as far as they are known to be in the price
}

type priceLine struct{ Label, Amount string }

func priceOf(s record) priceView {
	l, r, currency := s.lang, s.quote.Reply, s.currency()
	v := priceView{
		Lines: linesOf(l, r.Lines, currency), Total: s.amount(s.total()), Cents: s.total(),
		Delivery: text(r.Delivery), Shipping: r.Shipping, Without: r.NotIncluded,
		Delivered: s.quote.Holds(prices.Shipping), Due: dueWords(l, s.quote),
	}
	v.Sums = sums(l, r, currency)
	v.Basis, v.AsOf = basis(r.PriceBasis)
	v.AsOf = phrase.Translate(l, v.AsOf)
	if r.PerBoardCents != nil && quantity(s.quote) > 1 {
		v.PerBoard = l.Text("%s a board", s.amount(*r.PerBoardCents))
	}
	v.Charge = chargeViewOf(s)
	if own := r.InYourCurrency; own != nil {
		v.Local = l.Text("About %s at the rate of %s (%s), for your information: you are charged in %s.", LocalTotal(l, own), phrase.Translate(l, own.RateDate), sourceName(l, own.Source), currencyName(l, currency))
	}
	if v.Charge != nil { // the same amount from the start as the button names
		v.Local = l.Text("Or pay %s: you can choose so once the delivery details are complete.", v.Charge.Total)
	}
	if v.Delivery == "" && r.LeadTime != nil {
		v.Built = l.Text("%s from payment", phrase.Translate(l, *r.LeadTime))
	}
	return v
}

// dueWords says which of duty and tax a price holds.
func dueWords(l *language.Printer, q quotes.Quote) string {
	switch duty, tax := q.Holds(prices.Duty), q.Holds(prices.Tax); {
	case duty && tax:
		return l.Text("Duty and tax are in the price where they are due.")
	case duty:
		return l.Text("Duty is in the price where it is due.")
	case tax:
		return l.Text("Tax is in the price where it is due.")
	}
	return ""
}

func currencyName(l *language.Printer, code string) string {
	if code == "USD" {
		return l.Text("US dollars")
	}
	return code
}

// sourceName is who publishes a rate.
func sourceName(l *language.Printer, source string) string {
	if source == "ECB" {
		return l.Text("European Central Bank")
	}
	return source
}

// maxSums is how many lines of shipping, duty and tax are said in a sentence.
const maxSums = 7

// sums are the lines of a price with those of the goods as one.
func sums(p *language.Printer, r quotes.Reply, currency string) []priceLine {
	goods := slices.IndexFunc(r.Lines, func(l prices.Line) bool { return strings.HasPrefix(l.Label, prices.ShippingLine) })
	if goods < 2 || len(r.Lines)-goods > maxSums {
		return nil
	}
	whole := prices.Line{Label: language.Key("Boards")}
	if r.Assembled != nil && *r.Assembled {
		whole.Label = language.Key("Boards with parts, assembled")
	}
	for _, l := range r.Lines[:goods] {
		whole.Cents += l.Cents
	}
	return linesOf(p, append([]prices.Line{whole}, r.Lines[goods:]...), currency)
}

func linesOf(p *language.Printer, lines []prices.Line, currency string) []priceLine {
	out := make([]priceLine, len(lines))
	for i, l := range lines {
		out[i] = priceLine{l.Label, p.Amount(l.Cents, currency)}
	}
	return out
}

// LocalTotal is a total in the shopper's own currency, or "".
func LocalTotal(l *language.Printer, own *prices.CurrencyPrice) string {
	switch {
	case own == nil:
		return ""
	case l.Code == language.English || own.TotalMinor == 0:
		return own.Total
	}
	_, decimals, _ := strings.Cut(own.Total, ".")
	return l.Money(own.TotalMinor, len(decimals), own.Currency)
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
			Detail: s.lang.Text("%s in transit; %s", workingDaySpan(s.lang, o.DaysMin, o.DaysMax), phrase.Translate(s.lang, o.Delivery)), Price: adds(s, o),
		})
		known = known || o.ID == e.shipping
	}
	for i, o := range s.quote.Reply.ShippingOptions {
		if !known && s.wayToChoose() == nil {
			out[i].Chosen = o.Chosen
		}
	}
	return out
}

// describeWay says which way of shipping was wanted and is not offered, and asks for another;
// "" where that one is in the price.
func describeWay(s record, to string) string {
	way := s.wayToChoose()
	if way == nil {
		return ""
	}
	l, taken := s.lang, ""
	for _, o := range s.quote.Reply.ShippingOptions {
		if o.Chosen {
			taken = o.Name()
		}
	}
	return l.Text("%s is not offered for %s to %s. Please choose a shipping method; the price shown is with %s.",
		cmp.Or(way.Name, l.Text("The shipping method that you chose")), l.Boards(quantity(s.quote)), to, taken)
}

// adds is what a way costs more or less than the chosen one, with duty and tax, as
// everything that can be chosen is priced here.
func adds(s record, o quotes.ShippingOption) string {
	switch {
	case o.Chosen:
		return s.lang.Text("in the price")
	case o.TotalCents == 0: // of a quote made before totals were kept
		return s.amount(o.Cents)
	case o.AddsCents >= 0:
		return "+" + s.amount(o.AddsCents)
	}
	return s.amount(o.AddsCents)
}

// buildChoices lists the build in the price, the quicker ones, and the standard
// one where it is not the one in the price.
func buildChoices(s record, e entry) []choice {
	_, now := s.selection()
	l, r := s.lang, s.quote.Reply
	if len(r.FasterBuilds) == 0 && !s.isHurried() || s.hasTeamPrice() {
		return nil
	}
	current := choice{Name: "build_hours", ID: "build-now", Value: strconv.Itoa(now), Label: l.Text("Built in %s", phrase.Translate(l, text(r.LeadTime))), Detail: phrase.Translate(l, text(r.Delivery)), Price: l.Text("in the price"), Chosen: e.hours == now}
	out := []choice{current}
	if s.isHurried() {
		out = []choice{{Name: "build_hours", ID: "build-standard", Value: "0", Label: l.Text("Standard build"), Detail: l.Text("Slower, without the surcharge."), Price: l.Text("less"), Chosen: e.hours == 0 && now != 0}, current}
	}
	for _, b := range r.FasterBuilds {
		hours := strconv.Itoa(b.BuildTimeHours)
		out = append(out, choice{
			Name: "build_hours", ID: "build-" + hours, Value: hours, Label: l.Text("Built in %s", BuildTime(l, b.BuildTimeHours)), Detail: phrase.Translate(l, b.Delivery),
			Price: "+" + s.amount(b.AddsCents), Chosen: e.hours == b.BuildTimeHours && b.BuildTimeHours != now,
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

// describeBuild says which build time stands in place of the one that was wanted; "" where
// that one is in the price.
func describeBuild(s record) string {
	d := s.quote.Delivery
	if d == nil || d.UnofferedHours == 0 {
		return ""
	}
	l := s.lang
	return l.Text("A build time of %s is not offered for %s; this price is for a build time of %s.",
		BuildTime(l, d.UnofferedHours), l.Boards(quantity(s.quote)), phrase.Translate(l, text(s.quote.Reply.LeadTime)))
}
