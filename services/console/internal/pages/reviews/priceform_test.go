package reviews

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/format"

	"github.com/google/go-cmp/cmp"
)

func form(pairs ...string) priceForm {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	r := httptest.NewRequest("POST", "/", strings.NewReader(v.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return readPriceForm(r, quotes.Quote{})
}

func TestPriceForm(t *testing.T) {
	t.Parallel()
	f := form("label", "Boards", "amount", "100", "label", "", "amount", "", "label", "Discount", "amount", "-10.50", "for", "boards", "for", "", "for", "nonsense", "tax", "7", "build_days", "12", "transit", "3 to 5")
	data, ok := f.parse()
	want := quotes.PriceReviewData{
		Lines: []prices.PricedLine{
			{Line: prices.Line{Label: "Boards", Cents: 10000}, For: prices.Boards}, {Line: prices.Line{Label: "Discount", Cents: -1050}, For: prices.Other},
		}, TaxCents: 700, BuildDays: 12, TransitMin: 3, TransitMax: 5,
	}
	if diff := cmp.Diff(want, data); !ok || diff != "" || f.Total != 9650 || len(f.Lines.Rows) != 3 {
		t.Errorf("parse: %v, total %d, %d lines, want 3 lines, -want +got %s", ok, f.Total, len(f.Lines.Rows), diff)
	}
	for transit, want := range map[string][2]int{"3-5": {3, 5}, "3 – 5": {3, 5}, "4": {4, 4}, "-3": {}} {
		f := form("label", "Boards", "amount", "100", "build_days", "12", "transit", transit)
		data, ok := f.parse()
		if got := [2]int{data.TransitMin, data.TransitMax}; ok != (want[1] > 0) || ok && got != want {
			t.Errorf("transit %q is read as %v, %v (%s); want %v, %v", transit, got, ok, f.Transit.Problem, want, want[1] > 0)
		}
	}
	for _, tt := range []struct {
		why  string
		form priceForm
		at   func(priceForm) string
	}{
		{"no label", form("label", "", "amount", "1"), func(f priceForm) string { return f.Lines.Rows[0].Label.Problem }},
		{"no amount", form("label", "x", "amount", ""), func(f priceForm) string { return f.Lines.Rows[0].Amount.Problem }},
		{"no line", form("tax", "1"), func(f priceForm) string { return f.Lines.Problem }},
		{"nothing in all", form("label", "x", "amount", "0"), func(f priceForm) string { return f.Problem }},
		{"too much", form("label", "x", "amount", "1000001"), func(f priceForm) string { return f.Problem }},
		{"negative tax", form("label", "x", "amount", "5", "tax", "-1"), func(f priceForm) string { return f.Tax.Problem }},
		{"odd transit", form("label", "x", "amount", "5", "transit", "5 to 3"), func(f priceForm) string { return f.Transit.Problem }},
		{"left out without words", form("label", "x", "amount", "5", "out-boards", "yes"), func(f priceForm) string { return f.Out[0].Problem }},
		{"odd days", form("label", "x", "amount", "5", "build_days", "soon"), func(f priceForm) string { return f.Days.Problem }},
		{"long label", form("label", strings.Repeat("x", 121), "amount", "5"), func(f priceForm) string { return f.Lines.Rows[0].Label.Problem }},
		{"long note", form("label", "x", "amount", "5", "note", strings.Repeat("x", 2001)), func(f priceForm) string { return f.Note.Problem }},
	} {
		if _, ok := tt.form.parse(); ok || tt.at(tt.form) == "" {
			t.Errorf("%s: parse = %v, %+v; want false, and what is wrong", tt.why, ok, tt.form)
		}
	}
}

// TestPriceFormBeginsWithWhatIsKnown: every line, the way there and the times, and each
// part that has to be decided about.
func TestPriceFormBeginsWithWhatIsKnown(t *testing.T) {
	t.Parallel()
	line := func(part prices.Part, label string, cents int64) prices.PricedLine {
		return prices.PricedLine{Line: prices.Line{Label: label, Cents: cents}, For: part}
	}
	known := []prices.PricedLine{
		line(prices.Boards, "Engineering", 400), line(prices.Boards, "Boards", 1604), line(prices.Assembly, "Placing", 3000), line(prices.Components, "Parts", 4000),
		line(prices.Shipping, "Shipping: DHL Express", 2000), line(prices.Tax, "VAT, Germany, 19 %", 2091),
	}
	q := quotes.Quote{
		Request: quotes.Request{Assembly: true}, Known: &quotes.KnownPrice{Landed: true, Lines: known, BuildDays: 6, TransitMin: 3, TransitMax: 5},
		Reply: quotes.Reply{Parts: []assemblies.Part{{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "P1,P2", Part: "header"}}}},
	}
	f := priceFormOf(q)
	if len(f.Lines.Rows) != len(known)+1 || f.Days.Value != "6" || f.Transit.Value != "3 to 5" || len(f.Parts) != 1 || len(f.Out) != 6 {
		t.Fatalf("form %+v, want a line for each of them and a blank one of %d, 6 days, 3 to 5 in transit, one part, six left out", f, len(known)+1)
	}
	for i, l := range known {
		if got := f.Lines.Rows[i]; got.Label.Value != l.Label || got.Amount.Value != format.Decimal(l.Cents) || got.For != l.For {
			t.Errorf("line %d: %+v, want %+v", i, got, l)
		}
	}
	q.Known = nil // an empty line of each part of the order instead
	if rows := priceFormOf(q).Lines.Rows; len(rows) != 5 || rows[0].For != prices.Boards || rows[3].For != prices.Shipping {
		t.Errorf("without anything known: %+v, want 4, from boards to shipping, and a blank one", rows)
	}
}

// TestPartsOfAPrice: each line has a decision of its own, or that of the rest.
func TestPartsOfAPrice(t *testing.T) {
	t.Parallel()
	q := quotes.Quote{Reply: quotes.Reply{Parts: []assemblies.Part{
		{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "P1"}}, {Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "P2"}},
	}}}
	values := url.Values{
		"label": {"Boards"}, "amount": {"10"}, "for": {"boards"}, "part": {"P1", "P2"}, "fitting": {"fitted", ""}, "cost": {"2.50", ""}, "from": {"a shop", ""}, "rest": {"left_off"},
	}
	r := httptest.NewRequest("POST", "/", strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	f := readPriceForm(r, q)
	data, ok := f.parse()
	want := []quotes.PartDecision{{Reference: "P1", Fitting: assemblies.Fitted, Cents: 250, From: "a shop"}, {Reference: "P2", Fitting: assemblies.LeftOff}}
	if diff := cmp.Diff(want, data.Parts); !ok || diff != "" || f.Total != 1250 {
		t.Errorf("%v, total %d, -want +got %s", ok, f.Total, diff)
	}
}
