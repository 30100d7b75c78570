package pricing_test

import (
	"strings"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
)

// TestBuyLinksThatCannotSell: a link is made of a board that shoppers can buy, and
// of nothing else.
func TestBuyLinksThatCannotSell(t *testing.T) {
	t.Parallel()
	layers, thick := 4, 0.11
	broken := twoLayers("a")
	broken.Findings = []contract.Finding{{Level: "must_fix", Check: "outline_open", What: "open"}}
	sized := twoLayers("a")
	sized.Facts["width_mm"] = boards.Fact{Value: 5000.0, Source: "a.gbr"}
	for _, tt := range []struct {
		name    string
		board   boards.Board
		request quotes.Request
		err     error
		want    contract.Code // "" = a link
		words   string
	}{
		{"an ordinary board", twoLayers("a"), quotes.Request{}, nil, "", ""},
		{"the fabricator is away", twoLayers("a"), quotes.Request{}, &fabricator.Error{Kind: fabricator.Unavailable}, "", ""},
		{"faults in the design", broken, quotes.Request{}, nil, contract.DesignFiles, "must be mended"},
		{"as designed", broken, quotes.Request{SkipBoardChecks: true}, nil, "", ""},
		{"no such size", sized, quotes.Request{}, nil, contract.DesignFiles, "no instant price"},
		{"other layers than the files", twoLayers("a"), quotes.Request{Layers: &layers}, nil, contract.InvalidRequest, ""},
		{"no such thickness", twoLayers("a"), quotes.Request{ThicknessMM: &thick}, nil, contract.InvalidRequest, ""},
		{"people price it", twoLayers("a"), quotes.Request{}, &fabricator.Error{Kind: fabricator.Review, Reasons: []string{"Too fine."}}, contract.DesignFiles, "nobody could buy it by a link: Too fine."},
		{"the fabricator refuses", twoLayers("a"), quotes.Request{}, &fabricator.Error{Kind: fabricator.Refused, Fields: []fabricator.Field{{Field: "layers", Message: "is not offered"}}}, contract.InvalidRequest, "does not offer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.reads(t, tt.board)
			d.fab.err = tt.err
			tt.request.StandardForUnstated = true
			_, refusal := d.do(t, buylinks.Create, buylinks.CreateData{Link: "bl_1", Upload: "u", Key: "k", Request: tt.request})
			now, err := aggregate.At[buylinks.BuyLink](d, contract.BuyLinkAggregate, "bl_1").Load(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if made := now.State.ID == "bl_1"; made != (tt.want == "") || made != (refusal == nil) {
				t.Fatalf("made %v, refusal %+v; want it made: %v, else a refusal", made, refusal, tt.want == "")
			}
			if refusal != nil && (refusal.Code != tt.want || !strings.Contains(refusal.Message, tt.words)) {
				t.Errorf("refusal %+v, want %s %q", refusal, tt.want, tt.words)
			}
		})
	}
}
