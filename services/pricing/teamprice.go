package pricing

import (
	"fmt"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/money"
)

// teamPrice puts the team's price into a reviewed quote. A later price of the
// team replaces an earlier one.
func teamPrice(q *contract.Quote, data contract.PriceReviewData) error {
	total, err := addUp(data)
	if err != nil {
		return err
	}
	lines := data.Lines
	if data.TaxCents > 0 {
		lines = append(lines, contract.Line{Label: "Tax", Cents: data.TaxCents})
	}
	perBoard := money.Divide(total, int64(q.Asked.Quantity))
	words := func(cents int64) *string { s := money.Dollars(cents); return &s }
	usd, next := "USD", "Send the customer to checkout_url to pay; the price is our team's and holds until expires_at."
	r := &q.Reply
	r.Lines, r.TotalCents, r.PerBoardCents, r.TaxCents = lines, &total, &perBoard, &data.TaxCents
	r.Total, r.PerBoard, r.Tax, r.Currency, r.Next = words(total), words(perBoard), words(data.TaxCents), &usd, &next
	r.Includes, r.LeadTime = nil, nil
	for _, l := range lines {
		r.Includes = append(r.Includes, l.Label+": "+money.Dollars(l.Cents))
	}
	if data.BuildDays > 0 {
		lead := fmt.Sprintf("%d working days", data.BuildDays)
		r.LeadTime = &lead
	}
	if q.TeamNote != "" && len(r.Notes) > 0 { // of the price before
		r.Notes = r.Notes[:len(r.Notes)-1]
	}
	if data.Note != "" {
		r.Notes = append(slices.Clone(r.Notes), data.Note)
	}
	q.Status, q.PricedBy, q.TeamNote = contract.StatusSourcingQuoted, data.Operator, data.Note
	q.Version++
	return nil
}

// mostCents bounds every part of a team's price, so that sums stay in range,
// and the total: more than a card payment takes cannot be paid.
const (
	mostCents = 99_999_999
	mostLines = 100
)

func addUp(data contract.PriceReviewData) (int64, error) {
	refuse := func(field, message string) error {
		r := contract.Refuse(contract.InvalidRequest, "%s", message)
		r.Fields = []contract.FieldProblem{{Field: field, Problem: "invalid", Message: message}}
		return r
	}
	total := data.TaxCents
	if len(data.Lines) == 0 || len(data.Lines) > mostLines {
		return 0, refuse("lines", fmt.Sprintf("A price has one to %d lines.", mostLines))
	}
	for _, l := range data.Lines {
		if l.Label == "" {
			return 0, refuse("lines", "Every line has a label.")
		}
		if l.Cents > mostCents || l.Cents < -mostCents {
			return 0, refuse("lines", "No line may be more than "+money.Dollars(mostCents)+".")
		}
		total += l.Cents
	}
	switch {
	case data.TaxCents < 0 || data.TaxCents > mostCents:
		return 0, refuse("tax_cents", "The tax must be between nothing and "+money.Dollars(mostCents)+".")
	case total <= 0:
		return 0, refuse("lines", "The total must be more than nothing.")
	case total > mostCents:
		return 0, refuse("lines", "A card payment takes at most "+money.Dollars(mostCents)+" in all.")
	}
	return total, nil
}
