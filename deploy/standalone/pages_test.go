package standalone_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/browsertest"
)

var (
	measurePages = flag.Bool("measure-pages", false, "measure how long pages take on slow 4G")
	pagesOf      = flag.String("pages-of", "", "a design to measure the pages with, as a zip; empty: the sample")
)

// mostBytes is what a page may take of the network, with all that belongs to it.
const mostBytes = 150_000

// shopPages makes what a shopper sees and gives the addresses: with the pictures of a
// real board on them.
func (s *system) shopPages(t testing.TB) map[string]string {
	t.Helper()
	design := s.sample(t)
	if *pagesOf != "" {
		var err error
		if design, err = os.ReadFile(*pagesOf); err != nil {
			t.Fatal(err)
		}
	}
	upload := s.upload(t, design)
	quote := func(more string) string {
		return s.quote(t, fmt.Sprintf(`{"upload_id":%q,"standard_for_unstated":true,"skip_board_checks":true,%s}`, upload, more), http.StatusCreated).CheckoutURL
	}
	pages := map[string]string{
		"checkout": quote(`"quantity":10`), "review": quote(`"quantity":11,"special_requirements":true,"special_notes":"Blind vias."`),
		"landing": s.BaseURL + "/", "reference": s.BaseURL + "/docs", "reference of quotes": s.BaseURL + "/docs/quotes", "errors": s.BaseURL + "/docs/errors",
		"terms": s.BaseURL + "/legal/terms",
	}
	ready := quote(`"quantity":12`)
	s.open(t, ready).send(t, "update", home)
	pages["checkout with an address"] = ready
	paid := quote(`"quantity":13`)
	s.pay(t, paid, shopper.Pays)
	pages["order"] = paid
	if link := s.call(t, "/v1/buy-links", fmt.Sprintf(`{"upload_id":%q,"project_name":"Lamp","skip_board_checks":true}`, upload)).str("buy_url"); link != "" {
		pages["buy"], pages["buy with prices"] = link, link+"?"+url.Values{"quantity": {"7"}, "country": {"US"}, "postal_code": {"78701"}}.Encode()
	}
	return pages
}

// TestPagesAreLight: each page, with its styles, scripts and pictures, also those
// that are fetched only once they are scrolled to.
func TestPagesAreLight(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	pages := s.shopPages(t)
	ctx, _ := browsertest.Open(t)
	meter := browsertest.Measure(t, ctx)
	for name, address := range pages {
		n := meter.Load(t, ctx, address)
		t.Logf("%s: %d kB", name, n/1000)
		if n > mostBytes || n < 1000 {
			t.Errorf("%s takes %d bytes", name, n)
		}
	}
}

// TestPagesOnSlow4G says how long pages take, for whoever asks: on a machine that is
// busy with other tests it would say nothing.
func TestPagesOnSlow4G(t *testing.T) {
	if !*measurePages {
		t.Skip("make bench-pages")
	}
	s := start(t, busy)
	ctx, _ := browsertest.Open(t)
	browsertest.Measure(t, ctx) // without what was kept
	pages := s.shopPages(t)
	for _, address := range pages {
		browsertest.LargestPaint(t, ctx, address) // what is drawn once is drawn
	}
	browsertest.Slow4G(t, ctx)
	for name, address := range pages {
		var took []time.Duration
		for range 5 {
			took = append(took, browsertest.LargestPaint(t, ctx, address))
		}
		slices.Sort(took)
		fmt.Printf("%-28s largest paint after %4d ms (%v)\n", name, took[2].Milliseconds(), took)
		if took[2] > 1500*time.Millisecond {
			t.Errorf("%s: %v", name, took[2])
		}
	}
}
