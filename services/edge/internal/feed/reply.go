package feed

import (
	"boardorder/pkg/contract/feed"
)

// event is a stored event as clients see it.
func (f *Feed) event(e feed.Entry) feed.Event {
	out := e.Event
	switch {
	case e.Quote != nil:
		out.Data.QuoteID = f.Secrets.QuoteIDOf(e.Quote.Request, e.Quote.Ref)
		out.Data.URL = f.PublicURL + "/v1/quotes/" + out.Data.QuoteID
	case out.Data.Object == feed.QuoteObject && out.Data.RequestID != "":
		out.Data.URL = f.PublicURL + "/v1/quote-requests/" + out.Data.RequestID
	case out.Data.Object == feed.FormalOrderObject:
		out.Data.URL = f.PublicURL + "/v1/orders/" + out.Data.OrderID
	}
	return out
}
