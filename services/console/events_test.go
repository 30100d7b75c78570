package console_test

import (
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/console/internal/page/pagetest"
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestLiveEvents(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.signInAs("ben")
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/events/live?aggregate=upload", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := v.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("content type %q, want text/event-stream", got)
	}
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			if data, ok := strings.CutPrefix(s.Text(), "data: "); ok {
				lines <- data
			}
		}
	}()
	i := 0
	bustest.WaitFor(t, "an event", func() bool {
		i++
		commit(w, contract.QuoteAggregate, fmt.Sprint("q", i), quotes.EventPriced, account, quotes.Quote{}) // not asked for
		commit(w, contract.UploadAggregate, fmt.Sprint("u", i), uploads.EventCreated, account, uploads.Upload{})
		select {
		case line := <-lines:
			var got struct {
				Total  int
				Counts map[string]int
				Events []map[string]any
			}
			if err := json.Unmarshal([]byte(line), &got); err != nil || got.Total < 1 || len(got.Counts) != 1 || got.Counts["upload: created"] != got.Total || len(got.Events) == 0 {
				t.Errorf("live events %s: %v", line, err)
				return true
			}
			if e := got.Events[0]; e["event"] != "upload: created" || e["account"] != account || e["seq"] == "" {
				t.Errorf("live event %v, want upload: created of %s, with its sequence", e, account)
			}
			return true
		default:
			return false
		}
	})
}

// TestEventsAreFilteredAndScrolled: by type, account, id, time, cause and what
// they followed from; back to the first.
func TestEventsAreFilteredAndScrolled(t *testing.T) {
	t.Parallel()
	w := start(t)
	const n = 130
	for i := range n {
		w.append(fmt.Sprintf("up%03d", i))
	}
	commit(w, contract.QuoteAggregate, "quoted", quotes.EventPriced, "acc_other", quotes.Quote{Ref: "quoted", Account: "acc_other"})
	ben := w.signInAs("ben")
	seen, to := 0, "/events"
	for range 10 {
		body := ben.get(to).body
		seen += strings.Count(body, "upload: created</a>")
		if to = pagetest.Older(body); to == "" {
			break
		}
	}
	if seen != n {
		t.Errorf("scrolled back over %d uploads, want %d", seen, n)
	}
	for query, want := range map[string]int{"type=created": 50, "id=up00": 10, "id=up007&aggregate=upload": 1, "account=acc_other": 0, "type=priced": 0, "correlation=none": 0} {
		body := ben.get("/events?" + query).body
		if got := strings.Count(body, "upload: created</a>"); got != want {
			t.Errorf("%s: %d uploads, want %d", query, got, want)
		}
	}
	ben.get("/events?account=acc_other").wants(t, http.StatusOK, "quote: priced")
	events, err := w.bus.History(t.Context(), contract.QuoteAggregate, "quoted", 0, 1)
	if err != nil || len(events) != 1 {
		t.Fatalf("history of the quote: %+v, %v; want one event", events, err)
	}
	ben.get("/events?cause="+events[0].Cause).wants(t, http.StatusOK, "quote: priced")
	ben.get("/events?cause="+events[0].Cause).lacks(t, "upload: created</a>")
	ben.get("/events?at=2001-01-01T00:00").wants(t, http.StatusOK, "No matching events")
	ben.get("/events?at="+time.Now().UTC().Add(time.Hour).Format("2006-01-02T15:04")).wants(t, http.StatusOK, "quote: priced")
}
