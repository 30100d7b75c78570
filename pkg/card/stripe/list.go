package stripe

import (
	"context"
	"slices"
	"time"

	"boardorder/pkg/card"

	stripe "github.com/stripe/stripe-go/v85"
)

const (
	perPage  = 100
	maxPages = 1000
)

// A list is one page of the processor's ledger, newest first.
type list[T any] struct {
	of   []T
	last string // id of the oldest
	more bool
}

// listAll reads page by page, each with its own deadline, and gives all of it,
// oldest first. A page that fails fails the whole list, which is then asked again.
func listAll[T any](ctx context.Context, p *Processor, doing string, page func(context.Context, stripe.ListParams) (list[T], error)) ([]T, error) {
	var all []T
	after := ""
	for range maxPages {
		got, err := call(ctx, p, doing, reads, func(ctx context.Context) (list[T], error) {
			params := stripe.ListParams{Limit: stripe.Int64(perPage), Single: true}
			if after != "" {
				params.StartingAfter = stripe.String(after)
			}
			return page(ctx, params)
		})
		if err != nil {
			return nil, err
		}
		all = append(all, got.of...)
		if !got.more {
			slices.Reverse(all)
			return all, nil
		}
		after = got.last
	}
	return nil, &card.Error{Kind: card.Unavailable, Code: card.CodeImplausible, Doing: doing, Message: "the list does not end"}
}

// read takes one page of the processor's objects.
func read[O, T any](got *stripe.V1List[O], id func(O) string, one func(O) (T, error)) (list[T], error) {
	if err := got.Err(); err != nil {
		return list[T]{}, err
	}
	out := list[T]{more: got.Meta().HasMore}
	for _, object := range got.Data() {
		v, err := one(object)
		if err != nil {
			return list[T]{}, err
		}
		out.of, out.last = append(out.of, v), id(object)
	}
	if out.more && len(out.of) == 0 {
		return list[T]{}, implausible("an empty page that is not the last")
	}
	return out, nil
}

// rangeSince limits a list to what was made at or after a time.
func rangeSince(since time.Time) *stripe.RangeQueryParams {
	return &stripe.RangeQueryParams{GreaterThanOrEqual: since.Unix()}
}
