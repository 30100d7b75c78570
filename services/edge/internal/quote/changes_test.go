package quote

import (
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"

	"github.com/google/go-cmp/cmp"
)

// TestFindChanges: each amount, line, option, part and date that is otherwise is named once, with
// the difference in cents; what is alike is not.
func TestFindChanges(t *testing.T) {
	t.Parallel()
	quote := func(total int64, delivery, mask, mpn string, lines ...prices.Line) quotes.Quote {
		tax := int64(0)
		q := quotes.Quote{Mode: quotes.ModeInstant, Digest: "d", Reply: quotes.Reply{
			Fabricator: map[string]string{"Green": "far_east", "Blue": "near_by"}[mask],
			Quantity:   10, TotalCents: &total, TaxCents: &tax, Lines: lines, Delivery: &delivery,
			BoardDetails: &quotes.BoardDetails{Layers: 2, SolderMask: mask, FabOptions: map[string]any{"gold_fingers": "none"}},
			Parts:        []assemblies.Part{{Found: partchecks.Found{Reference: "U1", MPN: mpn, Supplier: "distributor_a"}, Fitting: "fitted"}},
		}}
		return q
	}
	old := quote(3000, "7 to 9 working days", "Green", "LM358DR", prices.Line{Label: "Boards", Cents: 2000}, prices.Line{Label: "Shipping", Cents: 1000})
	now := quote(3150, "8 to 9 working days", "Blue", "LM358", prices.Line{Label: "Boards", Cents: 2050}, prices.Line{Label: "Shipping", Cents: 1000}, prices.Line{Label: "Blue", Cents: 100})
	if got := findChanges(old, old); len(got) != 0 {
		t.Errorf("a quote beside itself has changed: %+v", got)
	}
	by := func(cents int64) *int64 { return &cents }
	want := []Change{
		{"quote", "fabricator", "far_east", "near_by", nil},
		{"amount", "total_cents", int64(3000), int64(3150), by(150)},
		{"line", "Boards", int64(2000), int64(2050), by(50)},
		{"line", "Blue", nil, int64(100), by(100)},
		{"option", "solder_mask", "Green", "Blue", nil},
		{"delivery", "delivery", "7 to 9 working days", "8 to 9 working days", nil},
		{"part", "U1", "fitted, LM358DR, distributor_a", "fitted, LM358, distributor_a", nil},
	}
	if diff := cmp.Diff(want, findChanges(old, now)); diff != "" {
		t.Errorf("changes (-want +got)\n%s", diff)
	}
}
