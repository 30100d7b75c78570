package web

import (
	"testing"
	"time"

	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	p := int64(5)
	day := time.Date(2026, 11, 21, 4, 5, 6, 7, time.FixedZone("x", 3600))
	for _, tt := range []struct{ got, want string }{
		{money(int64(123456789), "USD"), "$1,234,567.89"}, {money(int64(-5), ""), "−$0.05"}, {money(int64(100000), "eur"), "EUR 1,000.00"},
		{money(&p, "USD"), "$0.05"}, {money((*int64)(nil), "USD"), "–"}, {money(nil, "USD"), "–"},
		{size(0), "0 B"}, {size(uint64(999)), "999 B"}, {size(1000), "1 kB"}, {size(int64(1_550_000)), "1.6 MB"}, {size(5e13), "50 TB"},
		{id("req_01M7Y5C67X99NKHAS634V2GHFX"), "req_…V2GHFX"}, {id("acc_demo"), "acc_demo"}, {id("5syjfc6rmr2r66pwsqlgqhdb4ddivjv6"), "5syjfc6rmr…"}, {id(""), ""},
		{formatTime(day), "2026-11-21 03:05:06"}, {formatTime(&day), "2026-11-21 03:05:06"}, {formatTime((*time.Time)(nil)), "–"}, {formatTime(time.Time{}), "–"},
		{words(quotes.EventReviewPriced), "review priced"}, {decimal(-1050), "-10.50"},
		{pretty([]byte(`{"a":[1]}`)), "{\n  \"a\": [\n    1\n  ]\n}"}, {pretty([]byte("no json\u202e\x00")), "no json"},
		{localPath("/quotes?x=1"), "/quotes?x=1"}, {localPath("//evil"), ""}, {localPath("/\\evil"), ""}, {localPath("evil"), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

func TestMovesAreForwardOrHeld(t *testing.T) {
	t.Parallel()
	for status, want := range map[orders.Status]int{
		orders.Held: 3, orders.Paid: 4, orders.Placing: 0, orders.Placed: 3,
		orders.InProduction: 2, orders.Shipped: 1,
	} {
		got := moves(orders.Order{Status: status})
		if len(got) != want {
			t.Errorf("%s can become %v, want %d of them", status, got, want)
		}
		for _, to := range got {
			if (orderView{}).Explain(to) == "" {
				t.Errorf("nothing says what %s is", to)
			}
		}
	}
}
