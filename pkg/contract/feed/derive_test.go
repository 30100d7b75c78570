package feed_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

var update = flag.Bool("update", false, "write samples of the public events")

// samples are a stored event of each kind, by its type.
func samples(t *testing.T) map[string]contract.Event {
	t.Helper()
	out := map[string]contract.Event{}
	err := filepath.WalkDir("../testdata/events", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var stored bus.Stored
		if err := json.Unmarshal(text, &stored); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		e, err := stored.Event()
		out[string(e.Aggregate)+"."+string(e.Name)] = e
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// derive gives the public event that follows from a stored one itself; nil for none.
func derive(t *testing.T, e contract.Event) *feed.Entry {
	t.Helper()
	all := deriveAll(t, e)
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

func deriveAll(t *testing.T, e contract.Event) []feed.Entry {
	t.Helper()
	all, err := feed.Derive(e)
	if err != nil {
		t.Fatalf("Derive(%s version %d): %v", e.Type(), e.Version, err)
	}
	return all
}

// expiry is what is told once the time of a quote is over.
func expiry(t *testing.T, e contract.Event) []feed.Entry {
	t.Helper()
	if e.Aggregate != contract.QuoteAggregate {
		return nil
	}
	d, err := feed.DeriveExpiry(e)
	if err != nil {
		t.Fatalf("DeriveExpiry(%s version %d): %v", e.Type(), e.Version, err)
	}
	if d == nil {
		return nil
	}
	return []feed.Entry{*d}
}

// alter changes the state of a sample.
func alter(t *testing.T, e contract.Event, path []string, value any) contract.Event {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(e.Data, &body); err != nil {
		t.Fatal(err)
	}
	at := body["state"].(map[string]any)
	for _, name := range path[:len(path)-1] {
		at = at[name].(map[string]any)
	}
	at[path[len(path)-1]] = value
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	e.Data = data
	return e
}

// addRare adds what the samples of stored events lack, since they are of earlier releases or
// take an accident.
func addRare(t *testing.T, all map[string]contract.Event) {
	t.Helper()
	all["quote.request_refused with questions"] = addQuestions(t, all["quote.request_refused"])
	all["part-check.checked for a client"] = alter(t, all["part-check.checked"], []string{"asked"}, true)
	all["part-check.refused for a client"] = alter(t, all["part-check.refused"], []string{"asked"}, true)
	all["order.paid of a buy link"] = alter(t, all["order.paid"], []string{"sold", "buy_link"}, "bl_sample")
}

// addQuestions is the sample of a refused quote, as the files leave options open.
func addQuestions(t *testing.T, e contract.Event) contract.Event {
	t.Helper()
	var body contract.Body[json.RawMessage]
	if err := json.Unmarshal(e.Data, &body); err != nil {
		t.Fatal(err)
	}
	body.Refusal = contract.Refuse(contract.NeedsDetails, "Some options are open.")
	body.Refusal.Questions = []contract.Question{{Option: "copper_oz", Question: "How thick is the copper?"}, {Option: "layers", Question: "How many layers?"}}
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	e.Data = data
	return e
}

// TestDerive: which stored events lead to what; all others to nothing.
func TestDerive(t *testing.T) {
	t.Parallel()
	want := map[string]feed.Type{
		"quote.priced": feed.QuotePriced, "quote.review_priced": feed.QuotePriced, "quote.review_needed": feed.QuoteReviewNeeded,
		"quote.review_requested": feed.QuoteReviewRequested, "quote.review_question": feed.QuoteReviewQuestion, "quote.review_refused": feed.QuoteRefused,
		"quote.request_refused": feed.QuoteRefused, "quote.stock_low": feed.PartStockLow, "quote.price_moved": feed.QuotePriceMoved,
		"quote.parts_approved": feed.PartsApproved, "quote.parts_declined": feed.PartsDeclined,
		"order.paid": feed.OrderPaid, "order.placed": feed.OrderPlaced, "order.in_production": feed.OrderInProduction, "order.progressed": feed.OrderProgressed, "order.shipped": feed.OrderShipped,
		"order.cancelled": feed.OrderCancelled, "order.refunded": feed.OrderRefunded, "order.refund_failed": feed.OrderRefundFailed, "order.disputed": feed.OrderDisputed,
		"central-order.in_review": feed.FormalInReview, "central-order.quoted": feed.FormalQuoted, "central-order.accepted": feed.FormalAccepted,
		"central-order.asked": feed.FormalQuestion, "central-order.in_production": feed.FormalInProduction, "central-order.shipped": feed.FormalShipped,
		"central-order.delivered": feed.FormalDelivered, "central-order.cancelled": feed.FormalCancelled,
		"design-check.checked": feed.DesignCheckFinished, "design-check.refused": feed.DesignCheckFinished,
		"account.key_used_elsewhere": feed.KeyUsedElsewhere,
		"upload.expired":             feed.UploadExpired,
		"webhook-endpoint.disabled":  feed.EndpointDisabled, "webhook-endpoint.test_requested": feed.EndpointTest,
	}
	all := samples(t)
	for name, e := range all {
		var got feed.Type
		if d := derive(t, e); d != nil {
			got = d.Type
		}
		if got != want[name] {
			t.Errorf("Derive(%s) is %q, want %q", name, got, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("no samples of %v", slices.Collect(maps.Keys(want)))
	}
	addRare(t, all)
	for _, name := range []string{"part-check.checked for a client", "part-check.refused for a client"} {
		if got := derive(t, all[name]); got == nil || got.Type != feed.PartCheckFinished || got.Data.CheckID == "" || (got.Data.Error != "") != strings.Contains(name, "refused") {
			t.Errorf("%s: %+v, want %s", name, got, feed.PartCheckFinished)
		}
	}
	if got := derive(t, all["quote.request_refused with questions"]); got == nil || got.Type != feed.QuoteQuestions || got.Data.Questions != 2 || got.Data.Error != contract.NeedsDetails {
		t.Errorf("a quote whose options are open: %+v, want %s with 2 questions", got, feed.QuoteQuestions)
	}
	later := all["quote.request_refused"]
	later.Version = 2
	if got := derive(t, later); got != nil {
		t.Errorf("a request about a quote that there is was refused: %+v, want nothing", got)
	}
	erased := all["quote.priced"]
	erased.Data = json.RawMessage(`{"state":null}`)
	if got := derive(t, erased); got != nil {
		t.Errorf("an event without a state: %+v, want nothing", got)
	}
	broken := all["order.paid"]
	broken.Data = json.RawMessage(`{"state":{"id":7}}`)
	if got, err := feed.Derive(broken); err == nil {
		t.Errorf("an event that nobody can read: %+v, want an error", got)
	}
}

// TestDeriveDetails: amounts, references and modes of some.
func TestDeriveDetails(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 5, time.FixedZone("here", 3600))
	total, currency := int64(12345), "USD"
	for name, tt := range map[string]struct {
		event contract.Event
		state any
		want  string
	}{
		"a price of a test key": {
			contract.Event{Aggregate: contract.QuoteAggregate, AggregateID: "q1", Name: quotes.EventPriced, Version: 1},
			quotes.Quote{Ref: "q1", Account: "acc_1~test", RequestID: "req_1", Mode: quotes.ModeInstant, Status: quotes.Ready, ExpiresAt: at, Reply: quotes.Reply{Quantity: 5, TotalCents: &total, Currency: &currency}},
			`{"id":"ID","type":"quote.priced","timestamp":"2026-11-02T08:00:00.000000005Z","sequence":11,"previous_sequence":0,"livemode":false,` +
				`"data":{"object":"quote","request_id":"req_1","status":"quote_ready","mode":"instant","quantity":5,"total_cents":12345,"currency":"USD","expires_at":"2026-11-02T08:00:00.000000005Z","changed":["status","total_cents","expires_at"]},` +
				`"quote":{"request":"req_1","ref":"q1"}}`,
		},
		"the boards alone beside a review": {
			contract.Event{Aggregate: contract.QuoteAggregate, AggregateID: "q1", Name: quotes.EventPriced, Version: 1},
			quotes.Quote{Ref: "q1", Account: "acc_1", RequestID: quotes.BareRequest("req_1"), Status: quotes.Ready, ExpiresAt: at},
			`{"id":"ID","type":"quote.priced","timestamp":"2026-11-02T08:00:00.000000005Z","sequence":11,"previous_sequence":0,"livemode":true,` +
				`"data":{"object":"quote","status":"quote_ready","expires_at":"2026-11-02T08:00:00.000000005Z","changed":["status","total_cents","expires_at"]},` +
				`"quote":{"request":"req_1.bare","ref":"q1"}}`,
		},
		"a refund": {
			contract.Event{Aggregate: contract.OrderAggregate, AggregateID: "q1", Name: orders.EventRefunded, Version: 12},
			orders.Order{ID: "ord_1", Ref: "BO-1", Quote: "q1", Account: "acc_1", Request: "req_1", Status: orders.Shipped, Quantity: 5, TotalCents: 900, Currency: "USD", Refunds: []orders.Refund{
				{ID: "a", Cents: 100, Status: orders.RefundDone}, {ID: "b", Cents: 50, Status: orders.RefundFailed}, {ID: "c", Cents: 7, Status: orders.RefundPending},
			}},
			`{"id":"ID","type":"order.refunded","timestamp":"2026-11-02T08:00:00.000000005Z","sequence":121,"previous_sequence":0,"livemode":true,` +
				`"data":{"object":"order","request_id":"req_1","order_id":"ord_1","order_ref":"BO-1","status":"shipped","quantity":5,"total_cents":900,"refunded_cents":107,"currency":"USD","changed":["refunded_cents"]},` +
				`"quote":{"request":"req_1","ref":"q1"}}`,
		},
		"a formal quote": {
			contract.Event{Aggregate: contract.FormalAggregate, AggregateID: "k1", Name: formal.EventQuoted, Version: 3},
			formal.Order{ID: "ord_2", Ref: "CO-2", Account: "acc_1", RequestID: "for Ada", Status: formal.Quoted, Form: formal.Form{Name: "Motor", Qty: 50}, Quote: &formal.Quote{Number: "CO-2-1", ValidUntil: at, Options: make([]formal.Option, 2)}},
			`{"id":"ID","type":"formal_order.quoted","timestamp":"2026-11-02T08:00:00.000000005Z","sequence":31,"previous_sequence":0,"livemode":true,` +
				`"data":{"object":"formal_order","order_id":"ord_2","order_ref":"CO-2","quote_number":"CO-2-1","status":"quoted","options":2,"quantity":50,"expires_at":"2026-11-02T08:00:00.000000005Z","changed":["status","quotes"]}}`,
		},
	} {
		data, err := json.Marshal(map[string]any{"state": tt.state})
		if err != nil {
			t.Fatal(err)
		}
		tt.event.Data, tt.event.At = data, at
		d := derive(t, tt.event)
		if d == nil {
			t.Errorf("%s: nothing", name)
			continue
		}
		if want := feed.IDOf(feed.KeyOf(tt.event.Aggregate, tt.event.AggregateID), tt.event.Version*feed.Places+1); d.ID != want {
			t.Errorf("%s: id %s, want %s", name, d.ID, want)
		}
		d.ID = "ID"
		got, err := json.Marshal(d)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, tt.want)
		}
	}
}

// TestDeriveExpiry: a quote expires when its last state says, at the last place of that
// version; one that the team ended, or that was erased, does not.
func TestDeriveExpiry(t *testing.T) {
	t.Parallel()
	all := samples(t)
	priced := all["quote.priced"]
	got := expiry(t, priced)
	if len(got) != 1 || got[0].Type != feed.QuoteExpired || got[0].Sequence != priced.Version*feed.Places+9 || !got[0].Timestamp.Equal(*got[0].Data.ExpiresAt) ||
		got[0].Data.Status != string(quotes.Expired) || got[0].Quote == nil || got[0].Key != derive(t, priced).Key {
		t.Errorf("DeriveExpiry(quote.priced) = %+v, want %s at place 9, when it expires", got, feed.QuoteExpired)
	}
	if at := feed.ExpiryOf(priced); !at.Equal(got[0].Timestamp) || !feed.ExpiryOf(all["order.paid"]).IsZero() {
		t.Errorf("ExpiryOf(quote.priced) = %s, want %s; of what does not expire none", at, got[0].Timestamp)
	}
	if got := expiry(t, all["quote.review_refused"]); got != nil {
		t.Errorf("DeriveExpiry of a quote that the team ended: %+v, want nothing", got)
	}
	priced.Data = json.RawMessage(`{"state":null}`)
	if got := expiry(t, priced); got != nil {
		t.Errorf("DeriveExpiry of an erased quote: %+v, want nothing", got)
	}
	priced.Data = json.RawMessage(`{"state":{"ref":7}}`)
	if got, err := feed.DeriveExpiry(priced); err == nil {
		t.Errorf("DeriveExpiry of what nobody can read: %+v, want an error", got)
	}
}

// TestBuyLinkOrderedComesWithItsPayment: of an order of a buy link it is told before that it was
// paid, so that whoever has read the second has read both; of others it is not.
func TestBuyLinkOrderedComesWithItsPayment(t *testing.T) {
	t.Parallel()
	all := samples(t)
	addRare(t, all)
	got := deriveAll(t, all["order.paid of a buy link"])
	if len(got) != 2 || got[0].Type != feed.BuyLinkOrdered || got[1].Type != feed.OrderPaid || got[0].Sequence != got[1].Sequence-1 || got[0].Key != got[1].Key || got[0].ID == got[1].ID ||
		got[0].Data.BuyLinkID != "bl_sample" || got[0].Data.OrderID == "" {
		t.Fatalf("an order of a buy link: %+v, want %s and then %s of the same order", got, feed.BuyLinkOrdered, feed.OrderPaid)
	}
	for _, tt := range []struct{ sequence, want uint64 }{
		{0, 0}, {got[0].Sequence, all["order.paid"].Version - 1}, {got[1].Sequence, all["order.paid"].Version}, {21, 2}, {29, 2}, {30, 2},
	} {
		if told := feed.VersionOf(tt.sequence); told != tt.want {
			t.Errorf("VersionOf(%d) = %d, want %d", tt.sequence, told, tt.want)
		}
	}
	if got := deriveAll(t, all["order.paid"]); len(got) != 1 {
		t.Errorf("an order of no buy link: %+v, want one event", got)
	}
}

// told are the members of a state whose values public events may repeat.
var told = []string{"id", "network", "reason", "ref", "status", "mode", "currency", "request_id", "request", "content", "buy_link", "quote_number", "account", "quote", "error", "applied", "reference", "mpn", "source"}

// leaves collects the texts of a JSON value, by whether their member may be told.
func leaves(v any, member string, may map[string]bool, mayNot map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			leaves(inner, name, may, mayNot)
		}
	case []any:
		for _, inner := range v {
			leaves(inner, member, may, mayNot)
		}
	case string:
		if slices.Contains(told, member) {
			may[v] = true
		} else if len(v) > 3 {
			mayNot[v] = true
		}
	}
}

// TestPublicEventsAreThin: none repeats a text of a customer's or a file's, and each is below
// 4 kB as it is stored.
func TestPublicEventsAreThin(t *testing.T) {
	t.Parallel()
	seen, all := 0, samples(t)
	addRare(t, all)
	for name, e := range all {
		d := derive(t, e)
		if d == nil {
			continue
		}
		seen++
		stored := bus.EncodePublic("sample", *d)
		size := len(stored.Data)
		for k, v := range stored.Headers {
			size += len(k) + len(v)
		}
		if size > 3000 {
			t.Errorf("%s: %d bytes, want 3000 at most: with what the edge adds it must stay below 4 kB", name, size)
		}
		var state, out any
		if err := json.Unmarshal(e.Data, &state); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(stored.Data, &out); err != nil {
			t.Fatal(err)
		}
		may, mayNot, told, others := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
		leaves(state, "", may, mayNot)
		leaves(out.(map[string]any)["data"], "", told, others)
		maps.Copy(told, others)
		for secret := range mayNot {
			for text := range told {
				if !may[secret] && !isOurs(text) && strings.Contains(text, secret) {
					t.Errorf("%s tells %q, of which %q stands in the state where it may not be told", name, text, secret)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d samples lead to public events, want 20 at least", seen)
	}
}

// isOurs tells whether a text is a word or a time of ours.
func isOurs(text string) bool {
	_, err := time.Parse(time.RFC3339Nano, text)
	return err == nil || slices.Contains([]string{"status", "files", "review", "questions", "findings", "tracking", "report", "used_elsewhere", "dispute", "quotes", "error", "total_cents", "expires_at", "refunded_cents"}, text)
}

// TestSamplesOfPublicEvents: the samples under testdata are what is published today; they
// show every type, and what AsyncAPI says is held to them.
func TestSamplesOfPublicEvents(t *testing.T) {
	t.Parallel()
	all := samples(t)
	addRare(t, all)
	byType := map[feed.Type]feed.Entry{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, d := range append(deriveAll(t, all[name]), expiry(t, all[name])...) {
			if byType[d.Type].ID == "" {
				byType[d.Type] = d
			}
		}
	}
	for _, typ := range feed.Types() {
		e, ok := byType[typ]
		if !ok {
			t.Errorf("no sample leads to %s", typ)
			continue
		}
		want, err := json.MarshalIndent(bus.EncodePublic("sample", e), "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		path := filepath.Join("../testdata/public/feed/v1", string(typ)+".json")
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what is published: %v; run this test with -update\n%s", path, err, want)
		}
	}
}

// TestNames: subjects and ids read back, and nothing else does.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, owner := range []string{"acc_1", contract.TestOwner("acc_1")} {
		key := feed.KeyOf(contract.QuoteAggregate, "q1")
		if o, k, ok := feed.ParseSubject(feed.SubjectOf(owner, key)); o != owner || k != key || !ok {
			t.Errorf("ParseSubject(%s) = %q, %q, %t; want %q, %q", feed.SubjectOf(owner, key), o, k, ok, owner, key)
		}
		if k, seq, ok := feed.ParseID(feed.IDOf(key, 21)); k != key || seq != 21 || !ok {
			t.Errorf("ParseID(%s) = %q, %d, %t", feed.IDOf(key, 21), k, seq, ok)
		}
	}
	for _, wrong := range []string{"", "evt_", "evt_abc", "evt_abc_", "evt_abc_x", "evt_abc_01", "evt_a.b_1", "evt_*_1", "evt__1", "abc_1", "evt_abc_-1"} {
		if key, seq, ok := feed.ParseID(wrong); ok {
			t.Errorf("ParseID(%q) = %q, %d; want it refused", wrong, key, seq)
		}
	}
	for _, wrong := range []string{"feed.live_acc.a.b", "feed.live_.a", "feed.dead_acc.a", "evt.live_acc.a", "feed.live_acc", "feed.live_acc~test.a"} {
		if owner, _, ok := feed.ParseSubject(wrong); ok {
			t.Errorf("ParseSubject(%q) = %q; want it refused", wrong, owner)
		}
	}
}

// TestWatchEvents: each event of the watch tells of its own lines and amounts alone, and says
// that nothing of the quote changed.
func TestWatchEvents(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	total := int64(9000)
	q := quotes.Quote{Ref: "q1", Account: "acc_1", RequestID: "req_1", Status: quotes.Ready, ExpiresAt: at, Reply: quotes.Reply{TotalCents: &total}, Watched: &quotes.WatchedParts{
		At: at, Told: []int{2}, Price: &quotes.MovedPrice{PartsCents: 700, TotalCents: 9500, WasCents: 9000},
		Low: []quotes.LowPart{{Line: 1, Reference: "R1"}, {Line: 2, Reference: "U1", MPN: "NE555", Stock: 7, Needed: 20, Source: "fab", At: at, Short: true}},
	}}
	for name, want := range map[contract.EventName]string{
		quotes.EventStockLow: `{"object":"quote","request_id":"req_1","status":"quote_ready","total_cents":9000,"expires_at":"2026-11-02T09:00:00Z",` +
			`"low_parts":[{"line":2,"reference":"U1","mpn":"NE555","stock":7,"needed":20,"source":"fab","as_of":"2026-11-02T09:00:00Z","short":true}],"as_of":"2026-11-02T09:00:00Z","changed":[]}`,
		quotes.EventPriceMoved: `{"object":"quote","request_id":"req_1","status":"quote_ready","total_cents":9000,"expires_at":"2026-11-02T09:00:00Z",` +
			`"would_cost_cents":9500,"would_have_cost_cents":9000,"as_of":"2026-11-02T09:00:00Z","changed":[]}`,
		quotes.EventWatched: "",
	} {
		data, err := json.Marshal(map[string]any{"state": q})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if d := derive(t, contract.Event{Aggregate: contract.QuoteAggregate, AggregateID: "q1", Name: name, Version: 2, At: at, Data: data}); d != nil {
			text, err := json.Marshal(d.Data)
			if err != nil {
				t.Fatal(err)
			}
			got = string(text)
		}
		if got != want {
			t.Errorf("%s tells\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestFullWatchEventIsThin: as many lines as an event has, each as long as it may be, stay below 4 kB.
func TestFullWatchEventIsThin(t *testing.T) {
	t.Parallel()
	q := quotes.Quote{Ref: "q1", Account: "acc_1", RequestID: "req_1", Status: quotes.SourcingQuoted, Watched: &quotes.WatchedParts{At: time.Now()}}
	for i := range quotes.MaxTold {
		long := strings.Repeat("\u00b5", 24) + "…"
		q.Watched.Told = append(q.Watched.Told, i+1)
		q.Watched.Low = append(q.Watched.Low, quotes.LowPart{Line: 500 + i, Reference: long, MPN: long, Stock: 1 << 40, Needed: 1 << 40, Source: "a_distributor_of_a_long_name", At: time.Now(), Short: true})
		q.Watched.Low[i].Line = i + 1
	}
	data, err := json.Marshal(map[string]any{"state": q})
	if err != nil {
		t.Fatal(err)
	}
	d := derive(t, contract.Event{Aggregate: contract.QuoteAggregate, AggregateID: "q1", Name: quotes.EventStockLow, Version: 2, Data: data})
	if d == nil || len(d.Data.LowParts) != quotes.MaxTold {
		t.Fatalf("derived %+v, want %d lines", d, quotes.MaxTold)
	}
	if stored := bus.EncodePublic("sample", *d); len(stored.Data) > 3000 {
		t.Errorf("%d bytes, want 3000 at most: with what the edge adds it must stay below 4 kB", len(stored.Data))
	}
}
