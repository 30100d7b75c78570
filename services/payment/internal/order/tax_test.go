package order_test

import (
	"testing"

	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/destination"
	"boardorder/services/payment/internal/order"

	"github.com/google/go-cmp/cmp"
)

var friday = prices.Rates{Date: "2026-11-20", PerEUR: map[string]string{"USD": "1.25", "CZK": "24.2", "GBP": "0.87"}}

// TestTaxRate: each country of the EU in its own currency, and nobody else.
func TestTaxRate(t *testing.T) {
	t.Parallel()
	book, err := destination.Load()
	if err != nil {
		t.Fatal(err)
	}
	euro := prices.Rate{Currency: "EUR", Date: "2026-11-20", PerEUR: "1", USDPerEUR: "1.25"}
	crown := prices.Rate{Currency: "CZK", Date: "2026-11-20", PerEUR: "24.2", USDPerEUR: "1.25"}
	quoted := prices.CurrencyPrice{Currency: "EUR", Source: "ECB", Rate: "0.81", RateDate: "2026-11-17"}
	for _, tt := range []struct {
		country   string
		published prices.Rates
		quoted    *prices.CurrencyPrice
		want      *prices.Rate
	}{
		{"DE", friday, &quoted, &euro},
		{"Deutschland", friday, nil, &euro},
		{"BG", friday, nil, &euro}, // since 2026
		{"CZ", friday, nil, &crown},
		{"CZ", friday, &quoted, &crown},
		{"CZ", prices.Rates{}, &quoted, nil},
		{"DE", prices.Rates{}, &quoted, &prices.Rate{Currency: "EUR", Date: "2026-11-17", PerUSD: "0.81"}},
		{"DE", prices.Rates{}, nil, nil},
		{"GB", friday, nil, nil},
		{"US", friday, nil, nil},
		{"", friday, nil, nil},
	} {
		o := orders.Order{ShipTo: shipments.ShipTo{Country: tt.country}}
		o.Sold.Reply.InYourCurrency = tt.quoted
		if diff := cmp.Diff(tt.want, order.TaxRate(book, o, tt.published)); diff != "" {
			t.Errorf("%q, published %s, quoted %v (-want +got):\n%s", tt.country, tt.published.Date, tt.quoted, diff)
		}
	}
	for _, country := range []string{"CZ", "DK", "HU", "PL", "RO", "SE"} {
		if c, _ := book.Country(country); c.Currency == "EUR" {
			t.Errorf("%s states VAT in %s, want its own currency", country, c.Currency)
		}
	}
}

// TestTaxOfDocumentsAddsUp: whatever was given back in how many parts, credit notes of
// all of it hold the invoice's tax, to the cent and in either currency.
func TestTaxOfDocumentsAddsUp(t *testing.T) {
	t.Parallel()
	for _, parts := range [][]int64{{5000}, {1, 1, 1, 4997}, {1667, 1667, 1666}, {2500, 2500}, {33, 4967}} {
		tax := int64(799)
		o := invoiceOrder()
		o.Sold.Reply.TaxCents, o.TaxRate = &tax, friday.RateOf("CZK")
		o, _ = order.AddDocument(o, order.Unwritten(o)[0], 1, nil, now)
		whole := o.Invoices[0].Tax
		if whole == nil || whole.Cents != 799 || whole.National == nil || whole.National.Hundredths != 15469 { // 799 × 24.2 / 1.25 = 15468.64
			t.Fatalf("invoice's tax %+v, want 799 cents, 154.69 crowns", whole)
		}
		o.TaxRate = friday.RateOf("EUR") // what an invoice says stays
		cents, hundredths := int64(0), int64(0)
		for n, part := range parts {
			o.Refunds = append(o.Refunds, refund(string(rune('a'+n)), part, orders.RefundDone))
			o, _ = order.AddDocument(o, order.Unwritten(o)[0], int64(2+n), nil, now)
			given := o.Invoices[n+1].Tax
			if given.National == nil || given.National.Rate != whole.National.Rate {
				t.Fatalf("%v: credit note %d by %+v, want the invoice's rate %+v", parts, n, given.National, whole.National.Rate)
			}
			cents, hundredths = cents+given.Cents, hundredths+given.National.Hundredths
		}
		if cents != whole.Cents || hundredths != whole.National.Hundredths {
			t.Errorf("%v given back: taxes add up to %d cents and %d hellers, want %d and %d", parts, cents, hundredths, whole.Cents, whole.National.Hundredths)
		}
	}
}

// TestInvoicesWithoutATaxOrARate: nothing is stated that nobody knows.
func TestInvoicesWithoutATaxOrARate(t *testing.T) {
	t.Parallel()
	none, some := int64(0), int64(500)
	for _, tt := range []struct {
		tax  *int64
		rate *prices.Rate
		want *invoices.Tax
	}{
		{nil, friday.RateOf("EUR"), nil},
		{&none, friday.RateOf("EUR"), &invoices.Tax{}},
		{&some, nil, &invoices.Tax{Cents: 500}},
	} {
		o := invoiceOrder()
		o.Sold.Reply.TaxCents, o.TaxRate = tt.tax, tt.rate
		o, _ = order.AddDocument(o, order.Unwritten(o)[0], 1, nil, now)
		if diff := cmp.Diff(tt.want, o.Invoices[0].Tax); diff != "" {
			t.Errorf("tax %v at %v (-want +got):\n%s", tt.tax, tt.rate, diff)
		}
	}
}

// TestInvoicesCountBoards: lines of the goods are for all of the boards, or for those that are
// assembled; what is charged once is counted once.
func TestInvoicesCountBoards(t *testing.T) {
	t.Parallel()
	line := func(label string) prices.Line { return prices.Line{Label: label, Cents: 1250} }
	priced := func(label string, part prices.Part) prices.PricedLine {
		return prices.PricedLine{Line: line(label), For: part}
	}
	team := &quotes.TeamPrice{Price: quotes.PriceReviewData{Lines: []prices.PricedLine{priced("Rigid-flex", prices.Boards), priced("Tooling", prices.Boards), priced("Courier", prices.Shipping)}}}
	for name, tt := range map[string]struct {
		mode  string
		team  *quotes.TeamPrice
		lines []prices.Line
		want  []int
	}{
		"instant":        {quotes.ModeInstant, nil, []prices.Line{line("Boards"), line("Parts"), line("Shipping: DHL"), line("VAT")}, []int{10, 10, 0, 0}},
		"with parts":     {quotes.ModeInstant, nil, []prices.Line{line("Engineering"), line("Boards"), line("Stencil"), line("Parts"), line("Shipping: DHL")}, []int{1, 10, 1, 6, 0}},
		"by the team":    {quotes.ModeReview, team, []prices.Line{line("Rigid-flex"), line("Tooling"), line("Courier"), line("Tax")}, []int{10, 1, 0, 0}},
		"after erasure":  {quotes.ModeReview, nil, []prices.Line{line("Rigid-flex"), line("Courier"), line("Tax")}, nil},
		"other than due": {quotes.ModeInstant, nil, []prices.Line{line("Boards"), line("Tax")}, []int{0, 0}},
	} {
		o := invoiceOrder()
		if name == "with parts" {
			o.Sold.Assembly = &quotes.QuotedAssembly{Boards: 6}
		}
		o.Quantity, o.Lines, o.Sold.Mode, o.Sold.Team = 10, tt.lines, tt.mode, tt.team
		o, _ = order.AddDocument(o, order.Unwritten(o)[0], 1, nil, now)
		if diff := cmp.Diff(tt.want, o.Invoices[0].Quantities); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
