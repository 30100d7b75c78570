package shop

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/language"
	"boardorder/pkg/money"
)

// TestSavingViews: each kind of change in words, with the choice that makes it; what the page
// has no field or no words for is left out.
func TestSavingViews(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	s, p := &Shop{Config: Config{Catalog: c}}, newVoice(language.Find(language.English))
	f := choices{"quantity": {"9"}, "solder_mask": {"Blue"}, "cheaper": {"yes"}}
	for name, tt := range map[string]struct {
		saving, change, url string
		shown               bool
	}{
		"a colour":                    {`{"kind":"solder_mask","change":{"solder_mask":"Green"},"changes":[{"field":"solder_mask","from":"Blue","to":"Green"}]}`, "Green instead of Blue", "/o?quantity=9&solder_mask=Green", true},
		"a finish":                    {`{"kind":"surface_finish","change":{"surface_finish":"hasl_lead_free"},"changes":[{"field":"surface_finish","from":"enig","to":"hasl_lead_free"}]}`, "Lead-free HASL instead of ENIG", "/o?quantity=9&solder_mask=Blue&surface_finish=hasl_lead_free", true},
		"more boards":                 {`{"kind":"quantity","change":{"quantity":10},"changes":[{"field":"quantity","from":9,"to":10}]}`, "10 boards instead of 9 boards", "/o?quantity=10&solder_mask=Blue", true},
		"a size":                      {`{"kind":"board_size","changes":[{"field":"width_mm","from":101.5,"to":100}]}`, "No side longer than 100 mm", "", true},
		"a drill":                     {`{"kind":"drill_size","changes":[{"field":"smallest_drill_mm","from":0.15,"to":0.2}]}`, "No hole smaller than 0.2 mm", "", true},
		"thick gold":                  {`{"kind":"gold_thickness","change":{"fab_options":{}},"changes":[{"field":"fab_options.gold_thickness_uin","from":"2","to":"1"}]}`, "", "", false},
		"a colour and something else": {`{"kind":"solder_mask","change":{"solder_mask":"Green","fab_options":{}},"changes":[{"field":"solder_mask","from":"Blue","to":"Green"}]}`, "Green instead of Blue", "", false},
		"nothing":                     {`{"kind":"quantity"}`, "", "", false},
	} {
		var one savings.Saving
		if err := json.Unmarshal([]byte(tt.saving), &one); err != nil {
			t.Fatal(err)
		}
		one.AmountCents, one.TotalCents = 250, 1000
		one.InYourCurrency = &prices.CurrencyPrice{Currency: "EUR", Total: money.Format(900, 2, "EUR"), TotalMinor: 900}
		v, shown := s.savingView(p, "/o", f, one)
		if shown != tt.shown || shown && (v.Change != tt.change || v.URL != tt.url || v.Means == "" || v.Amount != "$2.50" || v.Total != "$10.00" || v.Local != money.Format(225, 2, "EUR")) {
			t.Errorf("%s: %+v, shown %t; want %q, %q, %t", name, v, shown, tt.change, tt.url, tt.shown)
		}
	}
	if f.get("cheaper") == "" || f.get("quantity") != "9" {
		t.Errorf("the choice itself became %v", f)
	}
}
