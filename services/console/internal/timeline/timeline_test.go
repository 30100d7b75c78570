package timeline

import (
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"testing"
	"time"
)

func TestFoldJoinsRepeats(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	var all []Moment
	for i, name := range []contract.EventName{"priced", "delivery_chosen", "delivery_chosen", "delivery_chosen", "priced"} {
		all = append(all, Moment{Headline: bus.Headline{Event: contract.Event{Aggregate: contract.QuoteAggregate, Name: name, At: at.Add(time.Duration(i) * time.Minute)}}})
	}
	got := Fold(all)
	if len(got) != 3 || got[1].Count != 3 || got[1].Until != at.Add(3*time.Minute) || got[1].Interval != time.Minute || got[2].Interval != time.Minute {
		t.Errorf("Fold = %+v, want 3, the second of 3 until %s, one each minute", got, at.Add(3*time.Minute))
	}
}
