// Package timeline shows what happened to something, oldest first.
package timeline

import (
	"context"
	"fmt"
	"slices"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
)

// A Kind of event.
type Kind struct {
	Of   contract.Aggregate
	Name contract.EventName
}

// Title is an event in words: quote: review priced.
func Title(k Kind) string {
	if k == (Kind{}) {
		return "others"
	}
	return format.Words(k.Of) + ": " + format.Words(k.Name)
}

// Title is the event in words, or the e-mail.
func (m Moment) Title() string {
	if m.Letter != nil {
		return m.Letter.Title()
	}
	if m.Sentence != "" {
		return m.Sentence
	}
	return Title(Kind{m.Aggregate, m.Headline.Event.Name})
}

// Moment is one event as a line of a timeline.
type Moment struct {
	bus.Headline
	Name string // of the account
	Open bool   // the operator may see its body

	Letter   *letters.Letter // nil: it is an event
	Sentence string          // what happened; "": the event's name is shown
}

// WithLetters adds e-mails to what happened.
func WithLetters(all []Moment, sent []letters.Letter) []Moment {
	for _, l := range sent {
		all = append(all, Moment{Headline: bus.Headline{Event: contract.Event{At: l.At}}, Letter: &l})
	}
	return all
}

// NewMoment makes a line of an event.
func NewMoment(c *page.Call, h bus.Headline) Moment {
	return Moment{Headline: h, Name: c.AccountName(h.Account), Open: c.Can(operator.SeeBodies)}
}

// MaxHistory bounds how many events of one aggregate are shown.
const MaxHistory = 500

// A Log gives the history of one aggregate, oldest first, as a bus does.
type Log interface {
	History(ctx context.Context, a contract.Aggregate, id string, after uint64, limit int) ([]bus.Headline, error)
}

// Read is all that happened to a quote, its payment and its order, oldest
// first, with the e-mails about them; they share the quote's ref. The order is nil while there
// is none.
func Read(ctx context.Context, from Log, ref, request string, o *orders.Order, sent []letters.Letter) ([]Span, error) {
	var all []Moment
	for _, x := range []struct {
		of contract.Aggregate
		id string
	}{
		{contract.QuoteRequestAggregate, request}, {contract.QuoteAggregate, ref}, {contract.CheckoutAggregate, ref}, {contract.OrderAggregate, ref},
	} {
		if !contract.ValidToken(x.id) {
			continue
		}
		events, err := from.History(ctx, x.of, x.id, 0, MaxHistory)
		if err != nil {
			return nil, fmt.Errorf("timeline: %w", err)
		}
		for _, e := range events {
			all = append(all, Moment{Headline: e})
		}
	}
	all = WithLetters(all, sent)
	slices.SortStableFunc(all, func(a, b Moment) int { return a.At.Compare(b.At) })
	Tell(all, o)
	return Fold(all), nil
}
