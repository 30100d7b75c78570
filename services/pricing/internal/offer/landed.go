package offer

import (
	"fmt"
	"strings"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/dated"
	"boardorder/services/pricing/internal/duty"
	"boardorder/services/pricing/internal/exchange"
	"boardorder/services/pricing/internal/shipping"
	"boardorder/services/pricing/internal/tax"
)

// landed is what one build costs at the door by one way.
type landed struct {
	lines []prices.Line
	next  prices.Line // what the lines that are added have in common
	duty  []duty.Charge
	tax   tax.Assessment
	total int64
	taxes int64
}

// land prices one build by one way, for the place of an offer. The lines are
// the sum: the total is nothing but their addition.
func (t *Tables) land(o *Offer, build Build, way shipping.Option) (landed, error) {
	b, place, country := &o.basis, o.Choice.Place, o.country
	l := t.goodsLines(b, build)
	goods := sum(l.lines)
	var err error
	l.duty, err = t.Duty.Assess(duty.Consignment{
		Country: place.Country, Union: country.Union, Origin: b.Origin, OriginUnion: t.union(b.Origin), Day: b.Day,
		Items: []duty.Item{{HSCode: b.HSCode, Cents: goods}}, FreightCents: way.Cents, Business: place.Business,
	}, duty.Converter(o.usd))
	if err != nil {
		return landed{}, fmt.Errorf("assess duty: %w", err)
	}
	owed := duty.Total(l.duty)
	l.tax, err = t.Tax.Assess(tax.Sale{
		Country: place.Country, Region: place.Region, Day: b.Day, Goods: goods, Freight: way.Cents, Duty: owed, Business: place.Business,
	}, tax.Converter(o.usd))
	if err != nil {
		return landed{}, fmt.Errorf("assess tax: %w", err)
	}
	l.taxes = l.tax.Total()
	l.next = prices.Line{Kind: prices.Shipping, Basis: "the table of shipping, by zone and weight", Source: dateSource("services.csv", b.Day)}
	if len(b.Shipping) > 0 && b.ShippingTo == country.Code {
		l.next.Basis, l.next.Source = "the fabricator's offer for this way", b.source()
	}
	l.add(prices.ShippingLine+quotes.ShippingOption{Carrier: way.Carrier, Service: way.Service}.Name(), way.Cents)
	l.addDuty(b)
	if l.crossesBorder() {
		l.next = prices.Line{Kind: prices.Duty, Basis: "the table of customs clearance, by what is paid in advance", Source: dateSource("clearance.csv", b.Day)}
		l.addNonZero("Customs clearance, "+prepaid(l.tax)+" paid in advance", t.Shipping.Clearance(place.Country, owed+l.tax.ImportTotal(), b.Day))
	}
	for _, c := range l.tax.Charges {
		l.next = prices.Line{Kind: prices.Tax, Basis: "rate: " + c.Label + ", " + c.Rate, Source: tableSource(c.Source, c.Checked)}
		l.add(taxLabel(c, country, t.Places.RegionName(place.Country, place.Region)), c.Cents)
	}
	l.total = sum(l.lines)
	return l, nil
}

// goodsLines is what the goods cost: the fabricator's lines, the build's
// surcharge and the operator's margin.
func (t *Tables) goodsLines(b *Basis, build Build) landed {
	l := landed{lines: make([]prices.Line, 0, len(b.Boards)+len(b.Assembly.Lines)+8)} // capacity for what land adds
	for _, line := range b.Boards {
		l.next = line
		l.add(clean(line.Label), line.Cents)
	}
	l.next = prices.Line{Kind: prices.Boards, Basis: "the fabricator's offer for this build time", Source: b.source()}
	l.addNonZero(prices.FasterLine+buildTime(build.Hours), build.Cents)
	for _, line := range b.Assembly.Lines {
		if l.next = (prices.Line{Kind: prices.Assembly, Basis: "the tariff of assembling", Source: b.source()}); line.Label == prices.PartsLabel {
			l.next = prices.Line{Kind: prices.Components, Basis: "suppliers' offers for each part, as parts lists them", Source: dateSource("suppliers", b.Day)}
		}
		l.add(line.Label, line.Cents)
	}
	label, basis, cents := t.margin(sum(l.lines), b.Day)
	l.next = prices.Line{Kind: prices.Other, Basis: basis, Source: dateSource("margin.csv", b.Day)}
	l.addNonZero(label, cents)
	return l
}

// addDuty gives each duty that costs something a line of its own, and goods
// that are free one line that says so.
func (l *landed) addDuty(b *Basis) {
	if !l.crossesBorder() {
		return
	}
	before := len(l.lines)
	for _, c := range l.duty {
		l.next = prices.Line{Kind: prices.Duty, Basis: "rate: " + dutyBasis(c), Source: tableSource(c.Source, c.Checked)}
		l.addNonZero(dutyLabel(c), c.Cents)
	}
	if len(l.lines) == before { // the first row says that they are free
		l.next = prices.Line{Kind: prices.Duty, Basis: "rate: " + dutyBasis(l.duty[0]), Source: tableSource(l.duty[0].Source, l.duty[0].Checked)}
		l.add("Import duty, HS "+b.HSCode+": free", 0)
	}
}

// tableSource is where a row of a table was read, and when somebody last looked.
func tableSource(source string, checked dated.Day) string {
	return strings.TrimPrefix(dated.SourceWords(source, checked), "Source: ")
}

// dutyBasis is the law and the rate of a duty.
func dutyBasis(c duty.Charge) string {
	if c.Rate == "" {
		return c.Words
	}
	return c.Words + ", " + c.Rate
}

func (l *landed) crossesBorder() bool { return len(l.duty) > 0 }

func (l *landed) add(label string, cents int64) {
	line := l.next
	line.Label, line.Cents = label, cents
	l.lines = append(l.lines, line)
}

func (l *landed) addNonZero(label string, cents int64) {
	if cents != 0 {
		l.add(label, cents)
	}
}

func sum(lines []prices.Line) int64 {
	var total int64
	for _, l := range lines {
		total += l.Cents
	}
	return total
}

func (t *Tables) union(code string) string {
	c, _ := t.Places.Country(code)
	return c.Union
}

// A converter puts an amount of a currency, in hundredths, into US cents.
type converter func(currency string, hundredths int64) (int64, error)

// dollars converts by the rates that an offer is made with. The thresholds of
// the law come again with every way and build, so each is converted once.
func (t *Tables) dollars(rates exchange.Rates) converter {
	type amount struct {
		currency   string
		hundredths int64
	}
	known := map[amount]int64{}
	return func(currency string, hundredths int64) (int64, error) {
		a := amount{currency, hundredths}
		if cents, ok := known[a]; ok {
			return cents, nil
		}
		cents, err := t.Currencies.Cents(rates, currency, hundredths)
		if err == nil {
			known[a] = cents
		}
		return cents, err
	}
}
