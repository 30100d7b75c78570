package web

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"boardorder/pkg/contract"

	"github.com/google/go-cmp/cmp"
)

func TestParseCents(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"0": 0, "12": 1200, "12.5": 1250, "12.50": 1250, " $1,234.56 ": 123456, "-10": -1000, "−0.01": -1, "1,234,567": 123456700,
	} {
		if got, err := parseCents(in); got != want || err != nil {
			t.Errorf("parseCents(%q) = %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "-", ".", "1.", ".5", "1.234", "12,50", "1,23,4", "1e3", "0x10", "１", "99999999999999999999", "1 000", "+5", "--1", ",123"} {
		if got, err := parseCents(in); err == nil {
			t.Errorf("parseCents(%q) = %d, want an error", in, got)
		}
	}
}

func FuzzParseCents(f *testing.F) {
	f.Add("1,234.56")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := parseCents(s)
		if err != nil {
			return
		}
		if again, err := parseCents(decimal(n)); err != nil || again != n {
			t.Errorf("parseCents(%q) = %d, written and read again %d, %v", s, n, again, err)
		}
	})
}

func form(pairs ...string) priceForm {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	r := httptest.NewRequest("POST", "/", strings.NewReader(v.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return readPriceForm(r)
}

func TestPriceForm(t *testing.T) {
	t.Parallel()
	f := form("label", "Boards", "amount", "100", "label", "", "amount", "", "label", "Discount", "amount", "-10.50", "tax", "7", "build_days", "12")
	data, ok := f.parse()
	want := contract.PriceReviewData{
		Lines: []contract.Line{{Label: "Boards", Cents: 10000}, {Label: "Discount", Cents: -1050}}, TaxCents: 700, BuildDays: 12,
	}
	if diff := cmp.Diff(want, data); !ok || diff != "" || f.Total != 9650 || len(f.Lines) != 2+blankLines {
		t.Errorf("parse: %v, total %d, %d lines, -want +got %s", ok, f.Total, len(f.Lines), diff)
	}
	for _, tt := range []struct {
		why  string
		form priceForm
		at   func(priceForm) string
	}{
		{"no label", form("label", "", "amount", "1"), func(f priceForm) string { return f.Lines[0].Label.Problem }},
		{"no amount", form("label", "x", "amount", ""), func(f priceForm) string { return f.Lines[0].Amount.Problem }},
		{"no line", form("tax", "1"), func(f priceForm) string { return f.Problem }},
		{"nothing in all", form("label", "x", "amount", "0"), func(f priceForm) string { return f.Problem }},
		{"too much", form("label", "x", "amount", "1000001"), func(f priceForm) string { return f.Problem }},
		{"negative tax", form("label", "x", "amount", "5", "tax", "-1"), func(f priceForm) string { return f.Tax.Problem }},
		{"odd days", form("label", "x", "amount", "5", "build_days", "soon"), func(f priceForm) string { return f.Days.Problem }},
		{"long label", form("label", strings.Repeat("x", 121), "amount", "5"), func(f priceForm) string { return f.Lines[0].Label.Problem }},
		{"long note", form("label", "x", "amount", "5", "note", strings.Repeat("x", 2001)), func(f priceForm) string { return f.Note.Problem }},
	} {
		if _, ok := tt.form.parse(); ok || tt.at(tt.form) == "" {
			t.Errorf("%s: parse = %v, %+v", tt.why, ok, tt.form)
		}
	}
}
