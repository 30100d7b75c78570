package standalone_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/shopper"
	"boardorder/deploy/standalone/internal/described"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/uploads"
)

// TestWhatIsPublishedIsDescribed has one system do all that it is for, and holds each
// message that any of its services publishes, on every stream and beside them, to the
// AsyncAPI document. What is not seen in such a run has a sample that is held to it
// (package described); what the document does not know fails.
func TestWhatIsPublishedIsDescribed(t *testing.T) {
	t.Parallel()
	s := startSearched(t)
	receiver, endpoint := s.watchEvents(t)
	s.mainJob(t)
	s.comeBack(t)
	s.payByCode(t)
	s.formalOrder(t)
	s.offerBuyLink(t)
	s.declareITAR(t)
	s.erase(t, "ada@example.com")
	bustest.WaitFor(t, "the erasure", func() bool {
		d, err := s.docs.Get(t.Context(), string(contract.ErasureAggregate), contract.PersonRef("ada@example.com"))
		var e erasures.Erasure
		return err == nil && json.Unmarshal(d.Body, &e) == nil && e.Erased[contract.QuoteAggregate] > 0 && e.Erased[contract.CustomerAggregate] > 0
	})
	s.checkEvents(t, receiver, endpoint)
	s.recorder.takeStored()
	s.recorder.unseen(t)
}

// mainJob is what a new customer does: check the design and the parts, ask, pay, have
// it built; then the team gives a part of the money back.
func (s *searched) mainJob(t *testing.T) {
	t.Helper()
	upload := s.upload(t, s.sample(t))
	s.checkDesign(t, fmt.Sprintf(`{"upload_id":%q,"copper_oz":1,"thickness_mm":1.6}`, upload))
	s.checkParts(t, map[string]any{"boards": 5, "parts": []map[string]any{{"reference": "FB1", "mpn": "BLM15PX601SZ1D", "manufacturer": "Murata"}}})
	s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":10}`, upload), http.StatusUnprocessableEntity)
	s.quote(t, assemblyBody(s.uploadWithFiles(t, map[string]string{"bom.csv": partsList, "cpl.csv": partsPlace}), `,"do_not_fit_refs":["FID1"]`), http.StatusCreated)
	s.buy(t, upload, "ada@example.com", 10, shopper.Pays)
	order := s.awaitOrder(t, orders.Shipped)
	s.command(t, orders.IssueRefund, order.Account, orders.IssueRefundData{Quote: order.Quote, Operator: "ann", Cents: 100, Why: "a scratch"})
	bustest.WaitFor(t, "the refund", func() bool {
		o := document[orders.Order](t, s, contract.OrderAggregate, order.Quote)
		return len(o.Refunds) == 1 && o.Refunds[0].Status == orders.RefundDone
	})
}

// awaitOrder waits until there is one order that has come so far.
func (s *searched) awaitOrder(t *testing.T, status orders.Status) (o orders.Order) {
	t.Helper()
	bustest.WaitFor(t, "an order that is "+string(status), func() bool {
		docs, err := s.docs.Find(t.Context(), string(contract.OrderAggregate), "ada@example.com", 2)
		return err == nil && len(docs) == 1 && json.Unmarshal(docs[0].Body, &o) == nil && o.Status == status
	})
	return o
}

// command sends what an operator asks for.
func (s *searched) command(t *testing.T, name contract.CommandName, account string, data any) {
	t.Helper()
	c, err := contract.NewCommand(name, contract.NewID(contract.RequestPrefix, time.Now()), account, time.Now(), data)
	if err == nil {
		err = s.bus.Send(t.Context(), c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// comeBack is what a customer does who is known: order again.
func (s *searched) comeBack(t *testing.T) {
	t.Helper()
	s.call(t, "/v1/previous-orders", `{"email":"ada@example.com"}`)
	code, _ := s.code(t, "ada@example.com", "Your code to see")
	listed := s.call(t, "/v1/previous-orders", fmt.Sprintf(`{"email":"ada@example.com","code":%q}`, code))
	orders, _ := listed.m["orders"].([]any)
	if len(orders) != 1 {
		t.Fatalf("earlier orders: %d %s, want one", listed.status, listed.text)
	}
	again := s.call(t, "/v1/reorders?wait_s=60", fmt.Sprintf(`{"history_token":%q,"order_id":%q,"quantity":20}`, listed.str("history_token"), orders[0].(map[string]any)["order_id"]))
	if again.status != http.StatusCreated || again.m["saved_details"] != true {
		t.Fatalf("reorder: %d %s; want 201 and saved details", again.status, again.text)
	}
	if res := s.pay(t, again.str("checkout_url"), shopper.Pays); res.Status != "paid" {
		t.Errorf("the reorder is %+v, want it paid", res)
	}
}

// payByCode is what another customer does whose card and address were kept.
func (s *searched) payByCode(t *testing.T) {
	t.Helper()
	upload := s.upload(t, s.sample(t))
	s.buy(t, upload, "eve@example.com", 10, shopper.Pays)
	var q reply
	bustest.WaitFor(t, "saved details", func() bool {
		q = s.call(t, "/v1/quotes?wait_s=60", fmt.Sprintf(`{"upload_id":%q,"quantity":20,"standard_for_unstated":true,"ship_to":{"email":"eve@example.com"}}`, upload))
		return q.m["saved_details"] == true
	})
	at := "/v1/quotes/" + q.str("quote_id") + "/saved/"
	s.call(t, at+"code", `{}`)
	code, _ := s.code(t, "eve@example.com", "Confirm your payment")
	token := s.call(t, at+"verify", fmt.Sprintf(`{"code":%q}`, code)).str("confirm_token")
	if paid := s.call(t, at+"pay", fmt.Sprintf(`{"confirm_token":%q}`, token)); paid.status != http.StatusOK {
		t.Fatalf("pay by a code at %s: %d %s, want 200", at, paid.status, paid.text)
	}
}

// formalOrder is sent, quoted by the team and accepted.
func (s *searched) formalOrder(t *testing.T) {
	t.Helper()
	status, o := s.submitOrder(t, map[string]string{"name": "Motor controller", "qty": "50", "board_layers": "2", "request_id": "po-1", "email": "formal@example.com"})
	if status != http.StatusCreated {
		t.Fatalf("submit a formal order: %d %v, want 201", status, o)
	}
	path := "/v1/orders/" + fmt.Sprint(o["order_id"])
	s.issueQuote(t, "po-1")
	bustest.WaitFor(t, "the quote", func() bool { o = s.getObject(t, path); return o["status"] == "quoted" })
	option := o["quotes"].([]any)[0].(map[string]any)
	body, err := json.Marshal(map[string]any{
		"customer_approved": true, "option_id": option["option_id"], "quote_number": option["quote_number"], "issued_at": option["issued_at"], "total_cents": option["total_cents"],
	})
	if err != nil {
		t.Fatal(err)
	}
	if status, data := s.post(t, path+"/accept-quote", "application/json", bytes.NewReader(body)); status != http.StatusOK {
		t.Fatalf("accept %s of %s: %d %s, want 200", body, path, status, data)
	}
	bustest.WaitFor(t, "the design check", func() bool {
		check, _ := s.getObject(t, path+"/design-review")["design_check"].(map[string]any)
		return check["status"] != "checking"
	})
}

// offerBuyLink is a buy link, made and closed.
func (s *searched) offerBuyLink(t *testing.T) {
	t.Helper()
	at := s.call(t, "/v1/buy-links", fmt.Sprintf(`{"upload_id":%q,"project_name":"Lamp"}`, s.upload(t, s.sample(t)))).str("buy_url")
	s.awaitStatus(t, at, http.StatusOK)
	if status, data := s.do(t, http.MethodDelete, "/v1/buy-links/"+at[strings.LastIndexByte(at, '/')+1:], "", nil); status != http.StatusOK {
		t.Errorf("close the buy link %s: %d %s, want 200", at, status, data)
	}
}

// declareITAR is what one account says of files that another has too.
func (s *searched) declareITAR(t *testing.T) {
	t.Helper()
	board := boardInFolder(t, s.sample(t), "other")
	other := s.systemAs(t, "acc_other")
	theirs := other.upload(t, board)
	ours := s.upload(t, board)
	s.post(t, "/v1/quotes", "application/json", strings.NewReader(fmt.Sprintf(`{"upload_id":%q,"quantity":5,"itar":true}`, ours)))
	bustest.WaitFor(t, "the other's files marked", func() bool {
		d, err := s.docs.Get(t.Context(), string(contract.UploadAggregate), contract.SecretRef(theirs))
		var u uploads.Upload
		return err == nil && json.Unmarshal(d.Body, &u) == nil && u.Doubted != nil
	})
}

// unseen names what the run did not show; each has a sample.
func (r *recorder) unseen(t *testing.T) {
	t.Helper()
	seen := r.names()
	var missing []string
	for _, name := range r.doc.Names() {
		if slices.Contains(seen, name) {
			continue
		}
		missing = append(missing, name)
		if err := checkSample(r.doc, name); err != nil && !isOptional(name) {
			t.Errorf("%s was not seen, and its sample: %v", name, err)
		}
	}
	t.Logf("%d messages of the document were seen, of %d. Not seen, held by their samples: %s", len(seen), len(r.doc.Names()), strings.Join(missing, ", "))
	for _, name := range []string{
		"upload.add-files", "upload.files_added", "design-check.check", "part-sourcing.check", "pricing.quote", "quote.priced", "quote.request_refused",
		"checkout.opened", "order.paid", "order.shipped", "order.refunded", "confirmation.verified", "central-order.accepted", "buy-link.closed",
		"upload.itar_declared", "upload.doubt-duplicate", "upload.doubted", "payment.hold-duplicate", "erasure.passed", "order.erased", "wake_up",
		"feed.quote.priced", "feed.quote.questions", "feed.order.paid", "feed.order.shipped", "feed.order.refunded", "feed.design_check.finished", "feed.formal_order.quoted", "feed.webhook_endpoint.test", "webhook.delivery",
	} {
		if !slices.Contains(seen, name) {
			t.Errorf("the run was to show %s and did not", name)
		}
	}
}

// isOptional reports events that any aggregate may have: not each has a reason to. Dead
// letters are what nothing of a run should lead to.
func isOptional(name string) bool {
	_, event, _ := strings.Cut(name, ".")
	return name == "dead_letter" || slices.Contains([]contract.EventName{contract.RequestRefused, contract.RequestCompleted, contract.Erased}, contract.EventName(event))
}

// checkSample holds the sample of a message to the document.
func checkSample(doc *described.Document, name string) error {
	of, what, _ := strings.Cut(name, ".")
	files, err := filepath.Glob(filepath.Join("../../pkg/contract/testdata/*", of, "v*", what+".json"))
	if err == nil && len(files) == 0 {
		err = os.ErrNotExist
	}
	for _, file := range files {
		if filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(file)))) == "states" {
			continue
		}
		text, failed := os.ReadFile(file)
		if failed != nil {
			return failed
		}
		var m struct {
			Subject string
			Headers map[string]string
			Data    json.RawMessage
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return err
		}
		if is, err := doc.Check(described.Message{Subject: m.Subject, Headers: m.Headers, Data: m.Data}); err != nil || is != name {
			return fmt.Errorf("%s is %q: %w", file, is, err)
		}
	}
	return err
}
