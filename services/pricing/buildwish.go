package pricing

import (
	"slices"

	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/offer"
)

// A buildWish is the build time that a customer wants.
type buildWish struct {
	hours  int  // 0 = the standard one, whatever it is
	yields bool // to one that is offered: it was chosen of another number of boards
}

// wishOf is the build that is wanted at a choice. Who was shown the standard build and keeps
// it has not chosen its hours: of another number of boards, other hours may be standard.
func (s *Service) wishOf(q *quotes.Quote, data quotes.ChooseDeliveryData) (buildWish, error) {
	seen := q.ApplyEstimate()
	shown, err := s.loadPricing(&seen)
	if err != nil {
		return buildWish{}, err
	}
	n := data.Quantity
	w := buildWish{hours: data.BuildHours, yields: n != 0 && (n != q.Request.Quantity || n != seen.Request.Quantity)}
	if w.hours == shown.basis.Builds[0].Hours {
		w.hours = 0
	}
	return w, nil
}

// choose gives the hours to ask for among builds, of which the first is the standard one:
// those that are wanted, else the nearest that are not slower, else the standard.
func (w buildWish) choose(builds []offer.Build) int {
	offered := func(b offer.Build) bool { return b.Hours == w.hours }
	if w.hours == 0 || !w.yields || slices.ContainsFunc(builds, offered) {
		return w.hours
	}
	nearest := 0
	for _, b := range builds {
		if b.Hours < w.hours {
			nearest = max(nearest, b.Hours)
		}
	}
	return nearest
}
