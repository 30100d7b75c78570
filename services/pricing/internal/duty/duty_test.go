package duty_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/services/pricing/internal/duty"

	"github.com/google/go-cmp/cmp"
)

const today = dated.Day("2026-11-21")

// converter: a euro is $1.20, a pound $1.30, a leu $0.25.
func converter(currency string, hundredths int64) (int64, error) {
	rates := map[string]int64{"USD": 100, "EUR": 120, "GBP": 130, "RON": 25}
	if rates[currency] == 0 {
		return 0, fmt.Errorf("no rate for %s", currency)
	}
	return hundredths * rates[currency] / 100, nil
}

func load(t *testing.T) *duty.Table {
	t.Helper()
	table, err := duty.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func bare(country, union, origin string, cents int64) duty.Consignment {
	return duty.Consignment{
		Country: country, Union: union, Origin: origin, Day: today, FreightCents: 2000,
		Items: []duty.Item{{HSCode: "8534.00", Cents: cents}},
	}
}

// formatCharges shows charges as "rule=cents".
func formatCharges(charges []duty.Charge) []string {
	var out []string
	for _, c := range charges {
		out = append(out, fmt.Sprintf("%s=%d", c.Rule, c.Cents))
	}
	return out
}

func TestAssess(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		in     duty.Consignment
		change func(*duty.Consignment)
		want   []string
	}{
		{
			"US from China: sections add up, on the goods alone", bare("US", "", "CN", 10000), nil,
			[]string{"us-mfn-8534=0", "us-mpf-informal=269", "us-301-8534=2500", "us-after-122-8534=1500"},
		},
		{
			"US while Section 122 was in force", bare("US", "", "CN", 10000), func(c *duty.Consignment) { c.Day = "2026-07-23" },
			[]string{"us-mfn-8534=0", "us-mpf-informal=269", "us-301-8534=2500", "us-122-8534=1000"},
		},
		{
			"US from Taiwan bears no Section 301", bare("US", "", "TW", 10000), nil,
			[]string{"us-mfn-8534=0", "us-mpf-informal=269", "us-after-122-8534=1500"},
		},
		{
			"a formal entry's fee has a floor", bare("US", "", "TW", 300000), nil,
			[]string{"us-mfn-8534=0", "us-mpf-formal=3358", "us-after-122-8534=45000"},
		},
		{
			"and a ceiling", bare("US", "", "TW", 100000000), nil,
			[]string{"us-mfn-8534=0", "us-mpf-formal=65150", "us-after-122-8534=15000000"},
		},
		{
			"EU consumer up to 150 euros: 3 euros and the handling fee", bare("DE", "EU", "CN", 18000), nil,
			[]string{"eu-handling=240", "eu-low-value=360"},
		},
		{"EU consumer over 150 euros: free", bare("DE", "EU", "CN", 18001), nil, []string{"eu-mfn-8534=0"}},
		{
			"EU business up to 150 euros: the tariff, which is free", bare("DE", "EU", "CN", 5000), func(c *duty.Consignment) { c.Business = true },
			[]string{"eu-handling=240", "eu-mfn-8534=0"},
		},
		{
			"EU the day before the new rule", bare("DE", "EU", "CN", 5000), func(c *duty.Consignment) { c.Day = "2026-06-30" },
			[]string{"eu-relief=0"},
		},
		{
			"EU after the temporary rule: the tariff", bare("DE", "EU", "CN", 5000), func(c *duty.Consignment) { c.Day = "2028-07-01" },
			[]string{"eu-handling=240", "eu-mfn-8534=0"},
		},
		{"a country's own fee takes the union's place", bare("RO", "EU", "CN", 5000), nil, []string{"ro-handling=625", "eu-low-value=360"}},
		{"UK up to 135 pounds", bare("GB", "", "CN", 17550), nil, []string{"gb-relief=0"}},
		{"UK over 135 pounds", bare("GB", "", "CN", 17551), nil, []string{"gb-mfn-8534=0"}},
		{"Gulf: on goods and freight", bare("AE", "GCC", "CN", 10000), nil, []string{"gcc-mfn-8534=600"}},
		{"Brazil over 50 dollars", bare("BR", "", "CN", 10000), nil, []string{"br-courier=7200"}},
		{"India: anti-dumping for China", bare("IN", "", "CN", 10000), nil, []string{"in-ad-cn=3600", "in-mfn-8534=0"}},
		{"India: none for Taiwan", bare("IN", "", "TW", 10000), nil, []string{"in-mfn-8534=0"}},
		{"no border: the same country", bare("US", "", "US", 10000), nil, nil},
		{"no border: the same union", bare("DE", "EU", "FR", 10000), func(c *duty.Consignment) { c.OriginUnion = "EU" }, nil},
	}
	table := load(t)
	for _, tt := range tests {
		if tt.change != nil {
			tt.change(&tt.in)
		}
		got, err := table.Assess(tt.in, converter)
		if diff := cmp.Diff(tt.want, formatCharges(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", tt.name, err, diff)
		}
	}
}

func TestFlatFeesCountOnceForASubheading(t *testing.T) {
	t.Parallel()
	c := bare("DE", "EU", "CN", 5000)
	c.Items = append(c.Items, duty.Item{HSCode: "8534.00", Cents: 3000}, duty.Item{HSCode: "8537.10", Cents: 1000})
	got, err := load(t).Assess(c, converter)
	want := []string{"eu-handling=240", "eu-low-value=360", "eu-handling=240", "eu-low-value=360"}
	if diff := cmp.Diff(want, formatCharges(got)); diff != "" || err != nil {
		t.Errorf("two sub-headings: %v (-want +got)\n%s", err, diff)
	}
}

func TestUnknownIsNotFree(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]duty.Consignment{
		"an unknown country":           bare("KP", "", "CN", 100),
		"goods without a rule":         {Country: "US", Origin: "CN", Day: today, Items: []duty.Item{{HSCode: "9018.90", Cents: 100}}},
		"a day before the rules begin": {Country: "US", Origin: "CN", Day: "2020-01-01", Items: []duty.Item{{HSCode: "8534.00", Cents: 100}}},
	} {
		if got, err := load(t).Assess(c, converter); !errors.Is(err, duty.ErrUnknown) {
			t.Errorf("%s: %v, %v; want ErrUnknown", name, got, err)
		}
	}
}

func TestAMissingRateIsAnError(t *testing.T) {
	t.Parallel()
	broken := func(string, int64) (int64, error) { return 0, errors.New("no rates today") }
	if _, err := load(t).Assess(bare("DE", "EU", "CN", 5000), broken); err == nil {
		t.Error("a threshold was compared without a rate")
	}
}

// Every country that is served has a rule for bare and for the usual assembled
// boards, today and in a year.
func TestEveryCountryIsCovered(t *testing.T) {
	t.Parallel()
	book, err := destination.Load()
	if err != nil {
		t.Fatal(err)
	}
	everyCurrency := func(_ string, hundredths int64) (int64, error) { return hundredths, nil }
	for _, code := range book.Codes() {
		country, _ := book.Country(code)
		for _, hs := range []string{"8534.00", "8473.30", "8537.10"} {
			for _, day := range []dated.Day{today, "2027-11-21"} {
				c := duty.Consignment{Country: code, Union: country.Union, Origin: "CN", Day: day, Items: []duty.Item{{HSCode: hs, Cents: 20000}}}
				if _, err := load(t).Assess(c, everyCurrency); err != nil {
					t.Errorf("duty of %+v: %v", c, err)
				}
			}
		}
	}
}

const head = "id,destination,origin,hs,basis,per,percent,amount,currency,min_usd,max_usd,over,up_to,value_currency,buyer,base,replaces,words," +
	"valid_from,valid_to,source,checked,certainty,note\n"

func TestReadNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	good := "a,US,*,8534,mfn,item,5,,,,,,,,any,fob,,words,2026-01-01,,law,2026-11-21,confirmed,\n"
	for name, tt := range map[string]struct{ rows, want string }{
		"no percentage and no amount": {strings.Replace(good, ",5,", ",,", 1), "column percent"},
		"both":                        {strings.Replace(good, "item,5,,", "consignment,5,3,EUR", 1), "column"},
		"an amount without currency":  {strings.Replace(good, "item,5,,", "subheading,,3,", 1), "column amount"},
		"a threshold of no currency":  {strings.Replace(good, ",,,any", ",150,,any", 1), "column value_currency"},
		"letters in the HS code":      {strings.Replace(good, "8534", "85AB", 1), "column hs"},
		"the same id twice":           {good + strings.Replace(good, "8534", "8537", 1), "stands twice"},
		"two rules for the same day":  {good + strings.Replace(good, "a,", "b,", 1), "the rules a and b"},
		"an unknown way to count":     {strings.Replace(good, "item", "box", 1), "line 2, column per"},
	} {
		_, err := duty.Read("t.csv", strings.NewReader(head+tt.rows))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want it to say %q", name, err, tt.want)
		}
	}
	if _, err := duty.Read("t.csv", strings.NewReader(head+good)); err != nil {
		t.Errorf("a good row: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(head + "a,US,*,8534,mfn,item,5,,,,,,,,any,fob,,words,2026-01-01,,law,2026-11-21,confirmed,\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := duty.Read("f.csv", strings.NewReader(text))
		if err != nil {
			return
		}
		charges, err := table.Assess(bare("US", "", "CN", 10000), converter)
		if err == nil && duty.Total(charges) < 0 {
			t.Error("a duty below zero")
		}
	})
}
