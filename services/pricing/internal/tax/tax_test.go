package tax_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/services/pricing/internal/tax"

	"github.com/google/go-cmp/cmp"
)

const today = dated.Day("2026-11-21")

func dollars(_ string, hundredths int64) (int64, error) { return hundredths, nil }

func load(t *testing.T) *tax.Table {
	t.Helper()
	table, err := tax.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func formatCharges(a tax.Assessment) []string {
	var out []string
	for _, c := range a.Charges {
		out = append(out, fmt.Sprintf("%s %s=%d", c.Label, c.Rate, c.Cents))
	}
	return out
}

func TestAssess(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   tax.Sale
		want []string
	}{
		{"Germany: on goods, freight and duty", tax.Sale{Country: "DE", Goods: 10000, Freight: 2000, Duty: 360}, []string{"VAT 19 %=2348"}},
		{"Romania before its rise", tax.Sale{Country: "RO", Goods: 10000, Day: "2025-07-31"}, []string{"VAT 19 %=1900"}},
		{"Romania after it", tax.Sale{Country: "RO", Goods: 10000, Day: "2025-08-01"}, []string{"VAT 21 %=2100"}},
		{"Finland has halves", tax.Sale{Country: "FI", Goods: 10000}, []string{"VAT 25.5 %=2550"}},
		{"Switzerland", tax.Sale{Country: "CH", Goods: 10000}, []string{"VAT 8.1 %=810"}},
		{"Ontario: one harmonized tax", tax.Sale{Country: "CA", Region: "ON", Goods: 10000}, []string{"HST 13 %=1300"}},
		{"Quebec: two taxes", tax.Sale{Country: "CA", Region: "QC", Goods: 10000}, []string{"GST 5 %=500", "QST 9.975 %=998"}},
		{"Alberta: one", tax.Sale{Country: "CA", Region: "AB", Goods: 10000}, []string{"GST 5 %=500"}},
		{"California, where the operator is registered; shipping is free of tax", tax.Sale{Country: "US", Region: "CA", Goods: 10000, Freight: 2000, Duty: 1000}, []string{"sales tax 8.98 %=988"}},
		{"New York, where it is not", tax.Sale{Country: "US", Region: "NY", Goods: 10000}, nil},
		{"Oregon has none", tax.Sale{Country: "US", Region: "OR", Goods: 10000}, nil},
		{"Australia up to its threshold: not registered", tax.Sale{Country: "AU", Goods: 100000}, nil},
		{"Australia over it: at import", tax.Sale{Country: "AU", Goods: 100100}, []string{"GST 10 %=10010"}},
		{"Japan up to its threshold", tax.Sale{Country: "JP", Goods: 1000000}, nil},
		{"Japan over it", tax.Sale{Country: "JP", Goods: 1000100}, []string{"consumption tax 10 %=100010"}},
		{"Korea, personal use", tax.Sale{Country: "KR", Goods: 15000}, nil},
		{"Korea, a business", tax.Sale{Country: "KR", Goods: 15000, Business: true}, []string{"VAT 10 %=1500"}},
		{"Hong Kong", tax.Sale{Country: "HK", Goods: 10000}, nil},
	}
	table := load(t)
	for _, tt := range tests {
		if tt.in.Day == "" {
			tt.in.Day = today
		}
		got, err := table.Assess(tt.in, dollars)
		if diff := cmp.Diff(tt.want, formatCharges(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", tt.name, err, diff)
		}
		if got.RegionNeeded {
			t.Errorf("%s: a region is said to be needed", tt.name)
		}
	}
}

func TestUnknownRegion(t *testing.T) {
	t.Parallel()
	table := load(t)
	canada, err := table.Assess(tax.Sale{Country: "CA", Goods: 10000, Day: today}, dollars)
	if err != nil || canada.Total() != 1500 || !canada.RegionNeeded {
		t.Errorf("Canada without a province: %+v, %v; want the highest rate and a question", canada, err)
	}
	us, err := table.Assess(tax.Sale{Country: "US", Goods: 10000, Day: today}, dollars)
	if err != nil || us.Total() != 0 || !us.RegionNeeded {
		t.Errorf("the US without a state: %+v, %v; want none and a question", us, err)
	}
}

func TestNotCollectedIsSaid(t *testing.T) {
	t.Parallel()
	got, err := load(t).Assess(tax.Sale{Country: "US", Region: "NY", Goods: 10000, Day: today}, dollars)
	if err != nil || !got.NotCollected {
		t.Errorf("a sale to New York: %+v, %v; want a tax that is not collected", got, err)
	}
	if got, _ := load(t).Assess(tax.Sale{Country: "US", Region: "OR", Goods: 10000, Day: today}, dollars); got.NotCollected {
		t.Error("Oregon has no tax that could go uncollected")
	}
}

// noReliefs is a table of reliefs without any.
const noReliefs = "country,buyer,counts,up_to,value_currency,valid_from,valid_to,source,checked,certainty,note\n"

func TestOwnRegistrations(t *testing.T) {
	t.Parallel()
	rates, err := os.Open("tax.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer rates.Close()
	table, err := tax.Read(rates, strings.NewReader("country,region,valid_from,valid_to,source,checked,certainty,note\n"+
		"US,NY,2026-01-01,2026-12-31,nexus,2026-11-21,confirmed,\nAU,,2026-01-01,,nexus,2026-11-21,confirmed,\n"), strings.NewReader(noReliefs))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		sale tax.Sale
		want int64
	}{
		{tax.Sale{Country: "US", Region: "NY", Goods: 10000, Freight: 1000, Day: today}, 939},
		{tax.Sale{Country: "US", Region: "NY", Goods: 10000, Freight: 1000, Day: "2027-01-01"}, 0},
		{tax.Sale{Country: "US", Region: "CA", Goods: 10000, Day: today}, 0},
		{tax.Sale{Country: "AU", Goods: 50000, Freight: 1000, Duty: 500, Day: today}, 5100},
	} {
		got, err := table.Assess(tt.sale, dollars)
		if err != nil || got.Total() != tt.want || got.ImportTotal() != 0 {
			t.Errorf("%+v: %d (at import %d), %v; want %d, none at import", tt.sale, got.Total(), got.ImportTotal(), err, tt.want)
		}
	}
}

func TestUnknownIsNotFree(t *testing.T) {
	t.Parallel()
	if got, err := load(t).Assess(tax.Sale{Country: "KP", Day: today, Goods: 1}, dollars); !errors.Is(err, tax.ErrUnknown) {
		t.Errorf("a sale to North Korea: %+v, %v; want %v", got, err, tax.ErrUnknown)
	}
}

func TestEveryCountryAndRegionIsCovered(t *testing.T) {
	t.Parallel()
	book, err := destination.Load()
	if err != nil {
		t.Fatal(err)
	}
	table := load(t)
	for _, code := range book.Codes() {
		for _, day := range []dated.Day{today, "2027-11-21"} {
			if _, err := table.Assess(tax.Sale{Country: code, Goods: 20000, Day: day}, dollars); err != nil {
				t.Errorf("a sale of 200.00 to %s on %s: %v", code, day, err)
			}
		}
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	const head = "country,region,kind,label,percent,base,registered,buyer,over,up_to,value_currency,valid_from,valid_to,source,checked,certainty,note\n"
	const none = "country,region,valid_from,valid_to,source,checked,certainty,note\n"
	const good = "DE,,vat,VAT,19,goods,no,any,,,,2026-01-01,,law,2026-11-21,confirmed,\n"
	for name, tt := range map[string]struct{ rows, reliefs, want string }{
		"no rate":            {strings.Replace(good, ",19,", ",,", 1), "", "line 2, column percent"},
		"two rates":          {good + good, "", "two rows of vat hold in DE"},
		"an unknown base":    {strings.Replace(good, "goods", "everything", 1), "", "column base"},
		"no currency":        {strings.Replace(good, "any,,", "any,150,", 1), "", "column value_currency"},
		"a relief of nobody": {good, "DE,nobody,goods,10,EUR,2026-01-01,,law,2026-11-21,confirmed,\n", "reliefs.csv line 2, column buyer"},
	} {
		_, err := tax.Read(strings.NewReader(head+tt.rows), strings.NewReader(none), strings.NewReader(noReliefs+tt.reliefs))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want it to say %q", name, err, tt.want)
		}
	}
}
