package format

import (
	"testing"
)

func TestParseCents(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"0": 0, "12": 1200, "12.5": 1250, "12.50": 1250, " $1,234.56 ": 123456, "-10": -1000, "−0.01": -1, "1,234,567": 123456700,
		"12,50": 1250, "12,5": 1250, "-0,01": -1, "1.234,50": 123450, "1.234.567,8": 123456780, "1,234": 123400, "$0,99": 99,
	} {
		if got, err := ParseCents(in); got != want || err != nil {
			t.Errorf("parseCents(%q) = %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "-", ".", "1.", ".5", "1.234", "1.234.567", "12,", ",5", "1,23,4", "1,234,5", "1.23,4", "1.234,567", "1,234.567", "1234.567,8", "1e3", "0x10", "１", "99999999999999999999", "1 000", "+5", "--1", ",123"} {
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

// TestExplainAmount: what is wrong is said with the line that it is wrong at.
func TestExplainAmount(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, of, want string }{
		{"", "Boards", "“Boards” needs an amount such as 1234.50."}, {"", "", "Enter an amount, such as 1234.50."},
		{"12,", "Boards", "“12,” is not an amount of “Boards”. Write it like 1234.50."}, {"12,", "", "“12,” is not an amount. Write it like 1234.50."},
	} {
		if got := ExplainAmount(tt.text, tt.of); got != tt.want {
			t.Errorf("ExplainAmount(%q, %q) = %q, want %q", tt.text, tt.of, got, tt.want)
		}
	}
}
