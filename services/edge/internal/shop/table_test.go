package shop

import (
	"strings"
	"testing"

	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/language"
)

// TestTableOfCells: a cell is the price of its quantity in a build, and
// leads to the checkout with both; what has no price says so.
func TestTableOfCells(t *testing.T) {
	t.Parallel()
	cell := func(quantity, hours int, cents int64) pricetables.Cell {
		return pricetables.Cell{Quantity: quantity, Status: pricetables.Priced, Standard: hours > 48, BuildTimeHours: &hours, TotalCents: &cents}
	}
	f := choices{"quantity": {"10"}, "solder_mask": {"Blue"}, "table": {"yes"}}
	v := tableOfCells(newVoice(language.Find("en")), "/order/up_x", f, []int{5, 10, 50, 100}, []pricetables.Cell{
		cell(5, 120, 3000), cell(5, 48, 3900), cell(5, 24, 5100), cell(10, 144, 3554), cell(10, 24, 5654), {Quantity: 50, Status: pricetables.Review, Standard: true},
	}, 10)
	if got, want := strings.Join(v.Builds, "|"), "Standard build|48 hours|24 hours"; got != want {
		t.Errorf("builds %q, want %q", got, want)
	}
	for i, want := range []string{"$30.00 $39.00 $51.00", "$35.54  $56.54", "Our team prices this number.", "No price yet: please look again in a moment."} {
		var prices []string
		for _, c := range v.Rows[i].Cells {
			prices = append(prices, c.Price)
		}
		if got := strings.Join(prices, " ") + v.Rows[i].Words; got != want || v.Rows[i].Chosen != (v.Rows[i].Count == "10") {
			t.Errorf("row of %s: %q, chosen %v; want %q, 10 alone chosen", v.Rows[i].Count, got, v.Rows[i].Chosen, want)
		}
	}
	if got, want := v.Rows[0].Cells[2].URL, "/order/up_x?build_hours=24&go=checkout&quantity=5&solder_mask=Blue"; got != want {
		t.Errorf("the cell of 5 boards in 24 hours leads to %q, want %q", got, want)
	}
	if got, want := v.Rows[1].Cells[0].URL, "/order/up_x?go=checkout&quantity=10&solder_mask=Blue"; got != want {
		t.Errorf("the cell of 10 boards leads to %q, want %q", got, want)
	}
}
