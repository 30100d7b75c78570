package quote

import (
	"testing"

	"boardorder/pkg/contract"
)

func TestEveryStatusSaysWhatIsNext(t *testing.T) {
	t.Parallel()
	for _, s := range []contract.QuoteStatus{
		contract.StatusQuoteReady, contract.StatusSourcingReady, contract.StatusSourcingRequested, contract.StatusSourcingQuoted,
		contract.StatusAwaitingPayment, contract.StatusExpired, contract.StatusOrdered, contract.StatusInProduction, contract.StatusShipped,
	} {
		if next[s] == "" {
			t.Errorf("%s says nothing", s)
		}
	}
}
