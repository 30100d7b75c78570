package console_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/board/testkit/processor"
	"boardorder/pkg/browsertest"
	"boardorder/pkg/bus/bustest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// batch is a message of the live page, as far as it is measured.
type batch struct {
	Total        int
	Behind, Sent int64
	Events       []map[string]any
}

// watch reads the live page as a browser does, without showing anything.
func (v *visitor) watch(ctx context.Context, path string) <-chan batch {
	v.w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.w.url+path, nil)
	if err != nil {
		v.w.t.Fatal(err)
	}
	client := *v.client
	client.Timeout = 0
	resp, err := client.Do(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		v.w.t.Fatalf("%s: %v, %v", path, resp, err)
	}
	out := make(chan batch, 10_000)
	go func() {
		defer close(out)
		defer resp.Body.Close()
		s := bufio.NewScanner(resp.Body)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			var b batch
			if data, ok := strings.CutPrefix(s.Text(), "data: "); ok && json.Unmarshal([]byte(data), &b) == nil {
				out <- b
			}
		}
	}()
	return out
}

// flood publishes events at a rate for some seconds, by many writers at once. name
// sets its events apart.
func (w *world) flood(name string, perSecond, seconds int) (took time.Duration) {
	const writers = 250
	began := time.Now()
	var all sync.WaitGroup
	for writer := range writers {
		all.Go(func() {
			each := perSecond * seconds / writers
			for i := range each {
				// Each writer has its turn in every tick, so that the rate is held.
				due := began.Add(time.Duration(i)*time.Duration(seconds)*time.Second/time.Duration(each) + time.Duration(writer)*time.Millisecond/2)
				if wait := time.Until(due); wait > 0 {
					time.Sleep(wait)
				}
				w.append(fmt.Sprintf("%sx%dx%d", name, writer, i))
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

// TestBenchLive shows what the live page costs at 2,000 events a second, and far more:
// run it with make bench-console. The publishers and the broker run in the same process, so
// the cost of a page is what it takes beyond the same without it.
func TestBenchLive(t *testing.T) {
	if os.Getenv("BENCH_CONSOLE") == "" {
		t.Skip("measures; run make bench-console")
	}
	const seconds = 10
	w := start(t)
	t.Logf("%-26s %9s %9s %9s %12s %12s %10s %10s", "", "asked/s", "stored/s", "counted", "cpu µs/event", "of the pages", "shown", "most behind")
	for _, rate := range []int{2000, 4000} {
		without := w.measure(t, "no page", rate, seconds, 0, 0)
		w.measure(t, "one page", rate, seconds, 1, without)
		w.measure(t, "ten pages", rate, seconds, 10, without)
	}
	w.measureBrowser(t, 2000, seconds)
}

func (w *world) measure(t *testing.T, name string, rate, seconds, pages int, without time.Duration) time.Duration {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var watching []<-chan batch
	for range pages {
		watching = append(watching, w.signInAs("ben").watch(ctx, "/events/live?aggregate=upload"))
	}
	mark := fmt.Sprint("m", time.Now().UnixNano())
	if pages > 0 {
		seen := 0
		w.publishUntilSeen(func() int {
			for {
				select {
				case b := <-watching[0]:
					seen += b.Total
				default:
					return seen
				}
			}
		})
		for _, c := range watching[1:] {
			for len(c) > 0 {
				<-c
			}
		}
	}
	before := processor.Time()
	took := w.flood(mark, rate, seconds)
	each := (processor.Time() - before) / time.Duration(rate*seconds)
	var counted, shown int
	var behind int64
	for n, c := range watching {
		total := 0
		bustest.WaitFor(t, "every event to be counted", func() bool {
			for len(c) > 0 {
				b := <-c
				total += b.Total
				behind = max(behind, b.Behind)
				if n == 0 {
					shown += len(b.Events)
				}
			}
			return total >= rate*seconds
		})
		if total != rate*seconds {
			t.Errorf("page %d counted %d of %d, want all", n, total, rate*seconds)
		}
		counted = total
	}
	t.Logf("%-26s %9d %9.0f %9d %12.1f %12.1f %10d %7d ms", name, rate, float64(rate*seconds)/took.Seconds(), counted,
		float64(each.Nanoseconds())/1000, float64((each-without).Nanoseconds())/1000, shown, behind)
	return each
}

func (w *world) measureBrowser(t *testing.T, rate, seconds int) {
	t.Helper()
	ctx, complaints := browsertest.Open(t)
	number := func(expression string) int {
		return evaluate(t, ctx, `Number(document.querySelector("`+expression+` ?? 0)`)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 860), chromedp.Navigate(w.url+"/?token="+token), awaitVisible(".tiles"),
		chromedp.Navigate(w.url+"/events?aggregate=upload"), awaitVisible(".livebar.on")); err != nil {
		t.Fatal(err)
	}
	w.publishUntilSeen(func() int { return number(`[data-total]").dataset.n`) })
	before := number(`[data-total]").dataset.n`)
	if err := chromedp.Do(ctx, js(`for (const k of ["browser", "worst"]) document.querySelector("[data-behind]").dataset[k] = 0`)); err != nil {
		t.Fatal(err)
	}
	busy := busyOf(ctx, t)
	took := w.flood(fmt.Sprint("b", time.Now().UnixNano()), rate, seconds)
	busy = busyOf(ctx, t) - busy
	bustest.WaitFor(t, "every event to be counted", func() bool { return number(`[data-total]").dataset.n`)-before >= rate*seconds })
	t.Logf("%-26s %9d %9.0f %9d: the page's main thread was busy %.0f%% of the time; a message waited %d ms in the browser at most, an event %d ms from store to screen",
		"a browser", rate, float64(rate*seconds)/took.Seconds(), number(`[data-total]").dataset.n`)-before, 100*busy.Seconds()/took.Seconds(),
		number(`[data-behind]").dataset.browser`), number(`[data-behind]").dataset.worst`))
	for _, got := range complaints() {
		t.Errorf("the browser complains: %s", got)
	}
}

// busyOf is how long the page's main thread has worked so far.
func busyOf(ctx context.Context, t *testing.T) time.Duration {
	t.Helper()
	if _, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	got, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range got.Metrics {
		if m.Name == "TaskDuration" {
			return time.Duration(m.Value * float64(time.Second))
		}
	}
	return 0
}
