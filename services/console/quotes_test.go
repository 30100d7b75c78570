package console_test

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"encoding/csv"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestQuotesByStatus: each of the nine statuses gives the quotes that stand there.
func TestQuotesByStatus(t *testing.T) {
	t.Parallel()
	w := start(t)
	now := time.Now()
	quote := func(ref string, status quotes.Status, age time.Duration) quotes.Quote {
		q := quotes.Quote{Ref: ref, Account: account, Status: status, CreatedAt: now.Add(-age), ExpiresAt: now.Add(quotes.InstantTTL - age),
			Request: quotes.Request{Quantity: 1, ProjectName: ptr("project of " + ref)}}
		commit(w, contract.QuoteAggregate, ref, quotes.EventPriced, account, q)
		return q
	}
	paying := func(q quotes.Quote, status checkouts.Status) {
		commit(w, contract.CheckoutAggregate, q.Ref, checkouts.EventBegun, account, checkouts.Checkout{Quote: q.Ref, Account: account, Status: status, Sold: q, StartedAt: now})
	}
	order := func(q quotes.Quote, status orders.Status) {
		paying(q, checkouts.Paid)
		commit(w, contract.OrderAggregate, q.Ref, orders.EventPaid, account, orders.Order{Quote: q.Ref, Account: account, Status: status, Sold: q, PaidAt: now})
	}
	quote("ready", quotes.Ready, time.Hour)
	quote("review", quotes.SourcingReady, time.Hour)
	quote("wished", quotes.SourcingRequested, time.Hour)
	quote("told", quotes.SourcingQuoted, time.Hour)
	paying(quote("paying", quotes.Ready, time.Hour), checkouts.Open)
	order(quote("sold", quotes.Ready, time.Hour), orders.Placed)
	order(quote("built", quotes.Ready, time.Hour), orders.InProduction)
	order(quote("sent", quotes.Ready, time.Hour), orders.Shipped)
	quote("old", quotes.Ready, quotes.InstantTTL+time.Hour)
	ben := w.signInAs("ben")
	for status, ref := range map[quotes.Status]string{
		quotes.Ready: "ready", quotes.SourcingReady: "review", quotes.SourcingRequested: "wished",
		quotes.SourcingQuoted: "told", quotes.AwaitingPayment: "paying", quotes.Ordered: "sold",
		quotes.InProduction: "built", quotes.Shipped: "sent", quotes.Expired: "old",
	} {
		for _, filter := range []string{"", "&account=" + account} {
			got := ben.get("/quotes?status=" + string(status) + filter)
			got.wants(t, http.StatusOK, "project of "+ref)
			if n := strings.Count(got.body, "project of "); n != 1 {
				t.Errorf("%s%s shows %d quotes, want 1", status, filter, n)
			}
		}
	}
	ben.get("/quotes?status=moon").wants(t, http.StatusNotFound, "no such status")
}

// TestLayers shows a board layer by layer once its layers are drawn, and the
// reports of its checks with nothing of the console's around them.
func TestLayers(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann, at := w.signInAs("ann"), "/quotes/"+instantRef+"/layers"
	ann.get(at).wants(t, http.StatusOK, "have not been drawn yet", "1 oz, 1.6 mm", "/checks/"+checkRef)
	ann.get(at).lacks(t, "/checks/gone")
	drawn := ann.fill(at, at)
	drawn.wants(t, http.StatusOK, "The layers are drawn", "F.Cu", at+"/1")
	drawn.lacks(t, "have not been drawn")
	w.awaitAudit("ann", "had layers drawn")
	if got := ann.get(at + "?layer=1&zoom=4").body; !strings.Contains(got, `class="sheet z4"`) || !strings.Contains(got, `data-of="0" hidden`) || strings.Contains(got, `data-of="1" hidden`) {
		t.Errorf("want the second layer alone, four times as large:\n%s", got)
	}
	if got := ann.get(at + "/1"); got.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(got.body, "\x89PNG") {
		t.Errorf("layer: %d %v, want a PNG", got.status, got.header)
	}
	for _, none := range []string{at + "/2", at + "/-1", at + "/x", "/quotes/" + instantRef + "/checks/gone", "/quotes/none/layers"} {
		ann.get(none).wants(t, http.StatusNotFound, "There is no such")
	}
	report := ann.get("/quotes/" + instantRef + "/checks/" + checkRef)
	report.wants(t, http.StatusOK, "<title>report</title>")
	if csp := report.header.Get("Content-Security-Policy"); !strings.Contains(csp, "sandbox allow-scripts") || strings.Contains(csp, "allow-same-origin") || strings.Contains(csp, "unsafe") {
		t.Errorf("the report's policy is %s, want a sandbox with scripts, nothing unsafe", csp)
	}
	ben := w.signInAs("ben")
	for _, path := range []string{at, at + "/1", "/quotes/" + instantRef + "/checks/" + checkRef} {
		ben.get(path).wants(t, http.StatusForbidden, "Your roles do not let you")
	}
}

// TestPicturesAndPackagesFollow a reading: until they are there people are told so.
func TestPicturesAndPackagesFollow(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann, prefix := w.signInAs("ann"), "boards/"+boardRef+"/1/"
	for _, tt := range []struct {
		rest   boards.RestStatus
		gone   bool
		status int
		again  string
		want   string
	}{
		{boards.RestMaking, false, http.StatusServiceUnavailable, "5", " is still being made. Look again in a few seconds."},
		{boards.RestFailed, false, http.StatusNotFound, "", " could not be made. The command that makes it, design-check.complete, is among the dead letters"},
		{boards.RestMade, false, http.StatusNotFound, "", "There is no such "},
		{boards.RestMaking, true, http.StatusNotFound, "", "There is no such "},
	} {
		commit(w, contract.BoardAggregate, boardRef, boards.EventRead, account, boards.ReadFiles{
			Digest: boardRef, Reader: "1", Gone: tt.gone, Prefix: prefix, Rest: tt.rest, Package: prefix + "package.zip",
			Boards: []boards.Board{{Name: "blinker", Top: prefix + "0-top.png"}},
		})
		for what, path := range map[string]string{"picture": "/picture/top", "package": "/package"} {
			got := ann.get("/quotes/" + instantRef + path)
			got.wants(t, tt.status)
			if !strings.Contains(got.body, tt.want) || got.header.Get("Retry-After") != tt.again {
				t.Errorf("%s, rest %q, gone %v: Retry-After %q, want %q; want %q in\n%s", what, tt.rest, tt.gone, got.header.Get("Retry-After"), tt.again, tt.want, got.body)
			}
		}
	}
}

func TestDownloads(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	ann := w.signInAs("ann")
	zip := ann.get("/orders/" + instantRef + "/package")
	if zip.status != http.StatusOK || zip.header.Get("Content-Type") != "application/zip" || zip.header.Get("Content-Disposition") != "attachment; filename=BO-2345ABCD.zip" ||
		zip.header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(zip.body, "PK") {
		t.Errorf("package: %d %v, want 200, BO-2345ABCD.zip as an attachment", zip.status, zip.header)
	}
	w.awaitAudit("ann", "downloaded a package")
	if got := ann.get("/quotes/" + instantRef + "/picture/top"); got.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(got.body, "\x89PNG") {
		t.Errorf("picture: %d %v, want a PNG", got.status, got.header)
	}
	file := w.signInAs("fin").get("/orders.csv?status=held")
	rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
	if err != nil || len(rows) != 2 || len(rows[1]) != len(rows[0]) {
		t.Fatalf("csv: %v, %v", rows, err)
	}
	for i, cell := range rows[1] {
		if cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
			t.Errorf("%s could be a formula: %q", rows[0][i], cell)
		}
	}
	got := map[string]string{}
	for i, head := range rows[0] {
		got[head] = rows[1][i]
	}
	if got["order"] != "BO-2345ABCD" || got["total"] != "84.17" || got["company"] != "'=Navy" || got["quantity"] != "10" {
		t.Errorf("csv row %v, want BO-2345ABCD, 84.17, '=Navy, 10", got)
	}
}

// TestLife tells what happened to a quote from its files to its order.
func TestLife(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.signInAs("ben").get("/quotes/"+instantRef+"/history").wants(t, http.StatusOK, "Files arrived", "The board was read", "The quote was priced", "The card processor confirmed the payment", "The customer paid", "The order was held", "After", "from the first event to the last")
	w.signInAs("ben").get("/quotes/none/history").wants(t, http.StatusNotFound)
}
