package quote

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"golang.org/x/sync/singleflight"
)

const (
	// shownEach is how often a price that buttons and cards show is made, at most, and
	// shownFor how long it stands there.
	shownEach = time.Hour
	shownFor  = 24 * time.Hour
	// shownWait is how long it is waited for: who shows pictures of others waits some seconds.
	shownWait = 2500 * time.Millisecond
	// shownAgain is how soon an edge looks again for a price that was not there.
	shownAgain = 15 * time.Second
	// shownKept is of how many links an edge remembers the price.
	shownKept = 10_000
	// ShownQuantity is how many boards it is for, where the link does not say it.
	ShownQuantity = 10
)

// A ShownPrice is what the button and the card of a buy link say of its board's price.
type ShownPrice struct {
	At       time.Time // when it was asked for; zero: there is none
	Late     bool      // it could not be made anew since
	Review   bool      // the team prices this board
	Quantity int
	Country  string // where the boards go, ISO 3166-1 alpha-2
	Cents    int64  // of Currency
	Currency string
	Charge   *prices.Charge        // what it can be paid as in the country's currency
	Own      *prices.CurrencyPrice // what it is about in the country's currency
	Delivery string                // in words
}

// Spend counts a price that is about to be asked for, or says that it may not be.
type Spend func(ctx context.Context) (giveBack func(), allowed bool)

// ShownPrices are those that this edge has seen.
type ShownPrices struct {
	group singleflight.Group
	mu    sync.Mutex
	seen  map[string]seenPrice // by link
}

type seenPrice struct {
	ShownPrice
	settled time.Time // the hour of which it is known what came of it
	back    time.Time // the hour before which the others were looked at
	looked  time.Time
}

func (s *ShownPrices) get(link string) seenPrice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[link]
}

func (s *ShownPrices) put(link string, p seenPrice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil || len(s.seen) >= shownKept {
		s.seen = map[string]seenPrice{}
	}
	s.seen[link] = p
}

// FindShownPrice gives the price on the button and the card of a buy link. Whoever asks, and however often, one
// is made in an hour at most: the link and the hour name the request, so that all edges find the same, and what
// came of the hours before by their names. It is made as a request of the link's account.
func (q *Quotes) FindShownPrice(c *web.Call, link buylinks.BuyLink, spend Spend) (ShownPrice, error) {
	p, err, _ := q.Shown.group.Do(link.ID, func() (any, error) {
		now := q.Now()
		hour, was := now.UTC().Truncate(shownEach), q.Shown.get(link.ID)
		if was.settled.Equal(hour) || now.Sub(was.looked) < shownAgain && !now.Before(was.looked) {
			return was.fit(now), nil
		}
		next, err := q.lookShown(c.Context(), link, hour, was, spend)
		if err != nil {
			return ShownPrice{}, err
		}
		next.looked = q.Now()
		q.Shown.put(link.ID, next)
		return next.fit(now), nil
	})
	shown, _ := p.(ShownPrice)
	return shown, err
}

// fit is the price as it may be shown at a time.
func (p seenPrice) fit(now time.Time) ShownPrice {
	if now.Sub(p.At) >= shownFor {
		return ShownPrice{}
	}
	p.Late = p.At.Before(now.UTC().Truncate(shownEach))
	return p.ShownPrice
}

// lookShown has the price of an hour made, or finds it; where it is not there, the one before.
func (q *Quotes) lookShown(ctx context.Context, link buylinks.BuyLink, hour time.Time, was seenPrice, spend Spend) (seenPrice, error) {
	out, err := q.askShown(ctx, link, hour, spend)
	switch {
	case err != nil:
		return was, err
	case out == nil:
	case out.Refusal == nil:
		price, err := readShown(out.Doc.Body)
		return seenPrice{ShownPrice: price, settled: hour}, err
	case !problem.Passing(out.Refusal.Code):
		return seenPrice{settled: hour}, nil // an earlier price does not hold any more
	default:
		was.settled = hour
	}
	if was.back.Equal(hour) {
		return was, nil
	}
	was.back = hour
	for at := hour.Add(-shownEach); at.After(was.At) && at.After(hour.Add(-shownFor)); at = at.Add(-shownEach) {
		out, err := q.outcomes().Find(ctx, requestOfHour(link, at))
		switch {
		case err != nil:
			return was, err
		case out == nil, out.Refusal != nil && problem.Passing(out.Refusal.Code):
			continue
		case out.Refusal != nil:
			was.ShownPrice = ShownPrice{}
			return was, nil
		}
		was.ShownPrice, err = readShown(out.Doc.Body)
		return was, err
	}
	return was, nil
}

// requestOfHour names what is asked about a link in an hour.
func requestOfHour(link buylinks.BuyLink, hour time.Time) string {
	return requestID(digest(link.Account, "shown price", []byte(link.ID), hour.Format(time.RFC3339)), hour)
}

// askShown gives what came of an hour's request, and sends it where nobody has; nil while nothing came of it.
func (q *Quotes) askShown(ctx context.Context, link buylinks.BuyLink, hour time.Time, spend Spend) (*outcome.Outcome, error) {
	request := requestOfHour(link, hour)
	if out, err := q.outcomes().Find(ctx, request); out != nil || err != nil {
		return out, err
	}
	giveBack, allowed := spend(ctx)
	if !allowed {
		return nil, nil
	}
	w := q.Waiters.Join(wait.Request(request))
	defer w.Leave()
	r := link.Request
	r.Quantity = cmp.Or(r.Quantity, ShownQuantity)
	_, ref := q.quoteRef(request)
	joined, err := q.Requests.sendNamed(ctx, request, func(request string, _ time.Time) (contract.Command, error) {
		return contract.NewCommand(quotes.Price, request, link.Account, q.Now(), quotes.PriceData{
			Quote: ref, Key: link.Key, Upload: link.Upload, Digest: link.Digest, BuyLink: link.ID, Request: r,
		})
	})
	if joined || err != nil {
		giveBack()
	}
	if err != nil {
		return nil, problem.Unavailable(err)
	}
	return q.outcomes().Await(ctx, w, request, shownWait)
}

// readShown takes what is shown out of a quote.
func readShown(doc []byte) (ShownPrice, error) {
	var q quotes.Quote
	if err := json.Unmarshal(doc, &q); err != nil {
		return ShownPrice{}, fmt.Errorf("price of a buy link: %w", err)
	}
	r := q.Reply
	p := ShownPrice{At: q.CreatedAt, Quantity: cmp.Or(r.Quantity, q.Request.Quantity), Country: q.Assumed, Charge: q.Charge, Own: r.InYourCurrency}
	if to := q.Request.ShipTo; to != nil {
		p.Country = to.Country
	}
	if r.TotalCents == nil || r.Currency == nil {
		p.Review = true
		return p, nil
	}
	p.Cents, p.Currency = *r.TotalCents, *r.Currency
	if p.Charge != nil && p.Charge.Cents != p.Cents {
		p.Charge = nil
	}
	if r.Delivery != nil {
		p.Delivery = *r.Delivery
	}
	return p, nil
}
