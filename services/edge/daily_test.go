package edge_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
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
	other := newKey(w, account, contract.DefaultScopes(), nil)
	for i, key := range []string{w.key.Text, other.Text, w.key.Text} {
		a := w.post("/v1/quotes", quoteBody(id, fmt.Sprintf(`,"project_name":"%d"`, i)), "X-API-Key", key)
		if a.status != 201 || !strings.Contains(a.header.Get("RateLimit-Policy"), `"quotes-day";q=3;w=86400`) || !strings.Contains(a.header.Get("RateLimit"), fmt.Sprintf(`"quotes-day";r=%d;`, 2-i)) {
			t.Fatalf("quote %d: %d %v %s", i, a.status, a.header, a.body)
		}
	}
	for _, path := range []string{"/v1/quotes", "/v1/reorders"} {
		a := w.post(path, quoteBody(id, ""), "X-API-Key", other.Text)
		again, _ := a.json(t)["retry_after_s"].(float64)
		if a.status != 429 || a.code(t) != "rate_limited" || again < 23*3600 || again > 25*3600 || a.header.Get("Retry-After") != fmt.Sprint(again) ||
			!strings.Contains(string(a.body), w.now().Add(time.Duration(again)*time.Second).UTC().Format("2006-01-02")) {
			t.Errorf("%s over the quota: %d %v %s", path, a.status, a.header, a.body)
		}
	}
	if a := w.get("/v1/capabilities"); a.status != 200 {
		t.Errorf("another route: %d %s", a.status, a.body)
	}
	for _, path := range []string{"/v1/design-checks", "/v1/part-checks"} {
		if a, b := w.post(path, `{}`), w.post(path, `{}`); a.status != 422 || b.status != 429 {
			t.Errorf("%s: %d, then %d", path, a.status, b.status)
		}
	}
	larger := newKey(w, "acc_larger", contract.DefaultScopes(), map[string]int{"quotes-day": 5})
	if a := w.post("/v1/quotes", `{}`, "X-API-Key", larger.Text); a.status != 422 || !strings.Contains(a.header.Get("RateLimit-Policy"), `"quotes-day";q=5;`) {
		t.Errorf("another account: %d %v", a.status, a.header)
	}
	w.advance(25 * time.Hour)
	if a := w.post("/v1/quotes", `{}`); a.status != 422 {
		t.Errorf("a day later: %d %s", a.status, a.body)
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
			t.Errorf("%s: %d %s", tt.more, a.status, a.body)
		}
	}
}

// TestFormalOrdersHaveADailyQuota: under both of their addresses together.
func TestFormalOrdersHaveADailyQuota(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.DailyQuotas = map[string]int{"orders-day": 1} })
	if a, b := w.post("/v1/orders", `{}`), w.post("/central/orders", `{}`); a.status == 429 || b.status != 429 {
		t.Errorf("%d, then %d %s", a.status, b.status, b.body)
	}
	if a := w.get("/v1/orders"); a.status != 200 {
		t.Errorf("the list: %d %s", a.status, a.body)
	}
}

// TestPricesOfBuyLinksHaveADailyQuota: visitors of one account's links cannot take what all share.
func TestPricesOfBuyLinksHaveADailyQuota(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.DailyQuotas = map[string]int{"link-quotes-day": 9} })
	w.uploadID()
	link := contract.BuyLink{ID: "bl_1", Account: account, Key: w.key.ID, Upload: "no-such-upload"}
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
			t.Errorf("%s: %d %v\n%s", country, a.StatusCode, err, body)
		}
	}
}

// TestNoAccountFillsWhatAllShare: what one account may send in a day, as long as it
// is kept, is less than half of the stream at the default size.
func TestNoAccountFillsWhatAllShare(t *testing.T) {
	t.Parallel()
	streams := map[string]contract.Stream{}
	for _, s := range contract.Streams() {
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
		{limit.OrdersDay.Quota, contract.EventStream(contract.CentralAggregate)},
		{limit.BuyLinksDay.Quota + limit.BuyLinksRefused.Quota, contract.EventStream(contract.BuyLinkAggregate)},
	} {
		s := streams[tt.stream]
		days := int64(s.Keep / (24 * time.Hour))
		if days == 0 {
			days = forEver
		}
		took, holds := int64(tt.quota)*days*int64(s.Load.Bytes), contract.SizeOf(s, topology.DefaultMaxBytes)
		if took <= 0 || 2*took > holds {
			t.Errorf("%d a day are %d MB of the %d MB of %s", tt.quota, took>>20, holds>>20, tt.stream)
		}
	}
}

func TestDailyQuotasAreNamed(t *testing.T) {
	t.Parallel()
	for _, wrong := range []map[string]int{{"quotes": 5}, {"quotes-day": 0}} {
		_, err := edge.New(t.Context(), edge.Config{PublicURL: "http://localhost", DailyQuotas: wrong}, edge.Deps{})
		if err == nil || !strings.Contains(err.Error(), "DAILY_QUOTAS") {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}
