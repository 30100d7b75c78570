package assembled

import (
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// maxNumber bounds a part number and a manufacturer's name, in bytes.
const maxNumber = 120

// Pickable gives the line of a review that the team chooses a part for, or says
// why it cannot: only lines that name none by number, and only where the customer
// left that to the team.
func Pickable(q quotes.Quote, data quotes.PickPartData) (assemblies.Part, *contract.Refusal) {
	none := assemblies.Part{}
	switch {
	case q.Assembly == nil || !q.Request.StaffPicksParts:
		return none, contract.Refuse(contract.Conflict, "The customer has not left the choice of parts to the team.")
	case q.Status != quotes.SourcingRequested:
		return none, contract.Refuse(contract.Conflict, "Parts are chosen after the customer asked for the review and before it has a price.")
	case data.MPN == "" || len(data.MPN) > maxNumber || len(data.Manufacturer) > maxNumber:
		r := contract.Refuse(contract.InvalidRequest, "A part number of at most %d characters is needed.", maxNumber)
		r.Fields = []contract.FieldProblem{{Field: "mpn", Problem: "invalid", Message: r.Message}}
		return none, r
	}
	i := line(q, data.Reference)
	if i < 0 || q.Reply.Parts[i].Fitting != assemblies.Fitted {
		return none, contract.Refuse(contract.NotFound, "No line that is bought has these references.")
	}
	if p := q.Reply.Parts[i]; !p.Picked {
		return none, contract.Refuse(contract.Conflict, "The line names its part by number; only the customer can approve another one.")
	}
	return q.Reply.Parts[i], nil
}

func line(q quotes.Quote, reference string) int {
	return slices.IndexFunc(q.Reply.Parts, func(p assemblies.Part) bool { return p.Reference == reference })
}

// Pick is the quote with a part that suppliers have in a line's place. A part that
// cannot be bought for the build is refused.
func Pick(q quotes.Quote, data quotes.PickPartData, found partchecks.Found) (quotes.Quote, *contract.Refusal) {
	before, r := Pickable(q, data)
	if r != nil {
		return q, r
	}
	if found.Bought == 0 || found.Replaces != "" { // another one could stand in, and was not chosen
		r := contract.Refuse(contract.InvalidRequest, "That part cannot be bought for this build.")
		if found.Why != "" && found.Bought == 0 {
			r = contract.Refuse(contract.InvalidRequest, "That part cannot be bought for this build: %s", found.Why)
		}
		r.Fields = []contract.FieldProblem{{Field: "mpn", Problem: "not_available", Message: r.Message}}
		return q, r
	}
	after := before
	after.Found = found
	after.Reference, after.Part, after.QuantityPerBoard = before.Reference, before.Part, before.QuantityPerBoard
	after.CostCents, after.PickedBy, after.Misfit, after.Replaces = found.Cents(), data.Operator, false, ""
	parts := slices.Clone(q.Reply.Parts)
	parts[line(q, data.Reference)] = after
	q.Reply.Parts, q.Reply.PickedParts = parts, findPicked(parts)
	q.Reply.UnpricedParts = assemblies.Price{Parts: parts}.PriceBlockers()
	a := *q.Assembly
	a.PartCents += after.CostCents - before.CostCents
	q.Assembly = &a
	return q, nil
}
