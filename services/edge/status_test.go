package edge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/language"
	"boardorder/pkg/provider"
	"boardorder/pkg/status"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// furnishStatus has a supplier whose quota is used up, a mail server that is away, a day that
// was measured, and two incidents, one of which is over.
func (w *world) furnishStatus() {
	w.t.Helper()
	now := w.now().UTC()
	reports := w.bucket(contract.ProviderHealthBucket)
	for _, r := range []provider.Report{
		{Kind: provider.PartsSupplier, Name: "distributor_b", At: now, FirstCall: now.Add(-time.Hour), UsedUpSince: now.Add(-time.Hour), UsedUpUntil: now.Add(time.Hour)},
		{Kind: provider.MailServer, Name: "smtp.internal.example:587", At: now, FirstCall: now.Add(-time.Hour), AwaySince: now.Add(-10 * time.Minute)},
		{Kind: provider.Fabricator, Name: "Board Maker", At: now, FirstCall: now.Add(-time.Hour), LastSuccess: now},
	} {
		body, err := json.Marshal(r)
		if err == nil {
			err = reports.Put(w.t.Context(), provider.Key(r, "p1"), body)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	days := status.NewDays(w.bucket(contract.StatusDaysBucket))
	supplier := status.Part{ID: "supplier-distributor-b", Kind: status.Supplier, Name: "distributor_b"}
	for i, state := range []status.State{status.Works, status.Works, status.QuotaUsed} {
		if err := days.Note(w.t.Context(), now.Add(-48*time.Hour+time.Duration(i)*time.Minute), []status.Standing{{Part: status.Whole, State: status.Works}, {Part: supplier, State: state}}); err != nil {
			w.t.Fatal(err)
		}
	}
	incidents := status.Incidents{Bucket: w.bucket(contract.StatusIncidentsBucket)}
	for i, title := range []string{"Card payments <fail>", "Letters were late"} {
		id, err := incidents.Open(w.t.Context(), status.Incident{Title: title, Language: "en", Kinds: []status.Kind{status.CardPayments, status.Email}},
			status.Update{At: now.Add(-time.Hour), Stage: status.Investigating, Text: "We are looking.", Operator: "ann.operator", Request: fmt.Sprint("req_", i)})
		if err == nil && i == 1 {
			err = incidents.Say(w.t.Context(), id, status.Update{At: now, Stage: status.Resolved, Text: "They are sent.", Operator: "ann.operator", Request: "req_over"})
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// bucket opens one of the contract's.
func (w *world) bucket(name string) *bus.Bucket {
	w.t.Helper()
	b, err := w.bus.Bucket(w.t.Context(), name)
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// TestStatus: anybody is told how the service does, in words for customers, with what was
// measured and nothing that was not.
func TestStatus(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnishStatus()
	a := w.get("/v1/status", "X-API-Key", "")
	if a.status != 200 || a.header.Get("Cache-Control") != "public, max-age=10" {
		t.Fatalf("GET /v1/status = %d %s, kept %q; want 200 for ten seconds", a.status, a.body, a.header.Get("Cache-Control"))
	}
	for _, secret := range []string{"internal", "smtp", "587", "ann.operator", "req_"} {
		if strings.Contains(string(a.body), secret) {
			t.Errorf("the reply holds %q: %s", secret, a.body)
		}
	}
	var r struct {
		Status string
		Parts  []struct {
			ID, Status, Says string
			Days             []struct {
				Day, Status string
				Measured    int `json:"measured_minutes"`
				Quota       int `json:"quota_used_minutes"`
			}
		}
		Incidents []struct{ Title, Stage string }
	}
	if err := json.Unmarshal(a.body, &r); err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, p := range r.Parts {
		parts = append(parts, p.ID+" "+p.Status)
	}
	if got := strings.Join(parts, ", "); r.Status != "slow" || got != "service works, fabricator-board-maker works, supplier-distributor-b quota_used, email away" {
		t.Errorf("the service is %s, its parts: %s; want slow, for its parts' sake", r.Status, got)
	}
	supplier := r.Parts[2]
	if n := len(supplier.Days); n != 90 || !strings.Contains(supplier.Says, "in part") {
		t.Fatalf("%d days, %q; want 90, and that results are there in part", n, supplier.Says)
	}
	measured := 0
	for i, d := range supplier.Days {
		if d.Measured > 0 && i < 88 {
			measured++
			if d.Measured != 3 || d.Quota != 1 || d.Status != "quota_used" {
				t.Errorf("%+v, want three minutes, one of them without a quota", d)
			}
		}
		if d.Measured == 0 && d.Status != "not_measured" {
			t.Errorf("%+v, want not_measured where nothing was", d)
		}
	}
	if measured != 1 {
		t.Errorf("%d days before yesterday have measurements, want one", measured)
	}
	if len(r.Incidents) != 2 || r.Incidents[0].Stage != "investigating" || r.Incidents[1].Stage != "resolved" {
		t.Errorf("incidents %+v, want the open one first", r.Incidents)
	}
}

// TestStatusIsRemembered: whoever asks often is answered from memory for some seconds.
func TestStatusIsRemembered(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.stopAt(time.Now().UTC())
	before := w.get("/v1/status", "X-API-Key", "")
	w.furnishStatus()
	if again := w.get("/v1/status", "X-API-Key", ""); string(again.body) != string(before.body) {
		t.Errorf("at once: %s, want what was said before", again.body)
	}
	w.stopAt(w.now().Add(6 * time.Second))
	if later := w.get("/v1/status", "X-API-Key", ""); !strings.Contains(string(later.body), "distributor_b") {
		t.Errorf("six seconds later: %s, want what is known by then", later.body)
	}
}

// TestStatusPage is in each language, with what operators wrote in theirs.
func TestStatusPage(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnishStatus()
	for _, l := range language.List() {
		a := w.visit("GET", "/status?lang="+l.Code, nil)
		hold(t, a, 200, `<html lang="`+l.Code+`">`, l.Text("Service status"), l.Text("quota used up"), "distributor_b", "Card payments <fail>", `lang="en" dir="auto"`, l.Text("It is over"))
		for _, secret := range []string{"smtp", "ann.operator"} {
			if strings.Contains(string(a.body), secret) {
				t.Errorf("the page in %s holds %q", l.Code, secret)
			}
		}
	}
	if a := w.get("/status", "X-API-Key", ""); !strings.Contains(string(a.body), "Card payments &lt;fail&gt;") {
		t.Errorf("what operators write is not escaped: %s", a.body)
	}
}

func TestStatusPageInABrowser(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnishStatus()
	ctx, complaints := browsertest.Open(t)
	for _, code := range []string{"en", "de", "ja"} {
		for _, width := range []int64{320, 1280} {
			for _, scheme := range []string{"light", "dark"} {
				_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
				if err != nil {
					t.Fatal(err)
				}
				if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate(w.url+"/status?lang="+code)); err != nil {
					t.Fatal(err)
				}
				wide, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth`))
				if err != nil || int64(wide) > width {
					t.Errorf("the page in %s is %d wide in a window of %d: %v", code, wide, width, err)
				}
				scripts, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.scripts.length`))
				if err != nil || scripts != 0 {
					t.Errorf("%d scripts, %v; want none", scripts, err)
				}
				browsertest.Axe(t, ctx)
				browsertest.Keep(ctx, t, fmt.Sprintf("status-%s-%d-%s", code, width, scheme))
			}
		}
	}
	if c := complaints(); len(c) > 0 {
		t.Errorf("the page complains: %v", c)
	}
}
