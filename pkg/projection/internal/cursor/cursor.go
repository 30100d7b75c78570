// Package cursor is the place in a list that a page ends at, and the form in
// which both stores keep times.
package cursor

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/projection"
)

// A Cursor is the last document of a page: what follows is older, or as old
// with a greater id.
type Cursor struct {
	At int64 // see Nanos
	ID string
}

// Parse reads what String made. "" is before everything.
func Parse(s string) (Cursor, error) {
	if s == "" {
		return Cursor{At: math.MaxInt64}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return Cursor{}, fmt.Errorf("%w: %w", projection.ErrCursor, err)
	}
	at, id, ok := strings.Cut(string(raw), "/")
	n, err := strconv.ParseInt(at, 36, 64)
	c := Cursor{At: n, ID: id}
	if !ok || err != nil || id == "" || len(id) > projection.MaxID || c.String() != s {
		return Cursor{}, projection.ErrCursor
	}
	return c, nil
}

// Start is where a page begins.
func Start(p projection.Page) (Cursor, error) {
	if p.Cursor == "" && !p.Before.IsZero() {
		return Cursor{At: Nanos(p.Before)}, nil
	}
	return Parse(p.Cursor)
}

func (c Cursor) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(c.At, 36) + "/" + c.ID))
}

// Paginate cuts docs, which List fetched with one more than limit, to a page and
// names the next one.
func Paginate(docs []projection.Document, limit int) (page []projection.Document, next string) {
	if len(docs) <= limit {
		return docs, ""
	}
	last := docs[limit-1]
	return docs[:limit:limit], Cursor{At: Nanos(last.At), ID: last.ID}.String()
}

// Limit is the length of the page that was asked for.
func Limit(p projection.Page) int {
	if p.Limit <= 0 {
		return projection.DefaultLimit
	}
	return min(p.Limit, projection.MaxLimit)
}

// Nanos is t in nanoseconds since 1970; the zero time is before all others.
func Nanos(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixNano()
}

// Time is the inverse of Nanos.
func Time(nanos int64) time.Time {
	if nanos == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(0, nanos).UTC()
}
