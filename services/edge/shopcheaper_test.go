package edge_test

import (
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
)

// TestShopSaysWhatIsCheaper: on request only, by a plain link; seen again it is the same search,
// and one press makes the change. What is not found yet is said to be so.
func TestShopSaysWhatIsCheaper(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	w.readBoard(page)
	hold(t, w.visit("GET", page+"?quantity=10&solder_mask=Blue", nil), 200, "Show what would be cheaper", page+"?quantity=10&solder_mask=Blue&cheaper=yes#cheaper")
	if n := len(w.commandsOf(savings.Find)); n != 0 {
		t.Fatalf("%d searches were made that nobody asked for", n)
	}
	for range 2 {
		a := w.visit("GET", page+"?quantity=10&solder_mask=Blue&cheaper=yes", nil)
		hold(t, a, 200, "Green instead of Blue", "$1.00 less", "$9.00 in all", "Only colours change", page+"?quantity=10&solder_mask=Green#price")
		if n, asked := len(w.commandsOf(savings.Find)), len(w.commandsOf(quotes.Price)); n != 1 || asked != 1 {
			t.Errorf("%d searches and %d quotes were made, want one of each", n, asked)
		}
	}
	if a := w.visit("GET", page+"?quantity=10&solder_mask=Green", nil); strings.Contains(string(a.body), "instead of Blue") {
		t.Error("the page with the change made says what would be cheaper, which nobody asked for")
	}
	w.set(func() { w.refuse = contract.Refuse(contract.PriceUnavailable, "The fabricator does not answer.") })
	hold(t, w.visit("GET", page+"?quantity=10&solder_mask=Green&cheaper=yes", nil), 200, "That is not known yet", "Look again")
}
