package tax_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"boardorder/services/pricing/internal/tax"

	"github.com/google/go-cmp/cmp"
)

// TestReliefs: small consignments bear no import tax where that is confirmed, and the tax
// that a doubtful relief might take off is held, marked. Every currency is worth a dollar.
func TestReliefs(t *testing.T) {
	t.Parallel()
	table := load(t)
	for name, tt := range map[string]struct {
		in        tax.Sale
		want      []string
		relieved  bool
		uncertain bool
	}{
		"Switzerland, at its limit with the freight":       {tax.Sale{Country: "CH", Goods: 4170, Freight: 2000}, nil, true, false},
		"Switzerland, over it":                             {tax.Sale{Country: "CH", Goods: 4171, Freight: 2000}, []string{"VAT 8.1 %=500"}, false, false},
		"Switzerland, a business, too":                     {tax.Sale{Country: "CH", Goods: 1000, Business: true}, nil, true, false},
		"Liechtenstein":                                    {tax.Sale{Country: "LI", Goods: 6170}, nil, true, false},
		"Israel, personal import, freight apart":           {tax.Sale{Country: "IL", Goods: 7500, Freight: 3000}, nil, true, false},
		"Israel, between the limits":                       {tax.Sale{Country: "IL", Goods: 7501}, []string{"VAT 18 %=1350"}, false, true},
		"Israel, over both":                                {tax.Sale{Country: "IL", Goods: 13001}, []string{"VAT 18 %=2340"}, false, false},
		"Israel, a business":                               {tax.Sale{Country: "IL", Goods: 1000, Business: true}, []string{"VAT 18 %=180"}, false, false},
		"Israel, between, before the order":                {tax.Sale{Country: "IL", Goods: 7501, Day: "2026-02-24"}, []string{"VAT 18 %=1350"}, false, false},
		"Taiwan: who imports often is not known":           {tax.Sale{Country: "TW", Goods: 1000}, []string{"business tax 5 %=50"}, false, true},
		"Taiwan, over the limit":                           {tax.Sale{Country: "TW", Goods: 200000, Freight: 1}, []string{"business tax 5 %=10000"}, false, false},
		"the Emirates: no relief from VAT":                 {tax.Sale{Country: "AE", Goods: 1000}, []string{"VAT 5 %=50"}, false, false},
		"a tax that is collected by whoever is registered": {tax.Sale{Country: "US", Region: "CA", Goods: 1000}, []string{"sales tax 8.98 %=90"}, false, false},
	} {
		if tt.in.Day == "" {
			tt.in.Day = today
		}
		got, err := table.Assess(tt.in, dollars)
		if diff := cmp.Diff(tt.want, formatCharges(got)); diff != "" || err != nil {
			t.Errorf("%s: Assess(%+v) %v (-want +got)\n%s", name, tt.in, err, diff)
		}
		if relieved := got.Relief != nil; relieved != tt.relieved {
			t.Errorf("%s: relief %+v, want one: %v", name, got.Relief, tt.relieved)
		}
		if uncertain := slices.ContainsFunc(got.Charges, func(c tax.Charge) bool { return c.Uncertain }); uncertain != tt.uncertain {
			t.Errorf("%s: uncertain %v, want %v", name, uncertain, tt.uncertain)
		}
	}
}

// TestReliefsWithoutARate: a limit that cannot be compared stops no price: the tax is held.
func TestReliefsWithoutARate(t *testing.T) {
	t.Parallel()
	none := func(string, int64) (int64, error) { return 0, errors.New("no rate") }
	table := load(t)
	for _, country := range []string{"TW", "CH"} {
		got, err := table.Assess(tax.Sale{Country: country, Goods: 1000, Day: today}, none)
		if err != nil || len(got.Charges) != 1 || !got.Charges[0].Uncertain {
			t.Errorf("%s: %+v, %v; want the tax, uncertain", country, got, err)
		}
	}
}

// TestReliefSaysItsLimit: whoever reads a price learns why it holds no tax.
func TestReliefSaysItsLimit(t *testing.T) {
	t.Parallel()
	got, err := load(t).Assess(tax.Sale{Country: "IL", Goods: 1000, Day: today}, dollars)
	if err != nil || got.Relief == nil || got.Relief.Words != "not collected up to USD 75 of goods for personal use" || !strings.Contains(got.Relief.Source, "Israel Tax Authority") {
		t.Errorf("relief %+v, %v", got.Relief, err)
	}
}
