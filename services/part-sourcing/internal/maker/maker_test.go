package maker_test

import (
	"testing"

	"boardorder/services/part-sourcing/internal/maker"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"TI", "Texas Instruments", true},
		{"Texas Instruments Inc.", "TEXAS INSTRUMENTS", true},
		{"STM", "STMicroelectronics", true},
		{"Linear Technology", "Analog Devices Inc.", true},
		{"Samsung", "Samsung Electro-Mechanics", true},
		{"Wurth Elektronik", "Würth Elektronik", true},
		{"Some Small Maker Ltd", "Some Small Maker", true},
		{"Some Small", "Some Small Maker", true},
		{"", "Murata", true},
		{"Murata", "TDK", false},
		{"onsemi", "Nexperia", false},
		{"Unknown House", "Murata", false},
	} {
		if got := maker.Same(tt.a, tt.b); got != tt.want || maker.Same(tt.b, tt.a) != got {
			t.Errorf("Same(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
	if name, ok := maker.Known("MURATA ELECTRONICS"); !ok || name != "Murata Electronics" {
		t.Error(name, ok)
	}
	if _, ok := maker.Known("LED"); ok {
		t.Error("LED is a manufacturer")
	}
}
