package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/provider"
)

// report writes what a process says of a provider.
func (w *world) report(process string, r provider.Report) {
	w.t.Helper()
	bucket, err := w.bus.Bucket(w.t.Context(), contract.ProviderHealthBucket)
	if err != nil {
		w.t.Fatal(err)
	}
	body, err := json.Marshal(r)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := bucket.Put(w.t.Context(), provider.Key(r, process), body); err != nil {
		w.t.Fatal(err)
	}
}

// furnishProviders says how four providers do: away for one of two processes, used up,
// working, and not called yet.
func (w *world) furnishProviders() {
	now := time.Now().UTC()
	minute := provider.Minute{At: now.Unix() / 60, Failures: 5, Times: map[int]int{30: 15}}
	works := provider.Report{Kind: provider.CardProcessor, Name: "card processor", At: now, FirstCall: now.Add(-3 * time.Hour), LastSuccess: now.Add(-time.Minute), Minutes: []provider.Minute{minute}}
	w.report("a", works)
	fab := provider.Report{Kind: provider.Fabricator, Name: "Far East", At: now, FirstCall: now.Add(-time.Hour), LastSuccess: now.Add(-time.Minute)}
	w.report("a", fab)
	fab.AwaySince = now.Add(-10 * time.Minute)
	w.report("b", fab)
	w.report("a", provider.Report{Kind: provider.PartsSupplier, Name: "distributor_a", At: now, FirstCall: now.Add(-time.Hour), UsedUpSince: now.Add(-time.Hour), UsedUpUntil: now.Add(time.Hour)})
	w.report("a", provider.Report{Kind: provider.MailServer, Name: "mail.example.com", At: now})
}

// TestProvidersOnTheFirstPage: each with its state, the worst first, as all processes
// together saw it, and where it says what to do.
func TestProvidersOnTheFirstPage(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.signInAs("ben")
	v.get("/").wants(t, http.StatusOK, "No process has said yet how providers do.")
	w.furnishProviders()
	a := v.get("/")
	a.wants(t, http.StatusOK, "Far East", "away", "in 1 of 2 processes", "quota used", "33.3 %", `href="/providers#fabricator"`, "not called")
	last := 0
	for _, name := range []string{"Far East", "distributor_a", "card processor", "mail.example.com"} {
		at := strings.Index(a.body, ">"+name+"</a>")
		if at < last {
			t.Errorf("%s stands at %d, after the one that should follow it (%d)", name, at, last)
		}
		last = at
	}
	v.get("/providers").wants(t, http.StatusOK, `id="mail-server"`, `id="card-processor"`, "dead letters, to be sent again", "Far East")
}
