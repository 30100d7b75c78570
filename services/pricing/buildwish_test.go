package pricing_test

import (
	"encoding/json"
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/fabricator"
)

// buildsBySize are those of a fabricator whose standard build of many boards is slower.
func buildsBySize(quantity int) []fabricator.Build {
	if quantity < 500 {
		return []fabricator.Build{{Hours: 48, Name: "48 hours"}, {Hours: 24, Name: "24 hours", Cents: 3000}}
	}
	return []fabricator.Build{{Hours: 120, Name: "5 days"}, {Hours: 96, Name: "4 days", Cents: 2000}, {Hours: 72, Name: "3 days", Cents: 4000}}
}

// TestBuildOfAnotherQuantity: the number of boards can be changed whatever its build times are.
// The standard build stays the standard one; hours that were chosen and are not offered any
// more give way to the nearest that are not slower, else to the standard ones.
func TestBuildOfAnotherQuantity(t *testing.T) {
	t.Parallel()
	type step struct {
		quantity, hours int // chosen
		guess           bool
		want, unoffered int
	}
	for name, tt := range map[string]struct {
		quantity int
		steps    []step
	}{
		"to many boards":                    {10, []step{{700, 48, false, 120, 0}}},
		"to many, nothing said":             {10, []step{{700, 0, false, 120, 0}}},
		"to few boards":                     {1000, []step{{10, 120, false, 48, 0}}},
		"there and back":                    {10, []step{{700, 48, false, 120, 0}, {2000, 120, false, 120, 0}, {10, 120, false, 48, 0}}},
		"within a class":                    {10, []step{{20, 24, false, 24, 0}, {30, 24, false, 24, 0}, {0, 24, false, 24, 0}}},
		"chosen, none as fast":              {10, []step{{10, 24, false, 24, 0}, {700, 24, false, 120, 24}, {700, 120, false, 120, 0}}},
		"chosen with the number":            {10, []step{{700, 24, false, 120, 24}}},
		"chosen, the nearest is not slower": {1000, []step{{10, 96, false, 48, 96}}},
		"chosen, and offered there":         {10, []step{{700, 72, false, 72, 0}}},
		"an estimate's are not chosen":      {10, []step{{700, 48, true, 120, 0}, {10, 120, false, 48, 0}}},
		"an estimate, then more":            {10, []step{{700, 48, true, 120, 0}, {2000, 120, false, 120, 0}}},
		"an estimate, chosen and back":      {10, []step{{700, 72, true, 72, 0}, {10, 72, false, 48, 72}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.fab.builds = buildsBySize
			d.reads(t, twoLayers("a"))
			request, _ := d.do(t, quotes.Price, standard(func(r *quotes.Request) {
				r.Quantity, r.ShipTo = tt.quantity, &shipments.ShipTo{Country: "US"}
			}))
			for i, s := range tt.steps {
				_, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{
					Quote: d.quote(t, request).Ref, ShipTo: home, Quantity: s.quantity, BuildHours: s.hours, Estimate: s.guess,
				})
				if refusal != nil {
					t.Fatalf("step %d, %d boards in %d hours: refused %+v, want it granted", i, s.quantity, s.hours, refusal)
				}
				q := d.quote(t, request).ApplyEstimate()
				var spec fabricator.Spec
				if err := json.Unmarshal(q.Terms.Spec, &spec); err != nil {
					t.Fatal(err)
				}
				if q.Delivery.BuildHours != s.want || q.Delivery.UnofferedHours != s.unoffered || spec.BuildHours != s.want {
					t.Errorf("step %d, %d boards in %d hours: delivery %+v of a spec in %d hours; want %d, in place of %d", i, s.quantity, s.hours, q.Delivery, spec.BuildHours, s.want, s.unoffered)
				}
			}
		})
	}
}
