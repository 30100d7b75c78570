package feed

import (
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"

	"github.com/tidwall/gjson"
)

// ExpiryOf is when the time of a quote is over that a stored event leaves; zero where the event
// says no such time. It reads nothing else: most events only have to wait.
func ExpiryOf(e contract.Event) time.Time { return gjson.GetBytes(e.Data, "state.expires_at").Time() }

// DeriveExpiry gives what is told once the time of a quote is over whose last event is e; its
// timestamp is that time. It is nil of a quote that was erased, or that the team ended.
func DeriveExpiry(e contract.Event) (*Entry, error) {
	var body contract.Body[json.RawMessage]
	if err := json.Unmarshal(e.Data, &body); err != nil {
		return nil, fmt.Errorf("decode %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
	}
	if len(body.State) == 0 || string(body.State) == "null" {
		return nil, nil
	}
	q, err := decode[quotes.Quote](e, body.State)
	if err != nil || q.Account == "" || q.ExpiresAt.IsZero() || q.Status == quotes.Expired {
		return nil, err
	}
	e.At, q.Status = q.ExpiresAt, quotes.Expired
	named, data := describeQuote(QuoteExpired, q)
	out := entryOf(e, placeAfter, q.Account, QuoteExpired, named, data)
	return &out, nil
}
