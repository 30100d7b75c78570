package standalone_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
)

// TestSavingsOfAQuote: what makes a quote cheaper at the fabricator's own prices, bare and
// assembled, becomes a quote of that total with its change.
func TestSavingsOfAQuote(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"DEMO_REQUESTS_PER_MINUTE": "1000000"})
	for name, body := range map[string]map[string]any{
		"bare": {
			"upload_id": s.upload(t, s.sample(t)), "quantity": 10, "standard_for_unstated": true, "surface_finish": "enig", "solder_mask": "Purple",
			"ship_to": map[string]any{"country": "DE"}, "fab_options": map[string]any{"gold_thickness_uin": "3"},
		},
		"assembled": {
			"upload_id": s.uploadWithFiles(t, map[string]string{"bom.csv": partsList, "cpl.csv": partsPlace}), "quantity": 9, "assembly": true, "standard_for_unstated": true,
			"solder_mask": "Purple", "surface_finish": "enig", "do_not_fit_refs": []string{"FID1"}, "ship_to": map[string]any{"country": "US", "state": "CA"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := s.quoteOf(t, body)
			status, data := s.post(t, "/v1/quotes/"+q.QuoteID+"/savings?wait_s=150", "application/json", strings.NewReader("{}"))
			var found savings.Reply
			if err := json.Unmarshal(data, &found); err != nil || status != http.StatusCreated || len(found.Savings) == 0 || found.TotalCents != *q.TotalCents {
				t.Fatalf("savings of a quote of %d: %d %s, %v; want 201 with some of that", *q.TotalCents, status, data, err)
			}
			for _, one := range found.Savings {
				if one.Change == nil {
					continue
				}
				changed := maps.Clone(body)
				maps.Copy(changed, one.Change)
				if now := s.quoteOf(t, changed); now.Mode != quotes.ModeInstant || *now.TotalCents != one.TotalCents || one.TotalCents+one.AmountCents != *q.TotalCents || *now.Delivery != one.Delivery {
					t.Errorf("%s with %v: %d less, %d; its quote is %s and costs %d, by %s", one.Kind, one.Change, one.AmountCents, one.TotalCents, now.Mode, *now.TotalCents, *now.Delivery)
				}
			}
		})
	}
}

func (s *system) quoteOf(t testing.TB, body map[string]any) quotes.Reply {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return s.quote(t, string(text), http.StatusCreated)
}
