package feed

import (
	"boardorder/pkg/contract/feed"
)

// event is a stored event as clients see it.
func (f *Feed) event(e feed.Entry) feed.Event { return e.Public(f.PublicURL, f.Secrets.QuoteIDOf) }
