package quotes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob/folder"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/page/pagetest"
	pages "boardorder/services/console/internal/pages/quotes"

	"go.uber.org/zap"
)

var (
	sales   = pagetest.Operator("sal", operator.Sales)
	viewer  = pagetest.Operator("vera", operator.Viewer)
	finance = pagetest.Operator("fin", operator.Finance)
)

type desk struct {
	*pagetest.Desk
	blobs                                                                  *folder.Store
	list, show, history, picture, layers, draw, layer, report, pack, parts page.Route
}

func open(t testing.TB) *desk {
	t.Helper()
	blobs, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{Desk: pagetest.New(t), blobs: blobs}
	s := &pages.Section{Letters: pagetest.NoLetters{}, Docs: d.Docs, Bus: pagetest.NoHistory{}, Files: download.Files{Docs: d.Docs, Blobs: blobs, Log: zap.NewNop()}, Now: pagetest.Now}
	design := func(pattern string, handle func(*page.Call) error) page.Route {
		return page.Route{Pattern: pattern, Needs: operator.SeeDesigns, Handle: handle}
	}
	d.list, d.show, d.history = page.Route{Pattern: "GET /quotes", Handle: s.List}, page.Route{Pattern: "GET /quotes/{ref}", Handle: s.Show}, page.Route{Pattern: "GET /quotes/{ref}/history", Handle: s.History}
	d.picture, d.layers, d.draw = design("GET /quotes/{ref}/picture/{side}", s.Picture), design("GET /quotes/{ref}/layers", s.Layers), design("POST /quotes/{ref}/layers", s.DrawLayers)
	d.layer, d.report = design("GET /quotes/{ref}/layers/{n}", s.LayerPicture), design("GET /quotes/{ref}/checks/{check}", s.CheckReport)
	d.pack, d.parts = design("GET /quotes/{ref}/package", s.Package), design("GET /quotes/{ref}/parts/{side}", s.Outlines)
	return d
}

func quote(ref string) quotes.Quote {
	project := "project " + ref
	return quotes.Quote{
		Ref: ref, Account: "acc_1", RequestID: "req_" + ref, Mode: quotes.ModeInstant, Status: quotes.Ready, Digest: "d1", Board: "b", Request: quotes.Request{Quantity: 10, ProjectName: &project},
		Delivery: &shipments.Delivery{ShipTo: shipments.ShipTo{Name: "Grace Hopper", Country: "DE"}}, CreatedAt: pagetest.At.Add(-time.Hour), ExpiresAt: pagetest.At.Add(time.Hour),
	}
}

func (d *desk) put(q quotes.Quote) {
	keys := map[string]string{"status": contract.ListWord(q.Account, string(q.Status)), "account": q.Account}
	if contract.IsTest(q.Account) {
		keys[contract.ModeKey] = contract.TestMode
	}
	d.Put(contract.QuoteAggregate, q.Ref, q, keys)
}

var project = regexp.MustCompile(`project (\w+)`)

// TestLists: quotes of a status as it follows from checkout, order and clock, of a mode and
// an account; names for who may see them.
func TestLists(t *testing.T) {
	t.Parallel()
	d := open(t)
	ready, paying, ordered, shipped, expired, other, test := quote("ready"), quote("paying"), quote("ordered"), quote("shipped"), quote("expired"), quote("other"), quote("test")
	expired.ExpiresAt = pagetest.At
	expired.CreatedAt = pagetest.At.Add(-quotes.InstantTTL)
	other.Account, test.Account = "acc_2", contract.TestOwner("acc_1")
	d.put(expired)
	for _, q := range []quotes.Quote{ready, paying, ordered, shipped, other, test} {
		d.put(q)
	}
	keys := map[string]string{"account": "acc_1", "status": "open"}
	d.Put(contract.CheckoutAggregate, "paying", checkouts.Checkout{Quote: "paying", Account: "acc_1", Status: checkouts.Open, Sold: paying}, keys)
	for _, o := range []orders.Order{{Quote: "ordered", Account: "acc_1", Status: orders.Placed, Sold: ordered}, {Quote: "shipped", Account: "acc_1", Status: orders.Shipped, Sold: shipped}} {
		d.Put(contract.OrderAggregate, o.Quote, o, map[string]string{"account": "acc_1", "status": string(o.Status)})
	}
	for query, want := range map[string][]string{
		"":                              {"other", "shipped", "ordered", "paying", "ready", "expired"},
		"?status=quote_ready":           {"other", "ready"},
		"?status=awaiting_payment":      {"paying"},
		"?status=ordered":               {"ordered"},
		"?status=shipped":               {"shipped"},
		"?status=in_production":         nil,
		"?account=acc_2":                {"other"},
		"?account=acc_2&status=shipped": nil,
		"?mode=test":                    {"test"},
		"?mode=test&status=quote_ready": {"test"},
		"?account=acc_1&mode=test":      {"test"},
	} {
		body := d.Get(sales, d.list, "/quotes"+query).Body.String()
		var got []string
		for _, m := range project.FindAllStringSubmatch(body, -1) {
			if !slices.Contains(got, m[1]) {
				got = append(got, m[1])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("GET /quotes%s: %v, want %v", query, got, want)
		}
	}
	if w := d.Get(sales, d.list, "/quotes?status=odd"); w.Code != http.StatusNotFound {
		t.Errorf("a status that there is not: %d, want 404", w.Code)
	}
	for _, tt := range []struct {
		who  operator.Operator
		name bool
	}{{sales, true}, {finance, true}, {viewer, false}} {
		body := d.Get(tt.who, d.list, "/quotes").Body.String()
		if got := strings.Contains(body, "Grace Hopper"); got != tt.name || strings.Contains(body, "G… H…, DE") == tt.name {
			t.Errorf("%s sees the customer's name: %t, want %t, or its initials and the country", tt.who.Name, got, tt.name)
		}
	}
}

// TestListsAreNarrowed by customer, day, fabricator and currency, in every status, and every
// one of them names its customer.
func TestListsAreNarrowed(t *testing.T) {
	t.Parallel()
	d := open(t)
	to := func(name string) *shipments.Delivery {
		return &shipments.Delivery{ShipTo: shipments.ShipTo{Name: name, Email: strings.ToLower(strings.Fields(name)[0]) + "@example.com", Country: "DE"}}
	}
	put := func(q quotes.Quote, a contract.Aggregate, state any, status string) {
		body, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		doc := projection.Document{Kind: string(a), ID: q.Ref, Seq: 1, At: q.CreatedAt, Body: body, Keys: map[string]string{"account": q.Account, "status": status}, Terms: search.Terms(a, q.Ref, body)}
		if err := d.Docs.Put(t.Context(), doc); err != nil {
			t.Fatal(err)
		}
	}
	of := func(ref, name string, days int, change func(*quotes.Quote)) quotes.Quote {
		q := quote(ref)
		q.Delivery, q.CreatedAt = to(name), pagetest.At.AddDate(0, 0, -days).Add(-time.Hour)
		change(&q)
		return q
	}
	ready := of("ready", "Ada Lovelace", 0, func(q *quotes.Quote) {
		q.Reply.Fabricator, q.Charge = "Far East", &prices.Charge{Charged: prices.Charged{Currency: "EUR"}}
	})
	old := of("old", "Ada Lovelace", 3, func(q *quotes.Quote) { q.Reply.Fabricator = "Near West" })
	paying := of("paying", "Grace Hopper", 1, func(q *quotes.Quote) { q.Delivery = nil })
	shipped := of("shipped", "Grace Hopper", 2, func(q *quotes.Quote) { q.Delivery = nil })
	put(ready, contract.QuoteAggregate, ready, "quote_ready")
	put(old, contract.QuoteAggregate, old, "quote_ready")
	put(paying, contract.CheckoutAggregate, checkouts.Checkout{Quote: "paying", Account: "acc_1", Status: checkouts.Open, Sold: paying, ShipTo: to("Grace Hopper").ShipTo}, "open")
	put(shipped, contract.OrderAggregate, orders.Order{Quote: "shipped", Account: "acc_1", Status: orders.Shipped, Sold: shipped, ShipTo: to("Grace Hopper").ShipTo,
		Fabricator: orders.FabOrder{Name: "Far East"}, Payment: checkouts.Payment{Charged: &prices.Charge{Charged: prices.Charged{Currency: "JPY"}}}}, "shipped")
	for query, want := range map[string][]string{
		"customer=LOVE": {"ready", "old"}, "customer=ada%40ex": {"ready", "old"}, "customer=hopper": {"shipped"}, "customer=hopper&status=shipped": {"shipped"}, "customer=project": nil,
		"from=2026-11-21": {"ready"}, "to=2026-11-18": {"old"}, "from=2026-11-19&to=2026-11-20": nil, "status=shipped&from=2026-11-19&to=2026-11-19": {"shipped"}, "status=shipped&to=2026-11-18": nil,
		"fabricator=west": {"old"}, "fabricator=east&status=shipped": {"shipped"}, "currency=eur": {"ready"}, "currency=USD": {"old"}, "currency=JPY&status=shipped": {"shipped"}, "status=awaiting_payment": {"paying"},
	} {
		w := d.Get(sales, d.list, "/quotes?"+query)
		var got []string
		for _, m := range project.FindAllStringSubmatch(w.Body.String(), -1) {
			got = append(got, m[1])
		}
		if w.Code != http.StatusOK || !slices.Equal(slices.Compact(got), want) {
			t.Errorf("GET /quotes?%s: %d, %v, want %v", query, w.Code, got, want)
		}
	}
	for _, status := range []string{"awaiting_payment", "shipped"} {
		if body := d.Get(sales, d.list, "/quotes?status="+status).Body.String(); !strings.Contains(body, `data-label="Customer">Grace Hopper<`) {
			t.Errorf("the list of %s names no customer:\n%s", status, body)
		}
	}
	if w := d.Get(sales, d.list, "/quotes?from=soon"); w.Code != http.StatusBadRequest {
		t.Errorf("a day that is none: %d, want 400", w.Code)
	}
}

// TestPages: a quote is there for as long as it, its checkout or its order is.
func TestPages(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.put(quote("q1"))
	d.Put(contract.OrderAggregate, "q2", orders.Order{Quote: "q2", Account: "acc_1", Status: orders.Placed, Sold: quote("q2")}, nil)
	d.Put(contract.CheckoutAggregate, "q3", checkouts.Checkout{Quote: "q3", Account: "acc_1", Status: checkouts.Open, Sold: quote("q3")}, nil)
	for ref, want := range map[string]int{"q1": http.StatusOK, "q2": http.StatusOK, "q3": http.StatusOK, "q4": http.StatusNotFound} {
		for path, route := range map[string]page.Route{"/quotes/" + ref: d.show, "/quotes/" + ref + "/history": d.history} {
			if w := d.Get(viewer, route, path); w.Code != want {
				t.Errorf("GET %s: %d, want %d", path, w.Code, want)
			}
		}
	}
	if body := d.Get(viewer, d.show, "/quotes/q1").Body.String(); !strings.Contains(body, "req_q1") || !strings.Contains(body, "<dd>10</dd>") {
		t.Errorf("the page of a quote lacks its request or its 10 boards:\n%s", body)
	}
}

// TestMakers: the page of a quote says who builds it, by what rule and why, and what the
// others said; where nothing was chosen it says nothing of it.
func TestMakers(t *testing.T) {
	t.Parallel()
	d := open(t)
	q := quote("q1")
	q.FabricatorChoice = &quotes.FabricatorChoice{Rule: "preferred 10%", Why: "near_by costs least <delivered>.", Offers: []quotes.FabricatorOffer{
		{Fabricator: "far_east", Status: quotes.OfferPriced, TotalCents: 123456, DaysMin: 8, DaysMax: 11},
		{Fabricator: "near_by", Status: quotes.OfferChosen, TotalCents: 98700, DaysMin: 5, DaysMax: 7},
		{Fabricator: "far_west", Status: quotes.OfferNotBuilt, Why: "layers is not offered."},
	}}
	d.put(q)
	d.put(quote("q2"))
	body := d.Get(viewer, d.show, "/quotes/q1").Body.String()
	for _, want := range []string{"near_by costs least &lt;delivered&gt;.", "preferred 10%", "$1,234.56", "$987.00", "5 to 7", "not built", "layers is not offered."} {
		if !strings.Contains(body, want) {
			t.Errorf("the page of a quote of several fabricators lacks %q:\n%s", want, body)
		}
	}
	if body := d.Get(viewer, d.show, "/quotes/q2").Body.String(); strings.Contains(body, "Who builds it") {
		t.Errorf("the page of a quote without a choice says who builds it:\n%s", body)
	}
}

// TestDesigns: pictures, layers, reports and files of a quote's own board, for who may see
// designs; a download is noted.
func TestDesigns(t *testing.T) {
	t.Parallel()
	d := open(t)
	q := quote("q1")
	q.Assembly = &quotes.QuotedAssembly{TopSVG: "boards/d1/top.svg"}
	d.put(q)
	d.put(func() quotes.Quote { q := quote("q2"); q.Digest = "d2"; return q }())
	d.Put(contract.BoardAggregate, "d1", boards.ReadFiles{
		Digest: "d1", Package: "boards/d1/all.zip", Reader: "1", ReadAt: pagetest.At,
		Boards: []boards.Board{{Name: "other"}, {Name: "b", Top: "boards/d1/top.png", Layers: []boards.LayerPicture{{Name: "F.Cu", Role: "copper", Key: "boards/d1/l0.png"}}}},
	}, nil)
	keys := map[string]string{"digest": "d1"}
	check := func(id, digest string, status designchecks.Status) {
		d.Put(contract.DesignCheckAggregate, id, designchecks.DesignCheck{ID: id, Digest: digest, Status: status, Report: "boards/d1/report.html", ReportPolicy: "default-src 'none'"}, keys)
	}
	check("c1", "d1", designchecks.Pass)
	check("c2", "d2", designchecks.Pass)
	for _, key := range []string{"boards/d1/top.png", "boards/d1/l0.png", "boards/d1/all.zip", "boards/d1/report.html", "boards/d1/top.svg"} {
		if _, err := d.blobs.Put(t.Context(), key, strings.NewReader(key), int64(len(key)), "text/plain"); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path     string
		route    page.Route
		want     string // the blob; "" there is none
		kind     string
		recorded bool
	}{
		{"/quotes/q1/picture/top", d.picture, "boards/d1/top.png", "image/png", false}, {"/quotes/q1/picture/bottom", d.picture, "", "", false}, {"/quotes/q1/picture/side", d.picture, "", "", false},
		{"/quotes/q1/layers/0", d.layer, "boards/d1/l0.png", "image/png", false}, {"/quotes/q1/layers/1", d.layer, "", "", false}, {"/quotes/q1/layers/-1", d.layer, "", "", false}, {"/quotes/q2/layers/0", d.layer, "", "", false},
		{"/quotes/q1/checks/c1", d.report, "boards/d1/report.html", "text/html; charset=utf-8", false}, {"/quotes/q1/checks/c2", d.report, "", "", false}, {"/quotes/q1/checks/c9", d.report, "", "", false},
		{"/quotes/q1/package", d.pack, "boards/d1/all.zip", "application/zip", true}, {"/quotes/q2/package", d.pack, "", "", false},
		{"/quotes/q1/parts/top", d.parts, "boards/d1/top.svg", "image/svg+xml", false}, {"/quotes/q1/parts/bottom", d.parts, "", "", false}, {"/quotes/q2/parts/top", d.parts, "", "", false},
	} {
		before := len(d.Trail())
		w := d.Get(sales, tt.route, tt.path)
		got := ""
		if w.Code == http.StatusOK {
			got = w.Body.String()
		}
		if got != tt.want || tt.want != "" && w.Header().Get("Content-Type") != tt.kind || tt.want == "" && w.Code != http.StatusNotFound || (len(d.Trail()) > before) != tt.recorded {
			t.Errorf("GET %s: %d %q as %q, noted %t; want %q as %q, %t", tt.path, w.Code, got, w.Header().Get("Content-Type"), len(d.Trail()) > before, tt.want, tt.kind, tt.recorded)
		}
		if w := d.Get(finance, tt.route, tt.path); w.Code != http.StatusForbidden {
			t.Errorf("GET %s by who may see no designs: %d, want 403", tt.path, w.Code)
		}
	}
	if csp := d.Get(sales, d.report, "/quotes/q1/checks/c1").Header().Get("Content-Security-Policy"); !strings.Contains(csp, "sandbox") {
		t.Errorf("a report is served under %q, want a sandbox", csp)
	}
	body := d.Get(sales, d.layers, "/quotes/q1/layers?zoom=3&layer=0").Body.String()
	if !strings.Contains(body, "F.Cu") || !strings.Contains(body, "/quotes/q1/checks/c1") {
		t.Error("the page of layers lacks the layer F.Cu or the check c1")
	}
	w := d.Post(sales, d.draw, "/quotes/q1/layers", nil)
	if sent := d.Commands(); w.Header().Get("Location") != "/quotes/q1/layers?done=drawn" || len(sent) != 1 || sent[0].Name != boards.DrawLayers || string(sent[0].Data) != `{"digest":"d1"}` {
		t.Errorf("have layers drawn: %d to %q, sent %s; want the board's digest and the page again", w.Code, w.Header().Get("Location"), fmt.Sprint(sent))
	}
}
