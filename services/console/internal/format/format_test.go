package format

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	p := int64(5)
	day := time.Date(2026, 11, 21, 4, 5, 6, 7, time.FixedZone("x", 3600))
	for _, tt := range []struct{ got, want string }{
		{Money(int64(123456789), "USD"), "$1,234,567.89"}, {Money(int64(-5), ""), "−$0.05"}, {Money(int64(100000), "eur"), "EUR 1,000.00"},
		{Money(&p, "USD"), "$0.05"}, {Money((*int64)(nil), "USD"), "–"}, {Money(nil, "USD"), "–"},
		{Size(0), "0 B"}, {Size(uint64(999)), "999 B"}, {Size(1000), "1 kB"}, {Size(int64(1_550_000)), "1.6 MB"}, {Size(5e13), "50 TB"},
		{ID("req_01M7Y5C67X99NKHAS634V2GHFX"), "req_…V2GHFX"}, {ID("acc_demo"), "acc_demo"}, {ID("5syjfc6rmr2r66pwsqlgqhdb4ddivjv6"), "5syjfc6rmr…"}, {ID(""), ""},
		{Time(day), "2026-11-21 03:05:06"}, {Time(&day), "2026-11-21 03:05:06"}, {Time((*time.Time)(nil)), "–"}, {Time(time.Time{}), "–"},
		{Words(quotes.EventReviewPriced), "review priced"}, {Words(contract.FormalAggregate), "formal order"}, {Stream("EVENTS_CENTRAL_ORDER"), "formal order"}, {Decimal(-1050), "-10.50"},
		{Pretty([]byte(`{"a":[1]}`)), "{\n  \"a\": [\n    1\n  ]\n}"}, {Pretty([]byte("no json\u202e\x00")), "no json"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
