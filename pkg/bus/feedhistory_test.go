package bus_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
)

func tell(t *testing.T, b *bus.Bus, owner, object string, version, after uint64) uint64 {
	t.Helper()
	key := feed.KeyOf(contract.QuoteAggregate, object)
	seq, err := b.PublishPublic(t.Context(), feed.Entry{Owner: owner, Key: key, Event: feed.Event{
		ID: feed.IDOf(key, feed.SequenceOf(version)), Type: feed.QuotePriced, Timestamp: time.Now(), Sequence: feed.SequenceOf(version),
	}}, after)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// TestPublicBefore: the last events of an owner or of its objects, page by page, however far
// back they lie and whatever others were told.
func TestPublicBefore(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	if got, err := b.PublicBefore(t.Context(), "acc_1", nil, 0, 10); err != nil || got != nil {
		t.Fatalf("PublicBefore of an empty stream = %v, %v", got, err)
	}
	var mine []uint64
	for i := range 3 {
		mine = append(mine, tell(t, b, "acc_1", fmt.Sprint("early", i), 1, 0))
	}
	again := tell(t, b, "acc_1", "early1", 2, mine[1])
	mine = append(mine, again)
	for i := range bus.FeedWindowForTest + 10 { // so that the first look finds too few
		tell(t, b, "acc_2", fmt.Sprint("other", i), 1, 0)
	}
	last := tell(t, b, "acc_1", "late", 1, 0)
	mine = append(mine, last)
	for _, tt := range []struct {
		what   string
		owner  string
		keys   []string
		before uint64
		limit  int
		want   []uint64
	}{
		{"all", "acc_1", nil, 0, 100, mine},
		{"the last three", "acc_1", nil, 0, 3, mine[2:]},
		{"the page before", "acc_1", nil, mine[2], 3, mine[:2]},
		{"one object", "acc_1", []string{feed.KeyOf(contract.QuoteAggregate, "early1"), feed.KeyOf(contract.OrderAggregate, "early1")}, 0, 10, []uint64{mine[1], again}},
		{"before the first", "acc_1", nil, mine[0], 10, nil},
		{"nobody's", "acc_3", nil, 0, 10, nil},
	} {
		got, err := b.PublicBefore(t.Context(), tt.owner, tt.keys, tt.before, tt.limit)
		var seqs []uint64
		for _, e := range got {
			if seqs = append(seqs, e.Seq); e.Owner != tt.owner || e.Stored.IsZero() {
				t.Errorf("%s: event %d of %q, stored %s; want it of %s with its time", tt.what, e.Seq, e.Owner, e.Stored, tt.owner)
			}
		}
		if err != nil || !slices.Equal(seqs, tt.want) {
			t.Errorf("%s: PublicBefore gives %v, %v; want %v", tt.what, seqs, err, tt.want)
		}
	}
}
