package classify

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
)

// TestSidesOfCores: a letter after the number of a layer is the side of its core, so that the layer
// lies within the board unless it is the last.
func TestSidesOfCores(t *testing.T) {
	t.Parallel()
	const top, inner, bottom, none = pcb.Top, pcb.Inner, pcb.Bottom, pcb.NoSide
	for names, want := range map[string][]pcb.Side{
		"m38-gtl m38-l2t m38-l3b m38-gbl": {top, inner, inner, bottom},
		"x-l1 x-l2t x-l3b x-l4":           {top, inner, inner, bottom},
		"x-l1t x-l2b":                     {top, bottom},
		"top l2b l3t bottom":              {top, inner, inner, bottom},
		"x-top l2_gnd_bottom":             {top, bottom},
		"x-top x-bottom mask_l2b":         {top, bottom, bottom},
		"l1 l2 outline_l2b":               {top, bottom, none},
	} {
		var in []File
		for _, name := range strings.Fields(names) {
			in = append(in, File{Name: name + ".gbr", Data: []byte(anyGerber)})
		}
		for i, r := range Classify(in).Results {
			if r.Side != want[i] {
				t.Errorf("of %q, %s is a %v on side %v (%s), want %v", names, r.Name, r.Role, r.Side, r.Why, want[i])
			}
		}
	}
}
