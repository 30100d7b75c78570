package orders_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob/folder"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/page/pagetest"
	pages "boardorder/services/console/internal/pages/orders"

	"go.uber.org/zap"
)

const limit = 10_000 // cents that one operator may give back alone

var (
	fin    = pagetest.Operator("fin", operator.Finance)
	viewer = pagetest.Operator("vera", operator.Viewer)
)

type desk struct {
	*pagetest.Desk
	blobs                                                     *folder.Store
	list, show, export, report, refund, cancel, pack, several page.Route
	disputes, takeDisputes                                    page.Route
}

func open(t testing.TB) *desk {
	t.Helper()
	blobs, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{Desk: pagetest.New(t), blobs: blobs}
	s := &pages.Section{
		Letters: pagetest.NoLetters{},
		Docs:    d.Docs, Bus: pagetest.NoHistory{}, Files: download.Files{Docs: d.Docs, Blobs: blobs, Log: zap.NewNop()}, Ask: d.Ask, Log: zap.NewNop(), Now: pagetest.Now, MaxRefundCents: limit,
	}
	d.list = page.Route{Pattern: "GET /orders", Handle: s.List}
	d.show = page.Route{Pattern: "GET /orders/{ref}", Handle: s.Show}
	d.several = page.Route{Pattern: "POST /orders", Needs: operator.MoveOrders, Handle: s.DecideSeveral}
	d.export = page.Route{Pattern: "GET /orders.csv", Needs: operator.SeeCustomers, Handle: s.Export}
	d.report = page.Route{Pattern: "POST /orders/{ref}", Needs: operator.MoveOrders, Handle: s.Report}
	d.refund = page.Route{Pattern: "POST /orders/{ref}/refund", Needs: operator.MoveOrders, Handle: s.Refund}
	d.cancel = page.Route{Pattern: "POST /orders/{ref}/cancel", Needs: operator.MoveOrders, Handle: s.Cancel}
	d.pack = page.Route{Pattern: "GET /orders/{ref}/package", Needs: operator.SeeDesigns, Handle: s.Package}
	d.disputes = page.Route{Pattern: "GET /disputes", Handle: s.Disputes}
	d.takeDisputes = page.Route{Pattern: "POST /disputes", Needs: operator.TakeCases, Handle: s.TakeDisputes}
	return d
}

// makePaidOrder is an order of 300.00 of which 100.00 went back.
func makePaidOrder() orders.Order {
	return orders.Order{
		ID: "ord_1", Ref: "BO-1", Quote: "q1", Account: "acc_1", Status: orders.Placed, Quantity: 10, Currency: "USD", TotalCents: 30_000, PaidAt: pagetest.At, Digest: "d1", Package: "boards/d1/pkg.zip",
		Payment: checkouts.Payment{Cents: 30_000, Currency: "usd"}, Refunds: []orders.Refund{{ID: "rf_0", Cents: 10_000, Status: orders.RefundDone}},
		ShipTo: shipments.ShipTo{Name: "Ada", Company: "=1+1", Country: "DE", Email: "ada@example.com"}, Sold: quotes.Quote{Ref: "q1"},
	}
}

func (d *desk) put(o orders.Order) {
	d.Put(contract.OrderAggregate, o.Quote, o, map[string]string{"status": contract.ListWord(o.Account, string(o.Status))})
}

// TestRefunds: money goes back by who may, in whole cents, as far as it is there, and above
// a limit only once a second operator has agreed.
func TestRefunds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		who    operator.Operator
		amount string
		refuse *contract.Refusal
		status int
		sent   contract.CommandName
		cents  int64
		to     string
	}{
		"at the limit":          {fin, "100.00", nil, http.StatusSeeOther, orders.IssueRefund, 10_000, "?done=refunded"},
		"a cent above it":       {fin, "100.01", nil, http.StatusSeeOther, cases.RequestApproval, 10_001, "?done=approval"},
		"all that is left":      {fin, "$200", nil, http.StatusSeeOther, cases.RequestApproval, 20_000, "?done=approval"},
		"a cent more than left": {fin, "200.01", nil, http.StatusUnprocessableEntity, contract.CommandName{}, 0, ""},
		"nothing":               {fin, "0", nil, http.StatusUnprocessableEntity, contract.CommandName{}, 0, ""},
		"less than nothing":     {fin, "-1", nil, http.StatusUnprocessableEntity, contract.CommandName{}, 0, ""},
		"half a cent":           {fin, "1.005", nil, http.StatusUnprocessableEntity, contract.CommandName{}, 0, ""},
		"a comma for a point":   {fin, "1,50", nil, http.StatusSeeOther, orders.IssueRefund, 150, "?done=refunded"},
		"in words":              {fin, "all", nil, http.StatusUnprocessableEntity, contract.CommandName{}, 0, ""},
		"refused behind":        {fin, "5", contract.Refuse(contract.Conflict, "It is disputed."), http.StatusUnprocessableEntity, orders.IssueRefund, 500, ""},
		"by who may not":        {viewer, "5", nil, http.StatusForbidden, contract.CommandName{}, 0, ""},
	} {
		d := open(t)
		d.put(makePaidOrder())
		d.Answer = func(contract.Command) *contract.Refusal { return tt.refuse }
		w := d.Post(tt.who, d.refund, "/orders/q1/refund", url.Values{"amount": {tt.amount}, "why": {"a\nscratch"}})
		sent := d.Commands()
		var command contract.CommandName
		cents := int64(0)
		if len(sent) == 1 {
			command = sent[0].Name
			cents = centsOf(t, sent[0])
		}
		if w.Code != tt.status || len(sent) > 1 || command != tt.sent || cents != tt.cents || tt.to != "" && w.Header().Get("Location") != "/orders/q1"+tt.to {
			t.Errorf("%s: refund of %s: %d to %q, sent %s of %d cents; want %d to %q, %s of %d", name, tt.amount, w.Code, w.Header().Get("Location"), command, cents, tt.status, tt.to, tt.sent, tt.cents)
		}
		trail := d.Trail()
		if requested := len(trail) > 0 && trail[0].Outcome == "asked" && trail[0].Operator == tt.who.Name; requested != (len(sent) == 1) {
			t.Errorf("%s: the trail has %+v, want the question before each of %d commands", name, trail, len(sent))
		}
		if tt.refuse != nil && !strings.Contains(w.Body.String(), "It is disputed.") {
			t.Errorf("%s: the page does not say why:\n%s", name, w.Body)
		}
	}
	for name, tt := range map[string]struct {
		before orders.Refund
		amount string
		to     string
	}{
		"with an earlier one at the limit":   {orders.Refund{Cents: 4_000, Operator: "fin", Status: orders.RefundDone}, "60.00", "?done=refunded"},
		"with an earlier one above it":       {orders.Refund{Cents: 4_000, Operator: "fin", Status: orders.RefundDone}, "60.01", "?done=approval"},
		"with another's that has just begun": {orders.Refund{Cents: 10_000, Operator: "ada", Status: orders.RefundBegun}, "0.01", "?done=approval"},
		"with one that two agreed on":        {orders.Refund{Cents: 10_000, Operator: "ada, approved by ann", Status: orders.RefundDone}, "100.00", "?done=refunded"},
		"with one that failed":               {orders.Refund{Cents: 10_000, Operator: "fin", Status: orders.RefundFailed}, "100.00", "?done=refunded"},
		"with one of the processor's page":   {orders.Refund{Cents: 10_000, Status: orders.RefundDone}, "100.00", "?done=refunded"},
	} {
		d, o := open(t), makePaidOrder()
		o.Refunds = append(o.Refunds, tt.before)
		d.put(o)
		if w := d.Post(fin, d.refund, "/orders/q1/refund", url.Values{"amount": {tt.amount}, "why": {"a scratch"}}); w.Header().Get("Location") != "/orders/q1"+tt.to {
			t.Errorf("%s: refund of %s: %d to %q, want %q", name, tt.amount, w.Code, w.Header().Get("Location"), tt.to)
		}
	}
	d := open(t)
	if w := d.Post(fin, d.refund, "/orders/q9/refund", url.Values{"amount": {"1"}}); w.Code != http.StatusNotFound {
		t.Errorf("refund of no order: %d, want 404", w.Code)
	}
	d.put(makePaidOrder())
	if w := d.Post(fin, d.refund, "/orders/q1/refund", url.Values{"amount": {"1"}, "form_token": {"forged"}}); w.Code != http.StatusForbidden || len(d.Commands()) != 0 {
		t.Errorf("a forged form: %d with %d commands, want 403 and none", w.Code, len(d.Commands()))
	}
}

// centsOf is how much a command gives back, or asks a second operator about.
func centsOf(t testing.TB, c contract.Command) int64 {
	t.Helper()
	var data struct{ Cents int64 }
	if err := json.Unmarshal(c.Data, &data); err != nil {
		t.Fatalf("decode %s: %v", c.Data, err)
	}
	return data.Cents
}

// TestOrderSaysWhatItsCustomerReads: whoever writes to the customer sees in which language.
func TestOrderSaysWhatItsCustomerReads(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"": "English", "ja": "Japanese"} {
		d := open(t)
		o := makePaidOrder()
		o.Language = code
		d.put(o)
		body := d.Get(fin, d.show, "/orders/q1").Body.String()
		if reads, notes := "<dt>Customer reads</dt><dd>"+want, "The customer reads "+want; !strings.Contains(body, reads) || strings.Count(body, notes) != 2 {
			t.Errorf("language %q: %q among the details: %t, %q %d times; want it, and above both reasons", code, reads, strings.Contains(body, reads), notes, strings.Count(body, notes))
		}
	}
}

// TestCancellations: an order is called off where that is meant, by one operator alone
// only where little of its payment is left.
func TestCancellations(t *testing.T) {
	t.Parallel()
	little := makePaidOrder()
	little.Refunds[0].Cents = 20_000
	nothing := makePaidOrder()
	nothing.Refunds[0].Cents = 30_000
	for name, tt := range map[string]struct {
		order  orders.Order
		sure   string
		status int
		sent   contract.CommandName
	}{
		"200.00 are left":      {makePaidOrder(), "yes", http.StatusSeeOther, cases.RequestApproval},
		"100.00 are left":      {little, "yes", http.StatusSeeOther, orders.Cancel},
		"nothing is left":      {nothing, "yes", http.StatusSeeOther, orders.Cancel},
		"not meant":            {little, "", http.StatusUnprocessableEntity, contract.CommandName{}},
		"meant in other words": {little, "on", http.StatusUnprocessableEntity, contract.CommandName{}},
	} {
		d := open(t)
		d.put(tt.order)
		w := d.Post(fin, d.cancel, "/orders/q1/cancel", url.Values{"sure": {tt.sure}, "why": {"asked for"}})
		var got contract.CommandName
		if sent := d.Commands(); len(sent) > 0 {
			got = sent[0].Name
		}
		if w.Code != tt.status || got != tt.sent {
			t.Errorf("%s: cancel: %d, sent %s; want %d, %s", name, w.Code, got, tt.status, tt.sent)
		}
	}
}

// TestReports: what an operator says of an order goes on as it was written, where the order can go there.
func TestReports(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		form   url.Values
		status int
		want   *orders.ReportStatusData
	}{
		"in production":      {url.Values{"status": {"in_production"}}, http.StatusSeeOther, &orders.ReportStatusData{Quote: "q1", Operator: "fin", Status: orders.InProduction}},
		"held with a reason": {url.Values{"status": {"held"}, "note": {"a question"}}, http.StatusSeeOther, &orders.ReportStatusData{Quote: "q1", Operator: "fin", Status: orders.Held, Note: "a question"}},
		"held without one":   {url.Values{"status": {"held"}}, http.StatusUnprocessableEntity, nil},
		"back to paid":       {url.Values{"status": {"paid"}}, http.StatusUnprocessableEntity, nil},
		"nowhere":            {url.Values{}, http.StatusUnprocessableEntity, nil},
		"shipped": {
			url.Values{"status": {"shipped"}, "carrier": {"DHL"}, "number": {"1Z"}, "url": {"https://dhl.test/1Z"}}, http.StatusSeeOther,
			&orders.ReportStatusData{Quote: "q1", Operator: "fin", Status: orders.Shipped, Tracking: &shipments.Tracking{Carrier: "DHL", Number: "1Z", URL: "https://dhl.test/1Z"}},
		},
		"shipped to a script": {url.Values{"status": {"shipped"}, "carrier": {"DHL"}, "number": {"1Z"}, "url": {"javascript:alert(1)"}}, http.StatusUnprocessableEntity, nil},
	} {
		d := open(t)
		d.put(makePaidOrder())
		w := d.Post(fin, d.report, "/orders/q1", tt.form)
		sent := d.Commands()
		if w.Code != tt.status || (len(sent) == 1) != (tt.want != nil) {
			t.Errorf("%s: report %v: %d with %d commands, want %d and one: %t", name, tt.form, w.Code, len(sent), tt.status, tt.want != nil)
			continue
		}
		if tt.want == nil {
			continue
		}
		want, err := json.Marshal(tt.want)
		if err != nil || string(sent[0].Data) != string(want) {
			t.Errorf("%s: sent %s (%v), want %s", name, sent[0].Data, err, want)
		}
	}
}

// TestExports: orders of one mode and status, for who may see names, noted in the trail,
// and without a cell that a spreadsheet calculates.
func TestExports(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.put(makePaidOrder())
	held, test := makePaidOrder(), makePaidOrder()
	held.Quote, held.Ref, held.Status = "q2", "BO-2", orders.Held
	held.Payment.Charged = &prices.Charge{Charged: prices.Charged{Currency: "JPY", Minor: 47_904}, Cents: 30_000}
	test.Quote, test.Ref, test.Account = "q3", "BO-3", contract.TestOwner("acc_1")
	d.put(held)
	d.Put(contract.OrderAggregate, test.Quote, test, map[string]string{"status": contract.ListWord(test.Account, string(test.Status)), contract.ModeKey: contract.TestMode})
	for query, want := range map[string][]string{"": {"BO-2", "BO-1"}, "?status=held": {"BO-2"}, "?status=shipped": {}, "?mode=test": {"BO-3"}} {
		w := d.Get(fin, d.export, "/orders.csv"+query)
		rows, err := csv.NewReader(w.Body).ReadAll()
		if err != nil || w.Code != http.StatusOK || len(rows) == 0 {
			t.Errorf("GET /orders.csv%s: %d, %d rows, %v; want headings at least", query, w.Code, len(rows), err)
			continue
		}
		refs := []string{}
		company := slices.Index(rows[0], "company")
		charged := map[string][]string{"BO-1": {"300.00", "USD"}, "BO-2": {"47904", "JPY"}, "BO-3": {"300.00", "USD"}}
		for _, row := range rows[1:] {
			refs = append(refs, row[0])
			if got := row[len(row)-2:]; !slices.Equal(got, charged[row[0]]) {
				t.Errorf("GET /orders.csv%s: %s charged %v, want %v", query, row[0], got, charged[row[0]])
			}
			if row[company] != "'=1+1" {
				t.Errorf("GET /orders.csv%s: company %q, want it set apart from formulas", query, row[company])
			}
		}
		if !slices.Equal(refs, want) {
			t.Errorf("GET /orders.csv%s: orders %v, want %v", query, refs, want)
		}
	}
	notes := len(d.Trail())
	if notes != 4 || d.Trail()[0].Action != "exported orders" || d.Trail()[0].Operator != "fin" {
		t.Errorf("the trail after four exports: %+v, want each of them", d.Trail())
	}
	if w := d.Get(viewer, d.export, "/orders.csv"); w.Code != http.StatusForbidden || len(d.Trail()) != notes {
		t.Errorf("an export by who may see no names: %d, want 403", w.Code)
	}
	if w := d.Get(fin, d.export, "/orders.csv?status=odd"); w.Code != http.StatusNotFound {
		t.Errorf("an export of no status: %d, want 404", w.Code)
	}
}

// TestLists: orders of a status and a mode; names are for who may see them.
func TestLists(t *testing.T) {
	t.Parallel()
	d := open(t)
	o := makePaidOrder()
	o.ShipTo.Company = ""
	d.put(o)
	for name, tt := range map[string]struct {
		who      operator.Operator
		target   string
		has, not []string
	}{
		"all":            {fin, "/orders", []string{"BO-1", "Ada"}, nil},
		"for a viewer":   {viewer, "/orders", []string{"BO-1"}, []string{"Ada", "ada@example.com"}},
		"held ones":      {fin, "/orders?status=held", nil, []string{"BO-1"}},
		"of test keys":   {fin, "/orders?mode=test", nil, []string{"BO-1"}},
		"a lost cursor":  {fin, "/orders?cursor=x", []string{"start from the top"}, []string{"BO-1"}},
		"a script in it": {fin, "/orders?status=%3Cscript%3E", nil, []string{"<script>"}},
	} {
		w := d.Get(tt.who, d.list, tt.target)
		for _, word := range tt.has {
			if !strings.Contains(w.Body.String(), word) {
				t.Errorf("%s: GET %s (%d) lacks %q", name, tt.target, w.Code, word)
			}
		}
		for _, word := range tt.not {
			if strings.Contains(w.Body.String(), word) {
				t.Errorf("%s: GET %s (%d) has %q", name, tt.target, w.Code, word)
			}
		}
	}
	if w := d.Get(viewer, d.show, "/orders/q1"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "ada@example.com") {
		t.Errorf("an order opened by a viewer: %d, want it without the customer's address", w.Code)
	}
	notes := "Please depanelize."
	held := makePaidOrder()
	held.Quote, held.Status, held.Held, held.Sold.Request.SpecialNotes = "q2", orders.Held, "by hand", &notes
	d.put(held)
	if w := d.Get(fin, d.show, "/orders/q2"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), notes) || !strings.Contains(w.Body.String(), "by hand") {
		t.Errorf("an order that is held: %d, want it with why and the customer's notes", w.Code)
	}
	if w := d.Get(fin, d.show, "/orders/q9"); w.Code != http.StatusNotFound {
		t.Errorf("an order that there is not: %d, want 404", w.Code)
	}
}

// TestPackages: what a board is built from, with the sheet of the order, for who may see designs.
func TestPackages(t *testing.T) {
	t.Parallel()
	sales := pagetest.Operator("sal", operator.Sales)
	d := open(t)
	var kept bytes.Buffer
	z := zip.NewWriter(&kept)
	if _, err := z.Create("board.gbr"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.blobs.Put(t.Context(), "boards/d1/pkg.zip", &kept, int64(kept.Len()), "application/zip"); err != nil {
		t.Fatal(err)
	}
	d.put(makePaidOrder())
	w := d.Get(sales, d.pack, "/orders/q1/package")
	in, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil || w.Code != http.StatusOK {
		t.Fatalf("GET package: %d, %v; want a zip", w.Code, err)
	}
	var names []string
	for _, f := range in.File {
		names = append(names, f.Name)
	}
	if len(names) != 2 || names[0] != "board.gbr" || !strings.Contains(w.Header().Get("Content-Disposition"), "BO-1.zip") || len(d.Trail()) != 1 {
		t.Errorf("package %v as %q, %d records; want the files and the sheet as BO-1.zip, noted once", names, w.Header().Get("Content-Disposition"), len(d.Trail()))
	}
	gone, lost := makePaidOrder(), makePaidOrder()
	gone.Quote, gone.Package = "q2", ""
	lost.Quote, lost.Package = "q3", "boards/d1/other.zip"
	d.put(gone)
	d.put(lost)
	for target, want := range map[string]int{"/orders/q2/package": http.StatusNotFound, "/orders/q3/package": http.StatusNotFound, "/orders/q9/package": http.StatusNotFound} {
		if w := d.Get(sales, d.pack, target); w.Code != want {
			t.Errorf("GET %s: %d, want %d", target, w.Code, want)
		}
	}
	if w := d.Get(fin, d.pack, "/orders/q1/package"); w.Code != http.StatusForbidden {
		t.Errorf("a package for who may see no designs: %d, want 403", w.Code)
	}
}
