package prices_test

import (
	"testing"

	"boardorder/pkg/contract/prices"
)

// TestWhatIsForEachBoard: what is charged once is not divided among the boards.
func TestWhatIsForEachBoard(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]bool{
		"Boards": true, "Parts": true, "Placement and soldering, top side": true, "Hand soldering of through-hole parts": true,
		"Engineering": false, "Assembly setup": false, "Stencil": false, "Feeders for parts that are not always loaded": false, "Hand soldering setup": false,
		"X-ray inspection": false, "Minimum charge for assembly": false, "Faster build: 48 hours": false, "Electrical test": false,
	} {
		if got := (prices.Line{Label: label}).IsForEach(); got != want {
			t.Errorf("%q is for each board: %t, want %t", label, got, want)
		}
	}
	for label, want := range map[string]bool{
		"Rigid-flex": true, "Setups": true, "Conformal coating": true, "Tooling": false, "Set-up": false, "set up of the line": false, "Stencils": false, "NRE": false, "Unrelated": true,
	} {
		for part, counted := range map[prices.Part]bool{prices.Boards: want, prices.Assembly: want, prices.Shipping: false, prices.Duty: false} {
			if got := (prices.PricedLine{Line: prices.Line{Label: label}, For: part}).IsForEach(); got != counted {
				t.Errorf("%q for %s is for each board: %t, want %t", label, part, got, counted)
			}
		}
	}
}
