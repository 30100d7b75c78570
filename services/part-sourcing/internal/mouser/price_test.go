package mouser

import "testing"

func TestLocalPrice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"$0.10": "0.10", "1,40 €": "1.40", "$1,234.50": "1234.50", "1.234,50 €": "1234.50", "£0.0125": "0.0125", "0,012": "0.012", "12": "12.00", "-$1.00": "!", "": "!", "($2)": "!", "free": "!",
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
			t.Errorf("localPrice(%q) = %s", s, p)
		}
	})
}
