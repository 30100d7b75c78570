package feed

import (
	"encoding/json"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
)

// position is how far a client has read.
type position struct {
	Made int64  `json:"m"` // when the stream was made, Unix seconds: another one counts anew
	Seq  uint64 `json:"s"` // of the last event that was read, or passed over
	// Last was the last sequence of the stream at At, Unix seconds. Once that has settled and
	// there is still no event of the owner's up to it, reading can go on from there: the
	// cursor of who is told nothing for weeks does not grow old.
	Last uint64 `json:"l,omitempty"`
	At   int64  `json:"a,omitempty"`
}

// renew remembers how far the stream goes, unless an earlier sight has yet to settle.
func (p position) renew(last uint64, now time.Time) position {
	if p.Last <= p.Seq && last > p.Seq {
		p.Last, p.At = last, now.Unix()
	}
	return p
}

// settle moves a position on that has nothing after it.
func (p position) settle(now time.Time) position {
	if p.Last > p.Seq && now.Sub(time.Unix(p.At, 0)) >= settled {
		p.Seq = p.Last
	}
	if p.Last <= p.Seq {
		p.Last, p.At = 0, 0
	}
	return p
}

const (
	sealPurpose = "feed-cursor"
	// startNow is the cursor of who wants what comes from now on.
	startNow = "now"
	// maxCursor is longer than any cursor.
	maxCursor = 800
)

// seal writes a position so that only its owner's keys can go on from it.
func (f *Feed) seal(owner string, p position) string {
	text, err := json.Marshal(p)
	if err != nil { // numbers always have JSON
		panic(err)
	}
	return f.Secrets.Seal(sealPurpose, feed.OwnerToken(owner), text)
}

// unseal reads a cursor; ok is false for one that was not given to the owner.
func (f *Feed) unseal(owner, cursor string) (p position, ok bool) {
	if len(cursor) > maxCursor {
		return p, false
	}
	text, err := f.Secrets.Unseal(sealPurpose, feed.OwnerToken(owner), cursor)
	return p, err == nil && json.Unmarshal(text, &p) == nil
}

// refuseCursor refuses a cursor by the name of where it came in.
func refuseCursor(field string) error {
	f := jsonbody.NewFields(nil)
	f.Refuse(field, jsonbody.Malformed, nil, "%s is a cursor that this endpoint gave to a key of the same account and mode, or now.", field)
	return problem.Fields(f.Problems())
}

// refuseExpired is the answer to a cursor after which events have gone.
func (f *Feed) refuseExpired(owner string, oldest position) error {
	r := contract.Refuse(contract.CursorExpired, "Events after this cursor are not kept any more: they are for 30 days. Read the state of what you follow, then go on from oldest_cursor.")
	r.OldestCursor = f.seal(owner, oldest)
	return problem.NewFromRefusal(r)
}
