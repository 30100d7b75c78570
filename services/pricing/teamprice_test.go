package pricing

import (
	"errors"
	"slices"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

func TestTeamPriceReplacesTheOneBefore(t *testing.T) {
	t.Parallel()
	q := quotes.Quote{Request: quotes.Request{Quantity: 4}, Reply: quotes.Reply{Quantity: 4, Notes: []string{"From the files."}}}
	price := func(cents int64, note string) {
		t.Helper()
		if err := teamPrice(&q, quotes.PriceReviewData{
			Lines: []prices.PricedLine{
				{Line: prices.Line{Label: "Boards", Cents: cents - 200}, For: prices.Boards}, {Line: prices.Line{Label: "Shipping", Cents: 200}, For: prices.Shipping},
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
		t.Errorf("total %d, per board %d, version %d, lines %v, delivery %q; want 1000, 250, 5, three, 7 to 9 working days from payment, build included", *q.Reply.TotalCents, *q.Reply.PerBoardCents, q.Version, q.Reply.Lines, *q.Reply.Delivery)
	}
}

func TestTeamPriceBounds(t *testing.T) {
	t.Parallel()
	line := func(cents ...int64) (out []prices.PricedLine) {
		for _, c := range cents {
			out = append(out, prices.PricedLine{Line: prices.Line{Label: "Boards", Cents: c}, For: prices.Boards})
		}
		return out
	}
	for _, tt := range []struct {
		name string
		data quotes.PriceReviewData
		ok   bool
	}{
		{"a discount", quotes.PriceReviewData{Lines: line(1000, -999)}, true},
		{"the most", quotes.PriceReviewData{Lines: line(maxCents)}, true},
		{"nothing", quotes.PriceReviewData{Lines: line(1000, -1000)}, false},
		{"no lines", quotes.PriceReviewData{TaxCents: 5}, false},
		{"too many lines", quotes.PriceReviewData{Lines: line(slices.Repeat([]int64{1}, maxLines+1)...)}, false},
		{"a line without a label", quotes.PriceReviewData{Lines: []prices.PricedLine{{Line: prices.Line{Cents: 5}}}}, false},
		{"tax below nothing", quotes.PriceReviewData{Lines: line(1000), TaxCents: -1}, false},
		{"more than a card takes", quotes.PriceReviewData{Lines: line(maxCents), TaxCents: 1}, false},
		{"beyond what integers hold", quotes.PriceReviewData{Lines: line(1<<62, 1<<62)}, false},
	} {
		var refusal *contract.Refusal
		if _, err := addUp(tt.data); (err == nil) != tt.ok || err != nil && !errors.As(err, &refusal) {
			t.Errorf("%s: addUp(%+v): %v; want it to add up: %t, or a refusal", tt.name, tt.data, err, tt.ok)
		}
	}
}
