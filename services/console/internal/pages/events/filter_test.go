package events

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/services/console/internal/timeline"
)

func headline(account, id string, name contract.EventName) bus.Headline {
	e := contract.Event{ID: "evt_1", Aggregate: contract.OrderAggregate, AggregateID: id, Name: name, Account: account, Correlation: "req_1", Cause: "cmd_1"}
	return bus.Headline{Event: e}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	h := headline("acc_demo", "abcdef", orders.EventHeld)
	for _, tt := range []struct {
		query        string
		fits, narrow bool
	}{
		{"", true, false}, {"aggregate=order", true, false}, {"aggregate=quote", false, false},
		{"account=acc_demo", true, true}, {"account=acc_other", false, true},
		{"type=" + string(orders.EventHeld), true, true}, {"type=" + strings.ReplaceAll(string(orders.EventHeld), "_", "+"), true, true}, {"type=shipped", false, true},
		{"id=abc", true, true}, {"id=+abcdef+", true, true}, {"id=bcd", false, true},
		{"correlation=req_1", true, true}, {"correlation=req", false, true},
		{"cause=cmd_1", true, true}, {"cause=evt_1", true, true}, {"cause=cmd_2", false, true},
		{"account=acc_demo&id=abc&aggregate=order", true, true}, {"account=acc_demo&id=x", false, true},
	} {
		q, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		f, err := readFilter(q)
		if got := f.fits(h); err != nil || got != tt.fits || f.narrow() != tt.narrow {
			t.Errorf("%q: fits %v, narrow %v, %v; want %v, %v", tt.query, got, f.narrow(), err, tt.fits, tt.narrow)
		}
		back, err := url.ParseQuery(string(f.Query()))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := readFilter(back); err != nil || again.fits(h) != tt.fits || again.Query() != f.Query() {
			t.Errorf("%q as %q: fits %v, %v; want %v", tt.query, f.Query(), again.fits(h), err, tt.fits)
		}
	}
	if _, err := readFilter(url.Values{"aggregate": {"odd"}}); err == nil {
		t.Error("a kind of event that there is not is no error")
	}
}

// TestPlaces are read as they were written; what is none is left out.
func TestPlaces(t *testing.T) {
	t.Parallel()
	p := places{}
	for _, at := range []bus.Position{{Part: 1, Seq: 7}, {Part: 2, Seq: 3}, {Part: 1, Seq: 5}, {Part: 1, Seq: 6}} {
		h := headline("a", "b", orders.EventHeld)
		h.Position = at
		p.noteShown(h)
	}
	text := p.String()
	got := readPlaces(text + ",odd:1,order:x,,order")
	if got.String() != text || len(got[contract.OrderAggregate]) != 2 {
		t.Errorf("read %q again as %q, want the same", text, got)
	}
	for _, at := range got[contract.OrderAggregate] {
		if want := map[int]uint64{1: 5, 2: 3}[int(at.Part)]; at.Seq != want {
			t.Errorf("part %d begins before %d, want %d", at.Part, at.Seq, want)
		}
	}
}

func TestReadTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2031-05-01T08:30": "2031-05-01T08:30:00Z", "2031-05-01T08:30:15": "2031-05-01T08:30:15Z", "2031-05-01 08:30:15": "2031-05-01T08:30:15Z",
		"2031-05-01T08:30:15Z": "2031-05-01T08:30:15Z", "": "", "yesterday": "", "2031-05-01": "",
	} {
		got := ""
		if at, ok := readTime(text); ok {
			got = at.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("readTime(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestCollector counts all, keeps the last few, and bounds how many kinds it counts apart.
func TestCollector(t *testing.T) {
	t.Parallel()
	k := &collector{wanted: func(h bus.Headline) bool { return h.Account == "a" }, counts: map[timeline.Kind]int{}}
	if got := k.take(); got.total != 0 {
		t.Errorf("took %d of nothing, want 0", got.total)
	}
	for i := range shownEach + 5 {
		h := headline("a", "id", orders.EventHeld)
		h.Position.Seq = uint64(i)
		k.add(h)
		k.add(headline("b", "id", orders.EventHeld)) // somebody else's
	}
	got := k.take()
	if got.total != shownEach+5 || len(got.last) != shownEach || got.last[0].Position.Seq != 5 || got.last[shownEach-1].Position.Seq != shownEach+4 {
		t.Errorf("took %d, shows %d from %d; want %d, %d from 5", got.total, len(got.last), got.last[0].Position.Seq, shownEach+5, shownEach)
	}
	if n := got.counts[timeline.Kind{Of: contract.OrderAggregate, Name: orders.EventHeld}]; n != shownEach+5 {
		t.Errorf("counted %d, want %d", n, shownEach+5)
	}
	for i := range maxKinds + 7 {
		k.add(headline("a", "id", contract.EventName(strings.Repeat("x", i+1))))
	}
	got = k.take()
	if len(got.counts) != maxKinds+1 || got.counts[timeline.Kind{}] != 7 {
		t.Errorf("%d kinds, %d others; want %d, 7", len(got.counts), got.counts[timeline.Kind{}], maxKinds+1)
	}
}
