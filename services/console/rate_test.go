package console_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"

	"github.com/chromedp/chromedp"
)

// TestTwoThousandEventsASecond: the live page counts every one of them, shows
// some, and is drawn four times a second however many come, so it stays usable.
func TestTwoThousandEventsASecond(t *testing.T) {
	const perSecond, seconds, writers = 2000, 5, 500
	w := start(t)
	ctx, complaints := browsertest.Open(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 860), chromedp.Navigate(w.url+"/?token="+token), awaitVisible(".tiles")); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(w.url+"/events?aggregate=upload"), awaitVisible(".livebar.on"), js(`
		window.drawn = 0;
		new MutationObserver(() => window.drawn++).observe(document.querySelector("[data-rows]"), {childList: true});
		window.worst = 0, window.last = performance.now();
		setInterval(() => { const now = performance.now(); window.worst = Math.max(window.worst, now - window.last); window.last = now; }, 20)`)); err != nil {
		t.Fatal(err)
	}
	w.publishUntilSeen(func() int { return evaluate(t, ctx, `Number(document.querySelector("[data-total]").dataset.n ?? 0)`) })
	before := evaluate(t, ctx, `Number(document.querySelector("[data-total]").dataset.n ?? 0)`)

	began := time.Now()
	drawn := evaluate(t, ctx, `window.drawn`)
	var all sync.WaitGroup
	for writer := range writers {
		all.Go(func() {
			for i := range perSecond * seconds / writers {
				// Each writer has its turn in every tick, so that the rate is held.
				due := began.Add(time.Duration(i) * seconds * time.Second / (perSecond * seconds / writers))
				if wait := time.Until(due); wait > 0 {
					time.Sleep(wait)
				}
				w.append(fmt.Sprintf("up%dx%d", writer, i))
			}
		})
	}
	if err := chromedp.Do(ctx, js(`document.querySelector("[data-pause]").click()`), js(`document.querySelector("[data-pause]").click()`)); err != nil {
		t.Errorf("the page does not answer while events come: %v", err)
	}
	all.Wait()
	took := time.Since(began)
	total := 0
	bustest.WaitFor(t, "every event to be counted", func() bool {
		total = evaluate(t, ctx, `Number(document.querySelector("[data-total]").dataset.n ?? 0)`)
		return total-before >= perSecond*seconds
	})
	late := time.Since(began) - took
	if total-before != perSecond*seconds {
		t.Errorf("%d events are counted of %d, want all", total-before, perSecond*seconds)
	}
	rows := evaluate(t, ctx, `document.querySelectorAll("[data-rows] tr").length`)
	worst := evaluate(t, ctx, `Math.round(window.worst)`)
	t.Logf("%d events in %v (%.0f a second); all counted %v later; longest time without the page's attention %d ms; %d rows",
		perSecond*seconds, took.Round(time.Millisecond), float64(perSecond*seconds)/took.Seconds(), late.Round(time.Millisecond), worst, rows)
	if rows < 20 || rows > 200 {
		t.Errorf("%d rows are shown, want 20 to 200", rows)
	}
	t.Logf("a message waited %d ms in the browser at most; an event was on the screen %d ms after it was stored at most",
		evaluate(t, ctx, `Number(document.querySelector("[data-behind]").dataset.browser)`), evaluate(t, ctx, `Number(document.querySelector("[data-behind]").dataset.worst)`))
	drawn = evaluate(t, ctx, `window.drawn`) - drawn
	if limit := int(time.Since(began).Seconds()*4) + 4; drawn == 0 || drawn > limit {
		t.Errorf("the rows were drawn %d times, want 1 to %d: four times a second", drawn, limit)
	}
	states, err := w.bus.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		if s.Stream == contract.EventStream(contract.UploadAggregate) && s.Messages < perSecond*seconds {
			t.Errorf("the record holds %d events, want %d at least", s.Messages, perSecond*seconds)
		}
	}
	browsertest.Keep(ctx, t, "desktop-live-2000")
	for _, got := range complaints() {
		t.Errorf("the browser complains: %s", got)
	}
}

// publishUntilSeen publishes until the page sees something: from then on it sees all.
func (w *world) publishUntilSeen(seen func() int) {
	w.t.Helper()
	i := 0
	bustest.WaitFor(w.t, "the live view to be connected", func() bool {
		i++
		w.append("first" + strconv.Itoa(i))
		return seen() > 0
	})
	// What was published before must have been counted too.
	last := -1
	bustest.WaitFor(w.t, "the first events to be counted", func() bool {
		now := seen()
		done := now == last
		last = now
		time.Sleep(600 * time.Millisecond)
		return done
	})
}

// append stores an event without waiting for anything that reads it.
func (w *world) append(id string) {
	body, _ := json.Marshal(map[string]any{"state": uploads.Upload{Ref: id, Account: account}})
	_, err := w.bus.Append(w.t.Context(), contract.Event{
		ID: contract.DeriveID("rate", id), Aggregate: contract.UploadAggregate, AggregateID: id, Name: uploads.EventCreated, Format: 1, Version: 1,
		Account: account, At: time.Now(), Data: body,
	}, 0)
	if err != nil {
		w.t.Error(err)
	}
}
