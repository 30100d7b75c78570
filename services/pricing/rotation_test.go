package pricing_test

import (
	"strings"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"
	"boardorder/services/pricing"

	"go.uber.org/zap"
)

// TestRequestHasOneQuoteAlsoAfterARotation: its command comes again once the
// master key was replaced, and finds the quote that the key before named.
func TestRequestHasOneQuoteAlsoAfterARotation(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("board"))
	request, refusal := d.do(t, quotes.Price, standard(nil))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	ring, err := secret.Parse("next:" + strings.Repeat("0b", 32) + "\n" + strings.Repeat("00", 32))
	if err != nil {
		t.Fatal(err)
	}
	after, err := pricing.New(pricing.Config{DefaultCountry: "US"}, d.Sim, ring, pricing.Ports{Fabricators: d.fabricators()}, zap.NewNop(), d.Now)
	if err != nil {
		t.Fatal(err)
	}
	data := standard(nil)
	data.Quote = contract.SecretRef(d.keys.QuoteID(request))
	again, err := contract.NewCommand(quotes.Price, request, "acc_1", d.Now(), data)
	if err != nil {
		t.Fatal(err)
	}
	if err := after.Handlers()[quotes.Price](t.Context(), again); err != nil {
		t.Errorf("the second delivery: %v", err)
	}
	for i, ref := range ring.QuoteRefs(request) {
		q, err := aggregate.At[quotes.Quote](d, contract.QuoteAggregate, ref).Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := i == 1; q.Exists() != want {
			t.Errorf("quote by key %d exists: %v, want %v", i, q.Exists(), want)
		}
	}
}
