package quote_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/destination"
	"boardorder/services/edge/internal/edgetest"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

type desk struct {
	*edgetest.World
	refuse *contract.Refusal
}

func open(t testing.TB) *desk {
	t.Helper()
	words, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	places, err := destination.Load()
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{World: edgetest.New(t)}
	d.Answer = func(c contract.Command) *contract.Operation {
		if c.Name == uploads.DeclareITAR {
			var data uploads.Data
			if err := json.Unmarshal(c.Data, &data); err != nil {
				t.Errorf("decode %s: %v", c.Data, err)
			}
			d.Put(contract.UploadAggregate, data.Ref, uploads.Upload{Ref: data.Ref, Account: c.Account, Status: uploads.ITARDeclared}, nil)
			d.Waiters.Wake(wait.Subject{Of: contract.UploadAggregate, ID: data.Ref})
			return nil
		}
		return &contract.Operation{Account: c.Account, Refusal: d.refuse}
	}
	q := &quote.Quotes{Client: d.Client, Rules: quote.Rules{Catalog: words, Places: places}, ReportURL: func(context.Context, string, *contract.Refusal) string { return "" }}
	d.Serve(
		web.Route{Method: "GET", Path: "/v1/quotes/{quote_id}", Handle: q.Show},
		web.Route{Method: "POST", Path: "/v1/buy-links", Handle: q.CreateBuyLink}, web.Route{Method: "DELETE", Path: "/v1/buy-links/{buy_link_id}", Handle: q.CloseBuyLink},
	)
	return d
}

const id = "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"

// TestStatus: where a quote stands follows from quote, checkout, order and clock; what was paid is what
// is said of it.
func TestStatus(t *testing.T) {
	t.Parallel()
	at := edgetest.At
	ref := contract.SecretRef(id)
	total, words := int64(5000), "$50.00"
	ready := quotes.Quote{
		Ref: ref, Account: edgetest.Account, RequestID: "req_1", Upload: "up1", Mode: quotes.ModeInstant, Status: quotes.Ready, CreatedAt: at, ExpiresAt: at.Add(time.Hour),
		Reply: quotes.Reply{Quantity: 10, TotalCents: &total, Total: &words},
	}
	paid := checkouts.Checkout{Quote: ref, Account: edgetest.Account, Status: checkouts.Paid, Sold: ready, Payment: &checkouts.Payment{Cents: 5000, At: at}}
	order := orders.Order{ID: "ord_1", Ref: "BO-1", Quote: ref, Account: edgetest.Account, Request: "req_1", Status: orders.Placed, Quantity: 10, TotalCents: 5000, Currency: "USD", Sold: ready, PaidAt: at}
	for name, tt := range map[string]struct {
		quote    *quotes.Quote
		checkout *checkouts.Checkout
		order    func(*orders.Order)
		upload   uploads.Status
		mailed   bool
		caller   string
		now      time.Time
		code     contract.Code
		want     quotes.Status
		says     []string
	}{
		"ready":                      {quote: &ready, now: at, want: quotes.Ready, says: []string{`"total_cents":5000`, "/checkout/" + id}},
		"a customer was mailed":      {quote: &ready, mailed: true, now: at, want: quotes.AwaitingPayment},
		"a page is open":             {quote: &ready, checkout: &checkouts.Checkout{Status: checkouts.Open}, now: at, want: quotes.AwaitingPayment},
		"its time is over":           {quote: &ready, now: at.Add(time.Hour), want: quotes.Expired},
		"paid, not ordered yet":      {quote: &ready, checkout: &paid, now: at, want: quotes.Ordered, says: []string{`"paid_cents":5000`}},
		"ordered":                    {quote: &ready, order: func(*orders.Order) {}, now: at, want: quotes.Ordered, says: []string{`"order_ref":"BO-1"`}},
		"ordered, the quote is gone": {order: func(*orders.Order) {}, now: at.Add(time.Hour), want: quotes.Ordered, says: []string{`"order_ref":"BO-1"`}},
		"in production":              {order: func(o *orders.Order) { o.Status = orders.InProduction }, now: at, want: quotes.InProduction},
		"shipped": {order: func(o *orders.Order) {
			o.Status, o.ShippedAt, o.Tracking = orders.Shipped, &at, &shipments.Tracking{Carrier: "DHL", Number: "1Z"}
		}, now: at, want: quotes.Shipped, says: []string{`"number":"1Z"`, `"shipped_at":"2026-11-21T10:00:00Z"`}},
		"money went back": {order: func(o *orders.Order) {
			o.Refunds = []orders.Refund{{Cents: 100, Status: orders.RefundDone, At: at}, {Cents: 9, Status: orders.RefundFailed, At: at}}
		}, now: at, want: quotes.Ordered, says: []string{`"refunded_cents":100`}},
		"cancelled": {order: func(o *orders.Order) {
			o.Status, o.Cancelled = orders.Cancelled, &orders.Cancellation{Why: "asked for", At: at}
		}, now: at, want: quotes.Ordered, says: []string{`"cancel_reason":"asked for"`}},
		"declared":               {quote: &ready, upload: uploads.ITARDeclared, now: at, code: contract.ITARNotSupported},
		"ordered, then declared": {quote: &ready, order: func(*orders.Order) {}, upload: uploads.ITARDeclared, now: at, want: quotes.Ordered, says: []string{"nothing of it is kept or shown", `"total":"$50.00"`}},
		"of another":             {quote: &ready, caller: "acc_2", now: at, code: contract.NotFound},
		"of a test key":          {quote: &ready, caller: contract.TestOwner(edgetest.Account), now: at, code: contract.NotFound},
		"of nobody":              {now: at, code: contract.NotFound},
	} {
		d := open(t)
		if tt.quote != nil {
			d.Put(contract.QuoteAggregate, ref, tt.quote, nil)
		}
		if tt.checkout != nil {
			d.Put(contract.CheckoutAggregate, ref, tt.checkout, nil)
		}
		if tt.order != nil {
			o := order
			tt.order(&o)
			d.Put(contract.OrderAggregate, ref, o, nil)
		}
		if tt.upload != "" {
			d.Put(contract.UploadAggregate, "up1", uploads.Upload{Ref: "up1", Account: edgetest.Account, Status: tt.upload}, nil)
		}
		if tt.mailed {
			d.Put(contract.ConfirmationAggregate, confirmations.ID(confirmations.ForPayment, ref), confirmations.Confirmation{Email: "ada@example.com"}, nil)
		}
		d.Set(tt.now)
		r := d.Get("/v1/quotes/"+id, edgetest.AccountHeader, tt.caller)
		got := edgetest.Decode[quote.Status](t, r)
		if r.Code() != tt.code || got.Status != tt.want || (got.Next == "") != (tt.want == "") {
			t.Errorf("%s: %d %s %q, next %q; want %q %q and what is next", name, r.Status, r.Code(), got.Status, got.Next, tt.code, tt.want)
		}
		for _, word := range tt.says {
			if !strings.Contains(string(r.Body), word) {
				t.Errorf("%s: %s lacks %s", name, r.Body, word)
			}
		}
	}
	d := open(t)
	for path, want := range map[string]contract.Code{
		"/v1/quotes/" + strings.Repeat("a", 81): contract.InvalidRequest, "/v1/quotes/" + strings.Repeat("a", 80): contract.NotFound, "/v1/quotes/" + strings.ToUpper(id): contract.NotFound,
	} {
		if r := d.Get(path); r.Code() != want {
			t.Errorf("GET %s: %d %s, want %s", path, r.Status, r.Code(), want)
		}
	}
}

// TestBuyLinks: a link is made of an upload that may be used, with options within their
// bounds, and closed by its account.
func TestBuyLinks(t *testing.T) {
	t.Parallel()
	d := open(t)
	upload := d.Secrets.NewUploadID()
	ref := contract.SecretRef(upload)
	d.Put(contract.UploadAggregate, ref, uploads.Upload{Ref: ref, Account: edgetest.Account, Status: uploads.Open, ExpiresAt: edgetest.At.Add(time.Hour), Files: []uploads.File{{Name: "a"}}}, nil)
	body := func(more string) string { return fmt.Sprintf(`{"upload_id": %q%s}`, upload, more) }
	for name, tt := range map[string]struct {
		body   string
		fields []string
		code   contract.Code
	}{
		"of an upload":        {body(``), nil, ""},
		"whole":               {body(`, "project_name": "Lamp", "source_url": "https://example.com/lamp", "assembly": true, "layers": 4, "thickness_mm": 1.6, "surface_finish": "enig", "solder_mask": "Green", "copper_oz": 1`), nil, ""},
		"without an upload":   {`{}`, []string{"upload_id missing"}, contract.InvalidRequest},
		"at a script":         {body(`, "source_url": "javascript:alert(1)"`), []string{"source_url malformed"}, contract.InvalidRequest},
		"at a person's host":  {body(`, "source_url": "https://bank.example@evil.example/"`), []string{"source_url malformed"}, contract.InvalidRequest},
		"with a quote in it":  {body(`, "source_url": "https://example.com/\"onclick"`), []string{"source_url malformed"}, contract.InvalidRequest},
		"at a page of 2001":   {body(`, "source_url": "https://example.com/` + strings.Repeat("x", 1981) + `"`), []string{"source_url too_long"}, contract.InvalidRequest},
		"a name of 201":       {body(`, "project_name": "` + strings.Repeat("x", 201) + `"`), []string{"project_name too_long"}, contract.InvalidRequest},
		"too thin, too thick": {body(`, "thickness_mm": 0.09, "copper_oz": 12.1`), []string{"copper_oz out_of_range", "thickness_mm out_of_range"}, contract.InvalidRequest},
		"of an odd finish":    {body(`, "surface_finish": "chrome"`), []string{"surface_finish unsupported"}, contract.InvalidRequest},
		"of an unknown field": {body(`, "colour": "red"`), nil, ""},
	} {
		before := len(d.Commands())
		r := d.Do("POST", "/v1/buy-links", tt.body)
		if fields := r.Fields(); r.Code() != tt.code || !slices.Equal(fields, append([]string{}, tt.fields...)) || (len(d.Commands()) > before) != (tt.code == "") {
			t.Errorf("%s: %d %s %v, %d commands; want %q %v", name, r.Status, r.Code(), fields, len(d.Commands())-before, tt.code, tt.fields)
		}
		if tt.code != "" {
			continue
		}
		got := edgetest.Decode[quote.BuyLinkReply](t, r)
		var data buylinks.CreateData
		if err := json.Unmarshal(d.Commands()[before].Data, &data); err != nil {
			t.Fatal(err)
		}
		if r.Status != 201 || got.BuyURL != "https://boards.test/buy/"+data.Link || data.Upload != ref || data.Key != "key_1" || strings.Contains(string(d.Commands()[before].Data), upload) {
			t.Errorf("%s: %d %s, sent %s; want a link of the upload by its ref", name, r.Status, r.Body, d.Commands()[before].Data)
		}
		if recorded := strings.Contains(string(r.Body), "colour"); recorded != (name == "of an unknown field") {
			t.Errorf("%s: the notes name colour: %t; %s, want it: %t", name, recorded, r.Body, name == "of an unknown field")
		}
	}
	for name, tt := range map[string]struct {
		path string
		code contract.Code
	}{"one that is": {"bl_1", ""}, "one of another form": {"a.b", contract.NotFound}, "one of 65": {strings.Repeat("b", 65), contract.InvalidRequest}} {
		if r := d.Do("DELETE", "/v1/buy-links/"+tt.path, ""); r.Code() != tt.code {
			t.Errorf("close %s: %d %s, want %q", name, r.Status, r.Body, tt.code)
		}
	}
	d.refuse = contract.Refuse(contract.NotFound, "There is no such buy link.")
	if r := d.Do("DELETE", "/v1/buy-links/bl_2", ""); r.Code() != contract.NotFound {
		t.Errorf("close another's: %d %s, want %s", r.Status, r.Body, contract.NotFound)
	}
	d.refuse = nil
	before := len(d.Commands())
	if r := d.Do("POST", "/v1/buy-links", body(`, "itar": true`)); r.Code() != contract.ITARNotSupported || d.Commands()[before].Name != uploads.DeclareITAR {
		t.Errorf("declared: %d %s, want %s and the declaration", r.Status, r.Body, contract.ITARNotSupported)
	}
	if r := d.Do("POST", "/v1/buy-links", body(``)); r.Code() != contract.ITARNotSupported {
		t.Errorf("of a design that was declared: %d %s, want %s", r.Status, r.Body, contract.ITARNotSupported)
	}
}
