package pricing

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/pricing/internal/dated"
)

// offers remembers what was offered for the same files and the same request, for
// as long as the live price behind it says that it holds. Who asks, and when,
// is no part of an offer.
type offers struct {
	mu   sync.Mutex
	seen map[[32]byte]offered
}

type offered struct {
	text  []byte    // JSON of an offerPart
	until time.Time // not to be used from then on
}

const (
	offersMost = 512         // some kilobytes each
	offerLife  = time.Minute // at most, whatever the price says: exchange rates move on too
)

func newOffers() *offers { return &offers{seen: map[[32]byte]offered{}} }

func (o *offers) get(key [32]byte, now time.Time) ([]byte, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e, ok := o.seen[key]
	return e.text, ok && now.Before(e.until)
}

func (o *offers) put(key [32]byte, text []byte, now, until time.Time) {
	if latest := now.Add(offerLife); until.After(latest) {
		until = latest
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.seen) >= offersMost {
		clear(o.seen)
	}
	o.seen[key] = offered{text, until}
}

func (o *offers) clear() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.seen)
}

// offerKey is the same for what leads to the same offer of a mode: the files as they were
// read and all of the request but the customer's own words. Tables are of a day.
func offerKey(owner string, files contract.ReadFiles, data contract.PriceQuoteData, now time.Time) ([32]byte, error) {
	request := data.Request
	controlled := exportControlled(request)
	request.ProjectName = nil
	if request.BoardContext != nil { // an offer says that there are such words, and not which
		request.BoardContext = new(string)
	}
	text, err := json.Marshal(struct {
		Files   string
		ReadAt  time.Time
		Day     dated.Day
		Request contract.QuoteRequest
		Unknown []string
		Chosen  *contract.Chosen
		Test    bool
		Control bool
		Missed  bool
	}{files.Digest, files.ReadAt, dated.DayOf(now), request, data.Unknown, data.Chosen, contract.IsTest(owner), controlled, missedWord(owner, data.Request)})
	if err != nil {
		return [32]byte{}, fmt.Errorf("encode quote request: %w", err)
	}
	return sha256.Sum256(text), nil
}
