package orders

import (
	"strings"
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// TestOrderSheet: whoever orders by hand reads all that the files do not say.
func TestOrderSheet(t *testing.T) {
	t.Parallel()
	notes := "NOTE-A depth milling"
	replaced := assemblies.Part{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "C1", MPN: "NEW"}}
	replaced.Replaces = "OLD"
	o := orders.Order{Ref: "BO-1", Quantity: 10, Board: "4 layers", Sold: quotes.Quote{
		TeamNote: "P1 is left off.",
		Request:  quotes.Request{Quantity: 10, Assembly: true, SpecialNotes: &notes, FileStackup: []byte(`{"core_mm":1.2}`)},
		Assembly: &quotes.QuotedAssembly{Boards: 8},
		Reply: quotes.Reply{
			NotIncluded:  []string{"Shipping to you"},
			BoardDetails: &quotes.BoardDetails{Layers: 4, ThicknessMM: 1.6, CopperOz: 1, SurfaceFinish: "enig", SolderMask: "Blue", FabStackup: "SIM-1", FabOptions: map[string]any{"edge_plating": true}},
			Parts: []assemblies.Part{
				{Fitting: assemblies.LeftOff, Found: partchecks.Found{Reference: "P1,P2"}}, {Fitting: assemblies.CustomerSupplied, Found: partchecks.Found{Reference: "U1"}}, replaced,
			},
		},
	}}
	sheet := orderSheet(o)
	for _, want := range []string{"BO-1", "10\n", "1.6 mm", "1 oz", "enig", "Blue", "SIM-1", "edge plating: yes", "core mm: 1.2", "8 boards", "P1, P2", "U1", "C1: NEW in place of OLD", "Shipping to you", notes, "P1 is left off."} {
		if !strings.Contains(sheet, want) {
			t.Errorf("the sheet does not say %q:\n%s", want, sheet)
		}
	}
	if bare := orderSheet(orders.Order{Ref: "BO-2", Quantity: 1}); strings.Contains(bare, "Assembled") || strings.Contains(bare, "notes") {
		t.Errorf("a sheet of bare boards, want neither an assembly nor notes:\n%s", bare)
	}
}
