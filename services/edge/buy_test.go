package edge_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract"
)

// What is wrong with a postal code stands at its field, once, not in each row.
func TestBuyPageWithAWrongPostalCode(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.uploadID()
	link := contract.BuyLink{ID: "bl_1", Account: account, Key: w.key.ID, Upload: "no-such-upload"}
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
	if a.StatusCode != http.StatusUnprocessableEntity || strings.Count(page, words) != 1 || !strings.Contains(page, `id="zip-error">`+words) || strings.Contains(page, "<table") {
		t.Errorf("%d\n%s", a.StatusCode, page)
	}
}
