package edge_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/secret"
)

// tell publishes a public event of a quote of an owner, as the feed service does.
func (w *world) tell(owner, quote string, version uint64) feed.Entry {
	return w.tellOf(owner, contract.QuoteAggregate, quote, version, feed.QuotePriced)
}

func (w *world) tellOf(owner string, of contract.Aggregate, id string, version uint64, typ feed.Type) feed.Entry {
	w.t.Helper()
	key := feed.KeyOf(of, id)
	last, err := w.bus.LatestPublic(w.t.Context(), owner, key)
	if err != nil {
		last = feed.Entry{}
	}
	e := feed.Entry{Owner: owner, Key: key, Event: feed.Event{
		ID: feed.IDOf(key, version*feed.Places+1), Type: typ, Timestamp: w.now().UTC(), Sequence: version*feed.Places + 1, Previous: last.Sequence,
		Livemode: !contract.IsTest(owner), Data: feed.Data{Object: feed.QuoteObject, Status: "quote_ready", RequestID: "req_" + id, Changed: []string{"status"}},
	}}
	if of == contract.QuoteAggregate {
		e.Quote = &feed.QuoteName{Request: "req_" + id, Ref: contract.SecretRef(w.secrets.QuoteID("req_" + id))}
	}
	if e.Seq, err = w.bus.PublishPublic(w.t.Context(), e, last.Seq); err != nil {
		w.t.Fatal(err)
	}
	if err := w.bus.WakeFeed(owner); err != nil {
		w.t.Fatal(err)
	}
	return e
}

// events is a page of events.
type events struct {
	Events     []feed.Event `json:"events"`
	HasMore    bool         `json:"has_more"`
	NextCursor string       `json:"next_cursor"`
}

func (w *world) events(query string, headers ...string) (page events) {
	w.t.Helper()
	a := w.get("/v1/events"+query, headers...)
	if err := json.Unmarshal(a.body, &page); a.status != http.StatusOK || err != nil {
		w.t.Fatalf("events%s: %d %s, %v", query, a.status, a.body, err)
	}
	return page
}

func cursorQuery(cursor string) string { return "?after=" + url.QueryEscape(cursor) }

// TestEvents: pages go on where the one before ended, nothing comes twice, and what is told
// has what only the edge knows.
func TestEvents(t *testing.T) {
	t.Parallel()
	w := start(t)
	var want []string
	for i := range 5 {
		want = append(want, w.tell(account, fmt.Sprint("q", i), 1).ID, w.tell(account, fmt.Sprint("q", i), 3).ID)
		w.tell("acc_other", fmt.Sprint("q", i), 1)
		w.tell(contract.TestOwner(account), fmt.Sprint("q", i), 1)
	}
	var got []string
	page := w.events("?limit=3")
	for n := 0; ; n++ {
		for _, e := range page.Events {
			got = append(got, e.ID)
		}
		if !page.HasMore || n > 10 {
			break
		}
		page = w.events(cursorQuery(page.NextCursor) + "&limit=3")
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("events\n%s\nwant\n%s", got, want)
	}
	first := w.events("?limit=1").Events[0]
	id := w.secrets.QuoteID("req_q0")
	if first.Data.QuoteID != id || first.Data.URL != w.url+"/v1/quotes/"+id || first.Sequence != 11 || first.Previous != 0 || !first.Livemode {
		t.Errorf("the first event: %+v, want the quote %s and its address", first, id)
	}
	if again := w.events(cursorQuery(page.NextCursor)); len(again.Events) > 0 || again.HasMore || again.NextCursor == "" {
		t.Errorf("after the last: %+v, want nothing and a cursor", again)
	}
	from := w.events("?after=now")
	later := w.tell(account, "q9", 1)
	if page := w.events(cursorQuery(from.NextCursor)); len(from.Events) > 0 || len(page.Events) != 1 || page.Events[0].ID != later.ID {
		t.Errorf("from now on: %+v, then %+v; want nothing, then %s", from, page, later.ID)
	}
	if one := w.get("/v1/events/" + want[1]); one.status != http.StatusOK || !strings.Contains(string(one.body), `"previous_sequence":11`) {
		t.Errorf("one event: %d %s", one.status, one.body)
	}
	for _, id := range []string{"evt_none_1", "nothing", feed.IDOf(feed.KeyOf(contract.QuoteAggregate, "q1"), 21), strings.Replace(want[0], "_11", "_011", 1)} {
		if one := w.get("/v1/events/" + id); one.status != http.StatusNotFound {
			t.Errorf("event %s: %d %s, want 404", id, one.status, one.body)
		}
	}
}

// TestEventsAreWaitedFor: a call that waits is answered with the event that comes, and one of
// others wakes nobody for good.
func TestEventsAreWaitedFor(t *testing.T) {
	t.Parallel()
	w := start(t)
	from := w.events("?after=now").NextCursor
	got := make(chan events)
	go func() { got <- w.events(cursorQuery(from) + "&wait_s=60&types=order.paid,quote.priced") }()
	bustest.WaitFor(t, "the call to wait", func() bool { return w.edge.WaitingForTest() == 1 })
	w.tellOf(account, contract.OrderAggregate, "q1", 2, feed.OrderShipped)
	told := w.tell(account, "q1", 1)
	if page := <-got; len(page.Events) != 1 || page.Events[0].ID != told.ID {
		t.Errorf("the call that waits got %+v, want %s", page, told.ID)
	}
	if page := w.events(cursorQuery(from) + "&types=order.shipped"); len(page.Events) != 1 || page.Events[0].Type != feed.OrderShipped {
		t.Errorf("one type: %+v", page)
	}
}

// TestEventsAreNotToldToRevokedKeys: a call that waits ends with its key.
func TestEventsAreNotToldToRevokedKeys(t *testing.T) {
	t.Parallel()
	w := start(t)
	second := secret.NewAPIKey(true)
	w.putKey(second, account, accounts.DefaultScopes(), nil)
	got := make(chan answer)
	go func() { got <- w.get("/v1/events?after=now&wait_s=60", "X-API-Key", second.Text) }()
	bustest.WaitFor(t, "the call to wait", func() bool { return w.edge.WaitingForTest() == 1 })
	w.revoke(second)
	bustest.WaitFor(t, "the edge to know", func() bool { return w.get("/v1/events", "X-API-Key", second.Text).status == http.StatusUnauthorized })
	w.tell(account, "q1", 1)
	if a := <-got; a.status != http.StatusUnauthorized {
		t.Errorf("a call whose key was revoked while it waited: %d %s, want 401", a.status, a.body)
	}
}

// TestEventsRefused: foreign and broken cursors, types that there are not and types that a key
// may not read, each by its name.
func TestEventsRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.tell(account, "q1", 1)
	mine := w.events("").NextCursor
	test, other, uploader := secret.NewAPIKey(false), secret.NewAPIKey(true), secret.NewAPIKey(true)
	w.putKey(test, account, accounts.DefaultScopes(), nil)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	w.putKey(uploader, account, []string{accounts.ScopeUploads}, nil)
	for name, tt := range map[string]struct {
		query, key string
		status     int
		want       string
	}{
		"a key of the same account and mode": {cursorQuery(mine), w.key.Text, 200, ""},
		"another account's":                  {cursorQuery(mine), other.Text, 422, `"field":"after"`},
		"the other mode's":                   {cursorQuery(mine), test.Text, 422, `"field":"after"`},
		"broken":                             {cursorQuery(mine + "x"), w.key.Text, 422, `"field":"after"`},
		"made up":                            {"?after=42", w.key.Text, 422, `"field":"after"`},
		"too long":                           {"?after=" + strings.Repeat("a", 801), w.key.Text, 422, `"field":"after"`},
		"a type that there is not":           {"?types=quote.sold", w.key.Text, 422, `"order.paid"`},
		"no limit":                           {"?limit=0", w.key.Text, 422, `"field":"limit"`},
		"too many":                           {"?limit=101", w.key.Text, 422, `"field":"limit"`},
		"too long a wait":                    {"?wait_s=151", w.key.Text, 422, `"field":"wait_s"`},
		"a type beyond the key's scope":      {"?types=order.paid", uploader.Text, 403, `quotes`},
	} {
		if a := w.get("/v1/events"+tt.query, "X-API-Key", tt.key); a.status != tt.status || !strings.Contains(string(a.body), tt.want) {
			t.Errorf("%s: %d %s, want %d with %s", name, a.status, a.body, tt.status, tt.want)
		}
	}
	if page := w.events("", "X-API-Key", uploader.Text); len(page.Events) != 0 {
		t.Errorf("a key for uploads is told %+v, want nothing", page.Events)
	}
}

// TestOldCursor: a cursor after which events are gone is refused by its own code, which names
// where they begin; it is never passed over in silence.
func TestOldCursor(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.tell(account, "q1", 1)
	old := w.events("").NextCursor
	w.tell(account, "q1", 2)
	kept := w.tell(account, "q1", 3)
	w.forget(feed.Stream, kept.Seq)
	for _, path := range []string{"/v1/events", "/v1/events/stream"} {
		a := w.get(path + cursorQuery(old))
		oldest, _ := a.json(t)["oldest_cursor"].(string)
		if a.status != http.StatusGone || a.code(t) != "cursor_expired" || oldest == "" {
			t.Fatalf("%s with a cursor of before: %d %s, want 410 cursor_expired", path, a.status, a.body)
		}
		if page := w.events(cursorQuery(oldest)); len(page.Events) != 1 || page.Events[0].ID != kept.ID {
			t.Errorf("from the oldest on: %+v, want %s", page, kept.ID)
		}
	}
}

// TestCursorOfWhoIsToldNothing: an account that has no events for weeks, and asks now and then,
// keeps a cursor that works, whatever of others comes and goes.
func TestCursorOfWhoIsToldNothing(t *testing.T) {
	t.Parallel()
	w := start(t)
	cursor := w.events("").NextCursor
	var others feed.Entry
	for i := range 4 {
		others = w.tell("acc_other", "q1", uint64(i+1))
		cursor = w.events(cursorQuery(cursor)).NextCursor
		w.advance(time.Hour)
		cursor = w.events(cursorQuery(cursor)).NextCursor
	}
	w.forget(feed.Stream, others.Seq+1)
	cursor = w.events(cursorQuery(cursor)).NextCursor
	told := w.tell(account, "q2", 1)
	if page := w.events(cursorQuery(cursor)); len(page.Events) != 1 || page.Events[0].ID != told.ID {
		t.Errorf("after weeks: %+v, want %s", page, told.ID)
	}
}

// forget drops what a stream has before a sequence, as age does.
func (w *world) forget(stream string, before uint64) {
	w.t.Helper()
	w.purge(stream, before)
}

// revoke ends a key.
func (w *world) revoke(k secret.APIKey) {
	w.t.Helper()
	at := w.now()
	if err := w.write(accounts.KeyDocumentKind, k.ID, accounts.KeyDocument{Account: account, Key: accounts.APIKey{
		ID: k.ID, Prefix: k.Prefix(), Hash: k.Hash(), Scopes: accounts.DefaultScopes(), Live: k.Live, RevokedAt: &at,
	}}); err != nil {
		w.t.Fatal(err)
	}
	if err := w.bus.Wake(contract.AccountAggregate, account); err != nil {
		w.t.Fatal(err)
	}
}

// A blockReader reads server-sent events.
type blockReader struct {
	t   *testing.T
	res *http.Response
	in  *bufio.Scanner
}

func (w *world) stream(t *testing.T, query string, headers ...string) *blockReader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/v1/events/stream"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-API-Key", w.key.Text)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return &blockReader{t, res, bufio.NewScanner(res.Body)}
}

// next gives the fields of the next block; nil at the end.
func (b *blockReader) next() map[string]string {
	var out map[string]string
	for b.in.Scan() {
		line := b.in.Text()
		if line == "" && out != nil {
			return out
		}
		if name, value, ok := strings.Cut(line, ": "); ok {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = value
		}
	}
	return nil
}

// TestEventStream: what happens comes at once, and who comes again with the last id, anywhere,
// misses nothing and gets nothing twice; also who was cut off before the first event.
func TestEventStream(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.tell(account, "q0", 1) // before
	s := w.stream(t, "")
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"} {
		if got := s.res.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	hello := s.next()
	if hello["retry"] != "3000" || hello["id"] == "" || hello["data"] != "" {
		t.Errorf("the first block is %v, want retry, an id and no event", hello)
	}
	one, two := w.tell(account, "q1", 1), w.tell(account, "q1", 2)
	w.tell("acc_other", "q1", 1)
	got := s.next()
	var e feed.Event
	if err := json.Unmarshal([]byte(got["data"]), &e); err != nil || e.ID != one.ID || got["event"] != "quote.priced" || e.Data.QuoteID == "" {
		t.Errorf("the first event is %v, want %s", got, one.ID)
	}
	again := w.stream(t, "", "Last-Event-ID", got["id"])
	again.next()
	if next := again.next(); !strings.Contains(next["data"], two.ID) {
		t.Errorf("after the first: %v, want %s", next, two.ID)
	}
	cut := w.stream(t, "", "Last-Event-ID", hello["id"])
	cut.next()
	if next := cut.next(); !strings.Contains(next["data"], one.ID) {
		t.Errorf("from the first block on: %v, want %s", next, one.ID)
	}
	if page := w.events(cursorQuery(got["id"])); len(page.Events) != 1 || page.Events[0].ID != two.ID {
		t.Errorf("the list after an id of the stream: %+v, want %s", page, two.ID)
	}
}

// TestEventStreamEnds: with its key, and when the edge stops; and there are only so many.
func TestEventStreamEnds(t *testing.T) {
	t.Parallel()
	w := start(t)
	second := secret.NewAPIKey(true)
	w.putKey(second, account, accounts.DefaultScopes(), map[string]int{"event-streams": 2})
	s, stays := w.stream(t, "", "X-API-Key", second.Text), w.stream(t, "")
	s.next()
	stays.next()
	if third := w.get("/v1/events/stream", "X-API-Key", second.Text); third.status != http.StatusTooManyRequests || third.header.Get("Retry-After") == "" {
		t.Errorf("a third stream: %d %s, want 429", third.status, third.body)
	}
	w.revoke(second)
	if block := s.next(); block != nil {
		t.Errorf("a stream whose key was revoked goes on: %v", block)
	}
	w.stop()
	if block := stays.next(); block != nil {
		t.Errorf("a stream of an edge that stops goes on: %v", block)
	}
}

// TestStreamsLeaveTheirPlaces: the place of a client that is gone is free at once, not when it is found out by
// sending; what a client sends meanwhile is no request, and too much of it ends the stream.
func TestStreamsLeaveTheirPlaces(t *testing.T) {
	t.Parallel()
	w := start(t)
	one := newKey(w, "acc_one", accounts.DefaultScopes(), map[string]int{"event-streams": 1})
	w.key = one
	for name, leave := range map[string]func(net.Conn){
		"closes":         func(c net.Conn) { _ = c.Close() },
		"is cut off":     func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0); _ = c.Close() },
		"sends too much": func(c net.Conn) { _, _ = c.Write(make([]byte, 64<<10)) },
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := io.WriteString(c, "GET /v1/events/stream HTTP/1.1\r\nHost: x\r\nX-API-Key: "+one.Text+"\r\n\r\nGET /v1/capabilities HTTP/1.1\r\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
			t.Fatalf("a stream: %q, %v; want 200", line, err)
		}
		if a := w.get("/v1/events/stream"); a.status != http.StatusTooManyRequests {
			t.Fatalf("a second stream: %d %s, want 429", a.status, a.body)
		}
		began := time.Now()
		leave(c)
		bustest.WaitFor(t, "the place of a client that "+name, func() bool { return w.edge.WaitingForTest() == 0 })
		if took := time.Since(began); took > 15*time.Second { // a heartbeat
			t.Errorf("the place of a client that %s was free after %s, want it before anything is sent", name, took)
		}
	}
	w.stream(t, "")
}

// TestEventTypesAreDescribed: the reference lists every type.
func TestEventTypesAreDescribed(t *testing.T) {
	t.Parallel()
	reference, err := os.ReadFile("internal/openapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range feed.Types() {
		if !strings.Contains(string(reference), "| `"+string(typ)+"` |") {
			t.Errorf("openapi.yaml does not list %s", typ)
		}
		if own := strings.HasPrefix(string(typ), string(feed.EndpointObject)+".") || typ == feed.KeyUsedElsewhere; (feed.ScopeOf(typ) == "") != own {
			t.Errorf("%s needs the scope %q, want one unless it is of endpoints or keys", typ, feed.ScopeOf(typ))
		}
	}
}
