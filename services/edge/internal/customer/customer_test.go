package customer_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/guess"
	"boardorder/services/edge/internal/customer"
	"boardorder/services/edge/internal/edgetest"
	"boardorder/services/edge/internal/web"
)

// desk is where customers who come back are served, over a payment service that mails the
// code 123456.
type desk struct {
	*edgetest.World
	known  bool              // the address is a customer's
	refuse *contract.Refusal // of a payment
	charge checkouts.Checkout
	paid   int // commands to pay
}

const email = "ada@example.com"

func open(t testing.TB) *desk {
	t.Helper()
	bucket, err := bustest.Start(t).Bucket(t.Context(), contract.CodeAttemptsBucket)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{World: edgetest.New(t), known: true}
	k := &customer.Customers{Client: d.Client, Hourly: guess.New(bucket, contract.CodeAttemptWindow, d.Now), Minutely: guess.New(bucket, time.Minute, d.Now)}
	d.Answer = func(c contract.Command) *contract.Operation { return d.carryOut(t, c) }
	d.Serve(
		web.Route{Method: "POST", Path: "/v1/quotes/{quote_id}/saved/code", Handle: k.Code}, web.Route{Method: "POST", Path: "/v1/quotes/{quote_id}/saved/verify", Handle: k.Verify},
		web.Route{Method: "POST", Path: "/v1/quotes/{quote_id}/saved/pay", Handle: k.Pay}, web.Route{Method: "POST", Path: "/v1/previous-orders", Handle: k.Previous},
	)
	return d
}

func (d *desk) carryOut(t testing.TB, c contract.Command) *contract.Operation {
	var data struct{ Confirmation, Purpose, Quote, Nonce, Hash string }
	if err := json.Unmarshal(c.Data, &data); err != nil {
		t.Errorf("decode %s: %v", c.Data, err)
	}
	conf := confirmations.Confirmation{ID: data.Confirmation, Purpose: data.Purpose, Account: c.Account, Nonce: "n1", Hash: d.Secrets.CodeHash(data.Confirmation, "n1", "123456"), RequestedAt: d.Now()}
	if d.known {
		conf.Email = email
		conf.Charge = &confirmations.Charge{Version: 1, Cents: 123_456, Currency: "USD", Quantity: 10, Board: "2 layers", ShipTo: shipTo, Card: customers.CardRef{Brand: "visa", Last4: "4242"}}
	}
	switch c.Name {
	case confirmations.VerifyCode:
		at := d.Now()
		if data.Hash != conf.Hash || !d.known {
			return &contract.Operation{Refusal: contract.Refuse(contract.CodeIncorrect, "Another code.")}
		}
		conf.VerifiedAt = &at
	case checkouts.PaySaved:
		d.paid++
		if d.refuse != nil {
			return &contract.Operation{Refusal: d.refuse}
		}
		d.Put(contract.CheckoutAggregate, data.Quote, d.charge, nil)
		return &contract.Operation{Aggregate: contract.CheckoutAggregate, ID: data.Quote}
	}
	d.Put(contract.ConfirmationAggregate, data.Confirmation, conf, nil)
	return &contract.Operation{Aggregate: contract.ConfirmationAggregate, ID: data.Confirmation}
}

var shipTo = shipments.ShipTo{Name: "Ada", Line1: "Hof 3", City: "Berlin", PostalCode: "10115", Country: "DE", Email: email, Phone: "+49 30 1"}

// putQuote projects a quote and gives its id.
func (d *desk) putQuote(change func(*quotes.Quote)) (id string) {
	id = strings.Repeat("0a", 32)
	q := quotes.Quote{Ref: contract.SecretRef(id), Account: edgetest.Account, Upload: "up1", Delivery: &shipments.Delivery{ShipTo: shipTo}, Version: 1}
	if change != nil {
		change(&q)
	}
	d.Put(contract.QuoteAggregate, q.Ref, q, nil)
	return id
}

// TestSavedPayment: code, verify, pay: the summary is what the customer confirms, and all calls
// with one token are one payment.
func TestSavedPayment(t *testing.T) {
	t.Parallel()
	d := open(t)
	id := d.putQuote(nil)
	saved := "/v1/quotes/" + id + "/saved/"
	sent := d.Do("POST", saved+"code", "")
	if got := edgetest.Decode[customer.Sent](t, sent); sent.Status != 200 || got.SentTo != "a•••@e•••.com" || got.ExpiresInMinutes != 10 {
		t.Fatalf("code: %d %s, want one sent to a•••@e•••.com for 10 minutes", sent.Status, sent.Body)
	}
	for name, tt := range map[string]struct {
		body string
		code contract.Code
	}{
		"another code": {`{"code": "654321"}`, contract.CodeIncorrect}, "no code": {`{}`, contract.InvalidRequest}, "a number": {`{"code": 123456}`, contract.InvalidRequest},
		"a code of 21": {`{"code": "` + strings.Repeat("1", 21) + `"}`, contract.InvalidRequest}, "no digits": {`{"code": "abc"}`, contract.CodeIncorrect},
	} {
		if r := d.Do("POST", saved+"verify", tt.body); r.Code() != tt.code {
			t.Errorf("%s: verify %s: %d %s, want %s", name, tt.body, r.Status, r.Body, tt.code)
		}
	}
	r := d.Do("POST", saved+"verify", `{"code": "123 456"}`)
	v := edgetest.Decode[customer.Verified](t, r)
	want := customer.Summary{Total: "$1,234.56", TotalCents: 123_456, Currency: "USD", Quantity: 10, Board: "2 layers", Card: "visa ending in 4242", ShipTo: []string{"Ada", "Hof 3", "Berlin 10115", "DE"}}
	if r.Status != 200 || fmt.Sprint(v.Summary) != fmt.Sprint(want) || v.ConfirmToken == "" {
		t.Fatalf("verify, as it was read out: %d %s, want %+v and a token", r.Status, r.Body, want)
	}
	pay := fmt.Sprintf(`{"confirm_token": %q}`, v.ConfirmToken)
	d.charge = checkouts.Checkout{Payment: &checkouts.Payment{Nonce: "n1"}}
	for range 2 {
		r := d.Do("POST", saved+"pay", pay)
		if got := edgetest.Decode[customer.Paid](t, r); r.Status != 200 || got.Status != "placed" {
			t.Errorf("pay: %d %s, want placed", r.Status, r.Body)
		}
	}
	ids := map[string]bool{}
	for _, c := range d.Commands() {
		if c.Name == checkouts.PaySaved {
			ids[c.ID] = true
		}
		if strings.Contains(string(c.Data), "123456") && c.Name != checkouts.PaySaved {
			t.Errorf("%s holds the code: %s", c.Name, c.Data)
		}
	}
	if len(ids) != 1 {
		t.Errorf("two calls with one token are %d commands, want one", len(ids))
	}
	other := strings.Repeat("0b", 32)
	d.Put(contract.QuoteAggregate, contract.SecretRef(other), quotes.Quote{Ref: contract.SecretRef(other), Account: edgetest.Account}, nil)
	paid := d.paid
	for name, tt := range map[string]struct {
		path, body string
		now        time.Time
		code       contract.Code
	}{
		"of another quote":   {"/v1/quotes/" + other + "/saved/pay", pay, edgetest.At, contract.LinkInvalid},
		"altered":            {saved + "pay", strings.Replace(pay, `"}`, `x"}`, 1), edgetest.At, contract.LinkInvalid},
		"left out":           {saved + "pay", `{}`, edgetest.At, contract.InvalidRequest},
		"of 201 characters":  {saved + "pay", `{"confirm_token": "` + strings.Repeat("x", 201) + `"}`, edgetest.At, contract.InvalidRequest},
		"expired, and paid":  {saved + "pay", pay, edgetest.At.Add(10 * time.Minute), ""},
		"of a quote unknown": {"/v1/quotes/" + strings.Repeat("0c", 32) + "/saved/pay", pay, edgetest.At, contract.NotFound},
		"of no quote's form": {"/v1/quotes/q1/saved/pay", pay, edgetest.At, contract.NotFound},
		"of 81 characters":   {"/v1/quotes/" + strings.Repeat("0", 81) + "/saved/pay", pay, edgetest.At, contract.InvalidRequest},
	} {
		d.Set(tt.now)
		if r := d.Do("POST", tt.path, tt.body); r.Code() != tt.code {
			t.Errorf("a token %s: %d %s, want %q", name, r.Status, r.Body, tt.code)
		}
	}
	if d.paid != paid {
		t.Errorf("%d payments were asked for with tokens that are none, want 0", d.paid-paid)
	}
}

// TestSavedPaymentsEnd: what a client hears of a payment by how it ended, and where the customer
// can pay instead.
func TestSavedPaymentsEnd(t *testing.T) {
	t.Parallel()
	d := open(t)
	id := d.putQuote(nil)
	saved := "/v1/quotes/" + id + "/saved/"
	d.Do("POST", saved+"code", "")
	token := edgetest.Decode[customer.Verified](t, d.Do("POST", saved+"verify", `{"code": "123456"}`)).ConfirmToken
	mine := func(o checkouts.SavedOutcome, s checkouts.Status) checkouts.Checkout {
		return checkouts.Checkout{Status: s, Saved: &checkouts.SavedPayment{Nonce: "n1", Outcome: o}}
	}
	for name, tt := range map[string]struct {
		charge  checkouts.Checkout
		refuse  *contract.Refusal
		status  int
		says    string
		instead bool // checkout_url is named
	}{
		"placed":            {checkouts.Checkout{Payment: &checkouts.Payment{Nonce: "n1"}}, nil, 200, `"placed"`, false},
		"paid at checkout":  {checkouts.Checkout{Payment: &checkouts.Payment{Session: "cs"}}, nil, 200, `"already_paid"`, false},
		"the bank decides":  {mine(checkouts.SavedProcessing, checkouts.Charging), nil, 200, `"processing"`, false},
		"declined":          {checkouts.Checkout{}, contract.Refuse(contract.PaymentDeclined, "Declined."), 402, "Declined.", true},
		"wants to be seen":  {checkouts.Checkout{}, contract.Refuse(contract.AuthenticationNeeded, "Seen."), 402, "Seen.", true},
		"not known":         {checkouts.Checkout{}, contract.Refuse(contract.PaymentUnknown, "Unknown."), 503, "not known yet", false},
		"closed since":      {mine(checkouts.SavedDeclined, checkouts.Closed), nil, 402, "Nothing was charged", true},
		"another price now": {checkouts.Checkout{}, contract.Refuse(contract.Conflict, "Changed."), 409, "Changed.", true},
	} {
		d.charge, d.refuse = tt.charge, tt.refuse
		ref := contract.SecretRef(id)
		d.Put(contract.CheckoutAggregate, ref, tt.charge, nil)
		r := d.Do("POST", saved+"pay", fmt.Sprintf(`{"confirm_token": %q}`, token))
		if named := strings.Contains(string(r.Body), "https://boards.test/checkout/"+id); r.Status != tt.status || !strings.Contains(string(r.Body), tt.says) || named != tt.instead {
			t.Errorf("%s: pay: %d %s; want %d saying %s, checkout_url %t", name, r.Status, r.Body, tt.status, tt.says, tt.instead)
		}
	}
}

// TestQuotesOfCodes: of which quotes a code is mailed.
func TestQuotesOfCodes(t *testing.T) {
	t.Parallel()
	d := open(t)
	for name, tt := range map[string]struct {
		change func(*quotes.Quote)
		caller string
		upload uploads.Status
		code   contract.Code
	}{
		"one's own":      {nil, "", uploads.Open, ""},
		"asked with it":  {func(q *quotes.Quote) { q.Delivery, q.Request.ShipTo = nil, &shipTo }, "", uploads.Open, ""},
		"another's":      {nil, "acc_2", uploads.Open, contract.NotFound},
		"nobody's":       {func(q *quotes.Quote) { q.Delivery = nil }, "", uploads.Open, contract.QuoteNotPayable},
		"a declared one": {nil, "", uploads.ITARDeclared, contract.ITARNotSupported},
	} {
		d.Set(d.Now().Add(2 * time.Hour)) // codes of before count no more
		id := d.putQuote(tt.change)
		d.Put(contract.UploadAggregate, "up1", uploads.Upload{Ref: "up1", Account: edgetest.Account, Status: tt.upload}, nil)
		before := len(d.Commands())
		r := d.Do("POST", "/v1/quotes/"+id+"/saved/code", "", edgetest.AccountHeader, tt.caller)
		mailed := slices.ContainsFunc(d.Commands()[before:], func(c contract.Command) bool { return c.Name == confirmations.SendCode })
		if r.Code() != tt.code || mailed != (tt.code == "") {
			t.Errorf("%s: code: %d %s, mailed %t; want %q", name, r.Status, r.Body, mailed, tt.code)
		}
	}
}

// TestPreviousOrders: a customer's own orders, newest first, behind a code; an address that is
// nobody's gets the same answers.
func TestPreviousOrders(t *testing.T) {
	t.Parallel()
	d := open(t)
	key := customers.Ref(edgetest.Account, email)
	put := func(ref string, at time.Duration, change func(*orders.Order)) {
		o := orders.Order{
			ID: "ord_" + ref, Ref: "BO-" + ref, Quote: ref, Account: edgetest.Account, Status: orders.Placed, Quantity: 10, TotalCents: 5000, Digest: "d1", ShipTo: shipTo, PaidAt: edgetest.At.Add(at),
			Sold: quotes.Quote{Ref: ref, Account: edgetest.Account, Upload: "up-" + ref},
		}
		if change != nil {
			change(&o)
		}
		d.Set(edgetest.At.Add(at))
		d.Put(contract.OrderAggregate, ref, o, map[string]string{customers.Key: key})
		d.Set(edgetest.At)
	}
	put("a", -3*time.Hour, nil)
	put("b", -2*time.Hour, func(o *orders.Order) {
		o.Status = orders.Shipped
		o.Refunds = []orders.Refund{{Cents: 100, Status: orders.RefundDone}, {Cents: 30, Status: orders.RefundBegun}, {Cents: 7, Status: orders.RefundFailed}}
	})
	put("c", -time.Hour, nil)
	d.Put(contract.UploadAggregate, "up-c", uploads.Upload{Ref: "up-c", Account: edgetest.Account, Status: uploads.ITARDeclared}, nil)
	d.Put(contract.QuoteAggregate, "e", quotes.Quote{Ref: "e", RequestID: "req_e", Account: edgetest.Account, Status: quotes.SourcingRequested, Mode: quotes.ModeReview, Delivery: &shipments.Delivery{ShipTo: shipTo}, CreatedAt: edgetest.At, ExpiresAt: edgetest.At.Add(time.Hour)}, map[string]string{customers.Key: key})
	d.Put(contract.BoardAggregate, "d1", boards.ReadFiles{Digest: "d1", Reader: "1", ReadAt: edgetest.At, Boards: []boards.Board{{}}, Files: []boards.FileClass{{Name: "a.gbr"}}}, nil)
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"nothing":              {`{}`, []string{"email missing"}},
		"no address":           {`{"email": "ada"}`, []string{"email malformed"}},
		"an address of 255":    {`{"email": "` + strings.Repeat("a", 243) + `@example.com"}`, []string{"email too_long"}},
		"a code of 13":         {`{"email": "ada@example.com", "code": "1234567890123"}`, []string{"code too_long"}},
		"a token and more":     {`{"email": "ada@example.com", "history_token": "x"}`, []string{"history_token conflict"}},
		"a token of 201":       {`{"history_token": "` + strings.Repeat("x", 201) + `"}`, []string{"history_token too_long"}},
		"an address in a list": {`{"email": ["ada@example.com"]}`, []string{"email wrong_type"}},
	} {
		if r := d.Do("POST", "/v1/previous-orders", tt.body); !slices.Equal(r.Fields(), tt.want) {
			t.Errorf("%s: %s refused for %v (%d), want %v", name, tt.body, r.Fields(), r.Status, tt.want)
		}
	}
	ask := func(body string, header ...string) edgetest.Reply {
		t.Helper()
		return d.Do("POST", "/v1/previous-orders", body, header...)
	}
	d.known = false
	unknown := ask(`{"email": "eve@example.com"}`)
	d.known = true
	sent := ask(`{"email": "ada@example.com"}`)
	if a, b := strings.ReplaceAll(string(sent.Body), "a•••", "x"), strings.ReplaceAll(string(unknown.Body), "e•••@", "x@"); sent.Status != 200 || unknown.Status != 200 || a != b {
		t.Errorf("a customer is answered %s, somebody else %s; want the same but for the address", sent.Body, unknown.Body)
	}
	if again := ask(`{"email": "ada@example.com"}`); again.Code() != contract.RateLimited || again.Header.Get("Retry-After") == "" {
		t.Errorf("a second code within a minute: %d %s, want %s and when", again.Status, again.Body, contract.RateLimited)
	}
	if r := ask(`{"email": "ada@example.com", "code": "000000"}`); r.Code() != contract.CodeIncorrect {
		t.Errorf("a wrong code: %d %s, want %s", r.Status, r.Body, contract.CodeIncorrect)
	}
	r := ask(`{"email": "ada@example.com", "code": "123456"}`)
	got := edgetest.Decode[customer.History](t, r)
	var ids []string
	for _, o := range got.Orders {
		ids = append(ids, o.OrderID)
	}
	if want := []string{"ord_b", "ord_a", "req_e"}; r.Status != 200 || got.ExpiresInMinutes != 60 || !slices.Equal(ids, want) {
		t.Fatalf("the right code: %d, orders %v for %d minutes; want %v without the declared one, for 60", r.Status, ids, got.ExpiresInMinutes, want)
	}
	b := got.Orders[0]
	if b.Status != quotes.Shipped || b.RefundedCents != 130 || len(b.Refunds) != 2 || b.Refunds[0].Status != "done" || b.Refunds[1].Status != "on_its_way" || !b.FilesKept || !slices.Equal(b.Files, []string{"a.gbr"}) || b.DoNotFitRefs == nil {
		t.Errorf("order b: %+v, want it shipped with 130 cents going back in two refunds, its files and empty lists", b)
	}
	if e := got.Orders[2]; e.OrderRef != nil || e.Status != quotes.SourcingRequested {
		t.Errorf("the quote that the team was asked for: %+v, want no order_ref", e)
	}
	token := fmt.Sprintf(`{"history_token": %q}`, got.HistoryToken)
	for name, tt := range map[string]struct {
		body, account string
		now           time.Time
		code          contract.Code
	}{
		"the token":        {token, "", edgetest.At.Add(59 * time.Minute), ""},
		"after an hour":    {token, "", edgetest.At.Add(time.Hour), contract.LinkExpired},
		"of another":       {token, "acc_2", edgetest.At, contract.LinkInvalid},
		"of a test key":    {token, contract.TestOwner(edgetest.Account), edgetest.At, contract.LinkInvalid},
		"altered":          {strings.Replace(token, `"}`, `x"}`, 1), "", edgetest.At, contract.LinkInvalid},
		"one that is none": {`{"history_token": "x"}`, "", edgetest.At, contract.LinkInvalid},
	} {
		d.Set(tt.now)
		if r := ask(tt.body, edgetest.AccountHeader, tt.account); r.Code() != tt.code {
			t.Errorf("%s: %d %s, want %q", name, r.Status, r.Body, tt.code)
		}
	}
}
