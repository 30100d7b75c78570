package webhooks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"
)

// TestEventsArrive: what happens after an endpoint was made arrives, signed, as the feed has it, in
// order within an object, and once.
func TestEventsArrive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.tell(owner, "before")
	r, live := w.receive(), w.start()
	id := contract.NewID(webhooks.Prefix, w.now())
	w.create(r.URL+"/hooks?endpoint="+id, func(d *webhooks.CreateData) { d.Endpoint = id })
	var want []string
	for i := range 60 {
		want = append(want, w.tell(owner, fmt.Sprint("o", i%7)).ID)
	}
	w.tell(contract.TestOwner(owner), "o1") // another's
	taken := r.awaitTaken(t, len(want))
	checkOrder(t, taken)
	var got []string
	for _, e := range taken {
		got = append(got, e.ID)
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("taken %q, want %q", got, want)
	}
	if len(r.bad) > 0 {
		t.Errorf("the specification's library refused %d deliveries, the first: %s", len(r.bad), r.bad[0])
	}
	live.stop()
	if p := w.progress(id); len(p.Lanes) != 0 || p.Seq < w.last[owner+feed.KeyOf(contract.OrderAggregate, "o3")].Seq || p.SucceededAt == nil {
		t.Errorf("written down at the end: %+v, want all delivered", p)
	}
	w.start()
	w.tell(owner, "after")
	if taken = r.awaitTaken(t, len(want)+1); len(taken) != len(want)+1 {
		t.Errorf("another replica sent %d events, want the one that came since", len(taken)-len(want))
	}
}

// TestTypesAndScopes: an endpoint is sent what it asked for, as far as the scopes of its key let it.
func TestTypesAndScopes(t *testing.T) {
	t.Parallel()
	order := feed.Event{Type: feed.OrderPaid}
	formal := feed.Event{Type: feed.FormalQuoted}
	for _, tt := range []struct {
		types, scopes []string
		of            feed.Event
		want          bool
	}{
		{[]string{"*"}, []string{"quotes"}, order, true},
		{[]string{"*"}, []string{"orders"}, order, false},
		{[]string{"*"}, []string{"orders"}, formal, true},
		{[]string{"order.paid", "order.shipped"}, []string{"quotes"}, order, true},
		{[]string{"order.shipped"}, []string{"quotes"}, order, false},
		{[]string{"order.paid"}, nil, order, false},
	} {
		if got := tt.of.IsFor(webhooks.Endpoint{Types: tt.types, Scopes: tt.scopes}); got != tt.want {
			t.Errorf("types %q, scopes %q: wants %s = %t, want %t", tt.types, tt.scopes, tt.of.Type, got, tt.want)
		}
	}
}

// TestPauseChangeDelete: a paused endpoint is sent nothing and misses nothing; a changed one is sent
// what waits to its new address; a deleted one is no more.
func TestPauseChangeDelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.receive(), w.receive()
	w.start()
	id := w.create(first.URL)
	w.tell(owner, "o1")
	first.awaitTaken(t, 1)
	paused, enabled := webhooks.Paused, webhooks.Enabled
	if err := w.command(webhooks.Change, owner, webhooks.ChangeData{Endpoint: id, Status: &paused}); err != nil {
		t.Fatal(err)
	}
	watcher := w.receive() // of another endpoint, by which the events are known to have been seen
	w.create(watcher.URL)
	for range 3 {
		w.tell(owner, "o1")
	}
	watcher.awaitTaken(t, 3)
	if err := w.command(webhooks.Change, owner, webhooks.ChangeData{Endpoint: id, Status: &enabled, URL: &second.URL}); err != nil {
		t.Fatal(err)
	}
	checkOrder(t, second.awaitTaken(t, 3))
	if _, taken := first.deliveries(); len(taken) != 1 {
		t.Errorf("the first address was sent %d events, want the one before the pause", len(taken))
	}
	for name, err := range map[string]error{
		"of another account": w.command(webhooks.Delete, "acc_2", webhooks.Data{Endpoint: id}),
		"that is not":        w.command(webhooks.Delete, owner, webhooks.Data{Endpoint: "we_none"}),
		"by a test key":      w.command(webhooks.Change, contract.TestOwner(owner), webhooks.ChangeData{Endpoint: id, Status: &paused}),
	} {
		if r := contract.RefusalIn(err); r == nil || r.Code != contract.NotFound {
			t.Errorf("an endpoint %s: %v, want %s", name, err, contract.NotFound)
		}
	}
	if err := w.command(webhooks.Delete, owner, webhooks.Data{Endpoint: id}); err != nil {
		t.Fatal(err)
	}
	bucket := w.bucket(w.bus, contract.WebhookProgressBucket)
	bustest.WaitFor(t, "what is kept of the endpoint to go", func() bool { _, _, err := bucket.Get(t.Context(), id); return err != nil })
	now, err := w.service.refTo(id).Load(t.Context())
	if text, _ := json.Marshal(now.State); err != nil || now.State.Status != webhooks.Deleted || strings.Contains(string(text), second.URL) || now.State.Account != "" {
		t.Errorf("deleted: %s, %v; want nothing of what it was", text, err)
	}
}

// TestFailuresHoldBackTheirObjectAlone: an event that is refused is attempted again; later events of its
// object wait for it, those of others do not.
func TestFailuresHoldBackTheirObjectAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, live := w.receive(), w.start()
	w.create(r.URL)
	bad := feed.KeyOf(contract.OrderAggregate, "bad")
	r.set(func(out http.ResponseWriter, _ *http.Request, e feed.Event) {
		if key, _, _ := feed.ParseID(e.ID); key == bad {
			out.WriteHeader(http.StatusInternalServerError)
			return
		}
		r.take(e)
	})
	for i := range 5 {
		w.tell(owner, "bad")
		w.tell(owner, fmt.Sprint("good", i))
	}
	r.awaitTaken(t, 5)
	attempts, _ := r.deliveries()
	for _, e := range attempts {
		if key, _, _ := feed.ParseID(e.ID); key == bad && e.Sequence != feed.Places {
			t.Errorf("%s was sent before %s was delivered", e.ID, feed.IDOf(bad, feed.Places))
		}
	}
	r.set(nil)
	w.advance(10*time.Minute, live)
	checkOrder(t, r.awaitTaken(t, 10))
}

// TestReceiversThatMisbehave: none of them delays another, leads elsewhere or fills memory.
func TestReceiversThatMisbehave(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	inside := w.receive() // where a redirect leads
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	for name, answer := range map[string]func(http.ResponseWriter, *http.Request, feed.Event){
		"hangs": func(_ http.ResponseWriter, in *http.Request, _ feed.Event) {
			select {
			case <-hang:
			case <-in.Context().Done():
			}
		},
		"a gigabyte": func(out http.ResponseWriter, in *http.Request, _ feed.Event) {
			out.WriteHeader(http.StatusServiceUnavailable)
			block := make([]byte, 1<<20)
			for range 1024 {
				if _, err := out.Write(block); err != nil {
					return
				}
			}
			t.Error("a gigabyte was read")
		},
		"redirects": func(out http.ResponseWriter, in *http.Request, _ feed.Event) {
			http.Redirect(out, in, inside.URL, http.StatusTemporaryRedirect)
		},
		"closes": func(http.ResponseWriter, *http.Request, feed.Event) { panic(http.ErrAbortHandler) },
	} {
		r := w.receive()
		r.set(answer)
		w.create(r.URL + "/" + strings.ReplaceAll(name, " ", "-"))
	}
	good := w.receive()
	w.create(good.URL)
	w.start()
	for i := range 40 {
		w.tell(owner, fmt.Sprint("o", i))
	}
	checkOrder(t, good.awaitTaken(t, 40))
	if attempts, _ := inside.deliveries(); len(attempts) > 0 {
		t.Errorf("a redirect was followed: %+v", attempts)
	}
}
