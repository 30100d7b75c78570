package browsertest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// A Meter counts what pages take of the network.
type Meter struct {
	mu    sync.Mutex
	bytes map[network.RequestID]float64 // as they came over the wire, with headers
	open  map[network.RequestID]string  // addresses
}

// Measure begins to count in a window, with nothing kept from before.
func Measure(t testing.TB, ctx context.Context) *Meter {
	t.Helper()
	m := &Meter{bytes: map[network.RequestID]float64{}, open: map[network.RequestID]string{}}
	err := chromedp.Listen(ctx, m.hear)
	if err == nil {
		_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	}
	if err == nil {
		_, err = chromedp.Call(ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *Meter) hear(e any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e := e.(type) {
	case *network.EventRequestWillBeSent:
		// A stream of events does not end, and an icon is given up without a word when
		// the page is left.
		if e.Type != network.ResourceTypeEventSource && e.Type != network.ResourceTypeOther {
			m.open[e.RequestID] = e.Request.URL
		}
	case *network.EventLoadingFinished:
		m.bytes[e.RequestID] = e.EncodedDataLength
		delete(m.open, e.RequestID)
	case *network.EventLoadingFailed:
		delete(m.open, e.RequestID)
	}
}

// pending are the addresses that have not come to an end.
func (m *Meter) pending() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Values(m.open))
}

// Load opens a page on a phone, with what is fetched only once it is scrolled to, and
// gives the bytes that it took.
func (m *Meter) Load(t testing.TB, ctx context.Context, address string) int {
	t.Helper()
	m.mu.Lock()
	clear(m.bytes)
	clear(m.open)
	m.mu.Unlock()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 20_000, chromedp.EmulateMobile), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	const whole = `document.readyState === "complete" && [...document.images].every(i => i.complete || !i.checkVisibility())`
	for done := false; !done || len(m.pending()) > 0; time.Sleep(20 * time.Millisecond) {
		var err error
		if done, err = chromedp.Run(ctx, chromedp.Evaluate[bool](whole)); err != nil {
			t.Fatalf("%s does not come to an end, %q are open: %v", address, m.pending(), err)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	sum := 0.0
	for _, n := range m.bytes {
		sum += n
	}
	return int(sum)
}

// Slow4G makes the network of a window as slow as measurements of pages suppose it:
// 150 ms there and back, 1.6 Mbit/s; and the processor four times slower.
func Slow4G(t testing.TB, ctx context.Context) {
	t.Helper()
	_, err := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: 150, DownloadThroughput: 1.6e6 / 8, UploadThroughput: 750e3 / 8}},
	})
	if err == nil {
		_, err = chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// LargestPaint opens a page on a phone and gives how long it took until its largest
// part in the first screen was painted.
func LargestPaint(t testing.TB, ctx context.Context, address string) time.Duration {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	const last = `new Promise(done => new PerformanceObserver(l => done(l.getEntries().at(-1).startTime)).observe({type: "largest-contentful-paint", buffered: true}))`
	ms, err := chromedp.Run(ctx, chromedp.Evaluate[float64](last, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(fmt.Errorf("largest paint of %s: %w", address, err))
	}
	return time.Duration(ms * float64(time.Millisecond))
}
