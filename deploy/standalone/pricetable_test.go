package standalone_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
)

// priceTable asks for a price table and gives it.
func (s *system) priceTable(t testing.TB, body map[string]any) (r pricetables.Reply) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	status, data := s.post(t, "/v1/price-tables?wait_s=150", "application/json", strings.NewReader(string(text)))
	if err := json.Unmarshal(data, &r); status != http.StatusCreated || err != nil {
		t.Fatalf("price table %s: %d %s, %v; want 201", text, status, data, err)
	}
	return r
}

// quoteCell makes a cell a quote: the table's body with what the cell says to send.
func (s *system) quoteCell(t testing.TB, body map[string]any, c pricetables.Cell) quotes.Reply {
	t.Helper()
	own := maps.Clone(body)
	delete(own, "quantities")
	delete(own, "ship_to")
	request, err := json.Marshal(c.QuoteRequest)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(request, &own); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	return s.quote(t, string(text), http.StatusCreated)
}

// TestCellsAreQuotes: whatever the board, the number, the build and the country, bare and
// assembled, a quote of a cell has its total, its lines and its build.
func TestCellsAreQuotes(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"DEMO_REQUESTS_PER_MINUTE": "1000000"})
	places := []any{map[string]any{"country": "US", "state": "CA"}, map[string]any{"country": "DE"}, map[string]any{"country": "JP"}}
	bare := s.upload(t, s.sample(t))
	bodies := map[string]map[string]any{
		"bare":      {"upload_id": bare, "quantities": []int{1, 10, 3000}, "ship_to": places, "standard_for_unstated": true},
		"coloured":  {"upload_id": bare, "quantities": []int{5, 50}, "ship_to": places[:2], "standard_for_unstated": true, "solder_mask": "Blue", "surface_finish": "enig"},
		"nowhere":   {"upload_id": bare, "quantities": []int{20}, "standard_for_unstated": true},
		"assembled": {"upload_id": s.uploadWithFiles(t, map[string]string{"bom.csv": partsList, "cpl.csv": partsPlace}), "quantities": []int{5, 10}, "ship_to": places[:1], "assembly": true, "standard_for_unstated": true, "do_not_fit_refs": []string{"FID1"}},
	}
	if testing.Short() {
		delete(bodies, "coloured")
		bodies["bare"]["quantities"], bodies["bare"]["ship_to"] = []int{1, 10}, places[:2]
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := s.priceTable(t, body)
			if builds := slices.IndexFunc(table.Cells, func(c pricetables.Cell) bool { return !c.Standard && c.Status == pricetables.Priced }); builds < 0 {
				t.Errorf("no faster build is in the table: %+v", table.Cells)
			}
			for _, c := range table.Cells {
				q := s.quoteCell(t, body, c)
				if c.Status != pricetables.Priced {
					if q.Mode != quotes.ModeReview || c.Status != pricetables.Review {
						t.Errorf("%d boards are %s (%s), and their quote is %s", c.Quantity, c.Status, c.Why, q.Mode)
					}
					continue
				}
				var sum int64
				for _, l := range c.Lines {
					sum += l.Cents
				}
				if sum != *c.TotalCents || *q.TotalCents != *c.TotalCents || *q.PerBoardCents != *c.PerBoardCents || !slices.EqualFunc(q.Lines, c.Lines, matchLine) || *q.Delivery != c.Delivery || *q.LeadTime != c.Build {
					t.Errorf("%d boards in %d hours: the cell has %d (lines %d, %v, %s), the quote %d (%v, %s)",
						c.Quantity, *c.BuildTimeHours, *c.TotalCents, sum, c.Lines, c.Delivery, *q.TotalCents, q.Lines, *q.Delivery)
				}
				if c.Standard == prices.HasFasterBuild(q.Lines) {
					t.Errorf("%d boards in %d hours, standard %v: lines %v", c.Quantity, *c.BuildTimeHours, c.Standard, q.Lines)
				}
				checkArrival(t, c, table.AsOf)
			}
		})
	}
}

// matchLine reports whether a quote's line is a cell's, and says where it comes from.
func matchLine(of, cell prices.Line) bool {
	return of.Label == cell.Label && of.Cents == cell.Cents && of.Kind == cell.Kind && of.Kind != "" && of.Basis != "" && of.Source != ""
}

// checkArrival holds the days of a cell against each other.
func checkArrival(t *testing.T, c pricetables.Cell, paid time.Time) {
	t.Helper()
	days := []string{paid.Format(time.DateOnly), c.ReadyOn, c.ArrivesFrom, c.ArrivesTo}
	if !slices.IsSorted(days) || c.ProductionDays < 1 || c.ReadyOn <= days[0] {
		t.Errorf("%d boards, paid, made and there on %v, made in %d days", c.Quantity, days, c.ProductionDays)
	}
}

// TestTableIsRemembered: what a table learnt of the fabricator its cells' quotes need not ask
// again, and a quantity that has no price leaves the others theirs.
func TestTableIsRemembered(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	body := map[string]any{"upload_id": s.upload(t, s.sample(t)), "quantities": []int{10, 25}, "standard_for_unstated": true, "ship_to": map[string]any{"country": "DE"}}
	table := s.priceTable(t, body)
	if err := s.Simulator().Faults().Add(fault.Fault{Match: "POST /fab/overseas/openapi/pcb/calculate", Kind: fault.ErrorBefore, Times: -1}); err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Cells {
		if q := s.quoteCell(t, body, c); *q.TotalCents != *c.TotalCents {
			t.Errorf("%d boards while the fabricator is away cost %d, the cell says %d", c.Quantity, *q.TotalCents, *c.TotalCents)
		}
	}
	body["quantities"] = []int{10, 30}
	half := s.priceTable(t, body)
	if first, last := half.Cells[0], half.Cells[len(half.Cells)-1]; first.Status != pricetables.Priced || last.Quantity != 30 || last.Status != pricetables.Unavailable || last.Why == "" || last.QuoteRequest != nil {
		t.Errorf("of a number that is known and one that is not: %+v, %+v", first, last)
	}
	body["quantities"] = []int{30, 35}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	if status, data := s.post(t, "/v1/price-tables?wait_s=60", "application/json", strings.NewReader(string(text))); status != http.StatusServiceUnavailable {
		t.Errorf("a table without any price: %d %s, want 503", status, data)
	}
}
