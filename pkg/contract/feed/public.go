package feed

import (
	"slices"
	"time"

	"boardorder/pkg/contract/webhooks"
)

// IsFor reports whether an event is sent to an endpoint of its owner: the type is among those asked
// for, and the endpoint may be told of it. A test is for the endpoint that it is of, whatever that
// asked for.
func (e Event) IsFor(to webhooks.Endpoint) bool {
	if e.Type == EndpointTest {
		return e.Data.EndpointID == to.ID
	}
	scope := ScopeOf(e.Type)
	if scope != "" && !slices.Contains(to.Scopes, scope) {
		return false
	}
	return slices.Contains(to.Types, webhooks.AllTypes) || slices.Contains(to.Types, string(e.Type))
}

// Public is the event as its owner sees it, in the feed, in a stream and in a webhook alike: with
// the secret id of a quote, which quoteID derives of its request and ref, and with the address of
// the object below publicURL. Its times have milliseconds, as those of replies do.
func (e Entry) Public(publicURL string, quoteID func(request, ref string) string) Event {
	out := e.Event
	out.Timestamp = out.Timestamp.Truncate(time.Millisecond)
	if at := out.Data.ExpiresAt; at != nil {
		to := at.Truncate(time.Millisecond)
		out.Data.ExpiresAt = &to
	}
	if at := out.Data.AsOf; at != nil {
		to := at.Truncate(time.Millisecond)
		out.Data.AsOf = &to
	}
	switch {
	case e.Quote != nil:
		out.Data.QuoteID = quoteID(e.Quote.Request, e.Quote.Ref)
		out.Data.URL = publicURL + "/v1/quotes/" + out.Data.QuoteID
	case out.Data.Object == QuoteObject && out.Data.RequestID != "":
		out.Data.URL = publicURL + "/v1/quote-requests/" + out.Data.RequestID
	case out.Data.Object == FormalOrderObject:
		out.Data.URL = publicURL + "/v1/orders/" + out.Data.OrderID
	}
	return out
}
