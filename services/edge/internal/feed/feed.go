// Package feed is the edge's part in what accounts are told: it reads the stream of public
// events from where a client's cursor says, waits for more as long as the client does, and
// fills in what only the edge knows. What is told is derived elsewhere.
package feed

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract/feed"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Events is the stream of public events.
type Events interface {
	// PublicAfter gives the first event after a sequence, of an owner's object or, for "*", of
	// all that it has; or aggregate.ErrNone.
	PublicAfter(ctx context.Context, owner, key string, after uint64) (feed.Entry, error)
	FeedState(ctx context.Context) (bus.FeedState, error)
}

// Feed answers what is asked about public events.
type Feed struct {
	*dispatch.Client
	Events Events
	Places *limit.Places
	// Recheck gives what says of a call's key, later on, whether it may still be told anything.
	Recheck func(*web.Call) func(context.Context) error
	open    chan struct{} // streams, of all accounts
}

// maxStreams is how many streams one edge holds open.
const maxStreams = 2000

// New makes a feed.
func New(client *dispatch.Client, events Events, places *limit.Places, recheck func(*web.Call) func(context.Context) error) *Feed {
	return &Feed{Client: client, Events: events, Places: places, Recheck: recheck, open: make(chan struct{}, maxStreams)}
}

// maxScan is how many events one look reads at most, of which the client may want few.
const maxScan = 1000

// enter checks where a client wants to go on, as it says in field. It gives the position with what was
// the last sequence of the stream then.
func (f *Feed) enter(ctx context.Context, owner, field, cursor string) (position, error) {
	state, err := f.Events.FeedState(ctx)
	if err != nil {
		return position{}, problem.Unavailable(err)
	}
	oldest := position{Made: state.Made.Unix(), Seq: max(state.First, 1) - 1} // a stream that had no event yet begins at 0
	switch cursor {
	case "":
		return oldest, nil
	case startNow:
		return position{Made: oldest.Made, Seq: state.Last}, nil
	}
	at, ok := f.unseal(owner, cursor)
	if !ok {
		return position{}, refuseCursor(field)
	}
	if at.Made != oldest.Made || at.Seq < oldest.Seq {
		return position{}, f.refuseExpired(owner, oldest)
	}
	return at.renew(state.Last, f.Now()), nil
}

// A look is what one look at the stream gives.
type look struct {
	events []feed.Entry
	at     position // after the last event that was read, wanted or not
	more   bool     // there may be more to read at once
}

// read reads an owner's events after a position, as far as they are wanted and at most limit
// of them.
func (f *Feed) read(ctx context.Context, owner string, at position, want func(feed.Type) bool, limit int) (look, error) {
	out := look{at: at}
	for range maxScan {
		e, err := f.Events.PublicAfter(ctx, owner, "*", out.at.Seq)
		if errors.Is(err, aggregate.ErrNone) {
			out.at = out.at.settle(f.Now())
			return out, nil
		}
		if err != nil {
			return out, problem.Unavailable(err)
		}
		out.at.Seq = e.Seq
		if !want(e.Type) {
			continue
		}
		if out.events = append(out.events, e); len(out.events) == limit {
			break
		}
	}
	out.more = true
	return out, nil
}

// settled is how long after a sequence was seen nobody can answer any more who does not have
// it: a leader that was cut off does for some seconds.
const settled = 10 * time.Minute
