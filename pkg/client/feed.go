package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	feedWait     = 60 // seconds that a call waits for an event
	eventsAsked  = 100
	rememberedID = 1000
)

// Feed is what happens to what the account has, told in order and followed for as long
// as it is read: a connection that breaks is made again where it was. It is for one
// goroutine.
type Feed struct {
	client *Client
	cursor string
	types  string
	wait   int
	raw    json.RawMessage
	seen   map[string]bool
	order  []string // of seen, the oldest first
}

// OpenFeed begins after a cursor: one of Cursor, "now" for what happens from now on, or
// "" for the oldest events that are kept. Without types all are told.
func (c *Client) OpenFeed(after string, types ...string) *Feed {
	return &Feed{client: c, cursor: after, types: strings.Join(types, ","), wait: feedWait, seen: map[string]bool{}}
}

// Cursor is what to write down to go on from another time: all before it was told, and
// the body of the loop was done with it.
func (f *Feed) Cursor() string { return f.cursor }

// Raw is the event that was told last, as it came: what a webhook's body would be.
func (f *Feed) Raw() json.RawMessage { return f.raw }

// Events gives events as they happen, until ctx ends or something fails that does not
// pass. Of an *Error of class CursorExpired OldestCursor says where to go on.
func (f *Feed) Events(ctx context.Context) iter.Seq2[Event, error] { return f.walk(ctx, true) }

// Pending gives the events that there are by now, and ends.
func (f *Feed) Pending(ctx context.Context) iter.Seq2[Event, error] { return f.walk(ctx, false) }

func (f *Feed) walk(ctx context.Context, follow bool) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for failures := 0; ; {
			page, err := f.ask(ctx, follow)
			if err != nil {
				wait, passes := f.delay(err, failures+1)
				if ctx.Err() == nil && passes && f.client.sleep(ctx, wait) == nil {
					failures++
					continue
				}
				if ctx.Err() != nil {
					err = ctx.Err()
				}
				yield(Event{}, err)
				return
			}
			failures = 0
			for i, e := range page.Events.Events {
				if !f.remember(e.ID) {
					continue
				}
				f.raw = page.raw[i]
				if !yield(e, nil) {
					return
				}
			}
			f.cursor = page.NextCursor
			if !follow && !page.HasMore {
				return
			}
		}
	}
}

// A feedPage is one reply; raw has the same events as they came.
type feedPage struct {
	Events
	raw []json.RawMessage
}

// ask is one call, without retries: those are walk's.
func (f *Feed) ask(ctx context.Context, follow bool) (*feedPage, error) {
	query := url.Values{"limit": {strconv.Itoa(eventsAsked)}}
	if f.cursor != "" {
		query.Set("after", f.cursor)
	}
	if f.types != "" {
		query.Set("types", f.types)
	}
	if follow {
		query.Set("wait_s", strconv.Itoa(f.wait))
	}
	r, err := f.client.send(ctx, &call{method: http.MethodGet, path: "/v1/events", query: query})
	if err != nil {
		return nil, err
	}
	page := &feedPage{}
	raw := struct{ Events *[]json.RawMessage }{&page.raw}
	if err := cmp.Or(json.Unmarshal(r.body, &page.Events), json.Unmarshal(r.body, &raw)); err != nil || page.NextCursor == "" {
		return nil, &Error{Class: Connection, Status: r.status, RequestID: r.header.Get("Request-Id"), RetryAfter: -1, Message: "what came is no page of events", cause: err}
	}
	return page, nil
}

func (f *Feed) delay(err error, failures int) (wait time.Duration, passes bool) {
	var e *Error
	if !errors.As(err, &e) || !e.passes() {
		return 0, false
	}
	return max(backoff(failures), e.RetryAfter), true
}

// remember reports whether an event is new.
func (f *Feed) remember(id string) bool {
	if f.seen[id] {
		return false
	}
	f.seen[id], f.order = true, append(f.order, id)
	if len(f.order) > rememberedID {
		delete(f.seen, f.order[0])
		f.order = f.order[1:]
	}
	return true
}
