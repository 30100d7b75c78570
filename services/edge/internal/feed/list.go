package feed

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

const (
	usualLimit = 20
	maxLimit   = 100
)

// Page is the reply of GET /v1/events.
type Page struct {
	OK         bool         `json:"ok"`
	Events     []feed.Event `json:"events"`
	HasMore    bool         `json:"has_more"`
	NextCursor string       `json:"next_cursor"`
}

// List answers GET /v1/events.
func (f *Feed) List(c *web.Call) error {
	fields := jsonbody.NewFields(nil)
	timeout, limit := c.Wait(0, fields), readLimit(c, fields)
	want, err := readTypes(c, fields)
	if err != nil {
		return err
	}
	if p := fields.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	owner := c.Caller.Account
	cursor, _ := c.Query(after)
	w := f.Waiters.Join(subjectOf(owner)) // before the first look, so that nothing is missed
	defer w.Leave()
	at, err := f.enter(c.Context(), owner, after, cursor)
	if err != nil {
		return err
	}
	var found look
	search := func(ctx context.Context) (bool, error) {
		found, err = f.read(ctx, owner, at, want, limit)
		at = found.at
		return len(found.events) > 0 || found.more, err
	}
	if done, err := search(c.Context()); err != nil {
		return err
	} else if !done {
		stillMay := f.Recheck(c)
		if _, err := w.AwaitNext(c.Context(), timeout, search); err != nil {
			return err
		}
		if stillMay(c.Context()) != nil {
			return problem.New(contract.Unauthorized, "The API key was revoked, or has ended, while the call waited.")
		}
	}
	page := Page{OK: true, Events: []feed.Event{}, HasMore: found.more, NextCursor: f.seal(owner, found.at)}
	for _, e := range found.events {
		page.Events = append(page.Events, f.event(e))
	}
	return c.JSON(http.StatusOK, page)
}

// subjectOf is what who waits for an owner's events waits for.
func subjectOf(owner string) wait.Subject {
	return wait.Subject{Of: feed.WakeKind, ID: feed.OwnerToken(owner)}
}

func readLimit(c *web.Call, fields *jsonbody.Fields) int {
	text, given := c.Query("limit")
	if !given {
		return usualLimit
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxLimit {
		fields.Refuse("limit", jsonbody.OutOfRange, map[string]int{"min": 1, "max": maxLimit}, "limit lies between 1 and %d.", maxLimit)
	}
	return n
}

// readTypes reads which types are asked for: those named, else all that the key may be told of.
// A key is told of what it may read.
func readTypes(c *web.Call, fields *jsonbody.Fields) (want func(feed.Type) bool, err error) {
	mayTell := func(t feed.Type) bool { return c.Caller.May(feed.ScopeOf(t)) }
	text, given := c.Query("types")
	if !given {
		return mayTell, nil
	}
	var wanted []feed.Type
	for name := range strings.SplitSeq(text, ",") {
		t := feed.Type(strings.TrimSpace(name))
		if !slices.Contains(feed.Types(), t) {
			fields.Refuse("types", jsonbody.Unsupported, feed.Types(), "types names an unknown event; it is a list of types, joined by commas.")
			return nil, nil
		}
		if !mayTell(t) {
			return nil, problem.New(contract.Forbidden, "This API key lacks the scope %q, which %s needs.", feed.ScopeOf(t), t)
		}
		wanted = append(wanted, t)
	}
	return func(t feed.Type) bool { return slices.Contains(wanted, t) && mayTell(t) }, nil
}

const maxEventID = 80

// Show answers GET /v1/events/{event_id}.
func (f *Feed) Show(c *web.Call) error {
	id, err := c.PathID("event_id", maxEventID)
	if err != nil {
		return err
	}
	e, ok, err := f.Find(c.Context(), c.Caller.Account, id)
	switch {
	case err != nil:
		return err
	case !ok:
		return unknownEvent()
	case !c.Caller.May(feed.ScopeOf(e.Type)):
		return problem.New(contract.Forbidden, "This API key lacks the scope %q.", feed.ScopeOf(e.Type))
	}
	return c.JSON(http.StatusOK, Single{OK: true, Event: f.event(e)})
}

// Find gives an owner's event by its id; ok is false where there is none.
func (f *Feed) Find(ctx context.Context, owner, id string) (e feed.Entry, ok bool, err error) {
	key, sequence, ok := feed.ParseID(id)
	if !ok {
		return e, false, nil
	}
	for after := uint64(0); ; after = e.Seq {
		e, err = f.Events.PublicAfter(ctx, owner, key, after)
		if errors.Is(err, aggregate.ErrNone) || err == nil && e.Sequence > sequence {
			return e, false, nil
		}
		if err != nil {
			return e, false, problem.Unavailable(err)
		}
		if e.Sequence == sequence {
			return e, true, nil
		}
	}
}

// Single is the reply of GET /v1/events/{event_id}.
type Single struct {
	OK    bool       `json:"ok"`
	Event feed.Event `json:"event"`
}

func unknownEvent() error {
	return problem.New(contract.NotFound, "There is no event with this event_id. Events are kept for 30 days.")
}
