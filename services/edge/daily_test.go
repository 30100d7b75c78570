package edge_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/registry"
	"boardorder/services/edge"
	"boardorder/services/edge/internal/limit"
)

// TestDailyQuotaIsOfTheAccount: all keys of an account share it, what one account
// took is no other's loss, and the refusal says from when on there is more.
func TestDailyQuotaIsOfTheAccount(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) {
		c.DailyQuotas = map[string]int{"quotes-day": 3, "design-checks-day": 1, "part-checks-day": 1}
	})
	id := w.uploadID()
	other := newKey(w, account, accounts.DefaultScopes(), nil)
	for i, key := range []string{w.key.Text, other.Text, w.key.Text} {
		a := w.post("/v1/quotes", quoteBody(id, fmt.Sprintf(`,"project_name":"%d"`, i)), "X-API-Key", key)
		if a.status != 201 || !strings.Contains(a.header.Get("RateLimit-Policy"), `"quotes-day";q=3;w=86400`) || !strings.Contains(a.header.Get("RateLimit"), fmt.Sprintf(`"quotes-day";r=%d;`, 2-i)) {
			t.Fatalf("quote %d: %d %v %s, want 201, a policy of 3 a day, %d left", i, a.status, a.header, a.body, 2-i)
		}
	}
	for _, path := range []string{"/v1/quotes", "/v1/reorders"} {
		a := w.post(path, quoteBody(id, ""), "X-API-Key", other.Text)
		again, _ := a.json(t)["retry_after_s"].(float64)
		if a.status != 429 || a.code(t) != "rate_limited" || again < 23*3600 || again > 25*3600 || a.header.Get("Retry-After") != fmt.Sprint(again) ||
			!strings.Contains(string(a.body), w.now().Add(time.Duration(again)*time.Second).UTC().Format("2006-01-02")) {
			t.Errorf("%s over the quota: %d %v %s, want 429 rate_limited, again in a day", path, a.status, a.header, a.body)
		}
	}
	if a := w.get("/v1/capabilities"); a.status != 200 {
		t.Errorf("another route: %d %s, want 200", a.status, a.body)
	}
	for _, path := range []string{"/v1/design-checks", "/v1/part-checks"} {
		if a, b := w.post(path, `{}`), w.post(path, `{}`); a.status != 422 || b.status != 429 {
			t.Errorf("%s: %d, then %d, want 422, then 429", path, a.status, b.status)
		}
	}
	larger := newKey(w, "acc_larger", accounts.DefaultScopes(), map[string]int{"quotes-day": 5})
	if a := w.post("/v1/quotes", `{}`, "X-API-Key", larger.Text); a.status != 422 || !strings.Contains(a.header.Get("RateLimit-Policy"), `"quotes-day";q=5;`) {
		t.Errorf("another account: %d %v, want 422, a policy of 5", a.status, a.header)
	}
	w.advance(25 * time.Hour)
	if a := w.post("/v1/quotes", `{}`); a.status != 422 {
		t.Errorf("a day later: %d %s, want 422", a.status, a.body)
	}
}

// TestAssembledBoardsHaveADailyQuota: bare ones go on when it is used up.
func TestAssembledBoardsHaveADailyQuota(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.DailyQuotas = map[string]int{"assemblies-day": 1} })
	id := w.uploadID()
	for _, tt := range []struct {
		more string
		want int
	}{{`,"assembly":true`, 201}, {`,"assembly":true,"project_name":"x"`, 429}, {`,"project_name":"y"`, 201}} {
		a := w.post("/v1/quotes", quoteBody(id, tt.more))
		if a.status != tt.want || tt.want == 429 && (a.code(t) != "rate_limited" || !strings.Contains(string(a.body), "assemblies-day")) {
			t.Errorf("a quote %s: %d %s, want %d", tt.more, a.status, a.body, tt.want)
		}
	}
}

// TestFormalOrdersHaveADailyQuota: under both of their addresses together.
func TestFormalOrdersHaveADailyQuota(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.DailyQuotas = map[string]int{"orders-day": 1} })
	if a, b := w.order("/v1/orders", named, qty, layers, gerbers), w.order("/central/orders", named, qty, layers, gerbers); a.status != 201 || b.status != 429 {
		t.Errorf("%d, then %d %s, want 201, then 429", a.status, b.status, b.body)
	}
	if a := w.get("/v1/orders"); a.status != 200 {
		t.Errorf("the list: %d %s, want 200", a.status, a.body)
	}
}

// TestRefusedOrdersTakeNoQuota: what makes no order takes nothing of what an account
// needs for orders, as often as a day allows; then it does.
func TestRefusedOrdersTakeNoQuota(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.key = newKey(w, account, accounts.DefaultScopes(), map[string]int{"orders-day": 3, "orders-refused": 5})
	left := func(a answer, status, want int) {
		t.Helper()
		if policy := a.header.Get("RateLimit"); a.status != status || !strings.Contains(policy, fmt.Sprintf(`"orders-day";r=%d;`, want)) {
			t.Errorf("%d %q %s, want %d with %d left", a.status, policy, a.body, status, want)
		}
	}
	first := part{"request_id", "", "first"}
	left(w.order("/v1/orders", named, qty, layers, gerbers, first), 201, 2)
	for name, parts := range map[string][]part{
		"without files": {named, qty, layers}, "without layers": {named, qty, gerbers}, "no number": {named, {"qty", "", "many"}, layers, gerbers},
		"controlled, and not of the United States": {named, qty, layers, gerbers, {"itar", "", "true"}},
	} {
		if a := w.order("/v1/orders", parts...); a.status != 422 {
			t.Errorf("%s: %d %s, want 422", name, a.status, a.body)
		}
	}
	// The same order once more is answered with it, and is no refused call.
	if a := w.order("/v1/orders", named, qty, layers, gerbers, first); a.status != 201 || a.header.Get("Idempotent-Replayed") == "" {
		t.Errorf("the same order = %d %s, want 201, replayed", a.status, a.body)
	}
	if a := w.order("/v1/orders", named, qty, layers); a.status != 422 {
		t.Errorf("the fifth that is refused: %d %s, want 422", a.status, a.body)
	}
	left(w.order("/v1/orders", named, qty, layers, gerbers), 201, 1)
	left(w.order("/v1/orders", named, qty, layers), 422, 0) // the sixth
	if a := w.order("/v1/orders", named, qty, layers, gerbers); a.status != 429 {
		t.Errorf("refused calls without end: %d %s, want 429", a.status, a.body)
	}
}

// TestRepeatedRequestsTakeNoQuotaOfADay: whatever its client names by an Idempotency-Key counts once.
func TestRepeatedRequestsTakeNoQuotaOfADay(t *testing.T) {
	t.Parallel()
	day := map[string]string{
		"POST /v1/uploads": "uploads-day", "POST /v1/quotes": "quotes-day", "POST /v1/quotes/{quote_id}/refresh": "quotes-day", "POST /v1/reorders": "quotes-day",
		"POST /v1/price-tables": "quotes-day", "POST /v1/buy-links": "buy-links-day", "POST /v1/orders": "orders-day",
	}
	for name, policy := range day {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t)
			th, owner := w.addOwner("acc_named", true)
			th.key = newKey(w, owner, accounts.DefaultScopes(), map[string]int{policy: 5})
			c := namedCalls[name](w, th)
			for i := range 8 {
				if a := c.send(w, th, false, keyHeader, "k1"); a.status >= 300 {
					t.Fatalf("call %d: %d %s, want 5 of %s to last for all, as one request", i+1, a.status, a.body, policy)
				}
			}
		})
	}
}

// TestPricesOfBuyLinksHaveADailyQuota: visitors of one account's links cannot take what all share.
func TestPricesOfBuyLinksHaveADailyQuota(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.DailyQuotas = map[string]int{"link-quotes-day": 9} })
	w.uploadID()
	link := buylinks.BuyLink{ID: "bl_1", Account: account, Key: w.key.ID, Upload: "no-such-upload"}
	if err := w.write(string(contract.BuyLinkAggregate), link.ID, link); err != nil {
		t.Fatal(err)
	}
	for _, country := range []string{"US", "DE"} { // five quantities each
		a, err := http.Get(w.url + "/buy/bl_1?quantity=10&country=" + country)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(a.Body)
		a.Body.Close()
		if want := map[string]int{"US": 200, "DE": 429}[country]; err != nil || a.StatusCode != want || want == 429 && !strings.Contains(string(body), "UTC") {
			t.Errorf("prices to %s: %d %v, want %d:\n%s", country, a.StatusCode, err, want, body)
		}
	}
}

// TestNoAccountFillsWhatAllShare: what one account may send in a day, as long as it
// is kept, is less than half of the stream at the default size.
func TestNoAccountFillsWhatAllShare(t *testing.T) {
	t.Parallel()
	streams := map[string]contract.Stream{}
	for _, s := range registry.Streams() {
		streams[s.Name] = s
	}
	const forEver = 1098 // days planned
	for _, tt := range []struct {
		quota  int
		stream string
	}{
		{limit.QuotesDay.Quota, contract.RequestStream}, {limit.QuotesDay.Quota, contract.EventStream(contract.QuoteAggregate)},
		{limit.QuotesDay.Quota, contract.EventStream(contract.QuoteRequestAggregate)},
		{limit.LinkQuotesDay.Quota, contract.RequestStream}, {2 * limit.AssembliesDay.Quota, contract.EventStream(contract.AssemblyAggregate)},
		{limit.UploadsDay.Quota, contract.EventStream(contract.UploadAggregate)}, {limit.UploadsDay.Quota, contract.EventStream(contract.BoardAggregate)},
		{limit.DesignChecksDay.Quota, contract.EventStream(contract.DesignCheckAggregate)}, {limit.PartChecksDay.Quota, contract.EventStream(contract.PartCheckAggregate)},
		{limit.OrdersDay.Quota, contract.EventStream(contract.FormalAggregate)},
		{limit.OrdersRefused.Quota, contract.EventStream(contract.OperationAggregate)}, // a refusal of the service is on record
		{limit.QuotesDay.Quota + limit.LinkQuotesDay.Quota + limit.DesignChecksDay.Quota + limit.UploadsDay.Quota, feed.Stream},
		{limit.BuyLinksDay.Quota + limit.BuyLinksRefused.Quota, contract.EventStream(contract.BuyLinkAggregate)},
	} {
		s := streams[tt.stream]
		days := int64(s.Keep / (24 * time.Hour))
		if days == 0 {
			days = forEver
		}
		took, holds := int64(tt.quota)*days*int64(s.Load.Bytes), registry.SizeOf(s, topology.DefaultMaxBytes)
		if took <= 0 || 2*took > holds {
			t.Errorf("%d a day are %d MB of the %d MB of %s, want half at most", tt.quota, took>>20, holds>>20, tt.stream)
		}
	}
}

// TestDailyQuotasAreDescribed: the reference and the handbook give the figures that count.
func TestDailyQuotasAreDescribed(t *testing.T) {
	t.Parallel()
	reference, err := os.ReadFile("internal/openapi/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(reference)), " ")
	for _, want := range []string{
		fmt.Sprintf("%d quotes and reorders (%d of them of assembled boards), %d new uploads, %d design checks, %d part checks, %d formal orders and %d buy links, and the pages of its buy links show %d prices",
			limit.QuotesDay.Quota, limit.AssembliesDay.Quota, limit.UploadsDay.Quota, limit.DesignChecksDay.Quota, limit.PartChecksDay.Quota, limit.OrdersDay.Quota, limit.BuyLinksDay.Quota, limit.LinkQuotesDay.Quota),
		fmt.Sprintf("buy links (%d a day) and of formal orders (%d a day", limit.BuyLinksRefused.Quota, limit.OrdersRefused.Quota),
	} {
		if !strings.Contains(words, want) {
			t.Errorf("openapi.yaml does not say %q", want)
		}
	}
	handbook, err := os.ReadFile("../../deploy/handbook/capacity.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range limit.Daily() {
		if row := fmt.Sprintf("| `%s` | %d |", p.Name, p.Quota); !strings.Contains(string(handbook), row) {
			t.Errorf("capacity.md does not say %q", row)
		}
	}
}

func TestDailyQuotasAreNamed(t *testing.T) {
	t.Parallel()
	for _, wrong := range []map[string]int{{"quotes": 5}, {"quotes-day": 0}} {
		_, err := edge.New(t.Context(), edge.Config{PublicURL: "http://localhost", DailyQuotas: wrong}, edge.Deps{})
		if err == nil || !strings.Contains(err.Error(), "DAILY_QUOTAS") {
			t.Errorf("New with DAILY_QUOTAS %v: %v, want an error that names DAILY_QUOTAS", wrong, err)
		}
	}
}
