package dfm

import "testing"

func TestNominal(t *testing.T) {
	t.Parallel()
	thickness, copper := []float64{0.4, 0.8, 1.6, 2}, []float64{0.5, 1, 2}
	for _, tt := range []struct {
		v     float64
		built []float64
		want  float64
	}{
		{1.5862, thickness, 1.6},
		{1.671119, thickness, 1.6},
		{0.35, thickness, 0.4},
		{0.33, thickness, 0.33}, // beyond the slack
		{1.4, thickness, 1.4},   // between two
		{0.45, copper, 0.5},
		{0.43, copper, 0.43},
		{1.07, copper, 1.07},
		{1.06, copper, 1},
		{3, nil, 3},
	} {
		if got := Nominal(tt.v, tt.built); got != tt.want {
			t.Errorf("Nominal(%v, %v) = %v; want %v", tt.v, tt.built, got, tt.want)
		}
	}
}
