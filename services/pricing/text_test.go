package pricing

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"

	"github.com/google/go-cmp/cmp"
)

// fields gives the JSON names of a struct's fields, each with how often.
func fields(names map[string]int, of any) map[string]int {
	t := reflect.TypeOf(of)
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names[name]++
	}
	return names
}

func TestTextHasEveryFieldOnce(t *testing.T) {
	t.Parallel()
	want := fields(map[string]int{}, contract.Quote{})
	for _, later := range []string{"priced_by", "team_note", "review", "known", "team", "requested_at", "wanted", "estimate"} { // what a quote has later on
		delete(want, later)
	}
	if diff := cmp.Diff(want, fields(fields(map[string]int{}, ownPart{}), offerPart{})); diff != "" {
		t.Errorf("fields (-quote +parts):\n%s", diff)
	}
}

func TestTextIsTheQuote(t *testing.T) {
	t.Parallel()
	name, cents := "p", int64(7)
	q := contract.Quote{
		Ref: "r", Account: "a", Request: "req", Upload: "u", Digest: "d", Board: "b", Mode: contract.ModeInstant, Status: contract.StatusQuoteReady,
		Asked: contract.QuoteRequest{Quantity: 3, ProjectName: &name}, Reply: contract.QuoteReply{TotalCents: &cents}, Pricing: json.RawMessage(`{"x":1}`),
		Terms: &contract.Terms{Spec: json.RawMessage(`{}`), Cents: 7}, Version: 1, Delivery: &contract.Delivery{ShippingID: "s"}, Assumed: "US", Picture: "top",
		CreatedAt: time.Unix(1, 0).UTC(), ExpiresAt: time.Unix(2, 0).UTC(),
	}
	offer, err := offerText(&q)
	if err != nil {
		t.Fatal(err)
	}
	text, err := quoteText{own: ownPartOf(&q), mode: q.Mode, digest: q.Digest, offer: offer}.AppendJSON([]byte("before"))
	if err != nil {
		t.Fatal(err)
	}
	var got contract.Quote
	if err := json.Unmarshal(text[len("before"):], &got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if diff := cmp.Diff(q, got); diff != "" {
		t.Errorf("quote (-want +got):\n%s", diff)
	}
}
