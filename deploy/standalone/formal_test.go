package standalone_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
)

// submitOrder sends a formal order with the sample's Gerbers.
func (s *system) submitOrder(t testing.TB, fields map[string]string) (int, map[string]any) {
	t.Helper()
	var out bytes.Buffer
	m := multipart.NewWriter(&out)
	p, err := m.CreateFormFile("gerbers", "board.zip")
	if err == nil {
		_, err = p.Write(s.sample(t))
	}
	for name, value := range fields {
		if err == nil {
			err = m.WriteField(name, value)
		}
	}
	if err == nil {
		err = m.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	status, data := s.post(t, "/v1/orders", m.FormDataContentType(), &out)
	return status, object(t, data)
}

func object(t testing.TB, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v, want JSON; got\n%s", err, data)
	}
	return v
}

func (s *system) getObject(t testing.TB, path string) map[string]any {
	t.Helper()
	status, data := s.do(t, "GET", path, "", nil)
	if status != http.StatusOK {
		t.Fatalf("GET %s = %d %s, want 200", path, status, data)
	}
	return object(t, data)
}

// TestFormalOrder goes through the life of a formal order over all services: sent twice
// at once it is made once, its design is checked, a quote is issued, the customer mailed,
// and an option accepted exactly as it was shown.
func TestFormalOrder(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"DEMO_REQUESTS_PER_MINUTE": "60000"}) // the test asks without a pause
	fields := map[string]string{"name": "Motor controller", "qty": "50", "board_layers": "2", "request_id": "po-1", "email": "formal@example.com"}
	ids := make([]any, 6)
	var racing sync.WaitGroup
	for i := range ids {
		racing.Go(func() {
			status, o := s.submitOrder(t, fields)
			if status != http.StatusCreated {
				t.Errorf("submit %v = %d %v, want 201", fields, status, o)
			}
			ids[i] = o["order_id"]
		})
	}
	racing.Wait()
	for _, id := range ids {
		if id != ids[0] || id == nil {
			t.Fatalf("%d submissions of one request made the orders %v, want one", len(ids), ids)
		}
	}
	path := "/v1/orders/" + fmt.Sprint(ids[0])
	bustest.WaitFor(t, "the design check", func() bool {
		check, _ := s.getObject(t, path+"/design-review")["design_check"].(map[string]any)
		if check["status"] == "not_run" {
			t.Fatalf("the check was not made: %v", check)
		}
		return check["status"] != "checking"
	})
	s.issueQuote(t, fields["request_id"])
	var o map[string]any
	bustest.WaitFor(t, "the quote", func() bool {
		o = s.getObject(t, path)
		return o["status"] == "quoted"
	})
	option := o["quotes"].([]any)[0].(map[string]any)
	accept := func(cents float64) (int, map[string]any) { return s.acceptOption(t, path, option, cents) }
	total := option["total_cents"].(float64)
	if status, r := accept(total - 1); status != http.StatusConflict || r["error"] != "quote_not_accepted" {
		t.Errorf("a cent less: %d %v, want 409 quote_not_accepted", status, r)
	}
	for range 2 {
		status, r := accept(total)
		accepted, _ := r["accepted"].(map[string]any)
		if status != http.StatusOK || r["status"] != "accepted" || accepted["approved_by"] == "" || accepted["total_cents"] != total {
			t.Fatalf("accept %v of %s at %v cents = %d %v; want 200, accepted at that total by somebody", option["option_id"], path, total, status, r)
		}
	}
	if list := s.getObject(t, "/central/orders")["orders"].([]any); len(list) != 1 {
		t.Errorf("%d orders are listed, want 1", len(list))
	}
}

// acceptOption accepts an option as a customer saw it, at a total.
func (s *system) acceptOption(t testing.TB, path string, option map[string]any, cents float64) (int, map[string]any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"customer_approved": true, "option_id": option["option_id"], "quote_number": option["quote_number"], "issued_at": option["issued_at"], "total_cents": cents,
	})
	if err != nil {
		t.Fatal(err)
	}
	status, data := s.post(t, path+"/accept-quote", "application/json", bytes.NewReader(body))
	return status, object(t, data)
}

// TestFormalOrderOfATestKey goes through its whole life without a person: quoted by itself,
// accepted by the client, built and delivered by itself. E-mails go to the account alone, and a live key sees nothing of it.
func TestFormalOrderOfATestKey(t *testing.T) {
	t.Parallel()
	live := start(t, busy)
	s := live.testClient(t)
	status, o := s.submitOrder(t, map[string]string{"name": "Motor controller", "qty": "50", "board_layers": "2", "request_id": "po-1", "email": "formal@example.com"})
	if status != http.StatusCreated {
		t.Fatalf("submit an order with a test key = %d %v, want 201", status, o)
	}
	path := "/v1/orders/" + fmt.Sprint(o["order_id"])
	until := func(want string) {
		t.Helper()
		bustest.WaitFor(t, want, func() bool { o = s.getObject(t, path); return o["status"] == want })
	}
	until("quoted")
	options := o["quotes"].([]any)
	if len(options) != 2 {
		t.Fatalf("options %v, want 2", options)
	}
	option := options[1].(map[string]any)
	if status, r := s.acceptOption(t, path, option, option["total_cents"].(float64)); status != http.StatusOK {
		t.Fatalf("accept %v of %s = %d %v, want 200", option["option_id"], path, status, r)
	}
	until("delivered")
	tracking, _ := o["tracking"].(map[string]any)
	if dates := o["dates"].(map[string]any); tracking["number"] == "" || dates["accepted"] == nil || dates["shipped"] == nil || dates["delivered"] == nil {
		t.Errorf("dates %v, tracking %v; want it accepted, shipped and delivered, with a number", dates, tracking)
	}
	if status, _ := live.do(t, http.MethodGet, path, "", nil); status != http.StatusNotFound {
		t.Errorf("with the live key: %d, want 404", status)
	}
	bustest.WaitFor(t, "the e-mail about the quote", func() bool { return len(s.Simulator().Mailbox().Messages("demo@boardorder.example")) > 0 })
	for _, m := range s.Simulator().Mailbox().Messages("") {
		if to := strings.Join(m.To, ","); to != "demo@boardorder.example" || !strings.HasPrefix(m.Subject, "[Test] ") {
			t.Errorf("%q went to %s, want it marked [Test], to demo@boardorder.example alone", m.Subject, to)
		}
	}
}

// issueQuote is the team's part.
func (s *system) issueQuote(t testing.TB, requestID string) {
	t.Helper()
	account := s.getObject(t, "/auth/check")["account"].(map[string]any)["id"].(string)
	at := time.Now()
	c, err := contract.NewCommand(formal.IssueQuote, contract.NewID(contract.RequestPrefix, at), account, at, formal.IssueQuoteData{
		Order: formal.Key(account, requestID), Operator: "ann", ValidUntil: at.Add(time.Hour),
		Options: []formal.Option{{Fabricator: "Example Circuits", LeadTimeDays: 15, TotalCents: 123450, Lines: []prices.Line{{Label: "Boards", Cents: 123450}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.sendCommand(t, c)
}
