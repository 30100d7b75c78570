// Package choice decides which fabricator builds the boards of a quote.
package choice

import (
	"cmp"
	"fmt"
	"slices"

	"boardorder/pkg/contract/accounts"
)

// A Candidate is what the boards of one fabricator would cost and when they would arrive.
type Candidate struct {
	Name             string
	Priced           bool
	Cents            int64 // delivered, with duty and tax
	DaysMin, DaysMax int   // working days from payment to arrival
}

// Choose gives the index of the candidate that a rule chooses and why, as a sentence; -1
// where none has a price. Of equals the earlier one is chosen, so the same answers always
// lead to the same choice.
func Choose(r accounts.FabricatorRule, all []Candidate) (int, string) {
	cheapest := best(all, comparePrices)
	if cheapest < 0 {
		return -1, "No fabricator has a price."
	}
	switch r.Kind {
	case accounts.Cheapest:
		return cheapest, all[cheapest].Name + " costs least, delivered."
	case accounts.Fastest:
		i := best(all, compareArrivals)
		return i, all[i].Name + " delivers first."
	default:
		return prefer(r, all, cheapest)
	}
}

// FindPreferred is the index of the candidate that a rule prefers: the primary one where none
// has the name.
func FindPreferred(r accounts.FabricatorRule, names []string) int {
	return max(slices.Index(names, r.Fabricator), 0)
}

func prefer(r accounts.FabricatorRule, all []Candidate, cheapest int) (int, string) {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	at := FindPreferred(r, names)
	preferred, least := all[at], all[cheapest]
	switch {
	case preferred.Priced && r.Percent == 0:
		return at, preferred.Name + " is preferred."
	case preferred.Priced && preferred.Cents*100 <= least.Cents*int64(100+r.Percent):
		return at, fmt.Sprintf("%s is preferred and no more than %d %% dearer than the cheapest, delivered.", preferred.Name, r.Percent)
	case preferred.Priced:
		return cheapest, fmt.Sprintf("%s costs least, delivered; %s is preferred and more than %d %% dearer.", least.Name, preferred.Name, r.Percent)
	case r.Percent == 0:
		next := slices.IndexFunc(all, func(c Candidate) bool { return c.Priced })
		return next, fmt.Sprintf("%s is preferred and has no price; %s is the next that has one.", preferred.Name, all[next].Name)
	default:
		return cheapest, fmt.Sprintf("%s is preferred and has no price; %s costs least, delivered.", preferred.Name, least.Name)
	}
}

// best is the index of the first of those with a price that none is better than; -1 without any.
func best(all []Candidate, compare func(a, b Candidate) int) int {
	found := -1
	for i, c := range all {
		if c.Priced && (found < 0 || compare(c, all[found]) < 0) {
			found = i
		}
	}
	return found
}

func comparePrices(a, b Candidate) int {
	return cmp.Or(cmp.Compare(a.Cents, b.Cents), cmp.Compare(a.DaysMax, b.DaysMax), cmp.Compare(a.DaysMin, b.DaysMin))
}

func compareArrivals(a, b Candidate) int {
	return cmp.Or(cmp.Compare(a.DaysMax, b.DaysMax), cmp.Compare(a.DaysMin, b.DaysMin), cmp.Compare(a.Cents, b.Cents))
}
