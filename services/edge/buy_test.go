package edge_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/buylinks"
)

// What is wrong with a postal code stands at its field, once, not in each row.
func TestBuyPageWithAWrongPostalCode(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.uploadID()
	link := buylinks.BuyLink{ID: "bl_1", Account: account, Key: w.key.ID, Upload: "no-such-upload"}
	if err := w.write(string(contract.BuyLinkAggregate), link.ID, link); err != nil {
		t.Fatal(err)
	}
	const words = "This is no postal code of Utopia."
	refusal := contract.Refuse(contract.InvalidRequest, "Some fields are wrong.")
	refusal.Fields = []contract.FieldProblem{{Field: "ship_to.postal_code", Problem: "malformed", Message: words}}
	w.set(func() { w.refuse = refusal })
	a, err := http.Get(w.url + "/buy/bl_1?quantity=10&country=DE&postal_code=ABC")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	page := string(body)
	if a.StatusCode != http.StatusUnprocessableEntity || strings.Count(page, words) != 1 || !strings.Contains(page, `id="zip-error">`+words) || strings.Contains(page, `<table class="prices"`) {
		t.Errorf("a postal code that is none: %d, want 422 with %q once, at its field, and no prices:\n%s", a.StatusCode, words, page)
	}
}

// TestRefusedBuyLinksTakeNoQuota: what was refused is none of the day's links, as
// often as a day allows; then it is.
func TestRefusedBuyLinksTakeNoQuota(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	w.key = newKey(w, account, accounts.DefaultScopes(), map[string]int{"buy-links": 3, "buy-links-day": 3, "buy-links-refused": 4})
	left := func(want int) {
		t.Helper()
		a := w.post("/v1/buy-links", `{"upload_id":"`+id+`"}`)
		if policy := a.header.Get("RateLimit"); a.status != 201 || !strings.Contains(policy, `"buy-links";r=`+fmt.Sprint(want)+";") || !strings.Contains(policy, `"buy-links-day";r=`+fmt.Sprint(want)+";") {
			t.Errorf("%d %q %s, want %d left", a.status, policy, a.body, want)
		}
	}
	for _, body := range []string{`{}`, `{"upload_id":"up_none"}`, `{"upload_id":"` + id + `","layers":"two"}`} {
		if a := w.post("/v1/buy-links", body); a.status != 422 && a.status != 404 {
			t.Errorf("POST /v1/buy-links %s: %d %s, want 422 or 404", body, a.status, a.body)
		}
	}
	left(2)
	w.set(func() { w.refuse = contract.Refuse(contract.DesignFiles, "No instant price.") })
	if a := w.post("/v1/buy-links", `{"upload_id":"`+id+`"}`); a.status != 422 || a.code(t) != "design_files" {
		t.Errorf("a board that cannot sell = %d %s, want 422 design_files", a.status, a.body)
	}
	w.set(func() { w.refuse = nil })
	left(1)
	if a := w.post("/v1/buy-links", `{}`); a.status != 422 { // the fifth refused one
		t.Errorf("refused = %d %s, want 422", a.status, a.body)
	}
	if a := w.post("/v1/buy-links", `{"upload_id":"`+id+`"}`); a.status != 429 {
		t.Errorf("refused calls without end: %d %s, want 429", a.status, a.body)
	}
}

// TestLeftAsideIsSaid: what a request names and the service does not heed stands in the
// reply's notes; where nothing is left aside, nothing is said.
func TestLeftAsideIsSaid(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	key := []string{"Idempotency-Key", "k1"}
	const heeded, unknown = "Idempotency-Key was left aside", "were left aside: colour."
	for name, tt := range map[string]struct {
		path, body   string
		headers      []string
		says, silent string
	}{
		"a link's property":  {"/v1/buy-links", `{"upload_id":"` + id + `","colour":"red"}`, nil, unknown, heeded},
		"a link's key":       {"/v1/buy-links", `{"upload_id":"` + id + `"}`, key, "permanent", heeded},
		"a link":             {"/v1/buy-links", `{"upload_id":"` + id + `"}`, nil, "permanent", "left aside"},
		"a part check's key": {"/v1/part-checks?wait_s=0", `{"boards":1,"wait_s":0,"parts":[{"mpn":"x"}]}`, key, heeded, unknown},
	} {
		a := w.post(tt.path, tt.body, tt.headers...)
		if body := string(a.body); a.status >= 400 || !strings.Contains(body, tt.says) || strings.Contains(body, tt.silent) {
			t.Errorf("%s: POST %s %s: %d %s; want it taken with %q and without %q", name, tt.path, tt.body, a.status, body, tt.says, tt.silent)
		}
	}
}
