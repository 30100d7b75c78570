package customer

import (
	"strings"
	"testing"

	"boardorder/pkg/contract"

	"github.com/google/go-cmp/cmp"
)

// TestSummarySaysWhatWasFound: a customer who pays with saved details confirms to
// have seen what was found, so it is said beside price, card and address.
func TestSummarySaysWhatWasFound(t *testing.T) {
	t.Parallel()
	q := contract.Quote{Ref: "r", Reply: contract.QuoteReply{BoardFindings: []contract.Finding{
		{Level: "warning", Check: "ring", What: "a ring is narrow", File: "top.gtl", Layer: "F.Cu"}, {Level: "note", Check: "x", What: "beside"},
	}}}
	c := contract.Charge{Cents: 1250, Currency: "USD", Quantity: 5, Seen: q.SeenMark(), Findings: []string{"a ring is narrow"}}
	if diff := cmp.Diff([]Found{{"a ring is narrow", "top.gtl", "F.Cu"}}, summaryOf(c, q).Findings); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !strings.Contains(nextTo(c), "acknowledges") {
		t.Errorf("next says %q", nextTo(c))
	}
	q.Reply.BoardFindings = nil // the price is another one by now, and paying will be refused
	if diff := cmp.Diff([]Found{{What: "a ring is narrow"}}, summaryOf(c, q).Findings); diff != "" {
		t.Errorf("of an older price, -want +got:\n%s", diff)
	}
	if got := summaryOf(contract.Charge{}, q).Findings; got != nil || strings.Contains(nextTo(contract.Charge{}), "findings") {
		t.Errorf("without findings: %v", got)
	}
}
