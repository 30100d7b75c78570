package design

import (
	"boardorder/pkg/contract/boards"
	"testing"
)

func TestFactsInWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		value         any
		want, message string
	}{
		{"blind_vias", false, "blind vias", "no"}, {"width_mm", 50.5, "width", "50.5 mm"}, {"copper_oz", 1.0, "copper", "1 oz"},
		{"layers", 2.0, "layers", "2"}, {"surface_finish", "enig", "surface finish", "enig"},
	} {
		f := Fact{Name: tt.name, Fact: boards.Fact{Value: tt.value}}
		if got := FactName(tt.name); got != tt.want {
			t.Errorf("FactName(%s) = %q, want %q", tt.name, got, tt.want)
		}
		if got := FactValue(f); got != tt.message {
			t.Errorf("FactValue(%s %v) = %q, want %q", tt.name, tt.value, got, tt.message)
		}
	}
}
