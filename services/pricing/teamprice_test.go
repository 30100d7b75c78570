package pricing

import (
	"errors"
	"slices"
	"testing"

	"boardorder/pkg/contract"
)

func TestTeamPriceReplacesTheOneBefore(t *testing.T) {
	t.Parallel()
	q := contract.Quote{Asked: contract.QuoteRequest{Quantity: 4}, Reply: contract.QuoteReply{Quantity: 4, Notes: []string{"From the files."}}}
	price := func(cents int64, note string) {
		t.Helper()
		if err := teamPrice(&q, contract.PriceReviewData{
			Lines: []contract.PricedLine{
				{Line: contract.Line{Label: "Boards", Cents: cents - 200}, For: contract.PriceBoards}, {Line: contract.Line{Label: "Shipping", Cents: 200}, For: contract.PriceShipping},
			},
			TaxCents: 100, Note: note, BuildDays: 5, TransitMin: 2, TransitMax: 4,
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		note string
		want []string
	}{
		{"First.", []string{"From the files.", "First."}},
		{"Second.", []string{"From the files.", "Second."}},
		{"", []string{"From the files."}},
		{"", []string{"From the files."}},
		{"Third.", []string{"From the files.", "Third."}},
	} {
		price(900, tt.note)
		if !slices.Equal(q.Reply.Notes, tt.want) {
			t.Errorf("notes after %q: %q, want %q", tt.note, q.Reply.Notes, tt.want)
		}
	}
	if want := "4 boards: $10.00, priced by our team; 7 to 9 working days from payment, build included."; q.Reply.Summary != want {
		t.Errorf("summary %q, want %q", q.Reply.Summary, want)
	}
	if *q.Reply.TotalCents != 1000 || *q.Reply.PerBoardCents != 250 || q.Version != 5 || len(q.Reply.Lines) != 3 || *q.Reply.Delivery != "7 to 9 working days from payment, build included" {
		t.Errorf("total %d, per board %d, version %d, lines %v", *q.Reply.TotalCents, *q.Reply.PerBoardCents, q.Version, q.Reply.Lines)
	}
}

func TestTeamPriceBounds(t *testing.T) {
	t.Parallel()
	line := func(cents ...int64) (out []contract.PricedLine) {
		for _, c := range cents {
			out = append(out, contract.PricedLine{Line: contract.Line{Label: "Boards", Cents: c}, For: contract.PriceBoards})
		}
		return out
	}
	for _, tt := range []struct {
		name string
		data contract.PriceReviewData
		ok   bool
	}{
		{"a discount", contract.PriceReviewData{Lines: line(1000, -999)}, true},
		{"the most", contract.PriceReviewData{Lines: line(maxCents)}, true},
		{"nothing", contract.PriceReviewData{Lines: line(1000, -1000)}, false},
		{"no lines", contract.PriceReviewData{TaxCents: 5}, false},
		{"too many lines", contract.PriceReviewData{Lines: line(slices.Repeat([]int64{1}, maxLines+1)...)}, false},
		{"a line without a label", contract.PriceReviewData{Lines: []contract.PricedLine{{Line: contract.Line{Cents: 5}}}}, false},
		{"tax below nothing", contract.PriceReviewData{Lines: line(1000), TaxCents: -1}, false},
		{"more than a card takes", contract.PriceReviewData{Lines: line(maxCents), TaxCents: 1}, false},
		{"beyond what integers hold", contract.PriceReviewData{Lines: line(1<<62, 1<<62)}, false},
	} {
		var refusal *contract.Refusal
		if _, err := addUp(tt.data); (err == nil) != tt.ok || err != nil && !errors.As(err, &refusal) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
