package webhooks

import (
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

	"github.com/prometheus/client_golang/prometheus/testutil"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// load gives an endpoint as it was committed.
func (w *world) load(id string) endpoint {
	w.t.Helper()
	now, err := w.service.refTo(id).Load(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return now.State
}

// TestSecretsOverlap: for a while deliveries are verified with the old and the new secret, then with the
// new one alone.
func TestSecretsOverlap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, _ := w.receive(), w.start()
	id := w.create(r.URL)
	heads := make(chan http.Header, 10)
	bodies := make(chan string, 10)
	r.set(func(_ http.ResponseWriter, in *http.Request, e feed.Event) {
		heads <- in.Header.Clone()
		bodies <- e.ID
	})
	verified := func() (generations []int) {
		w.tell(owner, "o")
		header := <-heads
		<-bodies
		for g := 1; g <= 3; g++ {
			key, _ := w.secrets.WebhookSecret(w.secrets.MasterID(), id, g)
			judge, err := standardwebhooks.NewWebhookRaw(key)
			if err != nil {
				t.Fatal(err)
			}
			e := w.last[owner+feed.KeyOf(contract.OrderAggregate, "o")]
			body := encode(t, e)
			if judge.VerifyIgnoringTimestamp(body, header) == nil {
				generations = append(generations, g)
			}
		}
		return generations
	}
	if got := verified(); !slices.Equal(got, []int{1}) {
		t.Errorf("at first, verified with secrets %v, want the first", got)
	}
	rotate := func(overlap time.Duration) {
		t.Helper()
		version := w.load(id).Secrets[0].Generation
		if err := w.command(webhooks.Rotate, owner, webhooks.RotateData{Endpoint: id, Master: w.secrets.MasterID(), Overlap: overlap}); err != nil {
			t.Fatal(err)
		}
		if now := w.load(id).Secrets[0].Generation; now != version+1 {
			t.Fatalf("the newest secret is %d, want %d", now, version+1)
		}
	}
	rotate(webhooks.MaxOverlap)
	bustest.WaitFor(t, "both secrets", func() bool { return slices.Equal(verified(), []int{1, 2}) })
	w.advance(webhooks.MaxOverlap + time.Minute)
	bustest.WaitFor(t, "the new secret alone", func() bool { return slices.Equal(verified(), []int{2}) })
	rotate(0) // the old one leaked
	bustest.WaitFor(t, "the third secret alone", func() bool { return slices.Equal(verified(), []int{3}) })
}

// TestTestEvent: a test event is sent to the endpoint that it is for, whatever that asked for, and to no other.
func TestTestEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mine, other := w.receive(), w.receive()
	w.start()
	id := w.create(mine.URL, func(d *webhooks.CreateData) { d.Types = []string{string(feed.OrderShipped)} })
	w.create(other.URL)
	if err := w.command(webhooks.Test, owner, webhooks.Data{Endpoint: id}); err != nil {
		t.Fatal(err)
	}
	stored, err := w.bus.Last(t.Context(), contract.WebhookEndpointAggregate, id)
	if err != nil {
		t.Fatal(err)
	}
	derived, err := feed.Derive(stored)
	if err != nil || len(derived) != 1 {
		t.Fatalf("Derive = %+v, %v; want the test", derived, err)
	}
	if _, err := w.bus.PublishPublic(t.Context(), derived[0], 0); err != nil {
		t.Fatal(err)
	}
	w.tell(owner, "o1")
	if got := mine.awaitTaken(t, 1); got[0].Type != feed.EndpointTest || got[0].Data.EndpointID != id {
		t.Errorf("taken %+v, want the test of %s", got[0], id)
	}
	if got := other.awaitTaken(t, 1); got[0].Type != feed.OrderPaid {
		t.Errorf("another endpoint was sent %s", got[0].Type)
	}
	if got, want := derived[0].ID, feed.IDOf(feed.KeyOf(contract.WebhookEndpointAggregate, id), feed.SequenceOf(w.load(id).TestedAt)); got != want {
		t.Errorf("the edge tells the id %s, want %s", want, got)
	}
}

// TestSendAgain: one event, and all since a time, in order.
func TestSendAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, _ := w.receive(), w.start()
	id := w.create(r.URL)
	var all []feed.Entry
	for i := range 6 {
		all = append(all, w.tell(owner, fmt.Sprint("o", i%2)))
	}
	r.awaitTaken(t, 6)
	one := all[1]
	if err := w.command(webhooks.Resend, owner, webhooks.ResendData{Endpoint: id, Key: one.Key, Seq: one.Seq}); err != nil {
		t.Fatal(err)
	}
	if got := r.awaitTaken(t, 7); got[6].ID != one.ID {
		t.Errorf("sent again %s, want %s", got[6].ID, one.ID)
	}
	third, err := w.bus.PublicAfter(t.Context(), owner, "*", all[1].Seq)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.command(webhooks.Resend, owner, webhooks.ResendData{Endpoint: id, Since: third.Stored}); err != nil {
		t.Fatal(err)
	}
	got := r.awaitTaken(t, 11)
	var ids, want []string
	for _, e := range got[7:] {
		ids = append(ids, e.ID)
	}
	for _, e := range all[2:] {
		want = append(want, e.ID)
	}
	checkOrder(t, got[7:])
	slices.Sort(ids)
	if slices.Sort(want); !slices.Equal(ids, want) {
		t.Errorf("sent again %q, want %q", ids, want)
	}
}

// TestDeliveriesAreListed: each attempt is in the list, newest first, with what came back.
func TestDeliveriesAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, live := w.receive(), w.start()
	id := w.create(r.URL)
	first := true
	r.set(func(out http.ResponseWriter, _ *http.Request, e feed.Event) {
		if first {
			first = false
			out.WriteHeader(http.StatusTeapot)
			_, _ = out.Write([]byte(strings.Repeat("x", 5000)))
			return
		}
		r.take(e)
	})
	e := w.tell(owner, "o")
	bustest.WaitFor(t, "the failure", func() bool { attempts, _ := r.deliveries(); return len(attempts) == 1 })
	list := func() []webhooks.Delivery {
		found, err := w.bus.Deliveries(t.Context(), id, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	bustest.WaitFor(t, "it to be listed", func() bool { return len(list()) == 1 })
	w.advance(time.Minute, live)
	r.awaitTaken(t, 1)
	bustest.WaitFor(t, "both to be listed", func() bool { return len(list()) == 2 })
	all := list()
	if d := all[1]; d.Event != e.ID || d.Attempt != 1 || d.Status != http.StatusTeapot || len(d.Reply) != 4096 || d.Outcome != webhooks.Failed || d.NextAt == nil {
		t.Errorf("the first attempt is %+v, want 418 with 4 kB of its reply, and when it is attempted again", d)
	}
	if d := all[0]; d.Attempt != 2 || d.Outcome != webhooks.Delivered || d.NextAt != nil || d.URL != r.URL {
		t.Errorf("the second attempt is %+v, want it delivered", d)
	}
	if rest, err := w.bus.Deliveries(t.Context(), id, all[0].Number, 10); err != nil || len(rest) != 1 || rest[0].Number != all[1].Number {
		t.Errorf("below %d: %+v, %v; want the first attempt", all[0].Number, rest, err)
	}
}

// TestEndpointsAreGivenUp: one that answers 410, and one that did nothing but fail for five days; none that
// works now and then. Enabled again, it gets what it missed.
func TestEndpointsAreGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	gone, failing, flaps := w.receive(), w.receive(), w.receive()
	live := w.start()
	answer := func(status int) func(http.ResponseWriter, *http.Request, feed.Event) {
		return func(out http.ResponseWriter, _ *http.Request, _ feed.Event) { out.WriteHeader(status) }
	}
	gone.set(answer(http.StatusGone))
	failing.set(answer(http.StatusInternalServerError))
	turn := 0
	flaps.set(func(out http.ResponseWriter, _ *http.Request, e feed.Event) {
		if turn++; turn%2 == 1 {
			out.WriteHeader(http.StatusInternalServerError)
			return
		}
		flaps.take(e)
	})
	ids := map[string]string{"gone": w.create(gone.URL), "failing": w.create(failing.URL), "flaps": w.create(flaps.URL)}
	e := w.tell(owner, "o")
	await := func(name string, want webhooks.Status) {
		t.Helper()
		bustest.WaitFor(t, name+" to be "+string(want), func() bool { return w.load(ids[name]).Status == want })
	}
	await("gone", webhooks.Disabled)
	bustest.WaitFor(t, "one that fails to count as failing", func() bool { return testutil.ToFloat64(live.measures.failing) >= 1 })
	for day := 0; day < 6; day++ {
		w.advance(24*time.Hour+time.Minute, live)
		w.tell(owner, "o")
		bustest.WaitFor(t, "an attempt to be over", func() bool { _, taken := flaps.deliveries(); return len(taken) > day })
	}
	await("failing", webhooks.Disabled)
	bustest.WaitFor(t, "none that is disabled to count as failing", func() bool { return testutil.ToFloat64(live.measures.failing) <= 1 }) // flaps may
	for _, reason := range []webhooks.Reason{webhooks.Gone, webhooks.Failing} {
		if n := testutil.ToFloat64(live.measures.ended.WithLabelValues(string(reason))); n != 1 {
			t.Errorf("%v endpoints count as given up for %s, want 1", n, reason)
		}
	}
	if d := w.load(ids["failing"]).Disabled; d.Reason != webhooks.Failing || d.At.Sub(d.FailingSince) < webhooks.MaxFailing {
		t.Errorf("disabled: %+v, want it after five days", d)
	}
	if d := w.load(ids["gone"]).Disabled; d.Reason != webhooks.Gone {
		t.Errorf("disabled: %+v, want it for 410", d)
	}
	for _, name := range []string{"gone", "failing"} {
		bustest.WaitFor(t, "the attempt by which "+name+" was disabled to be listed without another", func() bool {
			last, err := w.bus.Deliveries(t.Context(), ids[name], 0, 1)
			return err == nil && len(last) == 1 && last[0].NextAt == nil
		})
	}
	if s := w.load(ids["flaps"]).Status; s != webhooks.Enabled {
		t.Errorf("one that works now and then is %s", s)
	}
	failing.set(nil)
	enabled := webhooks.Enabled
	if err := w.command(webhooks.Change, owner, webhooks.ChangeData{Endpoint: ids["failing"], Status: &enabled}); err != nil {
		t.Fatal(err)
	}
	taken := failing.awaitTaken(t, 7)
	checkOrder(t, taken)
	if taken[0].ID != e.ID {
		t.Errorf("the first after it was enabled is %s, want %s", taken[0].ID, e.ID)
	}
}

// TestTheTeamStopsEndpoints: what an operator stopped its account cannot start, and the operator can.
func TestTheTeamStopsEndpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, _ := w.receive(), w.start()
	id := w.create(r.URL)
	if err := w.command(webhooks.Disable, owner, webhooks.DisableData{Endpoint: id, Reason: webhooks.Stopped, Operator: "ann"}); err != nil {
		t.Fatal(err)
	}
	if e := w.load(id); e.Status != webhooks.Disabled || e.Disabled.Reason != webhooks.Stopped {
		t.Fatalf("stopped: %+v", e)
	}
	w.tell(owner, "o")
	enabled := webhooks.Enabled
	for name, tt := range map[string]struct {
		do   contract.CommandName
		data any
		code contract.Code
	}{
		"its account starts it":        {webhooks.Change, webhooks.ChangeData{Endpoint: id, Status: &enabled}, contract.Forbidden},
		"stopped again":                {webhooks.Disable, webhooks.DisableData{Endpoint: id, Operator: "ann"}, contract.Conflict},
		"one that there is not":        {webhooks.Disable, webhooks.DisableData{Endpoint: "we_none", Operator: "ann"}, contract.Conflict},
		"of another account, it seems": {webhooks.Test, webhooks.Data{Endpoint: "we_none"}, contract.NotFound},
	} {
		if r := contract.RefusalIn(w.command(tt.do, owner, tt.data)); r == nil || r.Code != tt.code {
			t.Errorf("%s: %+v, want %s", name, r, tt.code)
		}
	}
	if err := w.command(webhooks.Change, owner, webhooks.ChangeData{Endpoint: id, Status: &enabled, Operator: "ann"}); err != nil {
		t.Fatal(err)
	}
	r.awaitTaken(t, 1)
}
