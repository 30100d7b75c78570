package feedcache

import (
	"context"
	"errors"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract/feed"
)

// source has events of one owner at even sequences, of two objects in turn, and counts who asks.
type source struct {
	last  uint64
	reads int
}

func (s *source) PublicAfter(_ context.Context, owner, key string, after uint64) (feed.Entry, error) {
	s.reads++
	for seq := after/2*2 + 2; seq <= s.last; seq += 2 {
		e := feed.Entry{Owner: owner, Key: []string{"a", "b"}[seq/2%2], Seq: seq}
		if key == "*" || key == e.Key {
			return e, nil
		}
	}
	return feed.Entry{}, aggregate.ErrNone
}

// readAll reads as an endpoint does, until there is nothing more.
func readAll(t *testing.T, c *Cache, from uint64) (seqs []uint64) {
	t.Helper()
	for {
		e, err := c.ReadAfter(t.Context(), "o", from)
		if errors.Is(err, aggregate.ErrNone) {
			return seqs
		}
		if err != nil {
			t.Fatal(err)
		}
		seqs, from = append(seqs, e.Seq), e.Seq
	}
}

// TestEndpointsShareReads: whoever follows close reads what lies in memory, and nobody asks again before a
// hint; each sees every event in order, wherever it begins.
func TestEndpointsShareReads(t *testing.T) {
	t.Parallel()
	s := &source{last: 20}
	c := New(s)
	for name, tt := range map[string]struct {
		from      uint64
		want      int
		mostReads int
	}{"the first": {10, 5, 6}, "another": {10, 5, 0}, "one that is ahead": {14, 3, 0}} {
		if name == "the first" {
			s.reads = 0
			if got := readAll(t, c, tt.from); len(got) != tt.want || s.reads > tt.mostReads {
				t.Fatalf("%s read %v by %d reads, want %d events by %d", name, got, s.reads, tt.want, tt.mostReads)
			}
		}
	}
	s.reads = 0
	if a, b := readAll(t, c, 10), readAll(t, c, 14); len(a) != 5 || len(b) != 3 || s.reads != 0 {
		t.Errorf("two more read %v and %v by %d reads, want 5 and 3 events out of memory", a, b, s.reads)
	}
	if got := readAll(t, c, 2); len(got) != 9 || got[0] != 4 {
		t.Errorf("one that is behind read %v, want all after 2", got)
	}
	s.last, s.reads = 24, 0
	if got := readAll(t, c, 20); len(got) != 0 || s.reads != 0 {
		t.Errorf("without a hint: %v by %d reads, want nothing", got, s.reads)
	}
	c.Hint("o")
	if got := readAll(t, c, 20); len(got) != 2 {
		t.Errorf("after a hint: %v, want two events", got)
	}
}

// TestOldEventsAreReadFromTheStream: memory holds the last ones alone, and what it says is the same.
func TestOldEventsAreReadFromTheStream(t *testing.T) {
	t.Parallel()
	s := &source{last: 400}
	c := New(s)
	if got := readAll(t, c, 0); len(got) != 200 || got[199] != 400 {
		t.Fatalf("%d events read, want 200", len(got))
	}
	for _, tt := range []struct {
		key        string
		after, end uint64
		want       uint64 // 0: none
	}{{"a", 398, 400, 400}, {"b", 398, 400, 0}, {"a", 2, 400, 4}, {"a", 4, 6, 0}, {"b", 4, 6, 6}, {"a", 400, 400, 0}} {
		e, err := c.ReadNext(t.Context(), "o", tt.key, tt.after, tt.end)
		if e.Seq != tt.want || (tt.want == 0) != errors.Is(err, aggregate.ErrNone) {
			t.Errorf("ReadNext(%s after %d up to %d) = %d, %v; want %d", tt.key, tt.after, tt.end, e.Seq, err, tt.want)
		}
	}
	for seq, ok := range map[uint64]bool{4: true, 400: true, 5: false, 402: false} {
		if e, err := c.ReadAt(t.Context(), "o", "a", seq); (err == nil) != ok || ok && e.Seq != seq {
			t.Errorf("ReadAt(%d) = %d, %v; want it: %t", seq, e.Seq, err, ok)
		}
	}
}
