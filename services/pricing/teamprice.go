package pricing

import (
	"fmt"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/wording"
	"boardorder/pkg/money"
	"boardorder/services/pricing/internal/offer"
)

// teamPrice puts the team's price into a reviewed quote. A later price of the
// team replaces an earlier one. One that lacks a part of the order is refused,
// unless the customer is told what it lacks.
func teamPrice(q *quotes.Quote, data quotes.PriceReviewData) error {
	total, err := addUp(data)
	if err != nil {
		return err
	}
	if lacks := q.Lacking(data); len(lacks) > 0 {
		return contract.RefuseFields(lacks)
	}
	decide(q, data)
	perBoard := money.Divide(total, int64(q.Request.Quantity))
	words := func(cents int64) *string { s := money.Dollars(cents); return &s }
	usd, next := "USD", "Send the customer to checkout_url to pay; the price is our team's and holds until expires_at."
	if len(data.LeftOut) > 0 {
		next = "Tell the customer what is not in the price, which not_included says, then send them to checkout_url to pay; the price is our team's and holds until expires_at."
	}
	r, taxes := &q.Reply, data.Cents(prices.Tax)
	r.Lines, r.TotalCents, r.PerBoardCents, r.TaxCents = data.CustomerLines(), &total, &perBoard, &taxes
	r.Total, r.PerBoard, r.Tax, r.Currency, r.Next = words(total), words(perBoard), words(taxes), &usd, &next
	r.Includes, r.NotIncluded = nil, nil
	for _, l := range r.Lines {
		r.Includes = append(r.Includes, l.Label+": "+money.Dollars(l.Cents))
	}
	for _, l := range data.LeftOut {
		r.NotIncluded = append(r.NotIncluded, l.Words)
	}
	lead := wording.Count(data.BuildDays, "working day")
	door := wording.ReadyToShip(data.BuildDays)
	if data.TransitMax > 0 {
		door = offer.Delivery(data.BuildDays, data.TransitMin, data.TransitMax)
	}
	r.LeadTime, r.Delivery = &lead, &door
	offer.FillTeamSummary(r)
	if q.TeamNote != "" && len(r.Notes) > 0 { // of the price before
		r.Notes = r.Notes[:len(r.Notes)-1]
	}
	if data.Note != "" {
		r.Notes = append(slices.Clone(r.Notes), data.Note)
	}
	q.Charge = nil // a team's price holds for a month: no rate is held as long
	q.Status, q.PricedBy, q.TeamNote = quotes.SourcingQuoted, data.Operator, data.Note
	q.Version++
	return nil
}

// decide puts what the team decided about parts without a price into the list of
// parts, in place of what an earlier price decided.
func decide(q *quotes.Quote, data quotes.PriceReviewData) {
	unpriced := q.PartsToDecide()
	parts := slices.Clone(q.Reply.Parts)
	for _, before := range unpriced {
		i := slices.IndexFunc(parts, func(p assemblies.Part) bool { return p.Reference == before.Reference })
		j := slices.IndexFunc(data.Parts, func(d quotes.PartDecision) bool { return d.Reference == before.Reference })
		if i < 0 || j < 0 {
			continue
		}
		d, after := data.Parts[j], before
		after.Fitting = d.Fitting
		if d.Fitting == assemblies.Fitted {
			after.CostCents, after.Supplier, after.PickedBy, after.Bought = d.Cents, d.From, data.Operator, after.QuantityPerBoard*int64(q.Assembly.Boards)
			after.Verdict, after.Why, after.Misfit = "ok", "", false
		}
		parts[i] = after
	}
	q.Team = &quotes.TeamPrice{Price: data, Unpriced: unpriced}
	if len(unpriced) > 0 {
		q.Reply.Parts, q.Reply.UnpricedParts = parts, []assemblies.Part{}
	}
}

// maxCents bounds every part of a team's price, so that sums stay in range,
// and the total: more than a card payment takes cannot be paid.
const (
	maxCents = 99_999_999
	maxLines = 100
)

func addUp(data quotes.PriceReviewData) (int64, error) {
	refuse := func(field, message string) error {
		r := contract.Refuse(contract.InvalidRequest, "%s", message)
		r.Fields = []contract.FieldProblem{{Field: field, Problem: "invalid", Message: message}}
		return r
	}
	total := data.TaxCents + data.CostOfParts()
	if len(data.Lines) == 0 || len(data.Lines) > maxLines {
		return 0, refuse("lines", fmt.Sprintf("A price has one to %d lines.", maxLines))
	}
	for _, l := range data.Lines {
		if l.Label == "" {
			return 0, refuse("lines", "Every line has a label.")
		}
		if l.Cents > maxCents || l.Cents < -maxCents {
			return 0, refuse("lines", "No line may be more than "+money.Dollars(maxCents)+".")
		}
		total += l.Cents
	}
	for _, p := range data.Parts {
		if p.Cents < 0 || p.Cents > maxCents {
			return 0, refuse(quotes.PriceUndecided+p.Reference, "No part may be more than "+money.Dollars(maxCents)+".")
		}
	}
	switch {
	case data.TaxCents < 0 || data.TaxCents > maxCents:
		return 0, refuse("tax_cents", "The tax must be between nothing and "+money.Dollars(maxCents)+".")
	case total <= 0:
		return 0, refuse("lines", "The total must be above 0.")
	case total > maxCents:
		return 0, refuse("lines", "A card payment takes at most "+money.Dollars(maxCents)+" in all.")
	}
	return total, nil
}
