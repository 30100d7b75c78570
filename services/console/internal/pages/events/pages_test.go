package events

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/page/pagetest"

	"go.uber.org/zap"
)

var (
	compliance = pagetest.Operator("cora", operator.Compliance)
	citizen    = pagetest.Operator("uma", operator.Compliance, operator.USPerson)
	viewer     = pagetest.Operator("vera", operator.Viewer)
)

// record is a log in memory.
type record struct{ all []bus.Headline }

// add stores an event, a second after the one before.
func (l *record) add(e contract.Event) bus.Headline {
	h := bus.Headline{Event: e, Size: len(e.Data)}
	h.Position.Seq = 1
	for _, other := range l.all {
		if other.Aggregate == e.Aggregate {
			h.Position.Seq++
		}
	}
	h.ID = cmp.Or(h.ID, fmt.Sprintf("evt_%d", len(l.all)+1))
	h.Seq = h.Position.Seq
	h.StoredAt = pagetest.At.Add(time.Duration(len(l.all)) * time.Second)
	h.At = h.StoredAt
	l.all = append(l.all, h)
	return h
}

func (l *record) pick(of func(bus.Headline) bool) (out []bus.Headline) {
	for _, h := range l.all {
		if of(h) {
			h.Data = nil
			out = append(out, h)
		}
	}
	return out
}

func (l *record) Latest(_ context.Context, a contract.Aggregate, before []bus.Position, limit int) ([]bus.Headline, error) {
	out := l.pick(func(h bus.Headline) bool {
		return h.Aggregate == a && (len(before) == 0 || h.Position.Seq < before[0].Seq)
	})
	return out[max(0, len(out)-limit):], nil
}

func (l *record) History(_ context.Context, a contract.Aggregate, id string, after uint64, limit int) ([]bus.Headline, error) {
	out := l.pick(func(h bus.Headline) bool { return h.Aggregate == a && h.AggregateID == id && h.Seq > after })
	return out[:min(len(out), limit)], nil
}

func (l *record) PositionsAt(_ context.Context, a contract.Aggregate, at time.Time) ([]bus.Position, error) {
	n := uint64(1)
	for _, h := range l.pick(func(h bus.Headline) bool { return h.Aggregate == a && h.StoredAt.Before(at) }) {
		n = h.Position.Seq + 1
	}
	return []bus.Position{{Seq: n}}, nil
}

func (l *record) EventAt(_ context.Context, a contract.Aggregate, at bus.Position) (contract.Event, error) {
	for _, h := range l.all {
		if h.Aggregate == a && h.Position == at {
			return h.Event, nil
		}
	}
	return contract.Event{}, bus.ErrNoEvent
}

func (*record) Watch(ctx context.Context, _ contract.Aggregate, _ func(bus.Headline)) error {
	<-ctx.Done()
	return nil
}

type desk struct {
	*pagetest.Desk
	log                 *record
	section             *Section
	list, history, show page.Route
}

func open(t testing.TB) *desk {
	t.Helper()
	d := &desk{Desk: pagetest.New(t), log: &record{}}
	d.section = New(d.log, nil, zap.NewNop(), pagetest.Now)
	d.list = page.Route{Pattern: "GET /events", Handle: d.section.List}
	d.history = page.Route{Pattern: "GET /events/{aggregate}/{id}", Handle: d.section.History}
	d.show = page.Route{Pattern: "GET /event/{aggregate}/{at}", Needs: operator.SeeBodies, Handle: d.section.Show}
	return d
}

func makeEvent(a contract.Aggregate, id string, name contract.EventName) contract.Event {
	return contract.Event{Aggregate: a, AggregateID: id, Name: name, Account: "acc_1", Data: json.RawMessage(`{"state":{"secret":"body"}}`)}
}

// link finds where an event is opened from a list.
var link = regexp.MustCompile(`href="/event/([a-z-]+)/([0-9.]+)"`)

func links(body string) (out []string) {
	for _, m := range link.FindAllStringSubmatch(body, -1) {
		if one := m[1] + " " + m[2]; !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// TestEventsAreListed: all streams newest first, page after page without a gap or a
// repetition, and by what is asked for.
func TestEventsAreListed(t *testing.T) {
	t.Parallel()
	d := open(t)
	var want []string
	for i := range 130 {
		a, name := contract.OrderAggregate, orders.EventPaid
		if i%3 == 0 {
			a, name = contract.QuoteAggregate, "priced"
		}
		h := d.log.add(makeEvent(a, fmt.Sprintf("id%03d", i), name))
		want = append(want, string(a)+" "+h.Position.String())
	}
	slices.Reverse(want)
	var got []string
	older := regexp.MustCompile(`before=([^"&]+)`)
	target := "/events"
	for range 5 {
		body := d.Get(compliance, d.list, target).Body.String()
		page := links(body)
		if len(page) > eventsShown {
			t.Errorf("GET %s shows %d events, want %d at most", target, len(page), eventsShown)
		}
		got = append(got, page...)
		m := older.FindStringSubmatch(body)
		if m == nil {
			break
		}
		before, err := url.QueryUnescape(strings.ReplaceAll(m[1], "&amp;", "&"))
		if err != nil {
			t.Fatal(err)
		}
		target = "/events?before=" + url.QueryEscape(before)
	}
	if !slices.Equal(got, want) {
		t.Errorf("page after page: %d events, want the %d from the newest to the oldest:\n%v\n%v", len(got), len(want), got, want)
	}
	for query, count := range map[string]int{
		"aggregate=quote": 44, "id=id12": 10, "type=priced&id=id00": 4, "account=acc_2": 0, "at=2026-11-21T10:00:10": 10, "at=2026-11-21T09:00": 0, "at=never": 50,
	} {
		if n := len(links(d.Get(compliance, d.list, "/events?"+query).Body.String())); n != count {
			t.Errorf("GET /events?%s shows %d events, want %d", query, n, count)
		}
	}
	if w := d.Get(compliance, d.list, "/events?aggregate=odd"); w.Code != http.StatusNotFound {
		t.Errorf("a kind of event that there is not: %d, want 404", w.Code)
	}
}

// TestControlledEvents: of a formal order that is controlled nothing is there for others, also
// what happened before it was declared, in lists, histories, bodies and live.
func TestControlledEvents(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.Put(contract.FormalAggregate, "k1", formal.Order{Key: "k1", Form: formal.Form{ITAR: true}}, nil)
	d.Put(contract.FormalAggregate, "k2", formal.Order{Key: "k2"}, nil)
	before := d.log.add(makeEvent(contract.FormalAggregate, "k1", formal.EventSubmitted))
	declared := makeEvent(contract.FormalAggregate, "k1", formal.EventUpdated)
	declared.Labels = contract.Labels{contract.ControlledLabel}
	d.log.add(declared)
	d.log.add(makeEvent(contract.CaseAggregate, "k1", "taken"))
	other := d.log.add(makeEvent(contract.FormalAggregate, "k2", formal.EventSubmitted))
	about := makeEvent(contract.OrderAggregate, "o1", orders.EventPaid)
	about.Data = json.RawMessage(`{"state":{"order":"k1"}}`)
	d.log.add(about)
	for _, tt := range []struct {
		who    operator.Operator
		listed int
		status int
	}{{compliance, 2, http.StatusNotFound}, {citizen, 5, http.StatusOK}} {
		if got := links(d.Get(tt.who, d.list, "/events").Body.String()); len(got) != tt.listed {
			t.Errorf("%s: events %v are listed, want %d", tt.who.Name, got, tt.listed)
		}
		for path, route := range map[string]page.Route{
			"/events/central-order/k1": d.history, "/events/case/k1": d.history, "/event/central-order/1": d.show, "/event/central-order/2": d.show, "/event/order/1": d.show,
		} {
			if w := d.Get(tt.who, route, path); w.Code != tt.status {
				t.Errorf("%s: GET %s: %d, want %d", tt.who.Name, path, w.Code, tt.status)
			}
		}
		var text string
		live := page.Route{Pattern: "GET /events/live", Handle: func(c *page.Call) error {
			text = d.section.liveText(c, taken{total: 2, last: []bus.Headline{before, other}})
			return nil
		}}
		d.Get(tt.who, live, "/events/live")
		if has := strings.Contains(text, `"id":"k1"`); has != (tt.status == http.StatusOK) || !strings.Contains(text, `"id":"k2"`) {
			t.Errorf("%s: live: %s; want k2, and k1 only for a US person", tt.who.Name, text)
		}
	}
}

// TestSingleEvents: a body is for who may see it, and that it was read is noted.
func TestSingleEvents(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.log.add(makeEvent(contract.OrderAggregate, "o1", orders.EventPaid))
	entry := makeEvent(contract.AuditAggregate, "trail", audits.EventRecorded)
	entry.Data = json.RawMessage(`{"state":{"record":{"action":"opened","controlled":true}}}`)
	d.log.add(entry)
	broken := makeEvent(contract.AuditAggregate, "trail", audits.EventRecorded)
	broken.Data = json.RawMessage(`{"state":{"record":[]}}`)
	d.log.add(broken)
	for _, tt := range []struct {
		name, path string
		who        operator.Operator
		status     int
		recorded   bool
	}{
		{"a body", "/event/order/1", compliance, http.StatusOK, true},
		{"by who may see none", "/event/order/1", viewer, http.StatusForbidden, false},
		{"none", "/event/order/9", compliance, http.StatusNotFound, false},
		{"no place", "/event/order/x", compliance, http.StatusNotFound, false},
		{"no kind", "/event/odd/1", compliance, http.StatusNotFound, false},
		{"an entry about what is controlled", "/event/audit/1", compliance, http.StatusNotFound, false},
		{"the same for a US person", "/event/audit/1", citizen, http.StatusOK, true},
	} {
		before := len(d.Trail())
		w := d.Get(tt.who, d.show, tt.path)
		if recorded := len(d.Trail()) > before; w.Code != tt.status || recorded != tt.recorded || strings.Contains(w.Body.String(), "secret") != (tt.name == "a body") {
			t.Errorf("%s: GET %s: %d, noted %t; want %d, %t, and the body only where it is shown", tt.name, tt.path, w.Code, recorded, tt.status, tt.recorded)
		}
	}
	if w := d.Get(compliance, d.show, "/event/audit/2"); w.Code == http.StatusOK {
		t.Errorf("an entry that cannot be read: %d, want it hidden", w.Code)
	}
	for path, want := range map[string]int{"/events/order/o1": http.StatusOK, "/events/order/o9": http.StatusNotFound, "/events/odd/o1": http.StatusNotFound, "/events/order/a.b": http.StatusNotFound, "/events/order/o1?after=1": http.StatusOK} {
		if w := d.Get(viewer, d.history, path); w.Code != want {
			t.Errorf("GET %s: %d, want %d", path, w.Code, want)
		}
	}
}
