package part_test

import (
	"math/big"
	"testing"

	"boardorder/services/part-sourcing/internal/part"
)

func TestParsePrice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0.0125": "0.0125", "12": "12.00", "1.5": "1.50", "0.000001": "0.000001", "0.0000005": "0.00", "0.0000015": "0.000002", "199999.99": "199999.99",
		"": "!", "-1": "!", "1e3": "!", "1,5": "!", ".5": "!", "200001": "!", "1.": "1.00", "0.1234567890123": "!", "x": "!", "+1": "!", "1.-5": "!",
	} {
		p, err := part.ParsePrice(text)
		got := p.String()
		if err != nil {
			got = "!"
		}
		if got != want {
			t.Errorf("ParsePrice(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		price part.Price
		n     int64
		want  int64
		ok    bool
	}{
		{1_000_000, 3, 300, true}, {5_000, 1, 0, true}, {15_000, 1, 2, true}, {25_000, 1, 2, true}, {500, 10_000, 500, true},
		{part.MaxPrice, 1 << 40, 0, false}, {1, -1, 0, false},
	} {
		if got, ok := tt.price.Times(tt.n); got != tt.want || ok != tt.ok {
			t.Errorf("%s × %d = %d, %v; want %d, %v", tt.price, tt.n, got, ok, tt.want, tt.ok)
		}
	}
}

func FuzzParsePrice(f *testing.F) {
	for _, s := range []string{"0.0125", "1", "199999.999999999999", "0.0000005"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := part.ParsePrice(s)
		if err != nil {
			return
		}
		exact, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q was read, and is no number", s)
		}
		off := new(big.Rat).Sub(exact, big.NewRat(int64(p), 1_000_000))
		if off.Abs(off).Cmp(big.NewRat(1, 2_000_000)) > 0 {
			t.Errorf("%q gave %s, want it within half a millionth", s, p)
		}
	})
}
