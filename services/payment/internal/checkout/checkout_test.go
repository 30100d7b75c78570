package checkout_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/payment/internal/checkout"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func quote() *quotes.Quote {
	total := int64(5500)
	return &quotes.Quote{
		Ref: "ref", Account: "acc_1", RequestID: "req_1", Mode: quotes.ModeInstant, Status: quotes.Ready, Version: 2,
		ExpiresAt: now.Add(quotes.InstantTTL), Digest: "digest", Terms: &quotes.Terms{Cents: 4000},
		Delivery: &shipments.Delivery{ShippingID: "dhl", BuildHours: 48, ShipTo: shipments.ShipTo{
			Name: "Ada", Email: "ada@example.com", Phone: "+1 415 555 0100", Line1: "1 Main St", City: "X", PostalCode: "94105", Country: "US"}},
		Reply: quotes.Reply{Quantity: 10, TotalCents: &total, Lines: []prices.Line{{Label: "Boards", Cents: 6000}, {Label: "Offer", Cents: -500}}},
	}
}

func attempt(status checkouts.Status, version int, left time.Duration) *checkouts.Checkout {
	return &checkouts.Checkout{Quote: "ref", Status: status, Attempt: 3, PriceVersion: version, ExpiresAt: now.Add(left)}
}

func TestNext(t *testing.T) {
	t.Parallel()
	paid := attempt(checkouts.Paid, 2, time.Hour)
	for name, tt := range map[string]struct {
		view checkout.View
		want checkout.Step
		code contract.Code
	}{
		"first":                   {checkout.View{}, checkout.Start, ""},
		"closed before":           {checkout.View{Checkout: attempt(checkouts.Closed, 2, time.Hour)}, checkout.Start, ""},
		"begun, no page yet":      {checkout.View{Checkout: attempt(checkouts.Starting, 2, time.Hour)}, checkout.Open, ""},
		"begun for old price":     {checkout.View{Checkout: attempt(checkouts.Starting, 1, time.Hour)}, checkout.Open, ""},
		"begun long ago":          {checkout.View{Checkout: attempt(checkouts.Starting, 2, 0)}, checkout.Forget, ""},
		"open":                    {checkout.View{Checkout: attempt(checkouts.Open, 2, time.Hour)}, checkout.Check, ""},
		"open for old price":      {checkout.View{Checkout: attempt(checkouts.Open, 1, time.Hour)}, checkout.Retire, ""},
		"open, about to end":      {checkout.View{Checkout: attempt(checkouts.Open, 2, time.Minute)}, checkout.Retire, ""},
		"open, card not saved":    {checkout.View{Checkout: attempt(checkouts.Open, 2, time.Hour), Request: checkouts.BeginData{Version: 2, SaveDetails: true}}, checkout.Retire, ""},
		"open, another browser":   {checkout.View{Checkout: attempt(checkouts.Open, 2, time.Hour), Request: checkouts.BeginData{Version: 2, Browser: "b"}}, checkout.Start, ""},
		"another's old price":     {checkout.View{Checkout: attempt(checkouts.Open, 1, time.Hour), Request: checkouts.BeginData{Version: 2, Browser: "b"}}, checkout.Start, ""},
		"own beside another's":    {checkout.View{Checkout: checkoutBeside("b"), Request: checkouts.BeginData{Version: 2, Browser: "b"}}, checkout.Recall, ""},
		"four others":             {checkout.View{Checkout: checkoutBeside("c", "d", "e"), Request: checkouts.BeginData{Version: 2, Browser: "b"}}, checkout.Retire, ""},
		"saved card, another's":   {checkout.View{Saved: &checkouts.SavedPayment{}, Checkout: checkoutBeside("b")}, checkout.Retire, ""},
		"open, another language":  {checkout.View{Checkout: attempt(checkouts.Open, 2, time.Hour), Request: checkouts.BeginData{Version: 2, Language: "ja"}}, checkout.Retire, ""},
		"saved card":              {checkout.View{Saved: &checkouts.SavedPayment{}}, checkout.Start, ""},
		"saved card, page open":   {checkout.View{Saved: &checkouts.SavedPayment{}, Checkout: attempt(checkouts.Open, 2, time.Hour)}, checkout.Retire, ""},
		"saved card, no page yet": {checkout.View{Saved: &checkouts.SavedPayment{}, Checkout: attempt(checkouts.Starting, 2, time.Hour)}, checkout.Open, ""},
		"being charged":           {checkout.View{Saved: &checkouts.SavedPayment{}, Checkout: attempt(checkouts.Charging, 2, time.Hour)}, checkout.Charge, ""},
		"page while charging":     {checkout.View{Checkout: attempt(checkouts.Charging, 2, 0), Now: now.Add(quotes.InstantTTL)}, checkout.Charge, ""},
		"saved card, paid":        {checkout.View{Saved: &checkouts.SavedPayment{}, Checkout: paid}, 0, contract.QuoteNotPayable},
		"paid":                    {checkout.View{Checkout: paid}, 0, contract.QuoteNotPayable},
		"ordered":                 {checkout.View{Ordered: true}, 0, contract.QuoteNotPayable},
		"ITAR":                    {checkout.View{ITAR: true}, 0, contract.ITARNotSupported},
		"another price":           {checkout.View{Request: checkouts.BeginData{Version: 1}}, 0, contract.Conflict},
		"expired":                 {checkout.View{Now: now.Add(quotes.InstantTTL)}, 0, contract.QuoteExpired},
		"paid, then expired":      {checkout.View{Checkout: paid, Now: now.Add(quotes.InstantTTL)}, 0, contract.QuoteNotPayable},
	} {
		v := tt.view
		v.Quote = quote()
		if v.Request.Version == 0 {
			v.Request.Version = 2
		}
		if v.Now.IsZero() {
			v.Now = now
		}
		got, err := checkout.ChooseStep(v)
		code := contract.Code("")
		if r := contract.RefusalIn(err); r != nil {
			code = r.Code
		}
		if got != tt.want || code != tt.code {
			t.Errorf("ChooseStep(%s) = %s, %v; want %s, code %q", name, got, err, tt.want, tt.code)
		}
	}
}

// Nothing is paid that could not be delivered, whoever asks for it.
func TestWhatCannotBeDeliveredIsNotPaid(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for name, tt := range map[string]struct {
		change func(*quotes.Quote)
		fields []string
		ok     bool
	}{
		"as it is":          {func(q *quotes.Quote) { q.Reply.DeliverySaved = &yes }, nil, true},
		"a phone of none":   {func(q *quotes.Quote) { q.Delivery.ShipTo.Phone = "x" }, []string{"ship_to.phone"}, false},
		"no postal code":    {func(q *quotes.Quote) { q.Delivery.ShipTo.PostalCode = "9" }, []string{"ship_to.postal_code"}, false},
		"nobody there":      {func(q *quotes.Quote) { q.Delivery.ShipTo.Name = "" }, []string{"ship_to.name"}, false},
		"customs want more": {func(q *quotes.Quote) { q.Reply.DeliverySaved = &no }, nil, false},
	} {
		q := quote()
		tt.change(q)
		err := checkout.Payable(checkout.View{Quote: q, Request: checkouts.BeginData{Version: 2}, Now: now})
		r := contract.RefusalIn(err)
		if tt.ok != (err == nil) || !tt.ok && (r == nil || r.Code != contract.InvalidRequest || len(r.Fields) != len(tt.fields)) {
			t.Errorf("%s: %v with %+v, want it payable: %v, or refused for %q", name, err, r, tt.ok, tt.fields)
			continue
		}
		for i, f := range tt.fields {
			if r.Fields[i].Field != f {
				t.Errorf("%s: fields %+v, want %q", name, r.Fields, tt.fields)
			}
		}
	}
}

// TestReplacedPartsAreApprovedBeforePaying: that a partner or an agent said so is
// not enough; the customer reads which parts, and the order keeps the words.
func TestReplacedPartsAreApprovedBeforePaying(t *testing.T) {
	t.Parallel()
	q := quote()
	part := assemblies.Part{
		Found: partchecks.Found{Reference: "R1,R2", MPN: "NEW-1", Manufacturer: "Maker", Replaces: "OLD-1"}, Fitting: assemblies.Fitted,
	}
	q.Reply.Parts = []assemblies.Part{part} // of the same specification: nobody is asked
	v := checkout.View{Quote: q, Request: checkouts.BeginData{Version: 2}, Now: now}
	if _, err := checkout.ChooseStep(v); err != nil {
		t.Errorf("a passive part of the same specification: %v", err)
	}
	q.Reply.Parts[0].Approved = true
	for name, seen := range map[string]string{"not ticked": "", "of another page": "x"} {
		v.Request.Acknowledgement = seen
		_, err := checkout.ChooseStep(v)
		if r := contract.RefusalIn(err); r == nil || len(r.Fields) != 1 || r.Fields[0].Field != "seen" || !strings.Contains(r.Message, "place of others") {
			t.Errorf("%s: %v, want a refusal of seen that tells of parts in place of others", name, err)
		}
	}
	v.Request.Acknowledgement = q.AcknowledgementHash()
	if _, err := checkout.ChooseStep(v); err != nil {
		t.Errorf("ticked: %v", err)
	}
	const want = "at R1, R2 the part NEW-1 of Maker is fitted in place of OLD-1; whoever asked for this price said that you approved it"
	c, err := checkout.Begin(v)
	if err != nil || c.Acknowledged == nil || len(c.Acknowledged.Findings) != 1 || c.Acknowledged.Findings[0].What != want {
		t.Errorf("acknowledged %+v, %v", c.Acknowledged, err)
	}
	if charge := checkout.ChargeOf(*q, customers.CardRef{}); len(charge.Findings) != 1 || charge.Findings[0] != contract.Sentence(want) {
		t.Errorf("the e-mail with the code says %q, want %q", charge.Findings, want)
	}
	q.Reply.Parts[0].MPN = "NEW-2"
	if _, err := checkout.ChooseStep(v); err == nil {
		t.Error("the approval of one part counts for another")
	}
}

// What was found in a design has to be seen before it can be paid.
func TestFindingsAreSeenBeforePaying(t *testing.T) {
	t.Parallel()
	q := quote()
	q.Reply.BoardFindings = []contract.Finding{{Level: "warning", Check: "ring", What: "Narrow."}, {Level: "note", Check: "x", What: "Beside."}}
	v := checkout.View{Quote: q, Request: checkouts.BeginData{Version: 2}, Now: now}
	for name, tt := range map[string]struct {
		seen string
		ok   bool
	}{"not ticked": {"", false}, "of another page": {"x", false}, "ticked": {q.AcknowledgementHash(), true}} {
		v.Request.Acknowledgement = tt.seen
		_, err := checkout.ChooseStep(v)
		r := contract.RefusalIn(err)
		if tt.ok != (err == nil) || !tt.ok && (r == nil || len(r.Fields) != 1 || r.Fields[0].Field != "seen") {
			t.Errorf("%s: %v, want it taken: %v, or seen refused", name, err, tt.ok)
		}
	}
	c, err := checkout.Begin(v)
	v.Request.Acknowledgement = q.AcknowledgementHash()
	if err != nil || c.Acknowledged == nil || len(c.Acknowledged.Findings) != 1 || c.Acknowledged.Findings[0].Check != "ring" || !c.Acknowledged.At.Equal(now) {
		t.Errorf("acknowledged %+v, %v", c.Acknowledged, err)
	}
	q.Reply.BoardFindings[0].What = "Narrower."
	if _, err := checkout.ChooseStep(v); err == nil {
		t.Error("other findings count as seen")
	}
	q.Reply.BoardFindings = q.Reply.BoardFindings[1:]
	v.Request.Acknowledgement = ""
	if _, err := checkout.ChooseStep(v); err != nil {
		t.Errorf("nothing to see: %v", err)
	}
}

func TestNextSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	v := checkout.View{Quote: quote(), Request: checkouts.BeginData{Version: 2}, Now: now}
	v.Quote.Delivery.ShipTo.Phone, v.Quote.Delivery.ShipTo.City = "", ""
	_, err := checkout.ChooseStep(v)
	r := contract.RefusalIn(err)
	if r == nil || r.Code != contract.InvalidRequest || len(r.Fields) != 2 {
		t.Errorf("refusal = %+v, want %s of 2 fields", r, contract.InvalidRequest)
	}
	if _, err := checkout.ChooseStep(checkout.View{Now: now}); contract.RefusalIn(err) == nil || contract.RefusalIn(err).Code != contract.NotFound {
		t.Errorf("no quote: %v", err)
	}
}

func TestBegin(t *testing.T) {
	t.Parallel()
	v := checkout.View{Quote: quote(), Checkout: attempt(checkouts.Closed, 1, 0), Request: checkouts.BeginData{Version: 2, SaveDetails: true, Language: "de", Browser: "b"}, Now: now}
	v.Checkout.Refunds = []checkouts.Refund{{Intent: "pi_0"}}
	c, err := checkout.Begin(v)
	if err != nil {
		t.Fatal(err)
	}
	if c.Attempt != 4 || c.Status != checkouts.Starting || c.TotalCents != 5500 || c.Terms.Cents != 4000 || len(c.Refunds) != 1 || c.SessionID != "" || c.Browser != "b" {
		t.Errorf("attempt = %+v, want the fourth, %s, 5500 cents, 4000 of them at once, one refund, no session, begun by b", c, checkouts.Starting)
	}
	r := checkout.Request(c, "https://boards.example/checkout/x", "token")
	if r.IdempotencyKey != "cs:ref:2:4" || r.Total() != 5500 || r.Reference != "ref" || !r.SaveCard || r.CustomerEmail != "ada@example.com" ||
		r.SuccessURL != "https://boards.example/checkout/x?paid=token" || r.Metadata["attempt"] != "4" || r.Metadata["price_version"] != "2" || r.Language != "de" {
		t.Errorf("request = %+v, want the key cs:ref:2:4, 5500 cents, the reference ref, the card saved, ada@example.com, attempt 4 of price 2, in German", r)
	}
	v.Now = now.Add(time.Hour)
	if diff := cmp.Diff(r, checkout.Request(c, "https://boards.example/checkout/x", "token")); diff != "" {
		t.Errorf("the same attempt asks for something else:\n%s", diff)
	}
	*v.Quote.Reply.TotalCents++
	if _, err := checkout.Begin(v); err == nil {
		t.Error("lines that do not add up were taken")
	}
}

func TestHowLongAPageIsOpen(t *testing.T) {
	t.Parallel()
	for left, want := range map[time.Duration]time.Duration{
		7 * 24 * time.Hour: 24*time.Hour - 5*time.Minute,
		3 * time.Hour:      3 * time.Hour,
		time.Minute:        35 * time.Minute,
	} {
		q := quote()
		q.ExpiresAt = now.Add(left)
		c, err := checkout.Begin(checkout.View{Quote: q, Now: now})
		if got := c.ExpiresAt.Sub(now); err != nil || got != want {
			t.Errorf("a quote of %s: %s, %v; want %s", left, got, err, want)
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	r := checkout.Receipt{Quote: "ref", Intent: "pi_1", Cents: 5500}
	open := *attempt(checkouts.Open, 2, time.Hour)
	paid := checkout.MarkPaid(open, r, now)
	other := checkout.MarkPaid(open, checkout.Receipt{Quote: "ref", Intent: "pi_0"}, now)
	for name, tt := range map[string]struct {
		checkout checkouts.Checkout
		want     checkout.Judgement
	}{
		"open":        {open, checkout.Accept},
		"nothing":     {checkouts.Checkout{}, checkout.Accept},
		"closed":      {checkout.MarkClosed(open), checkout.Accept},
		"the same":    {paid, checkout.Known},
		"another":     {other, checkout.Double},
		"given back":  {checkout.AddRefund(other, r, now), checkout.Done},
		"back, alone": {checkout.AddRefund(open, r, now), checkout.Done},
	} {
		if got := checkout.Judge(tt.checkout, r); got != tt.want {
			t.Errorf("Judge(%s) = %s, want %s", name, got, tt.want)
		}
	}
}

func TestOurs(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]bool{contract.SecretRef("x"): true, "": false, "order-17": false, contract.SecretRef("x") + ".>": false} {
		if got := checkout.IsOurs(ref); got != want {
			t.Errorf("IsOurs(%q) = %t, want %t", ref, got, want)
		}
	}
	p := card.Payment{ID: "pi_1", ReceivedCents: 7, RefundedCents: 2, Currency: "USD", Metadata: map[string]string{"reference": "r"}}
	if got, want := checkout.PaymentReceipt(p), (checkout.Receipt{Quote: "r", Intent: "pi_1", Cents: 7, Returned: 2, Currency: "USD"}); got != want {
		t.Errorf("PaymentReceipt(%+v) = %+v, want %+v", p, got, want)
	}
}
