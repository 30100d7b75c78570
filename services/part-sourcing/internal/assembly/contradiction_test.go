package assembly_test

import (
	"testing"

	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
)

func TestContradict(t *testing.T) {
	t.Parallel()
	r1, c1, u1 := []string{"R1"}, []string{"C1"}, []string{"U1"}
	for name, tt := range map[string]struct {
		a, b bom.Line
		want bool
	}{
		"other numbers":            {bom.Line{Refs: u1, MPN: "LM358DR"}, bom.Line{Refs: u1, MPN: "TL072CDR"}, true},
		"numbers of other packing": {bom.Line{Refs: u1, MPN: "LM358DR/NOPB"}, bom.Line{Refs: u1, MPN: "lm358dr"}, false},
		"one that the list allows": {bom.Line{Refs: u1, MPN: "LM358DR", Alternates: []bom.Part{{MPN: "LM358DT"}}}, bom.Line{Refs: u1, MPN: "LM358DT"}, false},
		"a number and a value":     {bom.Line{Refs: u1, MPN: "LM358DR"}, bom.Line{Refs: u1, Value: "OpAmp 12"}, false},
		"other codes":              {bom.Line{Refs: u1, FabCode: "C1234"}, bom.Line{Refs: u1, FabCode: "C4321"}, true},
		"values in other words":    {bom.Line{Refs: r1, Value: "4k7 1%", Footprint: "R_0603_1608Metric"}, bom.Line{Refs: r1, Value: "4.7k", Footprint: "0603"}, false},
		"other values":             {bom.Line{Refs: r1, Value: "4k7"}, bom.Line{Refs: r1, Value: "47k"}, true},
		"other sizes":              {bom.Line{Refs: c1, Value: "1u", Footprint: "0402"}, bom.Line{Refs: c1, Value: "1u", Footprint: "0603"}, true},
		"other numbers as values":  {bom.Line{Refs: u1, Value: "LM358DR"}, bom.Line{Refs: u1, Value: "TL072CDR"}, true},
		"words":                    {bom.Line{Refs: u1, Value: "op amp"}, bom.Line{Refs: u1, Value: "amplifier"}, false},
		"nothing":                  {bom.Line{Refs: u1}, bom.Line{Refs: u1, Value: "LM358DR"}, false},
	} {
		if got, back := assembly.Contradict(&tt.a, &tt.b), assembly.Contradict(&tt.b, &tt.a); got != tt.want || back != tt.want {
			t.Errorf("%s: %t and %t, want %t", name, got, back, tt.want)
		}
	}
}
