package pricing_test

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
)

// What the fabricator lists decides about a stackup before it is asked for a price.
func TestStackupsAreHeldToTheFabricatorsList(t *testing.T) {
	t.Parallel()
	four := twoLayers("first")
	four.Facts["layers"] = boards.Fact{Value: 4, Source: "a.gbr"}
	listed := stackups{4: {{Code: "A-4", Material: "FR-4", Layers: 4, ThicknessMM: 1.6, CopperOz: 1, InnerCopperOz: 0.5}}}
	every := stackups{}
	for layers := 4; layers <= 20; layers += 2 {
		every[layers] = listed[layers]
	}
	for name, tt := range map[string]struct {
		stock   stackups
		request string
		code    contract.Code
		field   string
		prices  int
	}{
		"as listed":                        {listed, `{"fab_stackup":"A-4"}`, "", "", 1},
		"another thickness":                {listed, `{"fab_stackup":"A-4","thickness_mm":0.8}`, contract.InvalidRequest, "thickness_mm", 0},
		"none of that code":                {every, `{"fab_stackup":"X-4"}`, contract.InvalidRequest, "fab_stackup", 0},
		"not listed, or not yet asked for": {listed, `{"fab_stackup":"X-4"}`, contract.PriceUnavailable, "", 0},
		"no stackup, none known":           {nil, `{}`, "", "", 1},
	} {
		d := setup(t)
		d.stock = tt.stock
		d.reads(t, four)
		_, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) {
			if err := json.Unmarshal([]byte(tt.request), r); err != nil {
				t.Fatal(err)
			}
		}))
		switch {
		case refusal == nil && tt.code == "":
		case refusal == nil || refusal.Code != tt.code || tt.field != "" && refusal.Fields[0].Field != tt.field:
			t.Errorf("%s: refused by %+v; want %q of field %q", name, refusal, tt.code, tt.field)
		}
		if len(d.fab.requests) != tt.prices {
			t.Errorf("%s: the fabricator was asked %d times, want %d", name, len(d.fab.requests), tt.prices)
		}
	}
}
