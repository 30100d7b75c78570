package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/projection"
)

// searchLimit is how long the console may take to answer a search.
const searchLimit = 100 * time.Millisecond

// million are the quotes that a search is measured among: the sample that pricing
// wrote, each with a customer, project and ids of its own.
type million struct{ before, after []byte } // the delivery of a quote goes between

func newMillion(t *testing.T) million {
	t.Helper()
	text, err := os.ReadFile("../../pkg/contract/testdata/events/quote/v1/priced.json")
	if err != nil {
		t.Fatal(err)
	}
	var sample struct {
		Data struct{ State map[string]any }
	}
	if err := json.Unmarshal(text, &sample); err != nil {
		t.Fatal(err)
	}
	state := sample.Data.State
	for _, own := range []string{"ref", "request", "account", "delivery"} {
		delete(state, own)
	}
	state["request"].(map[string]any)["project_name"] = "@project@"
	body, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := bytes.Cut(body, []byte("@project@"))
	return million{before, after}
}

func (m million) quote(i int) projection.Document {
	id := fmt.Sprintf("%016x%016x", uint64(i)*0x9e3779b97f4a7c15, uint64(i)*0xc2b2ae3d27d4eb4f)
	name, family := fmt.Sprintf("given%d", i%5000), fmt.Sprintf("family%d", i%30011)
	body := fmt.Appendf(nil, `{"ref":%q,"request":"req_%026d","account":"acc_%d","delivery":{"ship_to":{"name":"%s %s","email":"%s.%s@example%d.com"}},`,
		id, i*31, i%2000, name, family, name, family, i%1000)
	body = slices.Concat(body, m.before[1:], fmt.Appendf(nil, "project %d", i%90000), m.after)
	account := fmt.Sprintf("acc_%d", i%2000)
	return projection.Document{
		Kind: string(contract.QuoteAggregate), ID: id, Seq: 1, At: time.Unix(int64(1_700_000_000+i), 0), Body: body,
		Keys: map[string]string{"account": account, "status": "quote_ready"}, Terms: search.Terms(contract.QuoteAggregate, id, body),
	}
}

func (m million) fill(t *testing.T, store projection.Store, n int) {
	t.Helper()
	began := time.Now()
	var batch []projection.Document
	for i := range n {
		if batch = append(batch, m.quote(i)); len(batch) == 500 || i == n-1 {
			if err := store.Put(t.Context(), batch...); err != nil {
				t.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	t.Logf("%d quotes of %d bytes stored in %v", n, len(m.quote(0).Body), time.Since(began).Round(time.Second))
}

// TestBenchSearch measures the console's search among a million quotes, or as many as
// DOCUMENTS says, over HTTP as the page sends it, and fails where one in a hundred
// takes longer than may be.
func TestBenchSearch(t *testing.T) {
	if os.Getenv("BENCH_CONSOLE") == "" {
		t.Skip("measures; run make bench-console")
	}
	n := 1_000_000
	if text := os.Getenv("DOCUMENTS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	w, m := start(t), newMillion(t)
	m.fill(t, w.docs, n)
	v := w.signInAs("ann")
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	form := v.form("/", "/find")
	t.Logf("%-28s %8s %8s %8s %8s", "searched by", "median", "p99", "slowest", "searches")
	for _, by := range []struct {
		what string
		term func(i int) string
	}{
		{"an id", func(i int) string { return m.quote(i).ID }},
		{"eight characters of an id", func(i int) string { return m.quote(i).ID[:8] }},
		{"three characters of an id", func(i int) string { return m.quote(i).ID[:3] }},
		{"a request", func(i int) string { return fmt.Sprintf("req_%026d", i*31) }},
		{"an e-mail address", func(i int) string { return fmt.Sprintf("given%d.family%d@example%d.com", i%5000, i%30011, i%1000) }},
		{"its beginning", func(i int) string { return fmt.Sprintf("given%d.fam", i%5000) }},
		{"a family name", func(i int) string { return fmt.Sprintf("family%d", i%30011) }},
		{"what begins half of all", func(int) string { return "family" }},
		{"a project", func(i int) string { return fmt.Sprintf("project %d", i%90000) }},
		{"nothing that is there", func(i int) string { return fmt.Sprintf("nobody%d", i) }},
	} {
		var took []time.Duration
		slowest, its := time.Duration(0), ""
		for i := range 300 {
			term := by.term(i * 7919 % n)
			form.Set("what", term)
			began := time.Now()
			a := v.post("/find", form)
			took = append(took, time.Since(began))
			if last := took[len(took)-1]; last > slowest {
				slowest, its = last, term
			}
			if found := a.status == http.StatusOK || a.status == http.StatusSeeOther; found == (by.what == "nothing that is there") {
				t.Fatalf("%s %q: %d %.300s, want it found: %v", by.what, term, a.status, a.body, by.what != "nothing that is there")
			}
		}
		slices.Sort(took)
		p99 := took[len(took)*99/100]
		t.Logf("%-28s %8s %8s %8s %8d", by.what, formatMillis(took[len(took)/2]), formatMillis(p99), formatMillis(slowest), len(took))
		if p99 > searchLimit {
			t.Errorf("searches by %s, such as %q, took %v: more than %v", by.what, its, p99, searchLimit)
		}
	}
}

func formatMillis(d time.Duration) string {
	return fmt.Sprintf("%.1fms", float64(d.Microseconds())/1000)
}
