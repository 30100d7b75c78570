package format

import (
	"testing"
)

func TestParseCents(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"0": 0, "12": 1200, "12.5": 1250, "12.50": 1250, " $1,234.56 ": 123456, "-10": -1000, "−0.01": -1, "1,234,567": 123456700,
	} {
		if got, err := ParseCents(in); got != want || err != nil {
			t.Errorf("parseCents(%q) = %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "-", ".", "1.", ".5", "1.234", "12,50", "1,23,4", "1e3", "0x10", "１", "99999999999999999999", "1 000", "+5", "--1", ",123"} {
		if got, err := ParseCents(in); err == nil {
			t.Errorf("parseCents(%q) = %d, want an error", in, got)
		}
	}
}

func FuzzParseCents(f *testing.F) {
	f.Add("1,234.56")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseCents(s)
		if err != nil {
			return
		}
		if again, err := ParseCents(Decimal(n)); err != nil || again != n {
			t.Errorf("parseCents(%q) = %d, written and read again %d, %v", s, n, again, err)
		}
	})
}
