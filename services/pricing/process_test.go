package pricing_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
)

// TestWhatIsNoPlainBoardIsNotPricedAsOne: what people have to quote is a review that names
// it, whatever a request leaves to the standard and however it skips checks.
func TestWhatIsNoPlainBoardIsNotPricedAsOne(t *testing.T) {
	t.Parallel()
	needing := map[string]boards.Fact{"blind_vias": {Value: true, Source: "a.drl"}, "copper_unknown": {Value: true}}
	names := map[string]string{"blind_vias": "blind, buried or micro vias", "copper_unknown": "which file is which"}
	for _, p := range pcb.Processes() {
		switch p {
		case pcb.PressFitting, pcb.ViaFilling, pcb.Coverlaying: // options of the catalogue
		default:
			needing[string(p)], names[string(p)] = boards.Fact{Value: true, Source: "a.gbr"}, p.Words()
		}
	}
	for fact, value := range needing {
		d := setup(t)
		b := twoLayers("board")
		b.Facts[fact] = value
		d.reads(t, b)
		request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SkipBoardChecks = true }))
		if refusal != nil {
			t.Errorf("files that state %s: refused by %v, want a price or a review", fact, refusal)
			continue
		}
		q := d.quote(t, request)
		if q.Mode != quotes.ModeReview || !strings.Contains(strings.Join(q.Reply.CustomQuoteReasons, " "), names[fact]) || len(d.fab.requests) > 0 {
			t.Errorf("%s: %s for the reasons %q, the fabricator asked %d times; want %s for %s, not asked", fact, q.Mode, q.Reply.CustomQuoteReasons, len(d.fab.requests), quotes.ModeReview, names[fact])
		}
	}
}
