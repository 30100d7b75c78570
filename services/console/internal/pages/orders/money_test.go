package orders

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/services/console/internal/page"

	"boardorder/pkg/contract/orders"

	"github.com/google/go-cmp/cmp"
)

func post(values url.Values) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func TestMoneyForm(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]int64{"1": 100, "$1,234.50": 123450, "0.01": 1, "0": 0, "-5": 0, "": 0, "much": 0} {
		f := readMoneyForm(post(url.Values{"amount": {amount}, "why": {"\u202escratched\n"}}))
		got, ok := f.cents()
		if got != want || ok != (want > 0) || ok != (f.Amount.Problem == "") {
			t.Errorf("amount %q: %d, %v, problem %q; want %d", amount, got, ok, f.Amount.Problem, want)
		}
		if f.Why.Value != "scratched" {
			t.Errorf("why: %q, want scratched", f.Why.Value)
		}
	}
}

func TestMoveForm(t *testing.T) {
	t.Parallel()
	held, shipped := string(orders.Held), string(orders.Shipped)
	for _, tt := range []struct {
		name string
		form url.Values
		bad  func(moveForm) page.Field // nil: the form is right
	}{
		{"held, with a reason", url.Values{"status": {held}, "note": {"a question"}}, nil},
		{"shipped", url.Values{"status": {shipped}, "carrier": {"DHL"}, "number": {"1"}}, nil},
		{"nothing chosen", url.Values{}, func(f moveForm) page.Field { return f.Status }},
		{"a status that cannot follow", url.Values{"status": {"paid"}}, func(f moveForm) page.Field { return f.Status }},
		{"held without a reason", url.Values{"status": {held}}, func(f moveForm) page.Field { return f.Note }},
		{"shipped by nobody", url.Values{"status": {shipped}, "number": {"1"}}, func(f moveForm) page.Field { return f.Carrier }},
		{"shipped without a number", url.Values{"status": {shipped}, "carrier": {"DHL"}}, func(f moveForm) page.Field { return f.Number }},
		{"an address that is none", url.Values{"status": {shipped}, "carrier": {"DHL"}, "number": {"1"}, "url": {"http://dhl.example"}}, func(f moveForm) page.Field { return f.URL }},
	} {
		f := readMoveForm(post(tt.form))
		_, ok := f.parse([]orders.Status{orders.Held, orders.Shipped})
		if want := tt.bad == nil; ok != want || !want && tt.bad(f).Problem == "" {
			t.Errorf("%s: parse() = %v, want %v; form %+v", tt.name, ok, want, f)
		}
	}
}

// TestCSV: a row has a cell for each heading, and none that a spreadsheet calculates.
func TestCSV(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 5, 1, 8, 0, 0, 0, time.UTC)
	o := orders.Order{Ref: "BO-1", Quantity: 10, TotalCents: 8417, Currency: "USD", PaidAt: at}
	o.ShipTo.Company, o.Payment.Cents, o.Payment.Currency = "=cmd|' /C calc'!A0", 8417, "USD"
	got := map[string]string{}
	row := csvRow(o, "Demo")
	if len(row) != len(csvHead) {
		t.Fatalf("%d cells under %d headings, want as many", len(row), len(csvHead))
	}
	for i, name := range csvHead {
		if row[i] != "" {
			got[name] = row[i]
		}
	}
	want := map[string]string{"order": "BO-1", "account_name": "Demo", "quantity": "10", "total": "84.17", "currency": "USD", "paid_at": "2031-05-01T08:00:00Z",
		"fabricator_cost": "0.00", "company": "'=cmd|' /C calc'!A0", "charged": "84.17", "charged_currency": "USD"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("csvRow -want +got:\n%s", diff)
	}
}
