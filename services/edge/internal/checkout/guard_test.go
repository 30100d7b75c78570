package checkout_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
)

func TestForeignFormsAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	other := s.secrets.Link("checkout-form", contract.SecretRef("another"), s.now().Add(time.Hour))
	for name, tt := range map[string]struct {
		token   string // "" = the page's own
		headers []string
		status  int
	}{
		"from the page":                 {"", nil, http.StatusSeeOther},
		"from the page, by a browser":   {"", []string{"Sec-Fetch-Site", "same-origin", "Origin", "null"}, http.StatusSeeOther},
		"from the page, an older one":   {"", []string{"Origin", s.url}, http.StatusSeeOther},
		"without a referrer":            {"", []string{"Origin", "null"}, http.StatusSeeOther},
		"from another site":             {"", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		"from a sister site":            {"", []string{"Sec-Fetch-Site", "same-site"}, http.StatusForbidden},
		"from another origin":           {"", []string{"Origin", "https://evil.example"}, http.StatusForbidden},
		"without a token":               {"-", nil, http.StatusForbidden},
		"with the token of other quote": {other, nil, http.StatusForbidden},
		"with an altered token":         {"x", nil, http.StatusForbidden},
	} {
		form := s.form(ada(), "do", "update")
		if tt.token != "" {
			form.Set("token", strings.TrimPrefix(tt.token, "-"))
		}
		a := s.post(form, tt.headers...)
		if a.status != tt.status {
			t.Errorf("%s: %d, want %d", name, a.status, tt.status)
		}
		if tt.status == http.StatusForbidden {
			a.has(t, "This page is out of date", s.path())
		}
	}
}

func TestFormsAreCounted(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	form := s.form(shipments.ShipTo{}, "do", "update")
	for i := range 120 {
		if a := s.post(form); a.status != http.StatusUnprocessableEntity {
			t.Fatalf("form %d = %d, want 422", i, a.status)
		}
	}
	a := s.post(form)
	if a.status != http.StatusTooManyRequests {
		t.Fatalf("form 121 = %d, want 429", a.status)
	}
	a.has(t, "That was a lot of tries")
}

func TestOversizeForm(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	a := s.post(s.form(ada(), "note", strings.Repeat("x", 70_000)))
	if a.status != http.StatusRequestEntityTooLarge || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		t.Errorf("POST = %d %s, want 413 text/html", a.status, a.header.Get("Content-Type"))
	}
}

func TestHostileWordsStayWords(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	evil := `"><script>alert(1)</script><img src=x onerror=alert(1)>'</title></textarea>{{.Token}}`
	to := ada()
	to.Name, to.Line1, to.Company = evil, evil, evil
	q := s.quote(func(q *quotes.Quote) {
		setDelivery(q)
		q.Delivery.ShipTo = to
		q.Request.ProjectName, q.Reply.Board, q.Request.DoNotFitRefs = &evil, &evil, []string{evil}
		q.Reply.Notes = []string{evil}
		q.Reply.BoardDetailsFrom = map[string]string{"layers": "file:" + evil}
		q.Reply.Lines[0].Label = evil
		q.Reply.ShippingOptions[0].Carrier, q.Reply.ShippingOptions[0].ID = evil, evil
		q.Reply.PriceBasis = map[string]string{"duty": evil}
		q.Reply.BoardDetails.SolderMask = evil
	})
	pages := map[string]answer{"page": s.get(""), "form": s.post(s.form(shipments.ShipTo{Name: evil, City: evil}, "do", "update"))}
	c := checkoutOf(q, s.card.URL, s.now())
	s.put(contract.CheckoutAggregate, s.ref, c)
	pages["confirm"] = s.get("?paid=1&n=<script>")
	o := orderOf(c, s.now())
	o.Board, o.Delivery, o.Ref = evil, evil, evil
	o.Steps = []orders.Step{{Name: evil, At: s.now()}}
	o.Tracking = &shipments.Tracking{Carrier: evil, Number: evil, URL: "javascript:" + evil}
	s.put(contract.OrderAggregate, s.ref, o)
	pages["order"] = s.get("")
	for name, a := range pages {
		if a.status >= 500 || strings.Contains(a.body, "<script>") || strings.Contains(a.body, "<img src=x") || strings.Contains(a.body, "</textarea>{{") {
			t.Errorf("%s (%d) holds markup from outside:\n%s", name, a.status, a.body)
		}
	}
}

func TestNothingSecretIsLogged(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	s.post(s.form(ada(), "do", "update"))
	s.get("")
	for _, e := range s.logs.All() {
		for _, f := range e.Context {
			line := e.Message + f.Key + f.String
			if strings.Contains(line, s.id) || strings.Contains(line, "Lovelace") || strings.Contains(line, "ada@") {
				t.Errorf("the log names the checkout or its customer: %s", line)
			}
		}
	}
	for _, c := range s.commandsOf(quotes.ChooseDelivery) {
		if strings.Contains(string(c.Data), s.id) {
			t.Error("the command holds the secret quote_id")
		}
	}
}

// TestPagesOfADeclaredDesignAreClosed: nothing of it is shown, wherever the
// quote stands.
func TestPagesOfADeclaredDesignAreClosed(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	q := s.quote(func(q *quotes.Quote) { setDelivery(q); q.Upload = "u" })
	form := s.form(ada(), "do", "update")
	s.put(contract.UploadAggregate, "u", uploads.Upload{Ref: "u", Status: uploads.ITARDeclared})
	for n, step := range []func(){
		func() {},
		func() { s.put(contract.CheckoutAggregate, s.ref, checkoutOf(q, s.card.URL, s.now())) },
		func() { s.put(contract.OrderAggregate, s.ref, orderOf(checkoutOf(q, s.card.URL, s.now()), s.now())) },
	} {
		step()
		for name, a := range map[string]answer{"page": s.get(""), "return": s.get("?paid=1"), "form": s.post(form), "picture": s.do("GET", s.path()+"/board.png", nil)} {
			want := http.StatusGone
			if n == 2 && (name == "page" || name == "return") {
				want = http.StatusOK // who has paid sees what becomes of the money
			}
			if a.status != want {
				t.Errorf("step %d, %s: %d, want %d", n, name, a.status, want)
			}
			a.lacks(t, "Weather station", "Ada Lovelace", "50 × 40", "\x89PNG")
		}
	}
	if n := len(s.commandsOf(quotes.ChooseDelivery)); n != 0 {
		t.Errorf("%d commands, want none", n)
	}
}

// TestPagesAreCounted: by the network that asks for them.
func TestPagesAreCounted(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	s.quote(nil)
	for n := 1; ; n++ {
		a := s.get("")
		if a.status == http.StatusTooManyRequests {
			if a.header.Get("Retry-After") == "" || n < 500 {
				t.Errorf("page %d: %v, want Retry-After, and 500 pages before", n, a.header)
			}
			a.has(t, "Please wait")
			return
		}
		if a.status != http.StatusOK || n > 1000 {
			t.Fatalf("page %d: %d, want 200, and 429 after 1000 at most", n, a.status)
		}
	}
}
