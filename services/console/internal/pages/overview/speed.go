package overview

import (
	"slices"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"

	"github.com/oklog/ulid/v2"
)

// speedEvents is how many of the newest events of quotes are looked at for how long
// pricing takes.
const speedEvents = 300

// A speed is how long the last requests for a price took, from their arrival to the
// stored quote.
type speed struct {
	Count     int
	Half, P95 time.Duration
}

// measureSpeed measures by the names of requests, which hold the time of their arrival.
func measureSpeed(events []bus.Headline) speed {
	var took []time.Duration
	for _, e := range events {
		if e.Event.Name != quotes.EventPriced && e.Event.Name != quotes.EventReviewNeeded || contract.IsTest(e.Account) {
			continue
		}
		id, err := ulid.ParseStrict(strings.TrimPrefix(e.Operation, contract.RequestPrefix))
		if err != nil {
			continue
		}
		if d := e.StoredAt.Sub(ulid.Time(id.Time())); d >= 0 {
			took = append(took, d)
		}
	}
	slices.Sort(took)
	return speed{len(took), percentile(took, 50), percentile(took, 95)}
}

// percentile is the smallest of the sorted values that so many percent are not above.
func percentile(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*percent+99)/100-1]
}
