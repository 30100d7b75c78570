package mouser

import (
	"encoding/json"
	"testing"

	"boardorder/services/part-sourcing/internal/part"
)

func TestLocalPrice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"$0.10": "0.10", "1,40 €": "1.40", "$1,234.50": "1234.50", "1.234,50 €": "1234.50", "£0.0125": "0.0125", "0,012": "0.012", "12": "12.00", "-$1.00": "!", "": "!", "($2)": "!", "free": "!",
		"€1,234.56": "1234.56", "$1,234": "1234.00", "1.234 €": "1234.00", "1,234 €": "1.234", "$1.234": "1.234", "$0.012": "0.012",
		"5.36": "5.36", "1.234": "1.234", "N/A": "!", "Quote": "!",
	} {
		p, err := localPrice(text)
		got := p.String()
		if err != nil {
			got = "!"
		}
		if got != want {
			t.Errorf("localPrice(%q) = %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]int{"42 Days": 42, "6 Weeks": 42, "": -1, "soon": -1, "9999 Weeks": -1} {
		if got := leadDays(text); got != want {
			t.Errorf("leadDays(%q) = %d, want %d", text, got, want)
		}
	}
}

func FuzzLocalPrice(f *testing.F) {
	for _, s := range []string{"$0.10", "1,40 €", "1.234,50 €", ".,", "-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := localPrice(s); err == nil && p < 0 {
			t.Errorf("localPrice(%q) = %s, want 0 at least", s, p)
		}
	})
}

// FuzzPart: whatever a part says of itself, no offer of it has figures that cannot
// be true.
func FuzzPart(f *testing.F) {
	f.Add([]byte(`{"AvailabilityInStock":"-7","Min":"0","Mult":"x","LeadTime":"6 Weeks","PriceBreaks":[{"Quantity":1,"Price":"$0.10","Currency":"USD"}]}`))
	f.Add([]byte(`{"Min":"10","Mult":"-10","PriceBreaks":[{"Quantity":1,"Price":"Quote","Currency":"USD"}],"IsDiscontinued":"true"}`))
	c, err := New(Config{URL: "https://a.example", APIKey: "k", Name: "distributor_b"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p wirePart
		if json.Unmarshal(data, &p) != nil {
			return
		}
		if o, err := c.offer(&p); err == nil && (o.Stock < 0 || o.Minimum < 1 || o.Multiple < 1 || o.LeadDays < -1 || len(part.ValidBreaks(o.Breaks)) != len(o.Breaks)) {
			t.Errorf("offer %+v, want amounts that can be, and prices in order", o)
		}
	})
}
