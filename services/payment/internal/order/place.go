package order

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
)

// A Step is what to do next to have an order built.
type Step int

// The steps of placing an order.
const (
	Nothing  Step = iota // it is not ours to place, or beyond that
	ByHand               // nobody can be asked: the team places it
	Place                // the fabricator was never asked: write that down, then ask
	LookUp               // it was asked, and the outcome is not known here: look for the order first
	FollowUp             // it has the order: see how it comes along
)

// ChooseStep says what to do next.
func ChooseStep(o orders.Order) Step {
	switch o.Status {
	case orders.Paid:
		switch {
		case !contract.IsTest(o.Account) && (o.Terms == nil || o.Sold.Assembly != nil): // the fabricator's interface takes bare boards only
			return ByHand
		case o.Fabricator.Attempt == 0:
			return Place
		}
		return LookUp
	case orders.Placing:
		return LookUp
	case orders.Placed, orders.InProduction:
		return FollowUp
	}
	return Nothing
}

// Reference is the order's number at the fabricator, unique for ever. After the
// first one was used up, such as by an order that was cancelled, there is a next.
func Reference(o orders.Order) string {
	if o.Fabricator.Reference == "" {
		return o.ID
	}
	return o.Fabricator.Reference
}

// advanceReference follows on one that a cancelled order has used up.
func advanceReference(o orders.Order) string {
	return fmt.Sprintf("%s-%d", o.ID, o.Fabricator.Attempt+1)
}

// Placing is the order when the fabricator is about to be asked.
func Placing(o orders.Order, at time.Time) orders.Order {
	at = at.UTC()
	o.Fabricator.Reference = Reference(o)
	o.Fabricator.AskedAt = &at
	o.Fabricator.Attempt++
	o.Status, o.Held = orders.Placing, ""
	return o
}

// Reconcile is the order once the fabricator was found to have it. used reports that
// the reference belongs to a cancelled order: the order needs another one.
func Reconcile(o orders.Order, p fabricator.Placed, now time.Time) (next orders.Order, event contract.EventName, used bool) {
	switch {
	case p.Orders > 1:
		return Hold(o, fmt.Sprintf("the fabricator has %d orders under %s: one is enough", p.Orders, p.Reference)), orders.EventHeld, false
	case p.Orders == 0 && o.Status == orders.Paid:
		o.Fabricator.Reference = advanceReference(o)
		return o, "", true
	case p.Orders == 0:
		return Hold(o, "the order was cancelled at the fabricator"), orders.EventHeld, false
	}
	return MarkPlaced(o, p, now), orders.EventPlaced, false
}

// MarkPlaced is the order once the fabricator has it.
func MarkPlaced(o orders.Order, p fabricator.Placed, now time.Time) orders.Order {
	now = now.UTC()
	o.Status, o.PlacedAt, o.Held, o.Postponed = orders.Placed, &now, "", nil
	o.Fabricator = mergeFab(o.Fabricator, p)
	return o
}

// mergeFab keeps what is known when an answer leaves it out.
func mergeFab(f orders.FabOrder, p fabricator.Placed) orders.FabOrder {
	if p.OrderID != "" {
		f.OrderID = p.OrderID
	}
	if p.OrderNumber != "" {
		f.Number = p.OrderNumber
	}
	if p.Cents > 0 {
		f.Cents = p.Cents
	}
	return f
}

// Request is what the fabricator is asked for, at the price that it offered.
func Request(o orders.Order, fileKey string) (fabricator.PlaceRequest, error) {
	if contract.IsTest(o.Account) { // nobody is asked, also where a team would order
		return fabricator.PlaceRequest{Reference: Reference(o), Remark: string(quotes.TestScenarioOf(o.Account, o.Sold.Request))}, nil
	}
	var spec fabricator.Spec
	if err := json.Unmarshal(o.Terms.Spec, &spec); err != nil {
		return fabricator.PlaceRequest{}, fmt.Errorf("decode what order %s is made of: %w", o.ID, err)
	}
	to := o.ShipTo
	spec.To = fabricator.Destination{Country: to.Country, PostalCode: to.PostalCode, City: to.City}
	spec.BuildHours, spec.FileKey = o.BuildHours, fileKey
	return fabricator.PlaceRequest{
		Reference: Reference(o), Spec: spec, Shipping: o.Terms.Shipping,
		ShipTo: fabricator.Address{
			Name: to.Name, Company: to.Company, Line1: to.Line1, Line2: to.Line2, City: to.City, State: to.State,
			PostalCode: to.PostalCode, Country: to.Country, Phone: to.Phone, TaxID: to.TaxID,
		},
		AgreedCents: o.Terms.Cents, Currency: o.Terms.Currency, Remark: remark(o),
	}, nil
}

// maxRemark is what the fabricator takes of a remark beside our reference, in
// characters.
const maxRemark = 440

// remark are the words for the fabricator's engineers: the customer's own, and
// what the customer has seen of the design's findings and wants built all the same.
func remark(o orders.Order) string {
	var parts []string
	if notes := o.Sold.Request.SpecialNotes; notes != nil && *notes != "" {
		parts = append(parts, "Customer's notes: "+strings.Join(strings.Fields(*notes), " "))
	}
	if o.Acknowledged != nil {
		var checks []string
		for _, f := range o.Acknowledged.Findings {
			// Which parts are fitted is no matter of the board's design.
			if f.Check != quotes.CheckSubstitution && f.Check != quotes.CheckPart && !slices.Contains(checks, f.Check) {
				checks = append(checks, f.Check)
			}
		}
		if len(checks) > 0 {
			parts = append(parts, "The customer has seen these findings and wants the board built as designed: "+strings.Join(checks, ", "))
		}
	}
	words := []rune(strings.Join(parts, ". "))
	return string(words[:min(len(words), maxRemark)])
}
