// Package failedrequests is what is kept of calls with a partner's API key that were answered
// 4xx or 5xx: who called what and how it ended, without a word of what was sent. It takes no more
// room than its bounds say, however many there are; what is left out is counted.
package failedrequests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
)

// What is kept, of each owner.
const (
	Retention  = 7 * contract.Day
	SlotLength = 4 * time.Hour
	// MaxEntries is how many calls of a slot are listed.
	MaxEntries = 100
	// MaxAlike is how many of a kind are, so that one that comes without end hides no other.
	MaxAlike = 20
	// MaxKinds is of how many kinds what is not listed is counted apart.
	MaxKinds = 40
)

// A Kind is what failed requests have in common. The zero kind stands for all beyond MaxKinds.
type Kind struct {
	Method string        `json:"m,omitempty"`
	Route  string        `json:"p,omitempty"` // its pattern, never the path
	Status int           `json:"s,omitempty"`
	Code   contract.Code `json:"c,omitempty"`
}

// Entry is one failed request.
type Entry struct {
	At      time.Time `json:"t"`
	Request string    `json:"r"` // its Request-Id
	Key     string    `json:"k"` // id of the API key
	Kind
	Millis int64 `json:"ms"`
}

// Count is how many requests of a kind are not listed.
type Count struct {
	Kind
	N int `json:"n"`
}

// A Slot is the failed requests of an owner within SlotLength.
type Slot struct {
	Entries []Entry `json:"e"`
	Left    []Count `json:"l,omitempty"`
}

// Add takes in a request, or counts it where there is no room.
func (s *Slot) Add(e Entry) {
	alike := 0
	for _, old := range s.Entries {
		if old.Kind == e.Kind {
			alike++
		}
	}
	if len(s.Entries) < MaxEntries && alike < MaxAlike {
		s.Entries = append(s.Entries, e)
		return
	}
	s.count(Count{e.Kind, 1})
}

func (s *Slot) count(c Count) {
	if !slices.ContainsFunc(s.Left, func(old Count) bool { return old.Kind == c.Kind }) && len(s.Left) >= MaxKinds {
		c.Kind = Kind{}
	}
	for i := range s.Left {
		if s.Left[i].Kind == c.Kind {
			s.Left[i].N += c.N
			return
		}
	}
	s.Left = append(s.Left, c)
}

// Merge takes in what another process has seen.
func (s *Slot) Merge(other Slot) {
	for _, e := range other.Entries {
		s.Add(e)
	}
	for _, c := range other.Left {
		s.count(c)
	}
}

// Key is where the slot of an owner at a time lies, in [contract.FailedRequestsBucket].
func Key(owner string, at time.Time) string {
	return contract.DeriveID("failed requests", owner) + "." + strconv.FormatInt(at.Unix()/int64(SlotLength.Seconds()), 10)
}

// Values are those of the bucket.
type Values interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
}

// Read gives all that is kept of an owner, the newest first, and what was only counted, the most
// first.
func Read(ctx context.Context, bucket Values, owner string, now time.Time) (all []Entry, left []Count, err error) {
	var sum Slot
	for at := now; now.Sub(at) < Retention+SlotLength; at = at.Add(-SlotLength) {
		value, _, err := bucket.Get(ctx, Key(owner, at))
		if errors.Is(err, bus.ErrNoKey) {
			continue
		}
		var s Slot
		if err == nil {
			err = json.Unmarshal(value, &s)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("failed requests: %w", err)
		}
		all = append(all, s.Entries...)
		for _, c := range s.Left {
			sum.count(c)
		}
	}
	all = slices.DeleteFunc(all, func(e Entry) bool { return now.Sub(e.At) > Retention })
	slices.SortFunc(all, func(a, b Entry) int { return b.At.Compare(a.At) })
	slices.SortFunc(sum.Left, func(a, b Count) int { return b.N - a.N })
	return all, sum.Left, nil
}

// A Filter lets some through. What is empty lets all through.
type Filter struct {
	Status  string // 422, or a class: 4xx, 5xx
	Code    string
	Key     string // id, or the prefix that the account sees
	Request string
}

// Has reports whether a request passes.
func (f Filter) Has(e Entry) bool {
	status := strconv.Itoa(e.Status)
	return (f.Status == "" || f.Status == status || f.Status == status[:1]+"xx") && (f.Code == "" || f.Code == string(e.Code)) &&
		(f.Key == "" || f.Key == e.Key) && (f.Request == "" || f.Request == e.Request)
}
