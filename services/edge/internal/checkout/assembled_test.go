package checkout_test

import (
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

const outline = `<svg xmlns="http://www.w3.org/2000/svg" width="50mm" height="40mm" viewBox="0 0 50 40" stroke-width=".12"><rect x="5" y="6" width="8" height="5" fill="#ffd54a" stroke="#7a4b00"><title>U1</title></rect></svg>`

// assembleBoards has boards whose parts are bought, replaced, supplied, left off and
// without a price, with pictures of both sides.
func assembleBoards(s *harness) func(*quotes.Quote) {
	s.t.Helper()
	for _, key := range []string{"boards/x/parts-top.svg", "boards/x/parts-bottom.svg"} {
		if _, err := s.blobs.Put(s.t.Context(), key, strings.NewReader(outline), int64(len(outline)), "image/svg+xml"); err != nil {
			s.t.Fatal(err)
		}
	}
	s.put(contract.BoardAggregate, "assembled", boards.ReadFiles{Digest: "assembled", Boards: []boards.Board{{Name: "board", Top: "boards/x/top.png", Bottom: "boards/x/top.png"}}})
	part := func(refs, mpn, fitting string, change func(*assemblies.Part)) assemblies.Part {
		p := assemblies.Part{Fitting: fitting, Found: partchecks.Found{Reference: refs, Part: mpn, MPN: mpn, QuantityPerBoard: 1}}
		if fitting == assemblies.Fitted {
			p.Bought, p.Supplier, p.Verdict = 10, "Distributor", "ok"
		}
		if change != nil {
			change(&p)
		}
		return p
	}
	return func(q *quotes.Quote) {
		yes := true
		q.Reply.Assembled = &yes
		q.Request.Assembly, q.Digest, q.Board = true, "assembled", "board"
		q.Assembly = &quotes.QuotedAssembly{
			ID: "a", Boards: 10, At: s.now(), Service: "economic", TopSVG: "boards/x/parts-top.svg", BottomSVG: "boards/x/parts-bottom.svg",
			Work: []prices.Line{{Label: "Assembly setup", Cents: 800}, {Label: "Stencil", Cents: 150}}, PartCents: 4321,
		}
		q.Reply.Parts = []assemblies.Part{
			part(strings.Repeat("C10,", 60)+"C11", "CL05B104KO5NNNC", assemblies.Fitted, nil),
			part("U1", "LM2904DR", assemblies.Fitted, func(p *assemblies.Part) { p.Replaces, p.Approved = "LM358DR", true }),
			part("R1", "RC0603FR-0710KL", assemblies.Fitted, func(p *assemblies.Part) {
				p.Replaces, p.Source, p.Supplier = "ERJ-3EKF1002V", "fab", "fabricator"
			}),
			part("J1", "B2B-PH-K-S", assemblies.CustomerSupplied, nil), part("D9", "BAT54", assemblies.LeftOff, nil),
			part("U7", "NO-SUCH-PART", assemblies.Fitted, func(p *assemblies.Part) {
				p.Bought, p.Verdict, p.Why = 0, "problem", "not found at the fabricator, distributor A or the parts search"
				p.Searched, p.Description, p.Footprint = []string{"fab", "distributor_a", "aggregator"}, "LDO 3.3 V", "SOT-23"
				p.Manufacturer = "Acme Analog"
			}),
		}
		q.Reply.UnlistedRefs = []string{"R77", "U99"}
	}
}

// TestPageTellsWhatSoldOut: in the reader's language, and of what is merely scarce nothing.
func TestPageTellsWhatSoldOut(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		short    bool
		query    string
		has, not string
	}{
		"sold out":  {true, "?lang=en", "Sold out when suppliers were last asked: R1 TEST-SELLS-OUT.", "Bei der letzten"},
		"in German": {true, "?lang=de", "Bei der letzten Abfrage der Lieferanten ausverkauft: R1 TEST-SELLS-OUT.", "Sold out when"},
		"scarce":    {false, "?lang=en", "10 boards assembled.", "Sold out when"},
	} {
		s := open(t, nil)
		assembled := assembleBoards(s)
		s.quote(func(q *quotes.Quote) {
			assembled(q)
			q.Watched = &quotes.WatchedParts{At: s.now(), Low: []quotes.LowPart{{Line: 3, Reference: "R1", MPN: "TEST-SELLS-OUT", Short: tt.short}}}
		})
		if page := s.get(tt.query); !strings.Contains(page.body, tt.has) || strings.Contains(page.body, tt.not) {
			t.Errorf("%s: want %q and not %q in\n%s", name, tt.has, tt.not, page.body)
		}
	}
}

// TestAssembledPage: a shopper sees what becomes of each part and who said so,
// what is on the board and on no list, and the parts of both sides.
func TestAssembledPage(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(assembleBoards(s))
	page := s.get("")
	page.has(t, "10 boards assembled.", "Replaced, as you approved (1)", "in place of LM358DR", "Replaced by parts that are no worse (1)", "in place of ERJ-3EKF1002V", "from the fabricator", "from Distributor",
		"You send these (1)", "Left off (1)", "BAT54", "Without a price yet (1)", "Acme Analog · LDO 3.3 V · SOT-23 · not found at the fabricator, distributor A or the parts search", "On your board, but not on your list (2)", "R77, U99",
		"Assembly setup", "parts.svg", "parts.svg?side=bottom")
	for _, side := range []string{"", "?side=bottom"} {
		if a := s.do(http.MethodGet, s.path()+"/parts.svg"+side, nil); a.status != http.StatusOK || a.body != outline || a.header.Get("Content-Type") != "image/svg+xml" {
			t.Errorf("outlines %q: %d %q; want 200 and the drawing", side, a.status, a.body)
		}
	}
}
