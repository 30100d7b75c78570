package parts_test

import (
	"testing"

	"boardorder/pkg/contract"
	"boardorder/services/payment/internal/parts"
)

// TestChanged: what was sold is bought, or the customer is asked anew; another part that
// could stand in was not sold.
func TestChanged(t *testing.T) {
	t.Parallel()
	q := contract.Quote{Assembly: &contract.QuotedAssembly{Boards: 10}, Reply: contract.QuoteReply{Parts: []contract.AssemblyPart{
		{PartFound: contract.PartFound{Reference: "C1", MPN: "CL05B104KO5NNNC", Bought: 10}, Fitting: contract.Fitted, CostCents: 200},
	}}}
	for name, tt := range map[string]struct {
		now     contract.PartFound
		changed bool
	}{
		"as before":                  {contract.PartFound{Verdict: "ok", MPN: "CL05B104KO5NNNC", Bought: 10, CostUSD: "2.00"}, false},
		"dearer":                     {contract.PartFound{Verdict: "ok", MPN: "CL05B104KO5NNNC", Bought: 10, CostUSD: "4.00"}, true},
		"a little dearer":            {contract.PartFound{Verdict: "ok", MPN: "CL05B104KO5NNNC", Bought: 10, CostUSD: "3.99"}, false},
		"gone":                       {contract.PartFound{Verdict: "problem", Why: "out of stock at fab"}, true},
		"gone, another one is there": {contract.PartFound{Verdict: "ok", MPN: "CC0402KRX7R7BB104", Replaces: "CL05B104KO5NNNC", Bought: 10, CostUSD: "2.00"}, true},
		"not answered":               {contract.PartFound{Verdict: "checking"}, false},
	} {
		tt.now.Reference = "C1"
		if r := parts.RefuseChanged(q, contract.PartReport{Parts: []contract.PartFound{tt.now}}); (r != nil) != tt.changed {
			t.Errorf("%s: %v", name, r)
		}
	}
}
