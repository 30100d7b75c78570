// Package parts decides whether the parts of an assembled quote are still to be
// had at about its price. It asks nobody.
package parts

import (
	"fmt"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// dearer is how many times its price a part may cost before the customer is asked
// anew, and least what it must cost more, in cents: prices of a cent double easily.
const (
	dearer = 2
	least  = 100
)

// RefuseChanged refuses a payment of a quote whose parts changed, as a report on [quotes.Quote.Recheck]
// says; nil where all are to be had. What suppliers have not answered about stands as the
// watch of the quote last found it.
func RefuseChanged(q quotes.Quote, r partchecks.Report) error {
	found := map[string]partchecks.Found{}
	for _, p := range r.Parts {
		found[p.Reference] = p
	}
	short := map[int]bool{}
	for _, l := range q.Watched.FindShort() {
		short[l.Line] = true
	}
	var changed []contract.PartQuestion
	for _, i := range q.PartsToBuy() {
		p := q.Reply.Parts[i]
		now, ok := found[p.Reference]
		why := ""
		switch cents := now.Cents(); {
		case !ok || now.Verdict == "checking":
			if short[i+1] {
				why = "It was sold out when suppliers were last asked."
			}
		case now.Bought == 0 && (now.Verdict == "problem" || short[i+1]):
			why = "It cannot be bought any more: " + now.Why + "."
		case now.Replaces != "": // another one could stand in, and is not what was sold
			why = "It cannot be bought any more."
		case q.Mode == quotes.ModeInstant && now.Bought > 0 && cents >= dearer*p.CostCents && cents-p.CostCents >= least:
			why = fmt.Sprintf("It costs %d.%02d dollars now; the quote has %d.%02d.", cents/100, cents%100, p.CostCents/100, p.CostCents%100)
		}
		if why != "" {
			changed = append(changed, contract.PartQuestion{Reference: p.Reference, Part: p.Part, Quantity: int(p.QuantityPerBoard), Why: why})
		}
	}
	if len(changed) == 0 {
		return nil
	}
	out := contract.Refuse(contract.PartsChanged, "%s of this quote left stock or doubled in price since it was made. Nothing was charged. Please ask for a new quote of the same files.", count(len(changed)))
	out.Parts = changed
	return out
}

func count(n int) string {
	if n == 1 {
		return "A part"
	}
	return fmt.Sprintf("%d parts", n)
}
