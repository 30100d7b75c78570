package parts_test

import (
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/payment/internal/parts"
)

// TestChanged: what was sold is bought, or the customer is asked anew; another part that
// could stand in was not sold.
func TestChanged(t *testing.T) {
	t.Parallel()
	q := quotes.Quote{Mode: quotes.ModeInstant, Assembly: &quotes.QuotedAssembly{Boards: 10}, Reply: quotes.Reply{Parts: []assemblies.Part{
		{Found: partchecks.Found{Reference: "C1", MPN: "CL05B104KO5NNNC", Bought: 10}, Fitting: assemblies.Fitted, CostCents: 200},
	}}}
	for name, tt := range map[string]struct {
		now     partchecks.Found
		changed bool
	}{
		"as before":                  {partchecks.Found{Verdict: "ok", MPN: "CL05B104KO5NNNC", Bought: 10, CostUSD: "2.00"}, false},
		"dearer":                     {partchecks.Found{Verdict: "ok", MPN: "CL05B104KO5NNNC", Bought: 10, CostUSD: "4.00"}, true},
		"a little dearer":            {partchecks.Found{Verdict: "ok", MPN: "CL05B104KO5NNNC", Bought: 10, CostUSD: "3.99"}, false},
		"gone":                       {partchecks.Found{Verdict: "problem", Why: "out of stock at fab"}, true},
		"gone, another one is there": {partchecks.Found{Verdict: "ok", MPN: "CC0402KRX7R7BB104", Replaces: "CL05B104KO5NNNC", Bought: 10, CostUSD: "2.00"}, true},
		"not answered":               {partchecks.Found{Verdict: "checking"}, false},
	} {
		tt.now.Reference = "C1"
		if r := parts.RefuseChanged(q, partchecks.Report{Parts: []partchecks.Found{tt.now}}); (r != nil) != tt.changed {
			t.Errorf("%s: %v, want a refusal: %v", name, r, tt.changed)
		}
	}
}
